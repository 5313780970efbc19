import {
	BUSINESS,
	BUSINESS_ID_FORMAT,
	LIMITS,
	PROSPECT,
	PROSPECT_ID_FORMAT,
} from '../catalog/service';
import { idsParameter } from '../parameters/lists';
import { rowsWithoutMatch } from '../parameters/options';
import { notice, optionsParameter, type Parameter, type ValuesOf } from '../parameters/parameter';
import type { Page } from '../search/page';
import { CANDIDATE_FIELDS, chooseCompany, companyKey } from './business/companyChoice';
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

const LIST_FORMATS = 'separated by commas, spaces or line breaks, or as a list';

export const prospectIds = idsParameter(
	{
		displayName: 'Prospect IDs',
		name: 'prospectIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.prospect_id }}',
		description: `One or more prospect IDs (from Match or Get Many), ${LIST_FORMATS}`,
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
		description: `One or more business IDs (from Business: Find or Prospect: Get Many), ${LIST_FORMATS}`,
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
	property: {
		...parameter.property,
		displayOptions: { show: { ...parameter.property.displayOptions?.show, [path]: [choice] } },
	},
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
			description: `Email, phone number, profile URL, or name and company; matched first, 1 request per ${LIMITS.matchBatch} people`,
		},
	],
	description:
		'How you identify the people. Those whose details have no match cost nothing further.',
});

export const shownForDetails = <Shown extends Parameter>(parameter: Shown, path?: IdentifyByPath) =>
	shownFor('personDetails', parameter, path);

const [
	email,
	nameFields,
	firstName,
	lastName,
	fullName,
	personCompany,
	network,
	phoneNumber,
	businessId,
] = matchParameters;

export const prospectIdentifyByParameters = [
	prospectIdentifyBy,
	shownFor('prospectId', prospectIds),
	shownForDetails(email),
	shownForDetails(nameFields),
	shownForDetails(firstName),
	shownForDetails(lastName),
	shownForDetails(fullName),
	shownForDetails(personCompany),
	shownForDetails(network),
	shownForDetails(phoneNumber),
	shownForDetails(businessId),
	shownForDetails(rowsWithoutMatch),
] as const;

const dropsUnmatched = (values: ValuesOf<readonly [typeof rowsWithoutMatch]>): boolean =>
	values.rowsWithoutMatch === 'drop';

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
	dropsUnmatched,
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
	'Takes 1 request per company name. Finds only companies for which the service knows at least one person.',
);

export const shownForName = <Shown extends Parameter>(parameter: Shown, path?: IdentifyByPath) =>
	shownFor('companyName', parameter, path);

export const businessIdentifyByParameters = [
	businessIdentifyBy,
	shownFor('businessId', businessIds),
	shownForName(companyName),
	shownForName(website),
	shownForName(nameNotice),
	shownForName(rowsWithoutMatch),
] as const;

/** A `lookup` (see `LookupSpec`) of business IDs by company name. Each operation adds its own `unmatchedRow`. */
export const businessLookup = {
	idField: BUSINESS.idField,
	idFormat: BUSINESS_ID_FORMAT,
	matchedField: 'found',
	unmatchedFields: [...CANDIDATE_FIELDS, 'candidates'],
	details: (
		values: ValuesOf<typeof businessIdentifyByParameters>,
		options: Pick<FindInput, 'rowsPerSearch' | 'requestContext'>,
	): FindInput | 'blank' | undefined =>
		values.identifyBy === 'companyName' ? (findInput(values, options) ?? 'blank') : undefined,
	blank: NO_NAME_WORDING,
	dropsUnmatched,
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
