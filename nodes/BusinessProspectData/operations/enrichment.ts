import { type IDataObject, type INodeProperties, jsonParse } from 'n8n-workflow';
import type { Client } from '../api/client';
import { groupBy, isEmpty, isObject, type JsonValue } from '../api/json';
import type { Failure, Outcome } from '../api/outcome';
import { rowsById } from '../api/rows';
import type { Enrichment } from '../catalog/enrichments';
import type { Entity } from '../catalog/entities';
import { LIMITS } from '../catalog/limits';
import type { Answered } from '../runtime/operation';
import type { Row } from '../runtime/output';
import { choices } from '../runtime/lists';
import { refusal } from '../runtime/parameters';

/** One data set of one prospect or business. */
export interface EnrichmentAsk {
	readonly dataSet: Enrichment;
	readonly id: string;
	/** One at a time, through the endpoint for one where there is one. */
	readonly alone: boolean;
	readonly parameters?: IDataObject;
	readonly requestContext?: IDataObject;
}

/** What came for one data set: its data (a list for those of several rows) and the answer's `response_context`. */
export interface EnrichmentAnswer {
	readonly data: JsonValue;
	readonly responseContext: JsonValue;
}

/** The data sets that an item asks for. Throws when there is none. */
export function chosenFrom(
	enrichments: readonly Enrichment[],
	chosen: readonly string[],
	property: INodeProperties,
): Enrichment[] {
	if (chosen.length === 0) throw refusal(property, 'choose at least one.');
	return enrichments.filter(({ value }) => chosen.includes(value));
}

/** The choice of data sets. */
export const dataSetChoice = (enrichments: readonly Enrichment[], first: string, many: string) =>
	choices({
		displayName: 'Data Sets',
		name: 'dataSets',
		type: 'multiOptions',
		default: [first],
		required: true,
		options: enrichments.map(({ name, value, description }) => ({ name, value, description })),
		description: `What to fetch. Each data set takes one request for every ${LIMITS.enrich} ${many}.`,
	});

/** How the asks of an enrichment become requests, for either kind of entity. */
export const enrichmentBatches = (entity: Entity) => ({
	group: ({ dataSet, alone, parameters, requestContext }: EnrichmentAsk) =>
		JSON.stringify([dataSet.value, alone, parameters, requestContext]),
	key: ({ id }: EnrichmentAsk) => id,
	limit: ({ alone }: EnrichmentAsk) => (alone ? 1 : LIMITS.enrich),
	list: ({ dataSet, alone }: EnrichmentAsk) =>
		alone && dataSet.singlePath !== undefined ? entity.id : entity.ids,
	send: async (client: Client, asks: readonly EnrichmentAsk[]) => await send(client, entity, asks),
});

async function send(
	client: Client,
	entity: Entity,
	asks: readonly EnrichmentAsk[],
): Promise<Outcome<ReadonlyArray<Outcome<EnrichmentAnswer>>>> {
	const [first] = asks;
	if (first === undefined) return { value: [] };
	const { dataSet, alone, parameters, requestContext } = first;
	const ids = asks.map(({ id }) => id);
	const single = alone ? dataSet.singlePath : undefined;

	const { value, failure } = await client.send({
		method: 'POST',
		path: single ?? dataSet.path,
		body: {
			...(single === undefined ? { [entity.ids]: ids } : { [entity.id]: first.id }),
			...(parameters && { parameters }),
			...(requestContext && { request_context: requestContext }),
		},
		free: false,
	});
	if (failure !== undefined) return { failure };

	const { data, response_context: responseContext } = isObject(value) ? value : {};
	if (single !== undefined) return { value: [{ value: { data: data ?? null, responseContext } }] };
	const rows = rowsById(data, entity.id, ids);
	return {
		value: ids.map((id) => {
			const own = (rows.get(id) ?? []).map((row) => row.data);
			const filled = own.filter((part) => !hasNothing(part, entity, dataSet));
			return {
				value: { data: dataSet.several ? filled : (filled[0] ?? own[0] ?? null), responseContext },
			};
		}),
	};
}

/**
 * The rows of an item: one for each id, with all its data sets. Where a data set failed, the row is an error row that
 * keeps what was received.
 */
export function enrichmentRows(
	entity: Entity,
	dataSets: readonly Enrichment[],
	answered: ReadonlyArray<Answered<EnrichmentAsk, EnrichmentAnswer>>,
	simplify: boolean,
): Row[] {
	const byId = groupBy(answered, ({ ask }) => ask.id);
	if (byId.size === 0) return [blankRow(entity, dataSets)];
	return [...byId].map(([id, parts]) => {
		const failed = parts.filter(({ outcome }) => outcome.failure !== undefined);
		const received = parts.filter(({ outcome }) => outcome.value !== undefined);
		const row = {
			[entity.id]: id,
			...Object.fromEntries(
				received.map(({ ask, outcome }) => [
					ask.dataSet.key,
					shape(ask.dataSet, outcome.value, simplify),
				]),
			),
		};
		const failure = joined(failed, parts.length);
		if (failure !== undefined) return { failure, ...(received.length > 0 && { received: row }) };
		return {
			json: row,
			empty: received.every(({ ask, outcome }) =>
				hasNothing(outcome.value?.data, entity, ask.dataSet),
			),
		};
	});
}

function shape(
	{ jsonText = [] }: Enrichment,
	answer: EnrichmentAnswer | undefined,
	simplify: boolean,
): JsonValue {
	if (answer === undefined) return undefined;
	const { data, responseContext } = answer;
	if (!simplify) return { data, response_context: responseContext };
	if (!isObject(data)) return data;
	const texts = jsonText.flatMap((key) => {
		const text = data[key];
		return typeof text === 'string' ? [[key, jsonParse(text, { fallbackValue: text })]] : [];
	});
	return { ...data, ...Object.fromEntries(texts) };
}

const blankRow = (entity: Entity, dataSets: readonly Enrichment[]): Row => ({
	json: {
		[entity.id]: null,
		...Object.fromEntries(dataSets.map(({ key, several }) => [key, several ? [] : null])),
	},
	empty: true,
});

/** What only says whom the data are about, and for when, counts for nothing. */
function hasNothing(data: JsonValue, { id }: Entity, { about = [] }: Enrichment): boolean {
	if (!isObject(data)) return isEmpty(data);
	const aside = new Set([id, ...about]);
	return Object.entries(data).every(([key, value]) => aside.has(key) || isEmpty(value));
}

/** One failure for all data sets of an id that failed; each cause is told once, with the data sets that it hit. */
function joined(
	failed: ReadonlyArray<Answered<EnrichmentAsk, EnrichmentAnswer>>,
	asked: number,
): Failure | undefined {
	const causes = groupBy(failed, ({ outcome }) => outcome.failure?.message ?? '');
	const first = failed[0]?.outcome.failure;
	if (first === undefined) return undefined;
	const message =
		failed.length === asked && causes.size === 1
			? first.message
			: [...causes]
					.map(
						([cause, parts]) => `${parts.map(({ ask }) => ask.dataSet.name).join(', ')}: ${cause}`,
					)
					.join(' ');
	return {
		...first,
		message,
		facts: { ...first.facts, failed: failed.map(({ ask }) => ask.dataSet.key) },
	};
}
