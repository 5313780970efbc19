/** What the options make of a row: which of its fields come out, what becomes of the input row, and what is left out. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { stopClock } from './clock';
import {
	CONTINUE,
	expectOwnObjects,
	failureOf,
	hintsOf,
	jsonOf,
	type Service,
	startService,
} from './service';
import { flat } from './simplified';

let now: Date;
beforeEach(() => {
	now = stopClock('2026-11-18T12:00:00Z');
});
const start = async () =>
	await startService({ now: () => now, people: 40, companies: 20, eventsPerDay: 20 });

const enrichPeople = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.id }}',
	...more,
});
const enrichCompanies = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'business',
	operation: 'enrich',
	businessIds: '={{ $json.company }}',
	...more,
});

/** Rows about the same person and company. */
const sameRows = ({ world }: Service, count: number): IDataObject[] =>
	Array.from({ length: count }, (_, row) => ({
		row,
		id: world.prospectId(1),
		company: world.businessId(1),
		name: world.company(world.person(1).company).name,
		url: world.person(1).network,
		enrollment: world.enrollmentId(1),
	}));

interface Use {
	readonly name: string;
	readonly parameters: INodeParameters;
	/** The fields that identify a row. */
	readonly ids?: readonly string[];
}

/** Each operation, for the rows above. */
const MATCH: Use = {
	name: 'Match',
	parameters: { resource: 'prospect', operation: 'match', network: '={{ $json.url }}' },
	ids: ['prospect_id'],
};
const SEARCH: Use = {
	name: 'Get Many',
	parameters: { resource: 'prospect', operation: 'getAll', limit: 3 },
	ids: ['prospect_id'],
};
const PEOPLE: Use = {
	name: 'Prospect: Enrich',
	parameters: enrichPeople({ dataSets: ['profile', 'networkPosts'] }),
	ids: ['prospect_id'],
};
const EVENTS: Use = {
	name: 'Prospect: Get Events',
	parameters: { resource: 'prospect', operation: 'getEvents', prospectIds: '={{ $json.id }}' },
	ids: ['prospect_id', 'event_id'],
};
const USES: readonly Use[] = [
	...[MATCH, SEARCH, PEOPLE, EVENTS],
	{
		name: 'Business: Enrich',
		parameters: enrichCompanies({ dataSets: ['fundingAndAcquisition', 'intent'] }),
		ids: ['business_id'],
	},
	{
		name: 'Business: Get Events',
		parameters: {
			resource: 'business',
			operation: 'getEvents',
			businessIds: '={{ $json.company }}',
		},
		ids: ['business_id', 'event_id'],
	},
	{
		name: 'Find',
		parameters: { resource: 'business', operation: 'find', companyName: '={{ $json.name }}' },
		ids: ['business_id'],
	},
	{
		name: 'Get Statistics',
		parameters: { resource: 'business', operation: 'getStatistics' },
	},
	{
		name: 'Get Statistics, rows',
		parameters: { resource: 'business', operation: 'getStatistics', output: 'rows' },
	},
	{
		name: 'Event Enrollment: Delete',
		parameters: {
			resource: 'eventEnrollment',
			operation: 'delete',
			enrollmentId: '={{ $json.enrollment }}',
		},
		ids: ['enrollment_id'],
	},
	{
		name: 'Credit Usage: Get',
		parameters: {
			resource: 'creditUsage',
			operation: 'get',
			fromDate: '2026-11-01',
			toDate: '2026-11-03',
		},
	},
	{
		name: 'Filter Value: Search',
		parameters: {
			resource: 'filterValue',
			operation: 'search',
			field: 'country',
			query: 'united',
		},
	},
];

describe('Fields', () => {
	const REFUSED =
		'is not a field of these rows. They have: profile, prospect_id. Use a dot to reach into one of them.';

	test.each<[string, INodeParameters, string]>([
		[
			'a name of Get Many',
			{ options: { fields: 'prospect_id, full_name' } },
			`Fields: "full_name" ${REFUSED}`,
		],
		[
			'a data set that is not chosen',
			{ options: { fields: 'contacts.emails' } },
			`Fields: "contacts.emails" ${REFUSED}`,
		],
		['another spelling', { options: { fields: 'Profile' } }, `Fields: "Profile" ${REFUSED}`],
		[
			'a simplified field that there is not',
			{ options: { fields: 'profile_title' } },
			expect.stringMatching(
				/^Fields: "profile_title" is not a field of Profile\. It has: profile_.*use a dot: profile\.title$/,
			) as string,
		],
	])('Enrich refuses %s before anything is paid', async (_what, more, message) => {
		const service = await start();

		const run = await service.run(enrichPeople(more), sameRows(service, 2), CONTINUE);
		const stopped = await service.run(enrichPeople(more), sameRows(service, 2));

		expect(run.error.map(failureOf)).toEqual([0, 1].map(() => ({ message, field: 'fields' })));
		expect(stopped.failure?.message).toMatch(/^Fields: "/);
		expect(service.log.entries).toEqual([]);
	});

	test('with Include Input Fields, a column of the input row stays, and may be named', async () => {
		const service = await start();
		const fields = { options: { fields: 'name, profile_job_title' } };
		const rows = sameRows(service, 1).map((row) => ({ ...row, name: 'Ada' }));

		const kept = await service.run(enrichPeople({ ...fields, includeInputFields: true }), rows);
		const without = await service.run(enrichPeople(fields), rows, CONTINUE);

		expect(jsonOf(kept.main)).toEqual([
			expect.objectContaining({ name: 'Ada', profile_job_title: expect.any(String) }),
		]);
		expect(hintsOf(kept)).toEqual(['1 row enriched. 1 request, 1 record.']);
		expect(without.error.map(failureOf)).toEqual([
			{ message: expect.stringMatching(/^Fields: "name" is not a field/), field: 'fields' },
		]);
	});

	test('each row is checked against its own data sets', async () => {
		const service = await start();
		const [row] = sameRows(service, 1);
		const rows = [
			{ ...row, row: 0, sets: 'strategy' },
			{ ...row, row: 1, sets: 'intent' },
		];

		const run = await service.run(
			enrichCompanies({ dataSets: '={{ $json.sets }}', options: { fields: 'intent.topic_count' } }),
			rows,
			CONTINUE,
		);

		expect(run.linked).toEqual([1]);
		expect(run.linkedErrors).toEqual([0]);
		expect(run.error.map(failureOf)).toEqual([
			{
				message: expect.stringContaining('They have: strategy, business_id.'),
				field: 'fields',
			},
		]);
	});

	test.each(USES.filter(({ ids }) => ids !== undefined))(
		'$name: the IDs of a row stay, whatever is named',
		async ({ parameters, ids = [] }) => {
			const service = await start();
			const { resource, operation } = parameters;
			const field =
				operation === 'enrich' ? (resource === 'business' ? 'intent' : 'profile') : 'salary';
			const rows = sameRows(service, 1);

			const whole = await service.run(parameters, rows);
			const run = await service.run({ ...parameters, options: { fields: field } }, rows);

			expect(run.main.length).toBeGreaterThan(0);
			const isNamed = (name: string) => ids.includes(name) || name.startsWith(field);
			const others = field === 'salary' ? { salary: null } : {};
			expect(jsonOf(run.main)).toEqual(
				jsonOf(whole.main).map((row) => ({
					...others,
					...Object.fromEntries(Object.entries(row).filter(([name]) => isNamed(name))),
				})),
			);
			for (const row of jsonOf(run.main))
				expect(Object.keys(row)).toEqual(expect.arrayContaining(ids));
		},
	);

	const search = (fields: string) => ({ ...SEARCH.parameters, options: { fields } });
	const enrich = (fields: string, more: INodeParameters = {}) =>
		enrichPeople({ options: { fields }, ...more });

	test.each<[string, INodeParameters, string | undefined]>([
		['one name', search('full_name, fullname'), '"fullname"'],
		[
			'two of them',
			search('fullname, experience.company.nam, city'),
			'"fullname", "experience.company.nam"',
		],
		['names that there are', search('full_name, experience.company.name'), undefined],
		['inside of what has no data', search('city.name, interests.name'), undefined],
		['one in a data set', enrich('profile.full_name, profile.emails'), '"profile_emails"'],
		['no row at all', enrich('profile.full_name', { prospectIds: '={{ "" }}' }), undefined],
	])('a warning names what no row has: %s', async (_what, parameters, names) => {
		const service = await start();

		const { hints } = await service.run(parameters, sameRows(service, 1));

		const message = `Fields: no row has ${names}. Check the spelling. To see all names, run a single row with Fields empty and Simplify off.`;
		const warning = { message, type: 'warning', location: 'outputPane' };
		expect(hints.filter(({ message: hint }) => hint.startsWith('Fields'))).toEqual(
			names === undefined ? [] : [warning],
		);
	});
});

describe('Include Input Fields', () => {
	/** Some operations have it in Options. */
	const including = { includeInputFields: true, options: { includeInputFields: true } };

	test('a lookup that found nothing does not wipe the ID that a row has', async () => {
		const service = await start();
		const rows = [{ prospect_id: 'kept', matched: true, email: 'nobody@nowhere.example' }];

		const run = await service.run(
			{ resource: 'prospect', operation: 'match', email: '={{ $json.email }}', ...including },
			rows,
		);

		expect(jsonOf(run.main)).toEqual([{ ...rows[0], matched: false }]);
	});

	test.each<[string, unknown]>([
		['null', null],
		['an empty text', ''],
		['a blank text', ' '],
		['an empty list', []],
		['an empty object', {}],
		['an object of nothing else', { level_of_intent: null, topics: [] }],
	])('%s does not replace a value of the input row', async (_what, data) => {
		const service = await start();
		const id = service.world.businessId(1);
		service.change((answer) => ({ ...answer, data: [{ business_id: id, data }] }), {
			times: 'always',
		});
		const rows = [
			{ company: id, intent_level_of_intent: 'Active Research' },
			{ company: id, intent_level_of_intent: '' },
			{ company: id },
		];

		const run = await service.run(enrichCompanies({ dataSets: ['intent'], ...including }), rows);

		const result = { ...flat('intent', data), business_id: id };
		expect(jsonOf(run.main)).toEqual([
			{ ...result, ...rows[0] },
			{ ...rows[1], ...result },
			{ ...rows[2], ...result },
		]);
	});

	test.each([
		['the same person, a new email', 1, { contacts_email: 'new@acme.example' }, true],
		['another person, without contacts', 2, { contacts_email: null }, false],
	])("an earlier run's contacts: %s", async (_what, person, found, keepsPhone) => {
		const service = await start();
		const id = service.world.prospectId(person);
		const data = { emails: found.contacts_email && [{ address: found.contacts_email }] };
		service.change((answer) => ({ ...answer, data: [{ prospect_id: id, data }] }));
		const phone = '+15550100';
		const rows = [
			{
				contacts_email: 'old@acme.example',
				contacts_email_status: 'valid',
				contacts_phone_number: phone,
				prospect_id: service.world.prospectId(1),
				id,
			},
		];

		const run = await service.run(enrichPeople({ dataSets: ['contacts'], ...including }), rows);

		expect(jsonOf(run.main)).toEqual([
			{
				...found,
				contacts_email_status: null,
				contacts_personal_email: null,
				contacts_mobile_phone: null,
				contacts_phone_number: keepsPhone ? phone : null,
				prospect_id: id,
				id,
			},
		]);
	});

	test('Fields does not bring back an earlier match', async () => {
		const service = await start();
		const known = { matched: true, prospect_id: service.world.prospectId(1) };
		const { network } = service.world.person(2);
		const rows = [
			{ ...known, url: 'https://nobody.example/in/x' },
			{ ...known, url: network },
		];
		const options = { fields: 'prospect_id' };

		const run = await service.run({ ...MATCH.parameters, ...including, options }, rows);

		expect(jsonOf(run.main)).toEqual([
			{ ...rows[0], matched: false },
			{ ...rows[1], matched: true, prospect_id: service.world.prospectId(2) },
		]);
	});

	test('what is known of another person does not outlive the match of this one', async () => {
		const service = await start();
		const { network } = service.world.person(2);
		const known = {
			contacts_email: 'a@acme.example',
			profile_city: 'Austin',
			match_check: 'agrees',
		};
		const rows = [{ ...known, prospect_id: service.world.prospectId(1), url: network }];

		const run = await service.run({ ...MATCH.parameters, ...including }, rows);

		expect(jsonOf(run.main)).toEqual([
			{
				...{ contacts_email: null, profile_city: null, match_check: null },
				...{ matched: true, prospect_id: service.world.prospectId(2), url: network },
			},
		]);
	});

	test.each([
		['job_title', SEARCH],
		['event_name', EVENTS],
	] as const)('%s of the input row does not fill a gap of another record', async (name, use) => {
		const service = await start();
		const json = { prospect_id: service.world.prospectId(1), event_id: 'e1', [name]: null };
		const answers = { data: [json], total_results: 1, output_events: [json] };
		service.change((answer) => ({ ...answer, ...answers }), { times: 'always' });
		const rows = sameRows(service, 1).map((row) => ({ ...row, [name]: 'old', own: 1 }));

		const run = await service.run({ ...use.parameters, ...including }, rows);

		expect(jsonOf(run.main)).toEqual([expect.objectContaining({ [name]: null, own: 1 })]);
	});

	test('what Find found for another name does not stay', async () => {
		const service = await start();
		const old = { found_name: 'Old', found_website: 'old.example', candidate_ids: 'o1; o2' };
		const rows = [{ ...old, name: 'Nobody, Inc.' }];
		const find = { resource: 'business', operation: 'find', companyName: '={{ $json.name }}' };

		const run = await service.run({ ...find, ...including }, rows);

		const nothing = { found_name: null, found_website: null, candidate_ids: null };
		expect(jsonOf(run.main)).toEqual([
			{ ...nothing, found: false, business_id: null, name: 'Nobody, Inc.' },
		]);
	});

	test('false and 0 are values', async () => {
		const service = await start();
		const rows = [{ total_results: 99, company_size: 'none such' }];
		const filters = { company_name: [{ value: 'Nobody, Inc.' }] };

		const run = await service.run(
			{ resource: 'prospect', operation: 'getAll', countOnly: true, filters, ...including },
			rows,
		);

		expect(jsonOf(run.main)).toEqual([{ ...rows[0], total_results: 0 }]);
	});

	test.each([true, false])('files of the input row come along: %s', async (includeInputFields) => {
		const service = await start();
		const file = { data: 'SGVsbG8=', mimeType: 'text/plain', fileName: 'cv.txt' };
		const [json = {}] = sameRows(service, 1);
		const items: INodeExecutionData[] = [{ json, binary: { cv: file } }, { json }];

		const run = await service.run(enrichPeople({ includeInputFields }), items);

		const [given] = run.runData.CRM?.[0]?.data?.main?.[0] ?? [];
		expect(given?.binary).toEqual({ cv: file });
		expect(run.main.map(({ binary }) => binary)).toEqual([
			includeInputFields ? { cv: file } : undefined,
			undefined,
		]);
		if (includeInputFields) expect(run.main[0]?.binary).toBe(given?.binary);
	});
});

describe('rows share no objects', () => {
	test.each(USES)('$name: equal questions', async ({ parameters }) => {
		const service = await start();

		for (const simplify of [true, false]) {
			const run = await service.run(
				{
					...parameters,
					simplify,
					includeInputFields: true,
					options: { includeInputFields: true },
				},
				sameRows(service, 3).map((row) => ({ ...row, tags: ['a', { b: 1 }] })),
			);

			expect(run.failure).toBeUndefined();
			expect(run.main.length).toBeGreaterThan(2);
			expectOwnObjects(run.main);
		}
	});

	test('different questions in one request, with what the service says of its answer', async () => {
		const service = await start();
		const rows = [1, 2, 3].map((n) => ({
			id: service.world.prospectId(n),
			url: service.world.person(n).network,
		}));

		for (const { parameters } of [MATCH, SEARCH, PEOPLE, EVENTS]) {
			const run = await service.run({ ...parameters, simplify: false }, rows);

			expect(run.main.length).toBeGreaterThan(2);
			expectOwnObjects(run.main);
		}
	});

	test('error items of one request', async () => {
		const service = await start();
		service.change((answer) => ({ ...answer, data: [{ data: { a: [1] } }] }), {
			times: 'always',
		});
		const rows = [1, 2].map((n) => ({ id: service.world.prospectId(n) }));

		const run = await service.run(enrichPeople(), rows, CONTINUE);

		expect(run.error).toHaveLength(2);
		expect(JSON.stringify(run.error[0]?.json)).toContain('unassigned_rows');
		expectOwnObjects(run.error);
	});
});

describe('Drop Items Without Data', () => {
	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'an error item is none of them, even with nothing received: %s',
		async (onError) => {
			const service = await start();
			service.fault({
				when: { to: 'prospects/profiles/bulk_enrich' },
				times: 'always',
				do: { kind: 'status', status: 403 },
			});
			const unknown = { row: 0, id: service.world.unknownProspectId() };
			const rows = [unknown, { ...unknown, row: 1, id: service.world.prospectId(1) }];
			const dropping = { options: { dropItemsWithoutData: true } };

			const alone = await service.run(enrichPeople(dropping), rows, { onError });
			const both = await service.run(
				enrichPeople({ dataSets: ['profile', 'networkPosts'], ...dropping }),
				rows,
				{ onError },
			);
			const without = await service.run(
				enrichPeople({ dataSets: ['networkPosts'], ...dropping }),
				[unknown],
				{ onError },
			);

			const failed = onError === 'continueErrorOutput' ? 'linkedErrors' : 'linked';
			expect([alone[failed], both[failed]]).toEqual([
				[0, 1],
				[0, 1],
			]);
			expect([...without.main, ...without.error]).toEqual([]);
		},
	);
});

test.each<[string, INodeParameters, string]>([
	['Exclude Prospect IDs', { operation: 'getAll', exclude: '={{ $json.known }}' }, 'known'],
	['Limit', { operation: 'getAll', limit: '={{ $json["how many"] }}' }, 'how many'],
])('a warning names a field that no row has: %s', async (name, parameters, field) => {
	const service = await start();

	const { hints } = await service.run({ resource: 'prospect', ...parameters }, [{ id: 1 }]);

	const warnings = hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
	expect(warnings).toEqual([
		`No row has the field "${field}", which ${name} reads. Check its name. If no row has a value yet, ignore this.`,
	]);
});
