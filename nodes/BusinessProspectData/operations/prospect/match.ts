import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../api/client';
import { isObject, type JsonValue, objectsIn, textOf } from '../../api/json';
import type { Failure, Outcome } from '../../api/outcome';
import { requestStatus } from '../../api/verdict';
import { LIMITS } from '../../catalog/limits';
import { perBatch } from '../../runtime/operation';
import { rowsOf } from '../../runtime/output';
import { batchSize, dropItemsWithoutData, options, simplify } from '../../runtime/options';
import { alignedRows, details, matchInput, type MatchInput, printOf } from './matchInput';

interface MatchAsk {
	readonly input: MatchInput;
	readonly requestContext?: IDataObject;
}

interface MatchAnswer {
	readonly row: IDataObject;
	readonly responseContext: JsonValue;
}

/** The failure of a person without a row; rows of nobody who was asked for were paid for, so they are kept. */
const noRow = (others: readonly IDataObject[]): Failure => ({
	kind: 'unreadable',
	message:
		'The answer of the service leaves this person out, so it is unknown whether there is a match. Run the row again.',
	...(others.length > 0 && { facts: { unassigned_rows: [...others] } }),
});

export const match = perBatch({
	resource: 'prospect',
	value: 'match',
	name: 'Match',
	action: 'Match prospects',
	description:
		'Find the prospect IDs of people by email, phone, name and company, or network profile',
	parameters: [...details, simplify],
	options: options(batchSize(LIMITS.match), dropItemsWithoutData),
	asks: (values, { requestContext }): MatchAsk[] => [{ input: matchInput(values), requestContext }],
	group: ({ requestContext }) => JSON.stringify(requestContext ?? null),
	key: ({ input }) => printOf(input),
	limit: () => LIMITS.match,
	list: () => 'prospects_to_match',
	send: async (client, asks) => {
		const requestContext = asks[0]?.requestContext;
		const { value, failure } = await client.send({
			method: 'POST',
			path: '/v1/prospects/match',
			body: {
				prospects_to_match: asks.map(({ input }) =>
					Object.fromEntries(Object.entries(input).filter(([, detail]) => detail !== null)),
				),
				...(requestContext && { request_context: requestContext }),
			},
			free: false,
		});
		if (failure !== undefined) return { failure };
		const answer = isObject(value) ? value : {};
		const inputs = asks.map(({ input }) => input);
		const all = objectsIn(answer.matched_prospects);
		const rows = alignedRows(all, inputs);
		const others = all.filter((row) => !rows.includes(row));
		const missed = requestStatus(answer) === 'miss';
		return {
			value: inputs.map((input, at) => {
				const row = rows[at] ?? (missed ? { prospect_id: null } : undefined);
				return row === undefined
					? { failure: noRow(others) }
					: outcomeOf(row, { ...input }, answer.response_context, client.mask);
			}),
		};
	},
	rows: (answered, values) =>
		answered.flatMap(({ outcome }) =>
			rowsOf(outcome, ({ row, responseContext }) => {
				const prospectId = textOf(row.prospect_id) ?? null;
				const matched = prospectId !== null;
				return [
					{
						json: values.simplify
							? { prospect_id: prospectId, matched, input: row.input }
							: { ...row, matched, response_context: responseContext },
						empty: !matched,
					},
				];
			}),
		),
	wording: { verb: 'Looked up', one: 'prospect', many: 'prospects', empty: 'without a match' },
});

function outcomeOf(
	row: IDataObject,
	input: IDataObject,
	responseContext: JsonValue,
	mask: Client['mask'],
): Outcome<MatchAnswer> {
	const said = (words: unknown) => textOf(mask(textOf(words) ?? ''));
	const error = said(row.error);
	if (error === undefined) return { value: { row: { input, ...row }, responseContext } };
	const errorType = said(row.error_type);
	return {
		failure: {
			kind: 'reported',
			message: `The service could not look this person up: ${error}${errorType === undefined ? '' : ` (${errorType})`}`,
			facts: { error, ...(errorType !== undefined && { error_type: errorType }), input },
		},
	};
}
