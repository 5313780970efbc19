import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../api/client';
import { correlationIdOf, parseErrorMessage, reportedStatus } from '../../api/responseBody';
import { MAYBE_CHARGED } from '../../api/responseRules';
import { asObjects, asText, isEmpty, isObject, type JsonValue } from '../../core/json';
import type { Failure, Outcome } from '../../core/outcome';
import { withFullStop } from '../../core/text';
import { equalsEcho, personKey, type Person } from './person';

/** The response row of one person, and the `response_context` of its response. */
export interface MatchResult {
	/** The prospect ID; null without a match. */
	readonly id: string | null;
	readonly row: IDataObject;
	readonly responseContext: JsonValue;
}

/**
 * The outcome of each person, in the order of `people` (contract: Prospect match input and output). A person fails if their row
 * has an error, even with a prospect ID. A person without a row fails unless the status of the whole response is `miss`.
 *
 * @param redact removes secrets from the service's messages
 */
export function matchOutcomes(
	response: unknown,
	people: readonly Person[],
	redact: Client['redact'],
): Array<Outcome<MatchResult>> {
	const { matched_prospects: matched, response_context: context } = isObject(response)
		? response
		: {};
	const all = asObjects(matched);
	const rows = alignedRows(all, people);
	const assigned = new Set(rows);
	let unassigned = all.filter((row) => !assigned.has(row));
	const missed = reportedStatus(response) === 'miss';
	const correlationId = correlationIdOf(response, redact);
	return people.map((person, index) => {
		const row = rows[index] ?? (missed ? { prospect_id: null } : undefined);
		if (row !== undefined) return outcomeOf(row, person, context, { redact, correlationId });
		const failure = { ...missingRowFailure(unassigned), correlationId };
		// Only the first of these failures keeps the unassigned rows: copies in every error item would fill the memory.
		unassigned = [];
		return { failure };
	});
}

/** The attributes that identify a person. A company doesn't: it has many people. */
const IDENTIFYING = ['full_name', 'email', 'phone_number', 'network'] as const;

/**
 * The letters (in lower case, without accents) and digits of an attribute: the service may write names, phone numbers and
 * addresses in another form. Drops leading zeros of phone numbers, so that `020 7946 0000` is the end of `+44 20 7946 0000`.
 */
function lettersAndDigits(member: (typeof IDENTIFYING)[number], attribute: unknown): string {
	const text = (asText(attribute) ?? '').normalize('NFKD').toLowerCase();
	const plain = text.replace(/[^\p{L}\p{N}]/gu, '');
	return member === 'phone_number' ? plain.replace(/^0+/, '') : plain;
}

/** True if an echo may mean this person: in one of the identifying attributes, one of the two values contains the other. */
const resembles = (echo: IDataObject, person: Person): boolean =>
	IDENTIFYING.some((member) => {
		const a = lettersAndDigits(member, echo[member]);
		const b = lettersAndDigits(member, person[member]);
		return a !== '' && b !== '' && (a.includes(b) || b.includes(a));
	});

/**
 * The response's row for each person: the row that echoes the person as its input. Without one, it is the row at the same index
 * (contract: Match prospects), provided that there are as many rows as people and that the row echoes nothing, or something that
 * resembles this person and equals no other. Otherwise undefined.
 */
export function alignedRows(
	rows: readonly IDataObject[],
	people: readonly Person[],
): Array<IDataObject | undefined> {
	const asMany = rows.length === people.length;
	// Rows are usually in order. Not building keys then saves a tenth of the time per person.
	if (asMany && people.every((person, index) => equalsEcho(person, rows[index]?.input))) {
		return [...rows];
	}

	const echoes = rows.map(({ input: echo }) =>
		isObject(echo) && !isEmpty(echo) ? echo : undefined,
	);
	const echoKeys = echoes.map((echo) => (echo === undefined ? undefined : personKey(echo)));
	const personKeys = people.map(personKey);
	const byKey = new Map<string | undefined, IDataObject>();
	rows.forEach((row, index) => {
		const key = echoKeys[index];
		const known = byKey.get(key);
		// If several rows echo the same person, one with an ID wins.
		if (known === undefined || (isEmpty(known.prospect_id) && !isEmpty(row.prospect_id))) {
			byKey.set(key, row);
		}
	});
	return people.map((person, index) => {
		const own = byKey.get(personKeys[index]);
		if (own !== undefined) return own;
		if (!asMany) return undefined;
		const echo = echoes[index];
		if (echo === undefined) return rows[index];
		const equalsAnother = personKeys.includes(echoKeys[index] ?? '');
		return !equalsAnother && resembles(echo, person) ? rows[index] : undefined;
	});
}

/** The failure of a person without a row. It keeps the rows that belong to no one, because they may have been paid for. */
const missingRowFailure = (unassigned: readonly IDataObject[]): Failure => ({
	kind: 'unreadable',
	message: `The service's response doesn't include this person, so it is unknown whether there is a match. ${MAYBE_CHARGED} Run the row again.`,
	...(unassigned.length > 0 && { details: { unassigned_rows: [...unassigned] } }),
});

function outcomeOf(
	row: IDataObject,
	person: Person,
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
				// Kept because it may have been paid for.
				...(id !== undefined && { prospect_id: id }),
				input: { ...person },
			},
			correlationId,
		},
	};
}

/**
 * A row's `error` or `error_type` as redacted text; undefined if it is empty or false. By the contract, both are strings, but
 * other values are converted too.
 */
function errorText(member: JsonValue, redact: Client['redact']): string | undefined {
	if (isEmpty(member) || member === false) return undefined;
	const text = asText(member);
	if (text !== undefined) return redact(text);
	return parseErrorMessage({ error: member }, redact) ?? redact(JSON.stringify(member));
}
