/** Companies by a person who works there: Business: Find, and Identify By in Business: Enrich and Get Events. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { errorOf } from '../harness/engine';
import { professionalEmail } from '../sandbox/world/prospect-data';
import { knownCompanies } from './companies';
import {
	CONTINUE,
	expectOwnObjects,
	hintsOf,
	jsonOf,
	numbered,
	type Service,
	startService,
} from './service';

const business = (operation: string, more: INodeParameters): INodeParameters => ({
	resource: 'business',
	operation,
	prospectId: '={{ $json.id }}',
	workEmail: '={{ $json.email }}',
	...more,
});
const byId = (operation: string, more: INodeParameters = {}) =>
	business(operation, { identifyBy: 'prospectId', ...more });
const byEmail = (operation: string, more: INodeParameters = {}) =>
	business(operation, { identifyBy: 'workEmail', ...more });

const NOBODY = 'nobody@mailbox.example';
const UNKNOWN_ID = 'f'.repeat(40);

const emailOf = ({ world }: Service, person: number) =>
	professionalEmail(world.person(person), world.company(world.person(person).company));
const endpoints = ({ log }: Service) => log.entries.map(({ endpoint }) => endpoint);

/** People whose email the service knows, as indexes. */
const reachable = (service: Service): number[] =>
	Array.from({ length: service.world.people }, (_, person) => person).filter(
		(person) => emailOf(service, person) !== null,
	);

const rowOf = ({ world }: Service, person: number) => {
	const index = world.person(person).company;
	const { name, website } = world.company(index);
	return {
		business_id: world.businessId(index),
		found: true,
		found_name: name,
		found_website: website,
		prospect_id: world.prospectId(person),
	};
};
const NO_COMPANY = { business_id: null, found: false, found_name: null, found_website: null };

/** Makes the service say so of a person, however the person is found. */
const changeRow = (service: Service, person: number, change: IDataObject) =>
	service.change(
		(answer) => ({
			...answer,
			data: (answer.data as IDataObject[]).map((row) =>
				row.prospect_id === service.world.prospectId(person) ? { ...row, ...change } : row,
			),
		}),
		{ when: { to: 'search' }, times: 'always' },
	);

test('1,000 emails of 800 people at 700 companies: 16 + 8 requests, then 14 per data set', async () => {
	const service = await startService({ people: 6_000, companies: 900 });
	const { world, log } = service;
	const firsts = new Map<number, number>();
	const others: number[] = [];
	for (const person of reachable(service)) {
		const { company } = world.person(person);
		if (firsts.has(company)) others.push(person);
		else if (firsts.size < 700) firsts.set(company, person);
	}
	const colleagues = others.filter((person) => firsts.has(world.person(person).company));
	const people = [...firsts.values(), ...colleagues.slice(0, 100)];
	const rows = Array.from({ length: 1_000 }, (_, row) => people[row % 800] ?? 0);
	const items = numbered(rows.map((person) => ({ email: emailOf(service, person) })));
	const dataSets = ['fundingAndAcquisition', 'intent'];

	const estimate = await service.run(byEmail('enrich', { dataSets, estimateOnly: true }), items);
	expect(log.entries).toEqual([]);
	const run = await service.run(byEmail('enrich', { dataSets }), items);

	expect(run.failure).toBeUndefined();
	expect(firsts.size).toBe(700);
	expect(log.count('match')).toMatchObject({ requests: 16, ids: 800, unique: 800 });
	expect(log.count('search')).toMatchObject({ requests: 8, ids: 800, unique: 800 });
	for (const name of ['fundingAndAcquisition', 'intent'] as const) {
		expect(log.count(name)).toEqual({ requests: 14, ids: 700, unique: 700, repeated: [] });
	}
	expect(log.entries).toHaveLength(16 + 8 + 2 * 14);
	expect(run.linked).toEqual(items.map(({ row }) => row));
	expect(jsonOf(run.main).map(({ business_id, found }) => [business_id, found])).toEqual(
		rows.map((person) => [world.businessId(world.person(person).company), true]),
	);
	expect(hintsOf(run)[0]).toMatch(
		/^1,000 rows: .* 52 requests, 2,200 records, 800 of them for lookups\. 300 duplicates weren't sent again/,
	);
	expect(jsonOf(estimate.main)).toMatchObject([
		{
			unique_records: 3 * 800,
			requests: 16 + 8 + 2 * 16,
			at_most: true,
			credits_reason:
				"The service doesn't publish the price of: Match, Funding and Acquisition, Intent.",
		},
	]);
});

describe('Find', () => {
	test('by prospect ID: 100 people per request, without a match', async () => {
		const service = await startService({ people: 150, companies: 40 });
		const items = numbered(
			Array.from({ length: 160 }, (_, row) => ({ id: service.world.prospectId(row % 150) })),
		);

		const run = await service.run(byId('find'), items);

		expect(endpoints(service)).toEqual(['search', 'search']);
		expect(jsonOf(run.main)).toEqual(items.map((_, row) => rowOf(service, row % 150)));
		expect(run.linked).toEqual(items.map(({ row }) => row));
		expect(hintsOf(run)).toEqual(["160 rows found. 2 requests. 10 duplicates weren't sent again."]);
		expect(service.log.entries[0]?.body).toMatchObject({ page: 1, page_size: 100, size: 100 });
	});

	test('by work email: matched, then searched', async () => {
		const service = await startService();
		const [one = 0, two = 0] = reachable(service);
		const emails = [
			emailOf(service, one),
			NOBODY,
			emailOf(service, two),
			` ${emailOf(service, one)}`,
		];

		const run = await service.run(byEmail('find'), numbered(emails.map((email) => ({ email }))));

		expect(endpoints(service)).toEqual(['match', 'search']);
		expect(jsonOf(run.main)).toEqual([
			rowOf(service, one),
			{ ...NO_COMPANY, prospect_id: null },
			rowOf(service, two),
			rowOf(service, one),
		]);
		for (const { json } of run.main) {
			expect(Object.keys(json)).toEqual([
				...['found_name', 'found_website', 'found', 'prospect_id', 'business_id'],
			]);
		}
		expect(hintsOf(run)).toEqual([
			"4 rows: 3 found, 1 not found. 2 requests, 3 records. 1 duplicate wasn't sent again.",
		]);
	});

	test.each<[string, IDataObject]>([
		['without a company', { business_id: null, company_name: null, company_website: null }],
		['whose company has no ID', { business_id: null }],
	])('a person %s is not found, and nothing is guessed', async (_what, change) => {
		const service = await startService();
		const [person = 0] = reachable(service);
		changeRow(service, person, change);
		const items = [{ id: service.world.prospectId(person), email: emailOf(service, person) }];
		const row = { ...NO_COMPANY, prospect_id: items[0]?.id };

		for (const parameters of [byId('find'), byEmail('find')]) {
			const run = await service.run(parameters, items);
			expect(jsonOf(run.main)).toEqual([row]);
			expect(hintsOf(run)[0]).toMatch(/^1 row not found\. /);
		}
	});

	test('a person whom the service does not know is not found', async () => {
		const service = await startService();
		const ids = [UNKNOWN_ID, service.world.prospectId(1)];

		const run = await service.run(byId('find'), numbered(ids.map((id) => ({ id }))));

		expect(jsonOf(run.main)).toEqual([
			{ ...NO_COMPANY, prospect_id: UNKNOWN_ID },
			rowOf(service, 1),
		]);
	});

	test('people that a response lacks are an error, not "not found"', async () => {
		const service = await startService();
		service.change((answer) => ({ ...answer, data: (answer.data as unknown[]).slice(1) }));
		const ids = [1, 2].map((person) => service.world.prospectId(person));

		const run = await service.run(byId('find'), numbered(ids.map((id) => ({ id }))), CONTINUE);

		expect([run.linkedErrors, run.linked]).toEqual([[0], [1]]);
		expect(errorOf(run.error[0]).message).toMatch(/lacks the people that it reports/);
	});

	test.each<[string, INodeParameters, string]>([
		['prospect ID', byId('find'), '2 without a prospect ID'],
		['work email', byEmail('find'), '2 without a work email'],
	])('blank rows by %s pass', async (_what, parameters, words) => {
		const service = await startService();
		const [person = 0] = reachable(service);
		const known = { id: service.world.prospectId(person), email: emailOf(service, person) };

		const run = await service.run(parameters, [
			{ id: 'n/a', email: '-' },
			{ ...known },
			{ id: '', email: '' },
		]);

		const blank = { ...NO_COMPANY, prospect_id: null };
		expect(jsonOf(run.main)).toEqual([blank, rowOf(service, person), blank]);
		expect(hintsOf(run)[0]).toContain(words);
	});

	test.each<[INodeParameters, IDataObject, RegExp, string]>([
		[
			byEmail('find'),
			{ email: 'ask reception' },
			/^Work Email: "ask reception" is not an email/,
			'workEmail',
		],
		[byId('find'), { id: 'x' }, /^Prospect ID: "x" is not a prospect ID/, 'prospectId'],
		[
			byId('enrich'),
			{ id: `${UNKNOWN_ID}, ${'e'.repeat(40)}` },
			/contains several prospect IDs\. Enter one\./,
			'prospectId',
		],
	])('%j rejects %j before anything is sent', async (parameters, row, message, field) => {
		const service = await startService();

		const run = await service.run(parameters, [row], CONTINUE);

		expect(run.error.map(errorOf)).toEqual([{ message: expect.stringMatching(message), field }]);
		expect(service.log.entries).toEqual([]);
	});

	test('Max Records to Pay and Estimate Only count the matches, not the searches', async () => {
		const service = await startService();
		const people = reachable(service).slice(0, 3);
		const items = numbered(people.map((person) => ({ email: emailOf(service, person) })));

		const estimate = await service.run(byEmail('find', { estimateOnly: true }), items);
		expect(service.log.entries).toEqual([]);
		const run = await service.run(byEmail('find', { maxRecordsToPay: 2 }), items, CONTINUE);

		expect(jsonOf(estimate.main)).toEqual([
			{
				records: 3,
				unique_records: 3,
				requests: 2,
				credits: null,
				credits_reason: "The service doesn't publish the price of: Match.",
				at_most: true,
				records_over_limit: 0,
			},
		]);
		expect([run.linked, run.linkedErrors]).toEqual([[0, 1], [2]]);
		expect(service.log.count('match')).toMatchObject({ requests: 1, ids: 2 });
	});

	test('a limit or an estimate left over in a node that finds by name is not used', async () => {
		const service = await startService();
		const [index = 0] = knownCompanies(service.world);

		const run = await service.run({
			resource: 'business',
			operation: 'find',
			companyName: service.world.company(index).name,
			estimateOnly: true,
			maxRecordsToPay: '0',
		});

		expect(jsonOf(run.main)).toMatchObject([{ found: true }]);
	});

	test('Simplify off adds the person as the service sent it', async () => {
		const service = await startService();
		const items = numbered([1, 2, 1].map((person) => ({ id: service.world.prospectId(person) })));

		const run = await service.run(byId('find', { simplify: false }), items);

		expect(jsonOf(run.main).map(({ data }) => (data as IDataObject[]).length)).toEqual([1, 1, 1]);
		expect(jsonOf(run.main)[1]).toMatchObject({
			...rowOf(service, 2),
			total_results: 1,
			data: [{ prospect_id: service.world.prospectId(2), skills: expect.anything() }],
		});
		expectOwnObjects(run.main);
	});
});

describe('if a step fails', () => {
	test.each(['find', 'enrich'])('%s keeps the prospect ID that was matched', async (operation) => {
		const service = await startService();
		const [person = 0] = reachable(service);
		service.fault({ when: { to: 'search' }, times: 'always', do: { kind: 'status', status: 422 } });

		const run = await service.run(
			byEmail(operation),
			[{ email: emailOf(service, person) }],
			CONTINUE,
		);

		const error = errorOf(run.error[0]) as unknown as IDataObject;
		const prospect_id = service.world.prospectId(person);
		expect(error.message).toContain('HTTP 422');
		expect(error.field).toBeUndefined();
		expect([error.prospect_id, (error.received as IDataObject | undefined)?.prospect_id]).toContain(
			prospect_id,
		);
	});

	test('a match whose ID is none sends nothing further', async () => {
		const service = await startService();
		const [person = 0] = reachable(service);
		service.change(
			(answer) => ({
				...answer,
				matched_prospects: (answer.matched_prospects as IDataObject[]).map((row) => ({
					...row,
					prospect_id: 'p-1',
				})),
			}),
			{ when: { to: 'match' } },
		);

		const run = await service.run(
			byEmail('enrich'),
			[{ email: emailOf(service, person) }],
			CONTINUE,
		);

		expect(errorOf(run.error[0]).message).toMatch(
			/^The service returned "p-1" .* not a prospect ID/,
		);
		expect(endpoints(service)).toEqual(['match']);
	});
});

test('Enrich by prospect ID: a row says whether the company was found', async () => {
	const service = await startService();
	const ids = [service.world.prospectId(1), UNKNOWN_ID, ''];

	const run = await service.run(byId('enrich'), numbered(ids.map((id) => ({ id }))));

	expect(endpoints(service)).toEqual(['search', 'fundingAndAcquisition']);
	expect(jsonOf(run.main).map(({ business_id, found }) => [business_id, found])).toEqual([
		[rowOf(service, 1).business_id, true],
		[null, false],
		[null, false],
	]);
	expect(hintsOf(run)).toEqual([
		'3 rows: 1 enriched, 1 without a match, 1 without a prospect ID. 2 requests, 1 record.',
	]);
});

test('Get Events by work email', async () => {
	const service = await startService({ eventsPerDay: 0 });
	const [person = 0] = reachable(service);
	const { event_id } = service.world.addEvent({ business: service.world.person(person).company });

	const run = await service.run(
		byEmail('getEvents'),
		numbered([{ email: emailOf(service, person) }, { email: NOBODY }]),
	);

	expect(endpoints(service)).toEqual(['match', 'search', 'businessEvents']);
	expect(jsonOf(run.main)).toEqual([
		expect.objectContaining({
			event_id,
			business_id: rowOf(service, person).business_id,
			found: true,
		}),
		expect.objectContaining({ event_id: null, business_id: null, found: false }),
	]);
	expect(hintsOf(run)).toEqual([
		'Returned 1 event in 3 requests for 3 records; 1 row without a match.',
	]);
});

test('one ID that the service rejects fails its row only', async () => {
	const service = await startService();
	const ids = Array.from({ length: 20 }, (_, person) => service.world.prospectId(person));
	service.fault({
		when: ({ body }) => JSON.stringify(body).includes(ids[7] ?? ''),
		times: 'always',
		do: { kind: 'invalid', names: 'text' },
	});

	const run = await service.run(byId('find'), numbered(ids.map((id) => ({ id }))), CONTINUE);

	expect(run.linkedErrors).toEqual([7]);
	expect(errorOf(run.error[0])).toMatchObject({ field: 'prospectId', status: 422 });
	expect(run.linked).toHaveLength(19);
});
