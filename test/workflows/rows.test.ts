/** What a row holds: the columns that the node writes, and what becomes of those of the input row (docs/operations.md). */
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';
import { BUSINESS_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/businessDataSets';
import { PROSPECT_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/dataSets';
import { isObject } from '../../nodes/BusinessProspectData/core/json';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import type { EndpointName } from '../sandbox/contract/contract';
import { professionalEmail } from '../sandbox/world/prospect-data';
import type { World } from '../sandbox/world/world';
import { bySize } from '../size';
import {
	CONTINUE,
	expectOwnObjects,
	failureOf,
	hintsOf,
	jsonOf,
	type Service,
	startService,
	withInputFields,
} from './service';

const ENDPOINTS: EndpointName[] = [
	...(['profileBulk', 'contactsBulk', 'contacts', 'postsBulk'] as const),
	...(['fundingAndAcquisition', 'intent', 'technologyStack'] as const),
];

const start = async () => await startService({ people: 40, companies: 20, eventsPerDay: 20 });

const mailOf = (world: World, person: number) =>
	professionalEmail(world.person(person), world.company(world.person(person).company));

const node = (
	resource: string,
	operation: string,
	more: INodeParameters = {},
): INodeParameters => ({
	resource,
	operation,
	...more,
});
const CONTACTS = ['emails', 'phoneNumbers'];
const enrichPeople = (dataSets: string[], more: INodeParameters = {}) =>
	node('prospect', 'enrich', { prospectIds: '={{ $json.id }}', dataSets, ...more });
const enrichCompanies = (dataSets: string[], more: INodeParameters = {}) =>
	node('business', 'enrich', { businessIds: '={{ $json.company }}', dataSets, ...more });
const BY_DETAILS: INodeParameters = {
	identifyBy: 'personDetails',
	email: '={{ $json.mail }}',
	fullName: '={{ $json.name }}',
	moreDetails: { network: '={{ $json.url }}' },
};
const MATCH = node('prospect', 'match', BY_DETAILS);
const FIND = node('business', 'find', {
	companyName: '={{ $json.name }}',
	website: '={{ $json.site }}',
	workEmail: '={{ $json.mail }}',
	prospectId: '={{ $json.id }}',
});
const EVENTS = node('prospect', 'getEvents', { prospectIds: '={{ $json.id }}' });
const SEARCH = node('prospect', 'getAll', { limit: 1 });

/** A row about a person who works at a company, both of whom exist. */
const rowAbout = (world: World, person: number) => ({
	id: world.prospectId(person),
	url: world.person(person).network,
	mail: mailOf(world, person),
	name: world.company(world.person(person).company).name,
	company: world.businessId(world.person(person).company),
});
const NOBODY = {
	id: 'f'.repeat(40),
	mail: 'nobody@nowhere.example',
	name: 'Nobody, Inc.',
	company: 'f'.repeat(32),
};

/** What an earlier run wrote about a person, and about a company. */
const OF_PERSON = {
	contacts_email: 'a@example.com',
	contacts_email_status: 'valid',
	contacts_phone_number: '+15550100',
	contacts_professional_email_status: 'valid',
	contacts_emails: '[{"address":"a@example.com"}]',
	profile_full_name: 'A',
	profile_skills: 'a; b',
	posts_text: 'Hello',
	...{ event_name: 'prospect_changed_company', event_id: 'e1', event_details: '{"a":1}' },
	event_current_company_name: 'Former',
	match_check: 'agrees',
};
const OF_COMPANY = {
	found_name: 'Former',
	found_website: 'former.example',
	candidate_names: null,
	strategy_company_name: 'Former',
	intent_topic_names: 'a; b',
};
/** Columns of the user's own, with names like those of the node. */
const OWN = {
	...{ profile_url: 'own', strategy: 'ours', contacts: [{ name: 'Kim' }], found_by: 'Kim' },
	data: { name: 'Kim' },
};

/** Of the texts of the input row. */
const emptied = (columns: IDataObject): IDataObject =>
	Object.fromEntries(Object.keys(columns).map((name) => [name, '']));

/** Changes the rows of the service's responses; that of one prospect has neither a list nor an ID. */
const changeRows = (
	service: Service,
	to: EndpointName[],
	member: string,
	change: (row: IDataObject) => IDataObject,
) =>
	service.change(
		(answer, { ids: [id] }) => {
			const rows = answer[member];
			const changed = Array.isArray(rows)
				? (rows as IDataObject[]).map(change)
				: change({ prospect_id: id, data: rows }).data;
			return { ...answer, [member]: changed };
		},
		{ when: { to }, times: 'always' },
	);

/** Makes the service send this in place of the data of each ID. */
const sendInstead = (service: Service, data: unknown) =>
	changeRows(service, ENDPOINTS, 'data', (row) => ({ ...row, data }) as IDataObject);

const ONLY_EMAIL = { professions_email: 'b@example.com', emails: null };

interface Case {
	readonly parameters: INodeParameters;
	/** Besides what identifies person 1. */
	readonly row: (world: World) => IDataObject;
	/** Some columns of the row that comes out. */
	readonly shows: (world: World) => IDataObject;
	/** In place of what the service has about each ID. */
	readonly data?: unknown;
}

const without = (columns: IDataObject, pattern: RegExp): IDataObject =>
	Object.fromEntries(Object.entries(columns).filter(([name]) => !pattern.test(name)));

/** The row has what an earlier run wrote about person 0. Now it is about person 1. */
const another = (
	parameters: INodeParameters,
	empty: IDataObject = OF_PERSON,
	data?: unknown,
): Case => ({
	parameters,
	row: (world) => ({ ...OF_COMPANY, ...OWN, prospect_id: world.prospectId(0), ...OF_PERSON }),
	shows: ({ prospectId }) => ({
		...OF_COMPANY,
		...OWN,
		prospect_id: prospectId(1),
		...emptied(empty),
	}),
	data,
});

const samePerson = (parameters: INodeParameters, shows: IDataObject, data?: unknown): Case => ({
	parameters,
	row: (world) => ({ prospect_id: ` ${world.prospectId(1).toUpperCase()}`, ...OF_PERSON }),
	shows: (world) => ({ prospect_id: world.prospectId(1), ...OF_PERSON, ...shows }),
	data,
});

const nobody = (parameters: INodeParameters, shows: IDataObject): Case => ({
	parameters,
	row: (world) => ({
		...NOBODY,
		...{ url: '', prospect_id: world.prospectId(0), business_id: world.businessId(0) },
		...{ matched: true, found: true, candidate_ids: 'c', ...OF_PERSON, found_name: 'Former' },
	}),
	shows: (world) => ({
		...without(OF_PERSON, /match_check/),
		...{ prospect_id: world.prospectId(0), business_id: world.businessId(0) },
		...{ found_name: 'Former', ...shows },
	}),
});

const FUNDING = { operation: 'enrich', dataSets: ['fundingAndAcquisition'] };

const CASES: Record<string, Case> = {
	'another person who has an email, but no status': another(
		enrichPeople(CONTACTS),
		without(OF_PERSON, /^contacts_email$/),
		ONLY_EMAIL,
	),
	'another person, matched': another(MATCH),
	'another person, whose events are those that come': another(
		{ ...EVENTS, ...BY_DETAILS },
		without(OF_PERSON, /^event_/),
	),
	'another person, found with her company by Work Email': {
		...another({ ...FIND, identifyBy: 'workEmail' }),
		shows: ({ prospectId }) => ({ ...emptied(OF_PERSON), prospect_id: prospectId(1), ...OWN }),
	},
	'another person, found by a search': {
		parameters: SEARCH,
		row: (world) => ({ prospect_id: world.prospectId(1), ...OF_PERSON, ...OWN }),
		shows: (world) => ({ ...emptied(OF_PERSON), ...OWN, prospect_id: world.prospectId(0) }),
	},
	'another person, with the former data as objects': {
		parameters: MATCH,
		row: ({ prospectId }) => ({
			prospect_id: prospectId(0),
			...{ contacts: { emails: [] }, posts: [{ post_text: 'x' }], profile: 'own' },
			...{ event_id: 'e1', event_name: 'prospect_changed_role' },
			data: { event_name: 'prospect_changed_role' },
		}),
		shows: ({ prospectId }) => ({
			prospect_id: prospectId(1),
			...{ contacts: null, posts: null, profile: 'own', data: null },
		}),
	},
	'another person, in a row of a spreadsheet, whose nodes skip null': {
		parameters: MATCH,
		row: ({ prospectId }) => ({
			...{ row_number: 2, prospect_id: prospectId(0), posts_count: 3, contacts_email: '' },
			...{ contacts: '{"emails":[]}', posts: '[{"post_text":"x"}]', profile: '{"own":1}' },
			...{ event_id: 'e1', event_name: 'prospect_changed_role' },
			data: '{"event_name":"prospect_changed_role"}',
		}),
		shows: ({ prospectId }) => ({
			...{ row_number: 2, prospect_id: prospectId(1), posts_count: '', contacts_email: '' },
			...{ contacts: '', posts: '', profile: '{"own":1}', data: '' },
		}),
	},
	'another person, with former values in columns of numbers and dates': {
		parameters: MATCH,
		row: ({ prospectId }) => ({
			...{ prospect_id: prospectId(0), posts_count: 3, posts_number_of_likes: '4.5' },
			posts_created_at: '2026-01-31T00:00:00Z',
		}),
		shows: ({ prospectId }) => ({
			...{ prospect_id: prospectId(1), posts_count: null, posts_number_of_likes: null },
			posts_created_at: null,
		}),
	},
	'the same person, who has a new email and nothing else': samePerson(
		enrichPeople(CONTACTS),
		{
			...emptied(without(OF_PERSON, /^(profile|posts|event|match)_/)),
			contacts_email: 'b@example.com',
		},
		ONLY_EMAIL,
	),
	'the same person, of whom the email alone is requested': samePerson(enrichPeople(['emails']), {
		contacts_email: expect.stringContaining('@'),
		contacts_emails: expect.any(String),
	}),
	'the same person with Simplify off: the columns of Simplify are not last week’s': samePerson(
		enrichPeople(CONTACTS, { simplify: false }),
		{
			contacts: expect.any(Object),
			contacts_emails: [expect.anything(), expect.anything()],
			contacts_phone_number: expect.stringMatching(/^(?!.15550100$)/),
			contacts_email: expect.stringMatching(/^(?!a@example)/),
		},
	),
	'the same person, of whom nothing is known': samePerson(enrichPeople(CONTACTS), {}, null),
	'nobody matches': nobody(MATCH, { matched: false, match_check: '' }),
	'nobody matches, so nothing is enriched': nobody(enrichPeople(CONTACTS, BY_DETAILS), {
		matched: false,
		match_check: '',
	}),
	'nobody matches, and Fields name what an earlier run wrote': {
		...nobody(enrichPeople(CONTACTS, { ...BY_DETAILS, options: { fields: 'contacts_email' } }), {}),
		shows: () => ({ contacts_email: OF_PERSON.contacts_email }),
	},
	'no company is found': nobody(
		{ ...FIND, website: '' },
		{ found: false, candidate_names: null, candidate_ids: '' },
	),
	'a person of a search has columns of the user’s own, and none of a former person': {
		parameters: SEARCH,
		row: () => ({ skills: 'own', job_title: 'old', total_results: 9 }),
		shows: () => ({
			skills: 'own',
			job_title: expect.not.stringMatching(/^old$/),
			total_results: 9,
		}),
	},
};

test.each(Object.entries(CASES))('%s', async (_what, { parameters, row, shows, data }) => {
	const service = await start();
	const { world } = service;
	world.addEvent({ prospect: 1, event_name: 'prospect_changed_role' });
	if (data !== undefined) sendInstead(service, data);

	const run = await service.run(withInputFields(parameters), [
		{ ...rowAbout(world, 1), ...row(world) },
	]);

	expect(run.failureText).toBe('');
	expect(run.main.length).toBeGreaterThan(0);
	for (const json of jsonOf(run.main)) expect(json).toMatchObject(shows(world));
});

test.each<[string, unknown]>([
	['null', null],
	['an empty text', ''],
	['a blank text', ' '],
	['an empty list', []],
	['an empty object', {}],
	['an object of nothing else', { level_of_intent: null, topics: [] }],
])('a company without data keeps what the row has: %s', async (_what, data) => {
	const service = await start();
	const id = service.world.businessId(1);
	sendInstead(service, data);
	const own = { intent_level: 'Active Research' };

	const run = await service.run(withInputFields(enrichCompanies(['intent'])), [
		{ company: id, ...own },
		{ company: id },
	]);

	expect(jsonOf(run.main)).toMatchObject([
		{ ...own, business_id: id },
		{ intent_level: null, business_id: id },
	]);
	expect(hintsOf(run)[0]).toMatch(/^2 rows without data\. /);
});

test('nothing of last week’s event is in the row of this week’s, and a week without events is no row', async () => {
	const service = await startService({ eventsPerDay: 0 });
	const { world } = service;
	world.addEvent({ prospect: 1, event_name: 'prospect_job_start_anniversary', data: { years: 3 } });
	world.addEvent({ prospect: 2, event_name: 'prospect_changed_company' });
	const old = {
		...{ event_name: 'prospect_changed_role', event_id: 'LAST', event_details: '{"LAST":1}' },
		...{ event_current_company_name: 'LAST', event_network_url: 'LAST' },
	};
	const own = { event_title: 'Trade fair' };
	const items = [1, 2, 3].map((person) => ({ id: world.prospectId(person), ...old, ...own }));

	const run = await service.run(withInputFields(EVENTS), items);

	const rows = jsonOf(run.main);
	expect(rows).toMatchObject([
		{
			event_name: 'prospect_job_start_anniversary',
			event_current_company_name: '',
			event_details: expect.stringContaining('"years":3'),
			...own,
		},
		{ event_name: 'prospect_changed_company', event_details: '', event_network_url: '', ...own },
	]);
	expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(rows[1] ?? {}));
	expect(JSON.stringify(rows)).not.toContain('LAST');
});

const MOVE = { event_name: 'prospect_changed_company', event_current_company_name: 'New' };
const ROUND = { event_name: 'new_funding_round', event_amount_raised: 5, event_time: 'T' };
const FAIR = {
	event_name: 'Trade fair',
	event_time: 'May',
	event_details: 'Hall 3',
	event_link: 'l',
};

test.each<[string, row: IDataObject, node: INodeParameters, isEmptied: boolean]>([
	['a move, and another company', MOVE, FIND, false],
	['a move, and data of another company', MOVE, enrichCompanies(['strategy']), false],
	['a move, and another person', MOVE, MATCH, true],
	['a funding round, and another person', ROUND, MATCH, false],
	['a funding round, and another company', ROUND, FIND, true],
	['an event of the user’s own, and another person', FAIR, MATCH, false],
	['an event of the user’s own, and another company', FAIR, FIND, false],
	['a type without an ID', { ...MOVE, event_id: '' }, MATCH, false],
])('an event is about whom its type names: %s', async (_, event, parameters, isEmptied) => {
	const service = await start();
	const { world } = service;
	const ids = { prospect_id: world.prospectId(0), business_id: world.businessId(0) };
	const row = { ...rowAbout(world, 1), ...ids, event_id: 'e1', ...event };

	const run = await service.run(withInputFields(parameters), [row]);

	const expected = isEmptied ? { ...emptied(event), event_id: '' } : event;
	const { event_amount_raised: amount = '', ...own } = run.main[0]?.json ?? {};
	expect({ ...own, event_amount_raised: amount ?? '' }).toMatchObject(expected);
	expect([own.prospect_id, own.business_id]).not.toEqual(Object.values(ids));
});

test('Get Events writes only its own columns beside an event of the user’s own', async () => {
	const service = await start();
	const { world } = service;
	const { event_id } = world.addEvent({ business: 1, event_name: 'new_funding_round' });
	const own = { event_title: 'Fair', event_status: 'booked', event_hall: 3 };
	const parameters = { businessIds: '={{ $json.id }}', eventTypes: ['new_funding_round'] };
	const row = { id: world.businessId(1), ...FAIR, event_id: 'F', ...own };
	const getEvents = node('business', 'getEvents', parameters);
	const fields = { options: { fields: 'event_id, event_hall' } };

	const run = await service.run(withInputFields(getEvents), [row]);
	const some = await service.run(withInputFields({ ...getEvents, ...fields }), [row]);

	const [json] = jsonOf(run.main).filter((one) => one.event_id === event_id);
	expect(json).toMatchObject({ event_name: 'new_funding_round', event_details: '', ...own });
	expect(jsonOf(some.main)).toContainEqual({ event_id, event_hall: 3 });
});

test.each([
	['prospect_id', 'contacts_email', enrichPeople(['profile'])],
	// A row with several events is one row.
	['prospect_id', 'contacts_email', EVENTS],
	['business_id', 'found_name', enrichCompanies(['strategy'])],
])(
	'a row without %s counts as being about the same one, with a warning',
	async (id, name, node) => {
		const service = await start();
		const row = { ...rowAbout(service.world, 1), [name]: 'kept' };

		const run = await service.run(withInputFields(node), [
			row,
			{ ...row, [id]: row.id, [name]: null },
		]);

		expect(run.main[0]?.json).toMatchObject({ [name]: 'kept' });
		expect(hintsOf(run).slice(1)).toEqual([
			`1 row has values of an earlier run, such as ${name}, but no ${id}. They are taken to be about the same one. Keep ${id} in your table.`,
		]);
	},
);

test.each<[cell: unknown]>(
	['"ID"', "'ID", 'ID,', '["ID"]', ['ID'], '\u200bID', '-', 'n/a', '#N/A', 'null', 0, false].map(
		(cell) => [cell],
	),
)('an ID in another spelling, or a word for none, is no other person: %j', async (cell) => {
	const service = await start();
	const id = service.world.prospectId(1);
	const prospect_id = JSON.parse(JSON.stringify(cell).replace('ID', id)) as string;
	const kept = without(OF_PERSON, /match_check/);

	const run = await service.run(withInputFields(MATCH), [
		{ ...rowAbout(service.world, 1), ...kept, prospect_id },
	]);

	expect(run.main[0]?.json).toMatchObject({ ...kept, prospect_id: id });
});

test.each([
	['contacts_email, mail', 'Add prospect_id to Fields, so that your table gets the new one.'],
	[
		'contacts_email, prospect_id',
		'What these nodes wrote about the former one is now empty there.',
	],
])('another person than the row’s, with the Fields %s: a warning', async (fields, advice) => {
	const service = await start();
	const { world } = service;
	const items = [0, 1].map((former) => ({
		...{ ...rowAbout(world, 1), prospect_id: world.prospectId(former) },
	}));
	const parameters = { ...enrichPeople(CONTACTS, BY_DETAILS), options: { fields } };

	const run = await service.run(withInputFields(parameters), items);

	expect(hintsOf(run).slice(1)).toEqual([
		`1 row is about another person than its prospect_id says. ${advice}`,
	]);
});

describe('the state of a row', () => {
	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'each row has one, which the hint counts; Drop Rows Without Data leaves the failed (%s)',
		async (onError) => {
			const service = await start();
			const { world } = service;
			service.refuseIds(world.prospectId(3));
			const items = [
				{ url: world.person(1).network },
				{ url: world.person(13).network },
				{ mail: 'nobody@nowhere.example' },
				{ name: 'Ada' },
				{ url: world.person(3).network },
				{ url: world.person(2).network },
			].map((item, row) => ({ ...item, row }));
			const parameters = enrichPeople(['profile'], { ...BY_DETAILS, maxRecordsToPay: 8 });

			const kept = await service.run(parameters, items, { onError });
			const dropped = await service.run(
				{ ...parameters, options: { dropRowsWithoutData: true } },
				items,
				{ onError },
			);

			expect(hintsOf(kept)[0]).toMatch(
				/^6 rows: 1 enriched, 1 without data, 1 without a match, 1 with a name.*, 1 not requested .*, 1 failed\./,
			);
			expect(hintsOf(dropped)[0]).toMatch(/^6 rows: 1 enriched, .* 3 rows were left out\.$/);
			const all = (run: typeof kept) => [...run.linked, ...run.linkedErrors];
			expect([all(kept), all(dropped)]).toEqual([
				[0, 1, 2, 3, 4, 5],
				[0, 4, 5],
			]);
			expect(jsonOf(kept.main).slice(0, 4)).toMatchObject([
				{ matched: true, profile_full_name: expect.any(String) },
				{ matched: true, profile_full_name: null, prospect_id: world.prospectId(13) },
				{ matched: false, prospect_id: null },
				{ matched: false, prospect_id: null },
			]);
		},
	);
});

/** Each operation, for rows about people and companies. */
const USES: Record<string, INodeParameters> = {
	Match: MATCH,
	'Get Many': { ...SEARCH, limit: 3 },
	'Prospect: Enrich': enrichPeople(PROSPECT_DATA_SETS.map(({ value }) => value)),
	'Prospect: Enrich by Person Details': enrichPeople(['profile'], BY_DETAILS),
	'Prospect: Get Events': EVENTS,
	Find: FIND,
	'Find by Work Email': { ...FIND, identifyBy: 'workEmail' },
	'Business: Enrich': enrichCompanies(BUSINESS_DATA_SETS.map(({ value }) => value)),
	'Business: Enrich by Company Name': { ...FIND, ...FUNDING, identifyBy: 'companyName' },
	'Business: Get Events': node('business', 'getEvents', { businessIds: '={{ $json.company }}' }),
	'Business: Get Statistics': node('business', 'getStatistics'),
	'Event Enrollment: Delete': node('eventEnrollment', 'delete', { enrollmentId: 'en_1' }),
	'Credit Usage: Get': node('creditUsage', 'get', { fromDate: '2026-11-01', toDate: '2026-11-03' }),
	'Filter Value: Search': node('filterValue', 'search', { field: 'country', query: 'united' }),
	'Custom API Call': node('customApiCall', 'send', {
		...{ method: 'POST', path: '/v1/businesses/stats', body: '{ "filters": {} }' },
		output: 'summary',
	}),
};
describe.each(Object.entries(USES))('%s', (_name, parameters) => {
	test('rows of equal and of different questions share no objects', async () => {
		const service = await start();
		const row = { ...rowAbout(service.world, 1), tags: ['a', { b: 1 }] };
		const items = [row, row, { ...row, ...rowAbout(service.world, 2) }];

		for (const simplify of [true, false]) {
			const run = await service.run(withInputFields({ ...parameters, simplify }), items);

			expect(run.failureText).toBe('');
			expect(run.main.length).toBeGreaterThan(2);
			expectOwnObjects(run.main);
		}
	});

	test('Fields outputs exactly the columns that it names, in their order', async () => {
		const service = await start();
		const items = [1, 2].map((person) => ({ ...rowAbout(service.world, person), crm: person }));
		const [whole = {}] = jsonOf((await service.run(withInputFields(parameters), items)).main);
		const names = Object.keys(whole).filter((name) => name !== 'response_context');
		const fields = [...names.slice(0, 3).reverse(), 'crm'];

		const { main } = await service.run(
			withInputFields({ ...parameters, options: { fields: fields.join(', ') } }),
			items,
		);

		expect(main.length).toBeGreaterThan(1);
		for (const row of jsonOf(main)) expect(Object.keys(row)).toEqual(fields);
		expect(main[0]?.json).toEqual({
			...Object.fromEntries(fields.map((name) => [name, whole[name]])),
			crm: 1,
		});
	});
});

/** The example that the editor shows in the empty field. */
const fieldsPlaceholder = ({ resource, operation }: INodeParameters): string => {
	const own = OPERATIONS.find((one) => one.resource === resource && one.value === operation);
	const [options] = own?.properties.filter(({ name }) => name === 'options') ?? [];
	const [fields] = (options?.options ?? []).filter(({ name }) => name === 'fields');
	return String((fields as INodeProperties).placeholder).replace('e.g. ', '');
};

test.each(Object.entries(USES).filter(([name]) => !/ by |Custom/.test(name)))(
	'%s: the example of Fields names columns that there are',
	async (_name, parameters) => {
		const service = await start();
		const options = { fields: fieldsPlaceholder(parameters) };

		const run = await service.run({ ...parameters, options }, [rowAbout(service.world, 1)]);

		expect(run.failureText).toBe('');
		expect(hintsOf(run).filter((hint) => hint.startsWith('Fields'))).toEqual([]);
	},
);

describe('Fields', () => {
	test.each<[input: object, fields: string, names: string[]]>([
		[{ crm: 1 }, 'crm; contacts_email', ['crm', 'contacts_email']],
		[{ 'a; b': 1 }, 'a; b, contacts_email', ['a; b', 'contacts_email']],
	])('of the row %j, %s', async (input, fields, names) => {
		const service = await start();
		const parameters = withInputFields({ ...enrichPeople(CONTACTS), options: { fields } });

		const { main } = await service.run(parameters, [{ ...rowAbout(service.world, 1), ...input }]);

		expect(jsonOf(main).map(Object.keys)).toEqual([names]);
	});

	test.each<[what: string, parameters: INodeParameters, fields: string, message: string]>([
		[
			'a column that a data set does not have',
			withInputFields(enrichPeople(CONTACTS)),
			'contacts_mail, contacts_email',
			'"contacts_mail" is not a column of Emails and Phone Numbers (did you mean "contacts_email"?). It has: contacts_email, ',
		],
		[
			'a column of a data set that is not chosen, without the input row',
			enrichPeople(CONTACTS),
			'profile_city',
			'"profile_city" is not a column of these rows. They have: contacts_email, ',
		],
		[
			'a column of the input row, without the input row',
			MATCH,
			'crm',
			'"crm" is not a column of these rows. They have: matched, ',
		],
		[
			'another spelling',
			EVENTS,
			'Event_Name',
			'"Event_Name" is not a column of these rows (did you mean "event_name"?).',
		],
	])('%s fails before anything is paid', async (_what, parameters, fields, message) => {
		const service = await start();
		const items = [1, 2].map((person) => ({ ...rowAbout(service.world, person), crm: person }));
		const options = { ...(parameters.options as INodeParameters), fields };

		const run = await service.run({ ...parameters, options }, items, CONTINUE);
		const stopped = await service.run({ ...parameters, options }, items);

		const failure = { message: expect.stringContaining(message), field: 'fields' };
		expect(run.error.map(failureOf)).toEqual([failure, failure]);
		expect(stopped.failureText).toContain(message);
		expect(service.log.entries).toEqual([]);
	});

	test('each row may name columns of its own data sets', async () => {
		const service = await start();
		const items = ['strategy', 'intent'].map((set, row) => ({
			...{ ...rowAbout(service.world, 1), row, set },
		}));
		const parameters = {
			...enrichCompanies([]),
			dataSets: '={{ [$json.set] }}',
			options: { fields: 'intent_topics, intent_topic_names' },
		};

		const run = await service.run(parameters, items, CONTINUE);

		expect([run.linked, run.linkedErrors]).toEqual([[1], [0]]);
		// Simplify leaves out the first.
		expect(jsonOf(run.main)).toEqual([
			{ intent_topics: expect.stringMatching(/^\[/), intent_topic_names: expect.any(String) },
		]);
	});

	test('a column of the result is not taken from a header with spaces around its name', async () => {
		const service = await start();
		const row = { ...rowAbout(service.world, 1), ' profile_city': 'own' };

		const run = await service.run(
			withInputFields({ ...enrichPeople(['profile']), options: { fields: 'profile_city' } }),
			[row],
		);

		expect(jsonOf(run.main)).toEqual([{ profile_city: service.world.person(1).place.city }]);
	});

	test('a column that no row has is empty, and a warning names it; a data set of another node may be named', async () => {
		const service = await start();
		const row = {
			...rowAbout(service.world, 1),
			contacts_email: 'kept',
			crm: 7,
			'Notes ': 'n',
			Phone: 1,
		};
		const fields =
			'crm, Notes, cmr, contacts_email, profile_city, skills, Profile Job Titles, phone';

		const run = await service.run(
			withInputFields({ ...enrichPeople(['profile']), options: { fields } }),
			[row, { ...row, crm: '' }],
		);

		expect(jsonOf(run.main).map((one) => Object.entries(one))).toMatchObject(
			[7, ''].map((crm) => [
				['crm', crm],
				['Notes ', 'n'],
				['cmr', null],
				['contacts_email', 'kept'],
				['profile_city', expect.any(String)],
				['skills', null],
				['Profile Job Titles', null],
				['phone', null],
			]),
		);
		expect(hintsOf(run)).toContain(
			'No row has "cmr", "skills" (did you mean "profile_skills"?), "Profile Job Titles" (did you mean "profile_job_title"?) and "phone" (did you mean "Phone"?). Check Fields, Fill Columns and the data sets.',
		);
	});
});

test('a related company takes the place of the row’s own, which a warning says; the column it came from stays', async () => {
	const service = await start();
	const { world } = service;
	const row = {
		business_id: world.businessId(1),
		hierarchy_parent_company_id: world.businessId(2),
		hierarchy_parent_company_name: 'Parent',
	};
	const ids = { businessIds: '={{ $json.hierarchy_parent_company_id }}' };

	const run = await service.run(withInputFields(enrichCompanies(['fundingAndAcquisition'], ids)), [
		row,
	]);

	expect(run.main[0]?.json).toMatchObject({
		business_id: world.businessId(2),
		hierarchy_parent_company_id: world.businessId(2),
		hierarchy_parent_company_name: '',
	});
	expect(hintsOf(run).join()).toMatch(/1 row is about another company than its business_id says/);
});

describe('the first columns', () => {
	const named = { name: 'Ann', 'Company name': 'Silver Analytics', last: 'Lee', crm: 7 };
	const byName = { ...BY_DETAILS, fullName: '={{ $json.name }}' };

	test.each<[what: string, parameters: INodeParameters, first: string[]]>([
		['who, and whether', { ...MATCH, ...byName }, ['name', 'matched', 'prospect_id', 'id']],
		[
			'a first and a last name',
			{ ...MATCH, fullName: '={{ $json.name }} {{ $json["last"] }}' },
			['name', 'last', 'matched'],
		],
		[
			'a company, before what was found and the candidates',
			{ ...FIND, companyName: "={{ $json['Company name'] }}" },
			['Company name', 'found', 'found_name', 'found_website', 'candidate_names'],
		],
		[
			'candidates, before the ID',
			{ ...FIND, ...FUNDING, companyName: "={{ $json['Company name'] }}" },
			['Company name', 'found', 'funding_company_name'],
		],
		['an email, without a name', { ...MATCH, ...BY_DETAILS, fullName: '' }, ['mail', 'matched']],
		['an ID', enrichPeople(CONTACTS), ['id', 'contacts_email']],
		[
			'an ID that the node writes itself',
			enrichPeople(CONTACTS, { prospectIds: '={{ $json.prospect_id }}' }),
			['prospect_id', 'contacts_email'],
		],
		[
			'nobody, if the expression is more than the column',
			{ ...MATCH, fullName: '={{ $json.name.trim() }}', email: '={{ $json.mail }}!' },
			['matched'],
		],
	])('say %s', async (_what, parameters, first) => {
		const service = await start();
		const { world } = service;
		const row = { ...rowAbout(world, 1), prospect_id: world.prospectId(1), ...named };

		const run = await service.run(withInputFields(parameters), [row]);

		const names = Object.keys(run.main[0]?.json ?? {});
		expect(names.slice(0, first.length)).toEqual(first);
		expect(names).toEqual(expect.arrayContaining(Object.keys(row)));
		const [, ...rest] = names.join().split('candidate_');
		if (rest.length > 0)
			expect(names.indexOf('business_id') - names.indexOf('candidate_ids')).toBe(1);
	});
});

test('a cell is cut at 32,000 characters, and a warning says so', async () => {
	const service = await start();
	sendInstead(service, { skills: ['x'.repeat(40_000)], job_title: 'y'.repeat(32_000) });
	const options = { fields: 'profile_skills, profile_job_title' };

	const run = await service.run({ ...enrichPeople(['profile']), options }, [
		rowAbout(service.world, 1),
	]);

	expect(jsonOf(run.main)).toEqual([
		{ profile_skills: `${'x'.repeat(32_000)}…`, profile_job_title: 'y'.repeat(32_000) },
	]);
	expect(hintsOf(run)).toContain(
		'1 row has a cell that was cut at 32,000 characters, because spreadsheets refuse more. To get all of it, turn off Simplify.',
	);
});

test('files that a row has among its columns (binaryMode: combined) come along with Fields', async () => {
	const service = await start();
	const _files = { cv: { mimeType: 'text/plain', id: 'filesystem:1' } };
	const parameters = { ...enrichPeople(['profile']), options: { fields: 'id' } };

	const run = await service.run(withInputFields(parameters), [
		{ ...rowAbout(service.world, 1), _files },
	]);

	expect(jsonOf(run.main)).toEqual([{ id: service.world.prospectId(1), _files }]);
});

test.each([[CONTACTS], [['emails']]])('the hint counts what was found of %j', async (dataSets) => {
	const service = await start();
	const items = service.world.prospectIds(40).map((id) => ({ id }));

	const run = await service.run(enrichPeople(dataSets), items);

	const countOf = (name: string) => jsonOf(run.main).filter((row) => row[name]).length;
	const phones = `, ${countOf('contacts_phone_number')} phone numbers`;
	const found = `${countOf('contacts_email')} emails${dataSets === CONTACTS ? phones : ''}`;
	expect(hintsOf(run)[0]).toMatch(/^40 rows: \d\d enriched \(/);
	expect(hintsOf(run)[0]).toContain(` enriched (${found}), `);
});

test.each([true, false])('files of the input row come along: %s', async (includeInputFields) => {
	const service = await start();
	const cv = { data: 'SGVsbG8=', mimeType: 'text/plain', fileName: 'cv.txt' };
	const json = rowAbout(service.world, 1);
	const items: INodeExecutionData[] = [{ json, binary: { cv } }, { json }];

	const run = await service.run(
		{ ...enrichPeople(['profile']), options: { includeInputFields } },
		items,
	);

	const files = includeInputFields ? [{ cv }, undefined] : [undefined, undefined];
	expect(run.main.map(({ binary }) => binary)).toEqual(files);
});

test('input rows stay unchanged, because other nodes read them too', async () => {
	const service = await start();
	const items = [
		{ ...rowAbout(service.world, 1), prospect_id: 'a', profile: { city: [1] } },
		{ id: 'malformed', profile: { city: [2] } },
	];

	const run = await service.run(withInputFields(enrichPeople(['profile'])), items, CONTINUE);

	expect(run.main).toHaveLength(1);
	expect(jsonOf(run.runData.CRM?.[0]?.data?.main?.[0] ?? [])).toEqual(items);
});

test('error items of one request share no objects', async () => {
	const service = await start();
	service.change((answer) => ({ ...answer, data: [{ data: { a: [1] } }] }), { times: 'always' });
	const items = [1, 2].map((person) => rowAbout(service.world, person));

	const run = await service.run(enrichPeople(['profile']), items, CONTINUE);

	expect(run.error).toHaveLength(2);
	expect(JSON.stringify(run.error[0]?.json)).toContain('unassigned_rows');
	expectOwnObjects(run.error);
});

/** Chains of nodes over three weeks. The data of each ID is its tag, so that a value shows whom it is about. */
describe('no value about one person or company is beside the ID of another', () => {
	const TAG = /#([0-9a-f]+)#/g;

	/** A generator with a seed, so that a chain that fails can be run again. */
	function random(seed: number) {
		let state = seed;
		const below = (count: number) => {
			state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
			return Math.floor((state / 2_147_483_648) * count);
		};
		const chance = (share: number) => below(1_000) < share * 1_000;
		const pick = <Value>(values: readonly Value[]) => values[below(values.length)] as Value;
		const some = <Value>(values: readonly Value[]) => {
			const chosen = values.filter(() => chance(0.5));
			return chosen.length > 0 ? chosen : [pick(values)];
		};
		return { below, chance, pick, some };
	}
	type Dice = ReturnType<typeof random>;

	function tagged(value: unknown, tag: string, dice: Dice): unknown {
		if (Array.isArray(value)) return value.map((one) => tagged(one, tag, dice));
		if (!isObject(value)) return typeof value === 'string' ? tag : null;
		return Object.fromEntries(
			Object.entries(value).map(([name, member]) => [
				name,
				dice.chance(0.3) ? null : tagged(member, tag, dice),
			]),
		);
	}

	function tagAnswers(service: Service, dice: Dice) {
		const tagData = (row: IDataObject) => {
			const tag = `#${String(row.prospect_id ?? row.business_id)}#`;
			return {
				...row,
				data: dice.chance(0.25) ? null : tagged(row.data, tag, dice),
			} as IDataObject;
		};
		changeRows(service, ENDPOINTS, 'data', tagData);
		changeRows(service, ['prospectEvents', 'businessEvents'], 'output_events', tagData);
		// Companies are named after their IDs, so that what Find writes is tagged as well.
		changeRows(service, ['search'], 'data', (row) => {
			const tag = `#${String(row.business_id)}#`;
			return { ...row, company_name: tag, company_website: tag };
		});
	}

	/** Whom a column is about, known to the test alone. */
	const ID_FIELDS: ReadonlyArray<readonly [pattern: RegExp, ids: string[]]> = [
		[/^(contacts|profile|posts)(_|$)/, ['prospect_id']],
		[/^(funding|intent|tech|found)(_|$)/, ['business_id']],
		[/^event_/, ['prospect_id', 'business_id']],
	];

	const strangersIn = (row: IDataObject): string[] =>
		Object.entries(row).flatMap(([name, value]) => {
			const [, fields] = ID_FIELDS.find(([pattern]) => pattern.test(name)) ?? [];
			const tags = [...(JSON.stringify(value ?? null).matchAll(TAG) ?? [])].map(([, id]) => id);
			const ids = fields?.map((field) => row[field]);
			return tags.filter((tag) => ids?.includes(tag) === false).map((tag) => `${name}: ${tag}`);
		});

	const PEOPLE_SETS = ['emails', 'phoneNumbers', 'profile', 'networkPosts'];
	const COMPANY_SETS = ['fundingAndAcquisition', 'intent', 'technologyStack'];
	const NAMEABLE: Record<string, string[]> = {
		emails: ['contacts_email', 'contacts_emails', 'contacts_professional_email_status'],
		phoneNumbers: ['contacts_mobile_phone', 'contacts_phone_numbers'],
		profile: ['profile_job_title', 'profile_skills', 'profile_experience'],
		networkPosts: ['posts_text', 'posts_count'],
		fundingAndAcquisition: ['funding_acquired_by', 'funding_investors'],
		intent: ['intent_company_name', 'intent_topics'],
		technologyStack: ['tech_sales', 'tech_hr'],
	};

	function nextNode(dice: Dice): INodeParameters {
		const common = { options: { includeInputFields: true }, simplify: dice.chance(0.8) };
		const byId = { prospectIds: '={{ $json.prospect_id }}' };
		const how = dice.chance(0.5) ? BY_DETAILS : byId;
		const company = dice.pick<INodeParameters>([
			{ identifyBy: 'workEmail', workEmail: '={{ $json.mail }}' },
			{ identifyBy: 'prospectId', prospectId: '={{ $json.prospect_id }}' },
			{ identifyBy: 'businessId', businessIds: '={{ $json.business_id }}' },
		]);
		const finding = company.identifyBy === 'businessId' ? { ...FIND, identifyBy: 'workEmail' } : {};
		return dice.pick<INodeParameters>([
			{ ...MATCH, ...common },
			{ ...enrichPeople(dice.some(PEOPLE_SETS)), ...byId, ...how, ...common },
			{ ...enrichPeople(dice.some(PEOPLE_SETS)), ...byId, ...how, ...common },
			{ ...EVENTS, ...byId, ...how, ...common },
			{ ...FIND, ...company, ...finding, ...common },
			{ ...enrichCompanies(dice.some(COMPANY_SETS)), ...company, ...common },
			node('business', 'getEvents', { ...company, ...common }),
		]);
	}

	/** Columns of the node and of the rows, always with the IDs. */
	function someFields(node: INodeParameters, rows: readonly IDataObject[], dice: Dice): string[] {
		const sets = (node.dataSets ?? []) as string[];
		const own = sets.flatMap((name) => NAMEABLE[name] ?? []);
		const ofRows = [...new Set(rows.flatMap((row) => Object.keys(row)))];
		const ids = [node.resource === 'prospect' ? 'prospect_id' : 'business_id'];
		return [
			...new Set([
				...['crm', 'mail', 'url', 'profile_url', 'strategy', ...ids],
				...ofRows.filter((name) => /^((prospect|business|event)_id|event_name)$/.test(name)),
				...[...own, ...ofRows].filter(() => dice.chance(0.6)),
			]),
		];
	}

	/** The row of a sheet after n8n's Google Sheets node has updated it, which skips null, and has read it again. */
	const inSheet = (cells: IDataObject, row: IDataObject): IDataObject =>
		Object.fromEntries(
			Object.entries({ row_number: 2, ...cells, ...row }).map(([name, value]) => {
				const cell = value ?? cells[name] ?? '';
				return [name, typeof cell === 'object' ? JSON.stringify(cell) : cell];
			}),
		);

	test.each(Array.from({ length: bySize(4, 30) }, (_, seed) => seed + 1))(
		'chain %d',
		async (seed) => {
			const dice = random(seed);
			const service = await startService({ people: 40, eventsPerDay: 5 });
			const { world } = service;
			tagAnswers(service, dice);
			const own = { profile_url: 'own', strategy: 'ours' };
			const isSheet = seed % 2 === 0;
			let rows: IDataObject[] = Array.from({ length: 6 }, (_, crm) => ({ crm, ...own }));
			for (let step = 0; step < 12; step++) {
				// Each week, somebody else or nobody is meant in some rows.
				if (step % 4 === 0) {
					rows = rows.map((row) => {
						if (step > 0 && dice.chance(0.6)) return row;
						const person = dice.below(40);
						const meant = { mail: mailOf(world, person) ?? '', url: world.person(person).network };
						return { ...row, ...(dice.chance(0.2) ? { mail: NOBODY.mail, url: '' } : meant) };
					});
				}
				const node = nextNode(dice);
				const fields = !isSheet && dice.chance(0.4) ? someFields(node, rows, dice) : undefined;
				if (fields !== undefined) node.options = { fields: fields.join(', ') };

				const run = await service.run(node, rows, CONTINUE);

				const at = { seed, step, node };
				expect({ ...at, failure: run.failureText }).toMatchObject({ failure: '' });
				for (const row of jsonOf(run.main)) {
					expect({ ...at, strangers: strangersIn(row) }).toMatchObject({ strangers: [] });
					expect(row).toMatchObject(own);
					if (fields !== undefined) expect(Object.keys(row)).toEqual(fields);
				}
				// One row for each input row goes on, as a CRM or a sheet would keep it.
				const byCrm = new Map(rows.map((row) => [row.crm, row]));
				for (const row of jsonOf(run.main)) {
					const { crm } = row;
					byCrm.set(crm, isSheet ? inSheet(byCrm.get(crm) ?? {}, row) : row);
				}
				rows = [...byCrm.values()];
				expect({ ...at, strangers: rows.flatMap(strangersIn) }).toMatchObject({ strangers: [] });
			}
		},
	);
});
