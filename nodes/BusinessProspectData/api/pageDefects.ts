import type { IDataObject } from 'n8n-workflow';
import type { Failure, Outcome } from './outcome';
import type { Page, Paging } from './pages';

/** A page that can't be right: rows are missing although more follow, or all of them are on earlier pages. */
export interface Defect {
	readonly page: number;
	/** The earlier pages that have its rows; empty if rows are missing. */
	readonly repeats: readonly number[];
	/** The page without repeated rows, and why it counts as failed. */
	readonly outcome: { readonly value: Page; readonly failure: Failure };
}

/** Finds the defective pages from a page on. Inspect pages in order; from the start page on, it starts over. */
export type Inspect = (from?: number) => Defect[];

/**
 * Creates the inspection of a search's pages.
 *
 * - Only the last page may have fewer rows than a full one, or duplicates alone.
 * - A page's own totals say whether it is the last: they shrink when data change during a search. Without them, the
 *   first page's do. A page is never the last if a later one has rows.
 * - If as many different rows arrived as the first page announced, nothing is missing, whatever the pages look like.
 *
 * @param outcomes by page number; may grow between inspections
 */
export function createInspection(
	outcomes: ReadonlyMap<number, Outcome<Page>>,
	{ startPage, pageSize, limit, idOf }: Paging,
): Inspect {
	/** The first page of each ID. */
	const seen = new Map<string, number>();

	/** The earlier pages that have all rows of this one; none if a row is new. */
	function repeatsOf(page: number, rows: readonly IDataObject[]): number[] {
		const pages = new Set<number>();
		for (const id of rows.map(idOf)) {
			const first = id === undefined ? page : (seen.get(id) ?? page);
			if (id !== undefined) seen.set(id, first);
			pages.add(first);
		}
		return pages.has(page) ? [] : [...pages].sort((a, b) => a - b);
	}

	/** The last page by an answer's totals; 0 if it has none, or none that fit its rows. */
	function lastBy(page: number, { rows, total = 0, pages = 0 }: Page): number {
		const totals = [Math.ceil(total / pageSize), pages];
		return totals.find((last) => last > 0 && (rows.length === 0 || last >= page)) ?? 0;
	}

	return (from = startPage) => {
		const first = outcomes.get(startPage)?.value;
		if (first === undefined) return [];
		if (from === startPage) seen.clear();
		const inOrder = [...outcomes].sort(([a], [b]) => a - b);
		const lastWithRows = inOrder.findLast(([, { value }]) => value?.rows.length)?.[0] ?? 0;

		const defects = inOrder.flatMap(([page, { value, failure }]): Defect[] => {
			if (page < from || value === undefined) return [];
			const repeats = repeatsOf(page, value.rows);
			if (failure !== undefined) return [];
			const last = Math.max(lastWithRows, lastBy(page, value) || lastBy(startPage, first));
			const wanted = Math.min(pageSize, limit - (page - startPage) * pageSize);
			const count = value.rows.length;
			if (repeats.length > 0 && (page < last || count >= pageSize)) {
				const what = `repeats ${repeats.length === 1 ? 'page' : 'pages'} ${spans(repeats)}`;
				return [defective(page, { ...value, rows: [] }, repeats, what)];
			}
			if (page >= last || count >= wanted) return [];
			return [defective(page, value, [], `sent ${count} of ${wanted} rows`)];
		});
		const announced = (first.total ?? -1) - (startPage - 1) * pageSize;
		return seen.size === announced ? [] : defects;
	};
}

const defective = (
	page: number,
	value: Page,
	repeats: readonly number[],
	what: string,
): Defect => ({
	page,
	repeats,
	outcome: {
		value,
		failure: {
			kind: 'unreadable',
			message: `The service ${what}, also when requested again.`,
			correlationId: value.correlationId,
		},
	},
});

/** `3, 7-9` */
export function spans(pages: readonly number[]): string {
	const found: Array<[from: number, to: number]> = [];
	for (const page of pages) {
		const last = found.at(-1);
		if (last !== undefined && last[1] === page - 1) last[1] = page;
		else found.push([page, page]);
	}
	return found.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
