/** The expected rows and error of one input item. */
import type { IDataObject } from 'n8n-workflow';
import type { ExpectedOutcome } from './expectedOutcomes';
import type { Expectation, Plan } from './expectedRequests';
import type { Message } from './messages';
import type { PartResult } from './responseModels';
import type { Item, Scenario } from './scenarios';

export interface ExpectedError {
	readonly message: Message;
	readonly hasCorrelationId: boolean;
	/** Everything in the error except its message and correlation ID. */
	readonly facts: IDataObject;
}

export interface ExpectedItem {
	/** Index of the input item. */
	readonly row: number;
	readonly rows: readonly IDataObject[];
	readonly error?: ExpectedError;
}

/** What the responses say of each value, by part. */
export type PartResults = ReadonlyMap<string, ReadonlyMap<number, PartResult>>;

type Incomplete = Exclude<PartResult, { problem?: undefined }>;

export function expectItem(
	scenario: Scenario,
	{ requests }: Plan,
	{ row, value, mark }: Pick<Item, 'row' | 'mark'> & { value: number },
	results: PartResults,
	expectation: Expectation,
	outcome: ExpectedOutcome,
): ExpectedItem {
	const { response } = scenario;
	const data = new Map<string, unknown>();
	const failedParts: string[] = [];
	let incomplete: Incomplete | undefined;
	for (const { part } of requests.filter(({ values }) => values.includes(value))) {
		const result = results.get(part)?.get(value);
		if (result === undefined) {
			if (expectation.fails(part, value)) failedParts.push(part);
			continue;
		}
		if ('data' in result) data.set(part, result.data);
		if (result.problem === undefined) continue;
		incomplete = result;
		failedParts.push(part);
		if ('rows' in result && result.rows.length > 0 && response.kind === 'dataSets') {
			const own = 'data' in result && { rows: result.data };
			data.set(part, { ...own, unassigned_rows: result.rows });
		} else if ('rows' in result && 'data' in result && response.kind === 'dataSets') {
			data.set(part, { rows: result.data });
		}
	}
	if (failedParts.length === 0) return { row, rows: response.rows(mark, data) };

	const hasData = data.size > 0;
	const received = hasData ? response.received?.(mark, data) : undefined;
	const error =
		incomplete === undefined
			? requestError(outcome, scenario, expectation.isInvalid(value))
			: incompleteError(incomplete, scenario);
	return {
		row,
		rows: response.received === undefined && hasData ? response.rows(mark, data) : [],
		error: {
			...error,
			facts: {
				...error.facts,
				...response.failureFacts?.(failedParts, hasData),
				...(received !== undefined && { received: received as IDataObject }),
			},
		},
	};
}

function requestError(
	{ failure }: ExpectedOutcome,
	{ field, response }: Scenario,
	isInvalid: boolean,
): ExpectedError {
	if (failure === undefined) throw new Error('The fault causes no failure');
	const { message, status, hasCorrelationId = false, facts } = failure;
	// A connection error has a code instead of a status.
	const hasCode =
		status === undefined && ['unreachable', 'lost', 'timeout', 'unfinished'].includes(message);
	return {
		message,
		hasCorrelationId,
		facts: {
			...(status !== undefined && { status }),
			...(hasCode && { code: expect.any(String) as string }),
			// The sandbox's own error bodies are JSON, which the error of a custom call keeps.
			...(hasCorrelationId &&
				response.kind === 'customCall' && { response: expect.any(Object) as IDataObject }),
			...(isInvalid && field !== undefined && { field }),
			...facts,
		},
	};
}

function incompleteError(result: Incomplete, { response }: Scenario): ExpectedError {
	if (result.problem === 'rowError') return rowError(result.rows);
	const rows = 'rows' in result && response.kind === 'matches' ? result.rows : [];
	return {
		message: result.problem,
		hasCorrelationId: true,
		facts: rows.length > 0 ? { unassigned_rows: [...rows] } : {},
	};
}

/** @param rows the row of a match, whose members the error keeps */
function rowError([row = {}]: readonly IDataObject[]): ExpectedError {
	const members = Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'error'));
	const facts = { ...members, reason: 'quota exceeded', error_type: 'QuotaError' };
	return { message: 'rowError', hasCorrelationId: true, facts };
}
