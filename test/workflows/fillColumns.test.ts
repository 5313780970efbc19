/** Fill Columns: columns of the user's own get what is found, and lose nothing. */
import fc from 'fast-check';
import type { IDataObject, ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { bySize } from '../size';
import { CONTINUE, failureOf, hintsOf, jsonOf, startService, withInputFields } from './service';

type Fill = [yourColumn: string, value: string, ifFilled?: 'keepMine' | 'replaceIfFound'];

const filling = (fills: Fill[], more: INodeParameters = {}): INodeParameters => ({
	fillColumns: {
		values: fills.map(([yourColumn, value, ifFilled]) => ({
			...{ yourColumn, value, ...(ifFilled && { ifFilled }) },
		})),
	},
	...more,
});

const ENRICH: INodeParameters = {
	resource: 'prospect',
	operation: 'enrich',
	identifyBy: 'personDetails',
	fullName: '={{ $json.name }}',
	companyName: '={{ $json.company }}',
	moreDetails: { network: '={{ $json.url }}' },
	dataSets: ['profile', 'emails', 'phoneNumbers', 'networkPosts'],
};

const enrich = (options: INodeParameters) => withInputFields({ ...ENRICH, options });

const EMAIL: Fill = ['email', 'contacts_email'];
const POSTS: Fill = ['posts', 'posts_count'];

describe('a cell', () => {
	const FOUND = expect.stringContaining('@') as string;

	test.each<[what: string, cells: IDataObject, fills: Fill[], shows: IDataObject]>([
		['that is empty', { email: '' }, [EMAIL], { email: FOUND }],
		['that is null', { email: null }, [EMAIL], { email: FOUND }],
		['that is blank', { email: ' \u200b' }, [EMAIL], { email: FOUND }],
		['that says nothing', { email: 'n/a' }, [EMAIL], { email: FOUND }],
		['of a failed formula', { email: '#N/A' }, [EMAIL], { email: FOUND }],
		['that is an empty list', { email: [] }, [EMAIL], { email: FOUND }],
		['that a CRM calls false', { email: false }, [EMAIL], { email: FOUND }],
		['that the row lacks', {}, [EMAIL], { email: FOUND }],
		['that is filled', { email: 'my@own.example' }, [EMAIL], { email: 'my@own.example' }],
		['that is filled with a list', { email: ['a'] }, [EMAIL], { email: ['a'] }],
		[
			'that is filled, and may be replaced',
			{ email: 'my@own.example' },
			[['email', 'contacts_email', 'replaceIfFound']],
			{ email: FOUND },
		],
		['that is 0, where a number was found', { posts: 0 }, [POSTS], { posts: 0 }],
		['that is 0 as text', { posts: '0' }, [POSTS], { posts: 4 }],
		['of a header with spaces', { ' email ': '' }, [EMAIL], { ' email ': FOUND }],
		[
			'for which two values are named',
			{ email: '' },
			[
				['email', 'contacts_emails'],
				['email', 'profile_city'],
			],
			{ email: FOUND },
		],
		[
			'for which nothing was found',
			{ school: 'n/a' },
			[['school', 'profile_interests', 'replaceIfFound']],
			{ school: 'n/a' },
		],
	])('%s', async (_what, cells, fills, shows) => {
		const service = await startService({ people: 40 });
		const person = 1;
		service.change(
			(answer) => ({
				...answer,
				data: (answer.data as IDataObject[]).map((row) => ({ ...row, data: { interests: ['-'] } })),
			}),
			{ when: { to: 'profileBulk' } },
		);
		service.change(
			(answer) => ({
				...answer,
				data: [1, 2, 3, 4].map((n) => ({
					prospect_id: service.world.prospectId(person),
					data: { post_text: `${n}` },
				})),
			}),
			{ when: { to: 'postsBulk' } },
		);
		const row = { url: service.world.person(person).network, ...cells };

		const run = await service.run(enrich(filling(fills)), [row]);

		expect(run.failureText).toBe('');
		expect(run.main[0]?.json).toMatchObject({ ...row, ...shows });
		expect(Object.keys(run.main[0]?.json ?? {})).toEqual(
			expect.arrayContaining(['contacts_email', 'prospect_id', ...Object.keys(shows)]),
		);
	});
});

test('a row without a match, without details, that failed, or about another person is not filled', async () => {
	const service = await startService({ people: 40 });
	const { world } = service;
	service.refuseIds(world.prospectId(3));
	const own = { mine: 'x', empty: '' };
	const rows = [
		{ url: world.person(1).network, name: 'Zoe Zimmer', company: 'Acme' },
		{ url: 'https://network.example/in/nobody' },
		{ name: 'Ada' },
		{ url: world.person(3).network },
		{ url: world.person(2).network },
	].map((row) => ({ ...row, ...own }));
	const fills = ['mine', 'empty', 'new'].map(
		(name): Fill => [...[name, 'prospect_id', 'replaceIfFound']] as Fill,
	);

	const run = await service.run(enrich(filling(fills)), rows, CONTINUE);

	const [differs, unmatched, blank, found] = jsonOf(run.main);
	expect(differs).toMatchObject({ match_check: 'differs', ...own });
	for (const json of [differs, unmatched, blank]) {
		expect(json).toMatchObject(own);
		expect(json).not.toHaveProperty('new');
	}
	const id = world.prospectId(2);
	expect(found).toMatchObject({ mine: id, empty: id, new: id });
	expect(run.error).toHaveLength(1);
});

test('Fields can leave out the columns of the node; without the input row, the filled ones stay', async () => {
	const service = await startService({ people: 40 });
	const row = { id: 7, url: service.world.person(1).network, email: 'my@own.example', phone: '' };
	const fills: Fill[] = [EMAIL, ['phone', 'contacts_phone_number']];
	const fields = { fields: 'id, email, phone' };

	const named = await service.run(enrich(filling(fills, fields)), [row]);
	const bare = await service.run(
		enrich(filling(fills, { includeInputFields: false, fields: 'phone, prospect_id, email' })),
		[row],
	);
	const all = await service.run(enrich(filling(fills, { includeInputFields: false })), [row]);

	const phone = expect.stringMatching(/^\+\d+$/) as unknown;
	expect(jsonOf(named.main).map(Object.entries)).toEqual([
		[
			['id', 7],
			['email', 'my@own.example'],
			['phone', phone],
		],
	]);
	expect(jsonOf(bare.main)).toEqual([
		{ phone, prospect_id: service.world.prospectId(1), email: 'my@own.example' },
	]);
	expect(all.main[0]?.json).toMatchObject({ phone, email: 'my@own.example', matched: true });
	expect(all.main[0]?.json).not.toHaveProperty('url');
});

test('each event fills its own row', async () => {
	const service = await startService({ eventsPerDay: 0 });
	const { world } = service;
	for (const event_name of ['prospect_changed_role', 'prospect_job_start_anniversary'] as const) {
		world.addEvent({ prospect: 1, event_name });
	}
	const parameters = {
		...{ resource: 'prospect', operation: 'getEvents', prospectIds: '={{ $json.id }}' },
		options: filling([['what', 'event_name']]),
	};

	const run = await service.run(parameters, [{ id: world.prospectId(1), what: '' }]);

	const rows = jsonOf(run.main);
	expect(rows).toHaveLength(2);
	for (const row of rows) expect(row.what).toBe(row.event_name);
});

test.each<[what: string, fill: Fill, message: string]>([
	['no column', ['', 'contacts_email'], 'enter a name in Your Column, such as email'],
	['no value', ['email', ''], '"email" has no Value. Choose one from the list.'],
	[
		'a value that there is not',
		['email', 'contact_email'],
		'"contact_email" is not a column of these rows (did you mean "contacts_email"?). In Value, choose one of: matched, match_check, profile_full_name, ',
	],
	[
		'a value of a data set that is not chosen',
		['round', 'funding_last_round_type'],
		'"funding_last_round_type" is not a column of these rows',
	],
	['a column of the node', ['contacts_email', 'contacts_email'], '"contacts_email" is written by'],
	[
		'a column of another node',
		['intent_top_topic', 'contacts_email'],
		'"intent_top_topic" is written by',
	],
])('%s is refused before anything is paid', async (_what, fill, message) => {
	const service = await startService({ people: 40 });
	const rows = [{ url: service.world.person(1).network, email: '' }];

	const run = await service.run(enrich(filling([fill])), rows, CONTINUE);

	expect(run.error.map(failureOf)).toEqual([
		{ message: expect.stringContaining(`Fill Columns: ${message}`), field: 'fillColumns' },
	]);
	expect(service.log.entries).toEqual([]);
});

test('a column that no row has is added, with a warning that names the nearest', async () => {
	const service = await startService({ people: 40 });
	const rows = [1, 2].map((person) => ({
		url: service.world.person(person).network,
		'E-Mail': 'x',
	}));

	const parameters = {
		...enrich(filling([['mail', 'prospect_id']])),
		fullName: '',
		companyName: '',
	};

	const run = await service.run(parameters, rows);

	expect(run.main[0]?.json).toMatchObject({ mail: service.world.prospectId(1), 'E-Mail': 'x' });
	expect(hintsOf(run)).toContain(
		'No row has "mail" (did you mean "E-Mail"?). Check Fields, Fill Columns and the data sets.',
	);
});

test('an agent’s tool has no columns to fill', async () => {
	const service = await startService({ people: 40 });
	const email = service.world.person(1).network;

	const [row] = await service.callTool(
		{ ...ENRICH, moreDetails: { network: email }, options: filling([EMAIL]) },
		{},
	);

	expect(row).toHaveProperty('contacts_email');
	expect(row).not.toHaveProperty('email');
});

describe('the list of Value', () => {
	const { getColumns } = new BusinessProspectData().methods.loadOptions;
	const listed = async (parameters: INodeParameters) => {
		const context = { getCurrentNodeParameters: () => parameters };
		const options = await getColumns.call(context as unknown as ILoadOptionsFunctions);
		return options.map(({ value }) => value);
	};

	test('has the columns of the chosen data sets, those of the rows first', async () => {
		const columns = await listed({ ...ENRICH, dataSets: ['emails', 'phoneNumbers'] });

		expect(columns.slice(0, 8)).toEqual([
			...['matched', 'contacts_email', 'contacts_email_status', 'contacts_email_type'],
			...['contacts_personal_email', 'contacts_mobile_phone', 'contacts_phone_number'],
			'prospect_id',
		]);
		expect(columns).toContain('contacts_emails');
		expect(columns.join()).not.toMatch(/profile|response/);
	});

	test.each<[what: string, more: INodeParameters]>([
		['that are not chosen yet', { dataSets: [] }],
		['from an expression', { dataSets: '={{ $json.sets }}' }],
	])('has the columns of all data sets %s', async (_what, more) => {
		const columns = await listed({ ...ENRICH, ...more });

		expect(columns).toEqual(
			expect.arrayContaining(['profile_skills', 'contacts_email', 'posts_text']),
		);
	});

	test.each([
		['prospect', 'match', 'prospect_id'],
		['prospect', 'getEvents', 'event_current_job_title'],
		['business', 'find', 'found_website'],
		['business', 'enrich', 'funding_last_round_type'],
		['business', 'getEvents', 'event_link'],
	])('%s: %s', async (resource, operation, column) => {
		const columns = await listed({ resource, operation });

		expect(columns).toContain(column);
		expect(columns.join()).not.toMatch(/candidate|response_context/);
	});
});

describe('whatever the rows hold', () => {
	/** As the tables of Google Sheets, n8n and a CRM return cells: those without a value, and those with one. */
	const TABLES: Record<string, { empty: fc.Arbitrary<unknown>; filled: fc.Arbitrary<unknown> }> = {
		Sheets: {
			empty: fc.constantFrom('', ' ', '-', 'n/a', '#N/A', 'NULL', '(blank)'),
			filled: fc.constantFrom('my@own.example', 'Unknown Worker', '=x', 12, true, 'no', '{"a":1}'),
		},
		'Data Table': {
			empty: fc.constantFrom(null, ''),
			filled: fc.constantFrom('my@own.example', 5, 0.5, -1, true, '2026-01-31T00:00:00.000Z'),
		},
		JSON: {
			empty: fc.constantFrom(undefined, null, '', [], {}, [null], [''], { value: null }, false),
			filled: fc.constantFrom('my@own.example', ['a'], { value: 'a' }, [{ a: 0 }], 7),
		},
	};
	const VALUES = ['contacts_email', 'contacts_phone_number', 'profile_city', 'prospect_id'];

	const cellOf = ({ empty, filled }: (typeof TABLES)[string]) =>
		fc.oneof(
			empty.map((cell) => ({ cell, isEmpty: true })),
			filled.map((cell) => ({ cell, isEmpty: false })),
		);
	const rowOf = (table: (typeof TABLES)[string]) =>
		fc.record({
			person: fc.nat(39),
			who: fc.constantFrom('url', 'url', 'url', 'stranger', 'nobody', 'nothing'),
			cells: fc.tuple(cellOf(table), cellOf(table), cellOf(table), cellOf(table)),
		});

	test.each(Object.entries(TABLES))(
		'%s: a value is replaced only if that is wanted, none is emptied, and exactly what was found is filled in',
		async (_name, table) => {
			const service = await startService({ people: 40 });
			const { world } = service;
			const ways = fc.constantFrom('keepMine' as const, 'replaceIfFound' as const);
			await fc.assert(
				fc.asyncProperty(
					fc.array(rowOf(table), { minLength: 3, maxLength: 30 }),
					fc.tuple(ways, ways, ways, ways),
					async (rows, chosen) => {
						const items = rows.map(({ person, who, cells }) => ({
							...(who === 'url' && { url: world.person(person).network }),
							...(who === 'stranger' && {
								...{ url: world.person(person).network, name: 'Zoe Zimmer', company: 'Acme' },
							}),
							...(who === 'nobody' && { url: 'https://network.example/in/nobody' }),
							...Object.fromEntries(
								cells.flatMap(({ cell }, at) => (cell === undefined ? [] : [[`my ${at}`, cell]])),
							),
						}));
						const fills = VALUES.map((value, at): Fill => [`my ${at}`, value, chosen[at]]);

						const run = await service.run(enrich(filling(fills)), items as IDataObject[]);

						expect(run.main).toHaveLength(rows.length);
						for (const [at, { json }] of run.main.entries()) {
							const { who = '' } = rows[at] ?? {};
							const isFilled = ['url', 'stranger'].includes(who) && json.match_check !== 'differs';
							for (const [column, { cell, isEmpty }] of (rows[at]?.cells ?? []).entries()) {
								const found = isFilled ? (json[VALUES[column] ?? ''] ?? null) : null;
								const isReplaced = isEmpty || chosen[column] === 'replaceIfFound';
								expect(json[`my ${column}`]).toEqual(found !== null && isReplaced ? found : cell);
							}
						}
					},
				),
				{ numRuns: bySize(8, 60) },
			);
		},
	);
});
