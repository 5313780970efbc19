/** Remember In: what is paid for once comes from n8n's data table afterwards. */
import { type IDataObject, type INodeParameters, sleep } from 'n8n-workflow';
import { createClaims } from '../../nodes/BusinessProspectData/memory/memory';
import { createDataTables } from '../harness/dataTables';
import type { Fault } from '../sandbox/faults/kinds';
import { bySize, largeTest } from '../size';
import { hintsOf, jsonOf, type Service, startService } from './service';

const ENRICH: INodeParameters = {
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.id }}',
	dataSets: ['profile', 'emails', 'phoneNumbers'],
	rememberIn: 'Remembered data',
};

const BY_DETAILS: INodeParameters = {
	...ENRICH,
	identifyBy: 'personDetails',
	prospectIds: '',
	moreDetails: { network: '={{ $json.url }}' },
	email: '={{ $json.mail }}',
};

const idsOf = ({ world }: Service, count: number) =>
	world.prospectIds(count).map((id, row) => ({ id, row }));

const OPERATIONS: Array<[string, INodeParameters, (service: Service) => IDataObject[]]> = [
	['Prospect: Enrich by ID', ENRICH, (service) => idsOf(service, 60)],
	[
		'Prospect: Enrich by details',
		BY_DETAILS,
		({ world }) => [
			{ url: world.person(1).network },
			{ mail: 'nobody@nowhere.example' },
			{ url: world.person(2).network },
		],
	],
	[
		'Match',
		{
			resource: 'prospect',
			operation: 'match',
			moreDetails: { network: '={{ $json.url }}' },
			rememberIn: 'M',
		},
		({ world }) => [{ url: world.person(1).network }, { url: 'https://network.example/in/nobody' }],
	],
	[
		'Business: Enrich by name',
		{
			resource: 'business',
			operation: 'enrich',
			identifyBy: 'companyName',
			companyName: '={{ $json.name }}',
			dataSets: ['fundingAndAcquisition', 'websiteTraffic'],
			rememberIn: 'B',
		},
		({ world }) => [
			{ name: world.company(world.person(1).company).name },
			{ name: 'Nobody knows this company' },
		],
	],
	[
		'Find by work email',
		{
			resource: 'business',
			operation: 'find',
			identifyBy: 'workEmail',
			workEmail: '={{ $json.mail }}',
			rememberIn: 'F',
		},
		({ world }) => [
			{ mail: `${world.person(1).mailbox}@${world.company(world.person(1).company).domain}` },
		],
	],
];

/** The answer, with an error in each row. */
const withErrors = (answer: unknown) => {
	const { data, ...more } = answer as { data: object[] };
	return { ...more, data: data.map((row) => ({ ...row, error: 'Try again' })) };
};

test.each(OPERATIONS)(
	'%s: the second run has the same rows and sends nothing',
	async (_, parameters, rowsOf) => {
		const service = await startService();
		const dataTables = createDataTables();
		const rows = rowsOf(service);
		const first = await service.run(parameters, rows, { dataTables });
		const requests = service.log.entries.length;

		const second = await service.run(parameters, rows, { dataTables });

		expect(first.failureText).toBe('');
		expect(jsonOf(second.main)).toEqual(jsonOf(first.main));
		expect(requests).toBeGreaterThan(0);
		expect(service.log.entries).toHaveLength(requests);
		expect(hintsOf(second)[0]).toMatch(/\d+ remembered, 0 bought, 0 requests/);
	},
);

/** Columns of a table. */
const types = (columns: string) =>
	columns.split(', ').map((column) => {
		const [name = '', type = ''] = column.split(' ');
		return { name, type };
	});

const UP = [...Array(120).keys()];
const PROFILES = { ...ENRICH, dataSets: ['profile'] };
const DAY_MS = 86_400_000;

/** Requests since the last call. */
const counter = ({ log }: Service) => {
	let before = 0;
	return () => {
		const sent = log.entries.length - before;
		before = log.entries.length;
		return sent;
	};
};

test('only what is new or too old is bought, and the table has one row a key', async () => {
	const service = await startService();
	const dataTables = createDataTables();
	const rows = idsOf(service, 240);
	const sent = counter(service);

	await service.run(PROFILES, rows.slice(0, 200), { dataTables });
	expect(sent()).toBe(4);
	const second = await service.run(PROFILES, rows, { dataTables });
	expect(sent()).toBe(1);
	expect(hintsOf(second)[0]).toContain('200 remembered, 40 bought, 1 request.');
	expect(second.linked).toEqual(rows.map(({ row }) => row));
	const [table] = dataTables.tables;
	// By a clock that was wrong, some are from the future.
	for (const [at, row] of table?.rows.slice(0, 50).entries() ?? []) {
		row.received_at = new Date(Date.now() + (at < 40 ? -31 : 1) * DAY_MS).toISOString();
	}
	const third = await service.run(PROFILES, rows, { dataTables });
	expect(hintsOf(third)[0]).toContain('190 remembered, 50 bought, 1 request.');
	expect(new Set(table?.rows.map(({ key }) => key)).size).toBe(240);
	expect(table?.rows).toHaveLength(240);
});

largeTest(
	'a table of 12,500 rows is read with three calls, and what is added meanwhile with two more',
	async () => {
		const service = await startService();
		const dataTables = createDataTables();
		await service.run(PROFILES, idsOf(service, 1), { dataTables });
		const [table] = dataTables.tables;
		const others = Array.from({ length: 12_499 }, (_, index) => ({
			id: index + 2,
			key: `${index}`,
		}));
		table?.rows.push(...others);
		const rows = UP.map((index) => ({ url: service.world.person(index).network }));
		dataTables.calls.clear();

		await service.run({ ...BY_DETAILS, dataSets: ['profile'] }, rows, { dataTables });

		expect(dataTables.calls.get('row get')).toBe(1 + 2 + 2);
	},
);

test('limit and estimate count only what is not remembered', async () => {
	const service = await startService();
	const dataTables = createDataTables();
	const rows = idsOf(service, 10);
	await service.run(PROFILES, rows.slice(0, 6), { dataTables });

	const estimate = await service.run({ ...PROFILES, options: { estimateOnly: true } }, rows, {
		dataTables,
	});
	const limited = await service.run({ ...PROFILES, maxRecordsToPay: 3 }, rows, {
		dataTables,
		onError: 'continueErrorOutput',
	});

	expect(estimate.main[0]?.json).toMatchObject({ unique_records: 4, requests: 1 });
	expect(limited.main).toHaveLength(9);
	expect(limited.error).toHaveLength(1);
});

test.each<[string, Fault]>([
	['of the request', { kind: 'status', status: 400 }],
	['with a part of the data', { kind: 'change', with: withErrors }],
])('nothing and no match are remembered, a failure %s is not', async (_, fault) => {
	const service = await startService();
	const dataTables = createDataTables();
	const sent = counter(service);
	const rows = [{ id: service.world.prospectId(1) }, { id: 'f'.repeat(40) }];
	service.fault({ do: fault, times: 1 });

	const failed = await service.run(PROFILES, rows, { dataTables, onError: 'continueErrorOutput' });
	expect(failed.error).toHaveLength(2);
	await service.run(PROFILES, rows, { dataTables });
	expect(service.log.entries.map(({ ids }) => ids.length)).toEqual([2, 2]);
	sent();
	await service.run(PROFILES, rows, { dataTables });
	expect(sent()).toBe(0);
});

test('an ID that new details lead to is not bought again', async () => {
	const service = await startService();
	const dataTables = createDataTables();
	const { network } = service.world.person(1);
	const row = { url: network };
	const sent = counter(service);

	await service.run({ ...BY_DETAILS, dataSets: ['profile'] }, [row], { dataTables });
	expect(sent()).toBe(2);
	const named = { ...BY_DETAILS, dataSets: ['profile'], fullName: 'Zoe', companyName: 'Zimmer' };
	await service.run(named, [row], { dataTables });
	expect(sent()).toBe(1);
});

describe('a person whom Fill Columns filled', () => {
	const FILLS = {
		profile: { yourColumn: 'url', value: 'profile_network' },
		emails: { yourColumn: 'mail', value: 'contacts_email' },
		phoneNumbers: { yourColumn: 'phone', value: 'contacts_phone_number' },
	};
	const filled = (...dataSets: Array<keyof typeof FILLS>): INodeParameters => ({
		...BY_DETAILS,
		dataSets,
		fullName: '={{ $json.name }}',
		companyName: '={{ $json.company }}',
		moreDetails: { network: '={{ $json.url }}', phoneNumber: '={{ $json.phone }}' },
		options: {
			includeInputFields: true,
			fillColumns: { values: dataSets.map((name) => FILLS[name]) },
		},
	});
	const rowsOf = ({ world }: Service) =>
		[1, 2, 3, 4, 5].map((index) => {
			const { fullName, network, company } = world.person(index);
			const named = { name: fullName, company: world.company(company).name };
			return { ...(index < 3 ? named : { url: network }), mail: '', phone: null };
		});
	const own = ({ name = null, company = null, mail, phone, url = null }: IDataObject) => ({
		...{ name, company, mail, phone, url },
	});

	test.each([
		filled('profile', 'emails', 'phoneNumbers'),
		filled('profile', 'emails'),
		filled('phoneNumbers'),
	])('is the same question the next week: $dataSets', async (parameters) => {
		const service = await startService();
		const dataTables = createDataTables();
		const first = await service.run(parameters, rowsOf(service), { dataTables });
		const rows = jsonOf(first.main).map(own);
		const requests = service.log.entries.length;

		const second = await service.run(parameters, rows, { dataTables });

		expect(rows).not.toEqual(rowsOf(service).map(own));
		expect(jsonOf(second.main).map(own)).toEqual(rows);
		expect(hintsOf(second)[0]).toContain(' 0 bought, 0 requests');
		expect(service.log.entries).toHaveLength(requests);
	});

	test('is another question with a detail that nothing remembered has', async () => {
		const service = await startService();
		const dataTables = createDataTables();
		const { world } = service;
		const [row] = rowsOf(service);
		const parameters = filled('profile', 'emails', 'phoneNumbers');
		await service.run(parameters, rowsOf(service), { dataTables });
		const sent = counter(service);
		sent();

		for (const more of [
			{ mail: 'someone@else.example' },
			{ phone: '+1 212 555 0199' },
			{ url: world.person(9).network },
			// Remembered, but of somebody else.
			{ url: world.person(3).network },
		]) {
			await service.run(parameters, [{ ...row, ...more }], { dataTables });
			expect(sent()).toBeGreaterThan(0);
		}
	});
});

test("a company's website that Fill Columns filled is the same question the next week; another website is not", async () => {
	const service = await startService();
	const dataTables = createDataTables();
	const find: INodeParameters = {
		resource: 'business',
		operation: 'find',
		identifyBy: 'companyName',
		companyName: '={{ $json.name }}',
		website: '={{ $json.site }}',
		rememberIn: 'F',
		options: {
			includeInputFields: true,
			fillColumns: { values: [{ yourColumn: 'site', value: 'found_website' }] },
		},
	};
	const name = service.world.company(service.world.person(1).company).name;
	const sent = counter(service);

	const [first] = jsonOf((await service.run(find, [{ name, site: '' }], { dataTables })).main);
	expect(sent()).toBeGreaterThan(0);
	const site = first?.site as string;
	const [second] = jsonOf((await service.run(find, [{ name, site }], { dataTables })).main);
	expect([site, second?.business_id, sent()]).toEqual([
		first?.found_website,
		first?.business_id,
		0,
	]);
	await service.run(find, [{ name, site: 'other.example' }], { dataTables });
	expect(sent()).toBeGreaterThan(0);
});

test('a company that is called like an email is another question than the email', async () => {
	const service = await startService();
	const dataTables = createDataTables();
	const { mailbox, company } = service.world.person(1);
	const mail = `${mailbox}@${service.world.company(company).domain}`;
	const named = {
		...BY_DETAILS,
		operation: 'match',
		fullName: 'Ann',
		companyName: '={{ $json.at }}',
	};

	await service.run(named, [{ at: `Acme, email: ${mail}` }], { dataTables });
	const run = await service.run(named, [{ at: 'Acme', mail }], { dataTables });

	expect(run.main[0]?.json).toMatchObject({ matched: true });
});

test('both types of contact details answer for one, not the other way round; other months, accounts and services are other answers', async () => {
	const service = await startService();
	const other = await startService();
	const dataTables = createDataTables();
	const rows = [{ id: service.world.prospectId(1) }];
	const contacts = { ...ENRICH, dataSets: ['emails', 'phoneNumbers'] };
	const sent = counter(service);

	const phone = { contacts_mobile_phone: expect.any(String) };
	for (const [dataSets, count, columns] of [
		[['emails'], 1, {}],
		[['phoneNumbers', 'emails'], 1, phone],
		[['phoneNumbers'], 0, phone],
	] as Array<[string[], number, object]>) {
		const run = await service.run({ ...contacts, dataSets }, rows, { dataTables });
		expect(sent()).toBe(count);
		expect(run.main[0]?.json).toMatchObject(columns);
	}
	const raw = { ...contacts, dataSets: ['phoneNumbers'], simplify: false };
	const [remembered] = jsonOf((await service.run(raw, rows, { dataTables })).main);
	expect(sent()).toBe(0);
	const [fresh] = jsonOf((await service.run({ ...raw, rememberIn: '' }, rows)).main);
	expect(remembered?.contacts).toEqual(fresh?.contacts);
	expect(sent()).toBe(1);
	await service.run({ ...contacts, simplify: false }, rows, { dataTables });
	expect(sent()).toBe(0);
	await other.run(contacts, rows, { dataTables });
	expect(other.log.entries).toHaveLength(1);
	const { url, apiKey } = service;
	const credentials = { baseUrl: url, apiKey, tenant: 'another' };
	await service.run(contacts, rows, { dataTables, credentials });
	expect(sent()).toBe(1);
});

test('of two rows of a key, which two runs at once may leave, the newer counts', async () => {
	const service = await startService();
	const dataTables = createDataTables();
	const rows = idsOf(service, 2);
	await service.run(PROFILES, rows, { dataTables });
	const stored = dataTables.tables[0]?.rows ?? [];
	const received_at = new Date(Date.now() - 31 * DAY_MS).toISOString();
	const older = stored.map((row) => ({ ...row, received_at }));
	for (const row of stored) row.id += 100;
	stored.push(...older);

	await service.run(PROFILES, rows, { dataTables });

	expect(service.log.entries).toHaveLength(1);
});

test('what is unwritten while a slow table is written to is at most two batches for each request under way', async () => {
	const service = await startService();
	const dataTables = createDataTables();
	let unwritten = 0;
	dataTables.before = async (operation) => {
		if (operation !== 'row insert') return;
		const bought = service.log.entries.length * 50;
		await sleep(30);
		unwritten = Math.max(unwritten, bought - (dataTables.tables[0]?.rows.length ?? 0));
	};
	const parameters = { ...PROFILES, options: { maxConcurrentRequests: 2 } };

	const run = await service.run(parameters, idsOf(service, 1_000), { dataTables });

	expect(run.main).toHaveLength(1_000);
	expect(dataTables.tables[0]?.rows).toHaveLength(1_000);
	expect(unwritten).toBeLessThanOrEqual(200);
	expect(unwritten).toBeGreaterThan(0);
});

test.each<[string, (tables: ReturnType<typeof createDataTables>) => void, RegExp]>([
	[
		'a table with other columns',
		({ tables }) =>
			tables.push({
				id: '1',
				name: 'Remembered data',
				columns: types('a string'),
				rows: [],
			}),
		/The data table "Remembered data" is used for something else.*Enter another name in Remember In/s,
	],
	[
		'a table that cannot be read',
		(dataTables) => {
			dataTables.before = (operation) => {
				if (operation === 'row get') throw new Error('The database is locked.');
			};
		},
		/Nothing was requested.*The database is locked/s,
	],
])('%s stops the run before anything is paid', async (_, prepare, message) => {
	const service = await startService();
	const dataTables = createDataTables();
	prepare(dataTables);

	const run = await service.run(PROFILES, idsOf(service, 3), { dataTables });

	expect(run.failureText).toMatch(message);
	expect(service.log.entries).toEqual([]);
	// The failed run leaves nothing that another one waits for.
	delete dataTables.before;
	for (const { columns } of dataTables.tables) {
		columns.splice(0, 3, ...types('key string, data string, received_at date'));
	}
	const next = await service.run(PROFILES, idsOf(service, 3), { dataTables });
	expect(next.main).toHaveLength(3);
});

describe('the name of the table', () => {
	const inTable = (rememberIn: string) => ({ ...PROFILES, rememberIn });

	test('may differ in case and in blanks around it', async () => {
		const service = await startService();
		const dataTables = createDataTables();
		const rows = idsOf(service, 2);
		await service.run(inTable('Remembered data'), rows, { dataTables });

		const run = await service.run(inTable(' remembered DATA '), rows, { dataTables });

		expect(dataTables.tables).toHaveLength(1);
		expect(hintsOf(run)[0]).toContain('2 remembered, 0 bought');
		expect(hintsOf(run)[0]).not.toContain('was made');
	});

	test('is announced if the table is made, with the most similar one', async () => {
		const service = await startService();
		const dataTables = createDataTables();
		const rows = idsOf(service, 2);

		const first = await service.run(inTable('Remembered data'), rows, { dataTables });
		await service.run(inTable('Leads'), rows, { dataTables });
		const mistyped = await service.run(inTable('Rememberd data'), rows, { dataTables });

		expect(hintsOf(first)[0]).toContain('The data table "Remembered data" (Remember In) was made.');
		expect(hintsOf(mistyped)[0]).toContain(
			'The data table "Rememberd data" (Remember In) was made; there is also "Remembered data".',
		);
	});

	test.each(['={{ $json.id }}', '{{ $json.id }}', '=Remembered {{ $now }}'])(
		'is no expression: %s',
		async (name) => {
			const service = await startService();
			const dataTables = createDataTables();

			const run = await service.run(inTable(name), idsOf(service, 2), { dataTables });

			expect(run.failureText).toMatch(/^Remember In is an expression\. Enter a fixed name/);
			expect(dataTables.tables).toEqual([]);
			expect(service.log.entries).toEqual([]);
		},
	);
});

test('Retry On Fail pays for nothing again that is remembered', async () => {
	const service = await startService();
	const more = { dataTables: createDataTables(), retryOnFail: true };

	const run = await service.run(PROFILES, idsOf(service, 2), more);

	expect(hintsOf(run)[1]).toMatch(/^Retry On Fail is on .* n8n reruns all of it\. Turn it off/);
});

test('without data tables, the run stops before anything is paid', async () => {
	const service = await startService();

	const run = await service.run(PROFILES, idsOf(service, 3));

	expect(run.failureText).toContain('They need n8n 2.3.0 or newer');
	expect(service.log.entries).toEqual([]);
});

test('a table that cannot be written to costs no row, and a warning counts what is not remembered', async () => {
	const service = await startService();
	const dataTables = createDataTables();
	dataTables.before = (operation) => {
		if (operation === 'row insert') throw new Error('Data table size limit exceeded');
	};

	const run = await service.run(PROFILES, idsOf(service, 3), { dataTables });

	expect(run.main).toHaveLength(3);
	expect(hintsOf(run).join('\n')).toMatch(
		/3 answers could not be written to the data table.*again\. Data table size limit exceeded\. Delete old rows/,
	);
});

const DEEP = '['.repeat(5_000) + ']'.repeat(5_000);

test.each([
	'',
	'null',
	'{',
	'{}',
	'[]',
	'{"data":',
	'{"data":false}',
	`{"data":{"a":${DEEP}}}`,
	'"text"',
	'{"id":"x","row":{}}',
	'{"rows":5}',
])('data that somebody changed is bought again: %#', async (data) => {
	const service = await startService();
	const dataTables = createDataTables();
	const rows = [{ url: service.world.person(1).network }];
	const parameters = { ...BY_DETAILS, dataSets: ['profile'] };
	const first = await service.run(parameters, rows, { dataTables });
	for (const row of dataTables.tables[0]?.rows ?? []) row.data = data;

	const second = await service.run(parameters, rows, { dataTables });

	expect(jsonOf(second.main)).toEqual(jsonOf(first.main));
	expect(service.log.entries).toHaveLength(4);
});

test('rows of others, and a table whose name contains this one, are left alone', async () => {
	const service = await startService();
	const dataTables = createDataTables();
	const columns = types('key string, data string');
	const own = { id: 9_999, key: 'mine', data: 'x', received_at: new Date().toISOString() };
	dataTables.tables.push({ id: 'a', name: 'Remembered data 2', columns, rows: [own] });

	await service.run(PROFILES, idsOf(service, 2), { dataTables });

	expect(dataTables.tables.map(({ name, rows }) => [name, rows.length])).toEqual([
		['Remembered data 2', 1],
		['Remembered data', 2],
	]);
});

test('a full table gets room for what is new: what is too old is deleted; if that does not help, a warning says so', async () => {
	const service = await startService();
	const dataTables = createDataTables();
	const rows = idsOf(service, 60);
	await service.run(PROFILES, rows.slice(0, 20), { dataTables });
	const stored = () => dataTables.tables[0]?.rows ?? [];
	for (const row of stored()) row.received_at = new Date(Date.now() - 31 * DAY_MS).toISOString();
	dataTables.before = (operation) => {
		const isFull = stored().length >= 20;
		if (operation === 'row insert' && isFull) throw new Error('Data table size limit exceeded');
	};

	const first = await service.run(PROFILES, rows.slice(20, 50), { dataTables });
	const second = await service.run(PROFILES, rows.slice(20), { dataTables });

	expect(hintsOf(first)).toHaveLength(1);
	expect(hintsOf(second)[0]).toContain('30 remembered, 10 bought');
	expect(hintsOf(second)[1]).toMatch(
		/^10 answers could not be written.*size limit.*Delete old rows/,
	);
});

test('what is replaced but cannot be deleted is no answer that is not written', async () => {
	const service = await startService();
	const dataTables = createDataTables();
	await service.run(PROFILES, idsOf(service, 3), { dataTables });
	for (const row of dataTables.tables[0]?.rows ?? []) row.received_at = '2020-01-01';
	dataTables.before = (operation) => {
		if (operation === 'row deleteRows') throw new Error('The database is locked.');
	};

	const run = await service.run(PROFILES, idsOf(service, 3), { dataTables });
	const next = await service.run(PROFILES, idsOf(service, 3), { dataTables });

	expect(hintsOf(run)).toHaveLength(1);
	expect(hintsOf(next)[0]).toContain('3 remembered, 0 bought');
});

describe('runs at once in one process', () => {
	const detailsOf = ({ world }: Service, indices: readonly number[]) =>
		indices.map((index, row) => ({ row, url: world.person(index).network }));
	test.each([
		[UP, UP],
		[UP, [...UP].reverse(), UP.slice(60), [...UP.slice(90), ...UP.slice(0, 30)]],
	])('buy everything once', async (...runs) => {
		const service = await startService();
		const dataTables = createDataTables();
		service.fault({ do: { kind: 'delay', ms: 20 }, times: 'always' });
		const parameters = { ...BY_DETAILS, options: { batchSize: 20 } };

		const done = await Promise.all(
			runs.map((run) => service.run(parameters, detailsOf(service, run), { dataTables })),
		);

		expect(done.map(({ main }) => main.length)).toEqual(runs.map(({ length }) => length));
		for (const which of ['match', 'profileBulk', 'contactsBulk']) {
			expect(service.log.count(which).repeated).toEqual([]);
		}
		expect(service.log.count('match').ids).toBe(120);
	});

	test.each([
		['one at once', 1, 0],
		['many, after the other has ended', 120, 600],
	])(
		'that look for the same people by different details buy data once: %s',
		async (_, count, ms) => {
			const service = await startService();
			const dataTables = createDataTables();
			const { world } = service;
			const people = UP.slice(0, count).map((index) => world.person(index));
			const mailOf = (person: (typeof people)[number]) =>
				`${person.mailbox}@${world.company(person.company).domain}`;
			const parameters = { ...BY_DETAILS, dataSets: ['profile'] };
			const requests = Math.ceil(count / 50);
			if (ms > 0) service.fault({ do: { kind: 'delay', ms }, times: requests });

			const first = service.run(
				parameters,
				people.map(({ network: url }) => ({ url })),
				{ dataTables },
			);
			while (service.log.entries.length < requests) await sleep(5);
			const mails = people.map((person) => ({ mail: mailOf(person) }));
			await service.run(parameters, mails, { dataTables });
			await first;

			expect(service.log.count('match').requests).toBe(2 * requests);
			expect(service.log.entries).toHaveLength(3 * requests);
		},
	);

	test('a form that is sent twice within 150 ms buys once, also if what is remembered is too old', async () => {
		const service = await startService();
		const dataTables = createDataTables();
		const { network: url } = service.world.person(1);
		const sendTwice = async () => {
			const first = service.run(BY_DETAILS, [{ url }], { dataTables });
			await sleep(150);
			return await Promise.all([first, service.run(BY_DETAILS, [{ url }], { dataTables })]);
		};
		service.fault({ do: { kind: 'delay', ms: 200 }, times: 'always' });

		await sendTwice();
		expect(service.log.entries).toHaveLength(3);
		for (const row of dataTables.tables[0]?.rows ?? []) row.received_at = '2020-01-01';
		const again = await sendTwice();

		expect(again.map(({ main }) => main.length)).toEqual([1, 1]);
		expect(service.log.entries).toHaveLength(6);
	});

	test('give up what they were about to buy before they wait, so that none waits for ever', () => {
		const [one, other] = [createClaims(1_000, undefined), createClaims(1_000, undefined)];
		expect([one.take(['a']), other.take(['b']), one.take(['b'])]).toEqual([true, true, false]);

		void one.wait(['b']);

		expect(other.take(['a'])).toBe(true);
		other.release();
	});

	test('do not wait with Max Wait 0, for an estimate, or once cancelled', async () => {
		const service = await startService();
		const dataTables = createDataTables();
		service.fault({ do: { kind: 'delay', ms: bySize(1_000, 2_500) } });
		const rows = idsOf(service, 3);
		let firstHasEnded = false;
		const first = service.run(PROFILES, rows, { dataTables }).then(() => (firstHasEnded = true));
		while (service.log.entries.length === 0) await sleep(5);

		await service.run({ ...PROFILES, options: { estimateOnly: true } }, rows, { dataTables });
		const own = await service.run({ ...PROFILES, options: { maxWait: 0 } }, rows, { dataTables });
		const cancelled = await service.run(PROFILES, rows, {
			dataTables,
			cancelAfter: (cancel) => void sleep(50).then(cancel),
		});

		expect(own.main).toHaveLength(3);
		expect(cancelled.status).toBe('canceled');
		expect(firstHasEnded).toBe(false);
		expect(service.log.entries).toHaveLength(2);
		await first;
	});
});
