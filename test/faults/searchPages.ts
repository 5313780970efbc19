/** The expected output for the pages of a search. */
import { simplifiedPerson } from '../workflows/simplified';
import { member, type PartResult, type ResponseModel, type Row, rowsIn } from './responseModels';

/** How many people match each search: two full pages and a half. */
export const MATCHING_PEOPLE = 250;
const PAGE_SIZE = 100;
/** A page with a larger share of rows from earlier pages has failed. */
const MAX_REPEATED_SHARE = 0.1;

interface SearchPage {
	readonly number: number;
	readonly limit: number;
	/** How many of its rows the limit needs. */
	readonly wanted: number;
	readonly rows: readonly Row[];
	/** The reported total unless the rows contradict it; else the true one. */
	readonly total: number;
	/** How many rows are missing from a last page. */
	readonly missing: number;
	readonly failed?: boolean;
}

const pageCount = (total: number): number => Math.ceil(total / PAGE_SIZE);
const pagesIn = (parts: ReadonlyMap<string, unknown>) => [...parts.values()] as SearchPage[];

function readPage(response: unknown, number: number, limit: number): SearchPage {
	const rows = rowsIn(member(response, 'data'));
	const reported = Number(member(response, 'total_results') ?? 0);
	const isPlausible = reported > 0 && (rows.length === 0 || pageCount(reported) >= number);
	return {
		number,
		limit,
		wanted: Math.min(PAGE_SIZE, limit - (number - 1) * PAGE_SIZE),
		rows,
		total: isPlausible ? reported : MATCHING_PEOPLE,
		missing: 0,
	};
}

/** The rows of all pages up to the limit, each person once, and the IDs of the people who were repeated. */
function outputOf(pages: readonly SearchPage[]): { rows: Row[]; repeated: Set<unknown> } {
	const seen = new Set<unknown>();
	const rows: Row[] = [];
	const repeated = new Set<unknown>();
	for (const row of pages.flatMap((page) => page.rows)) {
		if (rows.length === pages[0]?.limit) break;
		const { prospect_id: id } = row;
		if (id !== undefined && seen.has(id)) {
			repeated.add(id);
			continue;
		}
		seen.add(id);
		rows.push(row);
	}
	return { rows, repeated };
}

/** How many people a search without failed pages lacks: on its last page, or because other people were repeated. */
function missingIn(pages: readonly SearchPage[]): number {
	const onLastPage = pages.reduce((sum, { missing }) => sum + missing, 0);
	const total = pages.findLast(({ rows }) => rows.length > 0)?.total ?? 0;
	const wanted = Math.min(pages[0]?.limit ?? 0, total);
	const hasAllPages = pages.length >= pageCount(wanted) && !pages.some(({ failed }) => failed);
	return Math.max(onLastPage, hasAllPages ? wanted - outputOf(pages).rows.length : 0);
}

/**
 * Pages: their rows in order, each person once, up to the limit.
 *
 * - A page before the last has failed if rows are missing, or if too many are from earlier pages.
 * - A last page that isn't full hasn't failed.
 * - If no page has failed, a hint counts the people that are missing.
 * - Whatever the pages report, an item with fewer rows than match has an error, or a hint about it.
 *
 * @param limits of the items, by mark
 */
export const searchPages = (limits: Readonly<Record<string, number>>): ResponseModel => ({
	kind: 'pages',
	read: (response, marks, { body }) =>
		new Map(
			marks.map((mark) => [
				mark,
				{ data: readPage(response, Number(member(body, 'page')), limits[mark] ?? 0) },
			]),
		),
	combine(parts) {
		const seen = new Set<unknown>();
		const withData = [...parts.values()].flatMap((result) =>
			'data' in result ? [result.data as SearchPage] : [],
		);
		const lastWithRows = Math.max(
			...withData.map(({ number, rows }) => (rows.length > 0 ? number : 0)),
		);
		const resultOf = (result: PartResult): PartResult => {
			if (!('data' in result)) return result;
			const page = result.data as SearchPage;
			const { number, rows, wanted, total } = page;
			const isNew = ({ prospect_id: id }: Row) => id === undefined || !seen.has(id);
			const newRows = rows.filter(isNew);
			for (const { prospect_id: id } of rows) if (id !== undefined) seen.add(id);
			const last = Math.max(lastWithRows, pageCount(total));
			const isRepeated = rows.length - newRows.length > rows.length * MAX_REPEATED_SHARE;
			if (isRepeated && (number < last || rows.length >= PAGE_SIZE)) {
				return { problem: 'repeatedRows', data: { ...page, rows: newRows, failed: true } };
			}
			if (number === last) {
				const due = Math.min(wanted, total - (number - 1) * PAGE_SIZE);
				return { data: { ...page, missing: Math.max(0, due - rows.length) } };
			}
			// An empty only page means that nobody matches.
			const isShort = rows.length < wanted && (rows.length > 0 || parts.size > 1);
			return isShort ? { problem: 'missingRows', data: { ...page, failed: true } } : result;
		};
		return new Map([...parts].map(([part, result]) => [part, resultOf(result)]));
	},
	rows: (_, parts) => outputOf(pagesIn(parts)).rows.map(simplifiedPerson),
	minRows: (mark) => Math.min(limits[mark] ?? 0, MATCHING_PEOPLE),
	hints(searches) {
		const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
		const missing = sum(searches.map((parts) => missingIn(pagesIn(parts))));
		const repeated = sum(searches.map((parts) => outputOf(pagesIn(parts)).repeated.size));
		return [
			...(repeated > 0
				? [RegExp(`^${repeated} (person was|people were) returned more than once`)]
				: []),
			...(missing > 0
				? [RegExp(`^The service returned ${missing} fewer rows? than it reported`)]
				: []),
		];
	},
	failureFacts(failedParts, hasData) {
		const pages = failedParts.map((part) => Number(part.replace('search ', '')));
		return hasData ? { missing_pages: pages, start_page: pages[0] } : {};
	},
	announcesPages: (part) => part === 'search 1',
});
