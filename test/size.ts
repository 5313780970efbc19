/** Set by jest.config.js. */
declare const SIZE: 'sample' | 'thorough' | 'exhaustive';

/** How much a test tries: with `npm test`, in CI (`SIZE=thorough`), and with `npm run test:exhaustive`. */
export const bySize = <Value>(sample: Value, thorough: Value, exhaustive = thorough): Value =>
	({ sample, thorough, exhaustive })[SIZE];

/** A test of a limit that only thousands of rows reach. `npm test` skips it. */
export const largeTest = bySize(test.skip, test);

/** With `npm test`, every nth of the values, starting at another one in each turn; otherwise all. */
export const everyNth = <Value>(n: number, values: readonly Value[], turn: number) =>
	bySize(
		values.filter((_, index) => index % n === turn % n),
		values,
	);
