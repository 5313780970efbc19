/** Which pages of a search are fetched, and what becomes of failed and defective ones. */
import type { IDataObject } from 'n8n-workflow';
import { type Failure, rootCause } from '../../../nodes/BusinessProspectData/core/outcome';
import { missingPagesFailure } from '../../../nodes/BusinessProspectData/operations/prospect/searchResult';
import { fetchPages } from '../../../nodes/BusinessProspectData/search/pages';
import type { Page, PagingOptions } from '../../../nodes/BusinessProspectData/search/page';

const FAILURE: Failure = { kind: 'server', message: 'The service failed.', status: 500 };
const STOPPED: Failure = { kind: 'stopped', message: 'Stopped.' };

/** A page: a number of rows, its rows as `from-to`, a failure, or any page. */
type Response = number | string | Failure | ({ rows?: Page['rows'] } & Totals);
/** A page, or what each of its requests returns. The last response repeats. */
type Responses = Response | Response[];
interface Totals {
	total?: Page['totalRows'];
	pages?: Page['totalPages'];
}

const range = (count: number, from = 1) => Array.from({ length: count }, (_, nth) => from + nth);
const rowsIn = (text: string) => {
	if (text === '') return [];
	const [from = 1, to = 0] = text.split('-').map(Number);
	return range(to - from + 1, from).map((id) => ({ id: `${id}` }));
};
const idOf = ({ id }: IDataObject) => (typeof id === 'string' ? id : undefined);
const PAGING: PagingOptions = { startPage: 1, pageSize: 10, limit: 1_000, idOf };

/** Fetches pages of ten rows. `totals` are those of every page without its own. */
async function search(
	pages: readonly Responses[],
	totals: Totals = {},
	paging: Partial<PagingOptions> = {},
) {
	const requests: number[] = [];
	const { received, failed, ...result } = await fetchPages(
		async (number) => {
			const responses = [pages[number - 1] ?? 0].flat();
			const response = responses[requests.filter((one) => one === number).length];
			requests.push(number);
			// Later pages arrive first.
			for (let turn = number; turn < 50; turn++) await Promise.resolve();
			const own = response ?? responses.at(-1) ?? 0;
			if (typeof own === 'object' && 'kind' in own) return { failure: own };
			const page = typeof own === 'object' ? own : { rows: rowsOf(number, own) };
			const {
				rows = [],
				total,
				pages: count,
			}: { rows?: Page['rows'] } & Totals = { ...totals, ...page };
			const responseContext = { page: number };
			return { value: { rows, totalRows: total, totalPages: count, responseContext } };
		},
		{ ...PAGING, ...paging },
	);
	return {
		...result,
		failedPages: failed.map(({ page }) => page),
		incompletePages: failed.filter(({ value }) => value !== undefined).map(({ page }) => page),
		failure: rootCause(failed)?.failure,
		requests: requests.sort((a, b) => a - b),
		received: received.map(({ responseContext }) => Object(responseContext).page as number),
		rows: received.flatMap((page) => page.rows.map(({ id }) => Number(id))),
	};
}

const rowsOf = (page: number, rows: number | string) =>
	typeof rows === 'string' ? rowsIn(rows) : range(rows, page * 100).map((id) => ({ id: `${id}` }));

const FIVE = [10, 10, 10, 10, 3];

test.each<[name: string, number[], Totals, paging: Partial<PagingOptions>, requests: number[]]>([
	['by total_pages', FIVE, { pages: 5 }, {}, range(5)],
	['by total_results', FIVE, { total: 43 }, {}, range(5)],
	['by both', FIVE, { total: 43, pages: 5 }, {}, range(5)],
	['until one is not full, without totals', FIVE, {}, {}, range(5)],
	['until one is empty, without totals', [10, 10], {}, {}, range(3)],
	['until one is not full, after one with too many rows', [12, 10, 5], {}, {}, range(3)],
	['only the first, if it is not full', [4], {}, {}, [1]],
	['only the first, if it is empty', [0], {}, {}, [1]],
	['only the first, if the total is 0', [0], { total: 0, pages: 0 }, {}, [1]],
	['up to the limit', FIVE, { pages: 5 }, { limit: 25 }, range(3)],
	['up to the limit, without totals', FIVE, {}, { limit: 20 }, range(2)],
	['up to a limit of 1', FIVE, { pages: 5 }, { limit: 1 }, [1]],
	['up to a limit of one page', FIVE, { total: 43 }, { limit: 10 }, [1]],
	['from the start page', FIVE, { pages: 5 }, { startPage: 3 }, [3, 4, 5]],
	['from the start page, by total_results', FIVE, { total: 43 }, { startPage: 4 }, [4, 5]],
	['from the start page, without totals', FIVE, {}, { startPage: 4 }, [4, 5]],
	['from the start page to the limit', FIVE, { pages: 5 }, { startPage: 2, limit: 15 }, [2, 3]],
	['by the larger one, total_results', FIVE, { total: 43, pages: 2 }, {}, range(5)],
	['by the larger one, total_pages', FIVE, { total: 10, pages: 5 }, {}, range(5)],
	['beyond a total that counts the page', FIVE, { total: 10 }, {}, range(5)],
	['beyond a total of 0 with rows', FIVE, { total: 0 }, {}, range(5)],
	['from a start page after the last', FIVE, { pages: 5 }, { startPage: 6 }, [6]],
])('fetches the pages %s', async (_name, pages, totals, paging, requests) => {
	expect(await search(pages, totals, paging)).toMatchObject({
		requests,
		received: requests,
		failedPages: [],
		failure: undefined,
	});
});

test('fetches the reported pages in parallel after the first', async () => {
	let pending = 0;
	let highest = 0;
	const fetch = async () => {
		highest = Math.max(highest, ++pending);
		await Promise.resolve();
		pending--;
		return { value: { rows: Array(10).fill({}), totalPages: 5, responseContext: {} } };
	};

	await fetchPages(fetch, { ...PAGING, limit: 50 });

	expect(highest).toBe(4);
});

test('has no next page if the total ends at the limit', async () => {
	expect(await search([10, 10, 5], { total: 25 }, { limit: 30 })).not.toHaveProperty('continuesAt');
});

test('keeps all rows of a page with too many', async () => {
	expect((await search([10, 14], { total: 24 })).rows).toHaveLength(24);
});

describe('a failed page', () => {
	test.each<[name: string, Responses[], Totals, received: number[], missing: number[]]>([
		['the first', [FAILURE, 10], { pages: 2 }, [], [1]],
		['the second', [10, FAILURE, 10, 3], { pages: 4 }, [1, 3, 4], [2]],
		['the last', [10, 10, FAILURE], { total: 23 }, [1, 2], [3]],
		['several', [10, FAILURE, 10, FAILURE, 1], { total: 41 }, [1, 3, 5], [2, 4]],
		['a stopped one', [10, STOPPED, FAILURE, STOPPED], { pages: 4 }, [1], [2, 3, 4]],
	])('leaves the others: %s', async (_name, pages, totals, received, missing) => {
		const result = await search(pages, totals);

		expect(result).toMatchObject({
			received,
			failedPages: missing,
			failure: FAILURE,
			missingRows: 0,
		});
		expect(result).not.toHaveProperty('continuesAt');
	});

	test('leaves the number of pages unknown without totals', async () => {
		const pages = [10, 10, FAILURE, 10];
		const expected = { received: [1, 2], failedPages: [3], failure: FAILURE };

		expect(await search(pages)).toMatchObject({ ...expected, brokeOffAt: 3 });
		expect(await search(pages, {}, { limit: 30 })).toMatchObject({ ...expected, brokeOffAt: 3 });
		expect((await search(pages, { pages: 4 })).brokeOffAt).toBeUndefined();
		// A total without a page count may be too low.
		expect(await search(pages, { total: 23 })).toMatchObject({ ...expected, brokeOffAt: 3 });
		expect(await search(pages, { total: 23 }, { limit: 30 })).toMatchObject({
			...expected,
			brokeOffAt: 3,
		});
		expect(await search(pages, { total: 90 }, { limit: 30 })).toMatchObject({
			...expected,
			brokeOffAt: undefined,
			continuesAt: 4,
		});
	});

	test('has the failure "stopped" if there is no other', async () => {
		const result = await search([10, STOPPED], { pages: 2 });

		expect(result).toMatchObject({ failedPages: [2], failure: STOPPED });
	});
});

describe('a page before the last with missing or repeated rows', () => {
	const TOTALS = { total: 35, pages: 4 };
	const four = (second: Responses): Responses[] => ['1-10', second, '21-30', '31-35'];

	test.each<[name: string, second: Responses, rows: number[], message: string]>([
		['empty', '', [], 'The service sent 0 of 10 rows'],
		['short', '11-17', range(7, 11), 'The service sent 7 of 10 rows'],
		['repeated', '1-10', [], 'All rows were already on page 1'],
		['repeated in part', '3-6', [], 'All rows were already on page 1'],
		['short and in part repeated', '10-18', range(8, 11), '1 of 9 rows was already on page 1'],
		['short, then empty', ['11-17', ''], range(7, 11), 'The service sent 7 of 10 rows'],
		['short, then as short', ['11-17', '12-18'], range(7, 12), 'The service sent 7 of 10 rows'],
		['empty, then short', ['', '11-18'], range(8, 11), 'The service sent 8 of 10 rows'],
	])('is requested again, and fails if it is %s', async (_name, second, rows, message) => {
		expect(await search(four(second), TOTALS)).toMatchObject({
			requests: message.includes('already') ? [1, 1, 2, 2, 3, 4] : [1, 2, 2, 3, 4],
			rows: [...range(10), ...rows, ...range(15, 21)],
			failedPages: [2],
			brokeOffAt: undefined,
			missingRows: 0,
			failure: { message: `${message}, even after a second request.` },
		});
	});

	test.each<[name: string, pages: Responses[]]>([
		['first empty', four(['', '11-20'])],
		['first short', four(['11-17', '11-20'])],
		['first repeated', four(['1-10', '11-20'])],
		['the original of a wrong page', ['1-10', ['21-30', '11-20'], '21-30', '31-35']],
		['repeated by one that then fails', [['1-10', FAILURE], ['1-10', '11-20'], '21-30', '31-35']],
		['repeated by one that then is empty', [['1-10', ''], ['1-10', '11-20'], '21-30', '31-35']],
	])('does not fail if it is %s', async (_name, pages) => {
		expect(await search(pages, TOTALS)).toMatchObject({ rows: range(35), failedPages: [] });
	});

	test('is requested again with the page that it repeats', async () => {
		const pages = ['1-10', ['21-30', '11-20'], '21-30', '31-35'];

		expect(await search(pages, TOTALS)).toMatchObject({ requests: [1, 2, 2, 3, 3, 4] });
	});

	test('keeps its rows if the second request fails', async () => {
		expect(await search(four(['11-17', FAILURE]), TOTALS)).toMatchObject({
			rows: [...range(17), ...range(15, 21)],
			failedPages: [2],
			failure: { message: FAILURE.message },
		});
	});

	test('fails if it has only rows of several earlier pages', async () => {
		expect(await search(['1-10', '11-20', '6-15', '31-35'], TOTALS)).toMatchObject({
			requests: [1, 1, 2, 2, 3, 3, 4],
			failedPages: [3],
			failure: {
				message: 'All rows were already on pages 1-2, even after a second request.',
			},
		});
	});

	test('names the pages whose rows it has in their order, whatever the order of the rows', async () => {
		const mixed = { rows: [...rowsIn('11-15'), ...rowsIn('1-4'), ...rowsIn('21-21')] };

		expect(await search(['1-10', '11-20', mixed, '31-35'], TOTALS)).toMatchObject({
			failedPages: [3],
			failure: {
				kind: 'unreadable',
				message: '9 of 10 rows were already on pages 1-2, even after a second request.',
			},
		});
	});

	test('repeats no rows without an ID', async () => {
		const bare = { rows: Array<IDataObject>(10).fill({ name: 'A' }) };

		expect(await search([bare, bare, bare, '31-35'], TOTALS)).toMatchObject({
			requests: range(4),
			failedPages: [],
		});
	});

	test.each<[name: string, pages: Responses[], Totals, paging: Partial<PagingOptions>]>([
		['a short last page without a total', ['1-10', '11-13'], { pages: 2 }, {}],
		['an empty last page without a total', ['1-10', ''], { pages: 2 }, {}],
		['a repeated last row', ['1-10', '10-10'], { total: 11, pages: 2 }, {}],
		['a tenth of repeated rows', ['1-10', '10-19', '21-25'], { total: 25, pages: 3 }, {}],
		[
			'a lower total of its own',
			['1-10', { rows: rowsIn('11-13'), total: 13 }, { total: 13 }, { total: 13 }],
			{ total: 35 },
			{},
		],
		[
			'fewer pages of its own',
			['1-10', { rows: rowsIn('11-13'), pages: 2 }, { pages: 2 }, { pages: 2 }],
			{ pages: 4 },
			{},
		],
		['a smaller page size', ['1-5', '6-10', '11-14'], { total: 14, pages: 3 }, {}],
		[
			'a smaller page size and a lower total of its own',
			['1-5', '6-10', { rows: rowsIn('11-14'), total: 14 }],
			{ total: 15, pages: 3 },
			{},
		],
		[
			'a smaller page size and totals of its own that are too low',
			['1-5', '6-10', { rows: rowsIn('11-14'), total: 4, pages: 1 }],
			{ total: 14, pages: 3 },
			{},
		],
		[
			'a smaller page size and a later start',
			['', '11-15', '16-20', '21-24'],
			{ total: 24, pages: 4 },
			{ startPage: 2 },
		],
		['a limit within the page', ['1-10', '11-15'], { total: 35 }, { limit: 15 }],
		['a total of 0', ['', '', ''], { total: 0, pages: 3 }, {}],
	])('is neither failed nor requested again with %s', async (_name, pages, totals, paging) => {
		const { requests, failedPages } = await search(pages, totals, paging);

		expect(failedPages).toEqual([]);
		expect(new Set(requests).size).toBe(requests.length);
	});

	test.each<[name: string, pages: Responses[], Totals, missing: number]>([
		['rows on a later page', four({ total: 10, pages: 1 }), TOTALS, 2],
		['a total of 0 without rows', four({ total: 0, pages: 0 }), TOTALS, 2],
		['the totals of the first', four({ total: undefined, pages: undefined }), TOTALS, 2],
		['rows that contradict its total', ['1-10', '11-17', ''], { total: 10, pages: 3 }, 2],
		['total_pages alone', ['', ''], { pages: 2 }, 1],
		['a total above the limit', ['1-10', '11-14'], { total: 90, pages: 2 }, 2],
		['repeated rows on a full last page', ['1-10', '1-10'], { total: 20, pages: 2 }, 2],
	])('is recognized by %s', async (_name, pages, totals, missing) => {
		const limit = 20 + (pages.length - 2) * 10;

		expect(await search(pages, totals, { limit })).toMatchObject({ failedPages: [missing] });
	});

	test.each<[name: string, last: Responses, rows: number, requests: number, missingRows: number]>([
		['short', '31-33', 33, 5, 2],
		['empty', '', 30, 5, 5],
		['empty, then short', ['', '31-33'], 33, 5, 2],
		['short, then empty', ['31-33', ''], 33, 5, 2],
		['short, then failed', ['31-33', FAILURE], 33, 5, 2],
		['short, then complete', ['31-33', '31-35'], 35, 5, 0],
		['short by its own total', { rows: rowsIn('31-33'), total: 34 }, 33, 5, 1],
		[
			'short by the first total, as its own is too low',
			{ rows: rowsIn('31-33'), total: 5 },
			33,
			5,
			2,
		],
		['complete by its own total', { rows: rowsIn('31-33'), total: 33 }, 33, 4, 0],
		['empty with a total of 0', { total: 0, pages: 0 }, 30, 5, 5],
	])('a last page does not fail if it is %s', async (_name, last, rows, count, missingRows) => {
		const { requests, ...result } = await search(['1-10', '11-20', '21-30', last], TOTALS);

		expect(result).toMatchObject({ rows: range(rows), failedPages: [], missingRows });
		expect(requests).toHaveLength(count);
	});

	test.each<[name: string, second: Responses, rows: number[]]>([
		['two of ten rows', '9-18', range(8, 11)],
		['all rows but one', '2-11', [11]],
		['fewer rows at first', ['9-18', '2-11'], range(8, 11)],
		['more rows at first', ['2-11', '9-18'], range(8, 11)],
	])('fails and keeps its new rows if it repeats %s', async (_name, second, rows) => {
		expect(await search(four(second), TOTALS)).toMatchObject({
			requests: [1, 1, 2, 2, 3, 4],
			rows: [...range(10), ...rows, ...range(15, 21)],
			failedPages: [2],
		});
	});

	test('is requested again if it repeats a page that has changed', async () => {
		const pages = ['1-10', ['1-10', '13-22'], ['21-30', '23-32'], '33-35'];

		expect(await search(pages, { total: 33, pages: 4 })).toMatchObject({
			requests: [1, 1, 2, 2, 3, 3, 4],
			failedPages: [],
		});
	});
});

test('fetches the pages that a later total adds', async () => {
	const first = { rows: rowsIn('1-10'), total: 15, pages: 2 };

	expect(await search([first, '11-20', '21-30', '31-35'], { total: 35, pages: 4 })).toMatchObject({
		requests: range(4),
		rows: range(35),
		missingRows: 0,
	});
});

test.each([45, 1_000])('stops at the limit of %i if every total is higher', async (limit) => {
	const endless = range(2_000).map((page) => {
		const rows = rowsIn(`${page * 10 - 9}-${page * 10}`);
		return { rows, total: page * 10 + 1, pages: page + 1 };
	});

	expect((await search(endless, {}, { limit })).requests).toEqual(range(Math.ceil(limit / 10)));
});

test('ignores the higher total of a page without rows', async () => {
	const first = { rows: rowsIn('1-10'), total: 20, pages: 2 };
	const empty = range(50, 2).map((page) => ({ total: page * 10 + 10, pages: page + 1 }));

	expect(new Set((await search([first, ...empty])).requests)).toEqual(new Set([1, 2]));
});

test('stops at a repeated page without totals', async () => {
	expect(await search(Array(50).fill('1-10'))).toMatchObject({
		requests: [1, 1, 2, 2],
		rows: range(10),
		failedPages: [2],
		brokeOffAt: 2,
	});
});

test('goes on without totals if a page is repeated only once', async () => {
	const pages = ['1-10', ['1-10', '11-20'], '21-30', ['21-30', '31-33']];

	expect(await search(pages)).toMatchObject({
		rows: range(33),
		failedPages: [],
		brokeOffAt: undefined,
	});
});

test('reads a row a few times only, however many pages there are without totals', async () => {
	let reads = 0;
	const counted = (row: IDataObject) => {
		reads++;
		return idOf(row);
	};

	const { rows } = await search(Array(100).fill(10), {}, { idOf: counted });

	expect(rows).toHaveLength(1_000);
	expect(reads).toBeLessThan(6 * rows.length);
});

test('a failed page is incomplete if it was received', async () => {
	expect(await search(['1-10', '11-17', FAILURE, '31-35'], { total: 35, pages: 4 })).toMatchObject({
		failedPages: [2, 3],
		incompletePages: [2],
	});
});

const PAGE: Page = { rows: [], responseContext: undefined };

test.each<[failed: number[], incomplete: number[], lacksLaterPages: boolean, message: RegExp]>([
	[
		[7],
		[],
		false,
		/^Page 7 could not be fetched: The service failed\. .*Start Page 7 under Options/,
	],
	[[3, 7, 8, 9], [], false, /^Pages 3, 7-9 could not be fetched: .*Start Page 3 /],
	[[2, 3, 5, 6, 9], [], false, /^Pages 2-3, 5-6, 9 could not/],
	[[4], [], true, /^Page 4 and all after it could not.*Start Page 4 /],
	[[7], [7], false, /^Page 7 is incomplete: The service failed\./],
	[[3, 7], [3, 7], false, /^Pages 3, 7 are incomplete: The service failed\./],
	[[3, 7], [3], false, /^Pages 3, 7 could not be fetched: /],
	[[7], [7], true, /^Page 7 and all after it could not be fetched: /],
])(
	'names the failed pages %j, of which %j are incomplete (open-ended: %j)',
	(numbers, incomplete, lacksLaterPages, message) => {
		const failed = numbers.map((page) => ({
			page,
			value: incomplete.includes(page) ? PAGE : undefined,
			failure: FAILURE,
		}));

		const failure = missingPagesFailure(
			failed,
			{ ...FAILURE, details: { code: 'x' } },
			lacksLaterPages,
		);

		expect(failure.message).toMatch(message);
		expect(failure).toMatchObject({
			kind: 'server',
			status: 500,
			details: { code: 'x', missing_pages: numbers, start_page: numbers[0] },
		});
	},
);
