import type { IDataObject } from 'n8n-workflow';
import { MATCH_CHARGE } from '../catalog/prices';
import {
	BUSINESS,
	BUSINESS_ID_FORMAT,
	LIMITS,
	PROSPECT,
	PROSPECT_ID_FORMAT,
} from '../catalog/service';
import { idsParameter } from '../parameters/lists';
import { dropsUnmatched, rowsWithoutMatch } from '../parameters/options';
import { notice, optionsParameter, type Parameter, type ValuesOf } from '../parameters/parameter';
import type { BatchConfig } from '../run/batches';
import type { InputResult } from '../run/inputs';
import { CANDIDATE_FIELDS, companyKey } from './business/companyChoice';
import {
	blankWording,
	companyName,
	emailQuery,
	type FindInput,
	type FindOptions,
	lookUpSpellings,
	nameInput,
	personInput,
	prospectId,
	rowsPerSearch,
	website,
	workEmail,
} from './business/companyParameters';
import {
	companyOf,
	type CompanyPage,
	findBatchConfig,
	notFoundHints,
} from './business/companySearch';
import { matchBatchConfig, type MatchQuery } from './prospect/match';
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
	choice: string | string[],
	parameter: Shown,
	path: IdentifyByPath = 'identifyBy',
) => ({
	...parameter,
	property: {
		...parameter.property,
		displayOptions: {
			show: { ...parameter.property.displayOptions?.show, [path]: [choice].flat() },
		},
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

const shownForDetails = <Shown extends Parameter>(parameter: Shown) =>
	shownFor('personDetails', parameter);

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

/** The members of a `lookup` (see `LookupSpec`) of prospect IDs through a match. */
export const matchLookup = {
	idField: PROSPECT.idField,
	idFormat: () => PROSPECT_ID_FORMAT,
	batchConfig: matchBatchConfig,
	provisionalId: matchBatchConfig.key,
	charge: () => MATCH_CHARGE,
	resolve: ({ id }: MatchResult) => ({ id }),
};

/** A `lookup` (see `LookupSpec`) of prospect IDs by person details. Each operation adds its own `unmatchedRow`. */
export const prospectLookup = {
	...matchLookup,
	matchedField: 'matched',
	details: (
		values: ValuesOf<typeof prospectIdentifyByParameters>,
		{ requestContext }: Pick<MatchQuery, 'requestContext'>,
	): MatchQuery | 'blank' | undefined => {
		if (values.identifyBy !== 'personDetails') return undefined;
		const person = readPerson(values);
		return person === undefined ? 'blank' : { person, requestContext };
	},
	blank: () => NO_DETAILS_WORDING,
	dropsUnmatched,
	withId: <Values extends ValuesOf<typeof prospectIdentifyByParameters>>(
		values: Values,
		id: string,
	) => ({ ...values, prospectIds: [id] }),
};

/** The choices in Identify By that find a company. */
export const COMPANY_IDENTIFIERS = [
	{ name: 'Company Name', value: 'companyName', description: 'Company name and website' },
	{ name: 'Prospect ID', value: 'prospectId', description: 'A person who works there' },
	{
		name: 'Work Email',
		value: 'workEmail',
		description: 'Email of a person who works there, matched first',
	},
] as const;

const businessIdentifyBy = optionsParameter({
	displayName: 'Identify By',
	name: 'identifyBy',
	type: 'options',
	noDataExpression: true,
	default: 'businessId',
	options: [
		{ name: 'Business ID', value: 'businessId', description: 'IDs from Find or Get Many' },
		...COMPANY_IDENTIFIERS,
	],
	description:
		'How you identify the businesses: by their business IDs, or by company names or people, who are looked up first',
});

export const nameNotice = notice(
	'nameNotice',
	'Takes 1 request per company name, and up to 2 more if it is not found. Finds only companies with known people.',
);

const prospectNotice = notice(
	'prospectNotice',
	`Finding the companies of the people takes 1 request per ${LIMITS.pageSize} people.`,
);

const emailNotice = notice(
	'emailNotice',
	`Takes 1 match per email, which may use credits. 1 request per ${LIMITS.matchBatch} emails, then 1 per ${LIMITS.pageSize} people.`,
);

export const shownForName = <Shown extends Parameter>(parameter: Shown, path?: IdentifyByPath) =>
	shownFor('companyName', parameter, path);

/** Options under Requests. */
export const nameSearchOptions = [
	shownForName(rowsPerSearch, '/identifyBy'),
	shownForName(lookUpSpellings, '/identifyBy'),
] as const;

export const personParameters = [
	shownFor('prospectId', prospectId),
	shownFor('prospectId', prospectNotice),
	shownFor('workEmail', workEmail),
	shownFor('workEmail', emailNotice),
] as const;

export const businessIdentifyByParameters = [
	businessIdentifyBy,
	shownFor('businessId', businessIds),
	shownForName(companyName),
	shownForName(website),
	shownForName(nameNotice),
	...personParameters,
	// Unless Identify By is set to Business ID.
	shownFor(
		COMPANY_IDENTIFIERS.map(({ value }) => value),
		rowsWithoutMatch,
	),
] as const;

/** A person is looked up by email, then the person's company by the prospect ID; a name takes one step. */
type CompanyDetails = MatchQuery | FindInput;
type CompanyResult = MatchResult | CompanyPage;

const companyBatchConfig: BatchConfig<CompanyDetails, CompanyResult> = {
	groupKey: (details) =>
		'person' in details
			? `match ${JSON.stringify(details.requestContext)}`
			: findBatchConfig.groupKey(details),
	key: (details) =>
		'person' in details ? matchBatchConfig.key(details) : findBatchConfig.key(details),
	maxBatchSize: (details) =>
		'person' in details ? matchBatchConfig.maxBatchSize() : findBatchConfig.maxBatchSize(details),
	inputMember: (details) =>
		'person' in details ? matchBatchConfig.inputMember() : findBatchConfig.inputMember(),
	maxRequests: (details) => ('person' in details ? 1 : findBatchConfig.maxRequests(details)),
	parameterName: (details) =>
		'person' in details ? workEmail.name : findBatchConfig.parameterName(details),
	send: async (client, details, skipIf) => {
		const [query, ...queries] = details.flatMap((one) => ('person' in one ? [one] : []));
		if (query !== undefined) {
			const sent = await matchBatchConfig.send(client, [query, ...queries], skipIf);
			if (sent.value === undefined) return sent;
			return { value: (one) => ('person' in one ? sent.value(one) : undefined) };
		}
		const [input, ...inputs] = details.flatMap((one) => ('person' in one ? [] : [one]));
		if (input === undefined) return { value: () => undefined };
		const sent = await findBatchConfig.send(client, [input, ...inputs], skipIf);
		if (sent.value === undefined) return sent;
		return { value: (one) => ('person' in one ? undefined : sent.value(one)) };
	},
};

/** A `lookup` (see `LookupSpec`) of business IDs by company name or person. Each operation adds its own `unmatchedRow`. */
export const businessLookup = {
	idField: BUSINESS.idField,
	idFormat: (details: CompanyDetails) =>
		'person' in details ? PROSPECT_ID_FORMAT : BUSINESS_ID_FORMAT,
	matchedField: 'found',
	unmatchedFields: [...CANDIDATE_FIELDS, 'candidates'],
	details: (
		values: ValuesOf<typeof businessIdentifyByParameters>,
		options: FindOptions,
	): CompanyDetails | 'blank' | undefined => {
		const { identifyBy } = values;
		if (identifyBy === 'businessId') return undefined;
		if (identifyBy === 'workEmail') return emailQuery(values, options) ?? 'blank';
		const input =
			identifyBy === 'companyName' ? nameInput(values, options) : personInput(values, options);
		return input ?? 'blank';
	},
	blank: ({ identifyBy }: ValuesOf<typeof businessIdentifyByParameters>) =>
		blankWording(identifyBy === 'businessId' ? 'companyName' : identifyBy),
	dropsUnmatched,
	batchConfig: companyBatchConfig,
	// Includes the website, because items with the same name but different websites may mean different companies.
	provisionalId: (details: CompanyDetails): string => {
		if ('person' in details) return matchBatchConfig.key(details);
		return 'prospectId' in details ? details.prospectId : companyKey(details);
	},
	charge: (details: CompanyDetails) => ('person' in details ? MATCH_CHARGE : undefined),
	next: ({ requestContext, ...details }: CompanyDetails, id: string): FindInput | undefined =>
		'person' in details ? { prospectId: id, requestContext } : undefined,
	keptOnFailure: (details: CompanyDetails): IDataObject =>
		'prospectId' in details ? { [PROSPECT.idField]: details.prospectId } : {},
	resolve: (result: CompanyResult, details: CompanyDetails) => {
		if ('row' in result) return { id: result.id };
		if ('person' in details) return { id: null };
		const { company, candidates } = companyOf(result, details);
		return { id: company?.business_id ?? null, candidates };
	},
	withId: <Values extends ValuesOf<typeof businessIdentifyByParameters>>(
		values: Values,
		id: string,
	) => ({ ...values, businessIds: [id] }),
	hints: (lookups: ReadonlyArray<InputResult<CompanyDetails, CompanyResult>>): string[] =>
		notFoundHints(
			lookups.flatMap(({ input, outcome: { value }, duplicate }) =>
				'person' in input || value === undefined || 'row' in value
					? []
					: [{ input, outcome: { value }, duplicate }],
			),
		),
};
