import { answerKeys, REQUESTED_DATA_SETS } from '../catalog/dataSets';
import { LIMITS, PATHS, PROSPECT_ID_FORMAT } from '../catalog/service';
import type { ValuesOf } from '../parameters/parameter';
import { isObject, textOf } from '../core/json';
import { type LookupStep, newLookup } from '../run/lookupStep';
import type { LookupOrBlank } from '../run/spec';
import { isProspectId, matchOutcomes, type MatchResult } from './matchResult';
import {
	hasOtherDetails,
	type matchParameters,
	NO_DETAILS,
	type Person,
	personKey,
	withFewerDetails,
	readPerson,
	requestEntry,
} from './person';

/** The data sets that have details by which people are matched. */
const KNOWN_FROM = REQUESTED_DATA_SETS.filter(({ multipleRows = false }) => !multipleRows);

interface MatchedPerson extends MatchResult {
	readonly person: Person;
}

/** See contract: Match prospects. */
export const matchStep = {
	idFormat: PROSPECT_ID_FORMAT,
	maxRecords: 1,
	groupKey: () => '',
	key: personKey,
	maxBatchSize: () => LIMITS.matchBatch,
	inputMember: () => 'prospects_to_match',
	send: async (client, people, skipIf) => {
		const { value, failure } = await client.send(
			{
				method: 'POST',
				path: PATHS.match,
				body: { prospects_to_match: people.map(requestEntry) },
				records: people.length,
				expects: {
					isIn: (body) => isObject(body) && (body.matched_prospects ?? null) !== null,
					problem: "The service's response has no matches",
				},
				safeToRetry: false,
			},
			skipIf,
		);
		if (failure !== undefined) return { failure };
		const outcomes = matchOutcomes(value, people, client.redact);
		return { value: { outcomeOf: (person) => outcomes.get(person) } };
	},
	remembered: {
		key: (person) => {
			// In quotes: a name may contain a comma and what looks like another detail.
			const details = Object.entries(requestEntry(person)).map(
				([name, value]) => `${name}: ${JSON.stringify(textOf(value).trim().toLowerCase())}`,
			);
			return `match ${details.join(', ')}`;
		},
		read: (value) =>
			isObject(value) &&
			(value.id === null || (typeof value.id === 'string' && isProspectId(value.id))) &&
			isObject(value.row)
				? { id: value.id, row: value.row, responseContext: value.responseContext }
				: undefined,
		fewerDetails: {
			inputs: withFewerDetails,
			keysAbout: ({ id }) =>
				id === null ? [] : KNOWN_FROM.flatMap((dataSet) => answerKeys(dataSet, id)),
			isKnown: hasOtherDetails,
		},
	},
	resolve: (result, person) => ({ ...result, person }),
} satisfies LookupStep<Person, MatchResult, MatchedPerson>;

export function personLookup(
	values: ValuesOf<typeof matchParameters>,
): LookupOrBlank<MatchedPerson> {
	const { person, blank } = readPerson(values);
	return blank !== undefined ? { blank } : newLookup(matchStep, person);
}

export const NO_MATCH: MatchedPerson = {
	id: null,
	person: NO_DETAILS,
	row: { prospect_id: null },
	responseContext: null,
};
