import type { IDataObject } from 'n8n-workflow';
import type { Client, SkipIf } from '../../api/client';
import { isEmpty, isObject, type JsonValue } from '../../core/json';
import type { Failure, Outcome } from '../../core/outcome';
import { requestStatus } from '../../api/responseBody';
import { groupBulkRows, unassignedRowsFailure } from '../../runtime/bulkRows';
import { CHARGED } from '../../api/responseRules';
import type { DataSet } from '../../catalog/dataSets';
import type { Entity } from '../../catalog/entities';
import { LIMITS } from '../../catalog/service';
import type { BatchResult } from '../../runtime/batches';
import { enrichmentRows, hasNoData } from './rows';

/** One data set of one prospect or business. */
export interface EnrichmentInput {
	readonly dataSet: DataSet;
	readonly id: string;
	/** One at a time, through the endpoint for one where there is one. */
	readonly single: boolean;
	readonly parameters?: IDataObject;
	readonly requestContext?: IDataObject;
}

/** What came for one data set: its data (a list for those of several rows) and the answer's `response_context`. */
export interface EnrichmentResult {
	readonly data: JsonValue;
	readonly responseContext: JsonValue;
}

/**
 * The asks of an item: each of its ids for each of its data sets.
 *
 * @param mannerOf how a data set is asked for; members of `parameters` without a value are not sent
 */
export function enrichmentInputs(
	ids: readonly string[],
	dataSets: readonly DataSet[],
	requestContext: IDataObject | undefined,
	mannerOf: (dataSet: DataSet) => Partial<Pick<EnrichmentInput, 'single' | 'parameters'>>,
): EnrichmentInput[] {
	const parts = dataSets.map((dataSet) => {
		const { single = false, parameters } = mannerOf(dataSet);
		return { dataSet, single, parameters: parameters && filled(parameters), requestContext };
	});
	return ids.flatMap((id) => parts.map((part) => ({ ...part, id })));
}

/** The members that have a value; undefined when none has. */
function filled(members: IDataObject): IDataObject | undefined {
	const some = Object.entries(members).filter(([, value]) => !isEmpty(value));
	return some.length === 0 ? undefined : Object.fromEntries(some);
}

/** How the asks of an enrichment become requests, and the answers rows, for either kind of entity. */
export const enrichmentBatchFunctions = (entity: Entity) => ({
	identifiers: [entity.id],
	rowFields: ({ dataSets }: { readonly dataSets: readonly DataSet[] }) => [
		entity.id,
		...dataSets.map(({ key }) => key),
	],
	group: ({ dataSet, single: alone, parameters, requestContext }: EnrichmentInput) =>
		JSON.stringify([dataSet.value, alone, parameters, requestContext]),
	key: ({ id }: EnrichmentInput) => id,
	maxBatchSize: ({ single: alone }: EnrichmentInput) => (alone ? 1 : LIMITS.enrich),
	listMember: ({ dataSet, single: alone }: EnrichmentInput) =>
		alone && dataSet.singlePath !== undefined ? entity.id : entity.ids,
	send: async (client: Client, asks: readonly EnrichmentInput[], skipIf: SkipIf) =>
		await send(client, entity, asks, skipIf),
	rows: (
		answered: ReadonlyArray<BatchResult<EnrichmentInput, EnrichmentResult>>,
		values: { readonly dataSets: readonly DataSet[]; readonly simplify: boolean },
	) => enrichmentRows(entity, values.dataSets, answered, values.simplify),
});

async function send(
	client: Client,
	entity: Entity,
	asks: readonly EnrichmentInput[],
	skipIf: SkipIf,
): Promise<Outcome<ReadonlyArray<Outcome<EnrichmentResult>>>> {
	const [first] = asks;
	if (first === undefined) return { value: [] };
	const { dataSet, single: alone, parameters, requestContext } = first;
	const ids = asks.map(({ id }) => id);
	const single = alone ? dataSet.singlePath : undefined;

	const { value, failure } = await client.send(
		{
			method: 'POST',
			path: single ?? dataSet.path,
			body: {
				...(single === undefined ? { [entity.ids]: ids } : { [entity.id]: first.id }),
				parameters,
				request_context: requestContext,
			},
			recordIds: ids,
			idempotent: false,
		},
		skipIf,
	);
	if (failure !== undefined) return { failure };

	const { data, response_context: responseContext } = isObject(value) ? value : {};
	const missed = requestStatus(value) === 'miss';
	const hasRows = typeof data === 'object' && data !== null;
	if (!missed && !(single === undefined ? hasRows : data !== undefined)) {
		return { value: ids.map(() => ({ failure: NO_DATA })) };
	}
	if (single !== undefined) return { value: [{ value: { data: data ?? null, responseContext } }] };

	const {
		byId,
		unassigned: nobodys,
		unexpected: foreign,
	} = groupBulkRows(data, entity.id, ids, dataSet.multipleRows ?? false);
	const mayHaveNone = missed || dataSet.multipleRows;
	return {
		value: ids.map((id) => {
			const own = (byId.get(id) ?? []).map((row) => row.data);
			if (own.length === 0 && (nobodys.length > 0 || !mayHaveNone)) {
				const failure = nobodys.length > 0 ? unassignedRowsFailure(nobodys.length) : LEFT_OUT;
				const unassigned = [...nobodys, ...foreign];
				if (unassigned.length === 0) return { failure };
				// They were paid for: the error item keeps them.
				return { value: { data: { unassigned_rows: unassigned }, responseContext }, failure };
			}
			const withData = own.filter((part) => !hasNoData(part, entity, dataSet));
			return {
				value: {
					data: dataSet.multipleRows ? withData : (withData[0] ?? own[0] ?? null),
					responseContext,
				},
			};
		}),
	};
}

const NO_DATA: Failure = {
	kind: 'unreadable',
	message: `The answer of the service has no data in it. ${CHARGED} Run the row again.`,
};

const LEFT_OUT: Failure = {
	kind: 'unreadable',
	message: `The answer of the service leaves this ID out, so it is unknown whether there is data for it. ${CHARGED} Run the row again.`,
};
