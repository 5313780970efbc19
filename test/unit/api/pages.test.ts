/** Which pages of a search are fetched, and what is known of those that fail. */
import type { Failure, Outcome } from '../../../nodes/BusinessProspectData/api/outcome';
import {
	fetchPages,
	type Page,
	pagesMissing,
	type Paging,
} from '../../../nodes/BusinessProspectData/api/pages';

const FAILURE: Failure = { kind: 'server', message: 'The service failed.', status: 500 };
const STOPPED: Failure = { kind: 'stopped', message: 'Stopped.' };

interface Search {
	/** Rows of each page from page 1 on; a failure for one that fails. */
	pages: Array<number | Failure>;
	total?: number;
	announced?: number;
}

/** Fetches pages of ten rows, and tells which were asked for and what came. */
async function fetched(
	{ pages, total, announced }: Search,
	{ startPage = 1, limit = 1_000 }: Partial<Paging> = {},
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
				total,
				pages: announced,
				responseContext: { page: number },
			},
		};
	};
	const result = await fetchPages(page, { startPage, pageSize: 10, limit });
	const got = result.received.map(({ responseContext }) => Object(responseContext).page as number);
	return { asked, got, missing: result.missing, failure: result.failure, open: result.open };
}

const all = (count: number, from = 1) => Array.from({ length: count }, (_, nth) => from + nth);

describe('the pages that are fetched', () => {
	const five = [10, 10, 10, 10, 3];

	test.each<[name: string, Search, paging: Partial<Paging>, asked: number[]]>([
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
		[
			'also after an empty one, where they are announced',
			{ pages: [10, 0, 10, 3], announced: 4 },
			{},
			all(4),
		],
		['announced though there are fewer', { pages: [10, 2], announced: 4 }, {}, all(4)],
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
				return { value: { rows: [], pages: 5, responseContext: {} } };
			},
			{ startPage: 1, pageSize: 10, limit: 50 },
		);

		expect(highest).toBe(4);
	});

	test('keep more rows than fit on a page', async () => {
		const pages = [10, 14];
		const { received } = await fetchPages(
			async (page) => ({
				value: {
					rows: Array.from({ length: pages[page - 1] ?? 0 }, () => ({})),
					total: 24,
					responseContext: {},
				},
			}),
			{ startPage: 1, pageSize: 10, limit: 1_000 },
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

		expect(await fetched(search)).toMatchObject({ ...expected, open: true });
		expect(await fetched(search, { limit: 30 })).toMatchObject({ ...expected, open: false });
		expect(await fetched({ ...search, announced: 4 })).toMatchObject({ open: false });
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

describe('the failure of a search', () => {
	test.each<[missing: number[], open: boolean, words: RegExp]>([
		[
			[7],
			false,
			/^Page 7 could not be fetched: The service failed\. .*Start Page 7 under Options\.$/,
		],
		[[3, 7, 8, 9], false, /^Pages 3, 7-9 could not be fetched: .*Start Page 3 /],
		[[2, 3, 5, 6, 9], false, /^Pages 2-3, 5-6, 9 could not/],
		[[4], true, /^Page 4 and all after it could not.*Start Page 4 /],
	])(
		'of which the pages %j are missing (open: %j) names them and how to go on',
		(missing, open, words) => {
			const failure = pagesMissing(
				{ received: [], missing, open },
				{ ...FAILURE, facts: { code: 'x' } },
			);

			expect(failure.message).toMatch(words);
			expect(failure).toMatchObject({
				kind: 'server',
				status: 500,
				facts: { code: 'x', missing_pages: missing, start_page: missing[0] },
			});
		},
	);
});
