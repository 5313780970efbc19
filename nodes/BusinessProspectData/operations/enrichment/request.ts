import type { IDataObject } from 'n8n-workflow';
import { MAYBE_CHARGED } from '../../api/responseRules';
import {
	correlationIdOf,
	parseRowError,
	type Redact,
	reportedStatus,
	type RowError,
	rowErrorFailure,
} from '../../api/responseBody';
import { type DataSet, priceOf } from '../../catalog/dataSets';
import type { EntityFields } from '../../catalog/service';
import { asText, isEmpty, isObject, type JsonValue } from '../../core/json';
import type { Failure, Outcome } from '../../core/outcome';
import type { SendInputs } from '../../run/batches';
import { formatNumber } from '../../core/text';

export interface EnrichmentInput {
	readonly dataSet: DataSet;
	readonly id: string;
	/** True to send one ID per request, through the single-ID endpoint if the data set has one. */
	readonly single: boolean;
	/** The member `parameters` of the request body. */
	readonly parameters?: IDataObject;
	/** Parameters that the request leaves to the service: last month. */
	readonly period?: IDataObject | undefined;
}

export interface EnrichmentResult {
	readonly data: JsonValue;
	/**
	 * Rows with data that could not be assigned to a requested ID. Set only if the input failed. To save memory, only the first
	 * failed input of a request has the rows; for the others, the list is empty.
	 */
	readonly unassignedRows?: readonly IDataObject[];
	readonly responseContext: JsonValue;
}

const LEFT_OUT: Failure = {
	kind: 'unreadable',
	message: `The service's response doesn't include this ID, so it is unknown whether there is data for it. ${MAYBE_CHARGED} Run the row again.`,
};

/** Expects inputs that differ only in `id`. */
export const enrichmentRequest =
	(entity: EntityFields): SendInputs<EnrichmentInput, EnrichmentResult> =>
	async (client, inputs, skipIf) => {
		const [{ dataSet, single, parameters, id }] = inputs;
		const ids = inputs.map((input) => input.id);
		const singlePath = single ? dataSet.singlePath : undefined;
		const isBulk = singlePath === undefined;
		const { value: response, failure } = await client.send(
			{
				method: 'POST',
				path: singlePath ?? dataSet.path,
				body: { ...(isBulk ? { [entity.idsField]: ids } : { [entity.idField]: id }), parameters },
				records: ids.length,
				credits: ids.length * (priceOf(dataSet, single) ?? 1),
				// A single-ID endpoint may send null for a prospect without data. A bulk endpoint sends rows.
				expects: {
					isIn: (body) =>
						isObject(body) && (isBulk ? typeof (body.data ?? '') === 'object' : 'data' in body),
					problem: "The service's response has no data",
				},
				safeToRetry: false,
			},
			skipIf,
		);
		if (failure !== undefined) return { failure };
		const body = isObject(response) ? response : {};
		const requested = { entity, dataSet, redact: client.redact };
		if (isBulk) return { value: bulkOutcomes(body, ids, requested) };
		const { data = null, response_context: responseContext } = body;
		const error = rowErrorOf(body, requested);
		if (error === undefined) {
			return { value: { outcomeOf: () => ({ value: { data, responseContext } }) } };
		}
		const correlationId = correlationIdOf(body, client.redact);
		return { failure: { ...rowErrorFailure(error), correlationId } };
	};

interface RequestedData {
	readonly entity: EntityFields;
	readonly dataSet: DataSet;
	readonly redact: Redact;
}

function bulkOutcomes(body: IDataObject, ids: readonly string[], requested: RequestedData) {
	const { entity, dataSet, redact } = requested;
	const { multipleRows = false } = dataSet;
	const { data: list, response_context: responseContext } = body;
	const correlationId = correlationIdOf(body, redact);
	const { byId, withoutId, unexpected } = groupBulkRows(list, entity.idField, ids, multipleRows);
	// An error item keeps these rows, because they may have been paid for.
	let unassignedRows = [...withoutId, ...unexpected];
	// An ID without rows can be normal after a miss, and in data sets where an ID may have several rows. If some rows are
	// unassigned, however, they may be the missing ones.
	const noRowsIsNormal =
		(multipleRows || reportedStatus(body) === 'miss') && unassignedRows.length === 0;

	return {
		outcomeOf({ id }: EnrichmentInput): Outcome<EnrichmentResult> {
			const rows = byId.get(id) ?? [];
			const [error] = rows.flatMap((row) => rowErrorOf(row, requested) ?? []);
			const withData = rows.flatMap(({ data }) => (hasNoData(data, entity, dataSet) ? [] : [data]));
			const data = multipleRows ? withData : (withData[0] ?? rows[0]?.data ?? null);
			const value = { data, responseContext };
			if (error !== undefined) {
				const failure = { ...rowErrorFailure(error), correlationId };
				return withData.length === 0 ? { failure } : { value, failure };
			}
			// Where an ID may have several rows, a row without an ID may belong to an ID that already has rows.
			const mayLackRows =
				rows.length === 0 ? !noRowsIsNormal : multipleRows && withoutId.length > 0;
			if (!mayLackRows) return { value };
			const cause = withoutId.length > 0 ? rowsWithoutIdFailure(withoutId.length) : LEFT_OUT;
			const failure = { ...cause, correlationId };
			const kept = unassignedRows;
			unassignedRows = [];
			return kept.length === 0 && isEmpty(data)
				? { failure }
				: { value: { ...value, unassignedRows: kept }, failure };
		},
	};
}

export function hasNoData(
	data: JsonValue,
	{ idField }: EntityFields,
	{ alwaysFilledFields = [] }: DataSet,
): boolean {
	if (!isObject(data)) return isEmpty(data);
	const uninformative = [idField, ...ERROR_FIELDS, ...alwaysFilledFields];
	return Object.keys(data).every((key) => uninformative.includes(key) || isEmpty(data[key]));
}

const ERROR_FIELDS = ['error', 'error_type'];

/** The error that a row reports, either in the row itself or as the only content of its data. */
function rowErrorOf(
	row: IDataObject,
	{ entity, dataSet, redact }: RequestedData,
): RowError | undefined {
	const { data } = row;
	const inData =
		isObject(data) && hasNoData(data, entity, dataSet) ? parseRowError(data, redact) : undefined;
	return parseRowError(row, redact) ?? inData;
}

interface BulkRows {
	readonly byId: ReadonlyMap<string, IDataObject[]>;
	/** Unassigned rows with data or an error, but without an ID. */
	readonly withoutId: readonly IDataObject[];
	/** Rows with data or an error, and with an ID that wasn't requested. */
	readonly unexpected: readonly IDataObject[];
}

/**
 * Groups the rows `{ <idField>, data }` of a bulk response by ID (contract: Bulk business row, Bulk prospect row). Also accepts a
 * single row instead of the list, and data that isn't wrapped in a row. Rows without an ID belong to the only requested ID, or
 * are assigned by position, where that is unambiguous.
 *
 * @param data the member `data` of the response
 * @param multipleRows true if an ID may have several rows
 */
export function groupBulkRows(
	data: unknown,
	idField: string,
	ids: readonly string[],
	multipleRows: boolean,
): BulkRows {
	const list: unknown[] = Array.isArray(data) ? data : [data];
	const rows = list.map((row) => {
		if (!isObject(row)) return {};
		if ('data' in row) return row;
		const { error, error_type: errorType, ...fields } = row;
		return { [idField]: row[idField], error, error_type: errorType, data: fields };
	});
	const idOf = (row: IDataObject) => {
		const idInData = isObject(row.data) ? row.data[idField] : undefined;
		return (asText(row[idField]) ?? asText(idInData))?.trim().toLowerCase();
	};
	const noneHasId = rows.every((row) => idOf(row) === undefined);
	const byPosition = noneHasId && !multipleRows && rows.length === ids.length;
	// With one row per ID, a row without an ID isn't presumed to be the requested one if another row has an ID.
	const onlyId = ids.length === 1 && (noneHasId || multipleRows) ? ids[0] : undefined;

	const byId = new Map<string, IDataObject[]>(ids.map((id) => [id, []]));
	const withoutId: IDataObject[] = [];
	const unexpected: IDataObject[] = [];
	rows.forEach((row: IDataObject, index) => {
		if (!('data' in row)) return;
		const id = idOf(row) ?? onlyId ?? (byPosition ? ids[index] : undefined);
		const own = byId.get(id ?? '');
		if (own !== undefined) own.push(row);
		else if (![row.data, row.error, row.error_type].every(isEmpty))
			(id === undefined ? withoutId : unexpected).push(row);
	});
	for (const [id, own] of byId) if (own.length > 1) byId.set(id, withoutDuplicates(own));
	return { byId, withoutId, unexpected };
}

function rowsWithoutIdFailure(count: number): Failure {
	const rows =
		count === 1
			? '1 row of the response has no ID, so it is unclear which of your rows it belongs to.'
			: `${formatNumber(count)} rows of the response have no ID, so it is unclear which of your rows they belong to.`;
	return {
		kind: 'unreadable',
		message: `${rows} ${MAYBE_CHARGED} To avoid this, set Batch Size to 1 under Options.`,
	};
}

function withoutDuplicates(rows: readonly IDataObject[]): IDataObject[] {
	const byJson = new Map<string, IDataObject>();
	for (const row of rows) {
		const json = JSON.stringify([row.data, row.error, row.error_type]);
		if (!byJson.has(json)) byJson.set(json, row);
	}
	return [...byJson.values()];
}
