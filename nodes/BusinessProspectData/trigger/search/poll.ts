import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { RequestOptions } from '../../api/client';
import { operationError } from '../../api/errors';
import { LIMITS } from '../../catalog/service';
import { formatNumber, pluralize } from '../../core/text';
import { rejectEmptyFilters } from '../../filters/collection';
import { searchFilters } from '../../filters/kinds';
import { simplify } from '../../parameters/options';
import { parameterError } from '../../parameters/parameter';
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
import { type SelectedPeople, selectPeople, firstPageSucceeded, type SweepPart } from './selection';

interface SearchSettings {
	readonly filters: IDataObject;
	readonly maxProspects: number;
	readonly requestsPerPoll: number;
	readonly simplify: boolean;
	readonly requestOptions: RequestOptions;
	readonly requestContext?: IDataObject;
}

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

/** `limit` is the maximum number of pages, except in the baseline. */
export type SearchPollRun = PollRun<SearchWatch, SearchJob, SweepPart>;

export interface SearchPollResult extends SelectedPeople {
	readonly succeeded: boolean;
	readonly inBaseline: boolean;
}

export const createSearchRunner = () =>
	createRunner<SearchWatch, SearchCheckpoint, SearchJob, SweepPart, SearchPollResult>({
		open: openSearchCheckpoint,
		isWatching: isWatchingSearch,
		plan: (checkpoint, _watch, limit) => planSweep(checkpoint, limit),
		select(checkpoint, _watch, job, part) {
			const { checkpoint: next, ...selected } = selectPeople(checkpoint, job, part);
			// If too many people match new filters, the old filters' checkpoint stays, because the user may go back to them. A poll
			// that starts after page 1 can't keep it, because an earlier poll has already replaced it. If the search keys differ, the
			// filters were edited during the poll, and `tooMany` is about the earlier ones.
			const keepsPreviousSearch =
				isInBaseline(checkpoint) &&
				part.firstPageStatus === 'tooMany' &&
				job.startPage === 1 &&
				job.searchKey === checkpoint.searchKey;
			const inBaseline = isInBaseline(next);
			// A missing page can prolong the baseline, during which no one is output. The poll counts as failed, so that the user
			// learns why.
			const succeeded = firstPageSucceeded(part) && !(inBaseline && part.partial);
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
 * Polls a search. Returns the people who are new, or null if there are none. For Fetch Test Event, returns the people of
 * `fetchTestPeople` instead.
 *
 * @throws UserError or NodeOperationError. Failures of the service aren't thrown at an activation (see `reportFailedPoll`).
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
		const tooMany = fetched?.firstPageStatus === 'tooMany';
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

/** False if n8n itself activated the workflow: at start-up, or as the new leader. */
const isActivatedByUser = (context: IPollFunctions): boolean =>
	!['init', 'leadershipChange'].includes(context.getActivationMode());

const peopleItems = (
	people: readonly IDataObject[],
	pages: readonly Page[],
	simplify: boolean,
): INodeExecutionData[] =>
	toItems(people, pages, (person, responseContext) =>
		prospectRow(person, responseContext, simplify),
	);

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
	// Warns only with output, to avoid a warning in every poll.
	if (people.length > 0 && total > maxProspects) {
		context.logger.warn(
			`${name}: The filters match ${formatNumber(total)} people now, more than Max Prospects (${formatNumber(maxProspects)}). The trigger goes on up to ${formatNumber(MAX_PEOPLE)}. To send fewer requests, narrow Filters.`,
		);
	}
}
