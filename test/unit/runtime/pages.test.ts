/** Which pages of a search are fetched, and what is known of those that fail. */
import type { IDataObject } from 'n8n-workflow';
import type { Failure, Outcome } from '../../../nodes/BusinessProspectData/core/outcome';
import { fetchPages, missingPagesFailure } from '../../../nodes/BusinessProspectData/runtime/pages';
import type { Page, PagingOptions } from '../../../nodes/BusinessProspectData/runtime/pageDefects';

const FAILURE: Failure = { kind: 'server', message: 'The service failed.', status: 500 };
const STOPPED: Failure = { kind: 'stopped', message: 'Stopped.' };

const idOf = ({ id }: IDataObject) => (typeof id === 'string' ? id : undefined);

interface Search {
	/** Rows of each page from page 1 on; a failure for one that fails. */
	pages: Array<number | Failure>;
	total?: number;
	announced?: number;
}

/** Fetches pages of ten rows, and tells which were asked for and what came. */
async function fetched(
	{ pages, total, announced }: Search,
	{ startPage = 1, limit = 1_000 }: Partial<PagingOptions> = {},
) {
	const asked: number[] = [];
	const page = async (number: number): Promise<Outcome<Page>> => {
		asked.push(number);
		// Later pages come first.
		for (let turn = 0; turn < 50 - number; turn++) await Promise.resolve();
		const rows = pages[number - 1] ?? 0;
		if (typeof rows !== 'number') return { failure: rows };
		return {
			value: {
				rows: Array.from({ length: rows }, (_, row) => ({ id: `${number}-${row}` })),
				totalRows: total,
				totalPages: announced,
				responseContext: { page: number },
			},
		};
	};
	const result = await fetchPages(page, { startPage, pageSize: 10, limit, idOf });
	const got = result.received.map(({ responseContext }) => Object(responseContext).page as number);
	return {
		asked,
		got,
		missing: result.failedPages,
		failure: result.failure,
		isOpenEnded: result.isOpenEnded,
	};
}

const all = (count: number, from = 1) => Array.from({ length: count }, (_, nth) => from + nth);

describe('the pages that are fetched', () => {
	const five = [10, 10, 10, 10, 3];

	test.each<[name: string, Search, paging: Partial<PagingOptions>, asked: number[]]>([
		['as many as total_pages says', { pages: five, announced: 5 }, {}, all(5)],
		['as many as total_results says', { pages: five, total: 43 }, {}, all(5)],
		['as both say', { pages: five, total: 43, announced: 5 }, {}, all(5)],
		['up to one that is not full, where nothing is said', { pages: five }, {}, all(5)],
		['one more than the last full one, where nothing is said', { pages: [10, 10] }, {}, all(3)],
		['only the first, where it is not full', { pages: [4] }, {}, [1]],
		['only the first, where it is empty', { pages: [0] }, {}, [1]],
		['only the first, where there is nothing', { pages: [0], total: 0, announced: 0 }, {}, [1]],
		['no more than are wanted', { pages: five, announced: 5 }, { limit: 25 }, all(3)],
		['no more than are wanted, where nothing is said', { pages: five }, { limit: 20 }, all(2)],
		['one, where one is wanted', { pages: five, announced: 5 }, { limit: 1 }, [1]],
		['one, where just one page is wanted', { pages: five, total: 43 }, { limit: 10 }, [1]],
		['from the start page on', { pages: five, announced: 5 }, { startPage: 3 }, [3, 4, 5]],
		['from the start page on, by total', { pages: five, total: 43 }, { startPage: 4 }, [4, 5]],
		['from the start page on, unsaid', { pages: five }, { startPage: 4 }, [4, 5]],
		[
			'as wanted from the start page on',
			{ pages: five, announced: 5 },
			{ startPage: 2, limit: 15 },
			[2, 3],
		],
		['as the larger says: total', { pages: five, total: 43, announced: 2 }, {}, all(5)],
		['as the larger says: pages', { pages: five, total: 10, announced: 5 }, {}, all(5)],
		['beyond a total that is the rows of the page', { pages: five, total: 10 }, {}, all(5)],
		['beyond a total that is 0 though there are rows', { pages: five, total: 0 }, {}, all(5)],
		[
			'beyond a start page after the announced',
			{ pages: five, announced: 5 },
			{ startPage: 6 },
			[6],
		],
		['also after an over-full one, where nothing is said', { pages: [12, 10, 5] }, {}, all(3)],
	])('are %s', async (_name, search, paging, asked) => {
		const result = await fetched(search, paging);

		expect([...result.asked].sort((a, b) => a - b)).toEqual(asked);
		expect(result.got).toEqual(asked);
		expect(result.missing).toEqual([]);
		expect(result.failure).toBeUndefined();
	});

	test('come side by side after the first, where they are announced', async () => {
		let underWay = 0;
		let highest = 0;
		await fetchPages(
			async () => {
				highest = Math.max(highest, ++underWay);
				await Promise.resolve();
				underWay--;
				return { value: { rows: Array(10).fill({}), totalPages: 5, responseContext: {} } };
			},
			{ startPage: 1, pageSize: 10, limit: 50, idOf },
		);

		expect(highest).toBe(4);
	});

	test('keep more rows than fit on a page', async () => {
		const pages = [10, 14];
		const { received } = await fetchPages(
			async (page) => ({
				value: {
					rows: Array.from({ length: pages[page - 1] ?? 0 }, () => ({})),
					totalRows: 24,
					responseContext: {},
				},
			}),
			{ startPage: 1, pageSize: 10, limit: 1_000, idOf },
		);

		expect(received.flatMap(({ rows }) => rows)).toHaveLength(24);
	});
});

describe('a page that fails', () => {
	test.each<[name: string, Search, got: number[], missing: number[]]>([
		['the first', { pages: [FAILURE, 10], announced: 2 }, [], [1]],
		['one between', { pages: [10, FAILURE, 10, 3], announced: 4 }, [1, 3, 4], [2]],
		['the last', { pages: [10, 10, FAILURE], total: 23 }, [1, 2], [3]],
		['several', { pages: [10, FAILURE, 10, FAILURE, 1], total: 41 }, [1, 3, 5], [2, 4]],
	])('leaves what came: %s', async (_name, search, got, missing) => {
		expect(await fetched(search)).toMatchObject({ got, missing, failure: FAILURE });
	});

	test('where nothing is announced leaves unknown what comes after it', async () => {
		const search = { pages: [10, 10, FAILURE, 10] };
		const expected = { got: [1, 2], missing: [3], failure: FAILURE };

		expect(await fetched(search)).toMatchObject({ ...expected, isOpenEnded: true });
		expect(await fetched(search, { limit: 30 })).toMatchObject({ ...expected, isOpenEnded: false });
		expect(await fetched({ ...search, announced: 4 })).toMatchObject({ isOpenEnded: false });
	});

	test('names the cause, not that others were stopped for it', async () => {
		const pages = [10, STOPPED, FAILURE, STOPPED];

		expect(await fetched({ pages, announced: 4 })).toMatchObject({
			got: [1],
			missing: [2, 3, 4],
			failure: FAILURE,
		});
	});

	test('that was stopped says so', async () => {
		expect(await fetched({ pages: [10, STOPPED], announced: 2 })).toMatchObject({
			missing: [2],
			failure: STOPPED,
		});
	});
});

describe('a page before the last that lacks rows or repeats others', () => {
	/** What a page holds at its first request, and from the second on; rows by number, `from-to`. */
	type Answers = Array<string | Failure | Partial<Page>>;

	const rowsIn = (range: string) => {
		if (range === '') return [];
		const [from = 1, to = 0] = range.split('-').map(Number);
		return all(to - from + 1, from).map((id) => ({ id: `${id}` }));
	};

	/** Fetches pages of ten rows; of each page, the answers in the order of its requests, the last for all others. */
	async function searched(
		pages: Answers[],
		totals: Pick<Page, 'totalRows' | 'totalPages'>,
		paging: Partial<PagingOptions> = {},
	) {
		const asked: number[] = [];
		const result = await fetchPages(
			async (number) => {
				asked.push(number);
				const answers = pages[number - 1] ?? [''];
				const answer = answers[asked.filter((one) => one === number).length - 1] ?? answers.at(-1);
				if (typeof answer === 'object' && 'kind' in answer) return { failure: answer };
				const own = typeof answer === 'string' ? { rows: rowsIn(answer) } : answer;
				return { value: { rows: [], responseContext: {}, ...totals, ...own } };
			},
			{ startPage: 1, pageSize: 10, limit: 1_000, idOf, ...paging },
		);
		const { failedPages, isOpenEnded, failure } = result;
		const rows = result.received.flatMap((page) => page.rows.map(({ id }) => Number(id)));
		const { missingRows } = result;
		asked.sort((a, b) => a - b);
		return { asked, rows, missing: failedPages, isOpenEnded, missingRows, message: failure?.message };
	}

	const four = (...second: Answers): Answers[] => [['1-10'], second, ['21-30'], ['31-35']];
	const told = { totalRows: 35, totalPages: 4 };

	test.each<[what: string, second: Answers, rows: number[], message: string]>([
		['empty', [''], [], 'The service sent 0 of 10 rows'],
		['short', ['11-17'], all(7, 11), 'The service sent 7 of 10 rows'],
		['a repeat', ['1-10'], [], 'All rows were already on page 1'],
		['a short repeat', ['3-6'], [], 'All rows were already on page 1'],
		['short, then empty', ['11-17', ''], all(7, 11), 'The service sent 7 of 10 rows'],
		['short, then as short', ['11-17', '12-18'], all(7, 12), 'The service sent 7 of 10 rows'],
		['empty, then short', ['', '11-18'], all(8, 11), 'The service sent 8 of 10 rows'],
	])('%s: it is requested again, and has failed', async (_what, second, rows, message) => {
		const repeats = message.startsWith('All rows');

		expect(await searched(four(...second), told)).toEqual({
			asked: repeats ? [1, 1, 2, 2, 3, 4] : [1, 2, 2, 3, 4],
			rows: [...all(10), ...rows, ...all(15, 21)],
			missing: [2],
			isOpenEnded: false,
			missingRows: 0,
			message: `${message}, even after a second request.`,
		});
	});

	test.each<[what: string, second: Answers]>([
		['empty', ['', '11-20']],
		['short', ['11-17', '11-20']],
		['a repeat', ['1-10', '11-20']],
	])('%s, and whole when it is requested again: nothing failed', async (_what, second) => {
		expect(await searched(four(...second), told)).toMatchObject({ rows: all(35), missing: [] });
	});

	test('the earlier of two equal pages may be the wrong one: it is requested again too', async () => {
		const pages: Answers[] = [['1-10'], ['21-30', '11-20'], ['21-30'], ['31-35']];

		expect(await searched(pages, told)).toMatchObject({
			asked: [1, 2, 2, 3, 3, 4],
			rows: all(35),
			missing: [],
		});
	});

	test.each<[what: string, second: string | Failure]>([
		['fails', FAILURE],
		['is empty', ''],
	])('an earlier page that %s when it is requested again is kept', async (_what, second) => {
		const pages: Answers[] = [['1-10', second], ['1-10', '11-20'], ['21-30'], ['31-35']];

		expect(await searched(pages, told)).toMatchObject({ rows: all(35), missing: [] });
	});

	test('one that fails when it is requested again keeps its rows, and that failure', async () => {
		expect(await searched(four('11-17', FAILURE), told)).toMatchObject({
			rows: [...all(17), ...all(15, 21)],
			missing: [2],
			message: FAILURE.message,
		});
	});

	test('rows of several earlier pages, and none of its own', async () => {
		const pages: Answers[] = [['1-10'], ['11-20'], ['6-15'], ['31-35']];

		expect(await searched(pages, told)).toMatchObject({
			asked: [1, 1, 2, 2, 3, 3, 4],
			missing: [3],
			message: 'All rows were already on pages 1-2, even after a second request.',
		});
	});

	test('rows without an ID repeat nothing', async () => {
		const bare = { rows: Array<IDataObject>(10).fill({ name: 'A' }) };

		expect(await searched([[bare], [bare], [bare], ['31-35']], told)).toMatchObject({
			asked: all(4),
			missing: [],
		});
	});

	test.each<
		[what: string, pages: Answers[], totals: Pick<Page, 'totalRows' | 'totalPages'>, paging: object]
	>([
		['a short last page without a total', [['1-10'], ['11-13']], { totalPages: 2 }, {}],
		['an empty last page without a total', [['1-10'], ['']], { totalPages: 2 }, {}],
		['a last page of duplicates', [['1-10'], ['10-10']], { totalRows: 11, totalPages: 2 }, {}],
		[
			'a tenth of duplicates',
			[['1-10'], ['10-19'], ['21-25']],
			{ totalRows: 25, totalPages: 3 },
			{},
		],
		[
			'fewer rows, by the page itself',
			[
				['1-10'],
				[{ rows: rowsIn('11-13'), totalRows: 13 }],
				[{ totalRows: 13 }],
				[{ totalRows: 13 }],
			],
			{ totalRows: 35 },
			{},
		],
		[
			'fewer pages, by the page itself',
			[
				['1-10'],
				[{ rows: rowsIn('11-13'), totalPages: 2 }],
				[{ totalPages: 2 }],
				[{ totalPages: 2 }],
			],
			{ totalPages: 4 },
			{},
		],
		[
			'smaller pages with all rows',
			[['1-5'], ['6-10'], ['11-14']],
			{ totalRows: 14, totalPages: 3 },
			{},
		],
		[
			'smaller pages with all rows from a later one on',
			[[], ['11-15'], ['16-20'], ['21-24']],
			{ totalRows: 24, totalPages: 4 },
			{ startPage: 2 },
		],
		['a limit that ends within the page', [['1-10'], ['11-15']], { totalRows: 35 }, { limit: 15 }],
		['a total of none', [[''], [''], ['']], { totalRows: 0, totalPages: 3 }, {}],
	])('%s: nothing failed, and nothing is requested again', async (_what, pages, totals, paging) => {
		const { asked, missing } = await searched(pages, totals, paging);

		expect(missing).toEqual([]);
		expect(new Set(asked).size).toBe(asked.length);
	});

	test.each<
		[what: string, pages: Answers[], totals: Pick<Page, 'totalRows' | 'totalPages'>, failed: number]
	>([
		['rows on a later page', four({ totalRows: 10, totalPages: 1 }), told, 2],
		['a total of 0 without rows', four({ totalRows: 0, totalPages: 0 }), told, 2],
		[
			'the first page, where it has no totals',
			four({ totalRows: undefined, totalPages: undefined }),
			told,
			2,
		],
		[
			'rows that contradict its total',
			[['1-10'], ['11-17'], ['']],
			{ totalRows: 10, totalPages: 3 },
			2,
		],
		['total_pages alone', [[''], ['']], { totalPages: 2 }, 1],
		[
			'the total, which a limit ends before',
			[['1-10'], ['11-14']],
			{ totalRows: 90, totalPages: 2 },
			2,
		],
		[
			'a full page, though it is the last',
			[['1-10'], ['1-10']],
			{ totalRows: 20, totalPages: 2 },
			2,
		],
	])('what shows that a page is not whole: %s', async (_what, pages, totals, failed) => {
		const { missing } = await searched(pages, totals, { limit: 20 + (pages.length - 2) * 10 });

		expect(missing).toEqual([failed]);
	});

	test.each<[what: string, last: Answers, rows: number, asked: number, missingRows: number]>([
		['short', ['31-33'], 33, 5, 2],
		['empty', [''], 30, 5, 5],
		['empty, then short', ['', '31-33'], 33, 5, 2],
		['short, then empty', ['31-33', ''], 33, 5, 2],
		['short, then failed', ['31-33', FAILURE], 33, 5, 2],
		['short, then whole', ['31-33', '31-35'], 35, 5, 0],
		['short, by its own total', [{ rows: rowsIn('31-33'), totalRows: 34 }], 33, 5, 1],
		['whole, by its own total', [{ rows: rowsIn('31-33'), totalRows: 33 }], 33, 4, 0],
		['empty, with a total of none', [{ totalRows: 0, totalPages: 0 }], 30, 5, 5],
	])('a last page that is %s has not failed', async (_what, last, rows, asked, missingRows) => {
		const pages: Answers[] = [['1-10'], ['11-20'], ['21-30'], last];

		const result = await searched(pages, told);

		expect(result).toMatchObject({ rows: all(rows), missing: [], missingRows });
		expect(result.asked).toHaveLength(asked);
	});

	test.each<[what: string, second: Answers, rows: number[]]>([
		['two of ten rows', ['9-18'], all(8, 11)],
		['all but one', ['2-11'], [11]],
		['first fewer, then more', ['9-18', '2-11'], all(8, 11)],
		['first more, then fewer', ['2-11', '9-18'], all(8, 11)],
	])('a page that repeats %s has failed, and keeps its new rows', async (_what, second, rows) => {
		expect(await searched(four(...second), told)).toMatchObject({
			asked: [1, 1, 2, 2, 3, 4],
			rows: [...all(10), ...rows, ...all(15, 21)],
			missing: [2],
		});
	});

	test('a page that repeats another after that changed is requested once more as well', async () => {
		const pages: Answers[] = [['1-10'], ['1-10', '13-22'], ['21-30', '23-32'], ['33-35']];

		expect(await searched(pages, { totalRows: 33, totalPages: 4 })).toMatchObject({
			asked: [1, 1, 2, 2, 3, 3, 4],
			missing: [],
		});
	});

	test('where the total grows, the pages of the newest are fetched', async () => {
		const old = { rows: rowsIn('1-10'), totalRows: 15, totalPages: 2 };
		const pages: Answers[] = [[old], ['11-20'], ['21-30'], ['31-35']];

		expect(await searched(pages, told)).toMatchObject({
			asked: all(4),
			rows: all(35),
			missingRows: 0,
		});
	});

	test.each([45, 1_000])('a total that always grows ends at the limit: %i', async (limit) => {
		const endless = all(2_000).map((page): Answers => {
			const rows = rowsIn(`${page * 10 - 9}-${page * 10}`);
			return [{ rows, totalRows: page * 10 + 1, totalPages: page + 1 }];
		});

		const { asked } = await searched(endless, {}, { limit });

		expect(asked).toEqual(all(Math.ceil(limit / 10)));
	});

	test('a page without rows announces no further ones', async () => {
		const first: Answers = [{ rows: rowsIn('1-10'), totalRows: 20, totalPages: 2 }];
		const empty = all(50, 2).map(
			(page): Answers => [{ totalRows: page * 10 + 10, totalPages: page + 1 }],
		);

		const { asked } = await searched([first, ...empty], {});

		expect(new Set(asked)).toEqual(new Set([1, 2]));
	});

	test('without totals, a page that repeats another ends the search', async () => {
		const same: Answers[] = Array<Answers>(50).fill(['1-10']);

		expect(await searched(same, {})).toMatchObject({
			asked: [1, 1, 2, 2],
			rows: all(10),
			missing: [2],
			isOpenEnded: true,
		});
	});

	test('without totals, one that repeats another only once does not', async () => {
		const pages: Answers[] = [['1-10'], ['1-10', '11-20'], ['21-30'], ['21-30', '31-33']];

		expect(await searched(pages, {})).toMatchObject({
			rows: all(33),
			missing: [],
			isOpenEnded: false,
		});
	});
});

describe('the failure of a search', () => {
	test.each<[missing: number[], isOpenEnded: boolean, words: RegExp]>([
		[
			[7],
			false,
			/^Page 7 could not be fetched: The service failed\. .*Start Page 7 under Options\.$/,
		],
		[[3, 7, 8, 9], false, /^Pages 3, 7-9 could not be fetched: .*Start Page 3 /],
		[[2, 3, 5, 6, 9], false, /^Pages 2-3, 5-6, 9 could not/],
		[[4], true, /^Page 4 and all after it could not.*Start Page 4 /],
	])(
		'of which the pages %j are missing (open-ended: %j) names them and how to go on',
		(missing, isOpenEnded, message) => {
			const failure = missingPagesFailure(
				{ received: [], failedPages: missing, areIncomplete: false, isOpenEnded, missingRows: 0 },
				{ ...FAILURE, details: { code: 'x' } },
			);

			expect(failure.message).toMatch(message);
			expect(failure).toMatchObject({
				kind: 'server',
				status: 500,
				details: { code: 'x', missing_pages: missing, start_page: missing[0] },
			});
		},
	);
});
