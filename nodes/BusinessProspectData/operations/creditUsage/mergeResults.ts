import type { IDataObject } from 'n8n-workflow';
import { asCount, isObject, asObjects } from '../../core/json';
import { rootCause, type Outcome } from '../../core/outcome';

/**
 * What came of a range, out of what came of its parts: one credit aggregation result. A part is no row of its own, since
 * its total would be taken for that of the whole: where one failed, the others are in the facts of the failure.
 */
export function mergeResults(outcomes: ReadonlyArray<Outcome<unknown>>): Outcome<IDataObject> {
	const failed = outcomes.flatMap(({ failure }) => (failure === undefined ? [] : [{ failure }]));
	const failure = rootCause(failed)?.failure;
	const came = outcomes.flatMap(({ value }) => (value === undefined ? [] : [resultIn(value)]));
	if (failure === undefined) return { value: joinedResult(came) };
	if (came.length === 0) return { failure };
	return { failure: { ...failure, details: { ...failure.details, received: joinedResult(came) } } };
}

/** The result, whether it stands in `data` or by itself: the contract leaves that open. */
function resultIn(answer: unknown): IDataObject {
	if (!isObject(answer)) return {};
	return isObject(answer.data) ? answer.data : answer;
}

/** Points in order, credits summed (contract: Credit aggregation result). Where a part has no total, there is none. */
function joinedResult(results: readonly IDataObject[]): IDataObject {
	const [first = {}] = results;
	if (results.length < 2) return first;
	const totals = results.map(({ total_credits: credits }) => asCount(credits));
	return {
		...first,
		to_date: results.at(-1)?.to_date,
		total_credits: totals.includes(undefined)
			? null
			: totals.reduce<number>((sum, credits = 0) => sum + credits, 0),
		aggregations: results.flatMap(({ aggregations }) => asObjects(aggregations)),
	};
}
