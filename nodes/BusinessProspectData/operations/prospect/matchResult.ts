import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../api/client';
import { isEmpty, isObject, type JsonValue, asObjects, asText } from '../../core/json';
import type { Failure, Outcome } from '../../core/outcome';
import { requestStatus } from '../../api/responseBody';
import { isRepeated, type MatchInput, keyOf } from './matchInput';

/** What the service says of one person: its row, and the `response_context` of the answer. */
export interface MatchResult {
	readonly row: IDataObject;
	readonly responseContext: JsonValue;
}

/**
 * What came of each input, in their order (contract: Prospect match input and output). A person whom the service could not
 * look up has a failure; so has one without a row, unless the whole answer is a miss.
 *
 * @param mask takes the secrets out of what the service says
 */
export function matchOutcomes(
	answer: unknown,
	inputs: readonly MatchInput[],
	mask: Client['redact'],
): Array<Outcome<MatchResult>> {
	const { matched_prospects: matched, response_context: context } = isObject(answer) ? answer : {};
	const all = asObjects(matched);
	const rows = alignedRows(all, inputs);
	const taken = new Set(rows);
	const others = all.filter((row) => !taken.has(row));
	const missed = requestStatus(answer) === 'miss';
	return inputs.map((input, at) => {
		const row = rows[at] ?? (missed ? { prospect_id: null } : undefined);
		return row === undefined
			? { failure: noRow(others) }
			: outcomeOf(row, { ...input }, context, mask);
	});
}

/** What a person is found by; a company has many people. */
const TELLING = ['full_name', 'email', 'phone_number', 'network'] as const;

/** The letters and digits of a detail: the service may write a phone number or an address in another way. */
const bare = (detail: unknown): string =>
	(asText(detail) ?? '').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a repeated input can be about the same person. */
const resembles = (echo: IDataObject, input: MatchInput): boolean =>
	TELLING.some((member) => {
		const [one, other] = [bare(echo[member]), bare(input[member])];
		return one !== '' && other !== '' && (one.includes(other) || other.includes(one));
	});

/**
 * The answer's row for each input: by the `input` that it repeats, else by its place (contract: Match prospects), unless
 * it repeats that of somebody else.
 */
export function alignedRows(
	rows: readonly IDataObject[],
	inputs: readonly MatchInput[],
): Array<IDataObject | undefined> {
	// As a rule the rows come in order: then no keys are made, which take a tenth of all work on a person.
	const inOrder =
		rows.length === inputs.length &&
		inputs.every((input, at) => isRepeated(input, rows[at]?.input));
	if (inOrder) return [...rows];

	const echoes = rows.map(({ input }) => (isObject(input) && !isEmpty(input) ? input : undefined));
	const wanted = inputs.map(keyOf);
	const keys = echoes.map((echo) => (echo === undefined ? undefined : keyOf(echo)));
	const byKey = new Map<string | undefined, IDataObject | undefined>();
	rows.forEach((row, at) => {
		// A row without an ID gives way to a row with one.
		if (!isEmpty(byKey.get(keys[at])?.prospect_id)) return;
		if (!byKey.has(keys[at]) || !isEmpty(row.prospect_id)) byKey.set(keys[at], row);
	});
	return inputs.map((input, at) => {
		const own = byKey.get(wanted[at]);
		if (own !== undefined) return own;
		if (rows.length !== inputs.length) return undefined;
		const echo = echoes[at];
		if (echo === undefined) return rows[at];
		const claimed = wanted.includes(keys[at] ?? '');
		return !claimed && resembles(echo, input) ? rows[at] : undefined;
	});
}

/** The failure of a person without a row; rows of nobody who was asked for were paid for, so they are kept. */
const noRow = (others: readonly IDataObject[]): Failure => ({
	kind: 'unreadable',
	message:
		'The answer of the service leaves this person out, so it is unknown whether there is a match. Run the row again.',
	...(others.length > 0 && { details: { unassigned_rows: [...others] } }),
});

function outcomeOf(
	row: IDataObject,
	input: IDataObject,
	responseContext: JsonValue,
	mask: Client['redact'],
): Outcome<MatchResult> {
	const said = (words: unknown) => asText(mask(asText(words) ?? ''));
	const reason = said(row.error);
	if (reason === undefined) return { value: { row: { input, ...row }, responseContext } };
	const errorType = said(row.error_type);
	return {
		failure: {
			kind: 'reported',
			message: `The service could not look this person up: ${reason}${errorType === undefined ? '' : ` (${errorType})`}`,
			details: { reason, ...(errorType !== undefined && { error_type: errorType }), input },
		},
	};
}
