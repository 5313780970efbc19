import { deepCopy, jsonParse } from 'n8n-workflow';
import type { DataSet } from '../../catalog/dataSets';
import type { EntityFields } from '../../catalog/service';
import { groupBy } from '../../core/collections';
import { isObject, type JsonValue } from '../../core/json';
import type { Failure } from '../../core/outcome';
import type { BatchResult } from '../../runtime/batches';
import type { Row } from '../../runtime/output';
import { type EnrichmentInput, type EnrichmentResult, hasNoData } from './request';

type EnrichmentResults = ReadonlyArray<BatchResult<EnrichmentInput, EnrichmentResult>>;

/** The rows of an item: one per ID, with all its data sets. If one failed, the row is an error row that keeps the others. */
export function enrichmentRows(
	entity: EntityFields,
	dataSets: readonly DataSet[],
	results: EnrichmentResults,
	simplify: boolean,
): Row[] {
	const byId = groupBy(results, ({ input }) => input.id);
	if (byId.size === 0) return [emptyRow(entity, dataSets)];
	return [...byId].map(([id, parts]) => {
		const received = parts.flatMap(({ input: { dataSet }, outcome: { value } }) =>
			value === undefined ? [] : [{ dataSet, value }],
		);
		const columns = received.map(({ dataSet, value }) => [
			dataSet.key,
			outputValue(dataSet, value, simplify),
		]);
		const json = { [entity.idField]: id, ...Object.fromEntries(columns) };
		const failure = combinedFailure(parts);
		if (failure !== undefined) return { failure, ...(received.length > 0 && { received: json }) };
		const empty = received.every(({ dataSet, value }) => hasNoData(value.data, entity, dataSet));
		return { json, empty };
	});
}

/** What the output has for a data set; without `simplify`, with its response context. */
function outputValue(
	{ jsonTextFields = [] }: DataSet,
	{ data, responseContext }: EnrichmentResult,
	simplify: boolean,
): JsonValue {
	if (!simplify) return { data, response_context: deepCopy(responseContext) };
	if (!isObject(data)) return data;
	const parsed = jsonTextFields.flatMap((key) => {
		const text = data[key];
		return typeof text === 'string' ? [[key, jsonParse(text, { fallbackValue: text })]] : [];
	});
	return { ...data, ...Object.fromEntries(parsed) };
}

/** The row of an item without an ID. */
const emptyRow = (entity: EntityFields, dataSets: readonly DataSet[]): Row => ({
	json: {
		[entity.idField]: null,
		...Object.fromEntries(dataSets.map(({ key, multipleRows }) => [key, multipleRows ? [] : null])),
	},
	empty: true,
});

/** One failure for all data sets of an ID that failed. It gives each cause once, with the data sets that it affects. */
function combinedFailure(parts: EnrichmentResults): Failure | undefined {
	const failed = parts.flatMap(({ input: { dataSet }, outcome: { failure } }) =>
		failure === undefined ? [] : [{ dataSet, failure }],
	);
	const rootCauses = failed.filter(({ failure }) => failure.kind !== 'stopped');
	const reported = rootCauses.length > 0 ? rootCauses : failed;
	const [first] = reported;
	if (first === undefined) return undefined;
	const byMessage = groupBy(reported, ({ failure }) => failure.message);
	const message =
		reported.length === parts.length && byMessage.size === 1
			? first.failure.message
			: [...byMessage]
					.map(([cause, own]) => `${own.map(({ dataSet }) => dataSet.name).join(', ')}: ${cause}`)
					.join(' ');
	return {
		...first.failure,
		message,
		details: { ...first.failure.details, failed: failed.map(({ dataSet }) => dataSet.key) },
	};
}
