import type { IDataObject } from 'n8n-workflow';
import { BUSINESS_ID_FORMAT } from '../catalog/service';
import { asText, isObject } from '../core/json';
import { idsParameter } from '../parameters/lists';
import { COMPANY_NAME, EMAIL, PERSON_NAME, PHONE } from '../parameters/cellKinds';
import { areBothNothing, type Cell, cellParameter } from '../parameters/cells';
import type { BlankWording } from '../fields/row';
import { collectionParameter, parameterError, type ValuesOf } from '../parameters/parameter';
import { PROFILE_URL } from '../parameters/webAddresses';
import { areAlike, parseCompanyName } from './companyName';

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

const fullName = {
	...cellParameter(
		{
			displayName: 'Full Name',
			name: 'fullName',
			type: 'string',
			default: '',
			placeholder: 'e.g. Nathan Smith',
			description:
				'Sent only with Company Name. If first and last name are apart, drag in both: a space is put between them.',
		},
		PERSON_NAME,
	),
	isSpaced: true,
};

const companyName = cellParameter(
	{
		displayName: 'Company Name',
		name: 'companyName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Acme, Inc.',
		description: 'Company the person works for. Sent only with a name.',
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
		description: 'Profile on the professional network',
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
		description: 'Only match people at this business. Leave empty for any.',
	},
	BUSINESS_ID_FORMAT,
);

/** Those that CRMs usually have come first. */
export const matchParameters = [
	email,
	fullName,
	companyName,
	collectionParameter('moreDetails', 'More Details', 'Add Detail', [
		phoneNumber,
		network,
		businessId,
	]),
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

/** By what a row has, if that doesn't identify a person. */
const BLANK_WORDINGS: Readonly<
	Record<'nothing' | 'name' | 'company' | 'businessId' | 'unusable', BlankWording>
> = {
	nothing: {
		rows: 'without details',
		advice: 'Fill in an email, phone number or profile URL, or a name with a company.',
	},
	name: {
		rows: 'with a name, but no company',
		advice: 'Fill in Company Name, or an email, phone number or profile URL.',
	},
	company: {
		rows: 'with a company, but no name',
		advice: "Fill in the person's name, or an email, phone number or profile URL.",
	},
	businessId: {
		rows: 'with only a business ID',
		advice: 'Fill in an email, phone number or profile URL, or a name with a company.',
	},
	unusable: {
		rows: "whose email, phone number or profile URL isn't one",
		advice: 'Correct it, or fill in a name with a company.',
	},
};

export const NO_DETAILS: Person = {
	email: null,
	full_name: null,
	company_name: null,
	phone_number: null,
	network: null,
	business_id: null,
};

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
 * Leaves out a name without a company and a company without a name, because the service accepts them
 * only together.
 *
 * @throws UserError if there are several business IDs
 */
export function readPerson(
	values: MatchValues,
):
	| { readonly person: Person; readonly blank?: undefined }
	| { readonly person?: undefined; readonly blank: BlankWording } {
	const { name, company } = nameAndCompany(values);
	const isNamed = name !== null && company !== null;
	const { phoneNumber: phone, network: profile, businessId: businessIds } = values.moreDetails;
	const contacts = [values.email, phone, profile];
	if (!isNamed && contacts.every(({ value }) => value === null)) {
		if (contacts.some(({ ignored }) => ignored !== undefined)) {
			return { blank: BLANK_WORDINGS.unusable };
		}
		if (name !== null) return { blank: BLANK_WORDINGS.name };
		if (company !== null) return { blank: BLANK_WORDINGS.company };
		return { blank: BLANK_WORDINGS[businessIds.length > 0 ? 'businessId' : 'nothing'] };
	}
	if (businessIds.length > 1) {
		throw parameterError(
			businessId.property,
			'contains several business IDs. Enter one.',
			businessIds.join(', '),
		);
	}
	const person = {
		business_id: businessIds[0] ?? null,
		full_name: isNamed ? name : null,
		company_name: isNamed ? company : null,
		email: values.email.value,
		phone_number: phone.value,
		network: profile.value,
	};
	return { person };
}

/** What the row says about the person, even if it isn't sent. */
export const givenName = (values: MatchValues): string | null => nameAndCompany(values).name;

/** `Ann Lee Lee` is from a CRM that has the full name in its first field. */
const withoutRepeatedEnd = (name: string): string =>
	name.replace(/(?<=\s)(\S+(?: \S+){0,3}) \1$/iu, '$1');

/** `Carla Castro, Acme` would be Acme Carla Castro, if the row didn't say that Acme is the company. */
function withoutCompany({ value, text }: Cell, company: string | null): string | null {
	const [name = '', ...others] = (text ?? value ?? '').split(/[,|@]| [-–] /);
	if (company === null || !name.trim().includes(' ')) return value;
	const isCompany = areAlike(parseCompanyName(others.join(',')), parseCompanyName(company));
	return isCompany ? (PERSON_NAME.read(name) ?? value) : value;
}

function nameAndCompany({ fullName, companyName: { value: company } }: MatchValues) {
	const value = withoutCompany(fullName, company);
	const name = value === null ? null : withoutRepeatedEnd(value);
	const isNothing = areBothNothing(name ?? '', company ?? '');
	return isNothing ? { name: null, company: null } : { name, company };
}
