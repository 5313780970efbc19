/** Which row of a response belongs to which input. */
import fc from 'fast-check';
import type { Person } from '../../../../nodes/BusinessProspectData/identify/person';
import { NONE } from './noDetails';
import {
	alignedRows,
	matchOutcomes,
} from '../../../../nodes/BusinessProspectData/identify/matchResult';

const anyInputs = fc.uniqueArray(
	fc.record({
		email: fc.option(fc.integer({ min: 0, max: 99 }).map((number) => `p${number}@example.com`)),
		phone_number: fc.option(fc.integer({ min: 0, max: 9 }).map(String)),
	}),
	{ selector: (input) => JSON.stringify(input), maxLength: 20 },
);

test('rows that repeat their input match it in any order; others match by index', () => {
	fc.assert(
		fc.property(anyInputs, fc.infiniteStream(fc.nat()), fc.boolean(), (details, order, repeats) => {
			const inputs = details.map((input): Person => ({ ...NONE, ...input }));
			const rows = inputs.map((input, index) => ({
				prospect_id: `id ${index}`,
				...(repeats && { input }),
			}));
			const shuffled = repeats
				? rows
						.map((row) => ({ row, rank: order.next().value }))
						.sort((a, b) => a.rank - b.rank)
						.map(({ row }) => row)
				: rows;
			const aligned = alignedRows(shuffled, inputs);
			inputs.forEach((input, index) => {
				if (Object.values(input).every((detail) => detail === null)) return;
				expect(aligned[index]?.prospect_id).toBe(`id ${index}`);
			});
		}),
	);
});

describe('a row that repeats none of the inputs', () => {
	const matches = (input: Partial<Person>, repeated: Partial<Person>) =>
		alignedRows([{ input: { ...NONE, ...repeated }, prospect_id: 'id' }], [{ ...NONE, ...input }])
			.map((row) => row !== undefined)
			.at(0);

	test.each<[string, Partial<Person>, Partial<Person>]>([
		['a phone number', { phone_number: '+1 512 555 0100' }, { phone_number: '15125550100' }],
		[
			'an international phone number',
			{ phone_number: '+44 20 7946 0000' },
			{ phone_number: '02079460000' },
		],
		[
			'a decomposed name',
			{ full_name: 'José Pérez'.normalize('NFD'), company_name: 'Acme' },
			{ full_name: 'José Pérez'.normalize('NFC'), company_name: 'Acme' },
		],
		[
			'an address',
			{ network: 'https://www.network.example/in/ann/' },
			{ network: 'network.example/in/ann' },
		],
		['a name', { full_name: 'Ann  Lee', company_name: 'Acme' }, { full_name: 'ann lee' }],
		['a part of them', { email: 'a@x.example', phone_number: '1' }, { email: 'a@x.example' }],
	])('matches by index if %s is only formatted differently', (_case, input, repeated) => {
		expect(matches(input, repeated)).toBe(true);
	});

	test.each<[string, Partial<Person>, Partial<Person>]>([
		['another email', { email: 'a@x.example' }, { email: 'b@x.example' }],
		[
			'another person of the same company',
			{ full_name: 'Ann Lee', company_name: 'Acme' },
			{ full_name: 'Bob King', company_name: 'Acme' },
		],
		[
			'another national phone number',
			{ phone_number: '020 7946 0000' },
			{ phone_number: '+442079460001' },
		],
		['a phone number of zeros', { phone_number: '000' }, { phone_number: '1' }],
		['another detail', { email: 'a@x.example' }, { phone_number: '1' }],
	])('does not match with %s', (_case, input, repeated) => {
		expect(matches(input, repeated)).toBe(false);
	});

	test('matches by index without any', () => {
		expect(matches({ email: 'a@x.example' }, {})).toBe(true);
	});
});

test('of several people without a row, the first one keeps the rows of no one', () => {
	const person = (email: string): Person => ({ ...NONE, email });
	const row = (email: string) => ({ input: person(email), prospect_id: email });
	const response = { matched_prospects: [row('a@x.example'), row('strange@x.example')] };
	const people = ['a@x.example', 'b@x.example', 'c@x.example'].map(person);

	const outcomes = [...matchOutcomes(response, people, (text) => text).values()];

	expect(outcomes.map(({ failure }) => failure?.kind)).toEqual([
		undefined,
		'unreadable',
		'unreadable',
	]);
	expect(outcomes.map(({ failure }) => failure?.details)).toEqual([
		undefined,
		{ unassigned_rows: [row('strange@x.example')] },
		undefined,
	]);
});
