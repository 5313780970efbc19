/** The match input of a row, and the errors for rows without one. */
import {
	personKey,
	type Person,
	readPerson,
	matchParameters,
} from '../../../../nodes/BusinessProspectData/identify/person';
import { valuesByName } from '../../../../nodes/BusinessProspectData/core/casts';

import { NONE } from './noDetails';

const BUSINESS = 'b'.repeat(32);

const inputOf = (raw: Record<string, unknown>): Person | undefined =>
	readPerson(valuesByName(matchParameters, ({ name, read }) => read(raw[name])));

test.each<[string, Record<string, unknown>, Partial<Person>]>([
	['an email', { email: ' nathan@example.com ' }, { email: 'nathan@example.com' }],
	['an email as a link', { email: 'MailTo: n@example.com' }, { email: 'n@example.com' }],
	...['n/a', 'N/A', '-', 'None', 'NULL', 'undefined', 'mailto:'].map(
		(email): [string, Record<string, unknown>, Partial<Person>] => [
			`a phone number beside the email ${email}`,
			{ email, phoneNumber: '15125550100' },
			{ phone_number: '15125550100' },
		],
	),
	[
		'a phone number that is a number',
		{ phoneNumber: 15125550100 },
		{ phone_number: '15125550100' },
	],
	[
		'an email at a business',
		{ email: 'n@example.com', businessId: ` ${BUSINESS.toUpperCase()} ` },
		{ email: 'n@example.com', business_id: BUSINESS },
	],
	[
		'a name with invisible characters and other spaces',
		{ fullName: 'Jose\u0301\u00a0 Pe\u00adrez', companyName: '\u200bAcme\u2009\tInc.' },
		{ full_name: 'José Perez', company_name: 'Acme Inc.' },
	],
	[
		'a name with a joiner, which its script needs',
		{ fullName: 'نی\u200cما', companyName: 'Acme' },
		{ full_name: 'نی\u200cما', company_name: 'Acme' },
	],
	[
		'an email, a phone number and a profile with invisible characters',
		{
			email: 'n\u200b@example.com',
			phoneNumber: '\u202a+1\u00a0512\u202c 555 0100',
			network: 'https://network.example.com/in/\u2060x',
		},
		{
			email: 'n@example.com',
			phone_number: '+15125550100',
			network: 'https://network.example.com/in/x',
		},
	],
	[
		'empty fields beside it',
		{
			email: 'n@example.com',
			phoneNumber: '',
			fullName: '  ',
			companyName: null,
			network: undefined,
		},
		{ email: 'n@example.com' },
	],
	[
		'a first and a last name',
		{ firstName: ' Nathan', lastName: 'Smith ', companyName: 'Acme' },
		{ full_name: 'Nathan Smith', company_name: 'Acme' },
	],
	[
		'a first name alone',
		{ firstName: 'Nathan', companyName: 'Acme' },
		{ full_name: 'Nathan', company_name: 'Acme' },
	],
	[
		'a last name alone',
		{ lastName: 'Smith', companyName: 'Acme' },
		{ full_name: 'Smith', company_name: 'Acme' },
	],
	[
		'a full name beside its parts',
		{ fullName: 'Nathan J. Smith', firstName: 'Nathan', lastName: 'Smith', companyName: 'Acme' },
		{ full_name: 'Nathan J. Smith', company_name: 'Acme' },
	],
	[
		'an empty list of emails beside a name',
		{ email: [], fullName: 'N', companyName: ['A'] },
		{ full_name: 'N', company_name: 'A' },
	],
	['a list of one email', { email: ['N@example.com'] }, { email: 'N@example.com' }],
	['a list of emails', { email: ['a@example.com', 'b@example.com'] }, { email: 'a@example.com' }],
	...['not-an-email', '@x.example', 'a@', 'a@b@c'].map(
		(email): [string, Record<string, unknown>, Partial<Person>] => [
			`a name beside the email ${email}`,
			{ email, fullName: 'N', companyName: 'A' },
			{ full_name: 'N', company_name: 'A' },
		],
	),
	[
		'a profile beside details that are none of their kind',
		{
			email: 'a@b@c',
			phoneNumber: 'ask reception',
			network: 'network.example.com/in/n',
			firstName: '7',
			companyName: 'https://acme.example',
		},
		{ network: 'https://network.example.com/in/n' },
	],
	[
		'an email beside a name and a company that are nothing together',
		{ email: 'n@example.com', fullName: 'Unknown', companyName: 'None' },
		{ email: 'n@example.com' },
	],
	[
		'parts of a name that are nothing together',
		{ email: 'n@example.com', firstName: 'null', lastName: 'null', companyName: 'Acme' },
		{ email: 'n@example.com' },
	],
	[
		'a first name beside a last name that is nothing',
		{ firstName: 'Nathan', lastName: 'n/a', companyName: 'Acme' },
		{ full_name: 'Nathan', company_name: 'Acme' },
	],
	[
		'names that look like nothing',
		{ firstName: 'Na', lastName: 'Null', companyName: 'None' },
		{ full_name: 'Na Null', company_name: 'None' },
	],
	[
		'all',
		{
			email: 'n@example.com',
			phoneNumber: '5550100',
			fullName: 'N',
			companyName: 'A',
			network: 'network.example.com/in/n',
			businessId: BUSINESS,
		},
		{
			email: 'n@example.com',
			phone_number: '5550100',
			full_name: 'N',
			company_name: 'A',
			network: 'https://network.example.com/in/n',
			business_id: BUSINESS,
		},
	],
])('%s', (_case, raw, expected) => {
	expect(inputOf(raw)).toStrictEqual({ ...NONE, ...expected });
});

const UNIDENTIFIED =
	'Nothing identifies this person. Fill in Email, Phone Number or Profile URL, or a name and Company Name. A Business ID is not enough by itself.';

test.each<[string, Record<string, unknown>, string]>([
	['a business alone, which only restricts', { businessId: BUSINESS }, UNIDENTIFIED],
	['a first name without a company', { firstName: 'Nathan' }, 'Company Name is empty.'],
	[
		'a name without a company, at a business',
		{ fullName: 'Nathan', businessId: BUSINESS },
		'Company Name is empty.',
	],
	[
		'an invalid business ID',
		{ email: 'n@example.com', businessId: 'acme' },
		'Business ID: "acme" is not a business ID.',
	],
	[
		'two business IDs',
		{ email: 'n@example.com', businessId: [BUSINESS, 'a'.repeat(32)] },
		`Business ID: "${BUSINESS}, ${'a'.repeat(32)}" contains several business IDs. Enter one.`,
	],
	...['not-an-email', '@x.example', 'a@'].map(
		(email): [string, Record<string, unknown>, string] => [
			`the email ${email} alone`,
			{ email },
			`Email: "${email}" is not an email address, and nothing else identifies this person. Correct it, or fill in another detail.`,
		],
	),
	[
		'a phone number beside a name without a company',
		{ phoneNumber: '4.41E+11', fullName: 'Nathan' },
		'Phone Number: "4.41E+11" is not a phone number, and nothing else',
	],
	['a company without a name', { companyName: 'Acme' }, 'Last Name is empty.'],
])('%s fails', (_case, raw, message) => {
	expect(() => inputOf(raw)).toThrow(message);
});

test.each<[string, Record<string, unknown>]>([
	['nothing', {}],
	['an empty list', { email: [] }],
	['a placeholder', { email: 'n/a' }],
	['placeholders', { email: '-', phoneNumber: ' N/A ', network: 'none', businessId: 'n/a' }],
	['a name and a company that are nothing', { fullName: 'Unknown', companyName: 'N/A' }],
	['words for nothing as a name and a company', { fullName: 'None', companyName: 'Null' }],
])('%s is a blank row', (_case, raw) => {
	expect(inputOf(raw)).toBeUndefined();
});

test('inputs that differ only in case and blanks have the same key, others do not', () => {
	const keyFor = (email: string, more: object = {}) => personKey({ ...NONE, email, ...more });
	expect(keyFor('N@Example.com ')).toBe(keyFor('n@example.com'));
	expect(keyFor('n@example.com', { business_id: BUSINESS })).not.toBe(keyFor('n@example.com'));
	expect(personKey({ ...NONE, full_name: 'a', company_name: 'b' })).not.toBe(
		personKey({ ...NONE, full_name: 'b', company_name: 'a' }),
	);
});
