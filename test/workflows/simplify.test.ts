/** Simplify on and off, and what Fields brings back. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BUSINESS_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/businessDataSets';
import { PROSPECT_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/dataSets';
import { errorOf } from '../harness/engine';
import { personalEmail } from '../sandbox/world/prospect-data';
import { stopClock } from './clock';
import { CONTINUE, hintsOf, jsonOf, type Service, startService } from './service';
import { flatRecord } from './simplified';

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

const PREFIXES = [...PROSPECT_DATA_SETS, ...BUSINESS_DATA_SETS].map(
	({ outputField }) => `${outputField}_`,
);

/** The fields of a row by data set, and those of the records in its lists. */
const groupsIn = (row: IDataObject): string[][] => {
	const prefixOf = (name: string) => PREFIXES.find((prefix) => name.startsWith(prefix));
	const lists = Object.values(row).filter((value) => Array.isArray(value));
	return [
		...[...PREFIXES, undefined].map((prefix) =>
			Object.keys(row).filter((name) => prefixOf(name) === prefix),
		),
		...(lists.flat() as unknown[]).filter(isObject).map(Object.keys),
	];
};

test.each(Object.entries(USES))(
	'%s: at most ten fields a data set, none of them an object',
	async (_name, parameters) => {
		const service = await start();

		const rows = jsonOf((await service.run(parameters(service.world))).main);

		expect(rows.length).toBeGreaterThan(0);
		for (const row of rows) {
			// Events have as many details as the service sends.
			if (!('event_id' in row)) {
				for (const group of groupsIn(row)) expect(group.length).toBeLessThanOrEqual(10);
			}
			expect(Object.values(row).filter(isObject)).toEqual([]);
		}
	},
);

/** A row of Simplify off with the names of Simplify on. */
const flattened = (row: IDataObject): IDataObject =>
	Object.assign(
		{},
		...Object.entries(row).map(([key, value]) =>
			isObject(value) ? flatRecord(key, value) : { [key]: value },
		),
	);

test.each(Object.entries(USES))(
	'%s: what comes with Simplify on and off has the same value',
	async (name, parametersOf) => {
		const service = await start();
		const parameters = parametersOf(service.world);

		const shown = jsonOf((await service.run(parameters)).main);
		const raw = jsonOf((await service.run({ ...parameters, simplify: false })).main);

		expect(raw).toHaveLength(shown.length);
		let both = 0;
		raw.map(flattened).forEach((row, at) => {
			for (const [key, value] of Object.entries(shown[at] ?? {})) {
				if (!(key in row)) continue;
				both++;
				// A list of records keeps some of their fields.
				if (key === 'network_posts') expect(row[key]).toMatchObject(value as object);
				else expect([key, row[key]]).toEqual([key, value]);
			}
		});
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
			contacts_emails: [{ type: 'current_professional' }, { type: 'personal' }],
			contacts_email: expect.stringContaining('@'),
		});
		expect(topics.row.intent_intent_topics).toMatch(/^\[/);
		expect(context.row.response_context).toEqual({ profile: { request_status: 'success' } });
		expect(Object.keys(search.row)).toEqual(['full_name', 'skills', 'city', 'prospect_id']);
		expect(matched.row.input).toEqual({ email: personalEmail(world.person(1)) });
		for (const { hints } of [contacts, topics, context, search, matched])
			expect(hints.filter((hint) => hint.startsWith('Fields: '))).toEqual([]);
	});

	test.each(['contacts.email', 'contacts_email'])(
		'takes %s, whatever Simplify is',
		async (path) => {
			const service = await start();
			const id = { prospect_id: service.world.prospectId(1) };
			const email = expect.stringContaining('@') as string;

			const flat = await only(service, people(service.world), path);
			const nested = await only(service, people(service.world), path, RAW);

			expect(flat.row).toEqual({ contacts_email: email, ...id });
			expect(nested.row).toEqual({ contacts: { email }, ...id });
			expect([flat.hints, nested.hints].map(({ length }) => length)).toEqual([1, 1]);
		},
	);

	test.each([true, false])(
		'a whole data set is the one that Simplify shows (%s)',
		async (simplify) => {
			const service = await start();
			const [whole = {}] = jsonOf((await service.run(people(service.world, { simplify }))).main);

			const { row } = await only(service, people(service.world), 'contacts', { simplify });

			const own = Object.entries(whole).filter(([name]) => /^(contacts|prospect_id)/.test(name));
			expect(row).toEqual(Object.fromEntries(own));
			expect(own.length).toBe(simplify ? 6 : 2);
		},
	);
});

describe('Match repeats the details that were sent', () => {
	const rowsOf = async (more: INodeParameters = {}) => {
		const service = await start();
		const work = personalEmail(service.world.person(1)) ?? '';
		const rows = [
			{ work, email: 'private@mailbox.example' },
			{ work: '', phone: '+1 512 555 0100' },
			{ work: '', phone: '' },
		];
		const run = await service.run(
			match(service.world, {
				email: '={{ $json.work }}',
				phoneNumber: '={{ $json.phone }}',
				...more,
			}),
			rows,
		);
		return { work, found: service.world.prospectId(1), rows, out: jsonOf(run.main) };
	};

	test('in the same fields in all rows, which are those that any row of the run has', async () => {
		const { work, found, out } = await rowsOf();
		const missed = { matched: false, prospect_id: null };

		expect(out).toEqual([
			{ matched: true, input_email: work, input_phone_number: null, prospect_id: found },
			{ ...missed, input_email: null, input_phone_number: expect.stringMatching(/0100$/) },
			{ ...missed, input_email: null, input_phone_number: null },
		]);
		expect(Object.keys(out[0] ?? {}).at(-1)).toBe('prospect_id');
	});

	test('but not with Include Input Fields', async () => {
		const { found, rows, out } = await rowsOf({ includeInputFields: true });

		expect(out).toEqual([
			{ ...rows[0], matched: true, prospect_id: found },
			{ ...rows[1], matched: false, prospect_id: null },
			{ ...rows[2], matched: false, prospect_id: null },
		]);
		expect(Object.keys(out[0] ?? {})).toEqual(['matched', 'prospect_id', 'work', 'email']);
	});

	test('nor without, if Fields does not name them', async () => {
		const { work, out } = await rowsOf({ options: { fields: 'input_email, matched' } });

		expect(Object.entries(out[0] ?? {}).slice(0, 2)).toEqual([
			['input_email', work],
			['matched', true],
		]);
		expect(out.map((row) => Object.keys(row).length)).toEqual([3, 3, 3]);
	});
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
			['data', { event_id: 'other' }],
			OWN[2],
			ID,
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
