import { LIMITS, PATHS } from '../../catalog/service';
import { asText } from '../../core/json';
import { perBatch } from '../../runtime/operation';
import {
	batchSize,
	dropItemsWithoutData,
	options,
	requestContext,
	simplify,
} from '../../runtime/options';
import { recordOutput, type Row, rowsWithFailure } from '../../runtime/output';
import {
	identifierOf,
	keyOf,
	type MatchInput,
	matchInput,
	matchNotice,
	matchParameters,
	requestEntry,
} from './matchInput';
import { matchOutcomes, type MatchResult } from './matchResult';

/** The prospect IDs of people, one row per person (contract: Match prospects). */
export const match = perBatch({
	resource: 'prospect',
	value: 'match',
	name: 'Match',
	action: 'Match prospects',
	description:
		'Find the prospect IDs of people you know by email, phone number, profile URL, or name and company. Run it before Enrich or Get Events.',
	parameters: [matchNotice, ...matchParameters, simplify],
	options: options(
		'e.g. matched, email',
		[dropItemsWithoutData],
		[batchSize(LIMITS.matchBatch), requestContext],
	),
	identifiers: ['prospect_id'],
	inputs: (values, itemOptions) => [
		{ person: matchInput(values), requestContext: itemOptions.requestContext },
	],
	groupKey: (input) => JSON.stringify(input.requestContext ?? null),
	key: ({ person }) => keyOf(person),
	maxBatchSize: () => LIMITS.matchBatch,
	inputMember: () => 'prospects_to_match',
	send: async (client, inputs, skipIf) => {
		const people = inputs.map(({ person }) => person);
		const { value, failure } = await client.send(
			{
				method: 'POST',
				path: PATHS.match,
				body: {
					prospects_to_match: people.map(requestEntry),
					request_context: inputs[0]?.requestContext,
				},
				recordLabels: people.map(identifierOf),
				safeToRetry: false,
			},
			skipIf,
		);
		return failure === undefined
			? { value: matchOutcomes(value, people, client.redact) }
			: { failure };
	},
	rows: (results, values) =>
		results.flatMap(({ input, outcome }) =>
			rowsWithFailure(outcome, (result) => [rowOf(input.person, result, values.simplify)]),
		),
	wording: { verb: 'Looked up', one: 'prospect', empty: 'had no match' },
});

function rowOf(person: MatchInput, { row, responseContext }: MatchResult, simplify: boolean): Row {
	const prospectId = asText(row.prospect_id) ?? null;
	const matched = prospectId !== null;
	const details = requestEntry(person);
	return {
		...recordOutput(
			{ prospect_id: prospectId, matched, ...details },
			{ ...row, matched },
			responseContext,
			simplify,
		),
		repeated: Object.keys(details),
		empty: !matched,
	};
}
