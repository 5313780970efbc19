/** How the values of all items become few requests, and how the answers find back to the items. */
import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { type Ask, answer, ask, failed, values } from './requests';

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
	const run = await ask(values(count), answer, { limit });
	expect(sizes(run.asked)).toEqual(expected);
	expect(run.asked.flat()).toEqual(values(count).map(({ id }) => id));
	expect(run.seen).toEqual(values(count).map(({ id }) => `answer ${id}`));
});

test('a value is asked for once, and its answer goes to all that asked', async () => {
	const run = await ask(
		['a', 'b', 'a', 'c', 'b', 'a'].map((id) => ({ id })),
		answer,
	);
	expect(run.asked).toEqual([['a', 'b', 'c']]);
	expect(run.seen).toEqual(['a', 'b', 'a', 'c', 'b', 'a'].map((id) => `answer ${id}`));
	expect(run.repeated).toEqual([false, false, true, false, true, true]);
});

test('a hundred rows of fifty people are one request', async () => {
	const run = await ask([...values(50), ...values(50)], answer);
	expect(sizes(run.asked)).toEqual([50]);
});

test('values that need different requests do not share one, and are not doubles of each other', async () => {
	const mixed: Ask[] = [
		{ id: 'a', group: 'email' },
		{ id: 'a', group: 'phone' },
		{ id: 'b', group: 'email' },
		{ id: 'a', group: 'email' },
	];
	const run = await ask(mixed, answer);
	expect(run.asked).toEqual([['a', 'b'], ['a']]);
	expect(run.repeated).toEqual([false, false, false, true]);
});

test('groups have limits of their own', async () => {
	const mixed = [
		...values(3).map((value) => ({ ...value, group: 'alone', limit: 1 })),
		...values(3).map((value) => ({ ...value, group: 'together' })),
	];
	expect(sizes((await ask(mixed, answer)).asked)).toEqual([1, 1, 1, 3]);
});

test('answers keep their places whatever order the requests finish in', async () => {
	const run = await ask(
		values(6),
		async (ids, nth) => {
			await sleep(10 - 3 * nth);
			return answer(ids);
		},
		{ limit: 2 },
	);
	expect(run.seen).toEqual(values(6).map(({ id }) => `answer ${id}`));
});

test('one value that failed inside an answer leaves the others whole', async () => {
	const run = await ask(values(3), (ids) => ({
		value: ids.map((id) =>
			id === 'v1' ? failed('reported', 200, 'No such person.') : { value: `answer ${id}` },
		),
	}));
	expect(run.seen).toEqual(['answer v0', '! No such person.', 'answer v2']);
	expect(run.asked).toHaveLength(1);
});

test('an answer with too few outcomes fails those without one, none goes to another', async () => {
	const run = await ask(values(3), (ids) => answer(ids.slice(0, 2)));
	expect(run.seen).toEqual([
		'answer v0',
		'answer v1',
		'! The service gave no result for this one. Try again later.',
	]);
});

test.each([
	['unauthorized', 401],
	['forbidden', 402],
	['forbidden', 403],
	['notFound', 404],
	['rateLimited', 429],
	['server', 500],
	['noAnswer', 504],
	['reported', 200],
	['unreadable', 200],
	['redirect', 302],
	['stopped', 0],
] as const)(
	'a request that fails as %s (%d) is neither split nor sent again',
	async (kind, status) => {
		const run = await ask(values(120), (ids, nth) =>
			nth === 2 ? failed(kind, status, 'It failed.') : answer(ids),
		);
		expect(sizes(run.asked)).toEqual([50, 50, 20]);
		expect(run.seen.filter((text) => text === '! It failed.')).toHaveLength(50);
		expect(run.outcomes[50]?.failure).toMatchObject({ kind, status });
		expect(run.seen.slice(100)).toEqual(
			values(120)
				.slice(100)
				.map(({ id }) => `answer ${id}`),
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
			const run = await ask(asks, answer, { limit });
			expect(run.seen).toEqual(asks.map(({ id }) => `answer ${id}`));

			const uniques = ['', 'x', 'y'].map(
				(name) => new Set(asks.filter(({ group }) => group === name).map(({ id }) => id)).size,
			);
			expect(run.asked.flat()).toHaveLength(uniques.reduce((sum, count) => sum + count, 0));
			expect(run.asked).toHaveLength(
				uniques.reduce((sum, count) => sum + Math.ceil(count / limit), 0),
			);
			expect(Math.max(0, ...sizes(run.asked))).toBeLessThanOrEqual(limit);
			expect(run.repeated.filter((again) => !again)).toHaveLength(run.asked.flat().length);
		}),
	);
});
