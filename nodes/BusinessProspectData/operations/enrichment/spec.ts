import type { IDataObject } from 'n8n-workflow';
import type { DataSet } from '../../catalog/dataSets';
import { type EntityFields, LIMITS } from '../../catalog/service';
import { isEmpty } from '../../core/json';
import type { InputResult } from '../../runtime/batches';
import { multiOptionsParameter, noChoiceError } from '../../runtime/lists';
import type { Parameter } from '../../runtime/parameters';
import type { Price } from '../../runtime/spending';
import { type EnrichmentInput, enrichmentRequest, type EnrichmentResult } from './request';
import { enrichmentRows } from './rows';

/**
 * The parameter Data Sets. It requires at least one choice and reads the chosen entries of `dataSets`.
 *
 * @param initial the saved value of the default
 * @param plural the plural noun for the entities
 */
export function dataSetsParameter(
	dataSets: readonly DataSet[],
	initial: string,
	plural: string,
): Parameter<'dataSets', DataSet[]> {
	const { name, property, read } = multiOptionsParameter({
		displayName: 'Data Sets',
		name: 'dataSets',
		type: 'multiOptions',
		default: [initial],
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

/**
 * The inputs of an item: each of its IDs with each of its data sets.
 *
 * @param optionsFor how to request a data set; members of `parameters` without a value are not sent
 */
export function enrichmentInputs(
	ids: readonly string[],
	dataSets: readonly DataSet[],
	requestContext: IDataObject | undefined,
	optionsFor: (dataSet: DataSet) => Partial<Pick<EnrichmentInput, 'single' | 'parameters'>>,
): EnrichmentInput[] {
	const parts = dataSets.map((dataSet) => {
		const { single = false, parameters } = optionsFor(dataSet);
		return { dataSet, single, parameters: parameters && withoutEmpty(parameters), requestContext };
	});
	return ids.flatMap((id) => parts.map((part) => ({ ...part, id })));
}

/** The members that have a value; undefined if none has. */
function withoutEmpty(members: IDataObject): IDataObject | undefined {
	const entries = Object.entries(members).filter(([, value]) => !isEmpty(value));
	return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** How inputs become requests, and results become rows, for one kind of entity. */
export const sharedEnrichmentSpec = (entity: EntityFields) => ({
	identifiers: [entity.idField],
	rowFields: ({ dataSets }: { readonly dataSets: readonly DataSet[] }) => [
		entity.idField,
		...dataSets.map(({ outputField }) => outputField),
		'response_context',
	],
	groupKey: ({ dataSet, single, parameters, requestContext }: EnrichmentInput) =>
		JSON.stringify([dataSet.value, single, parameters, requestContext]),
	key: ({ id }: EnrichmentInput) => id,
	maxBatchSize: ({ single }: EnrichmentInput) => (single ? 1 : LIMITS.enrichBatch),
	inputMember: ({ dataSet, single }: EnrichmentInput) =>
		single && dataSet.singlePath !== undefined ? entity.idField : entity.idsField,
	price: ({ dataSet }: EnrichmentInput): Price => ({ unpriced: dataSet.name }),
	send: enrichmentRequest(entity),
	rows: (
		results: ReadonlyArray<InputResult<EnrichmentInput, EnrichmentResult>>,
		values: { readonly dataSets: readonly DataSet[]; readonly simplify: boolean },
	) => enrichmentRows(entity, values.dataSets, results, values.simplify),
});
