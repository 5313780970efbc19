/** Simplify on and off, and what Fields brings back. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BUSINESS_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/businessDataSets';
import { PROSPECT_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/dataSets';
import { errorOf } from '../harness/engine';
import { personalEmail } from '../sandbox/world/prospect-data';
import { stopClock } from './clock';
import { CONTINUE, hintsOf, jsonOf, type Service, startService } from './service';

let now: Date;
beforeEach(() => {
	now = stopClock('2026-11-18T12:00:00Z');
});
const start = async () =>
	await startService({ now: () => now, people: 40, companies: 20, eventsPerDay: 5 });

const people = (world: Service['world'], more: INodeParameters = {}): INodeParameters => ({
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: world.prospectId(1),
	dataSets: PROSPECT_DATA_SETS.map(({ value }) => value),
	...more,
});
const companies = (world: Service['world'], more: INodeParameters = {}): INodeParameters => ({
	resource: 'business',
	operation: 'enrich',
	businessIds: world.businessId(1),
	dataSets: BUSINESS_DATA_SETS.map(({ value }) => value),
	...more,
});
const match = (world: Service['world'], more: INodeParameters = {}): INodeParameters => ({
	resource: 'prospect',
	operation: 'match',
	email: personalEmail(world.person(1)),
	...more,
});

const USES: Record<string, (world: Service['world']) => INodeParameters> = {
	'Get Many': () => ({ resource: 'prospect', operation: 'getAll', limit: 3 }),
	Match: (world) => match(world),
	Find: (world) => ({
		resource: 'business',
		operation: 'find',
		companyName: world.company(world.person(1).company).name,
	}),
	'Prospect: Enrich': (world) => people(world),
	'Business: Enrich': (world) => companies(world),
	'Prospect: Get Events': (world) => ({
		resource: 'prospect',
		operation: 'getEvents',
		prospectIds: world.prospectIds(40).join(),
	}),
	'Business: Get Events': (world) => ({
		resource: 'business',
		operation: 'getEvents',
		businessIds: world.businessIds(20).join(),
	}),
};

const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The records of a row: the row itself, or its data sets. */
const recordsIn = (row: IDataObject): IDataObject[] => {
	const inside = Object.values(row).flatMap((value): IDataObject[] =>
		isObject(value)
			? [value]
			: Array.isArray(value)
				? (value as IDataObject[]).filter(isObject)
				: [],
	);
	return inside.length > 0 ? inside : [row];
};

test.each(Object.entries(USES))(
	'%s: at most ten flat fields a record',
	async (_name, parameters) => {
		const service = await start();

		const rows = jsonOf((await service.run(parameters(service.world))).main);

		expect(rows.length).toBeGreaterThan(0);
		for (const record of rows.flatMap(recordsIn)) {
			// Events have as many details as the service sends.
			if (!('event_id' in record)) expect(Object.keys(record).length).toBeLessThanOrEqual(10);
			expect(Object.values(record).filter(isObject)).toEqual([]);
		}
	},
);

test.each(Object.entries(USES))(
	'%s: what comes with Simplify on and off has the same path and value',
	async (name, parametersOf) => {
		const service = await start();
		const parameters = parametersOf(service.world);

		const shown = jsonOf((await service.run(parameters)).main);
		const raw = jsonOf((await service.run({ ...parameters, simplify: false })).main);

		expect(raw).toHaveLength(shown.length);
		let both = 0;
		const compare = (one: unknown, other: unknown) => {
			if (!isObject(one) || !isObject(other)) return expect(one).toEqual(other);
			for (const [key, value] of Object.entries(one)) {
				if (!(key in other)) continue;
				both++;
				// A list of records keeps some of their fields.
				if (key === 'network_posts') expect(other[key]).toMatchObject(value as object);
				else compare(value, other[key]);
			}
		};
		raw.forEach((row, at) => compare(shown[at], row));
		expect(both).toBeGreaterThan(name.startsWith('Business: Enrich') ? 50 : 1);
	},
);

describe('Fields', () => {
	const only = async (
		service: Service,
		parameters: INodeParameters,
		fields: string,
		more: INodeParameters = {},
	) => {
		const run = await service.run({ ...parameters, ...more, options: { fields } });
		expect(run.failure).toBeUndefined();
		return { row: jsonOf(run.main)[0] ?? {}, hints: hintsOf(run) };
	};
	const RAW = { simplify: false };

	test('brings back what Simplify leaves out', async () => {
		const service = await start();
		const { world } = service;

		const contacts = await only(service, people(world), 'contacts.emails.type, contacts.email');
		const topics = await only(service, companies(world), 'intent.intent_topics');
		const context = await only(service, people(world), 'response_context.profile.request_status');
		const search = await only(service, USES['Get Many']?.(world) ?? {}, 'full_name, skills, city');
		const matched = await only(service, match(world), 'input.email');

		expect(contacts.row).toEqual({
			prospect_id: world.prospectId(1),
			contacts: {
				emails: [{ type: 'current_professional' }, { type: 'personal' }],
				email: expect.stringContaining('@'),
			},
		});
		expect(topics.row.intent).toEqual({ intent_topics: expect.stringMatching(/^\[/) });
		expect(context.row.response_context).toEqual({ profile: { request_status: 'success' } });
		expect(Object.keys(search.row)).toEqual(['prospect_id', 'full_name', 'skills', 'city']);
		expect(matched.row.input).toEqual({ email: personalEmail(world.person(1)) });
		for (const { hints } of [contacts, topics, context, search, matched])
			expect(hints.filter((hint) => hint.startsWith('Fields: '))).toEqual([]);
	});

	test('brings what Simplify adds, when it is off', async () => {
		const service = await start();

		const { row, hints } = await only(service, people(service.world), 'contacts.email', RAW);

		expect(row.contacts).toEqual({ email: expect.stringContaining('@') });
		expect(hints).toHaveLength(1);
	});

	test.each([true, false])(
		'a whole data set is the one that Simplify shows (%s)',
		async (simplify) => {
			const service = await start();
			const whole = jsonOf((await service.run(people(service.world, { simplify }))).main);

			const { row } = await only(service, people(service.world), 'contacts', { simplify });

			expect(row.contacts).toEqual(whole[0]?.contacts);
			expect('emails' in (row.contacts as object)).toBe(!simplify);
		},
	);
});

test('the details of Match never replace a field of the input row', async () => {
	const service = await start();
	const work = personalEmail(service.world.person(1)) ?? '';
	const rows = [
		{ work, email: 'private@mailbox.example' },
		{ work: ` ${work.toUpperCase()}`, email: '' },
	];

	const run = await service.run(
		match(service.world, {
			email: '={{ $json.work }}',
			options: { includeInputFields: true },
		}),
		rows,
	);

	const found = { prospect_id: service.world.prospectId(1), matched: true };
	expect(jsonOf(run.main)).toEqual([
		{ ...rows[0], ...found },
		// As it was sent: domains are in lower case.
		{
			...rows[1],
			...found,
			email: work.toUpperCase().replace(/@.*/, (domain) => domain.toLowerCase()),
		},
	]);
});

describe('events', () => {
	const events = async (data: unknown, more: INodeParameters = {}) => {
		const service = await start();
		service.change((answer) => ({
			...answer,
			output_events: [
				{
					event_name: 'new_office',
					event_time: '2026-11-01T00:00:00+00:00',
					event_id: 'e1',
					business_id: service.world.businessId(1),
					data,
				},
			],
		}));
		const run = await service.run({
			resource: 'business',
			operation: 'getEvents',
			businessIds: service.world.businessId(1),
			...more,
		});
		return Object.entries(jsonOf(run.main)[0] ?? {});
	};
	const OWN = [
		['event_name', 'new_office'],
		['event_time', '2026-11-01T00:00:00+00:00'],
		['business_id', expect.any(String)],
	];
	const ID = ['event_id', 'e1'];

	test.each<[string, unknown, unknown[]]>([
		[
			'details',
			{ event_name: 'new_office', link: 'l', amount: 5 },
			[
				['link', 'l'],
				['amount', 5],
			],
		],
		['no details', null, []],
		['details that are a text', 'later', [['data', 'later']]],
		['details in a list', [1], [['data', [1]]]],
	])('%s', async (_case, data, details) => {
		expect(await events(data)).toEqual([...OWN, ...details, ID]);
	});

	test('a detail with the name of an own field is left out, and Fields brings it back', async () => {
		const data = { event_id: 'other', event_time: 'other', link: 'l' };

		expect(await events(data)).toEqual([...OWN, ['link', 'l'], ID]);
		expect(await events(data, { options: { fields: 'data.event_id' } })).toEqual([
			OWN[2],
			ID,
			['data', { event_id: 'other' }],
		]);
	});
});

test('an error item keeps all that was received, in both forms', async () => {
	const service = await start();
	service.fault({
		when: { to: 'profileBulk' },
		times: 'always',
		do: { kind: 'status', status: 403 },
	});

	const run = await service.run(people(service.world), [{}], CONTINUE);

	expect(errorOf(run.error[0]).received).toMatchObject({
		contacts: { email: expect.any(String), emails: [expect.anything(), expect.anything()] },
	});
});
