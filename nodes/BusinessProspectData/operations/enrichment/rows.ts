import type { IDataObject } from 'n8n-workflow';
import { answerKey, answerKeys, CONTACTS, type DataSet, priceOf } from '../../catalog/dataSets';
import { type EntityFields, LIMITS } from '../../catalog/service';
import { groupBy } from '../../core/collections';
import { isEmpty, isObject, type JsonValue, nameOf } from '../../core/json';
import type { Failure } from '../../core/outcome';
import type { InputResult } from '../../run/inputs';
import { multiOptionsParameter, noChoiceError } from '../../parameters/lists';
import type { Row } from '../../fields/row';
import type { Parameter } from '../../parameters/parameter';
import {
	type EnrichmentInput,
	enrichmentRequest,
	type EnrichmentResult,
	hasNoData,
} from './request';

type EnrichmentResults = ReadonlyArray<InputResult<EnrichmentInput, EnrichmentResult>>;

export function enrichmentRows(entity: EntityFields, results: EnrichmentResults): Row[] {
	return [...groupBy(results, ({ input }) => input.id)].map(([id, ownResults]) => {
		const received = ownResults.flatMap(({ input: { dataSet }, outcome: { value } }) =>
			value === undefined ? [] : [{ dataSet, ...value }],
		);
		const failure = combinedFailure(ownResults);
		if (failure !== undefined) {
			if (received.length === 0) return { failure };
			// An error item keeps the data that was received: it may have cost credits.
			const kept = received.map(({ dataSet, data, unassignedRows }) => [
				dataSet.outputField,
				// Only the data sets that failed have `unassignedRows`.
				unassignedRows === undefined
					? data
					: {
							...(!isEmpty(data) && { rows: data }),
							...(unassignedRows.length > 0 && { unassigned_rows: [...unassignedRows] }),
						},
			]);
			return { failure, received: { [entity.idField]: id, ...Object.fromEntries(kept) } };
		}
		const contexts = received.map(({ dataSet, responseContext }) => [
			dataSet.outputField,
			responseContext,
		]);
		const withData = received.filter(({ dataSet, data }) => !hasNoData(data, entity, dataSet));
		return {
			state: withData.length > 0 ? 'found' : 'empty',
			records: {
				...Object.fromEntries(withData.map(({ dataSet, data }) => [dataSet.value, data])),
				[entity.idField]: id,
				responseContext: Object.fromEntries(contexts),
			},
		};
	});
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

/** None is chosen at first, so that none is paid for by mistake. */
export function dataSetsParameter(
	dataSets: readonly DataSet[],
	plural: string,
): Parameter<'dataSets', DataSet[]> {
	const { name, property, read } = multiOptionsParameter({
		displayName: 'Data Sets',
		name: 'dataSets',
		type: 'multiOptions',
		default: [],
		required: true,
		builderHint: {
			propertyHint: 'Choose only what is needed: each data set is paid for, for each ID.',
		},
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
	optionsFor: (
		dataSet: DataSet,
	) => Partial<Pick<EnrichmentInput, 'single' | 'parameters' | 'period'>>,
): EnrichmentInput[] {
	const inputsWithoutId = dataSets.map((dataSet) => {
		const { single = false, parameters, period } = optionsFor(dataSet);
		return { dataSet, single, parameters: parameters && withoutEmpty(parameters), period };
	});
	return ids.flatMap((id) => inputsWithoutId.map((input) => ({ ...input, id })));
}

function withoutEmpty(members: IDataObject): IDataObject | undefined {
	const entries = Object.entries(members).filter(([, value]) => !isEmpty(value));
	return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Contact details of one type; the others are null, as the service sends them. */
function ownPart(data: JsonValue, { contactTypes, fields, members }: DataSet): JsonValue {
	if (contactTypes === undefined || !isObject(data)) return data;
	const own = [...fields, ...members].map(nameOf);
	return Object.fromEntries(
		Object.entries(data).map(([name, value]) => [name, own.includes(name) ? value : null]),
	);
}

/** False for what somebody may have written into the table by hand. */
const isAnswer = (data: JsonValue, { multipleRows = false }: DataSet): boolean =>
	multipleRows ? Array.isArray(data) : data === null || isObject(data);

/** The members of `BatchSpec` that both Enrich operations share. */
export const sharedEnrichmentSpec = (entity: EntityFields) => ({
	groupKey: ({ dataSet, single, parameters }: EnrichmentInput) =>
		JSON.stringify([dataSet.value, single, parameters]),
	key: ({ id }: EnrichmentInput) => id,
	maxBatchSize: ({ single }: EnrichmentInput) => (single ? 1 : LIMITS.enrichBatch),
	inputMember: ({ dataSet, single }: EnrichmentInput) =>
		single && dataSet.singlePath !== undefined ? entity.idField : entity.idsField,
	send: enrichmentRequest(entity),
	priceOf: ({ dataSet, single }: EnrichmentInput) => ({
		name: dataSet.name,
		credits: priceOf(dataSet, single),
	}),
	canRemember: true,
	remembered: {
		key: ({ dataSet, parameters, period, single, id }: EnrichmentInput) =>
			answerKey(dataSet, id, { ...parameters, ...period, single }),
		alsoIn: ({ dataSet, id }: EnrichmentInput) =>
			dataSet.contactTypes === undefined ? [] : answerKeys(CONTACTS, id),
		read: (value: unknown, { dataSet }: EnrichmentInput): EnrichmentResult | undefined =>
			isObject(value) && isAnswer(value.data, dataSet)
				? { data: ownPart(value.data, dataSet), responseContext: value.responseContext }
				: undefined,
	},
});
