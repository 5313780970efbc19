import type { IDataObject } from 'n8n-workflow';
import { BUSINESS_ID_FORMAT } from '../catalog/service';
import { asObjects, asText, isObject, textOf, valuesAt } from '../core/json';
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
		hint: 'An email, phone number or profile URL is enough, or a name and a company.',
		description: 'Email address. More details make a match likelier.',
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
		description: 'Of the person',
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
			description: 'Sent only with Company Name. Drag in first and last name if they are apart.',
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
		description: 'Sent only with Full Name',
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
		description: 'Only match people at this business. May be empty.',
	},
	BUSINESS_ID_FORMAT,
);

/** Details that CRMs usually have come first. */
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

export const PERSON_DETAILS = matchParameters.map(({ name }): string => name);

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

/** Why a row identifies nobody, keyed by what it has. */
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

/** The details that enrichment may find: where it has them, and how they are read (contract: Contact data, profile data). */
const FOUND_DETAILS = {
	email: { paths: ['professions_email', 'emails.address'], kind: EMAIL },
	phone_number: { paths: ['mobile_phone', 'phone_numbers.phone_number'], kind: PHONE },
	network: { paths: ['network', 'network_url_array'], kind: PROFILE_URL },
} as const;
const FOUND_MEMBERS = ['email', 'phone_number', 'network'] as const;

/** The person without each of these details, and without several, as long as the others identify somebody. */
export const withFewerDetails = (person: Person): Person[] =>
	FOUND_MEMBERS.reduce<Person[]>(
		(all, member) =>
			person[member] === null ? all : [...all, ...all.map((each) => ({ ...each, [member]: null }))],
		[person],
	)
		.slice(1)
		.filter((each) => [each.full_name, ...FOUND_MEMBERS.map((one) => each[one])].some(Boolean));

/** @param about remembered answers, each with the record of a data set */
export const hasOtherDetails = (
	person: Person,
	fewer: Person,
	about: readonly unknown[],
): boolean =>
	FOUND_MEMBERS.every((member) => {
		const { paths, kind } = FOUND_DETAILS[member];
		const detail = person[member]?.toLowerCase();
		if (fewer[member] === person[member]) return true;
		return about.some((answer) =>
			paths.some((path) =>
				asObjects(isObject(answer) ? answer.data : undefined)
					.flatMap((record) => valuesAt(record, path))
					.some((value) => kind.read(textOf(value))?.toLowerCase() === detail),
			),
		);
	});

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

/** All details of the person in the row, even those that aren't sent. */
export const givenName = (values: MatchValues): string | null => nameAndCompany(values).name;

/** `Ann Lee Lee` is from a CRM that has the full name in its first field. */
const withoutRepeatedEnd = (name: string): string =>
	name.replace(/(?<=\s)(\S+(?: \S+){0,3}) \1$/iu, '$1');

/** `Carla Castro, Acme` would be Acme Carla Castro, if the row didn't say that Acme is the company. */
function withoutCompany({ value, text }: Cell, company: string | null): string | null {
	const [name = '', ...others] = (text ?? value ?? '').split(/[,|@]| [-–] /);
	if (company === null || others.length === 0 || !name.trim().includes(' ')) return value;
	const isCompany = areAlike(parseCompanyName(others.join(',')), parseCompanyName(company));
	return isCompany ? (PERSON_NAME.read(name) ?? value) : value;
}

function nameAndCompany({ fullName, companyName: { value: company } }: MatchValues) {
	const value = withoutCompany(fullName, company);
	const name = value === null ? null : withoutRepeatedEnd(value);
	const isNothing = areBothNothing(name ?? '', company ?? '');
	return isNothing ? { name: null, company: null } : { name, company };
}
