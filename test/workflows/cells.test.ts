/** Rows as CRMs, spreadsheets and forms hold them: what is sent for them, and what the node says about them. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { errorOf } from '../harness/engine';
import { CONTINUE, hintsOf, jsonOf, type Service, startService } from './service';
import { flat } from './simplified';

const details: INodeParameters = {
	email: '={{ $json.email }}',
	phoneNumber: '={{ $json.phone }}',
	network: '={{ $json.profile }}',
	nameFields: 'full',
	fullName: '={{ $json.name }}',
	companyName: '={{ $json.company }}',
};
const match: INodeParameters = { resource: 'prospect', operation: 'match', ...details };
const byDetails = (operation: string): INodeParameters => ({
	resource: 'prospect',
	operation,
	identifyBy: 'personDetails',
	...details,
});

const numbered = (rows: readonly IDataObject[]) => rows.map((cells, row) => ({ ...cells, row }));

/** The people in all match requests. */
const sent = ({ log }: Service) =>
	log.entries.flatMap(
		({ body }) => (body as { prospects_to_match?: object[] }).prospects_to_match ?? [],
	);

test('23 spellings of profile URLs of 3 people are 3 records, and text that is no URL is none', async () => {
	const service = await startService();
	const carla = [
		'https://network.example.com/in/carla-castro',
		'http://network.example.com/in/carla-castro',
		'https://www.network.example.com/in/carla-castro/',
		'www.network.example.com/in/carla-castro',
		'network.example.com/in/carla-castro',
		'HTTPS://Network.Example.com/in/Carla-Castro',
		'https://network.example.com/in/carla-castro?utm_source=crm',
		'https://network.example.com/in/carla-castro/#about',
		'[Carla](https://network.example.com/in/carla-castro)',
		'<https://network.example.com/in/carla-castro>',
		'https://network.example.com/in/carla%2Dcastro',
		'https://network.example.com/in/carla-castro, https://x.example.com/carla',
		" 'https://network.example.com/in/carla-castro ",
	];
	const others = [
		...['https://network.example.com/in/jos%C3%A9', 'network.example.com/in/josé/'],
		...['https://network.example.com/in/ana', 'https://network.example.com/in/ana?trk=1'],
	];
	const none = ['#N/A', 'n/a', 'carla-castro', 'https://network.example.com', 'see CRM', '-'];
	const rows = [...carla, ...others, ...none].map((profile) => ({ profile }));
	expect(rows).toHaveLength(23);

	const run = await service.run(match, numbered(rows), CONTINUE);

	expect(sent(service)).toEqual(
		['carla-castro', 'jos%C3%A9', 'ana'].map((person) => ({
			network: `https://network.example.com/in/${person}`,
		})),
	);
	expect(run.error.map((item) => errorOf(item).message)).toEqual(
		['carla-castro', 'https://network.example.com', 'see CRM'].map(
			(text) =>
				`Profile URL: "${text}" is not the address of a profile, and nothing else identifies this person. Correct it, or fill in another detail.`,
		),
	);
	expect(run.linked).toHaveLength(20);
});

test('one email, with the phone number in three spellings and without it: two records', async () => {
	const service = await startService();
	const email = 'carla@acme.example';
	const phones = ['+44 (0)20 7946 0000', 'tel:+44-20-7946-0000', "'+442079460000 ext. 12", ''];

	const run = await service.run(match, numbered(phones.map((phone) => ({ email, phone }))));

	expect(sent(service)).toEqual([{ email, phone_number: '+442079460000' }, { email }]);
	expect(run.linked).toEqual([0, 1, 2, 3]);
});

test('a detail that is none of its kind is left out, with a word in the hint', async () => {
	const service = await startService();
	const person = { name: 'Carla Castro', company: 'Acme' };
	const rows = [
		{ ...person, email: 'a@b@c' },
		{ ...person, email: 'carla', phone: 'ask reception' },
		{ ...person, email: 'n/a', phone: '4.41E+11', profile: 'carla' },
		{ ...person, email: 'Carla <carla@acme.example>;' },
		{ email: 'carla@ACME.example', company: '[not provided]', name: 'Carla Castro' },
	];

	const run = await service.run(match, numbered(rows));

	const named = { full_name: 'Carla Castro', company_name: 'Acme' };
	const email = 'carla@acme.example';
	expect(sent(service)).toEqual([named, { ...named, email }, { email }]);
	expect(hintsOf(run).slice(1)).toEqual([
		'Email was ignored in 2 rows: not an email address, for example "a@b@c".',
		'Profile URL was ignored in 1 row: not the address of a profile, for example "carla".',
		'Phone Number was ignored in 2 rows: not a phone number, for example "ask reception".',
	]);
});

const BLANK = { email: 'N/A', phone: '', name: 'Unknown', company: '—' };

test.each([
	['match', match, { prospect_id: null, matched: false, input_email: null }],
	[
		'enrich',
		byDetails('enrich'),
		{
			prospect_id: null,
			matched: false,
			match_check: null,
			match_differs_in: null,
			...flat('profile', null),
		},
	],
])('a blank row passes without a request: %s', async (_operation, parameters, row) => {
	const service = await startService();

	const run = await service.run(parameters, numbered([BLANK, {}, { email: 'x@y.example' }]));

	expect(run.failure).toBeUndefined();
	expect(jsonOf(run.main).slice(0, 2)).toEqual([row, row]);
	expect(run.linked).toEqual([0, 1, 2]);
	expect(sent(service)).toEqual([{ email: 'x@y.example' }]);
	expect(hintsOf(run)[0]).toContain('2 without details');
});

test('a blank row has no events', async () => {
	const service = await startService();

	const run = await service.run(byDetails('getEvents'), numbered([BLANK]));

	expect(run.failure).toBeUndefined();
	expect(run.main).toEqual([]);
	expect(service.log.entries).toEqual([]);
});

test('a row that says something, but not who it is about, is an error', async () => {
	const service = await startService();
	const rows = [{ name: 'Carla' }, { company: 'Acme' }, { id: 'b'.repeat(32) }, { phone: 'x' }];

	const run = await service.run(
		{ ...match, businessId: "={{ $json.id ?? '' }}" },
		numbered(rows),
		CONTINUE,
	);

	expect(run.error).toHaveLength(4);
	expect(service.log.entries).toEqual([]);
});

test('a column whose name is mistyped is a warning', async () => {
	const service = await startService();
	const rows = ['a', 'b', 'c'].map((name) => ({ '\ufeffEmail': `${name}@x.example`, Name: name }));

	const run = await service.run(
		{ ...match, email: '={{ $json.Email }}', fullName: '', companyName: '' },
		numbered(rows),
	);

	expect(jsonOf(run.main)).toEqual(rows.map(() => ({ prospect_id: null, matched: false })));
	expect(hintsOf({ hints: run.hints.filter(({ type }) => type === 'warning') })).toEqual([
		'3 rows without details. 0 requests.',
		"Email was empty in all 3 rows. Check the column's name.",
		"Profile URL was empty in all 3 rows. Check the column's name.",
		"Phone Number was empty in all 3 rows. Check the column's name.",
	]);
});

test('a filter that is empty in all rows, and a field that no row has, are warnings', async () => {
	const service = await startService();

	const run = await service.run(
		{
			resource: 'prospect',
			operation: 'getAll',
			limit: 1,
			filters: {
				country_code: [{ value: '={{ $json.country }}' }],
				job_title: [{ value: '={{ $json.title }}' }],
			},
			exclude: '={{ $json.known }}',
			options: { ignoreEmptyFilters: true },
		},
		numbered([{ title: 'engineer' }, {}, { country: null }]),
	);

	expect(hintsOf(run)).toEqual(
		expect.arrayContaining([
			"Person Country was empty in all 3 rows. Check the column's name.",
			'No row has the field "known", which Exclude Prospect IDs reads. Check its name. If no row has a value yet, ignore this.',
		]),
	);
	expect(hintsOf(run).join()).not.toContain('Job Title was empty');
});

test('a single row says nothing about its columns', async () => {
	const service = await startService();

	const run = await service.run(match, numbered([{ email: 'x@y.example' }]));

	expect(hintsOf(run)).toHaveLength(1);
});
