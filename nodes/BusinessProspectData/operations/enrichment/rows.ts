import type { IDataObject } from 'n8n-workflow';
import type { DataSet } from '../../catalog/dataSets';
import { type EntityFields, LIMITS } from '../../catalog/service';
import { getOrCreate, groupBy } from '../../core/collections';
import { isEmpty, isObject, type JsonValue, nameOf, simplifyRecord } from '../../core/json';
import type { Failure } from '../../core/outcome';
import type { InputResult } from '../../run/inputs';
import { multiOptionsParameter, noChoiceError } from '../../parameters/lists';
import { checkFields, fieldsError } from '../../parameters/options';
import type { Row, SharedFields } from '../../run/output';
import type { Parameter } from '../../parameters/parameter';
import {
	type EnrichmentInput,
	enrichmentRequest,
	type EnrichmentResult,
	hasNoData,
} from './request';

type EnrichmentResults = ReadonlyArray<InputResult<EnrichmentInput, EnrichmentResult>>;

function enrichmentRows(
	entity: EntityFields,
	dataSets: readonly DataSet[],
	results: EnrichmentResults,
	simplify: boolean,
): Row[] {
	const byId = groupBy(results, ({ input }) => input.id);
	if (byId.size === 0) return [{ json: emptyRow(entity, dataSets, simplify), empty: true }];
	const ofOneId = sharedFields(dataSets, simplify);
	const shared = byId.size > 1 ? { ...ofOneId, severalIds: true } : ofOneId;
	return [...byId].map(([id, ownResults]) => {
		const received = ownResults.flatMap(({ input: { dataSet }, outcome: { value } }) =>
			value === undefined
				? []
				: [{ dataSet, ...value, simplified: simplifyData(dataSet, value.data) }],
		);
		const rowWith = (
			valueOf: (entry: (typeof received)[number]) => JsonValue,
			addFields = addNested,
		): IDataObject => {
			const row: IDataObject = {};
			for (const entry of received) addFields(row, entry.dataSet.outputField, valueOf(entry));
			row[entity.idField] = id;
			return row;
		};
		const failure = combinedFailure(ownResults);
		if (failure !== undefined) {
			if (received.length === 0) return { failure };
			// What was received may have cost credits, so an error item keeps it.
			// Only the data sets that failed have `unassignedRows`.
			const kept = rowWith(({ data, simplified, unassignedRows }) =>
				unassignedRows === undefined
					? withSimplifiedFields(data, simplified)
					: {
							...(!isEmpty(data) && { rows: data }),
							...(unassignedRows.length > 0 && { unassigned_rows: [...unassignedRows] }),
						},
			);
			return { failure, received: { [entity.idField]: id, ...kept } };
		}
		const withContext = (row: IDataObject): IDataObject => {
			const contexts = received.map(({ dataSet, responseContext }) => [
				dataSet.outputField,
				structuredClone(responseContext),
			]);
			return { ...row, response_context: Object.fromEntries(contexts) };
		};
		return {
			json: simplify
				? rowWith(({ simplified }) => simplified, addFlat)
				: withContext(rowWith(({ data }) => data)),
			allFields: () =>
				withContext(
					rowWith(
						({ data, simplified }) => withSimplifiedFields(data, simplified),
						simplify ? addFlat : addNested,
					),
				),
			shared,
			empty: received.every(({ dataSet, data }) => hasNoData(data, entity, dataSet)),
		};
	});
}

function sharedFields(dataSets: readonly DataSet[], simplify: boolean): SharedFields {
	if (simplify) return { together: dataSets.flatMap(flatFieldsTogether) };
	const nested = dataSets.flatMap(({ outputField, parts }) =>
		parts === undefined ? [] : [[outputField, parts] as const],
	);
	return { together: [], nested: Object.fromEntries(nested) };
}

const FLAT_FIELDS_TOGETHER = new Map<DataSet, SharedFields['together']>();

/** Made once, as the names are. */
const flatFieldsTogether = (dataSet: DataSet): SharedFields['together'] =>
	getOrCreate(FLAT_FIELDS_TOGETHER, dataSet, () => {
		const { outputField, multipleRows, fields, parts = [fields.map(nameOf)] } = dataSet;
		return multipleRows
			? []
			: parts.map((names) => names.map((name) => flatName(outputField, name)));
	});

/** Changes the row instead of copying it, because it runs for every row. */
type AddFields = (row: IDataObject, dataSet: string, data: JsonValue) => void;

const addNested: AddFields = (row, dataSet, data) => {
	row[dataSet] = data;
};

/** Sheets and CRMs map only fields at the top. A list stays under one name, because it may have any number of records. */
const addFlat: AddFields = (row, dataSet, data) => {
	if (!isObject(data)) return addNested(row, dataSet, data);
	for (const name of Object.keys(data)) row[flatName(dataSet, name)] = data[name];
};

const FLAT_NAMES = new Map<string, Map<string, string>>();

/** Made once, because joining the names again for every row takes a fifth of its time. */
const flatName = (dataSet: string, name: string): string =>
	getOrCreate(
		getOrCreate(FLAT_NAMES, dataSet, () => new Map<string, string>()),
		name,
		() => `${dataSet}_${name}`,
	);

/** Null or blank data becomes an object, so that all rows have the same fields. */
function simplifyData(dataSet: DataSet, data: JsonValue): JsonValue {
	if (Array.isArray(data)) return data.map((entry) => simplifyData(dataSet, entry));
	if (!isObject(data) && !isEmpty(data)) return data;
	return simplifyRecord(isObject(data) ? data : {}, dataSet.fields);
}

const withSimplifiedFields = (data: JsonValue, simplified: JsonValue): JsonValue =>
	isObject(simplified) ? { ...simplified, ...(isObject(data) && data) } : data;

/** The row of an item that has no ID, or whose lookup finds none. */
export function emptyRow(
	entity: EntityFields,
	dataSets: readonly DataSet[],
	simplify: boolean,
): IDataObject {
	const row: IDataObject = {};
	for (const dataSet of dataSets) {
		const data = dataSet.multipleRows ? [] : null;
		if (simplify) addFlat(row, dataSet.outputField, simplifyData(dataSet, data));
		else addNested(row, dataSet.outputField, data);
	}
	row[entity.idField] = null;
	return row;
}

/**
 * Fields may name a field of a data set as `contacts_email` or `contacts.email`, whichever form the rows have. The name of a
 * data set stands for all its fields.
 *
 * @throws UserError for a field that the rows can't have
 */
function resolveFields(
	paths: readonly string[],
	dataSets: readonly DataSet[],
	simplify: boolean,
	others: readonly string[],
): string[] {
	const nested = paths.map((path) => {
		const dataSet = dataSets.find(({ outputField }) => path.startsWith(`${outputField}_`));
		if (dataSet === undefined || others.includes(path)) return path;
		const field = path.slice(dataSet.outputField.length + 1);
		if (simplify) checkSimplified(path, field, dataSet);
		return `${dataSet.outputField}.${field}`;
	});
	// Simplify leaves it out, but Fields may bring it back.
	const checked = nested.filter((path) => !/^response_context(\.|$)/.test(path));
	checkFields(checked, [...dataSets.map(({ outputField }) => outputField), ...others]);
	if (!simplify) return nested;
	return nested.flatMap((path) => {
		const [key = '', ...rest] = path.split('.');
		const dataSet = dataSets.find(({ outputField }) => outputField === key);
		if (dataSet === undefined || dataSet.multipleRows) return [path];
		if (rest.length > 0) return [`${key}_${rest.join('.')}`];
		return dataSet.fields.map((field) => `${key}_${nameOf(field)}`);
	});
}

/** With an underscore, a path names a field that Simplify shows. With a dot, it may name any. */
function checkSimplified(path: string, field: string, { outputField, ...dataSet }: DataSet): void {
	const names = dataSet.fields.map(nameOf);
	if (
		dataSet.multipleRows ||
		names.some((name) => name === field || field.startsWith(`${name}.`))
	) {
		return;
	}
	throw fieldsError(
		`is not a field of ${dataSet.name}. It has: ${names.map((name) => `${outputField}_${name}`).join(', ')}. If the service has it, use a dot: ${outputField}.${field}`,
		path,
	);
}

function combinedFailure(results: EnrichmentResults): Failure | undefined {
	const failed = results.flatMap(({ input: { dataSet }, outcome: { failure } }) =>
		failure === undefined ? [] : [{ dataSet, failure }],
	);
	const rootCauses = failed.filter(({ failure }) => failure.kind !== 'stopped');
	const causes = rootCauses.length > 0 ? rootCauses : failed;
	const [first] = causes;
	if (first === undefined) return undefined;
	const byMessage = groupBy(causes, ({ failure }) => failure.message);
	const message =
		causes.length === results.length && byMessage.size === 1
			? first.failure.message
			: [...byMessage]
					.map(([text, same]) => `${same.map(({ dataSet }) => dataSet.name).join(', ')}: ${text}`)
					.join(' ');
	return {
		...first.failure,
		message,
		details: { ...first.failure.details, failed: failed.map(({ dataSet }) => dataSet.outputField) },
	};
}

/** @param defaultValue the `value` of the data set that is chosen by default */
export function dataSetsParameter(
	dataSets: readonly DataSet[],
	defaultValue: string,
	plural: string,
): Parameter<'dataSets', DataSet[]> {
	const { name, property, read } = multiOptionsParameter({
		displayName: 'Data Sets',
		name: 'dataSets',
		type: 'multiOptions',
		default: [defaultValue],
		required: true,
		options: dataSets.map(({ name, value, description }) => ({ name, value, description })),
		description: `What to fetch. Each data set takes one request for every ${LIMITS.enrichBatch} ${plural}.`,
	});
	return {
		name,
		property,
		read: (raw) => {
			const chosen = read(raw);
			if (chosen.length === 0) throw noChoiceError(property);
			return dataSets.filter(({ value }) => chosen.includes(value));
		},
	};
}

/** @param optionsFor how to request a data set; members of `parameters` without a value aren't sent */
export function enrichmentInputs(
	ids: readonly string[],
	dataSets: readonly DataSet[],
	requestContext: IDataObject | undefined,
	optionsFor: (dataSet: DataSet) => Partial<Pick<EnrichmentInput, 'single' | 'parameters'>>,
): EnrichmentInput[] {
	const inputsWithoutId = dataSets.map((dataSet) => {
		const { single = false, parameters } = optionsFor(dataSet);
		return { dataSet, single, parameters: parameters && withoutEmpty(parameters), requestContext };
	});
	return ids.flatMap((id) => inputsWithoutId.map((input) => ({ ...input, id })));
}

function withoutEmpty(members: IDataObject): IDataObject | undefined {
	const entries = Object.entries(members).filter(([, value]) => !isEmpty(value));
	return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The members of `BatchSpec` that both Enrich operations share. */
export const sharedEnrichmentSpec = (entity: EntityFields) => ({
	requiredFields: [entity.idField],
	resolveFields: (
		paths: readonly string[],
		values: { readonly dataSets: readonly DataSet[]; readonly simplify: boolean },
		otherFields: readonly string[],
	) =>
		resolveFields(paths, values.dataSets, values.simplify, [
			...otherFields,
			entity.idField,
			...(values.simplify ? [] : ['response_context']),
		]),
	groupKey: ({ dataSet, single, parameters, requestContext }: EnrichmentInput) =>
		JSON.stringify([dataSet.value, single, parameters, requestContext]),
	key: ({ id }: EnrichmentInput) => id,
	maxBatchSize: ({ single }: EnrichmentInput) => (single ? 1 : LIMITS.enrichBatch),
	inputMember: ({ dataSet, single }: EnrichmentInput) =>
		single && dataSet.singlePath !== undefined ? entity.idField : entity.idsField,
	send: enrichmentRequest(entity),
	rows: (
		results: EnrichmentResults,
		values: { readonly dataSets: readonly DataSet[]; readonly simplify: boolean },
	) => enrichmentRows(entity, values.dataSets, results, values.simplify),
});
