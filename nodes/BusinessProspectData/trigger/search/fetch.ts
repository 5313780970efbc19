import type { IPollFunctions } from 'n8n-workflow';
import type { Client } from '../../api/client';
import { operationError } from '../../api/errors';
import { LIMITS } from '../../catalog/service';
import { largestOf } from '../../core/collections';
import { type Failure, type Outcome, rootCause } from '../../core/outcome';
import { formatNumber } from '../../core/text';
import { fetchPages } from '../../search/pages';
import { countProspects, fetchSearchPage, type Page, type SearchCriteria } from '../../search/page';
import type { ReceivedRow } from '../runner';
import { createChangeDetector } from './changes';
import { isWatchingSearch, MAX_PEOPLE, type SearchJob, type SweepPart } from './state';

export interface SweepRequests {
	readonly count: () => Promise<Outcome<{ readonly total?: number | undefined }>>;
	readonly fetchPage: (page: number) => Promise<Outcome<Page>>;
}

export const createSweepRequests = (client: Client, criteria: SearchCriteria): SweepRequests => ({
	count: async () => await countProspects(client, criteria),
	fetchPage: async (page) =>
		await fetchSearchPage(client, criteria, {
			page,
			pageSize: LIMITS.pageSize,
			size: LIMITS.searchSize,
		}),
});

const NARROW = 'Narrow Filters, for example by Person Country, Company Size or Job Level';

const countText = (total: number | undefined) =>
	total === undefined ? `more than ${formatNumber(MAX_PEOPLE)}` : formatNumber(total);

const tooManyToStart = (total: number, maxProspects: number): Failure => ({
	kind: 'input',
	message:
		`The filters match ${formatNumber(total)} people, but Max Prospects allows ${formatNumber(maxProspects)}. ${NARROW}` +
		(maxProspects < MAX_PEOPLE
			? `, or raise Max Prospects (at most ${formatNumber(MAX_PEOPLE)}).`
			: '.'),
});

const tooManyToWatch = (total?: number): Failure => ({
	kind: 'input',
	message: `The filters match ${countText(total)} people now, but the trigger can watch at most ${formatNumber(MAX_PEOPLE)}. ${NARROW}. Everyone who matches the new filters then counts as known: to get the people that were added meanwhile, run Prospect: Get Many.`,
});

/**
 * Fetches the pages of a poll.
 *
 * @param maxProspects checked only if the job starts the baseline
 */
export async function fetchSweepPart(
	{ count, fetchPage }: SweepRequests,
	{
		startPage,
		maxPages,
		startsBaseline,
	}: Pick<SearchJob, 'startPage' | 'maxPages' | 'startsBaseline'>,
	maxProspects: number,
	pageSize: number,
): Promise<SweepPart> {
	if (startsBaseline) {
		const { value, failure } = await count();
		if (failure !== undefined) return withoutPages(failure);
		const { total = 0 } = value;
		if (total > maxProspects) return withoutPages(tooManyToStart(total, maxProspects), 'tooMany');
	}
	if (maxPages === 0) return withoutPages(tooManyToWatch(), 'tooMany');

	const changes = createChangeDetector();
	let tooMany: Failure | undefined;
	const { received, failed, brokeOffAt, continuesAt } = await fetchPages(
		async (page) => {
			const outcome = await fetchPage(page);
			const total = outcome.value?.totalRows ?? 0;
			if (page === startPage && total > MAX_PEOPLE) {
				// Fails the first page, so that `fetchPages` requests no other.
				tooMany = tooManyToWatch(total);
				return { failure: tooMany };
			}
			if (outcome.value !== undefined) changes.addPage(page, outcome.value);
			return outcome;
		},
		{ startPage, pageSize, limit: maxPages * pageSize },
	);
	const startFailure = failed.find(({ page }) => page === startPage)?.failure;
	if (startFailure !== undefined) {
		if (startFailure === tooMany) return withoutPages(startFailure, 'tooMany');
		const isRejected = startFailure.kind === 'invalid' || startFailure.kind === 'notFound';
		// The search has probably become shorter.
		return startPage > 1 && isRejected
			? { ...withoutPages(startFailure, 'rejected'), partial: true, problemPages: [startPage] }
			: withoutPages(startFailure);
	}

	const postponed = failed
		.filter(({ failure }) => statusOf(failure) === 'postponed')
		.map(({ page }) => page);
	// What follows page `brokeOffAt` is unknown, so that page must be fetched again.
	const remaining = [...postponed, ...(brokeOffAt === undefined ? [] : [brokeOffAt])];
	const resumeAt = remaining.length > 0 ? Math.min(...remaining) : continuesAt;
	// If the page that may follow wasn't received, `fetchPages` can't know that a page before it lacks rows.
	const beforeResume = resumeAt === undefined ? [] : received.slice(0, resumeAt - startPage);
	const partial =
		failed.some(({ page }) => page < (resumeAt ?? Infinity)) ||
		beforeResume.some(({ rows }) => rows.length < pageSize);
	const isWhole = resumeAt === undefined && !partial;
	const checksForChanges = startsBaseline && isWhole && received.length > 1;
	return {
		rows: received.flatMap(({ rows, responseContext }) =>
			rows.map((row) => ({ row, responseContext })),
		),
		firstPageStatus: 'received',
		resumeAt,
		partial,
		changed: startPage > 1 || (checksForChanges && (await changes.haveChanged(fetchPage))),
		total: largestOf(received.map((page) => minMatches(page, pageSize))),
		problemPages: failed.map(({ page }) => page).filter((page) => !postponed.includes(page)),
		failure: rootCause(failed)?.failure,
	};
}

/** The row total may count only the page's rows, so the pages count, too: all but the last are full. */
const minMatches = ({ totalRows, totalPages = 0 }: Page, pageSize: number): number | undefined =>
	totalRows === undefined || totalPages < 2
		? totalRows
		: Math.max(totalRows, (totalPages - 1) * pageSize + 1);

const withoutPages = (
	failure: Failure,
	firstPageStatus: SweepPart['firstPageStatus'] = statusOf(failure),
): SweepPart => ({
	rows: [],
	firstPageStatus,
	partial: false,
	changed: false,
	failure,
});

const statusOf = ({ kind }: Failure): 'failed' | 'postponed' =>
	kind === 'stopped' || kind === 'rateLimited' ? 'postponed' : 'failed';

const MAX_TEST_PEOPLE = 10;

/**
 * Fetches up to 10 people for Fetch Test Event in the editor.
 *
 * @throws NodeOperationError if no people are received
 */
export async function fetchTestPeople(
	context: IPollFunctions,
	client: Client,
	criteria: SearchCriteria,
	maxProspects: number,
): Promise<readonly ReceivedRow[]> {
	const { checkpoint } = context.getWorkflowStaticData('node');
	// Max Prospects doesn't apply to a search that the trigger is already watching.
	const startsBaseline = !isWatchingSearch(checkpoint, criteria);
	const job = { startPage: 1, maxPages: 1, startsBaseline };
	const request = { page: 1, pageSize: MAX_TEST_PEOPLE, size: LIMITS.searchSize };
	const requests = {
		...createSweepRequests(client, criteria),
		fetchPage: async () => await fetchSearchPage(client, criteria, request),
	};
	const { rows, failure } = await fetchSweepPart(requests, job, maxProspects, MAX_TEST_PEOPLE);
	if (rows.length > 0) return rows.slice(0, MAX_TEST_PEOPLE);
	throw operationError(
		context.getNode(),
		failure?.message ??
			"No one matches the filters now. Filters accept only the service's exact values: choose them from the list. Publish the workflow to watch for people who match later.",
	);
}
