import type { IDataObject } from 'n8n-workflow';
import { LIMITS, PATHS } from '../../catalog/service';
import type { BatchConfig } from '../../run/batches';
import { perBatch } from '../../run/operation';
import {
	batchSize,
	dropItemsWithoutData,
	operationOptions,
	requestContext,
	simplify,
} from '../../parameters/options';
import { recordOutput, type Row, rowsWithFailure } from '../../run/output';
import type { Price } from '../../run/spec';
import { matchOutcomes, type MatchResult } from './matchResult';
import {
	addAttributes,
	MATCH_MEMBERS,
	matchNotice,
	matchParameters,
	NO_DETAILS,
	NO_DETAILS_WORDING,
	type Person,
	personKey,
	readPerson,
	recordLabelOf,
	requestEntry,
} from './person';

export interface MatchQuery {
	readonly person: Person;
	readonly requestContext?: IDataObject;
}

/** Like enrichment, a match may cost credits, although the service publishes no price. */
export const MATCH_PRICE: Price = { unpriced: 'Match' };

/** How people become match requests (contract: Match prospects). */
export const matchBatchConfig = {
	groupKey: ({ requestContext }: MatchQuery) => JSON.stringify(requestContext ?? null),
	key: ({ person }) => personKey(person),
	maxBatchSize: () => LIMITS.matchBatch,
	inputMember: () => 'prospects_to_match',
	send: async (client, queries, skipIf) => {
		const people = queries.map(({ person }) => person);
		const { value, failure } = await client.send(
			{
				method: 'POST',
				path: PATHS.match,
				body: {
					prospects_to_match: people.map(requestEntry),
					request_context: queries[0]?.requestContext,
				},
				recordLabels: people.map(recordLabelOf),
				safeToRetry: false,
			},
			skipIf,
		);
		if (failure !== undefined) return { failure };
		const outcomes = matchOutcomes(value, people, client.redact);
		return { value: ({ person }) => outcomes.get(person) };
	},
} satisfies BatchConfig<MatchQuery, MatchResult>;

export const match = perBatch({
	resource: 'prospect',
	value: 'match',
	name: 'Match',
	action: 'Match prospects',
	description:
		'Find the prospect IDs of people by email, phone number, profile URL, or name and company',
	parameters: [matchNotice, ...matchParameters, simplify],
	options: operationOptions(
		'e.g. matched, email',
		[dropItemsWithoutData],
		[batchSize(LIMITS.matchBatch), requestContext],
	),
	requiredFields: ['prospect_id'],
	inputs: (values, { requestContext }) => {
		const person = readPerson(values);
		return person === undefined ? [] : [{ person, requestContext }];
	},
	...matchBatchConfig,
	price: () => MATCH_PRICE,
	rows: ([result], values) =>
		result === undefined
			? [rowOf(NO_DETAILS, NO_MATCH, values.simplify)]
			: rowsWithFailure(result.outcome, (found) => [
					rowOf(result.input.person, found, values.simplify),
				]),
	wording: { verb: 'Looked up', one: 'prospect', empty: 'had no match', blank: NO_DETAILS_WORDING },
});

const NO_MATCH: MatchResult = { id: null, row: { prospect_id: null }, responseContext: null };

function rowOf(person: Person, { id, row, responseContext }: MatchResult, simplify: boolean): Row {
	const matched = id !== null;
	// Adds the input, because the service may not echo it.
	const raw = () => ({ input: { ...person }, ...row, matched });
	const { json, allFields } = recordOutput(
		addAttributes({ prospect_id: id, matched }, person),
		raw,
		responseContext,
		simplify,
	);
	return { json, allFields, copiedFromInput: MATCH_MEMBERS, empty: !matched };
}
