/** What a row says about a person, and what is wrong with it. */
import fc from 'fast-check';
import { alignedRows } from '../../../nodes/BusinessProspectData/operations/prospect/matchResult';
import {
	type MatchInput,
	matchInput,
	keyOf,
} from '../../../nodes/BusinessProspectData/operations/prospect/matchInput';
import { details } from '../../../nodes/BusinessProspectData/operations/prospect/matchParameters';
import { valuesFrom } from '../../../nodes/BusinessProspectData/runtime/casts';
import type { ValuesOf } from '../../../nodes/BusinessProspectData/runtime/parameters';

const BUSINESS = 'b'.repeat(32);

const inputOf = (raw: Record<string, unknown>): MatchInput =>
	matchInput(valuesFrom(details, ({ name, read }) => read(raw[name])) as ValuesOf<typeof details>);

const NONE: MatchInput = {
	business_id: null,
	full_name: null,
	company_name: null,
	email: null,
	phone_number: null,
	network: null,
};

test.each<[string, Record<string, unknown>, Partial<MatchInput>]>([
	['an email', { email: ' nathan@example.com ' }, { email: 'nathan@example.com' }],
	['a phone number', { phoneNumber: '+1 512 555 0100' }, { phone_number: '+1 512 555 0100' }],
	[
		'a phone number that is a number',
		{ phoneNumber: 15125550100 },
		{ phone_number: '15125550100' },
	],
	[
		'a network profile',
		{ network: 'https://network.example.com/in/x' },
		{ network: 'https://network.example.com/in/x' },
	],
	[
		'a name with its company',
		{ fullName: 'Nathan Smith', companyName: 'Acme, Inc.' },
		{ full_name: 'Nathan Smith', company_name: 'Acme, Inc.' },
	],
	[
		'an email at a business',
		{ email: 'n@example.com', businessId: ` ${BUSINESS.toUpperCase()} ` },
		{ email: 'n@example.com', business_id: BUSINESS },
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
		'a name without a company, beside an email',
		{ email: 'n@example.com', fullName: 'Nathan' },
		{ email: 'n@example.com' },
	],
	[
		'a company without a name, beside a phone number',
		{ phoneNumber: '1', companyName: 'Acme' },
		{ phone_number: '1' },
	],
	[
		'a name without a company, beside a network profile at a business',
		{ network: 'u', fullName: 'Nathan', businessId: BUSINESS },
		{ network: 'u', business_id: BUSINESS },
	],
	[
		'all',
		{
			email: 'n@example.com',
			phoneNumber: '1',
			fullName: 'N',
			companyName: 'A',
			network: 'u',
			businessId: BUSINESS,
		},
		{
			email: 'n@example.com',
			phone_number: '1',
			full_name: 'N',
			company_name: 'A',
			network: 'u',
			business_id: BUSINESS,
		},
	],
])('%s', (_what, raw, expected) => {
	expect(inputOf(raw)).toStrictEqual({ ...NONE, ...expected });
});

const NOTHING =
	'There is nothing to find this person by. Fill in Email, Phone Number, Network URL, or Full Name with Company Name. A Business ID is not enough by itself.';

test.each<[string, Record<string, unknown>, string]>([
	['nothing', {}, NOTHING],
	['blanks', { email: ' ', fullName: '\n' }, NOTHING],
	['a business alone, which only restricts', { businessId: BUSINESS }, NOTHING],
	['a name without a company', { fullName: 'Nathan' }, 'Company Name: is empty.'],
	['a company without a name', { companyName: 'Acme' }, 'Full Name: is empty.'],
	[
		'a name without a company, at a business',
		{ fullName: 'Nathan', businessId: BUSINESS },
		'Company Name: is empty.',
	],
	[
		'a business that is none',
		{ email: 'n@example.com', businessId: 'acme' },
		'Business ID: "acme" is not a business ID.',
	],
	[
		'two businesses',
		{ email: 'n@example.com', businessId: [BUSINESS, 'a'.repeat(32)] },
		'Business ID: ',
	],
	['a list of emails', { email: ['a@example.com'] }, 'Email: "["a@example.com"]" is not a text.'],
])('%s is refused', (_what, raw, words) => {
	expect(() => inputOf(raw)).toThrow(words);
});

test('a person is the same whatever the case and the blanks, and no other', () => {
	const print = (email: string, more: object = {}) => keyOf({ ...NONE, email, ...more });
	expect(print('N@Example.com ')).toBe(print('n@example.com'));
	expect(print('n@example.com', { business_id: BUSINESS })).not.toBe(print('n@example.com'));
	expect(keyOf({ ...NONE, full_name: 'a', company_name: 'b' })).not.toBe(
		keyOf({ ...NONE, full_name: 'b', company_name: 'a' }),
	);
});

const anyInputs = fc.uniqueArray(
	fc.record({
		email: fc.option(fc.integer({ min: 0, max: 99 }).map((number) => `p${number}@example.com`)),
		phone_number: fc.option(fc.integer({ min: 0, max: 9 }).map(String)),
	}),
	{ selector: (input) => JSON.stringify(input), maxLength: 20 },
);

test('rows that repeat their input find their person in any order; others go by their place', () => {
	fc.assert(
		fc.property(anyInputs, fc.infiniteStream(fc.nat()), fc.boolean(), (some, chance, echoed) => {
			const inputs = some.map((input): MatchInput => ({ ...NONE, ...input }));
			const rows = inputs.map((input, at) => ({
				prospect_id: `id ${at}`,
				...(echoed && { input }),
			}));
			const shuffled = echoed
				? rows
						.map((row) => ({ row, place: chance.next().value }))
						.sort((a, b) => a.place - b.place)
						.map(({ row }) => row)
				: rows;
			const found = alignedRows(shuffled, inputs);
			inputs.forEach((input, at) => {
				if (Object.values(input).every((detail) => detail === null)) return;
				expect(found[at]?.prospect_id).toBe(`id ${at}`);
			});
		}),
	);
});

test('a row that repeats the input of another person is never taken by its place', () => {
	const inputs = ['a', 'b'].map((email): MatchInput => ({ ...NONE, email }));
	const rows = [
		{ input: { email: 'b' }, prospect_id: 'id b' },
		{ input: { email: 'b' }, prospect_id: 'id b' },
	];
	expect(alignedRows(rows, inputs).map((row) => row?.prospect_id)).toEqual([undefined, 'id b']);
});

test('nor by a person who resembles the other', () => {
	const inputs = ['Acme', 'Globex'].map(
		(company_name): MatchInput => ({ ...NONE, full_name: 'Ada King', company_name }),
	);
	const row = (at: number) => ({ input: { ...inputs[at] }, prospect_id: `id ${at}` });
	const found = (...rows: number[]) =>
		alignedRows(rows.map(row), inputs).map((one) => one?.prospect_id);

	expect(found(1, 1)).toEqual([undefined, 'id 1']);
	expect(found(0, 0)).toEqual(['id 0', undefined]);
});

describe('a row whose input is none of those asked for', () => {
	const taken = (asked: Partial<MatchInput>, repeated: Partial<MatchInput>) =>
		alignedRows([{ input: { ...NONE, ...repeated }, prospect_id: 'id' }], [{ ...NONE, ...asked }])
			.map((row) => row !== undefined)
			.at(0);

	test.each<[string, Partial<MatchInput>, Partial<MatchInput>]>([
		['a phone number', { phone_number: '+1 512 555 0100' }, { phone_number: '15125550100' }],
		[
			'an address',
			{ network: 'https://www.network.example/in/ann/' },
			{ network: 'network.example/in/ann' },
		],
		['a name', { full_name: 'Ann  Lee', company_name: 'Acme' }, { full_name: 'ann lee' }],
		['a part of them', { email: 'a@x.example', phone_number: '1' }, { email: 'a@x.example' }],
	])('goes by its place where %s is only written otherwise', (_, asked, repeated) => {
		expect(taken(asked, repeated)).toBe(true);
	});

	test.each<[string, Partial<MatchInput>, Partial<MatchInput>]>([
		['another email', { email: 'a@x.example' }, { email: 'b@x.example' }],
		[
			'another person of the same company',
			{ full_name: 'Ann Lee', company_name: 'Acme' },
			{ full_name: 'Bob King', company_name: 'Acme' },
		],
		['another detail', { email: 'a@x.example' }, { phone_number: '1' }],
	])('is not taken with %s', (_, asked, repeated) => {
		expect(taken(asked, repeated)).toBe(false);
	});

	test('goes by its place without any', () => {
		expect(taken({ email: 'a@x.example' }, {})).toBe(true);
	});
});
