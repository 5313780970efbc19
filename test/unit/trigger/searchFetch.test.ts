/** Which pages a poll of a watched search fetches, and what it makes of those that fail. */
import type { Failure, Outcome } from '../../../nodes/BusinessProspectData/core/outcome';
import type { Page } from '../../../nodes/BusinessProspectData/search/page';
import { fetchSweepPart } from '../../../nodes/BusinessProspectData/trigger/search/fetch';

const failed = (kind: Failure['kind']): Failure => ({ kind, message: `It was ${kind}.` });
const DOWN = failed('server');

interface Search {
	/** How many people match; pages have ten. */
	readonly count: number;
	/** What pages report; by default the count. `ofPage` is the number of their rows, with the page count of the search. */
	readonly total?: number | 'ofPage' | undefined;
	readonly fails?: Record<number, Failure>;
	/** Pages that lack their last row. */
	readonly short?: readonly number[];
}

/** Fetches pages of ten rows; also returns which were requested, 0 being the count. */
async function fetched(
	{ count, fails = {}, short = [], ...reported }: Search,
	{ startPage = 1, maxPages = 200, startsBaseline = false, maxProspects = 5_000 } = {},
) {
	const ofPage = reported.total === 'ofPage';
	const total = 'total' in reported && reported.total !== 'ofPage' ? reported.total : count;
	const requests: number[] = [];
	const pages = await fetchSweepPart(
		{
			count: async () => {
				requests.push(0);
				return fails[0] === undefined ? { value: { total } } : { failure: fails[0] };
			},
			fetchPage: async (page): Promise<Outcome<Page>> => {
				requests.push(page);
				const failure = fails[page];
				if (failure !== undefined) return { failure };
				const length = Math.max(
					0,
					Math.min(10, count - (page - 1) * 10) - (short.includes(page) ? 1 : 0),
				);
				const rows = Array.from({ length }, (_, row) => ({ prospect_id: `${page}-${row}` }));
				const pageCount = total === undefined ? undefined : Math.ceil(total / 10);
				return {
					value: {
						rows,
						totalRows: ofPage ? rows.length : total,
						totalPages: pageCount,
						responseContext: undefined,
					},
				};
			},
		},
		{ startPage, maxPages, startsBaseline },
		maxProspects,
		10,
	);
	return { ...pages, rows: pages.rows.length, requests };
}

test.each<[what: string, Search, job: object, expected: object]>([
	[
		'all pages',
		{ count: 25 },
		{},
		{ rows: 25, requests: [1, 2, 3], resumeAt: undefined, total: 25 },
	],
	['one page of an empty search', { count: 0 }, {}, { rows: 0, requests: [1], total: 0 }],
	[
		'up to the maximum',
		{ count: 45 },
		{ maxPages: 3 },
		{ rows: 30, requests: [1, 2, 3], resumeAt: 4 },
	],
	[
		'from the start page on',
		{ count: 45 },
		{ startPage: 4, maxPages: 3 },
		{ rows: 15, requests: [4, 5], resumeAt: undefined },
	],
	['exactly the maximum', { count: 30 }, { maxPages: 3 }, { rows: 30, resumeAt: undefined }],
	[
		'none after the last one',
		{ count: 30 },
		{ startPage: 5 },
		{ rows: 0, requests: [5], resumeAt: undefined },
	],
	[
		'page by page without totals',
		{ count: 25, total: undefined },
		{},
		{ rows: 25, requests: [1, 2, 3], resumeAt: undefined, total: undefined },
	],
	[
		'up to the maximum without totals',
		{ count: 25, total: undefined },
		{ maxPages: 2 },
		{ rows: 20, resumeAt: 3 },
	],
	[
		'after a count, and page 1 again',
		{ count: 15 },
		{ startsBaseline: true },
		{ rows: 15, requests: [0, 1, 2, 1], changed: false },
	],
	[
		'a single page once',
		{ count: 10 },
		{ startsBaseline: true },
		{ rows: 10, requests: [0, 1], changed: false },
	],
	[
		'up to the maximum after a count',
		{ count: 25 },
		{ startsBaseline: true, maxPages: 2 },
		{ rows: 20, requests: [0, 1, 2], changed: false },
	],
])('fetches %s', async (_what, search, job, expected) => {
	expect(await fetched(search, job)).toMatchObject({
		firstPageStatus: 'received',
		partial: false,
		...expected,
	});
});

describe('a page that', () => {
	test.each<[what: string, fails: Record<number, Failure>, expected: object]>([
		[
			'failed is left out',
			{ 2: DOWN },
			{ rows: 30, resumeAt: undefined, partial: true, failure: DOWN },
		],
		[
			'was not sent is the next one',
			{ 3: failed('stopped') },
			{ rows: 30, resumeAt: 3, partial: false, problemPages: [] },
		],
		[
			'hit the rate limit is the next one',
			{ 3: failed('rateLimited'), 4: failed('stopped') },
			{ rows: 20, resumeAt: 3, partial: false },
		],
		[
			'failed after one that was not sent is fetched again',
			{ 2: failed('stopped'), 3: DOWN },
			{ rows: 20, resumeAt: 2, partial: false },
		],
		[
			'failed before one that was not sent is left out',
			{ 2: DOWN, 3: failed('stopped') },
			{ rows: 20, resumeAt: 3, partial: true, problemPages: [2] },
		],
	])('%s', async (_what, fails, expected) => {
		expect(await fetched({ count: 40, fails })).toMatchObject({
			firstPageStatus: 'received',
			...expected,
		});
	});

	test.each([
		[[], false],
		[[1], true],
	])('was not sent shows that those before it are full: %p lack rows', async (short, partial) => {
		const stopped = failed('stopped');
		const fails = { 2: stopped, 3: stopped, 4: stopped };

		expect(await fetched({ count: 40, total: 'ofPage', short, fails })).toMatchObject({
			resumeAt: 2,
			partial,
		});
	});

	test('fails without totals is the next one: nothing is known of those after it', async () => {
		const pages = await fetched({ count: 40, total: undefined, fails: { 3: DOWN } });

		expect(pages).toMatchObject({ rows: 20, resumeAt: 3, partial: false, failure: DOWN });

		const few = await fetched({ count: 40, total: undefined, fails: { 3: DOWN } }, { maxPages: 3 });

		expect(few).toMatchObject({ rows: 20, resumeAt: 3, partial: false, failure: DOWN });
	});

	test.each<[kind: Failure['kind'], firstPageStatus: string]>([
		['server', 'failed'],
		['unauthorized', 'failed'],
		['stopped', 'postponed'],
		['rateLimited', 'postponed'],
	])('is the first and fails (%s) ends the poll: %s', async (kind, firstPageStatus) => {
		const failure = failed(kind);
		const nothing = { firstPageStatus, rows: 0, partial: false, failure };

		expect(await fetched({ count: 40, fails: { 3: failure } }, { startPage: 3 })).toMatchObject({
			...nothing,
			requests: [3],
		});
		expect(
			await fetched({ count: 40, fails: { 0: failure } }, { startsBaseline: true }),
		).toMatchObject({
			...nothing,
			requests: [0],
		});
	});

	test.each<Failure['kind']>(['invalid', 'notFound'])(
		'is rejected (%s) ends the sweep, unless it is the first page of the search',
		async (kind) => {
			const failure = failed(kind);
			const rejected = { rows: 0, requests: [5], failure };

			expect(await fetched({ count: 40, fails: { 5: failure } }, { startPage: 5 })).toMatchObject({
				...rejected,
				firstPageStatus: 'rejected',
				partial: true,
				problemPages: [5],
			});
			expect(await fetched({ count: 40, fails: { 1: failure } })).toMatchObject({
				...rejected,
				requests: [1],
				firstPageStatus: 'failed',
			});
		},
	);

	test('is incomplete is requested again; its rows count, but the sweep is partial', async () => {
		const pages = await fetched({ count: 40, short: [2] }, { startsBaseline: true });

		expect(pages).toMatchObject({ rows: 39, resumeAt: undefined, partial: true, total: 40 });
		expect(pages.requests).toEqual([0, 1, 2, 3, 4, 2]);
		expect(pages.failure?.message).toContain('9 of 10 rows');
	});
});

describe('a search that matches too many people', () => {
	const NARROW = 'Narrow Filters, for example by Person Country, Company Size or Job Level';

	test.each([
		[
			{ count: 5_001 },
			{},
			`The filters match 5,001 people, but Max Prospects allows 5,000. ${NARROW}, or raise Max Prospects (at most 20,000).`,
		],
		[
			{ count: 20_001 },
			{ maxProspects: 20_000 },
			`The filters match 20,001 people, but Max Prospects allows 20,000. ${NARROW}.`,
		],
	])('takes one request when it begins', async (search, job, message) => {
		expect(await fetched(search, { startsBaseline: true, ...job })).toMatchObject({
			rows: 0,
			firstPageStatus: 'tooMany',
			partial: false,
			failure: { kind: 'input', message },
			requests: [0],
		});
	});

	test.each([5_001, 20_000])('may grow beyond Max Prospects, to %d', async (count) => {
		const pages = await fetched({ count }, { maxPages: 1 });

		expect(pages).toMatchObject({ firstPageStatus: 'received', rows: 10 });
	});

	test.each([
		['the total', { count: 20_001 }, {}, [1], '20,001'],
		['the pages', { count: 9 }, { startPage: 201, maxPages: 0 }, [], 'more than 20,000'],
	])(
		'stops when %s exceed what the trigger can watch',
		async (_what, search, job, requests, count) => {
			const pages = await fetched(search, job);

			expect(pages).toMatchObject({ firstPageStatus: 'tooMany', rows: 0, requests });
			expect(pages.failure?.message).toBe(
				`The filters match ${count} people now, but the trigger can watch at most 20,000. ${NARROW}. Everyone who matches the new filters then counts as known: to get the people that were added meanwhile, run Prospect: Get Many.`,
			);
		},
	);
});
