/** Who a row means: Match, and people by their details in Enrich and Get Events. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { errorOf } from '../harness/engine';
import type { World } from '../sandbox/world/world';
import {
	CONTINUE,
	expectOwnObjects,
	hintsOf,
	jsonOf,
	numbered,
	type Service,
	startService,
} from './service';

const endpoints = ({ log }: Service) => log.entries.map(({ endpoint }) => endpoint);
const bodies = ({ log }: Service) => log.entries.map(({ body }) => body as IDataObject);
const DROP: INodeParameters = { options: { dropRowsWithoutData: true } };

const NOBODY = 'nobody@nowhere.example';

const DETAILS: INodeParameters = {
	email: '={{ $json.email }}',
	fullName: '={{ $json.name }}',
	companyName: '={{ $json.company }}',
	moreDetails: { phoneNumber: '={{ $json.phone }}', network: '={{ $json.url }}' },
};
const match: INodeParameters = { resource: 'prospect', operation: 'match', ...DETAILS };
const enrich = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'prospect',
	operation: 'enrich',
	identifyBy: 'personDetails',
	dataSets: ['profile'],
	...DETAILS,
	...more,
});
const getEvents = (more: INodeParameters = {}) => enrich({ operation: 'getEvents', ...more });

const itemsOf = ({ world }: Service, ...people: number[]) =>
	people.map((person, row) => ({ row, url: world.person(person).network }));
/** The people in all match requests. */
const sent = (service: Service) =>
	bodies(service).flatMap(({ prospects_to_match: people = [] }) => people as object[]);
const changeMatches = (
	service: Service,
	change: (rows: IDataObject[], world: World) => unknown[],
) =>
	service.change(
		(answer) => ({
			...answer,
			matched_prospects: change(answer.matched_prospects as IDataObject[], service.world),
		}),
		{ when: { to: 'match' } },
	);

describe('Match', () => {
	test('a first and a last name dragged into Full Name have a space between them', async () => {
		const service = await startService();
		const names = { fullName: '={{ $json.first }}{{ $json.last }}', companyName: 'Acme' };

		await service.run({ ...match, ...names }, [{ first: 'Ada', last: 'Diaz' }, { last: 'Sato' }]);

		expect(sent(service)).toMatchObject([{ full_name: 'Ada Diaz' }, { full_name: 'Sato' }]);
	});

	test('120 rows take three requests, duplicates are sent once, and rows stay in order', async () => {
		const service = await startService({ people: 120 });
		const people = Array.from({ length: 120 }, (_, row) => row % 110);
		const items = itemsOf(service, ...people).map(({ row, url }) => ({
			row,
			url: row < 110 ? url : `  ${url.toUpperCase()} `,
		}));

		const run = await service.run(match, items);

		expect(service.log.count('match')).toMatchObject({ requests: 3, ids: 110, unique: 110 });
		expect(run.linked).toEqual(items.map(({ row }) => row));
		expect(jsonOf(run.main).map(({ prospect_id: id }) => id)).toEqual(
			people.map((person) => service.world.prospectId(person)),
		);
		expect(hintsOf(run)[0]).toBe(
			"120 rows matched. 3 requests, 110 records. 10 duplicates weren't sent again.",
		);
	});

	// Contract: a failed item carries `error` and `error_type`, both strings.
	test.each<[string, IDataObject, string, IDataObject]>([
		[
			'only a type',
			{ prospect_id: null, error: '', error_type: 'ProcessingError' },
			'ProcessingError.',
			{ error_type: 'ProcessingError' },
		],
		[
			'an ID, which was paid for',
			{ error: 'Company not confirmed', error_type: 'PartialMatch' },
			'Company not confirmed (PartialMatch).',
			{
				reason: 'Company not confirmed',
				error_type: 'PartialMatch',
				prospect_id: expect.stringMatching(/^[0-9a-f]{40}$/),
			},
		],
	])('a person who fails with %s is an error row', async (_case, members, message, facts) => {
		const service = await startService();
		changeMatches(service, ([first, ...others]) => [{ ...first, ...members }, ...others]);
		const items = itemsOf(service, 1, 2);

		const run = await service.run(match, items, CONTINUE);

		expect(run.linked).toEqual([1]);
		expect(errorOf(run.error[0])).toEqual({
			message: `The service could not look this person up: ${message} Check this person's details. If they are correct, run the row again later.`,
			correlation_id: service.log.entries[0]?.correlationId,
			input: expect.objectContaining({ network: items[0]?.url }),
			...facts,
		});
	});
});

describe('as their cells have them', () => {
	const email = 'carla@acme.example';

	test('a detail that is none of its kind is left out, with a word in the hint', async () => {
		const service = await startService();
		const person = { name: 'Carla Castro', company: 'Acme' };
		const rows = [
			{ ...person, email: 'a@b@c' },
			{ ...person, email: 'carla', phone: 'ask reception' },
			{ ...person, email: 'n/a', phone: '4.41E+11', url: 'carla' },
			{ ...person, email: `Carla <${email}>;` },
			{ email: 'carla@ACME.example', company: '[not provided]', name: 'Carla Castro' },
		];

		const run = await service.run(match, numbered(rows));

		const named = { full_name: 'Carla Castro', company_name: 'Acme' };
		expect(sent(service)).toEqual([named, { ...named, email }, { email }]);
		expect(hintsOf(run).slice(1)).toEqual([
			'Email was ignored in 2 rows: not an email address, for example "a@b@c".',
		]);
	});

	const business = 'b'.repeat(32);
	const BLANK = [
		{},
		{ email: 'N/A', phone: '', name: 'Unknown', company: '—' },
		{ name: 'Carla' },
		{ company: 'Acme' },
		{ business },
		{ phone: 'x' },
	];
	test.each<[string, INodeParameters, IDataObject]>([
		['Match', match, { matched: false, prospect_id: null }],
		['Enrich', enrich(), { matched: false, match_check: null, profile_full_name: null }],
	])(
		'%s: a row that does not say whom it is about is blank, and stops nothing',
		async (_, parameters, row) => {
			const service = await startService();
			const moreDetails = {
				phoneNumber: '={{ $json.phone }}',
				businessId: '={{ $json.business }}',
			};

			const run = await service.run(
				{ ...parameters, moreDetails },
				numbered([...BLANK, { email: NOBODY }]),
			);

			expect(run.failure).toBeUndefined();
			expect(run.linked).toEqual([0, 1, 2, 3, 4, 5, 6]);
			expect(jsonOf(run.main)).toEqual(run.main.map(() => expect.objectContaining(row) as object));
			expect(sent(service)).toEqual([{ email: NOBODY }]);
			const [report, ...others] = hintsOf(run);
			expect(report).toContain(
				"7 rows: 1 without a match, 2 without details, 1 with a name, but no company, 1 with a company, but no name, 1 with only a business ID, 1 whose email, phone number or profile URL isn't one.",
			);
			expect(others).toContainEqual(
				expect.stringMatching(/^2 rows without details weren't requested\. Fill in an email, /),
			);
		},
	);

	test('a column whose name is mistyped is a warning; a single row says nothing about its columns', async () => {
		const service = await startService();
		const rows = ['a', 'b', 'c'].map((name) => ({ '\ufeffEmail': `${name}@x.example` }));
		const byEmail = { resource: 'prospect', operation: 'match', email: '={{ $json.Email }}' };

		const run = await service.run(byEmail, numbered(rows));
		const single = await service.run(match, [{ email: NOBODY }]);

		expect(jsonOf(run.main).map(({ matched }) => matched)).toEqual([false, false, false]);
		expect(hintsOf({ hints: run.hints.filter(({ type }) => type === 'warning') })).toEqual([
			"Email was empty in all 3 rows. Check the column's name.",
		]);
		expect(hintsOf(single)).toHaveLength(1);
	});
});

describe('Enrich', () => {
	test('a row says whether there is a match, then has what it has by ID; without one all data is null', async () => {
		const service = await startService();
		const dataSets = ['profile', 'networkPosts'];
		const byId = await service.run({
			resource: 'prospect',
			operation: 'enrich',
			prospectIds: service.world.prospectId(1),
			dataSets,
		});
		const [item] = itemsOf(service, 1);

		const run = await service.run(enrich({ dataSets }), numbered([{ ...item }, { email: NOBODY }]));

		const [own = {}] = jsonOf(byId.main);
		const columns = Object.keys(own);
		expect(jsonOf(run.main)).toEqual([
			{ matched: true, match_check: 'unknown', ...own },
			{
				...Object.fromEntries(columns.map((name) => [name, null])),
				matched: false,
				match_check: null,
			},
		]);
		for (const { json } of run.main) {
			expect(Object.keys(json)).toEqual(['matched', 'match_check', ...columns]);
		}
	});

	test('if no one matches, nothing more is sent, and the rows can be dropped', async () => {
		const service = await startService();

		const run = await service.run(
			enrich(DROP),
			numbered([{ email: NOBODY }, { email: NOBODY.toUpperCase() }, { email: `x${NOBODY}` }, {}]),
		);

		expect(endpoints(service)).toEqual(['match']);
		expect(run.main).toEqual([]);
		expect(hintsOf(run)[0]).toBe(
			"4 rows: 3 without a match, 1 without details. 1 request, 2 records (2 matches). 1 duplicate wasn't sent again. 4 rows were left out.",
		);
	});

	test('two rows that match the same person are paid for once', async () => {
		const service = await startService();
		const { network, networkById } = service.world.person(1);

		const run = await service.run(
			enrich({ dataSets: ['profile', 'emails', 'phoneNumbers'] }),
			numbered([{ url: network }, { url: networkById }]),
		);

		expect(service.log.count('match')).toMatchObject({ requests: 1, ids: 2 });
		expect(service.log.count('profileBulk')).toMatchObject({ requests: 1, ids: 1 });
		expect(service.log.count('contactsBulk')).toMatchObject({ requests: 1, ids: 1 });
		expect(run.main[0]?.json).toEqual(run.main[1]?.json);
		expectOwnObjects(run.main);
	});

	test('a person whose data set fails keeps the prospect ID, which was paid for', async () => {
		const service = await startService();
		service.fault({
			when: { to: 'profileBulk' },
			times: 'always',
			do: { kind: 'status', status: 402, body: { message: 'No credits.' } },
		});

		const run = await service.run(enrich(), itemsOf(service, 1), CONTINUE);

		expect(errorOf(run.error[0])).toEqual({
			message: expect.stringMatching(/no credits left/),
			status: 402,
			failed: ['profile'],
			received: { prospect_id: service.world.prospectId(1), matched: true },
		});
	});

	test('an ID that is none fails its row, and nothing more is requested for it', async () => {
		const service = await startService();
		changeMatches(service, (rows, world) =>
			['abc', ` ${world.prospectId(2).toUpperCase()} `].map((id, at) => ({
				...rows[at],
				prospect_id: id,
			})),
		);

		const run = await service.run(enrich(), itemsOf(service, 1, 2), CONTINUE);

		expect(errorOf(run.error[0]).message).toMatch(
			/^The service returned "abc" for this row, which is not a prospect ID\. .* Nothing more was requested/,
		);
		// In capitals, with spaces: the row has the ID as it was requested.
		expect(run.main[0]?.json.prospect_id).toBe(service.world.prospectId(2));
		expect(service.log.count('profileBulk').ids).toBe(1);
	});
});

test.each<[string, INodeParameters, object]>([
	['Enrich', enrich(), { match: [50, 50], profileBulk: [50, 50] }],
	['Get Events', getEvents(), { match: [50, 50], prospectEvents: [20, 40, 40] }],
])('%s: both steps have batches of their own size', async (_, parameters, expected) => {
	const service = await startService({ people: 100, eventsPerDay: 0 });

	await service.run(parameters, itemsOf(service, ...Array(100).keys()));

	const sizes: Record<string, number[]> = {};
	for (const { endpoint, ids } of service.log.entries) {
		(sizes[String(endpoint)] ??= []).push(ids.length);
	}
	for (const list of Object.values(sizes)) list.sort((a, b) => a - b);
	expect(sizes).toEqual(expected);
});

test('Get Events: rows of events, each with the person; none for a person without a match', async () => {
	const service = await startService({ eventsPerDay: 0 });
	const { event_id } = service.world.addEvent({ prospect: 1 });
	const [item, quiet] = itemsOf(service, 1, 2);

	const run = await service.run(
		getEvents({ eventTypes: ['prospect_changed_company', 'prospect_changed_role'] }),
		numbered([{ email: NOBODY }, { ...item }, { ...quiet }]),
	);

	expect(endpoints(service)).toEqual(['match', 'prospectEvents']);
	expect(jsonOf(run.main)).toMatchObject([
		{ event_id, prospect_id: service.world.prospectId(1), matched: true },
	]);
	expect(run.linked).toEqual([1]);
	expect(hintsOf(run)[0]).toBe(
		'Returned 1 event in 2 requests for 5 records; 1 row without events; 1 row without a match.',
	);
});

describe('details that are the same for all rows', () => {
	const rowsOf = ({ world }: Service) =>
		[1, 2, 3, 4, 5, 6].map((person) => ({ crm: person, url: world.person(person).network }));
	const fixed = { email: 'carla@acme.example', fullName: '', companyName: '', moreDetails: {} };

	test.each<[what: string, details: INodeParameters, message: string]>([
		['an email', fixed, 'Email is the same text for all 6 rows. Drag in the column. To look'],
		[
			'a name and a company',
			{ ...fixed, email: '', fullName: 'Carla Castro', companyName: 'Acme' },
			'Full Name and Company Name are the same text for all 6 rows. Drag in the columns. To',
		],
		[
			'a phone number',
			{ ...fixed, email: '', moreDetails: { phoneNumber: '+1 212 555 0100' } },
			'Phone Number is the same text for all 6 rows.',
		],
	])(
		'are refused before anything is paid if they are fixed text: %s',
		async (_what, more, text) => {
			const service = await startService();

			for (const parameters of [match, enrich(), getEvents()]) {
				const run = await service.run({ ...parameters, ...more }, rowsOf(service));

				expect(run.failureText).toContain(text);
				expect(run.failureText).toMatch(/To look up one person, turn on Execute Once in .*\.$/);
			}
			const failed = await service.run({ ...match, ...more }, rowsOf(service), CONTINUE);
			expect(failed.error).toHaveLength(6);
			expect(service.log.entries).toEqual([]);
		},
	);

	test('are fine as fixed text for one row, or beside a column', async () => {
		const service = await startService();
		const rows = rowsOf(service);

		const one = await service.run({ ...match, ...fixed }, rows.slice(0, 1));
		const beside = await service.run({ ...match, companyName: 'Acme', fullName: '' }, rows);

		expect([one.failureText, beside.failureText]).toEqual(['', '']);
		expect(beside.main).toHaveLength(6);
	});

	test('get a warning if they come from expressions', async () => {
		const service = await startService();
		const email = "={{ $('CRM').first().json.mail }}";
		const rows = rowsOf(service).map((row) => ({ ...row, mail: `${row.crm}@acme.example` }));
		const warning = 'Email gave the same for all';

		const differing = await service.run({ ...match, ...fixed, email }, rows);
		const equal = await service.run(
			{ ...match, ...fixed, email },
			[1, 2, 3].map(() => ({ ...rows[0] })),
		);
		const two = await service.run({ ...match, ...fixed, email }, rows.slice(0, 2));

		expect(hintsOf(differing)[1]).toBe(
			`${warning} 6 rows, although the rows differ. Drag in the column from the input panel again.`,
		);
		expect(hintsOf(equal).join()).not.toContain(warning);
		expect(hintsOf(two).join()).not.toContain(warning);
	});

	test('an ID in Email leads to Identify By', async () => {
		const service = await startService();
		const rows = service.world.prospectIds(2).map((id) => ({ email: id }));

		const run = await service.run(enrich({ ...fixed, email: '={{ $json.email }}' }), rows);

		expect(hintsOf(run)[1]).toBe(
			`Email was ignored in 2 rows: a prospect ID, not an email address (set Identify By to Prospect ID), for example "${rows[0]?.email}".`,
		);
		expect(service.log.entries).toEqual([]);
	});
});

describe('whether the person found is the one who was meant', () => {
	const rowsOf = ({ world }: Service) => {
		const { fullName, network: url } = world.person(1);
		const [first = '', last = ''] = fullName.split(' ');
		const names = [`${last.toUpperCase()}, ${first}`, `${first[0]}. ${last}`, 'Xu Qiwei', ''];
		return numbered([...names.map((name) => ({ url, name })), { email: NOBODY, name: fullName }]);
	};
	const CHECKS = ['agrees', 'unknown', 'differs', 'unknown', null];

	test.each([true, false])('the names are compared, Simplify %s', async (simplify) => {
		const service = await startService();

		const run = await service.run(
			enrich({ dataSets: ['emails', 'phoneNumbers', 'profile'], simplify }),
			rowsOf(service),
		);

		expect(jsonOf(run.main).map(({ match_check: check }) => check)).toEqual(CHECKS);
		expect(hintsOf(run)[0]).toContain(
			'1 row may be about another person (match_check is "differs").',
		);
	});

	test.each<[string, INodeParameters]>([
		['without Profile', { dataSets: ['emails', 'phoneNumbers'] }],
		['by prospect ID', { identifyBy: 'prospectId', prospectIds: '={{ $json.id }}' }],
		['in Get Events', { operation: 'getEvents' }],
	])('no row is compared %s', async (_case, parameters) => {
		const service = await startService({ eventsPerDay: 500 });
		const rows = rowsOf(service).map((row) => ({ ...row, id: service.world.prospectId(1) }));

		const run = await service.run(enrich(parameters), rows);

		expect(run.main.length).toBeGreaterThan(0);
		for (const { json } of run.main) expect(json).not.toHaveProperty('match_check');
	});

	test('a profile without data cannot be compared', async () => {
		const service = await startService();
		service.fault({ when: { to: 'profileBulk' }, do: { kind: 'rows', how: 'withoutData' } });

		const run = await service.run(enrich(), rowsOf(service).slice(0, 1));

		expect(jsonOf(run.main)).toMatchObject([{ matched: true, match_check: 'unknown' }]);
	});
});
