/** The expected output for the pages of a search. */
import { simplifiedPerson } from '../workflows/simplified';
import { member, type Row, rowsIn, type Said, type Shape } from './shapes';

/** How many people match each search: two full pages and a half. */
export const EVERYONE = 250;
const PAGE_SIZE = 100;
/** A page that repeats more than this share of its rows from earlier pages has failed. */
const MAX_REPEATED_SHARE = 0.1;

/** A page of a search: the rows that it should have, as far as the limit needs them, and the rows that it has. */
interface SearchPage {
	readonly number: number;
	readonly wanted: number;
	readonly limit: number;
	readonly rows: readonly Row[];
	/** The total that the page reports, if it has one that its rows don't contradict; else the true one. */
	readonly total: number;
	/** How many rows a last page lacks. */
	readonly fewer: number;
}

const pagesOf = (total: number): number => Math.ceil(total / PAGE_SIZE);
const idsOf = (rows: readonly Row[]): unknown[] => rows.map(({ prospect_id: id }) => id);

function readPage(answer: unknown, number: number, limit: number): SearchPage {
	const rows = rowsIn(member(answer, 'data'));
	const reported = Number(member(answer, 'total_results') ?? 0);
	const fits = reported > 0 && (rows.length === 0 || pagesOf(reported) >= number);
	const wanted = Math.min(PAGE_SIZE, limit - (number - 1) * PAGE_SIZE);
	return { number, limit, wanted, rows, total: fits ? reported : EVERYONE, fewer: 0 };
}

/** The rows of all pages, each person once, up to the limit; and how many came again on the way. */
function outputOf(pages: readonly SearchPage[]): { rows: Row[]; again: number } {
	const seen = new Set<unknown>();
	const rows: Row[] = [];
	let again = 0;
	for (const row of pages.flatMap((page) => page.rows)) {
		if (rows.length === pages[0]?.limit) break;
		const { prospect_id: id } = row;
		if (id !== undefined && seen.has(id)) {
			again++;
			continue;
		}
		seen.add(id);
		rows.push(row);
	}
	return { rows, again };
}

/**
 * Pages: their rows in order, nobody twice, no more than the limit.
 *
 * - A page before the last has failed if it has fewer rows than it should have, or too many rows of earlier pages.
 * - A last page that isn't full hasn't failed: a hint says how many rows it lacks.
 * - Whatever the pages announce, an item with fewer rows than match has an error, or a hint about it.
 *
 * @param limits of the items, by their marks
 */
export const searchPages = (limits: Readonly<Record<string, number>>): Shape => ({
	kind: 'pages',
	read: (answer, asked, { body }) =>
		new Map(
			asked.map((mark) => [
				mark,
				{ data: readPage(answer, Number(member(body, 'page')), limits[mark] ?? 0) },
			]),
		),
	together(parts) {
		const before = new Set<unknown>();
		const pages = [...parts.values()].flatMap((one) =>
			'data' in one ? [one.data as SearchPage] : [],
		);
		const lastWithRows = Math.max(
			...pages.map(({ number, rows }) => (rows.length > 0 ? number : 0)),
		);
		const inTheEnd = (one: Said): Said => {
			if (!('data' in one)) return one;
			const page = one.data as SearchPage;
			const { number, rows, wanted, total } = page;
			const own = rows.filter(({ prospect_id: id }) => id === undefined || !before.has(id));
			idsOf(rows)
				.filter((id) => id !== undefined)
				.forEach((id) => before.add(id));
			const last = Math.max(lastWithRows, pagesOf(total));
			const repeats = rows.length - own.length > rows.length * MAX_REPEATED_SHARE;
			if (repeats && (number < last || rows.length >= PAGE_SIZE)) {
				return { silent: 'repeats', data: { ...page, rows: own } };
			}
			if (number === last) {
				const owed = Math.min(wanted, total - (number - 1) * PAGE_SIZE);
				return { data: { ...page, fewer: Math.max(0, owed - rows.length) } };
			}
			// Where nobody matches, nothing more is requested.
			const lacks = rows.length < wanted && (rows.length > 0 || parts.size > 1);
			return lacks ? { silent: 'lacks', data: page } : one;
		};
		return new Map([...parts].map(([part, one]) => [part, inTheEnd(one)]));
	},
	rows: (_, parts) => outputOf([...parts.values()] as SearchPage[]).rows.map(simplifiedPerson),
	owed: (mark) => Math.min(limits[mark] ?? 0, EVERYONE),
	hints(searches) {
		const all = searches.map((parts) => [...parts.values()] as SearchPage[]);
		const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
		const fewer = sum(all.flat().map((page) => page.fewer));
		const again = sum(all.map((pages) => outputOf(pages).again));
		return [
			...(fewer > 0 ? [RegExp(`^The service returned ${fewer} fewer rows? than it reported`)] : []),
			...(again > 0 ? [RegExp(`^${again} (person was|people were) returned more than once`)] : []),
		];
	},
	failed(parts, some) {
		const missing = parts.map((part) => Number(part.replace('search ', '')));
		return some ? { missing_pages: missing, start_page: missing[0] } : {};
	},
	opens: (part) => part === 'search 1',
});
