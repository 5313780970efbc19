/** Set by jest.config.js. */
declare const SIZE: 'sample' | 'thorough' | 'exhaustive';

/** How much a test tries: with `npm test`, in CI (`SIZE=thorough`), and with `npm run test:exhaustive`. */
export const bySize = <Value>(sample: Value, thorough: Value, exhaustive = thorough): Value =>
	({ sample, thorough, exhaustive })[SIZE];
