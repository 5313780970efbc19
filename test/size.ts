/** Set by jest.config.js. */
declare const SIZE: 'sample' | 'thorough' | 'exhaustive';

/** How much a test tries: with `npm test`, in CI (`SIZE=thorough`), and with `npm run test:exhaustive`. */
export const bySize = <Value>(sample: Value, thorough: Value, exhaustive = thorough): Value =>
	({ sample, thorough, exhaustive })[SIZE];

/** A test of a limit that only thousands of rows reach. `npm test` skips it. */
export const largeTest = bySize(test.skip, test);

/** With `npm test`, every nth of the values, in CI three times as many, starting at another one in each turn; else all. */
export const everyNth = <Value>(n: number, values: readonly Value[], turn: number) => {
	const step = bySize(n, Math.ceil(n / 3), 1);
	return values.filter((_, index) => index % step === turn % step);
};
