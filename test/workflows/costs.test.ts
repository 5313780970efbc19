/**
 * What guards against unwanted costs: Max Records to Pay and Estimate Only, and what is checked or cut before anything is sent.
 * The sandbox refuses whatever is beyond a bound of the contract, and it never gets to.
 */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { BUSINESS_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/businessDataSets';
import { PROSPECT_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/dataSets';
import { errorOf } from '../harness/engine';
import { bySize } from '../size';
import { stopClock } from './clock';
import {
	CONTINUE,
	hintsOf,
	itemOf,
	itemsWith,
	jsonOf,
	numbered,
	type Service,
	startService,
} from './service';

const enrich = (spending: IDataObject, more: IDataObject = {}) =>
	({
		resource: 'prospect',
		operation: 'enrich',
		prospectIds: '={{ $json.id }}',
		dataSets: ['profile'],
		...spending,
		...more,
	}) as INodeParameters;

const people = (service: Service, count: number) => itemsWith(service.world.prospectIds(count));
const bodies = ({ log }: Service) => log.entries.map(({ body }) => body as IDataObject);
/** An estimate is linked to all of its rows, so that n8n finds no single one. */
const UNLINKED = { expressionAfter: undefined };

const overLimit = (limit: string, needed: string) =>
	`Not requested: this row would exceed the limit of ${limit} (Max Records to Pay); all rows together need ${needed}. Raise the limit, or run the remaining rows later.`;

const overLimitAlone = (limit: string, needed: string) =>
	`Not requested: this row alone may need ${needed}, and Max Records to Pay allows ${limit}. Raise the limit to at least ${needed.split(' ')[0]}.`;

const overLimitError = (limit: string, needed: string) => ({
	message: overLimit(limit, needed),
	field: 'maxRecordsToPay',
});

describe('Max Records to Pay', () => {
	test('the first rows are requested, duplicates of them are free, the rest are error items', async () => {
		const service = await startService();
		const unique = people(service, 120);
		const again = [3, 119, 0].map((of, at) => ({ row: 120 + at, id: unique[of]?.id ?? '' }));

		const run = await service.run(enrich({ maxRecordsToPay: 70 }), [...unique, ...again], CONTINUE);

		expect(service.log.count()).toEqual({ requests: 2, ids: 70, unique: 70, repeated: [] });
		expect(new Set(service.log.idsAskedFor())).toEqual(
			new Set(unique.slice(0, 70).map(({ id }) => id)),
		);
		expect(run.linked).toEqual([...Array(70).keys(), 120, 122]);
		expect(run.linkedErrors).toEqual([...Array.from({ length: 50 }, (_, at) => at + 70), 121]);
		for (const item of run.error) {
			expect(item.json.error).toEqual({
				message: overLimit('70 records', '120'),
				field: 'maxRecordsToPay',
				failed: ['profile'],
			});
		}
		expect(hintsOf(run)).toEqual([
			"123 rows: 69 enriched, 3 without data, 51 not requested (Max Records to Pay). 2 requests, 70 records. 2 duplicates weren't sent again.",
			'Max Records to Pay left out 51 rows. Raise it, or run them later: their errors say which helps.',
		]);
	});

	test('with On Error set to stop, a run beyond the limit fails before anything is sent; within it, there is no difference', async () => {
		const service = await startService();
		const items = [...people(service, 60), ...people(service, 60), { row: 120, id: ' ' }];

		const beyond = await service.run(enrich({ maxRecordsToPay: 59 }), items);
		expect(service.log.entries).toEqual([]);
		const within = await service.run(enrich({ maxRecordsToPay: 60 }), items);
		const without = await service.run(enrich({ maxRecordsToPay: '' }), items);

		expect(beyond.main).toEqual([]);
		expect(beyond.failureText).toBe(
			'Nothing was requested: all rows together need 60 records, and Max Records to Pay allows 59. Raise the limit, or send fewer rows. To get those within it, set On Error to "Continue (using error output)" in the node\'s settings.',
		);
		expect(within.failure).toBeUndefined();
		expect(within.main).toEqual(without.main);
		expect(hintsOf(within)).toEqual(hintsOf(without));
		expect(service.log.count().requests).toBe(4);
	});

	test('0 requests nothing, without a look at the credential', async () => {
		const service = await startService();
		const credentials = { baseUrl: 'not an address', apiKey: 'key' };

		const run = await service.run(enrich({ maxRecordsToPay: 0 }), people(service, 2), {
			...CONTINUE,
			credentials,
		});

		expect(run.error.map((item) => errorOf(item).message)).toEqual(
			Array(2).fill(overLimitAlone('0', '1 record')),
		);
		expect(hintsOf(run)).toEqual([
			'2 rows not requested (Max Records to Pay). 0 requests.',
			'Max Records to Pay left out 2 rows. Raise it, or run them later: their errors say which helps.',
		]);
	});

	test('a limit below what one row may need says so, because waiting would never help', async () => {
		const service = await startService();
		const byName = {
			resource: 'business',
			identifyBy: 'companyName',
			companyName: '={{ $json.name }}',
			dataSets: ['strategy'],
		};
		const items = numbered([{ name: 'Acme' }, { name: 'Globex' }]);

		const run = await service.run(enrich({ maxRecordsToPay: 25 }, byName), items, CONTINUE);
		const stopped = await service.run(enrich({ maxRecordsToPay: 25 }, byName), items);

		expect(run.error.map((item) => errorOf(item).message)).toEqual(
			Array(2).fill(overLimitAlone('25', '26 records')),
		);
		expect(stopped.failureText).toMatch(
			/need 52 records, and Max Records to Pay allows 25\. One row alone may need 26: raise the limit to at least that\.$/,
		);
		expect(service.log.entries).toEqual([]);
	});

	test.each([
		['', 'is empty. Enter a number.'],
		[undefined, 'is empty. Enter a number.'],
		[-1, ': "-1" must be at least 0.'],
		['many', ': "many" is not a whole number.'],
	])('%j from a column is no limit: nothing is sent for any row', async (value, rule) => {
		const service = await startService();
		const [first, second] = people(service, 2);
		const items = [{ ...first, limit: '7' }, { ...second, limit: value } as IDataObject];
		const parameters = enrich({ maxRecordsToPay: '={{ $json.limit }}' });

		const run = await service.run(parameters, items, CONTINUE);
		const stopped = await service.run(parameters, items);

		const message = `Max Records to Pay${rule.startsWith(':') ? '' : ' '}${rule}`;
		const field = 'maxRecordsToPay';
		expect(run.error.map(errorOf)).toEqual([
			{ message: `Nothing was requested, because of row 2: ${message}`, field },
			{ message, field },
		]);
		expect(stopped.failureText).toContain(`Row 2 of 2: ${message}`);
		expect(service.log.entries).toEqual([]);
	});

	test('if an expression gives several limits, the lowest applies; invalid rows and blank IDs do not count', async () => {
		const service = await startService();
		const ids = people(service, 5).map(({ id }) => id);
		const items = numbered(
			[ids[0], 'oops', '', ids[3], ids[4]].map((id, at) => ({ id, limit: [9, 4, 2, 8, 5][at] })),
		);

		const run = await service.run(
			enrich({ maxRecordsToPay: '={{ $json.limit }}' }),
			items as IDataObject[],
			CONTINUE,
		);

		expect(run.linked).toEqual([0, 2, 3]);
		expect(run.linkedErrors).toEqual([1, 4]);
		expect(hintsOf(run)[0]).toBe(
			'5 rows: 2 enriched, 1 without an ID, 1 not requested (Max Records to Pay), 1 failed. 1 request, 2 records.',
		);
	});

	test('an AI tool gets its rows up to the limit, which is 100 at first, and an estimate as a row', async () => {
		const service = await startService();
		const node = new BusinessProspectData();
		node.description = { ...node.description, name: `${node.description.name}Tool` };
		const ids = people(service, 101).map(({ id }) => id);
		const use = async (spending: IDataObject, count: number) =>
			jsonOf((await service.run(enrich(spending), [{ id: ids.slice(0, count) }], { node })).main);

		expect(await use({ maxRecordsToPay: 1 }, 2)).toEqual([
			expect.objectContaining({ prospect_id: ids[0], profile_full_name: expect.any(String) }),
			{ error: { ...overLimitError('1 record', '2'), failed: ['profile'] } },
		]);
		expect((await use({ maxRecordsToPay: 1 }, 4)).slice(1)).toEqual([
			{ error: { ...overLimitError('1 record', '4'), failed: ['profile'], times: 3 } },
		]);
		service.log.clear();
		expect((await use({}, 101)).filter(({ error }) => error !== undefined)).toHaveLength(1);
		expect(service.log.count()).toMatchObject({ ids: 100 });
		service.log.clear();
		expect(await use({ options: { estimateOnly: true } }, 3)).toMatchObject([
			{ records: 3, requests: 1 },
		]);
		expect(service.log.entries).toEqual([]);
	});
});

describe('Estimate Only', () => {
	const ESTIMATE = { options: { estimateOnly: true } };

	test('shows the credits that have a published price, and names what has none, as the run does', async () => {
		const service = await startService();
		const emails = { dataSets: ['emails', 'networkPosts'] };
		const person = { identifyBy: 'personDetails', email: '={{ $json.mail }}' };
		const { mailbox, company } = service.world.person(1);
		const items = [{ mail: `${mailbox}@${service.world.company(company).domain}` }];

		const estimate = await service.run(enrich({ ...ESTIMATE, ...person }, emails), items, UNLINKED);
		const run = await service.run(enrich(person, emails), items);
		const known = await service.run(enrich({}, { dataSets: ['phoneNumbers'] }), people(service, 3));

		expect(jsonOf(estimate.main)).toMatchObject([
			{ known_credits: 2, without_known_price: 'Matches, Network Posts' },
		]);
		expect(hintsOf(estimate)[0]).toMatch(
			/3 records\. Known price: 2 credits\. No price is published for Matches, Network Posts\.$/,
		);
		expect(hintsOf(run)[0]).toContain('3 records (1 match, at least 2 credits)');
		expect(hintsOf(known)[0]).toContain('3 records (15 credits)');
	});

	test('sends nothing and returns one row, linked to the rows that it is about', async () => {
		const service = await startService();
		const items = [
			...people(service, 120),
			{ row: 120, id: 'oops' },
			{ row: 121, id: '' },
			{ row: 122, id: service.world.prospectId(3) },
		];
		const run = await service.run(
			enrich(ESTIMATE, { dataSets: ['profile', 'emails', 'phoneNumbers'] }),
			items,
			{
				...CONTINUE,
				...UNLINKED,
			},
		);

		expect(service.log.entries).toEqual([]);
		const [{ json, pairedItem } = { json: {} }] = run.main;
		expect(run.main).toHaveLength(1);
		expect(json).toEqual({
			records: 242,
			unique_records: 240,
			requests: 6,
			at_most: false,
			records_over_limit: 0,
			known_credits: 0,
			without_known_price: 'Profile, Emails and Phone Numbers',
		});
		expect(pairedItem).toEqual(items.flatMap(({ row }) => (row === 120 ? [] : [{ item: row }])));
		expect(run.error.map(itemOf)).toEqual([120]);
		expect(hintsOf(run)).toEqual([
			'Estimate, nothing was sent: the run takes 6 requests for 240 records. No price is published for Profile, Emails and Phone Numbers.',
		]);
	});

	test('counts the records beyond the limit, also if On Error would stop the run', async () => {
		const service = await startService();

		const run = await service.run(
			enrich(
				{ ...ESTIMATE, maxRecordsToPay: 3 },
				{ dataSets: ['profile', 'emails', 'phoneNumbers'] },
			),
			people(service, 2),
			UNLINKED,
		);

		expect(run.failure).toBeUndefined();
		expect(jsonOf(run.main)).toMatchObject([{ records_over_limit: 2 }]);
		expect(hintsOf(run)[1]).toBe(
			'4 records are more than Max Records to Pay (3). A run requests 2 of them; the other rows fail. If On Error is Stop Workflow, it fails and requests nothing.',
		);
	});

	test('needs no credential; an invalid row stops it as it would stop the run', async () => {
		const service = await startService();
		const more = { credentials: { baseUrl: 'nowhere', apiKey: 'key' }, ...UNLINKED };

		const blank = await service.run(enrich(ESTIMATE), [{ id: '' }, { id: null }], more);
		const stopped = await service.run(enrich(ESTIMATE), [{ id: 'oops' }], more);

		expect(jsonOf(blank.main)).toMatchObject([{ records: 0, requests: 0 }]);
		expect(stopped.failureText).toMatch(/^Prospect IDs: "oops" is not/);
	});

	test('an expression that is true for any row applies to all; one that cannot be read stops all', async () => {
		const service = await startService();
		const items = people(service, 3).map((one) => ({ ...one, only: one.row === 1 }));
		const parameters = enrich({ options: { estimateOnly: '={{ $json.only }}' } });
		const all = await service.run(parameters, items, UNLINKED);

		expect(jsonOf(all.main)).toMatchObject([{ records: 3 }]);
		for (const only of ['', ' \u200b', null, undefined, 'maybe']) {
			const rows = [items[0], { ...items[2], only }] as IDataObject[];
			const run = await service.run(parameters, rows, CONTINUE);
			expect([only, ...run.error.map((item) => errorOf(item).field)]).toEqual([
				only,
				'estimateOnly',
				'estimateOnly',
			]);
		}
		expect(service.log.entries).toEqual([]);
	});
});

test.each<[what: string, firstRow: IDataObject]>([
	['an invalid row', { id: 'oops' }],
	['a row with another invalid option', { input: 'maybe' }],
])('%s keeps its guards: nothing is paid for the others', async (_what, firstRow) => {
	const service = await startService();
	const [first, second] = people(service, 2);
	const items = [
		{ ...first, row: 0, input: false, only: true, limit: 0, ...firstRow },
		{ ...second, row: 1, input: false, only: false, limit: 9 },
	];

	const estimate = await service.run(
		enrich({
			options: { estimateOnly: '={{ $json.only }}', includeInputFields: '={{ $json.input }}' },
		}),
		items,
		CONTINUE,
	);
	const limited = await service.run(
		enrich({
			maxRecordsToPay: '={{ $json.limit }}',
			options: { includeInputFields: '={{ $json.input }}' },
		}),
		items,
		CONTINUE,
	);

	expect(service.log.entries).toEqual([]);
	expect(jsonOf(estimate.main)).toMatchObject([{ records: 1 }]);
	expect(limited.error).toHaveLength(2);
	const error = limited.error.find(({ json }) => json.row === 1);
	expect(errorOf(error).message).toBe(overLimitAlone('0', '1 record'));
});

test('an option whose expression fails for a row fails that row only, whatever the run may spend', async () => {
	const service = await startService();
	const items = people(service, 2).map((one) => ({ ...one, broken: one.row === 0 }));
	const includeInputFields = "={{ $json.broken ? $('Nowhere').first() : false }}";

	const run = await service.run(enrich({ options: { includeInputFields } }), items, CONTINUE);

	expect([run.linkedErrors, run.linked]).toEqual([[0], [1]]);
});

const anyRows = fc.array(
	fc.record({
		ids: fc.array(fc.nat(30), { maxLength: 12 }),
		sets: fc.nat(),
		invalid: fc.nat(9).map((chance) => chance === 0),
	}),
	{ minLength: 1, maxLength: 25 },
);
const anySending = fc.record({
	requestMode: fc.constantFrom('single', 'batched'),
	batchSize: fc.constantFrom(1, 2, 7, 49, 50),
	limit: fc.nat(60),
});

/** The chosen members of a list, at least one. */
const chosenOf = (all: readonly string[], bits: number): string[] => {
	const chosen = all.filter((_, at) => (bits >> at) % 2 === 1);
	return chosen.length > 0 ? chosen : all.slice(0, 1);
};

test.each([
	{ name: 'Prospect: Enrich', resource: 'prospect', dataSets: PROSPECT_DATA_SETS },
	{ name: 'Business: Enrich', resource: 'business', dataSets: BUSINESS_DATA_SETS },
	{ name: 'Prospect: Match', resource: 'prospect', dataSets: [] },
])('an estimate is what a run sends: $name', async ({ resource, dataSets }) => {
	const service = await startService({ people: 40, companies: 40 });
	const idOf = (of: number) =>
		resource === 'prospect' ? service.world.prospectId(of) : service.world.businessId(of);
	const values = dataSets.map(({ value }) => value);
	await fc.assert(
		fc.asyncProperty(anyRows, anySending, async (rows, { limit, ...sending }) => {
			const items = rows.map(({ ids, sets, invalid }, row) => ({
				row,
				id: invalid ? 'oops' : ids.map(idOf).join(),
				email: `${ids[0] ?? 'nobody'}@example.com`,
				sets: chosenOf(values, sets),
			}));
			const target =
				values.length === 0
					? { operation: 'match', email: '={{ $json.email }}' }
					: {
							operation: 'enrich',
							[`${resource}Ids`]: '={{ $json.id }}',
							dataSets: '={{ $json.sets }}',
						};
			/** The run, and the numbers of its requests and records. */
			const send = async (spending: IDataObject, options: IDataObject = {}) => {
				service.clear();
				const run = await service.run(
					{
						resource,
						...target,
						options: { ...sending, ...options },
						...spending,
					} as INodeParameters,
					items,
					{ ...CONTINUE, ...UNLINKED },
				);
				const { entries } = service.log;
				return { run, sent: [entries.length, entries.flatMap(({ ids }) => ids).length] };
			};

			const { run: estimate, sent: nothing } = await send({}, { estimateOnly: true });
			const { run, sent } = await send({});
			const { run: limited, sent: within } = await send({ maxRecordsToPay: limit });
			const { run: over } = await send({ maxRecordsToPay: limit }, { estimateOnly: true });

			const [, total = 0] = sent;
			const [, paid = 0] = within;
			const [row] = jsonOf(estimate.main);
			expect(nothing).toEqual([0, 0]);
			expect(estimate.error).toEqual(run.error);
			if (row !== undefined) expect([row.requests, row.unique_records]).toEqual(sent);
			else expect(total).toBe(0);
			if (total > 0) expect(hintsOf(run)[0]).toContain(`, ${total} record`);
			expect(paid).toBeLessThanOrEqual(limit);
			if (total <= limit) expect(limited.main).toHaveLength(run.main.length);
			if (row !== undefined) expect(jsonOf(over.main)[0]?.records_over_limit).toBe(total - paid);
		}),
		// Shrinking a counterexample would take minutes.
		{ numRuns: bySize(4, 12), endOnFailure: true },
	);
});

describe('people by their details', () => {
	const byDetails = (operation: string, spending: IDataObject) =>
		enrich(spending, {
			operation,
			identifyBy: 'personDetails',
			moreDetails: { network: '={{ $json.url }}' },
			dataSets: ['emails', 'phoneNumbers', 'profile'],
		});
	const rowsOf = ({ world }: Service, people: number[]) =>
		numbered(people.map((person) => ({ url: world.person(person).network })));

	test.each([
		['enrich', 7, '7 records', '9', 'profileBulk'],
		['getEvents', 5, '5 records', '6', 'prospectEvents'],
	] as const)(
		'%s: the match counts as a record; people beyond the limit are not even matched',
		async (operation, maxRecordsToPay, limit, needed, endpoint) => {
			const service = await startService();
			const rows = rowsOf(service, [0, 1, 2, 0]);

			const run = await service.run(byDetails(operation, { maxRecordsToPay }), rows, CONTINUE);

			expect(service.log.count('match')).toMatchObject({ requests: 1, ids: 2 });
			expect(service.log.count(endpoint)).toMatchObject({ requests: 1, ids: 2 });
			expect(run.linkedErrors).toEqual([2]);
			expect(errorOf(run.error[0])).toEqual({
				message: overLimit(limit, needed),
				field: 'maxRecordsToPay',
			});
			expect(hintsOf(run)[0]).toMatch(/ 1 (row )?not requested \(Max Records to Pay\)/);
		},
	);
});

describe('the bounds of the contract', () => {
	let service: Service;
	const startAt = async (moment: string) => {
		const now = stopClock(moment);
		service = await startService({ now: () => now, people: 110, companies: 110, eventsPerDay: 0 });
	};
	beforeEach(async () => await startAt('2026-11-18T12:00:00Z'));
	afterEach(() => {
		expect(service.log.entries.filter(({ status }) => status !== 200)).toEqual([]);
	});

	/** The run fails before anything is sent. */
	async function expectRejected(
		parameters: INodeParameters,
		message: string | RegExp,
		items: IDataObject[],
	): Promise<void> {
		const { failureText } = await service.run(parameters, items);
		expect(failureText).toMatch(message);
		expect(service.log.entries).toEqual([]);
	}

	const ids: INodeParameters = {
		prospectIds: '={{ $json.id }}',
		businessIds: '={{ $json.id }}',
		email: '={{ $json.id }}@example.com',
	};
	const prospect = (operation: string, more: INodeParameters = {}): INodeParameters => ({
		...ids,
		resource: 'prospect',
		operation,
		dataSets: ['profile'],
		...more,
	});
	const business = (operation: string, ...dataSets: string[]): INodeParameters => ({
		...ids,
		resource: 'business',
		operation,
		dataSets,
	});
	const valuesOf = (sets: ReadonlyArray<{ value: string }>) => sets.map(({ value }) => value);
	const oneCompany = () => [{ id: service.world.businessId(1) }];

	test.each<[string, number, INodeParameters]>([
		['people to enrich', 50, prospect('enrich', { dataSets: valuesOf(PROSPECT_DATA_SETS) })],
		['companies to enrich', 50, business('enrich', ...valuesOf(BUSINESS_DATA_SETS))],
		['people with events', 40, prospect('getEvents')],
		['companies with events', 40, business('getEvents')],
		['people to match', 50, prospect('match')],
	])(
		'%s: %i per request; Batch Size makes requests smaller, not larger',
		async (_name, limit, parameters) => {
			/** The sizes of the requests to the first endpoint. */
			const sizes = async (count: number, batchSize?: number) => {
				const { businessIds, prospectIds } = service.world;
				const all = (parameters.resource === 'business' ? businessIds : prospectIds)(count);
				const options = batchSize === undefined ? {} : { batchSize };
				service.log.clear();
				await service.run({ ...parameters, options }, itemsWith(all));
				const [first] = service.log.entries;
				const own = service.log.entries.filter(({ endpoint }) => endpoint === first?.endpoint);
				return own.map(({ ids: { length } }) => length).sort((a, b) => b - a);
			};

			expect(await sizes(limit)).toEqual([limit]);
			expect(await sizes(2 * limit + 1)).toEqual([limit, limit, 1]);
			expect(await sizes(3, 1)).toEqual([1, 1, 1]);
			expect(await sizes(limit + 1, limit + 1)).toEqual([limit, 1]);
		},
	);

	const HEX = '0123456789abcdef'.repeat(3);
	const ID = '={{ $json.id }}';
	const moreDetails = { businessId: ID };
	const filteredBy = (name: string) => prospect('getAll', { filters: { [name]: [{ value: ID }] } });
	test.each<[string, 40 | 32, string, INodeParameters]>([
		['Prospect IDs', 40, 'prospectIds', prospect('enrich')],
		['Prospect IDs', 40, 'prospectIds', prospect('getEvents')],
		['Business IDs', 32, 'businessIds', business('enrich', 'intent')],
		['Business IDs', 32, 'businessIds', business('getEvents')],
		['Exclude Prospect IDs', 40, 'exclude', prospect('getAll', { options: { exclude: ID } })],
		['Prospect IDs', 40, 'prospect_id', filteredBy('prospect_id')],
		['Business IDs', 32, 'business_id', filteredBy('business_id')],
		['Business ID', 32, 'businessId', prospect('match', { email: 'a@b.example', moreDetails })],
	])(
		'%s of %i characters in %s: others are refused before anything is sent',
		async (name, length, field, parameters) => {
			const right = [HEX.slice(0, length), HEX.slice(0, length).toUpperCase()];
			const wrong = [
				HEX.slice(0, length - 1),
				HEX.slice(0, length + 1),
				`g${HEX.slice(1, length)}`,
			];
			const items = itemsWith([...right, ...wrong]);
			const what = length === 40 ? 'a prospect ID' : 'a business ID';

			await expectRejected(parameters, `Row 3 of 5: ${name}: "${wrong[0]}" is not ${what}.`, items);

			const run = await service.run(parameters, items, CONTINUE);
			expect(run.linkedErrors).toEqual([2, 3, 4]);
			expect(run.error.map((item) => errorOf(item).field)).toEqual([field, field, field]);
			expect(service.log.entries).toHaveLength(1);
			expect(JSON.stringify(bodies(service))).not.toMatch(/[A-F]{2}/);
		},
	);

	const scored = (minScore: string) => ({
		...business('enrich', 'intent'),
		options: { minScore },
	});
	const month = (monthPeriod: string) => ({ ...business('enrich', 'websiteTraffic'), monthPeriod });

	test.each<[string, INodeParameters]>([
		['Event Types: choose at least one of: ', { ...business('getEvents'), eventTypes: [] }],
		['Intent Minimum Score: "60" must be at least 61.', scored('60')],
		...['2016-12', '2026-11'].map((value): [string, INodeParameters] => [
			`Traffic Month: "${value}" is outside the traffic data, which covers 2017-01 to 2026-10.`,
			month(value),
		]),
		...['2026-13', '2026-00', '2026-5', '2026-09-01'].map((value): [string, INodeParameters] => [
			`Traffic Month: "${value}" is not a month such as 2026-10.`,
			month(value),
		]),
	])('%s: nothing is sent', async (message, parameters) => {
		await expectRejected(parameters, message, oneCompany());
	});

	// The machine's time zone may be in another month.
	test.each([
		['2027-01-01T00:00:00Z', '2026-12', '2027-01'],
		['2026-12-31T23:59:59Z', '2026-11', '2026-12'],
	])('at %s the last month of the traffic data is %s', async (moment, last, next) => {
		await startAt(moment);

		const run = await service.run(
			month('={{ $json.month }}'),
			[last, next].map((own) => ({ ...oneCompany()[0], month: own })),
			CONTINUE,
		);

		expect(run.main).toHaveLength(1);
		expect(errorOf(run.error[0]).message).toContain(`"${next}" is outside`);
	});
});

describe('events of the last 3 months', () => {
	const start = async (moment: string) => {
		const now = stopClock(moment);
		return await startService({ now: () => now, eventsPerDay: 0 });
	};
	const NOW = '2026-11-18T12:00:00Z';
	const getEvents = async (service: Service, resource: string, from: string, to = '') =>
		await service.run({
			resource,
			operation: 'getEvents',
			prospectIds: service.world.prospectId(1),
			businessIds: service.world.businessId(1),
			timestampFrom: from,
			options: { timestampTo: to },
		});

	test.each([
		['2026-08-16T12:00:00Z', '', 'From: "2026-08-16T12:00:00Z" is more than 3 months ago'],
		['2020-01-01', '', 'From: "2020-01-01" is more than 3 months ago'],
		['', '2026-08-18T11:59:59Z', 'To: "2026-08-18T11:59:59Z" is more than 3 months ago'],
		['2026-11-02', '2026-11-01', 'From: "2026-11-02" must be earlier than To.'],
	])('of people, from %j to %j is refused before anything is sent', async (from, to, message) => {
		const service = await start(NOW);

		expect((await getEvents(service, 'prospect', from, to)).failureText).toContain(message);
		expect(service.log.entries).toEqual([]);
	});

	test.each([
		['2026-08-10', ''],
		['2020-01-01', '2020-02-01'],
		['', '2020-02-01'],
	])('of companies, from %j to %j is sent, with a hint', async (from, to) => {
		const service = await start(NOW);

		const run = await getEvents(service, 'business', from, to);

		const sent = (day: string) => (day === '' ? undefined : `${day}T00:00:00.000Z`);
		const [body] = bodies(service);
		expect([body?.timestamp_from, body?.timestamp_to]).toEqual([
			sent(from),
			to === '' ? undefined : `${to}T23:59:59.999Z`,
		]);
		expect(hintsOf(run)).toContainEqual(expect.stringMatching(/more than 3 months/));
	});
});
