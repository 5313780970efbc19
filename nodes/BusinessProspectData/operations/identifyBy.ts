import type { IDataObject } from 'n8n-workflow';
import {
	BUSINESS,
	BUSINESS_ID_FORMAT,
	LIMITS,
	PROSPECT,
	PROSPECT_ID_FORMAT,
} from '../catalog/service';
import { idsParameter } from '../parameters/lists';
import { notice, optionsParameter, type Parameter, type ValuesOf } from '../parameters/parameter';
import type { Page } from '../search/page';
import { chooseCompany, companyKey } from './business/companyChoice';
import {
	companyName,
	findBatchConfig,
	type FindInput,
	findInput,
	NO_NAME_WORDING,
	notFoundHints,
	website,
} from './business/find';
import { MATCH_PRICE, matchBatchConfig, type MatchQuery } from './prospect/match';
import type { MatchResult } from './prospect/matchResult';
import { matchParameters, NO_DETAILS_WORDING, readPerson } from './prospect/person';

const LIST_FORMATS =
	'separated by commas, spaces or line breaks. An expression may return a list. The IDs of all rows are sent together, in batches.';

export const prospectIds = idsParameter(
	{
		displayName: 'Prospect IDs',
		name: 'prospectIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.prospect_id }}',
		description: `One or more prospect IDs (40 characters, from Match or Get Many), ${LIST_FORMATS}`,
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
		description: `One or more business IDs (32 characters, from Business: Find or Prospect: Get Many), ${LIST_FORMATS}`,
	},
	BUSINESS_ID_FORMAT,
);

/** Identify By in `displayOptions`: `/identifyBy` from inside Options, otherwise `identifyBy`. */
type IdentifyByPath = 'identifyBy' | '/identifyBy';

const shownFor = <Shown extends Parameter>(
	choice: string,
	parameter: Shown,
	path: IdentifyByPath = 'identifyBy',
) => ({
	...parameter,
	property: { ...parameter.property, displayOptions: { show: { [path]: [choice] } } },
});

const prospectIdentifyBy = optionsParameter({
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

export const shownForDetails = <Shown extends Parameter>(parameter: Shown, path?: IdentifyByPath) =>
	shownFor('personDetails', parameter, path);

const [email, phoneNumber, network, firstName, lastName, fullName, personCompany, businessId] =
	matchParameters;

export const prospectIdentifyByParameters = [
	prospectIdentifyBy,
	shownFor('prospectId', prospectIds),
	shownForDetails(detailsNotice),
	shownForDetails(email),
	shownForDetails(phoneNumber),
	shownForDetails(network),
	shownForDetails(firstName),
	shownForDetails(lastName),
	shownForDetails(fullName),
	shownForDetails(personCompany),
	shownForDetails(businessId),
] as const;

/** A `lookup` (see `LookupSpec`) of prospect IDs by person details. Each operation adds its own `unmatchedRow`. */
export const prospectLookup = {
	idField: PROSPECT.idField,
	idFormat: PROSPECT_ID_FORMAT,
	matchedField: 'matched',
	details: (
		values: ValuesOf<typeof prospectIdentifyByParameters>,
		{ requestContext }: Pick<MatchQuery, 'requestContext'>,
	): MatchQuery | 'blank' | undefined => {
		if (values.identifyBy !== 'personDetails') return undefined;
		const person = readPerson(values);
		return person === undefined ? 'blank' : { person, requestContext };
	},
	blank: NO_DETAILS_WORDING,
	batchConfig: matchBatchConfig,
	provisionalId: matchBatchConfig.key,
	price: () => MATCH_PRICE,
	resolve: ({ id }: MatchResult) => ({ id }),
	withId: <Values extends ValuesOf<typeof prospectIdentifyByParameters>>(
		values: Values,
		id: string,
	) => ({ ...values, prospectIds: [id] }),
};

const businessIdentifyBy = optionsParameter({
	displayName: 'Identify By',
	name: 'identifyBy',
	type: 'options',
	noDataExpression: true,
	default: 'businessId',
	options: [
		{ name: 'Business ID', value: 'businessId', description: 'IDs from Find or Get Many' },
		{ name: 'Company Name', value: 'companyName', description: 'Company name and website' },
	],
	description:
		'How you identify the businesses: by their business IDs, or by company names that are looked up first',
});

const nameNotice = notice(
	'nameNotice',
	"Companies are found first, which takes 1 request per company name; those that aren't found cost nothing further. Finds only companies for which the service knows at least one person.",
);

export const shownForName = <Shown extends Parameter>(parameter: Shown, path?: IdentifyByPath) =>
	shownFor('companyName', parameter, path);

export const businessIdentifyByParameters = [
	businessIdentifyBy,
	shownFor('businessId', businessIds),
	shownForName(companyName),
	shownForName(website),
	shownForName(nameNotice),
] as const;

export const withCandidates = (
	row: IDataObject,
	candidates: readonly IDataObject[] = [],
): IDataObject => (candidates.length > 0 ? { ...row, candidates: [...candidates] } : row);

/** A `lookup` (see `LookupSpec`) of business IDs by company name. Each operation adds its own `unmatchedRow`. */
export const businessLookup = {
	idField: BUSINESS.idField,
	idFormat: BUSINESS_ID_FORMAT,
	matchedField: 'found',
	unmatchedFields: ['candidates'],
	details: (
		values: ValuesOf<typeof businessIdentifyByParameters>,
		options: Pick<FindInput, 'rowsPerSearch' | 'requestContext'>,
	): FindInput | 'blank' | undefined =>
		values.identifyBy === 'companyName' ? (findInput(values, options) ?? 'blank') : undefined,
	blank: NO_NAME_WORDING,
	batchConfig: findBatchConfig,
	// Includes the website, because items with the same name but different websites may mean different companies.
	provisionalId: companyKey,
	resolve: (page: Page, input: FindInput) => {
		const { company, candidates } = chooseCompany(page.rows, input);
		return { id: company?.business_id ?? null, candidates };
	},
	withId: <Values extends ValuesOf<typeof businessIdentifyByParameters>>(
		values: Values,
		id: string,
	) => ({ ...values, businessIds: [id] }),
	hints: notFoundHints,
};
