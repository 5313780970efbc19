/** The account's own prices, from the credential: in estimates, in the hint after a run, and for Max Credits to Pay. */
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { errorOf } from '../harness/engine';
import { priceList } from '../harness/prices';
import { personalEmail } from '../sandbox/world/prospect-data';
import { bySize } from '../size';
import { CONTINUE, hintsOf, jsonOf, numbered, type Service, startService } from './service';

type PriceList = Readonly<Record<string, unknown>>;

const enrich = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.id }}',
	...more,
});

const byEmail = (more: INodeParameters = {}): INodeParameters =>
	enrich({ identifyBy: 'personDetails', email: '={{ $json.email }}', ...more });

/** The credential with prices, by what they are for. */
const withPrices = ({ url, apiKey }: Service, prices: PriceList) => ({
	credentials: {
		baseUrl: url,
		apiKey,
		prices: priceList(prices),
	},
});

const people = (service: Service, count: number) =>
	numbered(service.world.prospectIds(count).map((id) => ({ id })));

/** People with an email that matches them. */
const known = ({ world }: Service, count: number) => {
	const emails = Array.from({ length: 60 }, (_, n) => personalEmail(world.person(n)));
	return numbered(
		emails
			.filter((email) => email !== undefined)
			.slice(0, count)
			.map((email) => ({ email })),
	);
};

const estimateOnly = { estimateOnly: true };
const NO_EXPRESSION = { expressionAfter: undefined };

describe('Estimate Only', () => {
	test.each<[PriceList, INodeParameters, number | null, string]>([
		[{ profile: '1' }, {}, 3, 'They cost about 3 credits.'],
		[{ profile: '0' }, {}, 0, 'They cost about 0 credits.'],
		[{ profile: 0.1 }, {}, 0.3, 'They cost about 0.3 credits.'],
		[{ profile: ' 1234.5 ' }, {}, 3703.5, 'They cost about 3,703.5 credits.'],
		[
			{ profile: '1' },
			{ dataSets: ['contacts', 'profile', 'networkPosts'] },
			null,
			'The credential has no price for: Prospect: Contacts, Email and Phone, Prospect: Network Posts. Add it there under Prices.',
		],
		[{ contacts: '4' }, { dataSets: ['contacts'] }, 12, 'They cost about 12 credits.'],
		[
			{ profile: '1' },
			{ dataSets: ['contacts', 'profile'], contactTypes: 'email' },
			9,
			'They cost about 9 credits. The service itself publishes the price of: Prospect: Contacts, Email Only.',
		],
		[
			{ contactsEmail: '1' },
			{ dataSets: ['contacts'], contactTypes: 'email' },
			3,
			'They cost about 3 credits.',
		],
		[
			{ technologyStack: '1' },
			{},
			null,
			'The credential has no price for: Prospect: Profile. Add it there under Prices.',
		],
	])('%j, %j', async (prices, parameters, credits, sentence) => {
		const service = await startService();

		const run = await service.run(
			enrich({ ...estimateOnly, ...parameters }),
			[...people(service, 3), ...people(service, 1)],
			{ ...withPrices(service, prices), ...NO_EXPRESSION },
		);

		expect(jsonOf(run.main)).toMatchObject([{ unique_records: expect.any(Number), credits }]);
		expect(run.main[0]?.json.credits_reason).toBe(credits === null ? sentence : null);
		expect(hintsOf(run)[0]).toMatch(new RegExp(`records\\. ${sentence.replace(/[.]/g, '\\.')}$`));
	});

	test('counts the matches of people by their details', async () => {
		const service = await startService();

		const run = await service.run(byEmail(estimateOnly), known(service, 8), {
			...withPrices(service, { profile: '2', match: '1' }),
			...NO_EXPRESSION,
		});

		expect(jsonOf(run.main)).toMatchObject([{ credits: 24, at_most: true }]);
	});

	test('an invalid price leaves the credits open, even of what has a published price', async () => {
		const service = await startService();
		const emails = { dataSets: ['contacts'], contactTypes: 'email' };

		const run = await service.run(enrich({ ...estimateOnly, ...emails }), people(service, 1), {
			...withPrices(service, { profile: 'two' }),
			...NO_EXPRESSION,
		});

		expect(jsonOf(run.main)).toMatchObject([
			{
				credits: null,
				credits_reason: expect.stringMatching(
					/^In the credential, Prices: Prospect: Profile: "two" is not a number/,
				) as string,
			},
		]);
	});

	test('says what a run would leave out for its credits', async () => {
		const service = await startService();

		const run = await service.run(
			enrich({ ...estimateOnly, maxCreditsToPay: 5 }),
			people(service, 4),
			{ ...withPrices(service, { profile: '2' }), ...NO_EXPRESSION },
		);

		expect(jsonOf(run.main)).toMatchObject([{ credits: 8, records_over_limit: 2 }]);
		expect(hintsOf(run)[1]).toBe(
			'8 credits are more than Max Credits to Pay (5). A run pays 4 of them; the other rows fail. If On Error is Stop Workflow, it fails and requests nothing.',
		);
	});
});

describe('the hint after a run', () => {
	test.each<[PriceList, INodeParameters, string]>([
		[{ profile: '2' }, {}, '3 rows enriched. 1 request, 3 records, about 6 credits.'],
		[
			{ profile: '2' },
			{ dataSets: ['contacts', 'profile'] },
			'3 rows enriched. 2 requests, 6 records, about 6 credits without Prospect: Contacts, Email and Phone.',
		],
		[{ match: '2' }, {}, '3 rows enriched. 1 request, 3 records.'],
		[{}, {}, '3 rows enriched. 1 request, 3 records.'],
	])('%j, %j: %s', async (prices, parameters, expected) => {
		const service = await startService();

		const run = await service.run(
			enrich(parameters),
			people(service, 3),
			withPrices(service, prices),
		);

		expect(hintsOf(run)).toEqual([expected]);
	});

	test('counts what was sent: a match that finds nobody has no profile', async () => {
		const service = await startService();
		const rows = numbered([...known(service, 2), { email: 'nobody@nowhere.example' }]);

		const run = await service.run(
			byEmail(),
			rows,
			withPrices(service, { match: '1', profile: '10' }),
		);

		expect(hintsOf(run)[0]).toBe(
			'3 rows: 2 enriched, 1 without a match. 2 requests, 5 records, 3 of them for lookups, about 23 credits.',
		);
	});

	test('counts events by their people', async () => {
		const service = await startService();

		const run = await service.run(
			enrich({ operation: 'getEvents' }),
			people(service, 3),
			withPrices(service, { prospectEvents: '0.5' }),
		);

		expect(hintsOf(run)[0]).toMatch(/in 1 request for 3 records, about 1\.5 credits\.$/);
	});

	test('does not count a request that fails', async () => {
		const service = await startService();
		service.fault({ do: { kind: 'status', status: 402 } });

		const run = await service.run(enrich(), people(service, 3), {
			...withPrices(service, { profile: '2' }),
			...CONTINUE,
		});

		expect(hintsOf(run)[0]).toBe('3 rows failed. 0 requests.');
	});

	test('an invalid price stops nothing that has no limit, and is named', async () => {
		const service = await startService();

		const run = await service.run(
			enrich(),
			people(service, 3),
			withPrices(service, { profile: 'two' }),
		);

		expect(run.linked).toEqual([0, 1, 2]);
		expect(hintsOf(run)).toEqual([
			'3 rows enriched. 1 request, 3 records.',
			'In the credential, Prices: Prospect: Profile: "two" is not a number of credits, such as 2 or 0.5. It must be from 0 to 1,000,000, with at most 3 decimals.',
		]);
	});
});

test('operations whose records differ in price have Max Credits to Pay', () => {
	const limited = OPERATIONS.filter(({ properties }) =>
		properties.some(({ name }) => name === 'maxCreditsToPay'),
	);

	expect(limited.map(({ resource, value }) => `${resource}/${value}`)).toEqual([
		'business/enrich',
		'business/getEvents',
		'prospect/enrich',
		'prospect/getEvents',
	]);
});

const overLimit = (limit: string, needed: string) =>
	`Not requested: this row would exceed the limit of ${limit} (Max Credits to Pay); all rows together need ${needed}. Raise the limit, or run the remaining rows later.`;

describe('Max Credits to Pay', () => {
	test('the first rows are requested, duplicates of them are free, the rest are error items', async () => {
		const service = await startService();
		const unique = people(service, 120);
		const rows = numbered([...unique, unique[3] ?? {}, unique[119] ?? {}]);

		const run = await service.run(enrich({ maxCreditsToPay: 141 }), rows, {
			...withPrices(service, { profile: '2' }),
			...CONTINUE,
		});

		expect(service.log.count()).toEqual({ requests: 2, ids: 70, unique: 70, repeated: [] });
		expect(run.linked).toEqual([...Array(70).keys(), 120]);
		expect(run.linkedErrors).toEqual([...Array.from({ length: 50 }, (_, at) => at + 70), 121]);
		expect(errorOf(run.error[0])).toEqual({
			message: overLimit('141 credits', '240'),
			field: 'maxCreditsToPay',
			failed: ['profile'],
		});
		expect(hintsOf(run)).toEqual([
			"122 rows: 68 enriched, 3 without data, 51 not requested (Max Credits to Pay). 2 requests, 70 records, about 140 credits. 1 duplicate wasn't sent again.",
		]);
	});

	test('with On Error set to stop, a run beyond the limit fails before anything is sent', async () => {
		const service = await startService();

		const run = await service.run(
			enrich({ maxCreditsToPay: 5 }),
			people(service, 3),
			withPrices(service, { profile: '2' }),
		);

		expect(service.log.entries).toEqual([]);
		expect(run.failureText).toBe(
			'Nothing was requested: all rows together need 6 credits, and Max Credits to Pay allows 5. Raise the limit, or send fewer rows.',
		);
	});

	test.each<[what: string, PriceList, limit: unknown, rows: number, requested: number]>([
		['all', { profile: '2' }, 6, 3, 3],
		['a limit below the price of one record', { profile: '2' }, 1, 3, 0],
		['no credits', { profile: '2' }, 0, 3, 0],
		['records that cost nothing', { profile: '0' }, 0, 3, 3],
		['decimals without rounding errors', { profile: '0.7' }, 7, 12, 10],
		['a limit as text', { profile: '2' }, ' 4 ', 3, 2],
	])('%s', async (_what, prices, maxCreditsToPay, rows, requested) => {
		const service = await startService();

		const run = await service.run(
			enrich({ maxCreditsToPay: maxCreditsToPay as number }),
			people(service, rows),
			{ ...withPrices(service, prices), ...CONTINUE },
		);

		expect([service.log.count().ids, run.main.length, run.error.length]).toEqual([
			requested,
			requested,
			rows - requested,
		]);
	});

	test.each<[INodeParameters, string, string]>([
		[{ maxRecordsToPay: 2, maxCreditsToPay: 100 }, 'maxRecordsToPay', '2 records'],
		[{ maxRecordsToPay: 3, maxCreditsToPay: 5 }, 'maxCreditsToPay', '5 credits'],
	])('of two limits, the stricter one counts: %j', async (parameters, field, limit) => {
		const service = await startService();

		const run = await service.run(enrich(parameters), people(service, 4), {
			...withPrices(service, { profile: '2' }),
			...CONTINUE,
		});

		expect([run.linked, run.linkedErrors]).toEqual([
			[0, 1],
			[2, 3],
		]);
		expect(errorOf(run.error[0])).toMatchObject({
			field,
			message: expect.stringContaining(`the limit of ${limit}`) as string,
		});
	});

	test('counts matches, and people beyond the limit are not even matched', async () => {
		const service = await startService();

		const run = await service.run(byEmail({ maxCreditsToPay: 23 }), known(service, 3), {
			...withPrices(service, { match: '1', profile: '10' }),
			...CONTINUE,
		});

		expect(service.log.count('match')).toMatchObject({ requests: 1, ids: 2 });
		expect([run.linked, run.linkedErrors]).toEqual([[0, 1], [2]]);
	});

	test('Find by work email pays for the matches', async () => {
		const service = await startService();
		const rows = known(service, 3);

		const run = await service.run(
			{
				resource: 'business',
				operation: 'find',
				identifyBy: 'workEmail',
				workEmail: '={{ $json.email }}',
				maxRecordsToPay: 2,
			},
			rows,
			{ ...withPrices(service, { match: '2' }), ...CONTINUE },
		);

		expect(service.log.count('match')).toMatchObject({ ids: 2 });
		expect(run.linkedErrors).toEqual([2]);
		expect(hintsOf(run)[0]).toContain('2 records, about 4 credits');
	});

	test('rows that Skip Rows leaves out cost nothing', async () => {
		const service = await startService();
		const rows = people(service, 4).map((row) => ({ ...row, done: row.row < 2 ? 'x' : '' }));

		const run = await service.run(
			enrich({
				maxCreditsToPay: 4,
				options: { skipRows: { filledField: '={{ $json.done }}' } },
			}),
			rows,
			withPrices(service, { profile: '2' }),
		);

		expect(hintsOf(run)).toEqual([
			'4 rows: 2 enriched, 2 skipped. 1 request, 2 records, about 4 credits.',
		]);
	});

	const needs = 'Nothing was requested: Max Credits to Pay needs a price for each record. ';
	const orUnlimited = ' Or set Max Credits to Pay to "unlimited".';

	test.each<[PriceList, INodeParameters, string]>([
		[{}, {}, 'The credential has no price for: Prospect: Profile. Add it there under Prices.'],
		[
			{ profile: '1' },
			{ dataSets: ['contacts', 'profile'] },
			'The credential has no price for: Prospect: Contacts, Email and Phone. Add it there under Prices.',
		],
		[
			{ profile: '1' },
			{ identifyBy: 'personDetails', email: 'ada@acme.example' },
			'The credential has no price for: Prospect: Match. Add it there under Prices.',
		],
		[
			{ profile: '-1' },
			{},
			'In the credential, Prices: Prospect: Profile: "-1" is not a number of credits, such as 2 or 0.5. It must be from 0 to 1,000,000, with at most 3 decimals.',
		],
		[
			{ profile: '' },
			{},
			'In the credential, Prices: Prospect: Profile has no price. Enter a number of credits, such as 2 or 0.5.',
		],
	])('without a price, nothing is sent: %j, %j', async (prices, parameters, reason) => {
		const service = await startService();
		const message = needs + reason + orUnlimited;
		const limited = enrich({ maxCreditsToPay: 1_000, ...parameters });
		const options = withPrices(service, prices);
		const rows = people(service, 2).slice(1);

		const run = await service.run(limited, rows, { ...options, ...CONTINUE });
		const stopped = await service.run(limited, rows, options);
		const estimate = await service.run({ ...limited, ...estimateOnly }, rows, {
			...options,
			...NO_EXPRESSION,
		});

		expect(service.log.entries).toEqual([]);
		expect(errorOf(run.error[0])).toMatchObject({ message, field: 'maxCreditsToPay' });
		expect(hintsOf(run)[0]).toBe('1 row not requested (Max Credits to Pay). 0 requests.');
		expect(stopped.failureText).toBe(message);
		expect(hintsOf(estimate)[1]).toBe(
			message.replace('Nothing was requested', 'A run requests nothing'),
		);
	});

	test('published prices are enough where the service has them', async () => {
		const service = await startService();
		const emails = { dataSets: ['contacts'], contactTypes: 'email', maxCreditsToPay: 5 };

		const run = await service.run(enrich(emails), people(service, 3), CONTINUE);

		expect([run.linked, run.linkedErrors]).toEqual([[0, 1], [2]]);
		expect(hintsOf(run)).toEqual([
			'3 rows: 2 enriched, 1 not requested (Max Credits to Pay). 2 requests, 2 records.',
		]);
	});

	test('an AI tool gets its rows up to the limit', async () => {
		const service = await startService();
		const node = new BusinessProspectData();
		node.description = { ...node.description, name: `${node.description.name}Tool` };

		const run = await service.run(
			enrich({ maxCreditsToPay: 3 }),
			[{ id: service.world.prospectIds(2) }],
			{ ...withPrices(service, { profile: '2' }), node },
		);

		expect(jsonOf(run.main)).toEqual([
			expect.objectContaining({ prospect_id: service.world.prospectId(0) }),
			{ error: expect.objectContaining({ message: overLimit('3 credits', '4') }) },
		]);
	});
});

const PRICES = { profile: 1, contacts: 3, networkPosts: 0.25, match: 0.5 };
const anyRows = fc.array(
	fc.record({
		person: fc.nat(20),
		sets: fc.subarray(['profile', 'contacts', 'networkPosts'], { minLength: 1 }),
	}),
	{ minLength: 1, maxLength: 20 },
);

test.each([false, true])(
	'whatever goes wrong, what is requested never costs more than the limit; by details: %s',
	async (byDetails) => {
		const service = await startService({ people: 30 });
		const emails = known(service, 21);
		const faults = [
			...[402, 422, 500].map((status) => ({ kind: 'status', status }) as const),
			{ kind: 'invalid', names: 'nothing' } as const,
			{ kind: 'drop' } as const,
			undefined,
		];
		await fc.assert(
			fc.asyncProperty(
				anyRows,
				fc.nat(60),
				fc.constantFrom(1, 3, 50),
				fc.constantFrom(...faults),
				async (rows, maxCreditsToPay, batchSize, fault) => {
					service.clear();
					const rule = fault && service.fault({ do: fault });
					const items = numbered(
						rows.map(({ person, sets }) => ({
							id: service.world.prospectId(person),
							email: emails[person % emails.length]?.email ?? '',
							sets,
						})),
					);
					const run = await service.run(
						{
							...(byDetails ? byEmail() : enrich()),
							dataSets: '={{ $json.sets }}',
							maxCreditsToPay,
							options: { requests: { batchSize, maxTries: 2, maxWait: 1 } },
						},
						items,
						{ ...withPrices(service, PRICES), ...CONTINUE },
					);
					rule?.remove();

					const costs: Record<string, number> = {
						match: PRICES.match,
						profileBulk: PRICES.profile,
						contactsBulk: PRICES.contacts,
						postsBulk: PRICES.networkPosts,
					};
					const paid = new Map(
						service.log.entries.flatMap(({ endpoint, ids }) =>
							ids.map((id) => [`${endpoint} ${id}`, costs[endpoint ?? ''] ?? NaN]),
						),
					);
					const total = [...paid.values()].reduce((sum, cost) => sum + cost, 0);
					expect(run.failure ?? run.task?.error).toBeUndefined();
					expect(total).toBeLessThanOrEqual(maxCreditsToPay);
					expect([...new Set([...run.linked, ...run.linkedErrors])].sort()).toEqual(
						items.map(({ row }) => row).sort(),
					);
				},
			),
			{ numRuns: bySize(10, 60) },
		);
	},
);
