/** What has to come out of the pages of a search. */
import { member, type Row, rowsIn, type Said, type Shape } from './shapes';

/** A page of a search: how many rows it should have, and the rows that came. */
interface SearchPage {
	readonly wanted: number;
	readonly limit: number;
	readonly rows: readonly Row[];
}

/**
 * Pages: their rows in order, nobody twice, no more than the limit. More people match than any limit, so that no page is
 * the last: one with fewer rows than it should have, or with those of an earlier page, has failed.
 *
 * @param limits of the items, by their marks
 */
export const searchPages = (limits: Readonly<Record<string, number>>): Shape => ({
	kind: 'pages',
	read: (answer, asked, { body }) =>
		new Map(
			asked.map((mark) => {
				const limit = limits[mark] ?? 0;
				const wanted = Math.min(100, limit - (Number(member(body, 'page')) - 1) * 100);
				const page: SearchPage = { limit, wanted, rows: rowsIn(member(answer, 'data')) };
				return [mark, { data: page }];
			}),
		),
	together(parts) {
		const before = new Set<unknown>();
		const inTheEnd = (one: Said): Said => {
			if (!('data' in one)) return one;
			const page = one.data as SearchPage;
			const ids = page.rows.map(({ prospect_id: id }) => id);
			const repeats = ids.length > 0 && ids.every((id) => before.has(id));
			ids.filter((id) => id !== undefined).forEach((id) => before.add(id));
			if (repeats) return { silent: 'repeats', data: { ...page, rows: [] } };
			// Where nobody matches, nothing more is asked for.
			const lacks = ids.length < page.wanted && (ids.length > 0 || parts.size > 1);
			return lacks ? { silent: 'lacks', data: page } : one;
		};
		return new Map([...parts].map(([part, one]) => [part, inTheEnd(one)]));
	},
	rows(_, parts) {
		const all = [...parts.values()] as SearchPage[];
		const rows = all.flatMap((page) => page.rows);
		const first = (row: Row) => rows.find(({ prospect_id: id }) => id === row.prospect_id);
		return rows
			.filter((row) => row.prospect_id === undefined || first(row) === row)
			.slice(0, all[0]?.limit);
	},
	failed(parts, some) {
		const missing = parts.map((part) => Number(part.replace('search ', '')));
		return some ? { missing_pages: missing, start_page: missing[0] } : {};
	},
	opens: (part) => part === 'search 1',
});
