/** The node as a tool of an AI agent, which sees the output and nothing else: no hints, no output panel. */
import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { jsonOf, startService, type Service } from './service';

/** n8n makes a node type of its own for tools, with "Tool" behind the name. */
function asTool(): BusinessProspectData {
	const node = new BusinessProspectData();
	node.description = { ...node.description, name: `${node.description.name}Tool` };
	return node;
}

const use = async (service: Service, parameters: INodeParameters, onError?: OnError) =>
	await service.run(parameters, [{}], { node: asTool(), onError });

const enrich = (businessIds: string): INodeParameters => ({
	resource: 'business',
	operation: 'enrich',
	businessIds,
	dataSets: ['strategy', 'fundingAndAcquisition'],
});

test('what fails is told in a row, with what was received, unless the tool is set to stop', async () => {
	const service = await startService();
	const body = { message: 'No credits.' };
	service.fault({
		when: { to: 'strategy' },
		times: 'always',
		do: { kind: 'status', status: 402, body },
	});
	const id = service.world.businessId(0);

	const told = await use(service, enrich(id));
	const stopped = await use(service, enrich(id), 'stopWorkflow');

	const message = expect.stringMatching(/^Strategy: The account has no credits left/) as string;
	const received = { business_id: id, funding: expect.any(Object) };
	expect(told.failureText).toBe('');
	expect(jsonOf(told.main)).toEqual([
		{ error: { message, status: 402, failed: ['strategy'], received } },
	]);
	expect([stopped.failure?.message, stopped.main]).toEqual([message, []]);
});

test('an operation that does not exist is told in a row, too', async () => {
	const service = await startService();

	const { main } = await use(service, { resource: 'prospect', operation: 'getEvent' });

	const message = expect.stringMatching(/Choose Resource and Operation again/) as string;
	expect(jsonOf(main)).toEqual([{ error: { message } }]);
});

test('an agent gets at most 100 people a call, unless the tool says otherwise, and no endless texts', async () => {
	const service = await startService({ people: 300 });
	const search = { resource: 'prospect', operation: 'getAll', simplify: false, limit: 250 };
	service.fault({
		times: 'always',
		do: {
			kind: 'change',
			with: (answer) => {
				const [first] = (answer as { data: IDataObject[] }).data;
				if (first !== undefined) first.interests = ['x'.repeat(40_000)];
				return answer;
			},
		},
	});

	const rows = async (more: INodeParameters) =>
		jsonOf((await use(service, { ...search, ...more })).main).filter(({ message }) => !message);
	const [first, ...others] = await rows({});

	expect(others).toHaveLength(99);
	expect(first?.interests).toEqual([`${'x'.repeat(32_000)}…`]);
	expect(await rows({ maxRecordsToPay: '120' })).toHaveLength(120);
	expect((await service.run({ ...search, maxRecordsToPay: '' }, [{}])).main).toHaveLength(250);
});

describe('where there are no rows, one says so', () => {
	const company = (value: string) => [{ value: { __rl: true, mode: 'value', value } }];
	const nobody = { company_name: company('Nobody, Inc.') };

	test.each<[string, INodeParameters, RegExp]>([
		[
			'nobody matches',
			{ resource: 'prospect', operation: 'getAll', filters: nobody },
			/^Returned 0 rows in 1 request\. No one matches\. Filters accept only the service's exact values\.$/,
		],
		[
			'no value is found',
			{ resource: 'filterValue', operation: 'search', field: 'company_name', query: 'zzzz' },
			/^Found 0 values in 1 request\. Where nothing was found, try a shorter part of the value\.$/,
		],
		[
			'no ID',
			enrich('={{ "" }}'),
			/^1 row without an ID\. 0 requests\. 1 row without an ID wasn't requested\. Check that the ID field points to the input column that holds the IDs\.$/,
		],
		[
			'rows without data are left out',
			{ ...enrich('f'.repeat(32)), options: { dropRowsWithoutData: true } },
			/^1 row without data\. 2 requests, 2 records\. 1 row was left out\.$/,
		],
	])('%s', async (_what, parameters, message) => {
		const service = await startService();

		const asATool = await use(service, parameters);
		const asANode = await service.run(parameters);

		expect(jsonOf(asATool.main)).toEqual([{ message: expect.stringMatching(message) }]);
		expect(jsonOf(asANode.main)).not.toContainEqual({ message: expect.anything() });
	});
});

test('an empty filter is one that the model does not need', async () => {
	const service = await startService();
	const filters = {
		company_size: [{ value: '={{ $json.sizes }}' }],
		job_level: [{ value: '={{ "director" }}' }],
		has_email: [{ value: '={{ null }}' }],
		total_experience_months: [{ gte: '={{ null }}' }],
	};

	const search = await use(service, { resource: 'prospect', operation: 'getAll', filters });
	const count = await use(service, {
		resource: 'business',
		operation: 'getStatistics',
		filters: {
			company_size: [{ value: '={{ $json.sizes }}' }],
			region_country_code: [{ value: 'us-tx' }],
		},
		options: { additionalFilters: '={{ $json.more }}' },
	});

	expect([search.failure, count.failure]).toEqual([undefined, undefined]);
	expect(service.log.requestsTo().map(({ body }) => (body as IDataObject).filters)).toMatchObject([
		{ job_level: { values: ['director'] } },
		{ region_country_code: { values: ['us-tx'] } },
	]);
	expect([search.main.length, count.main.length].map((rows) => rows > 0)).toEqual([true, true]);
});

test('if all filters are empty, the model hears it instead of getting anybody', async () => {
	const service = await startService();
	const filters = {
		company_size: [{ value: '={{ $json.sizes }}' }],
		job_title: [{ value: '={{ $json.title }}' }],
	};

	const search = await use(service, { resource: 'prospect', operation: 'getAll', filters });

	expect(jsonOf(search.main)).toEqual([
		{
			error: {
				message:
					'All filters are empty, so everything would match. Fill in at least one: Company Size, Job Title.',
				field: 'company_size',
			},
		},
	]);
	expect(service.log.entries).toEqual([]);
});

test('without any filter, the model hears after the rows that everybody matches', async () => {
	const service = await startService();

	const search = await use(service, { resource: 'prospect', operation: 'getAll', limit: 2 });
	const count = await use(service, { resource: 'business', operation: 'getStatistics' });

	const said = (everything: string) => ({
		message: `No filter was set, so ${everything} matches.`,
	});
	expect(jsonOf(search.main)).toHaveLength(3);
	expect(jsonOf(search.main).at(-1)).toEqual(said('everyone'));
	expect(jsonOf(count.main).at(-1)).toEqual(said('every company'));
});

describe('what is not found reads so, instead of as nulls', () => {
	const NOBODY = 'nobody@nowhere.example';
	const byEmail = { identifyBy: 'personDetails', email: "={{ $fromAI('who', 'Whom') }}" };
	const byId = (name: string) => ({ [name]: "={{ $fromAI('who', 'Whom') }}" });
	const nobody = { message: `No match for ${NOBODY}.`, matched: false };
	const NO_DATA = ', or no data about it.';

	test.each<[operation: string, parameters: INodeParameters, who: string, rows: object[]]>([
		['prospect/match', byEmail, NOBODY, [{ ...nobody, input_email: NOBODY }]],
		['prospect/enrich', byEmail, NOBODY, [nobody]],
		['prospect/getEvents', byEmail, NOBODY, [nobody]],
		[
			'prospect/enrich',
			byId('prospectIds'),
			`${'e'.repeat(40)}, ${'f'.repeat(40)}`,
			['e', 'f'].map((letter) => ({
				message: `No match for ${letter.repeat(40)}${NO_DATA}`,
				prospect_id: letter.repeat(40),
			})),
		],
		[
			'business/find',
			byId('companyName'),
			'Zed, Inc.',
			[{ message: 'No match for Zed, Inc.', found: false, input_company_name: 'Zed, Inc.' }],
		],
		[
			'business/enrich',
			byId('businessIds'),
			'f'.repeat(32),
			[{ message: `No match for ${'f'.repeat(32)}${NO_DATA}`, business_id: 'f'.repeat(32) }],
		],
	])('%s by %j', async (name, parameters, who, rows) => {
		const service = await startService();
		const [resource = '', operation = ''] = name.split('/');
		const eventTypes = ['prospect_changed_role'];

		const told = await service.callTool(
			{ resource, operation, eventTypes, ...parameters },
			{ who },
		);

		expect(told).toEqual(rows);
	});
});

test.each<[string, INodeParameters, string]>([
	[
		'an ID of the other kind',
		{ operation: 'enrich', prospectIds: 'f'.repeat(32) },
		`Prospect IDs: "${'f'.repeat(32)}" is not a prospect ID. A prospect ID has 40 characters, 0 to 9 and a to f. It looks like a business ID.`,
	],
	[
		'a country',
		{ operation: 'getAll', filters: { country_code: [{ value: 'Nowhere' }] } },
		'Person Country: "Nowhere" is not a country. Enter its two-letter code such as us, or its English name.',
	],
])(
	'the model hears nothing of the editor and of other tools: %s',
	async (_what, parameters, message) => {
		const service = await startService();
		const given: INodeParameters = { resource: 'prospect', dataSets: ['profile'], ...parameters };

		const told = await use(service, given);
		const stopped = await use(service, given, 'stopWorkflow');

		expect(jsonOf(told.main)).toMatchObject([{ error: { message } }]);
		expect(stopped.failure?.message).toBe(message);
	},
);

test('called by an agent, it gives the model the rows, without the arguments of the call', async () => {
	const service = await startService();
	const id = service.world.businessId(0);
	const businessIds = "={{ $fromAI('ids', 'The IDs', 'string') }}";

	const [row, ...others] = await service.callTool(
		{ resource: 'business', operation: 'enrich', businessIds },
		{ ids: id },
	);

	expect(others).toEqual([]);
	expect(row).toMatchObject({ business_id: id, funding_is_ipo: expect.any(Boolean) });
	expect(row).not.toHaveProperty('ids');
});

test('a detail with an empty default is one that the model may leave out', async () => {
	const service = await startService();
	const { fullName, company } = service.world.person(0);
	const parameters = (more: string) => ({
		resource: 'prospect',
		operation: 'enrich',
		identifyBy: 'personDetails',
		email: `={{ $fromAI('email', 'The email address'${more}) }}`,
		fullName: "={{ $fromAI('name', 'The full name') }}",
		companyName: "={{ $fromAI('company', 'The company') }}",
	});
	const input = { name: fullName, company: service.world.company(company).name };

	expect(await service.callTool(parameters(", 'string', ''"), input)).toEqual([
		expect.objectContaining({ matched: true }),
	]);
	await expect(service.callTool(parameters(''), input)).rejects.toMatchObject({
		message: expect.stringContaining('email'),
	});
});
