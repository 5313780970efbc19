import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../api/client';
import { correlationIdOf, parseErrorMessage, reportedStatus } from '../../api/responseBody';
import { MAYBE_CHARGED } from '../../api/responseRules';
import { asObjects, asText, isEmpty, isObject, type JsonValue } from '../../core/json';
import type { Failure, Outcome } from '../../core/outcome';
import { withFullStop } from '../../core/text';
import { equalsInput, keyOf, type Person } from './person';

/** The response row of one person, and the `response_context` of its response. */
export interface MatchResult {
	/** The prospect ID; null without a match. */
	readonly id: string | null;
	readonly row: IDataObject;
	readonly responseContext: JsonValue;
}

/**
 * The outcome of each input, in their order (contract: Prospect match input and output). An input fails if its row has an
 * error, even with a prospect ID. An input without a row fails unless the status of the whole response is `miss`.
 *
 * @param redact removes secrets from the service's messages
 */
export function matchOutcomes(
	response: unknown,
	inputs: readonly Person[],
	redact: Client['redact'],
): Array<Outcome<MatchResult>> {
	const { matched_prospects: matched, response_context: context } = isObject(response)
		? response
		: {};
	const all = asObjects(matched);
	const rows = alignedRows(all, inputs);
	const assigned = new Set(rows);
	const unassigned = all.filter((row) => !assigned.has(row));
	const missed = reportedStatus(response) === 'miss';
	const correlationId = correlationIdOf(response, redact);
	return inputs.map((input, index) => {
		const row = rows[index] ?? (missed ? { prospect_id: null } : undefined);
		return row === undefined
			? { failure: { ...noRow(unassigned), correlationId } }
			: outcomeOf(row, input, context, { redact, correlationId });
	});
}

/** The attributes that identify a person. A company doesn't: it has many people. */
const IDENTIFYING = ['full_name', 'email', 'phone_number', 'network'] as const;

/**
 * The letters and digits of an attribute, without accents, because the service may write names, phone numbers and addresses in
 * another form. Drops leading zeros of phone numbers, so that `020 7946 0000` is the end of `+44 20 7946 0000`.
 */
function lettersAndDigits(member: (typeof IDENTIFYING)[number], attribute: unknown): string {
	const text = (asText(attribute) ?? '').normalize('NFKD').toLowerCase();
	const plain = text.replace(/[^\p{L}\p{N}]/gu, '');
	return member === 'phone_number' ? plain.replace(/^0+/, '') : plain;
}

/**
 * Whether the input that a row echoes may mean the same person as `input`: in one of the identifying attributes, the value
 * of one contains that of the other.
 */
const resembles = (echo: IDataObject, input: Person): boolean =>
	IDENTIFYING.some((member) => {
		const a = lettersAndDigits(member, echo[member]);
		const b = lettersAndDigits(member, input[member]);
		return a !== '' && b !== '' && (a.includes(b) || b.includes(a));
	});

/**
 * The response's row for each input: the row that echoes the input. Without one, it is the row at the same index (contract:
 * Match prospects), provided that there are as many rows as inputs and that the row echoes nothing, or something that resembles
 * this input and equals no other.
 */
export function alignedRows(
	rows: readonly IDataObject[],
	inputs: readonly Person[],
): Array<IDataObject | undefined> {
	// Rows are usually in order. Not building keys then saves a tenth of the time per person.
	const inOrder =
		rows.length === inputs.length &&
		inputs.every((input, index) => equalsInput(input, rows[index]?.input));
	if (inOrder) return [...rows];

	const echoes = rows.map(({ input }) => (isObject(input) && !isEmpty(input) ? input : undefined));
	const rowKeys = echoes.map((input) => (input === undefined ? undefined : keyOf(input)));
	const inputKeys = inputs.map(keyOf);
	const byKey = new Map<string | undefined, IDataObject>();
	rows.forEach((row, index) => {
		const key = rowKeys[index];
		const known = byKey.get(key);
		// A row with an ID replaces one without.
		if (known === undefined || (isEmpty(known.prospect_id) && !isEmpty(row.prospect_id))) {
			byKey.set(key, row);
		}
	});
	return inputs.map((input, index) => {
		const own = byKey.get(inputKeys[index]);
		if (own !== undefined) return own;
		if (rows.length !== inputs.length) return undefined;
		const echo = echoes[index];
		if (echo === undefined) return rows[index];
		const isOther = inputKeys.includes(rowKeys[index] ?? '');
		return !isOther && resembles(echo, input) ? rows[index] : undefined;
	});
}

/** The failure of a person without a row. It keeps the rows that belong to no input, because they were paid for. */
const noRow = (unassigned: readonly IDataObject[]): Failure => ({
	kind: 'unreadable',
	message: `The service's response doesn't include this person, so it is unknown whether there is a match. ${MAYBE_CHARGED} Run the row again.`,
	...(unassigned.length > 0 && { details: { unassigned_rows: [...unassigned] } }),
});

function outcomeOf(
	row: IDataObject,
	input: Person,
	responseContext: JsonValue,
	{ redact, correlationId }: Pick<Client, 'redact'> & Pick<Failure, 'correlationId'>,
): Outcome<MatchResult> {
	const id = asText(row.prospect_id);
	const reason = errorText(row.error, redact);
	const errorType = errorText(row.error_type, redact);
	if (reason === undefined && errorType === undefined) {
		return { value: { id: id ?? null, row, responseContext } };
	}
	const suffix = reason === undefined || errorType === undefined ? '' : ` (${errorType})`;
	const problem = `The service could not look this person up: ${reason ?? errorType}${suffix}`;
	return {
		failure: {
			kind: 'reported',
			message: `${withFullStop(problem)} Check this person's details. If they are correct, run the row again later.`,
			details: {
				...(reason !== undefined && { reason }),
				...(errorType !== undefined && { error_type: errorType }),
				// Kept because it was paid for.
				...(id !== undefined && { prospect_id: id }),
				input: { ...input },
			},
			correlationId,
		},
	};
}

/** The text of a row's `error` or `error_type`, a string by the contract; undefined if it is empty or false. */
function errorText(member: JsonValue, redact: Client['redact']): string | undefined {
	if (isEmpty(member) || member === false) return undefined;
	const text = asText(member);
	if (text !== undefined) return redact(text);
	return parseErrorMessage({ error: member }, redact) ?? redact(JSON.stringify(member));
}
