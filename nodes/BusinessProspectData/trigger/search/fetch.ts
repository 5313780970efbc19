import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { RequestOptions } from '../../api/client';
import { largestOf } from '../../core/collections';
import { type Failure, type Outcome, rootCause } from '../../core/outcome';
import { formatNumber } from '../../core/text';
import { rejectEmptyFilters } from '../../filters/collection';
import { searchFilters } from '../../filters/kinds';
import { simplify } from '../../runtime/options';
import { parameterError } from '../../runtime/parameters';
import { fetchPages } from '../../search/pages';
import { type Page, prospectIdOf } from '../../search/page';
import { createParameterReader, triggerOptions } from '../parameters';
import { MAX_PEOPLE, type SearchJob } from './checkpoint';
import type { SweepPart } from './selection';

/** The checked settings of a trigger that watches a search. */
export interface SearchSettings {
	readonly filters: IDataObject;
	readonly maxProspects: number;
	readonly requestsPerPoll: number;
	readonly simplify: boolean;
	readonly requestOptions: RequestOptions;
	readonly requestContext?: IDataObject;
}

/**
 * Reads the settings of a trigger that watches a search.
 *
 * @throws UserError when a setting is invalid, when a filter is empty, or when there is no filter
 */
export function readSearchSettings(context: IPollFunctions): SearchSettings {
	const valueOf = createParameterReader(context);
	const { byName: filters, empty } = valueOf(searchFilters);
	rejectEmptyFilters(empty);
	if (Object.keys(filters).length === 0) {
		throw parameterError(
			searchFilters.property,
			'add at least one filter. Without one, the trigger would watch everyone.',
		);
	}
	const { maxProspects, requestsPerPoll, requestContext, ...requestOptions } =
		valueOf(triggerOptions);
	return {
		filters,
		maxProspects,
		requestsPerPoll,
		simplify: valueOf(simplify),
		requestOptions,
		requestContext,
	};
}

/** The requests of a sweep. */
export interface SweepRequests {
	readonly count: () => Promise<Outcome<{ readonly total?: number | undefined }>>;
	readonly fetchPage: (page: number) => Promise<Outcome<Page>>;
}

export interface FetchedPart extends SweepPart {
	readonly pages: readonly Page[];
	/** Pages that failed or stayed defective, except postponed ones. */
	readonly problemPages: readonly number[];
	readonly failure?: Failure | undefined;
}

const NARROW = 'Narrow Filters, for example by Person Country, Company Size or Job Level';

const countText = (total: number | undefined) =>
	total === undefined ? `more than ${formatNumber(MAX_PEOPLE)}` : formatNumber(total);

/** The failure of a search that matches more than Max Prospects when the trigger starts to watch it. */
const tooManyToStart = (total: number, maxProspects: number): Failure => ({
	kind: 'input',
	message:
		`The filters match ${formatNumber(total)} people, but Max Prospects allows ${formatNumber(maxProspects)}. ${NARROW}` +
		(maxProspects < MAX_PEOPLE
			? `, or raise Max Prospects (at most ${formatNumber(MAX_PEOPLE)}).`
			: '.'),
});

/** The failure of a search that matches more than `MAX_PEOPLE`, the most that the trigger can watch. */
const tooManyToWatch = (total?: number): Failure => ({
	kind: 'input',
	message: `The filters match ${countText(total)} people now, but the trigger can watch at most ${formatNumber(MAX_PEOPLE)}. ${NARROW}. Everyone who matches the new filters then counts as known: to get the people that were added meanwhile, run Prospect: Get Many.`,
});

/**
 * Fetches the pages of a poll. If the job says so, counts the matches first, with a request for one row.
 *
 * A page that stays defective has failed for `fetchPages`, but doesn't make the sweep partial: the baseline compares the people
 * found in the sweep with the total, and later sweeps fetch every page again.
 *
 * @param maxProspects checked only if the job counts first
 */
export async function fetchSweepPart(
	{ count, fetchPage }: SweepRequests,
	{ startPage, maxPages, countsFirst }: Pick<SearchJob, 'startPage' | 'maxPages' | 'countsFirst'>,
	maxProspects: number,
	pageSize: number,
): Promise<FetchedPart> {
	if (countsFirst) {
		const { value, failure } = await count();
		if (failure !== undefined) return withoutPages(failure);
		const { total = 0 } = value;
		if (total > maxProspects) return withoutPages(tooManyToStart(total, maxProspects), 'tooMany');
	}
	if (maxPages === 0) return withoutPages(tooManyToWatch(), 'tooMany');

	let tooMany: Failure | undefined;
	const { received, failed, brokeOffAt, continuesAt } = await fetchPages(
		async (page) => {
			const outcome = await fetchPage(page);
			const total = outcome.value?.totalRows ?? 0;
			if (page !== startPage || total <= MAX_PEOPLE) return outcome;
			tooMany = tooManyToWatch(total);
			return { failure: tooMany };
		},
		{ startPage, pageSize, limit: maxPages * pageSize, idOf: prospectIdOf },
	);
	const notReceived = failed.filter(({ value }) => value === undefined);
	const startFailure = notReceived.find(({ page }) => page === startPage)?.failure;
	if (startFailure !== undefined) {
		if (startFailure === tooMany) return withoutPages(startFailure, 'tooMany');
		const isRejected = startFailure.kind === 'invalid' || startFailure.kind === 'notFound';
		// The search may have become shorter. If something else is wrong, page 1 of the next sweep shows it.
		return startPage > 1 && isRejected
			? { ...withoutPages(startFailure, 'rejected'), partial: true, problemPages: [startPage] }
			: withoutPages(startFailure);
	}

	const postponed = notReceived
		.filter(({ failure }) => statusOf(failure) === 'postponed')
		.map(({ page }) => page);
	// Without a page count, it is unknown what follows the failed page, so the next poll starts with that page.
	const remaining = [...postponed, ...(brokeOffAt === undefined ? [] : [brokeOffAt])];
	const next = remaining.length > 0 ? Math.min(...remaining) : continuesAt;
	return {
		rows: received.flatMap(({ rows }) => rows),
		startStatus: 'received',
		next,
		partial: notReceived.some(({ page }) => page < (next ?? Infinity)),
		total: largestOf(received.map(({ totalRows }) => totalRows)),
		pages: received,
		problemPages: failed.map(({ page }) => page).filter((page) => !postponed.includes(page)),
		failure: rootCause(failed)?.failure,
	};
}

const withoutPages = (
	failure: Failure,
	startStatus: SweepPart['startStatus'] = statusOf(failure),
): FetchedPart => ({
	rows: [],
	startStatus,
	partial: false,
	pages: [],
	problemPages: [],
	failure,
});

const statusOf = ({ kind }: Failure): 'failed' | 'postponed' =>
	kind === 'stopped' || kind === 'rateLimited' ? 'postponed' : 'failed';
