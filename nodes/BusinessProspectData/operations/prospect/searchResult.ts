import type { Client } from '../../api/client';
import { LIMITS } from '../../catalog/service';
import { largestOf } from '../../core/collections';
import { isUnfiltered, nothingMatches } from '../../filters/collection';
import { aboutRun, type Advice, type Failure, type Outcome, rootCause } from '../../core/outcome';
import { formatNumber, pluralize } from '../../core/text';
import type { InputResult } from '../../run/inputs';
import {
	countProspects,
	type FetchedPages,
	fetchPages,
	fetchSearchPage,
	formatPageRanges,
	type Page,
	prospectIdOf,
	type SearchCriteria,
} from '../../search/pages';

export interface SearchQuery extends SearchCriteria {
	readonly limit: number;
	readonly startPage: number;
	readonly countOnly: boolean;
}

interface SearchResult {
	readonly pages: readonly Page[];
	readonly repeatedPeople: number;
	/** True if people may be missing, apart from those that a failure reports. */
	readonly isIncomplete: boolean;
	/** Number of matches, if the service reports it. */
	readonly total?: number | undefined;
}

/** If pages fail, the failure comes with the pages that were received, if any. */
export async function searchProspects(
	client: Client,
	query: SearchQuery,
): Promise<Outcome<SearchResult>> {
	if (query.countOnly) {
		const { value, failure } = await countProspects(client, query);
		return failure === undefined
			? { value: { pages: [], repeatedPeople: 0, isIncomplete: false, ...value } }
			: { failure };
	}
	const { startPage, limit, exclude = [] } = query;
	const excludedCount = exclude.length;
	// Start Page counts in pages of the maximum size, so only a search from page 1 can use smaller ones.
	const pageSize = startPage === 1 ? Math.min(limit, LIMITS.pageSize) : LIMITS.pageSize;
	const skipped = (startPage - 1) * pageSize;
	const maxRows = Math.min(limit, LIMITS.searchSize - skipped);
	const lastPage = Math.ceil((skipped + maxRows) / pageSize);
	// Whole pages: the service may return an empty last page if `size` ends inside it.
	const size = lastPage * pageSize;
	const { received, failed, brokeOffAt } = await fetchPages(
		(page) => fetchSearchPage(client, query, { page, pageSize, size }),
		{ startPage, pageSize, limit: maxRows, excludedCount },
	);
	const failure = rootCause(failed)?.failure;
	const unique = uniqueRowsUpTo(maxRows, received);
	const rowCount = unique.pages.reduce((sum, { rows }) => sum + rows.length, 0);
	const totals = received.flatMap(({ totalRows }) => totalRows ?? []);
	const total = largestOf(totals);
	const expected = Math.min(maxRows, (total ?? 0) - skipped);
	// People who leave the search while its pages are fetched move those behind them to a page that was fetched before. The total
	// may include excluded people.
	const hasChanged = totals.some((one) => one !== total) || rowCount + excludedCount < expected;
	// A total may also be the number of rows on its page.
	const isOfPage = received.every(({ rows, totalRows = 0 }) => totalRows === rows.length);
	const isIncomplete = hasChanged && !isOfPage;
	const value = { ...unique, isIncomplete: isIncomplete && failure === undefined, total };
	if (failure === undefined) return { value };
	if (received.length === 0) return { failure };
	const lacksLaterPages = brokeOffAt !== undefined && brokeOffAt < lastPage;
	return { value, failure: missingPagesFailure(failed, failure, lacksLaterPages) };
}

/** A person may be on two pages, because the service's data may change between the requests. */
function uniqueRowsUpTo(
	limit: number,
	received: readonly Page[],
): Pick<SearchResult, 'pages' | 'repeatedPeople'> {
	const seen = new Set<string>();
	const repeated = new Set<string>();
	let remaining = limit;
	const pages = received.map((page) => {
		const rows = page.rows.filter((row) => {
			if (remaining === 0) return false;
			const id = prospectIdOf(row);
			if (id !== undefined && seen.has(id)) {
				repeated.add(id);
				return false;
			}
			if (id !== undefined) seen.add(id);
			remaining--;
			return true;
		});
		return { ...page, rows };
	});
	return { pages, repeatedPeople: repeated.size };
}

type SearchResults = ReadonlyArray<InputResult<SearchQuery, SearchResult>>;

/** @param lacksLaterPages true if the pages after the last failed one, if there are any, weren't requested */
function missingPagesFailure(
	failed: FetchedPages['failed'],
	failure: Failure,
	lacksLaterPages: boolean,
): Failure {
	const numbers = failed.map(({ page }) => page);
	const [first = 1] = numbers;
	const isOne = failed.length === 1;
	const pages = `${isOne ? 'Page' : 'Pages'} ${formatPageRanges(numbers)}${lacksLaterPages ? ' and all after it' : ''}`;
	return {
		...failure,
		message: `${pages} could not be fetched: ${failure.message} To get the missing rows, run again with Start Page ${first} under Options.`,
		details: { ...failure.details, missing_pages: numbers, start_page: first },
	};
}

export const searchAdvice = (results: SearchResults): Advice[] =>
	[incomplete, noMatches, tooManyMatches, repeatedPeople].flatMap((adviceOn) => {
		const advice = adviceOn(results);
		if (advice === undefined) return [];
		return typeof advice === 'string' ? aboutRun(advice) : advice;
	});

/** Only for rows up to the limit: a total of no more than that may be the number of rows on the page. */
export function totalMatches(results: SearchResults): string | undefined {
	const [only, ...others] = results.filter(({ duplicate }) => !duplicate);
	const { pages = [], total = 0 } = only?.outcome.value ?? {};
	const rowCount = pages.reduce((sum, { rows }) => sum + rows.length, 0);
	const isLimited = others.length === 0 && rowCount === only?.input.limit;
	return isLimited && total > rowCount ? `${formatNumber(total)} people match.` : undefined;
}

/** Everybody who matches may have been left out. */
const isEmptyResult = (
	{ rows, totalRows, totalPages = 0, missed = false }: Page,
	exclude: readonly string[] = [],
): boolean =>
	rows.length === 0 && (exclude.length === 0 || missed || (totalRows ?? totalPages) === 0);

function noMatches(results: SearchResults): Advice | undefined {
	const filtered = results.some(({ input: query }) => !isUnfiltered(query.filters));
	const isWithoutMatches = results.every(
		({ input: query, outcome: { value, failure } }) =>
			!query.countOnly &&
			query.startPage === 1 &&
			failure === undefined &&
			value.pages.every((page) => isEmptyResult(page, query.exclude)),
	);
	return filtered && isWithoutMatches ? nothingMatches('No one matches.') : undefined;
}

function tooManyMatches(results: SearchResults): string | undefined {
	const max = LIMITS.searchSize;
	const total = results
		.filter(({ input: query }) => !query.countOnly && query.limit === max)
		.reduce((largest, { outcome }) => Math.max(largest, outcome.value?.total ?? 0), 0);
	return total <= max
		? undefined
		: `${formatNumber(total)} prospects match, but the service returns at most ${formatNumber(max)}: ${formatNumber(total - max)} are missing. Narrow the filters, for example by country or company size, and run once for each part.`;
}

function repeatedPeople(results: SearchResults): string | undefined {
	// Equal searches are sent only once, so they count once.
	const count = results
		.filter(({ duplicate }) => !duplicate)
		.reduce((sum, { outcome }) => sum + (outcome.value?.repeatedPeople ?? 0), 0);
	return count === 0
		? undefined
		: `${pluralize(count, 'person was', 'people were')} returned more than once, which happens when data changes during a search. The output contains each of them once.`;
}

const incomplete = (results: SearchResults): string | undefined =>
	results.some(({ outcome: { value } }) => value?.isIncomplete)
		? 'The service returned other people than it had reported, probably because its data changed during the search: some may be missing. Run it again to get them.'
		: undefined;
