import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { RequestOptions } from '../../api/client';
import { operationError } from '../../api/errors';
import { LIMITS } from '../../catalog/service';
import { formatNumber, pluralize } from '../../core/text';
import { rejectEmptyFilters } from '../../filters/collection';
import { searchFilters } from '../../filters/kinds';
import { simplify } from '../../runtime/options';
import { parameterError } from '../../runtime/parameters';
import { formatPageRanges, type Page, prospectRow } from '../../search/page';
import { nodeKeyOf } from '../memory';
import { createParameterReader, triggerOptions } from '../parameters';
import { createPollClient, detectActivation, reportFailedPoll, toItems } from '../pollContext';
import { createRunner, type PollRun } from '../runner';
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
import { type FetchedPart, fetchSweepPart, fetchTestPeople, createSweepRequests } from './fetch';
import { type SelectedPeople, selectPeople, startSucceeded, type SweepPart } from './selection';

/** The checked settings of a trigger that watches a search. */
interface SearchSettings {
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
function readSearchSettings(context: IPollFunctions): SearchSettings {
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

/** One poll of a node that watches a search; `limit` is the maximum number of pages, except in the baseline. */
export type SearchPollRun = PollRun<SearchWatch, SearchJob, SweepPart>;

export interface SearchPollResult extends SelectedPeople {
	/**
	 * True if the poll's first page succeeded (see `startSucceeded`) and, while the baseline goes on, what the poll fetched isn't
	 * `partial`. Also true if the poll was skipped because of another poll (see `createRunner`).
	 */
	readonly succeeded: boolean;
	/** True if the baseline has not ended. Not used for a skipped poll. */
	readonly inBaseline: boolean;
}

/** Creates the function that runs the polls of all nodes that watch a search. It throws only what `fetch` throws. */
export const createSearchRunner = () =>
	createRunner<SearchWatch, SearchCheckpoint, SearchJob, SweepPart, SearchPollResult>({
		open: openSearchCheckpoint,
		isWatching: isWatchingSearch,
		plan: (checkpoint, _watch, limit) => planSweep(checkpoint, limit),
		select(checkpoint, _watch, job, part) {
			const { checkpoint: next, ...selected } = selectPeople(checkpoint, job, part);
			// If too many people match new filters, the previous search stays, in case the user restores it. If only a later page shows
			// that there are too many, earlier polls have already replaced the previous search.
			const keepsPreviousSearch =
				isInBaseline(checkpoint) &&
				part.startStatus === 'tooMany' &&
				job.startPage === 1 &&
				job.searchKey === checkpoint.searchKey;
			const inBaseline = isInBaseline(next);
			const succeeded = startSucceeded(part) && !(inBaseline && part.partial);
			return {
				checkpoint: keepsPreviousSearch ? undefined : next,
				result: { ...selected, succeeded, inBaseline },
				hasOutput: selected.people.length > 0,
			};
		},
		skippedResult: { people: [], succeeded: true, inBaseline: false },
	});

const runPoll = createSearchRunner();

const BASELINE_FAILED =
	'The first check is not complete yet, so no one is output, and people who start to match meanwhile count as known. The next checks continue it.';
const SWEEP_FAILED = 'No one is missed: the next checks continue the search.';

/**
 * One poll of a trigger that watches a search: the people who are new, or null. Throws for invalid settings and for an unusable
 * credential, and in Fetch Test Event if it receives nobody. Throws for a search that is too large, except when n8n itself
 * activates the workflow. Throws the service's failure if the poll didn't succeed, but not at an activation (see
 * `reportFailedPoll`), because n8n would then stop polling.
 */
export async function pollSearch(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = readSearchSettings(context);
	const client = await createPollClient(context, settings.requestOptions);
	if (context.getMode() === 'manual') {
		const test = await fetchTestPeople(context, client, settings, settings.maxProspects);
		return [peopleItems(test.people, test.pages, settings.simplify)];
	}

	const activation = detectActivation(context);
	let fetched: FetchedPart | undefined;
	const result = await runPoll({
		nodeKey: nodeKeyOf(context),
		staticData: context.getWorkflowStaticData('node'),
		watch: { filters: settings.filters },
		limit: settings.requestsPerPoll,
		now: Date.now,
		async fetch(job: SearchJob) {
			const requests = createSweepRequests(client, settings);
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
		// Unlike `reportFailedPoll`, throws even at an activation, so that the user sees the error at once.
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
 * False if n8n itself activated the workflow (start-up, new leader). The poll must not throw then: no user would see the error,
 * and it would make n8n stop polling.
 */
const isActivatedByUser = (context: IPollFunctions): boolean =>
	!['init', 'leadershipChange'].includes(context.getActivationMode());

/** Converts people to items; `pages` are all that the poll received. */
const peopleItems = (
	people: readonly IDataObject[],
	pages: readonly Page[],
	simplify: boolean,
): INodeExecutionData[] =>
	toItems(people, pages, (person, responseContext) =>
		prospectRow(person, responseContext, simplify),
	);

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
	// Only with output, so that not every poll repeats the warning.
	if (people.length > 0 && total > maxProspects) {
		context.logger.warn(
			`${name}: The filters match ${formatNumber(total)} people now, more than Max Prospects (${formatNumber(maxProspects)}). The trigger goes on up to ${formatNumber(MAX_PEOPLE)}. To send fewer requests, narrow Filters.`,
		);
	}
}
