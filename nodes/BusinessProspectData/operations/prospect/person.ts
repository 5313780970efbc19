import { type IDataObject, UserError } from 'n8n-workflow';
import { BUSINESS_ID_FORMAT } from '../../catalog/service';
import { asText, isObject } from '../../core/json';
import { idsParameter } from '../../parameters/lists';
import {
	notice,
	parameter,
	parameterError,
	stringParameter,
	type ValuesOf,
} from '../../parameters/parameter';
import { normalizeSpaces } from '../../core/text';

/** Matches what CRMs and spreadsheets may write into an empty cell. Names aren't checked, because Null and None are surnames. */
const EMPTY_CELL = /^(n\/a|-|none|null|undefined)?$/i;

const email = parameter(
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		default: '',
		placeholder: 'e.g. nathan@example.com',
		description: 'Email address of the person',
	},
	(raw, property): string => {
		const text = normalizeSpaces(stringParameter(property).read(raw));
		const address = text.replace(/^mailto:\s*/i, '');
		if (EMPTY_CELL.test(address)) return '';
		// Text that isn't one address is rejected: it can't match, but a request may still cost credits.
		if (/^[^\s,;]+@[^\s,;]+$/.test(address)) return address;
		throw parameterError(
			property,
			'is not one email address. Enter a single address, such as nathan@example.com, or leave Email empty for this row.',
			text,
		);
	},
);

const phoneNumber = stringParameter({
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	default: '',
	placeholder: 'e.g. +1 512 555 0100',
	description: 'Phone number of the person',
});

const firstName = stringParameter({
	displayName: 'First Name',
	name: 'firstName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan',
	description: 'Joined with Last Name to the full name',
});

const lastName = stringParameter({
	displayName: 'Last Name',
	name: 'lastName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Smith',
	description: 'Joined with First Name to the full name',
});

const fullName = stringParameter({
	displayName: 'Full Name',
	name: 'fullName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description: 'Used instead of First Name and Last Name. A name is sent only with Company Name.',
});

const companyName = stringParameter({
	displayName: 'Company Name',
	name: 'companyName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Acme, Inc.',
	description: 'Name of the company the person works for. Sent only with a name.',
});

const network = stringParameter({
	displayName: 'Profile URL',
	name: 'network',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://network.example.com/in/nathan-smith',
	description: "Address of the person's profile on the professional network",
});

const businessId = idsParameter(
	{
		displayName: 'Business ID',
		name: 'businessId',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.business_id }}',
		description:
			'Only match people at this business. Not enough to identify a person. Leave empty for any business. Business: Find and Get Many output business IDs.',
	},
	BUSINESS_ID_FORMAT,
);

export const matchNotice = notice(
	'matchNotice',
	'Fill in an email, phone number or profile URL, or a name with a company. More details make a match likelier.',
);

export const matchParameters = [
	email,
	phoneNumber,
	network,
	firstName,
	lastName,
	fullName,
	companyName,
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

/** Changes `target` instead of copying it, because the function runs for every row. */
export function addAttributes(target: IDataObject, person: Person): IDataObject {
	for (const member of MATCH_MEMBERS) if (person[member] !== null) target[member] = person[member];
	return target;
}

export const requestEntry = (person: Person): IDataObject => addAttributes({}, person);

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
 * Leaves out a name without a company and a company without a name, because the service accepts them only together.
 *
 * @throws UserError if nothing identifies the person, or if there are several business IDs
 */
export function readPerson(values: MatchValues): Person {
	const name = nameOf(values);
	const named = name !== '' && values.companyName !== '';
	const phone = contactOf(values.phoneNumber);
	const profile = contactOf(values.network);
	const identified = values.email !== '' || phone !== null || profile !== null;
	if (!named && !identified) throw unidentifiedError(values);
	if (values.businessId.length > 1) {
		throw parameterError(
			businessId.property,
			'contains several business IDs. Enter one.',
			values.businessId.join(', '),
		);
	}
	return {
		business_id: values.businessId[0] ?? null,
		full_name: named ? normalizeName(name) : null,
		company_name: named ? normalizeName(values.companyName) : null,
		email: values.email || null,
		phone_number: phone,
		network: profile,
	};
}

const contactOf = (text: string): string | null =>
	EMPTY_CELL.test(text) ? null : normalizeSpaces(text);

const nameOf = ({ fullName: full, firstName: first, lastName: last }: MatchValues): string =>
	full || `${first} ${last}`.trim();

/** Normalizes the Unicode form, so that equal names count as duplicates. */
const normalizeName = (name: string): string => normalizeSpaces(name).normalize('NFC');

function unidentifiedError(values: MatchValues): UserError {
	const others = 'or Email, Phone Number or Profile URL.';
	if (nameOf(values) !== '') {
		return parameterError(
			companyName.property,
			`is empty. A name alone doesn't identify a person: also fill in Company Name, ${others}`,
		);
	}
	if (values.companyName !== '') {
		return parameterError(
			fullName.property,
			`is empty. A company alone doesn't identify a person: also fill in Full Name, or First Name and Last Name, ${others}`,
		);
	}
	return new UserError(
		'Nothing identifies this person. Fill in Email, Phone Number or Profile URL, or a name and Company Name. A Business ID is not enough by itself.',
		{ extra: { field: email.name } },
	);
}
