import type { IDataObject } from 'n8n-workflow';
import type { JsonValue } from './json';
import { type Failure, firstCause, type Outcome } from './outcome';
import { createInspection, type Inspect, spans } from './pageDefects';

/** One page of a search. */
export interface Page {
	readonly rows: readonly IDataObject[];
	/** How many rows there are over all pages, by the answer; the contract does not keep it from being null. */
	readonly total?: number;
	/** How many pages there are, by the answer. */
	readonly pages?: number;
	readonly responseContext: JsonValue;
	readonly correlationId?: string;
}

/** The pages that arrived, in order, and what is missing. */
export interface Pages {
	readonly received: readonly Page[];
	readonly missing: readonly number[];
	readonly failure?: Failure;
	/** Whether it is unknown what comes after the missing page. */
	readonly open: boolean;
}

export interface Paging {
	readonly startPage: number;
	readonly pageSize: number;
	/** Rows that are wanted; no page beyond them is fetched. */
	readonly limit: number;
	/** Identifies a row; rows without an ID are all different. */
	readonly idOf: (row: IDataObject) => string | undefined;
}

type FetchPage = (page: number) => Promise<Outcome<Page>>;

/**
 * Fetches pages: the first, then side by side as many as it announces. Where it announces none, one after the other
 * until one is not full. A page that fails does not take the others with it, and a defective page counts as failed when
 * a second request does not help.
 */
export async function fetchPages(fetch: FetchPage, paging: Paging): Promise<Pages> {
	const { startPage, pageSize, limit } = paging;
	const lastWanted = startPage + Math.ceil(limit / pageSize) - 1;
	const outcomes = new Map<number, Outcome<Page>>();
	const inspect = createInspection(outcomes, paging);
	const fetchAll = async (wanted: readonly number[]) => {
		await Promise.all(wanted.map(async (page) => outcomes.set(page, await fetch(page))));
	};

	await fetchAll([startPage]);
	let open = false;
	const first = outcomes.get(startPage)?.value;
	if (first !== undefined) {
		const { total = 0, pages = 0 } = first;
		const announced = Math.max(pages, Math.ceil(total / pageSize));
		await fetchAll(range(startPage + 1, Math.min(lastWanted, announced)));
		await repair(outcomes, inspect, startPage, fetch);
		if (pages === 0) {
			for (let page = Math.max(startPage, announced) + 1; page <= lastWanted; page++) {
				const before = outcomes.get(page - 1);
				open = before?.failure !== undefined;
				if (open || (before?.value?.rows.length ?? 0) < pageSize) break;
				await fetchAll([page]);
				await repair(outcomes, inspect, page, fetch);
			}
		}
	}
	const inOrder = [...outcomes].sort(([a], [b]) => a - b);
	const failed = inOrder.flatMap(([page, { failure }]) =>
		failure === undefined ? [] : [{ page, failure }],
	);
	return {
		received: inOrder.flatMap(([, { value }]) => (value === undefined ? [] : [value])),
		missing: failed.map(({ page }) => page),
		failure: firstCause(failed)?.failure,
		open,
	};
}

/**
 * Requests defective pages once more, and the pages that they repeat: nobody knows which of two equal pages is wrong.
 * Those that are still defective have failed; of equal pages, the later ones. The answer with more rows is kept.
 */
async function repair(
	outcomes: Map<number, Outcome<Page>>,
	inspect: Inspect,
	from: number,
	fetch: FetchPage,
): Promise<void> {
	const defects = inspect(from);
	if (defects.length === 0) return;
	for (const { page, outcome } of defects) outcomes.set(page, outcome);
	const again = new Set(defects.flatMap(({ page, repeats }) => [page, ...repeats]));
	const answers = [...again].map(async (page) => {
		const { value, failure } = await fetch(page);
		const before = outcomes.get(page);
		const known = before?.value?.rows.length ?? 0;
		if (value !== undefined && value.rows.length >= known) outcomes.set(page, { value });
		if (failure !== undefined && before?.failure !== undefined) {
			outcomes.set(page, { ...before, failure });
		}
	});
	await Promise.all(answers);
	for (const { page, outcome } of inspect()) outcomes.set(page, outcome);
}

const range = (from: number, to: number): number[] =>
	Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);

/** The failure of a search of which pages are missing: which, why, and how to get them. */
export function pagesMissing({ missing, open }: Pages, failure: Failure): Failure {
	const [first = 1] = missing;
	const pages = `${missing.length === 1 ? 'Page' : 'Pages'} ${spans(missing)}${open ? ' and all after it' : ''}`;
	return {
		...failure,
		message: `${pages} could not be fetched: ${failure.message} To get the missing rows, run again with Start Page ${first} under Options.`,
		facts: { ...failure.facts, missing_pages: [...missing], start_page: first },
	};
}
