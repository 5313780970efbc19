/** From a row's cells to a match input, and from the response to the person: whose row is whose, and is it the one meant? */
import fc from 'fast-check';
import { typedValues } from '../../../nodes/BusinessProspectData/core/casts';
import { personId } from '../../../nodes/BusinessProspectData/identify/companyParameters';
import { compareNames } from '../../../nodes/BusinessProspectData/identify/matchCheck';
import {
	alignedRows,
	matchOutcomes,
} from '../../../nodes/BusinessProspectData/identify/matchResult';
import {
	matchParameters,
	NO_DETAILS,
	type Person,
	readPerson,
} from '../../../nodes/BusinessProspectData/identify/person';
import { bySize } from '../../size';

const BUSINESS = 'b'.repeat(32);
const PHONE = '15125550100';

type Cells = Record<string, unknown>;

function read({ email, fullName, companyName, ...moreDetails }: Cells) {
	const cells: Cells = { email, fullName, companyName, moreDetails };
	const values = matchParameters.map(({ name, read: readCell }) => [name, readCell(cells[name])]);
	return readPerson(typedValues(Object.fromEntries(values)));
}

test.each<[cells: Cells, person: Partial<Person>]>([
	[{ email: 'n@example.com' }, { email: 'n@example.com' }],
	[{ email: 'n/a', phoneNumber: 15125550100 }, { phone_number: PHONE }],
	[
		{ email: 'n@example.com', businessId: ` ${BUSINESS.toUpperCase()} ` },
		{ email: 'n@example.com', business_id: BUSINESS },
	],
	[
		{ fullName: 'Jose\u0301\u00a0 Pe\u00adrez', companyName: '\u200bAcme\u2009\tInc.' },
		{ full_name: 'José Perez', company_name: 'Acme Inc.' },
	],
	// From a CRM that has the full name in its first field.
	[
		{ fullName: 'Ann Lee Lee', companyName: 'A' },
		{ full_name: 'Ann Lee', company_name: 'A' },
	],
	[
		{ fullName: 'Mary Ann Van Dyke Ann Van Dyke', companyName: 'A' },
		{ full_name: 'Mary Ann Van Dyke', company_name: 'A' },
	],
	...[
		'Carla Castro, Acme',
		'Carla Castro | ACME Inc.',
		'Carla Castro - Acme',
		'Carla Castro, Acme, Inc.',
	].map((fullName): [Cells, Partial<Person>] => [
		{ fullName, companyName: 'Acme, Inc.' },
		{ full_name: 'Carla Castro', company_name: 'Acme, Inc.' },
	]),
	[
		{ fullName: 'Castro, Carla', companyName: 'Carla' },
		{ full_name: 'Carla Castro', company_name: 'Carla' },
	],
	// The header of a file, as a row.
	[{ email: 'a@x.example', fullName: 'Name', companyName: 'Company' }, { email: 'a@x.example' }],
	// What can't be used is left out.
	[
		{
			email: 'a@b@c',
			phoneNumber: 'ask reception',
			network: 'network.example/in/n',
			fullName: '7',
		},
		{ network: 'https://network.example/in/n' },
	],
	[
		{ email: 'a@', fullName: 'N', companyName: 'A' },
		{ full_name: 'N', company_name: 'A' },
	],
	[{ email: 'n@example.com', fullName: 'N' }, { email: 'n@example.com' }],
	[
		{ email: 'n@example.com', fullName: 'Unknown', companyName: 'None' },
		{ email: 'n@example.com' },
	],
	[
		{ fullName: 'Na Null', companyName: 'None' },
		{ full_name: 'Na Null', company_name: 'None' },
	],
	[
		{
			email: ['n@example.com', 'b@example.com'],
			phoneNumber: PHONE,
			fullName: 'N',
			companyName: 'A',
			network: 'network.example/in/n',
			businessId: BUSINESS,
		},
		{
			email: 'n@example.com',
			phone_number: PHONE,
			full_name: 'N',
			company_name: 'A',
			network: 'https://network.example/in/n',
			business_id: BUSINESS,
		},
	],
])('%j is the person %j', (cells, person) => {
	expect(read(cells).person).toStrictEqual({ ...NO_DETAILS, ...person });
});

const SEVERAL = ['a'.repeat(32), BUSINESS];
test.each([
	['business IDs', () => read({ email: 'n@example.com', businessId: SEVERAL })],
	['prospect IDs', () => personId(typedValues({ prospectId: SEVERAL }))],
])('several %s are an error, not the first of them', (what, readIds) => {
	expect(readIds).toThrow(`contains several ${what}. Enter one.`);
});

const anyDetails = fc.uniqueArray(
	fc.record({
		email: fc.integer({ min: 0, max: 99 }).map((number) => `p${number}@example.com`),
		phone_number: fc.option(fc.integer({ min: 0, max: 9 }).map(String)),
	}),
	{ selector: (details) => JSON.stringify(details), maxLength: 20 },
);

test('rows that echo their person match in any order; others match by index', () => {
	const anyCase = anyDetails.chain((details) => {
		const people = details.map((own): Person => ({ ...NO_DETAILS, ...own }));
		const rows = people.map((input, index) => ({ prospect_id: `id ${index}`, input }));
		const length = { minLength: rows.length, maxLength: rows.length };
		return fc.tuple(fc.constant(people), fc.shuffledSubarray(rows, length));
	});
	fc.assert(
		fc.property(anyCase, ([people, shuffled]) => {
			const ids = (rows: ReturnType<typeof alignedRows>) => rows.map((row) => row?.prospect_id);
			const inOrder = people.map((_, index) => ({ prospect_id: `id ${index}` }));
			expect(ids(alignedRows(shuffled, people))).toEqual(ids(inOrder));
			expect(ids(alignedRows(inOrder, people))).toEqual(ids(inOrder));
		}),
	);
});

test('rows in another order whose echo is rewritten are their own people’s or no one’s', () => {
	const names = ['Bo Ek', 'Bob Ekman', 'Bo Ekman', 'Ann Lee', 'Ann-Lee Ek', 'Anna Lee', 'Ana Díaz'];
	const people = names.map((full_name, index) => ({
		...{ full_name, company_name: 'Acme', business_id: null },
		email: index % 2 === 0 ? `a${index}@b.co` : `a${index - 1}@b.com`,
		// That of an office, which several people share.
		phone_number: `+4420794600${index % 2}`,
		network: `https://x.example/in/ann${'-lee'.repeat(index)}`,
	}));
	const anyForm = fc.constantFrom<(text: string) => string | null>(
		...[(text: string) => text, (text: string) => text.toUpperCase(), () => null],
		(text) => text.replace('+44', '0').replace('https://', 'www.').normalize('NFD'),
		// Beyond recognition.
		(text) => text.slice(0, 2),
	);
	const length = { minLength: people.length, maxLength: people.length };
	// Which details besides the name each row of the input has, and in which form the service echoes each of them.
	const has = fc.array(fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), length);
	const forms = fc.array(fc.array(anyForm, { minLength: 4, maxLength: 4 }), length);
	const orders = fc.shuffledSubarray([...people.keys()], length);
	fc.assert(
		fc.property(has, forms, orders, (given, echoed, order) => {
			const DETAILS = ['email', 'phone_number', 'network'] as const;
			const sent = people.map((person, index): Person => {
				const left = DETAILS.filter((_, at) => given[index]?.[at] === false);
				return { ...person, ...Object.fromEntries(left.map((name) => [name, null])) };
			});
			const rows = sent.map((person, index) => {
				const echo = DETAILS.map((name, at) => {
					const detail = person[name];
					return [name, detail === null ? null : echoed[index]?.[at]?.(detail)];
				});
				const full_name = echoed[index]?.[3]?.(person.full_name ?? '') ?? person.full_name;
				const input = { ...person, ...Object.fromEntries(echo), full_name };
				return { prospect_id: index, input };
			});
			const aligned = alignedRows(
				order.map((index) => rows[index] ?? {}),
				sent,
			);
			const foreign = aligned.filter((row, index) => row !== undefined && row !== rows[index]);
			expect(foreign).toEqual([]);
		}),
		{ numRuns: bySize(200, 1_000) },
	);
});

const ANN = { full_name: 'Ann Lee', company_name: 'Acme' };

test.each<[matches: boolean, given: Partial<Person>, echo: Partial<Person>, other?: object]>([
	[true, { phone_number: '+44 20 7946 0000' }, { phone_number: '02079460000' }],
	[true, { full_name: 'José'.normalize('NFD') }, { full_name: 'José'.normalize('NFC') }],
	[true, { network: 'https://www.x.example/in/ann/' }, { network: 'x.example/in/ann' }],
	[true, { ...ANN, full_name: 'Ann  Lee' }, { full_name: 'ann lee' }],
	[false, ANN, { ...ANN, full_name: 'Ann-Lee' }, { ...ANN, company_name: 'Bolt' }],
	[true, { email: 'a@x.example' }, {}],
	[false, { email: 'a@x.example' }, { email: 'b@x.example' }],
	[false, { full_name: 'Ann', company_name: 'A' }, { full_name: 'Bob', company_name: 'A' }],
	[false, { phone_number: '020 7946 0000' }, { phone_number: '+442079460001' }],
	[false, { phone_number: '000' }, { phone_number: '1' }],
	[false, { email: 'a@x.example' }, { phone_number: '1' }],
])('it is %p that %j has the row that echoes %j', (...[matches, given, echo, other]) => {
	const people = [given, ...(other ? [other] : [])].map((own) => ({ ...NO_DETAILS, ...own }));
	const row = { input: { ...NO_DETAILS, ...echo }, prospect_id: 'id' };

	expect(alignedRows([row], people)).toEqual(people.map(() => (matches ? row : undefined)));
});

test('of two rows that echo the same person, the one with an ID counts', () => {
	const input = { ...NO_DETAILS, email: 'a@x.example' };
	const rows = [null, 'id'].map((prospect_id) => ({ input, prospect_id }));

	expect(alignedRows(rows, [input])).toEqual([rows[1]]);
	expect(alignedRows([...rows].reverse(), [input])).toEqual([rows[1]]);
});

test('of several people without a row, the first one keeps the rows of no one', () => {
	const person = (email: string): Person => ({ ...NO_DETAILS, email });
	const row = (email: string) => ({ input: person(email), prospect_id: 'a'.repeat(40) });
	const response = { matched_prospects: [row('a@x.example'), row('strange@x.example')] };
	const people = ['a@x.example', 'b@x.example', 'c@x.example'].map(person);

	const outcomes = [...matchOutcomes(response, people, (text) => text).values()];

	expect(outcomes.map(({ failure }) => failure && [failure.kind, failure.details])).toEqual([
		undefined,
		['unreadable', { unassigned_rows: [row('strange@x.example')] }],
		['unreadable', undefined],
	]);
});

test.each([
	['Carla Castro', 'CARLA CASTRO', 'agrees'],
	['Castro, Carla', 'Dr. Carla Maria Castro', 'agrees'],
	['Jürgen Müller', 'Jurgen Muller', 'agrees'],
	['Jürgen Müller', 'Juergen Mueller', 'agrees'],
	['Søren Åberg', 'Soeren Aaberg', 'agrees'],
	['Jurgen Groß', 'Juergen Gross', 'agrees'],
	['Joe Smith', 'Jo Smith', 'unknown'],
	['Dr. Иван Петров', 'Ivan Petrov', 'unknown'],
	['Taro Tanaka', '田中 太郎', 'unknown'],
	['Sam Hill Jr.', 'Sam Hill III', 'agrees'],
	['Иван Петров', 'Петров Иван', 'agrees'],
	['Carla', 'Carla Castro', 'unknown'],
	['Bob Smith', 'Robert Smith', 'unknown'],
	['Ali Ali', 'Ali Hassan Omar', 'unknown'],
	['Carla', 'Robert Smith', 'unknown'],
	['', 'Carla Castro', 'unknown'],
	['Carla Castro', 'Robert Smith', 'differs'],
	['Ελένη Παππά', 'Νίκος Σταύρου', 'differs'],
])('the name %j and the person found, %j: %s', (given, found, check) => {
	expect(compareNames(given, found)).toBe(check);
});
