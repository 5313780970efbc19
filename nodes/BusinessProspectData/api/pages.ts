import type { IDataObject } from 'n8n-workflow';
import type { JsonValue } from './json';
import { type Failure, firstCause, type Outcome } from './outcome';

/** One page of a search. */
export interface Page {
	readonly rows: readonly IDataObject[];
	/** How many rows there are over all pages, by the answer; the contract does not keep it from being null. */
	readonly total?: number;
	/** How many pages there are, by the answer. */
	readonly pages?: number;
	readonly responseContext: JsonValue;
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
}

/**
 * Fetches pages: the first, then side by side as many as it announces. Where it announces none, one after the other
 * until one is not full. A page that fails does not take the others with it.
 */
export async function fetchPages(
	fetch: (page: number) => Promise<Outcome<Page>>,
	{ startPage, pageSize, limit }: Paging,
): Promise<Pages> {
	const lastWanted = startPage + Math.ceil(limit / pageSize) - 1;
	const first = await fetch(startPage);
	const outcomes = new Map<number, Outcome<Page>>([[startPage, first]]);
	let open = false;
	if (first.failure === undefined) {
		const { total = 0, pages = 0 } = first.value;
		const announced = Math.max(pages, Math.ceil(total / pageSize));
		await Promise.all(
			range(startPage + 1, Math.min(lastWanted, announced)).map(async (page) => {
				outcomes.set(page, await fetch(page));
			}),
		);
		if (pages === 0) {
			for (let page = Math.max(startPage, announced) + 1; page <= lastWanted; page++) {
				const before = outcomes.get(page - 1)?.value;
				open = before === undefined;
				if (before === undefined || before.rows.length < pageSize) break;
				outcomes.set(page, await fetch(page));
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

/** `3, 7-9` */
function spans(pages: readonly number[]): string {
	const found: Array<[from: number, to: number]> = [];
	for (const page of pages) {
		const last = found.at(-1);
		if (last !== undefined && last[1] === page - 1) last[1] = page;
		else found.push([page, page]);
	}
	return found.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
