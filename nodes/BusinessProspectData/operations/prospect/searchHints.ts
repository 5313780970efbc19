import { pluralize, formatNumber } from '../../core/text';
import { LIMITS } from '../../catalog/service';
import type { BatchResult } from '../../runtime/batches';
import type { SearchResult, SearchQuery } from './search';

type AnsweredSearches = ReadonlyArray<BatchResult<SearchQuery, SearchResult>>;

/** The hints where nobody matches, where more match than the service gives, and where people came more than once. */
export const searchHints = (answered: AnsweredSearches): string[] => [
	...nobodyMatches(answered),
	...moreMatch(answered),
	...cameAgain(answered),
];

function nobodyMatches(answered: AnsweredSearches): string[] {
	const filtered = answered.some(({ input: ask }) => Object.keys(ask.filters).length > 0);
	const nobody = answered.every(
		({ input: ask, outcome: { value, failure } }) =>
			!ask.countOnly &&
			ask.startPage === 1 &&
			failure === undefined &&
			value.pages.every(({ rows }) => rows.length === 0),
	);
	if (!filtered || !nobody) return [];
	return [
		'Nobody matches. Filters take the exact values of the service: choose them from the list, or find them with Filter Value: Search.',
	];
}

function moreMatch(answered: AnsweredSearches): string[] {
	const totals = answered
		.filter(({ input: ask }) => !ask.countOnly && ask.limit === LIMITS.searchSize)
		.map(({ outcome }) => outcome.value?.total ?? 0);
	const most = totals.reduce((largest, total) => Math.max(largest, total), 0);
	if (most <= LIMITS.searchSize) return [];
	return [
		`${formatNumber(most)} prospects match, and the service gives ${formatNumber(LIMITS.searchSize)} at most: ${formatNumber(most - LIMITS.searchSize)} were left. Narrow the filters, for example by country or company size, and run once for each part.`,
	];
}

function cameAgain(answered: AnsweredSearches): string[] {
	const doubles = answered
		.filter(({ duplicate }) => !duplicate)
		.reduce((sum, { outcome }) => sum + (outcome.value?.duplicates ?? 0), 0);
	if (doubles === 0) return [];
	return [
		`${pluralize(doubles, 'person', 'people')} came more than once, as happens when data change during a search. The output has each of them once.`,
	];
}

/** The warning where the last page has fewer rows than the service's total leaves for it. */
export function searchWarnings(answered: AnsweredSearches): string[] {
	const fewer = answered
		.filter(({ duplicate }) => !duplicate)
		.reduce((sum, { outcome }) => sum + (outcome.value?.missingRows ?? 0), 0);
	if (fewer === 0) return [];
	return [
		`The service returned ${formatNumber(fewer)} fewer ${fewer === 1 ? 'row' : 'rows'} than the total it announced, also when the last page was requested again. Data may have changed during the search. To get rows that are missing, run again.`,
	];
}
