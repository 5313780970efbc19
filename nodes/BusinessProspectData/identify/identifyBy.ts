import {
	BUSINESS,
	BUSINESS_ID_FORMAT,
	LIMITS,
	PROSPECT,
	PROSPECT_ID_FORMAT,
} from '../catalog/service';
import { idFromCell, idsParameter } from '../parameters/lists';
import { optionsParameter, type Parameter, type ValuesOf } from '../parameters/parameter';
import { candidateFields } from './companyChoice';
import { CANDIDATE_LIST, CANDIDATES, type ColumnSet, type Records } from '../fields/columns';
import type { ResolvedId } from '../run/lookupStep';
import { companyName, prospectId, website, workEmail } from './companyParameters';
import { type FoundCompany, notFoundAdvice, companyLookup } from './companySearch';
import { personLookup } from './matchStep';
import { matchParameters, PERSON_DETAILS } from './person';

export const prospectIds = idsParameter(
	{
		displayName: 'Prospect IDs',
		name: 'prospectIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.prospect_id }}',
		description: 'IDs from Match or Get Many. Several may be separated by commas.',
	},
	{
		...PROSPECT_ID_FORMAT,
		advice: 'Run Match first, then drag prospect_id here, or set Identify By to Person Details.',
	},
);

export const businessIds = idsParameter(
	{
		displayName: 'Business IDs',
		name: 'businessIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.business_id }}',
		description: 'IDs from Find or Get Many. Several may be separated by commas.',
	},
	BUSINESS_ID_FORMAT,
);

const shownFor = <Shown extends Parameter>(choice: string, parameter: Shown) => ({
	...parameter,
	property: {
		...parameter.property,
		displayOptions: {
			show: { ...parameter.property.displayOptions?.show, identifyBy: [choice] },
		},
	},
});

const prospectIdentifyBy = optionsParameter({
	displayName: 'Identify By',
	name: 'identifyBy',
	type: 'options',
	noDataExpression: true,
	default: 'personDetails',
	options: [
		{
			name: 'Person Details',
			value: 'personDetails',
			description:
				'Email, phone number, profile URL, or name and company; matched first, which may use credits',
		},
		{
			name: 'Prospect ID',
			value: 'prospectId',
			description: 'IDs from Match or Get Many, so that nobody is matched or paid for again',
		},
	],
	description: 'Without their IDs, people are matched first',
});

const [email, fullName, personCompany, moreDetails] = matchParameters;

/** People drag in the ID of a person whom they have matched. */
const emailOrId: typeof email = {
	...email,
	ignoredCells: (cell) =>
		(email.ignoredCells?.(cell) ?? []).map((ignored) =>
			idFromCell(ignored.text, PROSPECT_ID_FORMAT) === undefined
				? ignored
				: {
						...ignored,
						rule: 'a prospect ID, not an email address (set Identify By to Prospect ID)',
					},
		),
};

const shownForDetails = <Shown extends Parameter>(parameter: Shown) =>
	shownFor('personDetails', parameter);

export const prospectIdentifyByParameters = [
	prospectIdentifyBy,
	shownFor('prospectId', prospectIds),
	shownForDetails(emailOrId),
	shownForDetails(fullName),
	shownForDetails(personCompany),
	shownForDetails(moreDetails),
] as const;

type PersonValues = ValuesOf<typeof prospectIdentifyByParameters>;

/** A `lookup` (see `LookupSpec`) of prospect IDs by person details. */
export const prospectLookup = {
	idField: PROSPECT.idField,
	detailNames: PERSON_DETAILS,
	matchedField: 'matched',
	lookupOf: (values: PersonValues) =>
		values.identifyBy === 'personDetails' ? personLookup(values) : undefined,
	records: (_values: object, resolved?: ResolvedId): Records => ({ resolved }),
	withId: <Values extends PersonValues>(values: Values, id: string) => ({
		...values,
		prospectIds: [id],
	}),
};

export const COMPANY_IDENTIFIERS = [
	{
		name: 'Company Name',
		value: 'companyName',
		description:
			'Finds only companies whose people the service knows. Each name takes 1 to 3 requests and returns 5 to 25 people, who may use credits.',
	},
	{
		name: 'Prospect ID',
		value: 'prospectId',
		description: `A person who works there. Takes 1 request for every ${LIMITS.pageSize} people, who may use credits.`,
	},
	{
		name: 'Work Email',
		value: 'workEmail',
		description: 'Of a person who works there. Matched first, which may use credits.',
	},
] as const;

// A variable, because n8n's lint would look for the default among the literals of a list only.
const BUSINESS_IDENTIFIERS = [
	{
		name: 'Business ID',
		value: 'businessId',
		description: 'IDs from Find or Get Many, so that nothing is looked up again',
	},
	...COMPANY_IDENTIFIERS,
];

const businessIdentifyBy = optionsParameter({
	displayName: 'Identify By',
	name: 'identifyBy',
	type: 'options',
	noDataExpression: true,
	default: 'companyName',
	options: BUSINESS_IDENTIFIERS,
	description: 'Without their IDs, businesses are found first',
});

/** Details that identify a company without its ID. */
export const companyParameters = [
	shownFor('companyName', companyName),
	shownFor('companyName', website),
	shownFor('prospectId', prospectId),
	shownFor('workEmail', workEmail),
] as const;

export const businessIdentifyByParameters = [
	businessIdentifyBy,
	shownFor('businessId', businessIds),
	...companyParameters,
] as const;

export const COMPANY_DETAILS = companyParameters.map(({ name }): string => name);

type CompanyValues = ValuesOf<typeof businessIdentifyByParameters>;

/** The companies that a row may mean, if none was found. */
export const candidatesSet = (isSimple: boolean): ColumnSet =>
	isSimple ? CANDIDATES : CANDIDATE_LIST;

export const companyRecords = (resolved?: FoundCompany): Records => {
	const candidates = resolved?.candidates ?? [];
	return { resolved, candidates: { ...candidateFields(candidates), candidates: [...candidates] } };
};

/** A `lookup` (see `LookupSpec`) of business IDs by company name or person. */
export const businessLookup = {
	idField: BUSINESS.idField,
	detailNames: COMPANY_DETAILS,
	matchedField: 'found',
	lookupOf: companyLookup,
	records: (_values: object, resolved?: FoundCompany) => companyRecords(resolved),
	advice: notFoundAdvice,
	withId: <Values extends CompanyValues>(values: Values, id: string) => ({
		...values,
		businessIds: [id],
	}),
};
