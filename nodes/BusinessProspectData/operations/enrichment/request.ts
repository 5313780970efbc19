import type { IDataObject } from 'n8n-workflow';
import type { Client, SkipIf } from '../../api/client';
import { MAYBE_CHARGED } from '../../api/responseRules';
import { correlationIdOf, requestStatus } from '../../api/responseBody';
import type { DataSet } from '../../catalog/dataSets';
import type { EntityFields } from '../../catalog/service';
import { isEmpty, isObject, type JsonValue } from '../../core/json';
import type { Failure, Outcome } from '../../core/outcome';
import { groupBulkRows, unassignedRowsFailure } from './bulkRows';

/** One data set of one prospect or business. */
export interface EnrichmentInput {
	readonly dataSet: DataSet;
	readonly id: string;
	/** Sends one ID per request, through the single-ID endpoint if the data set has one. */
	readonly single: boolean;
	/** The member `parameters` of the request body without empty values. */
	readonly parameters?: IDataObject;
	readonly requestContext?: IDataObject;
}

/** The data of one data set (a list if it has several rows) and the `response_context` of its response. */
export interface EnrichmentResult {
	readonly data: JsonValue;
	readonly responseContext: JsonValue;
}

const NO_DATA: Failure = {
	kind: 'unreadable',
	message: `The service's response contains no data. ${MAYBE_CHARGED} Run the row again.`,
};

const LEFT_OUT: Failure = {
	kind: 'unreadable',
	message: `The service's response doesn't include this ID, so it is unknown whether there is data for it. ${MAYBE_CHARGED} Run the row again.`,
};

/** Creates the function that requests one data set of several IDs: an outcome for each input, in their order. */
export const enrichmentRequest =
	(entity: EntityFields) =>
	async (
		client: Client,
		inputs: readonly EnrichmentInput[],
		skipIf: SkipIf,
	): Promise<Outcome<ReadonlyArray<Outcome<EnrichmentResult>>>> => {
		const [first] = inputs;
		if (first === undefined) return { value: [] };
		const { dataSet, single, parameters, requestContext } = first;
		const ids = inputs.map(({ id }) => id);
		const singlePath = single ? dataSet.singlePath : undefined;

		const { value: response, failure } = await client.send(
			{
				method: 'POST',
				path: singlePath ?? dataSet.path,
				body: {
					...(singlePath === undefined
						? { [entity.idsField]: ids }
						: { [entity.idField]: first.id }),
					parameters,
					request_context: requestContext,
				},
				recordLabels: ids,
				safeToRetry: false,
			},
			skipIf,
		);
		if (failure !== undefined) return { failure };

		const { data, response_context: responseContext } = isObject(response) ? response : {};
		const correlationId = correlationIdOf(response, client.redact);
		const missed = requestStatus(response) === 'miss';
		const hasRows = typeof data === 'object' && data !== null;
		if (!missed && !(singlePath === undefined ? hasRows : data !== undefined)) {
			return { value: ids.map(() => ({ failure: { ...NO_DATA, correlationId } })) };
		}
		if (singlePath !== undefined) {
			return { value: [{ value: { data: data ?? null, responseContext } }] };
		}

		const { multipleRows = false } = dataSet;
		const { byId, unassigned, unexpected } = groupBulkRows(data, entity.idField, ids, multipleRows);
		const mayHaveNoRows = unassigned.length === 0 && (missed || multipleRows);
		const noRow = unassigned.length > 0 ? unassignedRowsFailure(unassigned.length) : LEFT_OUT;
		// These rows were paid for, so the error items keep them.
		const otherRows = [...unassigned, ...unexpected];

		const outcomeOf = (id: string): Outcome<EnrichmentResult> => {
			const rows = (byId.get(id) ?? []).map((row) => row.data);
			if (rows.length === 0 && !mayHaveNoRows) {
				const missing = { ...noRow, correlationId };
				if (otherRows.length === 0) return { failure: missing };
				const received = { unassigned_rows: otherRows };
				return { value: { data: received, responseContext }, failure: missing };
			}
			const withData = rows.filter((row) => !hasNoData(row, entity, dataSet));
			const [best = rows[0] ?? null] = withData;
			return { value: { data: multipleRows ? withData : best, responseContext } };
		};
		return { value: ids.map(outcomeOf) };
	};

/** Whether data is empty, apart from fields that have a value even then. */
export function hasNoData(
	data: JsonValue,
	{ idField }: EntityFields,
	{ alwaysFilledFields = [] }: DataSet,
): boolean {
	if (!isObject(data)) return isEmpty(data);
	return Object.keys(data).every(
		(key) => key === idField || alwaysFilledFields.includes(key) || isEmpty(data[key]),
	);
}
