import type { IDataObject } from 'n8n-workflow';
import { LIMITS, PATHS, PROSPECT, PROSPECT_ID_FORMAT } from '../../catalog/service';
import { perBatch } from '../../runtime/operation';
import {
	batchSize,
	dropItemsWithoutData,
	operationOptions,
	requestContext,
	simplify,
} from '../../runtime/options';
import { recordOutput, type Row, rowsWithFailure } from '../../runtime/output';
import { notice, optionsParameter, type Parameter, type ValuesOf } from '../../runtime/parameters';
import type { LookupBatchConfig } from '../../runtime/spec';
import { type Price, spendingOptions } from '../../runtime/spending';
import { prospectIds, shownFor } from '../parameters';
import { matchOutcomes, type MatchResult } from './matchResult';
import {
	addAttributes,
	identifierOf,
	keyOf,
	MATCH_MEMBERS,
	matchNotice,
	matchParameters,
	type Person,
	readPerson,
	requestEntry,
} from './person';

/** A person to match. */
interface MatchQuery {
	readonly person: Person;
	readonly requestContext?: IDataObject;
}

/** The service publishes no price for a match. */
const MATCH_PRICE: Price = { unpriced: 'Match' };

/** How people become match requests (contract: Match prospects). */
const matchBatchConfig: LookupBatchConfig<MatchQuery, MatchResult> = {
	groupKey: ({ requestContext }: MatchQuery) => JSON.stringify(requestContext ?? null),
	key: ({ person }) => keyOf(person),
	maxBatchSize: () => LIMITS.matchBatch,
	inputMember: () => 'prospects_to_match',
	send: async (client, queries, skipIf) => {
		const people = queries.map(({ person }) => person);
		const { value, failure } = await client.send(
			{
				method: 'POST',
				path: PATHS.match,
				body: {
					prospects_to_match: people.map(requestEntry),
					request_context: queries[0]?.requestContext,
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
};

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

const identifyBy = optionsParameter({
	displayName: 'Identify By',
	name: 'identifyBy',
	type: 'options',
	noDataExpression: true,
	default: 'prospectId',
	options: [
		{ name: 'Prospect ID', value: 'prospectId', description: 'IDs from Match or Get Many' },
		{
			name: 'Person Details',
			value: 'personDetails',
			description: 'Email, phone number, profile URL, or name and company',
		},
	],
	description:
		'How you identify the people: by their prospect IDs, or by details that are matched first',
});

const detailsNotice = notice(
	'detailsNotice',
	`Fill in an email, phone number or profile URL, or a name with a company. People are matched first, which takes 1 request per ${LIMITS.matchBatch}; those without a match cost nothing further.`,
);

/**
 * Shows a parameter only for Person Details.
 *
 * @param path the path of Identify By in `displayOptions`: `/identifyBy` for a parameter inside Options
 */
export const forDetails = <Shown extends Parameter>(
	parameter: Shown,
	path: string = identifyBy.name,
) => shownFor('personDetails', parameter, path);

const [email, phoneNumber, network, firstName, lastName, fullName, companyName, businessId] =
	matchParameters;

/** How other operations identify people: by prospect IDs, or by the details of a person as Match takes them. */
export const identifyByParameters = [
	identifyBy,
	shownFor('prospectId', prospectIds, identifyBy.name),
	forDetails(detailsNotice),
	forDetails(email),
	forDetails(phoneNumber),
	forDetails(network),
	forDetails(firstName),
	forDetails(lastName),
	forDetails(fullName),
	forDetails(companyName),
	forDetails(businessId),
] as const;

/** How an item with a person's details gets its prospect ID: as in Match. */
export const identifyProspect = {
	idField: PROSPECT.idField,
	idFormat: PROSPECT_ID_FORMAT,
	flagField: 'matched',
	details: (
		values: ValuesOf<typeof identifyByParameters>,
		{ requestContext }: { readonly requestContext?: IDataObject },
	): MatchQuery | undefined =>
		values.identifyBy === 'personDetails'
			? { person: readPerson(values), requestContext }
			: undefined,
	batches: matchBatchConfig,
	placeholder: matchBatchConfig.key,
	price: () => MATCH_PRICE,
	resolve: ({ id }: MatchResult) => ({ id }),
	withId: <Values extends ValuesOf<typeof identifyByParameters>>(values: Values, id: string) => ({
		...values,
		prospectIds: [id],
	}),
};
