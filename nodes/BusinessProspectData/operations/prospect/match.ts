import { deepCopy, type IDataObject } from 'n8n-workflow';
import { asText } from '../../core/json';
import { LIMITS } from '../../catalog/service';
import { PATHS } from '../../catalog/paths';
import { perBatch } from '../../runtime/operation';
import {
	batchSize,
	dropItemsWithoutData,
	options,
	requestContext,
	simplify,
} from '../../runtime/options';
import { type Row, rowsOf } from '../../runtime/output';
import { type MatchResult, matchOutcomes } from './matchResult';
import { identifierOf, keyOf, matchInput, sentDetails } from './matchInput';
import { details } from './matchParameters';

/** The prospect IDs of people, one row each (contract: Match prospects). */
export const match = perBatch({
	resource: 'prospect',
	value: 'match',
	name: 'Match',
	action: 'Match prospects',
	description:
		'Find the prospect IDs of people by email, phone, name and company, or network profile',
	parameters: [...details, simplify],
	options: options(batchSize(LIMITS.match), dropItemsWithoutData, requestContext),
	identifiers: ['prospect_id'],
	inputs: (values, { requestContext: context }) => [{ input: matchInput(values), context }],
	group: ({ context }) => JSON.stringify(context ?? null),
	key: ({ input }) => keyOf(input),
	maxBatchSize: () => LIMITS.match,
	listMember: () => 'prospects_to_match',
	send: async (client, asks, skipIf) => {
		const inputs = asks.map(({ input }) => input);
		const { value, failure } = await client.send(
			{
				method: 'POST',
				path: PATHS.match,
				body: {
					prospects_to_match: inputs.map(sentDetails),
					request_context: asks[0]?.context,
				},
				recordIds: inputs.map(identifierOf),
				idempotent: false,
			},
			skipIf,
		);
		return failure === undefined
			? { value: matchOutcomes(value, inputs, client.redact) }
			: { failure };
	},
	rows: (answered, { simplify: simple }) =>
		answered.flatMap(({ outcome }) => rowsOf(outcome, (answer) => [rowOf(answer, simple)])),
	wording: { verb: 'Looked up', one: 'prospect', empty: 'without a match' },
});

function rowOf({ row, responseContext }: MatchResult, simple: boolean): Row {
	const prospectId = asText(row.prospect_id) ?? null;
	const matched = prospectId !== null;
	const json: IDataObject = simple
		? { prospect_id: prospectId, matched, input: row.input }
		: { ...row, matched, response_context: deepCopy(responseContext) };
	return { json, empty: !matched };
}
