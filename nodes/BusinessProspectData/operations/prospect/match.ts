import type { IDataObject } from 'n8n-workflow';
import { MATCH_CHARGE } from '../../catalog/prices';
import { LIMITS, PATHS } from '../../catalog/service';
import type { BatchConfig } from '../../run/batches';
import { perBatch } from '../../run/operation';
import {
	batchSize,
	dropsUnmatched,
	operationOptions,
	requestContext,
	rowsWithoutMatch,
	simplify,
} from '../../parameters/options';
import { skipRows } from '../../parameters/skipRows';
import { recordOutput, type Row, rowsWithFailure } from '../../run/output';
import { PROSPECT_FIELDS } from './matchCheck';
import { matchOutcomes, type MatchResult } from './matchResult';
import {
	DETAIL_FIELDS,
	detailFields,
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
	parameters: [...matchParameters, rowsWithoutMatch, simplify],
	options: operationOptions(
		'e.g. matched, email',
		[skipRows],
		[batchSize(LIMITS.matchBatch), requestContext],
	),
	requiredFields: ['prospect_id'],
	optionalFields: DETAIL_FIELDS,
	keepsInputFields: true,
	fieldsOfId: PROSPECT_FIELDS,
	inputs: (values, { requestContext }) => {
		const person = readPerson(values);
		return person === undefined ? [] : [{ person, requestContext }];
	},
	...matchBatchConfig,
	charge: () => MATCH_CHARGE,
	rows: ([result], values, { includeInputFields = false }) => {
		const shape = {
			simplify: values.simplify,
			withDetails: !includeInputFields,
			dropped: dropsUnmatched(values),
		};
		return result === undefined
			? [rowOf(NO_DETAILS, NO_MATCH, shape)]
			: rowsWithFailure(result.outcome, (found) => [rowOf(result.input.person, found, shape)]);
	},
	wording: { done: 'matched', empty: 'without a match', blank: NO_DETAILS_WORDING },
});

const NO_MATCH: MatchResult = { id: null, row: { prospect_id: null }, responseContext: null };

interface RowShape {
	readonly simplify: boolean;
	/** True if a simplified row repeats the details that were sent. */
	readonly withDetails: boolean;
	/** True if a row without a match is left out. */
	readonly dropped: boolean;
}

function rowOf(
	person: Person,
	{ id, row, responseContext }: MatchResult,
	{ simplify, withDetails, dropped }: RowShape,
): Row {
	const matched = id !== null;
	const simplified = { matched, ...(withDetails && detailFields(person)), prospect_id: id };
	// Adds the input, because the service may not echo it.
	const raw = () => ({ input: { ...person }, ...row, matched });
	const { json, allFields } = recordOutput(simplified, raw, responseContext, simplify);
	return {
		json,
		allFields: () => ({ ...detailFields(person), ...allFields() }),
		empty: !matched,
		dropped: !matched && dropped,
	};
}
