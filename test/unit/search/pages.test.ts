/** Which pages of a search are fetched, and what becomes of failed ones. */
import { type Failure, rootCause } from '../../../nodes/BusinessProspectData/core/outcome';
import { fetchPages, type PagingOptions } from '../../../nodes/BusinessProspectData/search/pages';

const FAILURE: Failure = { kind: 'server', message: 'The service failed.', status: 500 };
const STOPPED: Failure = { kind: 'stopped', message: 'Stopped.' };

interface Totals {
	readonly total?: number;
	readonly pages?: number;
}

/** Fetches pages with so many of ten rows, or that fail. */
async function search(
	pages: ReadonlyArray<number | Failure>,
	{ total, pages: totalPages }: Totals = {},
	paging: Partial<PagingOptions> = {},
) {
	const requests: number[] = [];
	let pending = 0;
	let highest = 0;
	const { received, failed, ...result } = await fetchPages(
		async (page) => {
			requests.push(page);
			highest = Math.max(highest, ++pending);
			// Later pages arrive first.
			for (let turn = page; turn < 50; turn++) await Promise.resolve();
			pending--;
			const rows = pages[page - 1] ?? 0;
			if (typeof rows === 'object') return { failure: rows };
			return {
				value: {
					rows: Array.from({ length: rows }, (_, index) => ({ id: `${page} ${index}` })),
					...(total !== undefined && { totalRows: total }),
					...(totalPages !== undefined && { totalPages }),
					responseContext: { page },
				},
			};
		},
		{ startPage: 1, pageSize: 10, limit: 1_000, ...paging },
	);
	return {
		...result,
		requests,
		highest,
		received: received.map(({ responseContext }) => Object(responseContext).page as number),
		failed: failed.map(({ page }) => page),
		failure: rootCause(failed)?.failure,
	};
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const FIVE = [10, 10, 10, 10, 3];

test.each<[name: string, number[], Totals, paging: Partial<PagingOptions>, requests: number[]]>([
	['by total_pages', FIVE, { pages: 5 }, {}, upTo(5)],
	['by total_results', FIVE, { total: 43 }, {}, upTo(5)],
	['until one is not full, without totals', FIVE, {}, {}, upTo(5)],
	['until one is empty, without totals', [10, 10], {}, {}, upTo(3)],
	['only the first, if the total is 0', [0], { total: 0, pages: 0 }, {}, [1]],
	['up to the limit', FIVE, { pages: 5 }, { limit: 25 }, upTo(3)],
	['up to the limit, without totals', FIVE, {}, { limit: 20 }, upTo(2)],
	['from the start page, by total_results', FIVE, { total: 43 }, { startPage: 4 }, [4, 5]],
	['from the start page to the limit', FIVE, { pages: 5 }, { startPage: 2, limit: 15 }, [2, 3]],
	['by the larger one, total_results', FIVE, { total: 43, pages: 2 }, {}, upTo(5)],
	['beyond a total that counts the page', FIVE, { total: 10 }, {}, upTo(5)],
	['past excluded people', [9, 8, 5], {}, { excludedCount: 2 }, upTo(3)],
	['from a start page after the last', FIVE, { pages: 5 }, { startPage: 6 }, [6]],
])('fetches the pages %s', async (_name, pages, totals, paging, requests) => {
	expect(await search(pages, totals, paging)).toMatchObject({
		requests,
		received: requests,
		failed: [],
	});
});

test('fetches the reported pages in parallel after the first', async () => {
	expect((await search(FIVE, { pages: 5 })).highest).toBe(4);
});

test('says whether the search goes on after the limit', async () => {
	const next = async (...input: Parameters<typeof search>) => (await search(...input)).continuesAt;

	expect(await next([10, 10, 5], { total: 25 }, { limit: 30 })).toBeUndefined();
	expect(await next(FIVE, { total: 43 }, { limit: 30 })).toBe(4);
	expect(await next(FIVE, {}, { limit: 20 })).toBe(3);
});

test.each<[Array<number | Failure>, Totals, received: number[], failed: number[], end?: number]>([
	[[FAILURE, 10], { pages: 2 }, [], [1], undefined],
	[[10, FAILURE, 10, FAILURE, 1], { total: 41, pages: 5 }, [1, 3, 5], [2, 4], undefined],
	[[10, STOPPED, FAILURE, STOPPED], { pages: 4 }, [1], [2, 3, 4], undefined],
	// Without a page count, it is unknown which pages follow.
	[[10, 10, FAILURE, 10], {}, [1, 2], [3], 3],
	[[10, 10, FAILURE, 10], { total: 23 }, [1, 2], [3], 3],
])('failed pages leave the others: %j, %j', async (pages, totals, received, failed, brokeOffAt) => {
	expect(await search(pages, totals)).toMatchObject({
		received,
		failed,
		brokeOffAt,
		failure: FAILURE,
	});
});
