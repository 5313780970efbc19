import type { IDataObject } from 'n8n-workflow';
import { countOf, objectsIn } from '../../api/json';
import type { Resolution } from '../../catalog/limits';
import { CREDIT_RANGES } from '../../catalog/limits';
import type { Moment } from '../../runtime/dates';

/** A part of a range; `to` is the last moment that belongs to it. */
export interface Part {
	readonly from: Moment;
	readonly to: Moment;
}

/** Whether a range is longer than the service takes in so many requests (contract: Limits, aggregation range). */
export const isTooLong = (
	from: Moment,
	to: Moment,
	resolution: Resolution,
	requests = 1,
): boolean => {
	const longest: { hours?: number; years?: number } = CREDIT_RANGES[resolution];
	const { hours = 0, years = 0 } = longest;
	return to > from.plus({ hours: hours * requests, years: years * requests });
};

/**
 * Cuts a range into parts that the service takes, at bucket starts of the zone in which `from` is. A part ends a
 * millisecond before the next begins: however the service counts ends, no bucket is in two parts.
 */
export function partsOf(from: Moment, to: Moment, resolution: Resolution): Part[] {
	const parts: Part[] = [];
	let start = from;
	while (isTooLong(start, to, resolution)) {
		const next = start.plus(CREDIT_RANGES[resolution]).startOf(resolution);
		parts.push({ from: start, to: next.minus(1) });
		start = next;
	}
	return [...parts, { from: start, to }];
}

/**
 * One answer out of those of the parts: points in order, credits summed (contract: Credit aggregation result). Where a
 * part has no total, there is none.
 */
export function joined(answers: readonly IDataObject[]): IDataObject {
	const [first = {}] = answers;
	if (answers.length < 2) return first;
	const totals = answers.map(({ total_credits: credits }) => countOf(credits));
	return {
		...first,
		to_date: answers.at(-1)?.to_date,
		total_credits: totals.includes(undefined)
			? null
			: totals.reduce<number>((sum, credits = 0) => sum + credits, 0),
		aggregations: answers.flatMap(({ aggregations }) => objectsIn(aggregations)),
	};
}
