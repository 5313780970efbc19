import type { Client } from '../../api/client';
import { LIMITS } from '../../catalog/service';
import type { Failure, Outcome } from '../../core/outcome';
import { formatNumber, pluralize } from '../../core/text';
import type { InputResult } from '../../runtime/batches';
import { type FetchedPages, fetchPages } from '../../search/pages';
import {
	countProspects,
	fetchSearchPage,
	formatPageRanges,
	type Page,
	prospectIdOf,
	type SearchCriteria,
} from '../../search/page';

/** Which people Get Many searches for, and which of their rows it returns. */
export interface SearchQuery extends SearchCriteria {
	readonly limit: number;
	readonly startPage: number;
	readonly countOnly: boolean;
}

interface SearchResult {
	readonly pages: readonly Page[];
	/** How many rows were removed because an earlier row has the same person. */
	readonly repeatedPeople: number;
	/** How many rows are missing, according to the service's total. */
	readonly missingRows: number;
	/** Number of matches that the service reports. */
	readonly total?: number;
}

/** Counts the matches with one request. */
export async function countMatches(
	client: Client,
	query: SearchQuery,
): Promise<Outcome<SearchResult>> {
	const { value, failure } = await countProspects(client, query);
	return failure === undefined
		? { value: { pages: [], repeatedPeople: 0, missingRows: 0, ...value } }
		: { failure };
}

/** Fetches the pages of a search up to its limit and removes duplicates. If a page fails, keeps those that were received. */
export async function fetchProspects(
	client: Client,
	query: SearchQuery,
): Promise<Outcome<SearchResult>> {
	const { startPage, limit } = query;
	const pageSize = startPage === 1 ? Math.min(limit, LIMITS.pageSize) : LIMITS.pageSize;
	const skipped = (startPage - 1) * pageSize;
	const maxRows = Math.min(limit, LIMITS.searchSize - skipped);
	// The service may return an empty last page if `size` ends inside it.
	const size = skipped + Math.ceil(maxRows / pageSize) * pageSize;
	const fetched = await fetchPages(
		async (page) => await fetchSearchPage(client, query, { page, pageSize, size }),
		{ startPage, pageSize, limit: maxRows, idOf: prospectIdOf },
	);
	const { received, failure } = fetched;
	const unique = removeDuplicates(received, maxRows);
	const rowCount = unique.pages.reduce((sum, { rows }) => sum + rows.length, 0);
	const expected = Math.min(maxRows, (fetched.totalRows ?? 0) - skipped);
	// Repeated people may have taken the place of others. If pages failed, their rows don't count: the failure names the pages.
	const missingRows = Math.max(
		fetched.missingRows,
		failure === undefined ? expected - rowCount : 0,
	);
	const value = { ...unique, missingRows, total: received[0]?.totalRows };
	if (failure === undefined) return { value };
	return received.length === 0
		? { failure }
		: { value, failure: missingPagesFailure(fetched, failure) };
}

/** Removes rows beyond the limit, and rows that repeat a person: the service's data may change between two pages. */
function removeDuplicates(
	received: readonly Page[],
	limit: number,
): Pick<SearchResult, 'pages' | 'repeatedPeople'> {
	const seen = new Set<string>();
	let remaining = limit;
	let repeatedPeople = 0;
	const pages = received.map((page) => {
		const rows = page.rows.filter((row) => {
			if (remaining === 0) return false;
			const id = prospectIdOf(row);
			if (id !== undefined && seen.has(id)) {
				repeatedPeople++;
				return false;
			}
			if (id !== undefined) seen.add(id);
			remaining--;
			return true;
		});
		return { ...page, rows };
	});
	return { pages, repeatedPeople };
}

type SearchResults = ReadonlyArray<InputResult<SearchQuery, SearchResult>>;

/** The failure of a search with missing pages: which ones, why, and how to get them. */
export function missingPagesFailure(
	{ failedPages, failedAreIncomplete, lacksRest }: FetchedPages,
	failure: Failure,
): Failure {
	const [first = 1] = failedPages;
	const isOne = failedPages.length === 1;
	const pages = `${isOne ? 'Page' : 'Pages'} ${formatPageRanges(failedPages)}${lacksRest ? ' and all after it' : ''}`;
	const incomplete = isOne ? 'is incomplete' : 'are incomplete';
	const what = failedAreIncomplete && !lacksRest ? incomplete : 'could not be fetched';
	return {
		...failure,
		message: `${pages} ${what}: ${failure.message} To get the missing rows, run again with Start Page ${first} under Options.`,
		details: { ...failure.details, missing_pages: [...failedPages], start_page: first },
	};
}

/** Hints for a search without matches, for more matches than the service returns, and for people on two pages. */
export const searchHints = (results: SearchResults): string[] => [
	...noMatchesHint(results),
	...tooManyMatchesHint(results),
	...repeatedPeopleHint(results),
];

function noMatchesHint(results: SearchResults): string[] {
	const filtered = results.some(({ input: query }) => Object.keys(query.filters).length > 0);
	const noMatches = results.every(
		({ input: query, outcome: { value, failure } }) =>
			!query.countOnly &&
			query.startPage === 1 &&
			failure === undefined &&
			value.pages.every(({ rows }) => rows.length === 0),
	);
	if (!filtered || !noMatches) return [];
	return [
		"No one matches. Filters accept only the service's exact values: choose them from the list, or find them with Filter Value: Search.",
	];
}

function tooManyMatchesHint(results: SearchResults): string[] {
	const max = LIMITS.searchSize;
	const total = results
		.filter(({ input: query }) => !query.countOnly && query.limit === max)
		.reduce((largest, { outcome }) => Math.max(largest, outcome.value?.total ?? 0), 0);
	if (total <= max) return [];
	return [
		`${formatNumber(total)} prospects match, but the service returns at most ${formatNumber(max)}: ${formatNumber(total - max)} are missing. Narrow the filters, for example by country or company size, and run once for each part.`,
	];
}

function repeatedPeopleHint(results: SearchResults): string[] {
	const repeatedPeople = sumOf(results, 'repeatedPeople');
	if (repeatedPeople === 0) return [];
	return [
		`${pluralize(repeatedPeople, 'person was', 'people were')} returned more than once, which happens when data changes during a search. The output contains each of them once.`,
	];
}

/** The warning that there are fewer rows than the service's total implies. */
export function searchWarnings(results: SearchResults): string[] {
	const missing = sumOf(results, 'missingRows');
	if (missing === 0) return [];
	return [
		`The service returned ${formatNumber(missing)} fewer ${missing === 1 ? 'row' : 'rows'} than it reported. Its data may have changed during the search: run it again to get the missing rows.`,
	];
}

/** Sums a figure over all searches. Searches of equal items count once. */
const sumOf = (results: SearchResults, figure: 'repeatedPeople' | 'missingRows'): number =>
	results
		.filter(({ duplicate }) => !duplicate)
		.reduce((sum, { outcome }) => sum + (outcome.value?.[figure] ?? 0), 0);
