import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { Client } from '../../api/client';
import { operationError } from '../../api/errors';
import { LIMITS } from '../../catalog/service';
import { formatNumber, pluralize } from '../../core/text';
import {
	countProspects,
	fetchSearchPage,
	formatPageRanges,
	type Page,
	prospectRow,
	type SearchCriteria,
} from '../../search/page';
import { nodeKeyOf } from '../memory';
import { createPollClient, detectActivation, reportFailedPoll } from '../pollClient';
import { createRunner, type PollRun, toItems } from '../runner';
import {
	isInBaseline,
	isWatchingSearch,
	MAX_PEOPLE,
	openSearchCheckpoint,
	planSweep,
	type SearchCheckpoint,
	type SearchJob,
	type SearchWatch,
} from './checkpoint';
import {
	type FetchedPart,
	fetchSweepPart,
	readSearchSettings,
	type SearchSettings,
	type SweepRequests,
} from './fetch';
import { advancesSweep, type SelectedPeople, selectPeople, type SweepPart } from './selection';

/** One poll of a node that watches a search; `limit` is the maximum number of pages. */
export type SearchPollRun = PollRun<SearchWatch, SearchJob, SweepPart>;

export interface SearchPollResult extends SelectedPeople {
	/**
	 * True if the poll fetched nothing, or if it advanced the sweep (see `advancesSweep`). While the baseline goes on after the
	 * poll, false if a page failed.
	 */
	readonly succeeded: boolean;
	/** True if the baseline has not ended. */
	readonly inBaseline: boolean;
}

/** Creates the function that runs the polls of all nodes that watch a search. Throws only what `fetch` throws. */
export const createSearchRunner = () =>
	createRunner<SearchWatch, SearchCheckpoint, SearchJob, SweepPart, SearchPollResult>({
		open: openSearchCheckpoint,
		isWatching: isWatchingSearch,
		plan: (checkpoint, _watch, limit) => planSweep(checkpoint, limit),
		select(checkpoint, _watch, job, part) {
			const { checkpoint: next, ...selected } = selectPeople(checkpoint, job, part);
			// Too many people match new filters: the previous search stays, in case the user restores it.
			const keepsPreviousSearch =
				isInBaseline(checkpoint) &&
				part.startStatus === 'tooMany' &&
				job.startPage === 1 &&
				job.searchKey === checkpoint.searchKey;
			const inBaseline = isInBaseline(next);
			const succeeded = advancesSweep(part) && !(inBaseline && part.partial);
			return {
				checkpoint: keepsPreviousSearch ? undefined : next,
				result: { ...selected, succeeded, inBaseline },
				hasOutput: selected.people.length > 0,
			};
		},
		nothing: { people: [], succeeded: true, inBaseline: false },
	});

const runPoll = createSearchRunner();

const BASELINE_FAILED =
	'The first check is not complete yet, so no one is output, and people who start to match meanwhile count as known. The next checks continue it.';
const SWEEP_FAILED = 'No one is missed: the next checks continue the search.';

/** Maximum number of people that Fetch Test Event outputs. */
const MAX_TEST_PEOPLE = 10;

/**
 * One poll of a trigger that watches a search: the people who are new, or null. Throws for invalid settings, and for a search
 * that is too large, except when n8n itself activates the workflow. At any activation, a failure of the service doesn't throw,
 * because n8n would then stop polling.
 */
export async function pollSearch(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = readSearchSettings(context);
	const client = await createPollClient(context, settings.requestOptions);
	if (context.getMode() === 'manual') return await fetchTestPeople(context, client, settings);

	const activation = detectActivation(context);
	let fetched: FetchedPart | undefined;
	const result = await runPoll({
		nodeKey: nodeKeyOf(context),
		staticData: context.getWorkflowStaticData('node'),
		watch: { filters: settings.filters },
		limit: settings.requestsPerPoll,
		now: Date.now,
		async fetch(job: SearchJob) {
			const requests = sweepRequests(client, settings);
			fetched = await fetchSweepPart(requests, job, settings.maxProspects, LIMITS.pageSize);
			client.stop();
			return fetched;
		},
	});
	log(context, settings, fetched, result);
	const { people, succeeded, inBaseline } = result;
	const failure = fetched?.failure;
	if (!succeeded && failure !== undefined && failure.kind !== 'stopped') {
		const tooMany = fetched?.startStatus === 'tooMany';
		const message = tooMany
			? failure.message
			: `${failure.message} ${inBaseline ? BASELINE_FAILED : SWEEP_FAILED}`;
		// If this poll is an activation, fails it, so that the user sees the error at once.
		if (tooMany && isActivatedByUser(context)) {
			throw operationError(context.getNode(), message);
		}
		reportFailedPoll(context, message, activation);
	}
	return people.length === 0
		? null
		: [peopleItems(people, fetched?.pages ?? [], settings.simplify)];
}

/**
 * True unless n8n itself activated the workflow (start-up, new leader): no user would see an error then, and n8n would stop
 * polling.
 */
const isActivatedByUser = (context: IPollFunctions): boolean =>
	!['init', 'leadershipChange'].includes(context.getActivationMode());

const sweepRequests = (client: Client, criteria: SearchCriteria): SweepRequests => ({
	count: async () => await countProspects(client, criteria),
	fetchPage: async (page) =>
		await fetchSearchPage(client, criteria, {
			page,
			pageSize: LIMITS.pageSize,
			size: LIMITS.searchSize,
		}),
});

/**
 * Fetch Test Event in the editor: the first people who match. Changes no state.
 *
 * @throws NodeOperationError when nobody matches, when too many do, and when the request fails
 */
async function fetchTestPeople(
	context: IPollFunctions,
	client: Client,
	settings: SearchSettings,
): Promise<INodeExecutionData[][]> {
	const { maxProspects, simplify } = settings;
	const { checkpoint } = context.getWorkflowStaticData('node');
	// Max Prospects doesn't limit a search that the trigger is watching already.
	const countsFirst = !isWatchingSearch(checkpoint, settings);
	const job = { startPage: 1, maxPages: 1, countsFirst };
	const request = { page: 1, pageSize: MAX_TEST_PEOPLE, size: LIMITS.searchSize };
	const requests = {
		...sweepRequests(client, settings),
		fetchPage: async () => await fetchSearchPage(client, settings, request),
	};
	const { rows, pages, startStatus, failure } = await fetchSweepPart(
		requests,
		job,
		maxProspects,
		MAX_TEST_PEOPLE,
	);
	client.stop();
	if (rows.length > 0) return [peopleItems(rows.slice(0, MAX_TEST_PEOPLE), pages, simplify)];
	const message = startStatus === 'received' ? undefined : failure?.message;
	throw operationError(
		context.getNode(),
		message ??
			"No one matches the filters now. Filters accept only the service's exact values: choose them from the list. Publish the workflow to watch for people who match later.",
	);
}

/** Converts people to items; `pages` are all that the poll received. */
const peopleItems = (
	people: FetchedPart['rows'],
	pages: readonly Page[],
	simplify: boolean,
): INodeExecutionData[] =>
	toItems(people, pages, (person, context) => prospectRow(person, context, simplify));

/** Logs failures (not all are thrown), the size of the baseline, and a search that has outgrown Max Prospects. */
function log(
	context: IPollFunctions,
	{ maxProspects }: SearchSettings,
	fetched: FetchedPart | undefined,
	{ people, baselineSize, isBaselinePartial = false }: SelectedPeople,
): void {
	const { name } = context.getNode();
	const { failure, problemPages = [], total = 0 } = fetched ?? {};
	if (failure !== undefined && failure.kind !== 'stopped') {
		const pages =
			problemPages.length === 0
				? ''
				: `${problemPages.length === 1 ? 'Page' : 'Pages'} ${formatPageRanges(problemPages)} of the search failed or lacked rows. `;
		context.logger.warn(`${name}: ${pages}${failure.message}`);
	}
	if (baselineSize !== undefined) {
		const atLeast = isBaselinePartial ? 'At least ' : '';
		const unknown = isBaselinePartial
			? ' Pages of the search failed: people on them may be output, too, once the pages work.'
			: '';
		context.logger.info(
			`${name}: ${atLeast}${pluralize(baselineSize, 'person matches', 'people match')} the filters now and won't be output. From now on, people who match for the first time are.${unknown}`,
		);
	}
	// Only with output, so that not every poll repeats it.
	if (people.length > 0 && total > maxProspects) {
		context.logger.warn(
			`${name}: The filters match ${formatNumber(total)} people now, more than Max Prospects (${formatNumber(maxProspects)}). The trigger goes on up to ${formatNumber(MAX_PEOPLE)}. To send fewer requests, narrow Filters.`,
		);
	}
}
