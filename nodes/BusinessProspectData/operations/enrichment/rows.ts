import { deepCopy, jsonParse } from 'n8n-workflow';
import { groupBy } from '../../core/collections';
import { isEmpty, isObject, type JsonValue } from '../../core/json';
import type { Failure } from '../../core/outcome';
import type { Entity } from '../../catalog/entities';
import type { DataSet } from '../../catalog/dataSets';
import type { BatchResult } from '../../runtime/batches';
import type { Row } from '../../runtime/output';
import type { EnrichmentResult, EnrichmentInput } from './batches';

/**
 * The rows of an item: one for each id, with all its data sets. Where a data set failed, the row is an error row that
 * keeps what was received.
 */
export function enrichmentRows(
	entity: Entity,
	dataSets: readonly DataSet[],
	answered: ReadonlyArray<BatchResult<EnrichmentInput, EnrichmentResult>>,
	simplify: boolean,
): Row[] {
	const byId = groupBy(answered, ({ input: ask }) => ask.id);
	if (byId.size === 0) return [blankRow(entity, dataSets)];
	return [...byId].map(([id, parts]) => {
		const failed = parts.filter(({ outcome }) => outcome.failure !== undefined);
		const received = parts.filter(({ outcome }) => outcome.value !== undefined);
		const row = {
			[entity.id]: id,
			...Object.fromEntries(
				received.map(({ input: ask, outcome }) => [
					ask.dataSet.key,
					shape(ask.dataSet, outcome.value, simplify),
				]),
			),
		};
		const failure = joined(failed, parts.length);
		if (failure !== undefined) return { failure, ...(received.length > 0 && { received: row }) };
		return {
			json: row,
			empty: received.every(({ input: ask, outcome }) =>
				hasNoData(outcome.value?.data, entity, ask.dataSet),
			),
		};
	});
}

function shape(
	{ jsonTextFields: jsonText = [] }: DataSet,
	answer: EnrichmentResult | undefined,
	simplify: boolean,
): JsonValue {
	if (answer === undefined) return undefined;
	const { data, responseContext } = answer;
	if (!simplify) return { data, response_context: deepCopy(responseContext) };
	if (!isObject(data)) return data;
	const texts = jsonText.flatMap((key) => {
		const text = data[key];
		return typeof text === 'string' ? [[key, jsonParse(text, { fallbackValue: text })]] : [];
	});
	return { ...data, ...Object.fromEntries(texts) };
}

const blankRow = (entity: Entity, dataSets: readonly DataSet[]): Row => ({
	json: {
		[entity.id]: null,
		...Object.fromEntries(
			dataSets.map(({ key, multipleRows: several }) => [key, several ? [] : null]),
		),
	},
	empty: true,
});

/** What only says whom the data are about, and for when, counts for nothing. */
export function hasNoData(
	data: JsonValue,
	{ id }: Entity,
	{ contextFields: about = [] }: DataSet,
): boolean {
	if (!isObject(data)) return isEmpty(data);
	const aside = [id, ...about];
	return Object.keys(data).every((key) => aside.includes(key) || isEmpty(data[key]));
}

/** One failure for all data sets of an id that failed; each cause is told once, with the data sets that it hit. */
function joined(
	failed: ReadonlyArray<BatchResult<EnrichmentInput, EnrichmentResult>>,
	asked: number,
): Failure | undefined {
	const real = failed.filter(({ outcome }) => outcome.failure?.kind !== 'stopped');
	const told = real.length > 0 ? real : failed;
	const causes = groupBy(told, ({ outcome }) => outcome.failure?.message ?? '');
	const first = told[0]?.outcome.failure;
	if (first === undefined) return undefined;
	const message =
		told.length === asked && causes.size === 1
			? first.message
			: [...causes]
					.map(
						([cause, parts]) =>
							`${parts.map(({ input: ask }) => ask.dataSet.name).join(', ')}: ${cause}`,
					)
					.join(' ');
	return {
		...first,
		message,
		details: { ...first.details, failed: failed.map(({ input: ask }) => ask.dataSet.key) },
	};
}
