/** The eight cases of section E, and the five rules of a row. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CONTINUE, hintsOf, jsonOf, type Service, startService } from './service';

const ENRICH: INodeParameters = {
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.id }}',
	dataSets: ['contacts'],
	includeInputFields: true,
};

/** What an earlier run wrote about person A. */
const OF_A = {
	contacts_email: 'a@example.com',
	contacts_email_status: 'valid',
	contacts_professional_email_status: 'valid',
	contacts_emails: '[{"address":"a@example.com"}]',
	profile_full_name: 'A',
	profile_skills: 'a; b',
	match_check: 'agrees',
};
const EMPTY = Object.fromEntries(Object.keys(OF_A).map((name) => [name, null]));

/** B has an email, but neither a status nor a list. */
const emailOnly = (service: Service) =>
	service.change(
		({ data, ...answer }) => ({
			...answer,
			data: (data as IDataObject[]).map((row) => ({
				...row,
				data: { professions_email: 'b@example.com', professional_email_status: null, emails: null },
			})),
		}),
		{ when: { to: 'contactsBulk' }, times: 'always' },
	);

const columnsOf = (rows: IDataObject[]) => [...new Set(rows.map((row) => Object.keys(row).join()))];

describe('1. by ID B, over a row of A', () => {
	const fields = 'contacts_email, contacts_professional_email_status, contacts_emails';

	test.each([
		['with Fields', { options: { fields } }],
		['without Fields', {}],
	])('%s', async (_, more) => {
		const service = await startService();
		emailOnly(service);
		const [a, b] = service.world.prospectIds(2);

		const run = await service.run({ ...ENRICH, ...more }, [{ id: b, prospect_id: a, ...OF_A }]);

		const [row] = jsonOf(run.main);
		expect(row).toMatchObject({
			contacts_email: 'b@example.com',
			contacts_professional_email_status: null,
			contacts_emails: null,
		});
		if ('options' in more) expect(Object.keys(row ?? {}).join(', ')).toBe(fields);
		else expect(row).toMatchObject({ prospect_id: b, profile_skills: null, match_check: null });
	});

	test('a later Match and Enrich of other data sets', async () => {
		const service = await startService();
		const [a, b] = service.world.prospectIds(2);
		const row = { id: b, prospect_id: a, url: service.world.person(1).network, ...OF_A };

		const match = await service.run(
			{
				resource: 'prospect',
				operation: 'match',
				moreDetails: { network: '={{ $json.url }}' },
				includeInputFields: true,
			},
			[row],
		);
		const posts = await service.run({ ...ENRICH, dataSets: ['networkPosts'] }, [row]);

		for (const { main } of [match, posts]) {
			expect(main[0]?.json).toMatchObject({ ...EMPTY, prospect_id: b });
		}
	});
});

describe('2. another person', () => {
	test('Find by Work Email', async () => {
		const service = await startService();
		const [a, b] = service.world.prospectIds(2);
		const { json } = (
			await service.run(
				{
					resource: 'business',
					operation: 'find',
					identifyBy: 'workEmail',
					workEmail: '={{ $json.mail }}',
					includeInputFields: true,
				},
				[
					{
						mail: `${service.world.person(1).mailbox}@${service.world.company(service.world.person(1).company).domain}`,
						prospect_id: a,
						...OF_A,
					},
				],
			)
		).main[0] ?? { json: {} };
		expect(json).toMatchObject({ found: true, prospect_id: b, ...EMPTY });
	});

	test('Get Events by Person Details', async () => {
		const service = await startService();
		const [a, b] = service.world.prospectIds(2);
		service.world.addEvent({ prospect: 1, event_name: 'prospect_changed_role' });
		const run = await service.run(
			{
				resource: 'prospect',
				operation: 'getEvents',
				identifyBy: 'personDetails',
				moreDetails: { network: '={{ $json.url }}' },
				includeInputFields: true,
			},
			[{ url: service.world.person(1).network, prospect_id: a, ...OF_A }],
		);
		expect(run.main.length).toBeGreaterThan(0);
		for (const { json } of run.main)
			expect(json).toMatchObject({ prospect_id: b, matched: true, ...EMPTY });
	});
});

test.each([
	[
		'companyName',
		({ world }: Service) => ({ companyName: world.company(world.person(1).company).name }),
	],
	[
		'workEmail',
		({ world }: Service) => ({
			workEmail: `${world.person(1).mailbox}@${world.company(world.person(1).company).domain}`,
		}),
	],
	['prospectId', ({ world }: Service) => ({ prospectId: world.prospectId(1) })],
])('3. Enrich by %s finds another company: nothing of the former', async (identifyBy, details) => {
	const service = await startService();
	const { world } = service;
	const company = world.person(1).company;
	const former = world.businessId(company + 1);
	const run = await service.run(
		{
			resource: 'business',
			operation: 'enrich',
			dataSets: ['fundingAndAcquisition'],
			identifyBy,
			...details(service),
			includeInputFields: true,
		},
		[
			{
				business_id: former,
				found_name: 'Former',
				found_website: 'former.example',
				intent_company_name: 'Former',
			},
		],
	);
	expect(run.main[0]?.json).toMatchObject({
		found: true,
		business_id: world.businessId(company),
		found_name: null,
		found_website: null,
		intent_company_name: null,
	});
});

test('4. nothing of last week’s event, and equal columns', async () => {
	const service = await startService({ eventsPerDay: 0 });
	const { world } = service;
	world.addEvent({ prospect: 1, event_name: 'prospect_job_start_anniversary', data: { years: 3 } });
	world.addEvent({ prospect: 2, event_name: 'prospect_changed_company' });
	const lastWeek = {
		event_name: 'prospect_changed_company',
		event_current_company_name: 'Old',
		event_id: 'x',
	};
	const run = await service.run(
		{
			resource: 'prospect',
			operation: 'getEvents',
			prospectIds: '={{ $json.prospect_id }}',
			includeInputFields: true,
		},
		[1, 2].map((person) => ({ prospect_id: world.prospectId(person), ...lastWeek })),
	);
	const rows = jsonOf(run.main);
	expect(rows[0]).toMatchObject({
		event_name: 'prospect_job_start_anniversary',
		event_current_company_name: null,
		event_details: expect.stringContaining('years: 3'),
	});
	expect(columnsOf(rows)).toHaveLength(1);
});

test('5. Fields with one profile column', async () => {
	const service = await startService();
	const id = service.world.prospectId(1);
	const run = await service.run(
		{ ...ENRICH, dataSets: ['profile'], options: { fields: 'crm_id, profile_company_name' } },
		[{ crm_id: 7, id, prospect_id: id, ...OF_A }],
	);
	expect(Object.keys(run.main[0]?.json ?? {})).toEqual(['crm_id', 'profile_company_name']);
});

test('6. no match: last week’s contacts stay, its match check doesn’t', async () => {
	const service = await startService();
	const row = {
		mail: 'nobody@nowhere.example',
		prospect_id: service.world.prospectId(1),
		matched: true,
		...OF_A,
	};
	const { prospectIds: _, ...enrich } = ENRICH;
	const run = await service.run(
		{ ...enrich, identifyBy: 'personDetails', email: '={{ $json.mail }}' },
		[row],
	);
	expect(run.main[0]?.json).toMatchObject({
		...OF_A,
		prospect_id: row.prospect_id,
		match_check: null,
		matched: false,
	});
});

test('7. a table with two columns takes the rows of two weeks', async () => {
	const service = await startService();
	const { prospectIds: _, ...enrich } = ENRICH;
	const parameters: INodeParameters = {
		...enrich,
		identifyBy: 'personDetails',
		moreDetails: { network: '={{ $json.url }}' },
		email: '={{ $json.mail }}',
		contactTypes: 'email',
		options: { fields: 'crm_id, contacts_email' },
	};
	const details = [
		{ crm_id: 1, url: service.world.person(1).network },
		{ crm_id: 2, mail: 'nobody@nowhere.example' },
		{ crm_id: 3, url: service.world.person(3).network },
		{ crm_id: 4 },
	];
	const table = new Map<unknown, IDataObject>();
	for (const week of [1, 2]) {
		service.fault({
			when: { to: 'contacts', asksFor: service.world.prospectId(3) },
			do: { kind: 'status', status: 422 },
		});
		const rows = details.map((row) => ({ ...table.get(row.crm_id), ...row }));
		const run = await service.run(parameters, rows, CONTINUE);
		expect({ week, failed: run.error.length }).toEqual({ week, failed: 1 });
		for (const { json } of run.main) {
			expect(Object.keys(json)).toEqual(['crm_id', 'contacts_email']);
			table.set(json.crm_id, json);
		}
		expect([...table.keys()]).toEqual([1, 2, 4]);
	}
});

test('8. three of twelve accounts have only a website', async () => {
	const service = await startService({ people: 60 });
	const { world } = service;
	const items = Array.from({ length: 12 }, (_, row) => {
		const { name, domain } = world.company(world.person(row).company);
		return row % 4 === 3 ? { site: domain } : { name, site: domain };
	});
	const run = await service.run(
		{
			resource: 'business',
			operation: 'find',
			companyName: '={{ $json.name }}',
			website: '={{ $json.site }}',
			includeInputFields: true,
		},
		items,
	);
	expect(run.failure).toBeUndefined();
	expect(run.main).toHaveLength(12);
	expect(jsonOf(run.main).filter(({ found }) => found)).toHaveLength(9);
	expect(columnsOf(jsonOf(run.main)).length).toBeLessThanOrEqual(2);
	expect(hintsOf(run).join('\n')).toContain(
		'3 rows are without a company name, but with a website',
	);
});

test('Fields: a column that neither has is refused before paying', async () => {
	const service = await startService();
	const run = await service.run({ ...ENRICH, options: { fields: 'contacts_mail' } }, [
		{ id: service.world.prospectId(1), crm: 1 },
	]);
	expect(run.failureText).toContain('"contacts_mail" is not a column of Contacts. It has: contacts_email');
	expect(service.log.entries).toHaveLength(0);
});
