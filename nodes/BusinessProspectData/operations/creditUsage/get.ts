import type { IDataObject } from 'n8n-workflow';
import { MAX_CREDIT_RANGES, PATHS } from '../../catalog/service';
import { asCount, asObjects, type JsonValue, toRecord } from '../../core/json';
import { type Outcome, rootCause } from '../../core/outcome';
import { pluralize } from '../../core/text';
import type { InputResult } from '../../run/inputs';
import { perItem } from '../../run/operation';
import { includeInputFields, operationOptions } from '../../parameters/options';
import { optionsParameter } from '../../parameters/parameter';
import { openRow } from '../../fields/row';
import { outputParameter, summaryRow } from '../../run/output';
import { creditResultIn, reportedStatus, isCreditResult } from '../../api/responseBody';
import { fromDate, type Part, readTimezone, readRange, timezone, toDate } from './range';

const groupBy = optionsParameter({
	displayName: 'Group By',
	name: 'groupBy',
	type: 'options',
	default: 'day',
	options: [
		{ name: 'Day', value: 'day' },
		{ name: 'Endpoint', value: 'endpoint' },
		{ name: 'Hour', value: 'hour' },
		{ name: 'Month', value: 'month' },
	],
	description: `One request covers at most ${MAX_CREDIT_RANGES.hour.label} (Hour), ${MAX_CREDIT_RANGES.day.label} (Day) or ${MAX_CREDIT_RANGES.month.label} (Month); longer ranges take several`,
});

const output = outputParameter(
	{
		name: 'Rows',
		value: 'rows',
		description: 'One row for each day, endpoint, hour or month',
	},
	'One row with the total and the list of all rows',
);

const EXPECTED = {
	isIn: isCreditResult,
	problem:
		"The service's response has neither rows nor a total, so it is unknown how many credits were used",
};

/** See contract: Credit aggregation. */
export const get = perItem({
	resource: 'creditUsage',
	value: 'get',
	name: 'Get',
	action: 'Get credit usage',
	description:
		'Report how many credits the account used, over time or by endpoint. Use it to check costs.',
	parameters: [fromDate, toDate, groupBy, output],
	options: operationOptions('e.g. date, credits', [includeInputFields, timezone]),
	input: (values, itemOptions, run) => {
		const zone = readTimezone(itemOptions.timezone, run.timezone);
		const byEndpoint = values.groupBy === 'endpoint';
		// By endpoint, the result isn't split by time, so any resolution would do: `month` allows the longest range.
		const resolution = byEndpoint ? 'month' : values.groupBy;
		return {
			parts: readRange(values, zone, resolution, !byEndpoint),
			members: {
				mode: byEndpoint ? 'endpoints' : 'timely',
				resolution,
				timezone: zone,
			},
		};
	},
	send: async (client, { parts, members }) => {
		const path = PATHS.credits;
		const outcomes = parts.map(async (part): Promise<Outcome<PartResponse>> => {
			const body = { ...part, ...members };
			const { value, failure } = await client.send({
				method: 'POST',
				path,
				body,
				safeToRetry: true,
				credits: 0,
				expects: EXPECTED,
			});
			return failure === undefined ? { value: { part, response: value } } : { failure };
		});
		return mergeOutcomes(await Promise.all(outcomes));
	},
	rows: (result, values) => {
		if (values.output === 'summary') return [openRow(summaryRow(result))];
		return pointsOf(result.aggregations).map((point) => {
			const { hour, ...withoutHour } = point;
			// The hour of a day or month is always midnight.
			return openRow(values.groupBy === 'hour' || hour === undefined ? point : withoutHour);
		});
	},
	wording: { verb: 'Returned', one: 'row' },
	total: totalOf,
});

function totalOf(results: ReadonlyArray<InputResult<object, IDataObject>>): string | undefined {
	const [result, ...others] = results.filter(({ duplicate }) => !duplicate);
	const total = asCount(result?.outcome.value?.total_credits);
	// The ranges of several rows may overlap.
	return total === undefined || others.length > 0
		? undefined
		: `Total: ${pluralize(total, 'credit')}.`;
}

/** The contract doesn't show points by endpoint, so a point may be any value. */
const pointsOf = (aggregations: JsonValue): IDataObject[] =>
	Array.isArray(aggregations) ? aggregations.map(toRecord) : asObjects(aggregations);

interface PartResponse {
	readonly part: Part;
	readonly response: unknown;
}

/** If any part fails, the whole range fails, because rows from the other parts would look complete. */
function mergeOutcomes(outcomes: ReadonlyArray<Outcome<PartResponse>>): Outcome<IDataObject> {
	const failed = outcomes.flatMap(({ failure }) => (failure === undefined ? [] : [{ failure }]));
	const failure = rootCause(failed)?.failure;
	const responses = outcomes.flatMap(({ value }) => value ?? []);
	const merged = mergeAggregations(responses);
	if (failure === undefined) return { value: merged };
	if (responses.length === 0) return { failure };
	return { failure: { ...failure, details: { ...failure.details, received: merged } } };
}

/**
 * Merges the results for the parts of a range (contract: Credit aggregation result). The summed total is null rather than too
 * small if a part that isn't a miss has no total, and also if no part has a total.
 */
function mergeAggregations(responses: readonly PartResponse[]): IDataObject {
	const results = responses.map(({ part, response }) => ({
		part,
		result: creditResultIn(response),
		missed: reportedStatus(response) === 'miss',
	}));
	const [first, last] = [results[0], results.at(-1)];
	if (results.length < 2) return first?.result ?? {};
	const { result } = results.find(({ missed }) => !missed) ?? first ?? {};
	const totals = results.flatMap(({ result: { total_credits: total }, missed }) => {
		const credits = asCount(total);
		return missed && credits === undefined ? [] : [credits];
	});
	return {
		...result,
		from_date: first?.result.from_date ?? first?.part.from_date,
		to_date: last?.result.to_date ?? last?.part.to_date,
		total_credits:
			totals.length === 0 || totals.includes(undefined)
				? null
				: totals.reduce<number>((sum, credits = 0) => sum + credits, 0),
		aggregations: results.flatMap(({ result: { aggregations } }) => pointsOf(aggregations)),
	};
}
