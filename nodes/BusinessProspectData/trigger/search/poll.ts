import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { Client, RequestOptions } from '../../api/client';
import { operationError } from '../../api/errors';
import { LIMITS } from '../../catalog/service';
import { type Failure, rootCause } from '../../core/outcome';
import { formatNumber, pluralize } from '../../core/text';
import { rowJson } from '../../fields/row';
import { isUnfiltered, rejectEmptyFilters } from '../../filters/collection';
import { searchFilters } from '../../filters/kinds';
import { simplify } from '../../parameters/options';
import { parameterError } from '../../parameters/parameter';
import {
	fetchPages,
	fetchSearchPage,
	formatPageRanges,
	type Page,
	reportedPageCount,
} from '../../search/pages';
import { prospectLayout, prospectRecords } from '../../fields/columns';
import { createParameterReader, triggerOptions } from '../parameters';
import { poll, type Problem } from '../poll';
import { createRunner, type ReceivedRow } from '../runner';
import {
	MAX_PEOPLE,
	type SearchJob,
	searchState,
	type SelectedPeople,
	type SweepPart,
} from './state';

const runPoll = createRunner(searchState);

/** Polls a search for people who are new (see `poll`). */
export async function pollSearch(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = readSearchSettings(context);
	const { filters, requestsPerPoll, requestOptions, simplify } = settings;
	return await poll(context, {
		requestOptions,
		fetchTest: (client) => fetchTestPeople(context, client, settings),
		async run(node) {
			const polled = await runPoll({
				...node,
				watch: { filters },
				limit: requestsPerPoll,
				fetch: (client, job) => fetchSweepPart(client, settings, job),
			});
			if (polled === undefined) return undefined;
			const { result, fetched } = polled;
			if (result.baselineSize !== undefined) {
				context.logger.info(
					`${context.getNode().name}: ${pluralize(result.baselineSize, 'person matches', 'people match')} the filters now and won't be output. From now on, people who match for the first time are.`,
				);
			}
			return { rows: result.rows, problem: problemIn(fetched, result) };
		},
		output: (person, responseContext) =>
			rowJson({ records: prospectRecords(person, responseContext) }, prospectLayout(simplify)),
	});
}

interface SearchSettings {
	readonly filters: IDataObject;
	readonly maxProspects: number;
	readonly requestsPerPoll: number;
	readonly simplify: boolean;
	readonly requestOptions: RequestOptions;
}

function readSearchSettings(context: IPollFunctions): SearchSettings {
	const valueOf = createParameterReader(context);
	const { byName: filters, empty } = valueOf(searchFilters);
	rejectEmptyFilters(empty);
	if (isUnfiltered(filters)) {
		throw parameterError(
			searchFilters.property,
			'add at least one filter. Without one, the trigger would watch everyone.',
		);
	}
	const { maxProspects, requestsPerPoll, ...requestOptions } = valueOf(triggerOptions);
	return {
		filters,
		maxProspects,
		requestsPerPoll,
		simplify: valueOf(simplify),
		requestOptions,
	};
}

/** The row total may count only the page's rows, so the pages count, too: all but the last are full. */
const minMatches = ({ totalRows = 0, totalPages = 0 }: Page): number =>
	Math.max(totalRows, (totalPages - 1) * LIMITS.pageSize + 1);

const NARROW = 'Narrow Filters, for example by Person Country, Company Size or Job Level';

function tooManyMatches(matches: number, max: number, startsSearch: boolean): Failure {
	const count = formatNumber(matches);
	const raise =
		max < MAX_PEOPLE ? `, or raise Max Prospects (at most ${formatNumber(MAX_PEOPLE)})` : '';
	return {
		kind: 'input',
		message: startsSearch
			? `The filters match ${count} people, but Max Prospects allows ${formatNumber(max)}. ${NARROW}${raise}.`
			: `The filters match ${count} people now, but the trigger can watch at most ${formatNumber(max)}. ${NARROW}. Everyone who matches the new filters then counts as known: to get the people that were added meanwhile, run Prospect: Get Many.`,
	};
}

/** Fetches the pages of a poll. */
async function fetchSweepPart(
	client: Client,
	settings: SearchSettings,
	{ startPage, maxPages, startsSearch, inBaseline }: SearchJob,
): Promise<SweepPart> {
	const { pageSize, searchSize: size } = LIMITS;
	const maxPeople = startsSearch ? settings.maxProspects : MAX_PEOPLE;
	const { received, failed, brokeOffAt, continuesAt } = await fetchPages(
		async (page) => {
			const outcome = await fetchSearchPage(client, settings, { page, pageSize, size });
			const matches = outcome.value === undefined ? 0 : minMatches(outcome.value);
			// Fails the first page, so that `fetchPages` requests no other.
			return page === startPage && matches > maxPeople
				? { failure: tooManyMatches(matches, maxPeople, startsSearch) }
				: outcome;
		},
		{ startPage, pageSize, limit: maxPages * pageSize },
	);
	const failure = rootCause(failed)?.failure;
	const hasReceived = received.length > 0;
	if (
		startPage > 1 &&
		(failure?.kind === 'invalid' || failure?.kind === 'notFound') &&
		!hasReceived
	) {
		// The search has probably become shorter.
		return { rows: [], received: true, nextPage: 1 };
	}
	const unread = failed.filter(
		// Only the baseline must not leave out a page: other sweeps are followed by one that covers it again.
		(page) => inBaseline || page.page === 1 || wasPostponed(page),
	);
	// More people may have started to match since the first page.
	const pageCount = Math.max(0, ...received.map((page) => reportedPageCount(page, pageSize)));
	const pageAfter = startPage + received.length + failed.length;
	const totals = new Set(received.map(({ totalRows }) => totalRows));
	return {
		rows: received.flatMap(({ rows, responseContext }) =>
			rows.map((row) => ({ row, responseContext })),
		),
		received: hasReceived,
		nextPage: Math.min(
			...unread.map(({ page }) => page),
			// What follows that page is unknown.
			brokeOffAt ?? Infinity,
			continuesAt ?? (pageCount >= pageAfter ? pageAfter : Infinity),
			hasReceived ? Infinity : startPage + 1,
		),
		total: totals.size === 1 ? received[0]?.totalRows : undefined,
		failure,
		failedPages: failed.filter((page) => !wasPostponed(page)).map(({ page }) => page),
	};
}

/** True if the request wasn't sent, hit the rate limit, or showed that too many people match. */
const wasPostponed = ({ failure: { kind } }: { readonly failure: Failure }): boolean =>
	kind === 'stopped' || kind === 'rateLimited' || kind === 'input';

const MAX_TEST_PEOPLE = 10;

/**
 * Fetches up to 10 people for Fetch Test Event in the editor.
 *
 * @throws NodeOperationError if no people are received
 */
async function fetchTestPeople(
	context: IPollFunctions,
	client: Client,
	settings: SearchSettings,
): Promise<readonly ReceivedRow[]> {
	const request = { page: 1, pageSize: MAX_TEST_PEOPLE, size: LIMITS.searchSize };
	const { received, failed } = await fetchPages(() => fetchSearchPage(client, settings, request), {
		startPage: 1,
		pageSize: MAX_TEST_PEOPLE,
		limit: MAX_TEST_PEOPLE,
	});
	const [{ rows, responseContext } = { rows: [], responseContext: undefined }] = received;
	if (rows.length > 0) {
		return rows.slice(0, MAX_TEST_PEOPLE).map((row) => ({ row, responseContext }));
	}
	throw operationError(
		context.getNode(),
		failed[0]?.failure ?? {
			kind: 'notFound',
			message:
				"No one matches the filters now. Filters accept only the service's exact values: choose them from the list. Publish the workflow to watch for people who match later.",
		},
	);
}

const BASELINE_FAILED =
	'The first check is not complete yet, so no one is output, and people who start to match meanwhile count as known. The next checks continue it.';
const SWEEP_FAILED = 'No one is missed: the next checks continue the search.';

function problemIn(
	{ failure, failedPages = [] }: SweepPart,
	{ failed, inBaseline, unfound, keepsFailing }: SelectedPeople,
): Problem | undefined {
	if (unfound !== undefined) {
		const people = pluralize(unfound, 'person', 'people');
		return {
			kind: 'unreadable',
			message: `The service reports ${people} more than its pages hold. ${BASELINE_FAILED}`,
		};
	}
	if (failure === undefined || failure.kind === 'stopped') return undefined;
	if (failure.kind === 'input') return { ...failure, severity: 'activation' };
	const pages =
		failedPages.length === 0
			? ''
			: `${failedPages.length === 1 ? 'Page' : 'Pages'} ${formatPageRanges(failedPages)} of the search failed${keepsFailing ? ' in three checks in a row' : ''}. `;
	return {
		...failure,
		message: `${pages}${failure.message} ${inBaseline ? BASELINE_FAILED : SWEEP_FAILED}`,
		// A later sweep covers these pages again.
		...(!failed && { severity: keepsFailing ? 'execution' : 'log' }),
	};
}
