import type { IDataObject } from 'n8n-workflow';
import { LIMITS, PROSPECT, PROSPECT_ID } from '../../catalog/service';
import { notice, optionsParameter, type Parameter, type ValuesOf } from '../../runtime/parameters';
import { prospectIds, shownFor } from '../parameters';
import { MATCH_PRICE, matchBatchConfig, type MatchQuery } from './personLookup';
import { readPerson, matchParameters } from './person';
import type { MatchResult } from './matchResult';

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

/** Prospect IDs, or the details of a person as Match takes them. */
export const prospectParameters = [
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
	idFormat: PROSPECT_ID,
	flagField: 'matched',
	details: (
		values: ValuesOf<typeof prospectParameters>,
		{ requestContext }: { readonly requestContext?: IDataObject },
	): MatchQuery | undefined =>
		values.identifyBy === 'personDetails'
			? { person: readPerson(values), requestContext }
			: undefined,
	batches: matchBatchConfig,
	placeholder: matchBatchConfig.key,
	price: () => MATCH_PRICE,
	resolve: ({ id }: MatchResult) => ({ id }),
	withId: <Values extends ValuesOf<typeof prospectParameters>>(values: Values, id: string) => ({
		...values,
		prospectIds: [id],
	}),
};
