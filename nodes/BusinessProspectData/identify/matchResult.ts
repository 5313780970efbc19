import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/client';
import { correlationIdOf, parseRowError, reportedStatus } from '../api/responseBody';
import { MAYBE_CHARGED } from '../api/responseRules';
import { PROSPECT_ID_FORMAT } from '../catalog/service';
import { asObjects, asText, isEmpty, isObject, type JsonValue } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';
import { withFullStop } from '../core/text';
import { invalidIdFailure } from '../run/lookup';
import { equalsEcho, personKey, type Person } from './person';

export interface MatchResult {
	/** Null without a match. */
	readonly id: string | null;
	readonly row: IDataObject;
	readonly responseContext: JsonValue;
}

export const isProspectId = (id: string): boolean =>
	PROSPECT_ID_FORMAT.pattern.test(id.trim().toLowerCase());

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

/** The details that few people share: not the company name and the business ID. */
const IDENTIFYING = ['full_name', 'email', 'phone_number', 'network'] as const;

/** The service may write names, phone numbers and addresses in another form. Of a URL, the last part says whose it is. */
function comparable(member: (typeof IDENTIFYING)[number], detail: unknown): string {
	const text = (asText(detail) ?? '').normalize('NFKD').toLowerCase();
	const own =
		member === 'network' ? (text.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? '') : text;
	const plain = own.replace(/[^\p{L}\p{N}]/gu, '');
	// Without its first zero, `020 7946 0000` is the end of `+44 20 7946 0000`.
	return member === 'phone_number' ? plain.replace(/^0+/, '') : plain;
}

/** True if the echo and the person have a detail in common, and none in which they differ. */
function agrees(echo: IDataObject, person: Person): boolean {
	const compared = IDENTIFYING.flatMap((member) => {
		const [ours, theirs] = [comparable(member, person[member]), comparable(member, echo[member])];
		if (ours === '' || theirs === '') return [];
		const isEnd = member === 'phone_number' && (ours.endsWith(theirs) || theirs.endsWith(ours));
		return [ours === theirs || isEnd];
	});
	return compared.length > 0 && compared.every(Boolean);
}

/**
 * Finds each person's row by the input that the row echoes (contract: Match prospects), also in another form. A row without an
 * echo is that of the person at its index, if there are as many rows as people. Undefined for a person whose row is unclear.
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

	const echoed = rows.map((row) => ({
		row,
		echo: isObject(row.input) && !isEmpty(row.input) ? row.input : undefined,
	}));
	const byKey = new Map<string, IDataObject>();
	for (const { row, echo } of echoed) {
		if (echo === undefined) continue;
		const key = personKey(echo);
		const known = byKey.get(key);
		// If several rows echo the same person, one with an ID wins.
		if (known === undefined || (isEmpty(known.prospect_id) && !isEmpty(row.prospect_id))) {
			byKey.set(key, row);
		}
	}
	const keys = people.map(personKey);
	const others = people.filter((_, index) => !byKey.has(keys[index] ?? ''));
	const peopleKeys = new Set(keys);
	const rewritten = echoed.flatMap(({ row, echo }) =>
		echo === undefined || peopleKeys.has(personKey(echo)) ? [] : [{ row, echo }],
	);
	return people.map((person, index) => {
		const own = byKey.get(keys[index] ?? '');
		if (own !== undefined) return own;
		const [agreeing, ...more] = rewritten.filter(({ echo }) => agrees(echo, person));
		if (agreeing !== undefined) {
			const isClear =
				more.length === 0 && others.filter((other) => agrees(agreeing.echo, other)).length === 1;
			return isClear ? agreeing.row : undefined;
		}
		return asMany && echoed[index]?.echo === undefined ? rows[index] : undefined;
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
	if (error === undefined && id !== undefined && !isProspectId(id)) {
		return {
			failure: { ...invalidIdFailure(id, PROSPECT_ID_FORMAT.description), correlationId },
		};
	}
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
