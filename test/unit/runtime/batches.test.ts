/** How the values of all items become few requests, and how the answers find back to the items. */
import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { type Value, respond, execute, failed, values } from './requests';

const sizes = (asked: string[][]) => asked.map(({ length }) => length);

test.each([
	[0, 50, []],
	[1, 50, [1]],
	[49, 50, [49]],
	[50, 50, [50]],
	[51, 50, [50, 1]],
	[100, 50, [50, 50]],
	[101, 50, [50, 50, 1]],
	[120, 40, [40, 40, 40]],
	[5, 2, [2, 2, 1]],
	[3, 1, [1, 1, 1]],
	[3, Infinity, [3]],
])('%d values with at most %d in a request', async (count, limit, expected) => {
	const run = await execute(values(count), respond, { maxBatchSize: limit });
	expect(sizes(run.requests)).toEqual(expected);
	expect(run.requests.flat()).toEqual(values(count).map(({ id }) => id));
	expect(run.seen).toEqual(values(count).map(({ id }) => `data of ${id}`));
});

test('a value is sent once, and its result goes to all inputs', async () => {
	const run = await execute(
		['a', 'b', 'a', 'c', 'b', 'a'].map((id) => ({ id })),
		respond,
	);
	expect(run.requests).toEqual([['a', 'b', 'c']]);
	expect(run.seen).toEqual(['a', 'b', 'a', 'c', 'b', 'a'].map((id) => `data of ${id}`));
	expect(run.duplicates).toEqual([false, false, true, false, true, true]);
});

test('a hundred rows of fifty people are one request', async () => {
	const run = await execute([...values(50), ...values(50)], respond);
	expect(sizes(run.requests)).toEqual([50]);
});

test('values that need different requests do not share one, and are not doubles of each other', async () => {
	const mixed: Value[] = [
		{ id: 'a', group: 'email' },
		{ id: 'a', group: 'phone' },
		{ id: 'b', group: 'email' },
		{ id: 'a', group: 'email' },
	];
	const run = await execute(mixed, respond);
	expect(run.requests).toEqual([['a', 'b'], ['a']]);
	expect(run.duplicates).toEqual([false, false, false, true]);
});

test('groups have limits of their own', async () => {
	const mixed = [
		...values(3).map((value) => ({ ...value, group: 'alone', maxBatchSize: 1 })),
		...values(3).map((value) => ({ ...value, group: 'together' })),
	];
	expect(sizes((await execute(mixed, respond)).requests)).toEqual([1, 1, 1, 3]);
});

test('answers keep their places whatever order the requests finish in', async () => {
	const run = await execute(
		values(6),
		async (ids, nth) => {
			await sleep(10 - 3 * nth);
			return respond(ids);
		},
		{ maxBatchSize: 2 },
	);
	expect(run.seen).toEqual(values(6).map(({ id }) => `data of ${id}`));
});

test('one value that failed inside a response leaves the others whole', async () => {
	const run = await execute(values(3), (ids) => ({
		value: ids.map((id) =>
			id === 'v1' ? failed('reported', 200, 'No such person.') : { value: `data of ${id}` },
		),
	}));
	expect(run.seen).toEqual(['data of v0', '! No such person.', 'data of v2']);
	expect(run.requests).toHaveLength(1);
});

test('a response with too few outcomes fails those without one, none goes to another', async () => {
	const run = await execute(values(3), (ids) => respond(ids.slice(0, 2)));
	expect(run.seen).toEqual([
		'data of v0',
		'data of v1',
		'! The service returned no result for this row. Try again later.',
	]);
});

test.each([
	['unauthorized', 401],
	['forbidden', 402],
	['forbidden', 403],
	['notFound', 404],
	['rateLimited', 429],
	['server', 500],
	['noResponse', 504],
	['reported', 200],
	['unreadable', 200],
	['redirect', 302],
	['stopped', 0],
] as const)(
	'a request that fails as %s (%d) is neither split nor sent again',
	async (kind, status) => {
		const run = await execute(values(120), (ids, nth) =>
			nth === 2 ? failed(kind, status, 'It failed.') : respond(ids),
		);
		expect(sizes(run.requests)).toEqual([50, 50, 20]);
		expect(run.seen.filter((text) => text === '! It failed.')).toHaveLength(50);
		expect(run.outcomes[50]?.failure).toMatchObject({ kind, status });
		expect(run.seen.slice(100)).toEqual(
			values(120)
				.slice(100)
				.map(({ id }) => `data of ${id}`),
		);
	},
);

const anyAsks = fc.array(
	fc.record({
		id: fc.integer({ min: 0, max: 30 }).map((number) => `v${number}`),
		group: fc.constantFrom('', 'x', 'y'),
	}),
	{ maxLength: 120 },
);

test('any values: the fewest requests, none twice, every place answered', async () => {
	await fc.assert(
		fc.asyncProperty(anyAsks, fc.integer({ min: 1, max: 60 }), async (asks, limit) => {
			const run = await execute(asks, respond, { maxBatchSize: limit });
			expect(run.seen).toEqual(asks.map(({ id }) => `data of ${id}`));

			const uniques = ['', 'x', 'y'].map(
				(name) => new Set(asks.filter(({ group }) => group === name).map(({ id }) => id)).size,
			);
			expect(run.requests.flat()).toHaveLength(uniques.reduce((sum, count) => sum + count, 0));
			expect(run.requests).toHaveLength(
				uniques.reduce((sum, count) => sum + Math.ceil(count / limit), 0),
			);
			expect(Math.max(0, ...sizes(run.requests))).toBeLessThanOrEqual(limit);
			expect(run.duplicates.filter((again) => !again)).toHaveLength(run.requests.flat().length);
		}),
	);
});

describe.each([true, false])('stop on failure: %s', (stopOnFailure) => {
	test('an error while a response is read fails its inputs', async () => {
		const run = await execute(
			values(4),
			(ids) => {
				if (ids.includes('v0')) throw new Error('Not expected.');
				return respond(ids);
			},
			{ maxBatchSize: 2, stopOnFailure },
		);

		expect(run.seen).toEqual(['! Not expected.', '! Not expected.', 'data of v2', 'data of v3']);
		expect(run.stopped).toBe(stopOnFailure);
	});

	test.each<[what: string, send: (ids: string[]) => ReturnType<typeof respond>]>([
		['request', () => failed('server', 500, 'It failed.')],
		[
			'input of a response',
			(ids) => ({ value: ids.map(() => failed('reported', 200, 'No data.')) }),
		],
	])('a failed %s stops the client, if at all', async (_what, send) => {
		expect((await execute(values(1), send, { stopOnFailure })).stopped).toBe(stopOnFailure);
	});

	test('success never does', async () => {
		expect((await execute(values(1), respond, { stopOnFailure })).stopped).toBe(false);
	});
});
