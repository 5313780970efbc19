/** Executes the values of all items in few requests, and assigns the results to the items. */
import fc from 'fast-check';
import { respond, execute, failed, resultsExcept, values } from './batchService';

test('fails only the value that failed within a response, or that a response leaves out', async () => {
	const run = await execute(values(3), () => ({
		value: [{ value: 'data of v0' }, failed('reported', 200, 'No such person.')],
	}));

	const v2 = '! The service returned no result for this row. Try again later.';
	expect(run.results).toEqual(resultsExcept(3, { v1: '! No such person.', v2 }));
	expect(run.requests).toHaveLength(1);
});

test.each([
	['outOfCredits', 402],
	['server', 503],
	['noResponse', 504],
	['stopped', 0],
] as const)('neither splits nor resends a batch that failed as %s (%d)', async (kind, status) => {
	const run = await execute(values(120), (ids, requestNumber) =>
		requestNumber === 2 ? failed(kind, status, 'It failed.') : respond(ids),
	);

	const failures = values(100)
		.slice(50)
		.map(({ id }) => [id, '! It failed.']);
	expect(run.batchSizes).toEqual([50, 50, 20]);
	expect(run.results).toEqual(resultsExcept(120, Object.fromEntries(failures)));
	expect(run.failures[50]).toMatchObject({ kind, status });
});

const anyInputs = fc.array(
	fc.record({
		id: fc.integer({ min: 0, max: 30 }).map((number) => `v${number}`),
		group: fc.constantFrom('', 'x', 'y'),
	}),
	{ maxLength: 120 },
);

test('sends any values once, in the fewest batches', async () => {
	await fc.assert(
		fc.asyncProperty(anyInputs, fc.integer({ min: 1, max: 60 }), async (inputs, maxBatchSize) => {
			const run = await execute(inputs, respond, { maxBatchSize });
			expect(run.results).toEqual(inputs.map(({ id }) => `data of ${id}`));

			const unique = ['', 'x', 'y'].map(
				(name) => new Set(inputs.flatMap(({ id, group }) => (group === name ? id : []))).size,
			);
			const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
			expect(run.requests.flat()).toHaveLength(sum(unique));
			expect(run.requests).toHaveLength(
				sum(unique.map((count) => Math.ceil(count / maxBatchSize))),
			);
			expect(Math.max(0, ...run.batchSizes)).toBeLessThanOrEqual(maxBatchSize);
			const keys = inputs.map(({ id, group }) => `${group} ${id}`);
			expect(run.duplicates).toEqual(keys.map((key, index) => keys.indexOf(key) < index));
		}),
	);
});

test.each([true, false])(
	'stopOnFailure %s: the client stops if it should',
	async (stopOnFailure) => {
		const isStoppedBy = async (send: (ids: string[]) => ReturnType<typeof respond>) =>
			(await execute(values(2), send, { stopOnFailure })).isStopped;

		const error = '! Not expected.';
		const thrown = await execute(
			values(4),
			(ids) => {
				if (ids.includes('v0')) throw new Error('Not expected.');
				return respond(ids);
			},
			{ maxBatchSize: 2, stopOnFailure },
		);
		expect(thrown.results).toEqual(resultsExcept(4, { v0: error, v1: error }));
		expect(thrown.isStopped).toBe(stopOnFailure);
		expect(await isStoppedBy(() => failed('server', 500, 'It failed.'))).toBe(stopOnFailure);
		const oneFailed = { value: [{ value: 'data' }, failed('reported', 200, 'No data.')] };
		expect(await isStoppedBy(() => oneFailed)).toBe(stopOnFailure);
		expect(await isStoppedBy(respond)).toBe(false);
	},
);
