import { LIMITS } from '../../catalog/service';
import { perBatch } from '../../runtime/operation';
import {
	batchSize,
	dropItemsWithoutData,
	operationOptions,
	requestContext,
	simplify,
} from '../../runtime/options';
import { recordOutput, type Row, rowsWithFailure } from '../../runtime/output';
import { spendingOptions } from '../../runtime/spending';
import { MATCH_PRICE, matchBatchConfig } from './personLookup';
import {
	addAttributes,
	MATCH_MEMBERS,
	type Person,
	readPerson,
	matchNotice,
	matchParameters,
} from './person';
import type { MatchResult } from './matchResult';

/** The prospect IDs of people, one row per person (contract: Match prospects). */
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
		[dropItemsWithoutData, ...spendingOptions],
		[batchSize(LIMITS.matchBatch), requestContext],
	),
	identifiers: ['prospect_id'],
	inputs: (values, itemOptions) => [
		{ person: readPerson(values), requestContext: itemOptions.requestContext },
	],
	...matchBatchConfig,
	price: () => MATCH_PRICE,
	rows: ([result], values) =>
		result === undefined
			? []
			: rowsWithFailure(result.outcome, (found) => [
					rowOf(result.input.person, found, values.simplify),
				]),
	wording: { verb: 'Looked up', one: 'prospect', empty: 'had no match' },
});

function rowOf(person: Person, { id, row, responseContext }: MatchResult, simplify: boolean): Row {
	const matched = id !== null;
	const raw = () => ({ input: { ...person }, ...row, matched });
	const { json, allFields } = recordOutput(
		addAttributes({ prospect_id: id, matched }, person),
		raw,
		responseContext,
		simplify,
	);
	return { json, allFields, repeated: MATCH_MEMBERS, empty: !matched };
}
