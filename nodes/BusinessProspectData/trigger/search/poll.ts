import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { RequestOptions } from '../../api/client';
import { LIMITS } from '../../catalog/service';
import { formatNumber, pluralize } from '../../core/text';
import { isUnfiltered, rejectEmptyFilters } from '../../filters/collection';
import { rowJson } from '../../fields/row';
import { searchFilters } from '../../filters/kinds';
import { simplify } from '../../parameters/options';
import { parameterError } from '../../parameters/parameter';
import { formatPageRanges, prospectLayout, prospectRecords } from '../../search/page';
import { createParameterReader, triggerOptions } from '../parameters';
import { poll } from '../poll';
import { createRunner } from '../runner';
import { createSweepRequests, fetchSweepPart, fetchTestPeople } from './fetch';
import { MAX_PEOPLE, searchState, type SelectedPeople, type SweepPart } from './state';

const runPoll = createRunner(searchState);

/** Polls a search for people who are new (see `poll`). */
export async function pollSearch(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = readSearchSettings(context);
	const { filters, maxProspects, requestsPerPoll, requestOptions, simplify } = settings;
	return await poll(context, {
		requestOptions,
		fetchTest: async (client) => await fetchTestPeople(context, client, settings, maxProspects),
		async run(client, node) {
			const requests = createSweepRequests(client, settings);
			const polled = await runPoll({
				...node,
				watch: { filters },
				limit: requestsPerPoll,
				fetch: async (job) => await fetchSweepPart(requests, job, maxProspects, LIMITS.pageSize),
			});
			if (polled === undefined) return undefined;
			const { result, fetched } = polled;
			log(context, settings, fetched, result);
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
	readonly requestContext?: IDataObject;
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

const BASELINE_FAILED =
	'The first check is not complete yet, so no one is output, and people who start to match meanwhile count as known. The next checks continue it.';
const SWEEP_FAILED = 'No one is missed: the next checks continue the search.';

function problemIn(
	{ failure, firstPageStatus }: SweepPart,
	{ succeeded, inBaseline }: SelectedPeople,
) {
	if (succeeded || failure === undefined || failure.kind === 'stopped') return undefined;
	if (firstPageStatus === 'tooMany') return { message: failure.message, failsActivation: true };
	return { message: `${failure.message} ${inBaseline ? BASELINE_FAILED : SWEEP_FAILED}` };
}

function log(
	context: IPollFunctions,
	{ maxProspects }: SearchSettings,
	{ failure, problemPages = [], total = 0 }: SweepPart,
	{ rows, baselineSize, isBaselinePartial = false }: SelectedPeople,
): void {
	const { name } = context.getNode();
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
			? ' Pages of the search failed or lacked rows: people on them may be output, too, once the pages work.'
			: '';
		context.logger.info(
			`${name}: ${atLeast}${pluralize(baselineSize, 'person matches', 'people match')} the filters now and won't be output. From now on, people who match for the first time are.${unknown}`,
		);
	}
	// Warns only with output, to avoid a warning in every poll.
	if (rows.length > 0 && total > maxProspects) {
		context.logger.warn(
			`${name}: The filters match ${formatNumber(total)} people now, more than Max Prospects (${formatNumber(maxProspects)}). The trigger goes on up to ${formatNumber(MAX_PEOPLE)}. To send fewer requests, narrow Filters.`,
		);
	}
}
