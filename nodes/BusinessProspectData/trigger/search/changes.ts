import type { Outcome } from '../../core/outcome';
import { type Page, prospectKey } from '../../search/page';

/** Finds out whether people moved from one page of a search to another while its pages were fetched. */
export function createChangeDetector() {
	const totals = new Set<string>();
	/** For each person, the page that had the person first. */
	const pageOf = new Map<string, number>();
	let hasMoved = false;

	/** Takes every response, even if another one for the same page replaces it later. */
	function addPage(number: number, { rows, totalRows, totalPages }: Page): void {
		totals.add(`${totalRows} ${totalPages}`);
		for (const row of rows) {
			const person = prospectKey(row);
			const firstPage = pageOf.get(person) ?? number;
			pageOf.set(person, firstPage);
			hasMoved ||= firstPage !== number;
		}
	}

	/**
	 * Call it after the last page. If totals and people show no change, requests page 1 again: if as many people left page 1 as
	 * joined the last page, only page 1 shows it.
	 */
	async function haveChanged(
		fetchPage: (page: number) => Promise<Outcome<Page>>,
	): Promise<boolean> {
		const isChanged = () => hasMoved || totals.size > 1;
		if (isChanged()) return true;
		const { value } = await fetchPage(1);
		if (value === undefined) return true;
		const hasMissed = value.rows.some((row) => !pageOf.has(prospectKey(row)));
		addPage(1, value);
		return hasMissed || isChanged();
	}

	return { addPage, haveChanged };
}
