import type { IDataObject } from 'n8n-workflow';
import { LIMITS, PROSPECT_ID_FORMAT } from '../../catalog/service';
import { cellParameter, COMPANY_NAME, EMAIL, WEBSITE } from '../../parameters/cells';
import { idsParameter } from '../../parameters/lists';
import {
	booleanParameter,
	integerParameter,
	parameterError,
	type ValuesOf,
} from '../../parameters/parameter';
import type { BlankWording } from '../../run/spec';
import type { MatchQuery } from '../prospect/match';
import { NO_DETAILS } from '../prospect/person';
import type { CompanyInput } from './companyChoice';

export const companyName = cellParameter(
	{
		displayName: 'Company Name',
		name: 'companyName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Acme, Inc.',
		description:
			'Name of the company; a legal form such as Inc. or GmbH may be missing. Rows of the same name share their requests.',
	},
	COMPANY_NAME,
);

export const website = cellParameter(
	{
		displayName: 'Website',
		name: 'website',
		type: 'string',
		default: '',
		placeholder: 'e.g. example.com',
		description:
			'Website of the company, which decides between companies of similar names. Leave empty to choose the company of exactly this name.',
	},
	WEBSITE,
);

export const prospectId = idsParameter(
	{
		displayName: 'Prospect ID',
		name: 'prospectId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.prospect_id }}',
		description: 'ID of a person, from Match or Get Many, whose company you look for',
	},
	PROSPECT_ID_FORMAT,
);

export const workEmail = cellParameter(
	{
		displayName: 'Work Email',
		name: 'workEmail',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. nathan@example.com',
		description: 'Email address of a person whose company you look for',
	},
	EMAIL,
);

export const rowsPerSearch = integerParameter({
	displayName: 'Rows per Search',
	name: 'rowsPerSearch',
	type: 'number',
	noDataExpression: true,
	default: 10,
	typeOptions: { minValue: 1, maxValue: LIMITS.pageSize },
	description: `How many people to look at for each company name, up to ${LIMITS.pageSize}. More help if many companies have similar names.`,
});

export const lookUpSpellings = booleanParameter({
	displayName: 'Look Up Spellings',
	name: 'lookUpSpellings',
	type: 'boolean',
	noDataExpression: true,
	default: true,
	description:
		"Whether to look further for names that the service doesn't find as they are, which takes up to 2 more requests for such a name",
});

/** What identifies a company, as saved in Identify By. */
export type CompanyIdentifier = 'companyName' | 'prospectId' | 'workEmail';

const BLANK_WORDINGS: Readonly<Record<CompanyIdentifier, BlankWording>> = {
	companyName: { rows: 'without a company name', advice: 'Fill in Company Name.' },
	prospectId: { rows: 'without a prospect ID', advice: 'Fill in Prospect ID.' },
	workEmail: { rows: 'without a work email', advice: 'Fill in Work Email.' },
};

export const blankWording = (identifyBy: CompanyIdentifier): BlankWording =>
	BLANK_WORDINGS[identifyBy];

export interface NameInput extends CompanyInput {
	readonly rowsPerSearch: number;
	readonly lookUpSpellings: boolean;
	readonly requestContext?: IDataObject;
}

/** A person whose company is looked for. */
export interface PersonInput {
	readonly prospectId: string;
	/** The parameter that the ID comes from. Absent if it comes from a match. */
	readonly parameterName?: string;
	readonly requestContext?: IDataObject;
}

export type FindInput = NameInput | PersonInput;

export type FindOptions = Pick<NameInput, 'rowsPerSearch' | 'lookUpSpellings' | 'requestContext'>;

export type CompanyValues = ValuesOf<
	readonly [typeof companyName, typeof website, typeof prospectId, typeof workEmail]
>;

/**
 * Undefined for a blank row.
 *
 * @throws UserError if there is no name, but something else
 */
export function nameInput(
	{ companyName: name, website: address }: Pick<CompanyValues, 'companyName' | 'website'>,
	options: FindOptions,
): NameInput | undefined {
	if (name.value === null) {
		const { property, kind } = companyName;
		if (name.ignored !== undefined) {
			throw parameterError(property, `is ${kind.description}. Correct it.`, name.ignored);
		}
		if (address.value === null && address.ignored === undefined) return undefined;
		throw parameterError(property, 'is empty. Fill it in, or remove such rows before this node.');
	}
	return {
		companyName: name.value,
		website: address.value ?? '',
		rowsPerSearch: options.rowsPerSearch,
		lookUpSpellings: options.lookUpSpellings,
		requestContext: options.requestContext,
	};
}

/**
 * Undefined for a blank row.
 *
 * @throws UserError if there are several IDs
 */
export function personInput(
	{ prospectId: [id, ...others] }: Pick<CompanyValues, 'prospectId'>,
	{ requestContext }: Pick<FindOptions, 'requestContext'>,
): PersonInput | undefined {
	if (id === undefined) return undefined;
	if (others.length > 0) {
		const rule = 'contains several prospect IDs. Enter one.';
		throw parameterError(prospectId.property, rule, [id, ...others].join(', '));
	}
	return { prospectId: id, parameterName: prospectId.name, requestContext };
}

/**
 * Undefined for a blank row.
 *
 * @throws UserError if there is something else than an address
 */
export function emailQuery(
	{ workEmail: email }: Pick<CompanyValues, 'workEmail'>,
	{ requestContext }: Pick<FindOptions, 'requestContext'>,
): MatchQuery | undefined {
	const { property, kind } = workEmail;
	if (email.value !== null)
		return { person: { ...NO_DETAILS, email: email.value }, requestContext };
	if (email.ignored === undefined) return undefined;
	throw parameterError(property, `is ${kind.description}. Correct it.`, email.ignored);
}
