import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/client';
import { correlationIdOf, parseRowError, reportedStatus } from '../api/responseBody';
import { MAYBE_CHARGED } from '../api/responseRules';
import { asObjects, asText, isEmpty, isObject, type JsonValue } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';
import { withFullStop } from '../core/text';
import { equalsEcho, personKey, type Person } from './person';

export interface MatchResult {
	/** Null without a match. */
	readonly id: string | null;
	readonly row: IDataObject;
	readonly responseContext: JsonValue;
}

/** See contract: Prospect match input and output. A person whose row has an error fails, even with a prospect ID. */
export function matchOutcomes(
	response: unknown,
	people: readonly Person[],
	redact: Client['redact'],
): Map<Person, Outcome<MatchResult>> {
	const { matched_prospects: matched, response_context: context } = isObject(response)
		? response
		: {};
	const all = asObjects(matched);
	const rows = alignedRows(all, people);
	const assigned = new Set(rows);
	let unassigned = all.filter((row) => !assigned.has(row));
	const missed = reportedStatus(response) === 'miss';
	const correlationId = correlationIdOf(response, redact);
	const ownOutcome = (person: Person, row: IDataObject | undefined): Outcome<MatchResult> => {
		if (row !== undefined) return outcomeOf(row, person, context, { redact, correlationId });
		const failure = { ...missingRowFailure(unassigned), correlationId };
		// Only one failure keeps the unassigned rows, because a copy in every error item would take too much memory.
		unassigned = [];
		return { failure };
	};
	const noMatch = missed ? { prospect_id: null } : undefined;
	return new Map(
		people.map((person, index) => [person, ownOutcome(person, rows[index] ?? noMatch)]),
	);
}

/** Without the company name and the business ID, which many people share. */
const IDENTIFYING = ['full_name', 'email', 'phone_number', 'network'] as const;

/** The service may write names, phone numbers and addresses in another form. */
function lettersAndDigits(member: (typeof IDENTIFYING)[number], attribute: unknown): string {
	const text = (asText(attribute) ?? '').normalize('NFKD').toLowerCase();
	const plain = text.replace(/[^\p{L}\p{N}]/gu, '');
	// Without its first zero, `020 7946 0000` is the end of `+44 20 7946 0000`.
	return member === 'phone_number' ? plain.replace(/^0+/, '') : plain;
}

const resembles = (echo: IDataObject, person: Person): boolean =>
	IDENTIFYING.some((member) => {
		const a = lettersAndDigits(member, echo[member]);
		const b = lettersAndDigits(member, person[member]);
		return a !== '' && b !== '' && (a.includes(b) || b.includes(a));
	});

/**
 * Finds each person's row by the input that the row echoes (contract: Match prospects). Otherwise, if there are as many rows as
 * people, takes the row at the person's index, unless that row echoes someone else. Undefined for a person without a row.
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
	// A row that echoes no one is under undefined, which is no person's key.
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

/** Keeps the unassigned rows, because they may have been paid for. */
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
	const error = parseRowError(row, redact);
	if (error === undefined) return { value: { id: id ?? null, row, responseContext } };
	const problem = withFullStop(`The service could not look this person up: ${error.text}`);
	return {
		failure: {
			kind: 'reported',
			message: `${problem} Check this person's details. If they are correct, run the row again later.`,
			details: {
				...error.details,
				// Kept because it may have been paid for.
				...(id !== undefined && { prospect_id: id }),
				input: { ...person },
			},
			correlationId,
		},
	};
}
