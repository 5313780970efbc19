import { type IDataObject, UserError } from 'n8n-workflow';
import { BUSINESS_ID_FORMAT } from '../../catalog/service';
import { asText, isObject } from '../../core/json';
import { idsParameter } from '../../parameters/lists';
import {
	areBothNothing,
	cellParameter,
	COMPANY_NAME,
	EMAIL,
	PERSON_NAME,
	PHONE,
	PROFILE_URL,
	readCell,
} from '../../parameters/cells';
import type { BlankWording } from '../../run/spec';
import { optionsParameter, parameterError, type ValuesOf } from '../../parameters/parameter';
import type { GivenDetails } from './matchCheck';

const email = cellParameter(
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		default: '',
		placeholder: 'e.g. nathan@example.com',
		hint: 'An email, phone number or profile URL is enough. So is a name with a company.',
		description: 'Email address of the person. More details make a match likelier.',
	},
	EMAIL,
);

const phoneNumber = cellParameter(
	{
		displayName: 'Phone Number',
		name: 'phoneNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. +1 512 555 0100',
		description: 'Phone number of the person',
	},
	PHONE,
);

const nameFields = optionsParameter({
	displayName: 'Name Fields',
	name: 'nameFields',
	type: 'options',
	noDataExpression: true,
	default: 'firstAndLast',
	options: [
		{ name: 'First and Last Name', value: 'firstAndLast' },
		{ name: 'Full Name', value: 'full' },
	],
	description: 'Whether your rows have the name in two fields or in one',
});

const firstName = cellParameter(
	{
		displayName: 'First Name',
		name: 'firstName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Nathan',
		displayOptions: { show: { nameFields: ['firstAndLast'] } },
		description: 'First name of the person. A name is sent only with Company Name.',
	},
	PERSON_NAME,
);

const lastName = cellParameter(
	{
		displayName: 'Last Name',
		name: 'lastName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Smith',
		displayOptions: { show: { nameFields: ['firstAndLast'] } },
		description: 'Last name of the person. A name is sent only with Company Name.',
	},
	PERSON_NAME,
);

const fullName = cellParameter(
	{
		displayName: 'Full Name',
		name: 'fullName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Nathan Smith',
		displayOptions: { show: { nameFields: ['full'] } },
		description: 'Name of the person. Sent only with Company Name.',
	},
	PERSON_NAME,
);

const companyName = cellParameter(
	{
		displayName: 'Company Name',
		name: 'companyName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Acme, Inc.',
		description: 'Name of the company the person works for. Sent only with a name.',
	},
	COMPANY_NAME,
);

const network = cellParameter(
	{
		displayName: 'Profile URL',
		name: 'network',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://network.example.com/in/nathan-smith',
		description: "Address of the person's profile on the professional network",
	},
	PROFILE_URL,
);

const businessId = idsParameter(
	{
		displayName: 'Business ID',
		name: 'businessId',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.business_id }}',
		description:
			'Only match people at this business. Not enough to identify a person. Leave empty for any business.',
	},
	BUSINESS_ID_FORMAT,
);

/** Ordered so that the fields that CRMs usually have come first. */
export const matchParameters = [
	email,
	nameFields,
	firstName,
	lastName,
	fullName,
	companyName,
	network,
	phoneNumber,
	businessId,
] as const;

type MatchValues = ValuesOf<typeof matchParameters>;

/** The members of a match input (contract: Prospect match input and output). */
export const MATCH_MEMBERS = [
	'email',
	'full_name',
	'company_name',
	'phone_number',
	'network',
	'business_id',
] as const;

/** Null means that an attribute isn't sent. */
export type Person = Readonly<Record<(typeof MATCH_MEMBERS)[number], string | null>>;

export const NO_DETAILS_WORDING: BlankWording = {
	rows: 'without details',
	advice: 'Fill in an email, phone number or profile URL, or a name with a company.',
};

/** A blank row. */
export const NO_DETAILS: Person = {
	email: null,
	full_name: null,
	company_name: null,
	phone_number: null,
	network: null,
	business_id: null,
};

/** The fields of a Match row that repeat the details that were sent. */
export const DETAIL_FIELDS = MATCH_MEMBERS.map((member) => `input_${member}`);

export const detailFields = (person: Person): IDataObject =>
	Object.fromEntries(MATCH_MEMBERS.map((member) => [`input_${member}`, person[member]]));

export const requestEntry = (person: Person): IDataObject =>
	Object.fromEntries(Object.entries(person).filter(([, value]) => value !== null));

/** The attribute by which the service's messages are expected to name the person. */
export const recordLabelOf = ({ email, network, phone_number, full_name }: Person): string =>
	email ?? network ?? phone_number ?? full_name ?? '';

export const equalsEcho = (person: Person, echo: unknown): boolean =>
	isObject(echo) && MATCH_MEMBERS.every((member) => (echo[member] ?? null) === person[member]);

/** Ignores case and surrounding blanks. */
export function personKey(person: IDataObject | Person): string {
	let key = '';
	for (const member of MATCH_MEMBERS) {
		const attribute = asText(person[member])?.trim().toLowerCase() ?? '';
		key += `${attribute.length}:${attribute}`;
	}
	return key;
}

/**
 * Undefined for a blank row. Leaves out a name without a company and a company without a name, because the service accepts them
 * only together.
 *
 * @throws UserError if something is filled in that doesn't identify the person, or if there are several business IDs
 */
export function readPerson(values: MatchValues): Person | undefined {
	const { name, company } = nameAndCompany(values);
	const isNamed = name !== null && company !== null;
	const contacts = [values.email, values.phoneNumber, values.network];
	if (!isNamed && contacts.every(({ value }) => value === null)) {
		const unusable = unusableError(values);
		if (unusable !== undefined) throw unusable;
		if (name === null && company === null && values.businessId.length === 0) return undefined;
		throw unidentifiedError(values);
	}
	if (values.businessId.length > 1) {
		throw parameterError(
			businessId.property,
			'contains several business IDs. Enter one.',
			values.businessId.join(', '),
		);
	}
	return {
		business_id: values.businessId[0] ?? null,
		full_name: isNamed ? name : null,
		company_name: isNamed ? company : null,
		email: values.email.value,
		phone_number: values.phoneNumber.value,
		network: values.network.value,
	};
}

/** What the row says about the person, even if it isn't sent. */
export const givenDetails = (values: MatchValues): GivenDetails => ({
	...nameAndCompany(values),
	email: values.email.value,
});

function nameAndCompany({ fullName, firstName, lastName, companyName: company }: MatchValues) {
	const parts = [firstName.value, lastName.value].filter((part) => part !== null).join(' ');
	const name = fullName.value ?? readCell(parts, PERSON_NAME).value;
	return areBothNothing(name ?? '', company.value ?? '')
		? { name: null, company: null }
		: { name, company: company.value };
}

const DETAILS = [email, phoneNumber, network, fullName, firstName, lastName, companyName] as const;

function unusableError(values: MatchValues): UserError | undefined {
	for (const { name, property, kind } of DETAILS) {
		const { ignored } = values[name];
		if (ignored === undefined) continue;
		const rule = `is ${kind.description}, and nothing else identifies this person. Correct it, or fill in another detail.`;
		return parameterError(property, rule, ignored);
	}
	return undefined;
}

function unidentifiedError(values: MatchValues): UserError {
	const others = 'or Email, Phone Number or Profile URL.';
	const { name, company } = nameAndCompany(values);
	if (name !== null) {
		return parameterError(
			companyName.property,
			`is empty. A name alone doesn't identify a person: also fill in Company Name, ${others}`,
		);
	}
	if (company !== null) {
		return parameterError(
			values.nameFields === 'full' ? fullName.property : lastName.property,
			`is empty. A company alone doesn't identify a person: also fill in the person's name, ${others}`,
		);
	}
	return new UserError(
		'Nothing identifies this person. Fill in Email, Phone Number or Profile URL, or a name and Company Name. A Business ID is not enough by itself.',
		{ extra: { field: email.name } },
	);
}
