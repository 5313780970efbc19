/**
 * What guards against unwanted costs: Max Records to Pay and Estimate Only, in the operations that cost credits.
 *
 */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { BUSINESS_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/businessDataSets';
import { PROSPECT_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/dataSets';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { errorOf } from '../harness/engine';
import { nameOf, SCENARIOS } from '../faults/scenarios';
import { personalEmail } from '../sandbox/world/prospect-data';
import { bySize } from '../size';
import {
	CONTINUE,
	hintsOf,
	itemOf,
	itemsWith,
	jsonOf,
	type Service,
	startService,
} from './service';

const enrich = (spending: IDataObject, more: IDataObject = {}) =>
	({
		resource: 'prospect',
		operation: 'enrich',
		prospectIds: '={{ $json.id }}',
		...spending,
		...more,
	}) as INodeParameters;

const people = (service: Service, count: number) => itemsWith(service.world.prospectIds(count));

const overLimit = (limit: string, needed: string) =>
	`Not requested: this row would exceed the limit of ${limit} (Max Records to Pay); all rows together need ${needed}. Raise the limit, or run the remaining rows later.`;

test('every operation on IDs or people has both parameters, and no other one', () => {
	const guarded = OPERATIONS.filter(({ properties }) => {
		const names = properties.map(({ name }) => name);
		return names.includes('maxRecordsToPay') && names.includes('estimateOnly');
	});
	// What a Custom API Call costs is unknown, and it has no records. Events may cost credits, but are sent again if lost.
	// Find may pay for matching work emails.
	const paid = OPERATIONS.filter(
		(operation) =>
			['getEvents', 'find'].includes(operation.value) ||
			(SCENARIOS[nameOf(operation)]?.some(({ paid: isPaid }) => isPaid) &&
				operation.resource !== 'customApiCall'),
	);

	expect(guarded.length).toBeGreaterThanOrEqual(5);
	expect(guarded.map(nameOf)).toEqual(paid.map(nameOf));
});

describe('Max Records to Pay', () => {
	test('the first rows are requested, duplicates of them are free, the rest are error items', async () => {
		const service = await startService();
		const unique = people(service, 120);
		const again = [3, 119, 0].map((of, at) => ({ row: 120 + at, id: unique[of]?.id ?? '' }));

		const run = await service.run(enrich({ maxRecordsToPay: 70 }), [...unique, ...again], CONTINUE);

		expect(run.failure).toBeUndefined();
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
		]);
	});

	test('the data sets of a person stay together, and after the first one beyond the limit nobody new is requested', async () => {
		const service = await startService();
		const [one, two, three, four] = people(service, 4);
		const items = [
			{ ...one, sets: ['profile', 'contacts'] },
			{ ...two, sets: ['profile'] },
			// Two records, but the limit has room for one.
			{ ...three, sets: ['profile', 'contacts'] },
			{ ...four, sets: ['profile'] },
			// Its profile was requested for the first row.
			{ row: 4, id: one?.id ?? '', sets: ['profile', 'networkPosts'] },
		];

		const run = await service.run(
			enrich({ maxRecordsToPay: 4 }, { dataSets: '={{ $json.sets }}' }),
			items,
			CONTINUE,
		);

		expect(service.log.count('profileBulk')).toMatchObject({ requests: 1, ids: 2 });
		expect(service.log.count('contactsBulk')).toMatchObject({ requests: 1, ids: 1 });
		expect(service.log.entries).toHaveLength(2);
		expect(run.linked).toEqual([0, 1]);
		expect(run.linkedErrors).toEqual([2, 3, 4]);
		const [third, , fifth] = run.error.map(errorOf);
		expect(third).toMatchObject({
			message: overLimit('4 records', '7'),
			failed: ['contacts', 'profile'],
		});
		expect(fifth).toEqual({
			message: `Network Posts: ${overLimit('4 records', '7')}`,
			field: 'maxRecordsToPay',
			failed: ['network_posts'],
			received: { prospect_id: one?.id, profile: expect.any(Object) },
		});
	});

	test('several IDs of one row are cut between the people', async () => {
		const service = await startService();
		const ids = people(service, 5).map(({ id }) => id);

		const run = await service.run(
			enrich({ maxRecordsToPay: 5 }, { dataSets: ['profile', 'contacts'] }),
			[{ row: 0, id: ids.join(' ') }],
			CONTINUE,
		);

		expect(service.log.count('profileBulk')).toMatchObject({ ids: 2 });
		expect(jsonOf(run.main).map(({ prospect_id }) => prospect_id)).toEqual(ids.slice(0, 2));
		expect(run.linkedErrors).toEqual([0, 0, 0]);
	});

	test('with On Error set to stop, a run beyond the limit fails before anything is sent', async () => {
		const service = await startService();

		const run = await service.run(enrich({ maxRecordsToPay: 70 }), people(service, 120));

		expect(service.log.entries).toEqual([]);
		expect(run.main).toEqual([]);
		expect(run.failureText).toBe(
			'Nothing was requested: all rows together need 120 records, and Max Records to Pay allows 70. Raise the limit, or send fewer rows.',
		);
	});

	test('a run within its limit is the same as without one', async () => {
		const service = await startService();
		const items = [...people(service, 60), ...people(service, 60), { row: 120, id: ' ' }];
		const [within, without] = [
			await service.run(enrich({ maxRecordsToPay: 60 }), items),
			await service.run(enrich({}), items),
		];

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

		expect(service.log.entries).toEqual([]);
		expect(run.error.map((item) => errorOf(item).message)).toEqual(
			Array(2).fill(overLimit('0 records', '2')),
		);
		expect(hintsOf(run)).toEqual(['2 rows not requested (Max Records to Pay). 0 requests.']);
	});

	test.each([
		['', 'is empty. Enter a number, or "unlimited".'],
		[' \u200b', 'is empty. Enter a number, or "unlimited".'],
		[null, 'is empty. Enter a number, or "unlimited".'],
		[undefined, 'is empty. Enter a number, or "unlimited".'],
		[-1, ': "-1" must be at least 0.'],
		[1.5, ': "1.5" is not a whole number.'],
		['many', ': "many" is not a whole number.'],
		[[], ': "[]" is not a whole number.'],
	])('%j is no limit: nothing is sent for any row', async (value, rule) => {
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

	test('without a limit, in any case, everybody is requested', async () => {
		const service = await startService();
		const items = people(service, 2).map((one, at) => ({
			...one,
			limit: at ? ' Unlimited ' : 'unlimited',
		}));

		const run = await service.run(enrich({ maxRecordsToPay: '={{ $json.limit }}' }), items);

		expect(run.linked).toEqual([0, 1]);
	});

	test.each([
		['Options as a whole by an expression', { options: '={{ ({ fields: "profile" }) }}' }],
		['an option whose name n8n does not know', { options: { maxRecordToPay: 9 } }],
		['an option one level too deep', { options: { requests: { estimateOnly: false } } }],
	])('n8n drops %s, and not the limit', async (_case, options) => {
		const service = await startService();

		const run = await service.run(
			enrich({ maxRecordsToPay: 1, ...options } as IDataObject),
			people(service, 2),
			CONTINUE,
		);

		expect(run.linkedErrors).toEqual([1]);
		expect(service.log.count()).toMatchObject({ ids: 1 });
	});

	test('if an expression gives several limits, the lowest applies to the run', async () => {
		const service = await startService();
		const items = people(service, 6).map((one, at) => ({ ...one, limit: [9, 4, 2, 8, 5, 3][at] }));

		const run = await service.run(
			enrich({ maxRecordsToPay: '={{ $json.limit }}' }),
			items,
			CONTINUE,
		);

		expect(run.linked).toEqual([0, 1]);
		expect(service.log.count()).toMatchObject({ ids: 2 });
	});

	test('invalid rows and blank IDs do not count', async () => {
		const service = await startService();
		const items = people(service, 5).map((one) =>
			one.row === 1 ? { ...one, id: 'oops' } : one.row === 2 ? { ...one, id: '' } : one,
		);

		const run = await service.run(enrich({ maxRecordsToPay: 2 }), items, CONTINUE);

		expect(run.linked).toEqual([0, 2, 3]);
		expect(run.linkedErrors).toEqual([1, 4]);
		expect(hintsOf(run)).toEqual([
			'5 rows: 2 enriched, 1 without an ID, 1 not requested (Max Records to Pay), 1 failed. 1 request, 2 records.',
		]);
	});

	test('whatever goes wrong, nobody beyond the limit is requested', async () => {
		const service = await startService();
		const items = people(service, 30);
		const within = items.slice(0, 12).map(({ id }) => id);
		const sending = { batchSize: 5, maxTries: 2, maxWait: 1 };
		for (const fault of [
			{ kind: 'status', status: 500 },
			{ kind: 'status', status: 402 },
			{ kind: 'invalid', names: 'nothing' },
			{ kind: 'invalid', names: 'index' },
			{ kind: 'drop' },
			{ kind: 'rows', how: 'shorter' },
			{ kind: 'html' },
		] as const) {
			const rule = service.fault({ do: fault });
			service.log.clear();

			const run = await service.run(
				enrich({ maxRecordsToPay: 12 }, { options: { requests: sending } }),
				items,
				CONTINUE,
			);

			rule.remove();
			expect(run.failure ?? run.task?.error).toBeUndefined();
			expect([...new Set(service.log.idsAskedFor())].filter((id) => !within.includes(id))).toEqual(
				[],
			);
			expect([...run.linked, ...run.linkedErrors].sort((a, b) => Number(a) - Number(b))).toEqual(
				items.map(({ row }) => row),
			);
			const [first] = run.error.filter((item) => errorOf(item).field === 'maxRecordsToPay');
			expect([fault, first && itemOf(first)]).toEqual([fault, 12]);
		}
	});
});

test('an AI tool gets its rows up to the limit, and an estimate as a row', async () => {
	const service = await startService();
	const node = new BusinessProspectData();
	node.description = { ...node.description, name: `${node.description.name}Tool` };
	const ids = people(service, 3).map(({ id }) => id);
	const use = async (spending: IDataObject) =>
		jsonOf((await service.run(enrich(spending), [{ id: ids }], { node })).main);

	expect(await use({ maxRecordsToPay: 1 })).toEqual([
		expect.objectContaining({ prospect_id: ids[0], profile_full_name: expect.any(String) }),
		...ids.slice(1).map(() => ({
			error: expect.objectContaining({ message: overLimit('1 record', '3') }),
		})),
	]);
	expect(service.log.count()).toMatchObject({ requests: 1, ids: 1 });
	expect(await use({ estimateOnly: true })).toMatchObject([{ records: 3, requests: 1 }]);
	expect(service.log.entries).toHaveLength(1);
});

describe('Estimate Only', () => {
	const ESTIMATE = { estimateOnly: true };

	test('sends nothing and returns one row, linked to the rows that it is about', async () => {
		const service = await startService();
		const items = [
			...people(service, 120),
			{ row: 120, id: 'oops' },
			{ row: 121, id: '' },
			{ row: 122, id: service.world.prospectId(3) },
		];
		const run = await service.run(enrich(ESTIMATE, { dataSets: ['profile', 'contacts'] }), items, {
			...CONTINUE,
			expressionAfter: undefined,
		});

		expect(run.failure).toBeUndefined();
		expect(service.log.entries).toEqual([]);
		const { json, pairedItem } = run.main[0] ?? { json: {} };
		expect(run.main).toHaveLength(1);
		expect(json).toEqual({
			records: 242,
			unique_records: 240,
			requests: 6,
			credits: null,
			credits_reason: "The service doesn't publish the price of: Contacts in batches, Profile.",
			at_most: false,
			records_over_limit: 0,
		});
		expect(pairedItem).toEqual(items.flatMap(({ row }) => (row === 120 ? [] : [{ item: row }])));
		expect(run.error.map(itemOf)).toEqual([120]);
		expect(hintsOf(run)).toEqual([
			"Estimate, nothing was sent: the run takes 6 requests for 240 records. The service doesn't publish the price of: Contacts in batches, Profile.",
		]);
	});

	test.each([
		['both types, one at a time', 'both', 'single', 15],
		['email only', 'email', 'batched', 6],
		['phone only', 'phone', 'batched', 15],
		['both types, in batches', 'both', 'batched', null],
	])('the credits of contacts: %s', async (_case, contactTypes, requestMode, credits) => {
		const service = await startService();

		const run = await service.run(
			enrich(ESTIMATE, {
				dataSets: ['contacts'],
				contactTypes,
				options: { requests: { requestMode } },
			}),
			[...people(service, 3), ...people(service, 2)],
			{ expressionAfter: undefined },
		);

		expect(jsonOf(run.main)).toMatchObject([{ records: 5, unique_records: 3, credits }]);
		expect(run.main[0]?.json.credits_reason).toEqual(
			credits === null ? expect.stringContaining('Contacts in batches') : null,
		);
		if (credits !== null) expect(hintsOf(run)[0]).toContain(`They cost ${credits} credits.`);
	});

	test.each([
		[1, ['profile'], 0, '1 record is more than Max Records to Pay (0). A run requests 0 of them'],
		[3, ['profile'], 1, '3 records are more than Max Records to Pay (1). A run requests 1 of them'],
		[
			2,
			['profile', 'contacts'],
			3,
			'4 records are more than Max Records to Pay (3). A run requests 2 of them, because the records of one person or business stay together',
		],
	])(
		'counts the records beyond the limit, also if On Error would stop the run: %d people, %j, a limit of %d',
		async (count, dataSets, maxRecordsToPay, warning) => {
			const service = await startService();

			const run = await service.run(
				enrich({ ...ESTIMATE, maxRecordsToPay }, { dataSets }),
				people(service, count),
				{ expressionAfter: undefined },
			);

			expect(run.failure).toBeUndefined();
			expect(jsonOf(run.main)).toMatchObject([
				{
					unique_records: count * dataSets.length,
					requests: dataSets.length,
					records_over_limit: 2 - Number(maxRecordsToPay === 0),
				},
			]);
			expect(hintsOf(run)[1]).toBe(
				`${warning}; the other rows fail. If On Error is Stop Workflow, it fails and requests nothing.`,
			);
		},
	);

	test('needs no credential; an invalid row stops it as it would stop the run, or is an error item', async () => {
		const service = await startService();
		const more = { credentials: { baseUrl: 'nowhere', apiKey: 'key' }, expressionAfter: undefined };

		const run = await service.run(enrich(ESTIMATE), people(service, 1), more);
		const stopped = await service.run(enrich(ESTIMATE), [{ id: 'oops' }], more);

		expect(jsonOf(run.main)).toMatchObject([{ records: 1, requests: 1 }]);
		expect(stopped.failureText).toMatch(/^Prospect IDs: "oops" is not/);
		const failed = await service.run(enrich(ESTIMATE), [{ id: 'oops' }], { ...more, ...CONTINUE });
		expect([failed.main.length, failed.error.length]).toEqual([0, 1]);
	});

	test('rows without an ID cost nothing', async () => {
		const service = await startService();

		const run = await service.run(enrich(ESTIMATE), [{ id: '' }, { id: null }], {
			expressionAfter: undefined,
		});

		expect(jsonOf(run.main)).toEqual([
			{
				records: 0,
				unique_records: 0,
				requests: 0,
				credits: 0,
				credits_reason: null,
				at_most: false,
				records_over_limit: 0,
			},
		]);
	});

	test('an expression that is true for any row applies to all; one that cannot be read stops all', async () => {
		const service = await startService();
		const items = people(service, 3).map((one) => ({ ...one, only: one.row === 1 }));
		const parameters = enrich({ estimateOnly: '={{ $json.only }}' });
		const all = await service.run(parameters, items, { expressionAfter: undefined });

		expect(jsonOf(all.main)).toMatchObject([{ records: 3 }]);
		expect(service.log.entries).toEqual([]);
		for (const only of ['', ' ', null, undefined, 'maybe']) {
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
	const withOption = { includeInputFields: '={{ $json.input }}' };

	const estimate = await service.run(
		enrich({ estimateOnly: '={{ $json.only }}' }, withOption),
		items,
		CONTINUE,
	);
	const limited = await service.run(
		enrich({ maxRecordsToPay: '={{ $json.limit }}' }, withOption),
		items,
		CONTINUE,
	);

	expect(service.log.entries).toEqual([]);
	expect(jsonOf(estimate.main)).toMatchObject([{ records: 1 }]);
	expect(limited.error).toHaveLength(2);
	const error = limited.error.find(({ json }) => json.row === 1);
	expect(errorOf(error).message).toBe(overLimit('0 records', '1'));
});

const SINGLE_OR_BATCHED = fc.constantFrom('single', 'batched');
const anyRows = fc.array(
	fc.record({
		ids: fc.array(fc.nat(30), { maxLength: 12 }),
		sets: fc.nat(),
		invalid: fc.nat(9).map((chance) => chance === 0),
	}),
	{ minLength: 1, maxLength: 25 },
);
const anySending = fc.record({
	requestMode: SINGLE_OR_BATCHED,
	batchSize: fc.constantFrom(1, 2, 7, 49, 50),
	contactTypes: fc.constantFrom('email', 'phone', 'both'),
	limit: fc.option(fc.nat(60)),
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
		fc.asyncProperty(anyRows, anySending, async (rows, { limit, contactTypes, ...requests }) => {
			const items = rows.map(({ ids, sets, invalid }, row) => ({
				row,
				id: invalid ? 'oops' : ids.map(idOf).join(),
				email: invalid ? 'oops' : `${ids[0] ?? 'nobody'}@example.com`,
				sets: chosenOf(values, sets),
			}));
			const parametersWith = (spending: IDataObject) =>
				({
					resource,
					...(values.length === 0
						? { operation: 'match', email: '={{ $json.email }}' }
						: {
								operation: 'enrich',
								[`${resource}Ids`]: '={{ $json.id }}',
								dataSets: '={{ $json.sets }}',
							}),
					...(values.includes('contacts') && { contactTypes }),
					options: { requests },
					...spending,
				}) as unknown as INodeParameters;
			const expressionAfter = undefined;

			service.clear();
			const estimate = await service.run(parametersWith({ estimateOnly: true }), items, {
				...CONTINUE,
				expressionAfter,
			});
			expect(service.log.entries).toEqual([]);
			const run = await service.run(parametersWith({}), items, CONTINUE);

			const { requests: count, records, unique_records: unique } = estimate.main[0]?.json ?? {};
			const asked = service.log.entries.map(({ ids }) => ids.length);
			const total = asked.reduce((sum, one) => sum + one, 0);
			const valid = items.filter((_, row) => rows[row]?.invalid === false);
			if (valid.length === 0) expect(estimate.main).toEqual([]);
			else expect([count, unique]).toEqual([asked.length, total]);
			expect(estimate.error).toEqual(run.error);
			if (total > 0) expect(hintsOf(run)[0]).toContain(`, ${total} record`);

			if (limit === null || valid.length === 0) return;
			service.clear();
			const limited = await service.run(
				parametersWith({ maxRecordsToPay: limit }),
				items,
				CONTINUE,
			);
			const paid = service.log.entries.reduce((sum, { ids }) => sum + ids.length, 0);
			expect(paid).toBeLessThanOrEqual(limit);
			if (total <= limit) expect(limited.main).toHaveLength(run.main.length);
			expect(Number(records)).toBeGreaterThanOrEqual(total);
			service.clear();
			const again = await service.run(
				parametersWith({ maxRecordsToPay: limit, estimateOnly: true }),
				items,
				{ ...CONTINUE, expressionAfter },
			);
			expect(again.main[0]?.json.records_over_limit).toBe(total - paid);
		}),
		{ numRuns: bySize(4, 12) },
	);
});

describe('people by their details', () => {
	const byDetails = (spending: IDataObject) =>
		enrich(spending, {
			identifyBy: 'personDetails',
			email: '={{ $json.email }}',
			dataSets: ['contacts', 'profile'],
		});
	const rows = (count: number) =>
		Array.from({ length: count }, (_, row) => ({ row, email: `nobody.${row}@nowhere.example` }));

	test('an estimate counts the matches and at most the data sets of everybody', async () => {
		const service = await startService();

		const run = await service.run(byDetails({ estimateOnly: true }), [...rows(60), ...rows(5)], {
			expressionAfter: undefined,
		});

		expect(service.log.entries).toEqual([]);
		expect(jsonOf(run.main)).toEqual([
			{
				records: 195,
				unique_records: 180,
				requests: 6,
				credits: null,
				credits_reason:
					"The service doesn't publish the price of: Match, Contacts in batches, Profile.",
				at_most: true,
				records_over_limit: 0,
			},
		]);
		expect(hintsOf(run)[0]).toContain('the run takes at most 6 requests for 180 records.');
	});

	test('the match counts as a record; people beyond the limit are not even matched', async () => {
		const service = await startService();
		const items = [0, 1, 2, 0].map((of, row) => ({
			row,
			email: personalEmail(service.world.person(of * 2)) ?? `nobody.${of}@nowhere.example`,
		}));

		const run = await service.run(byDetails({ maxRecordsToPay: 7 }), items, CONTINUE);

		expect(service.log.count('match')).toMatchObject({ requests: 1, ids: 2 });
		expect(service.log.entries.reduce((sum, { ids }) => sum + ids.length, 0)).toBeLessThanOrEqual(
			7,
		);
		expect(run.linked).toEqual([0, 1, 3]);
		expect(run.linkedErrors).toEqual([2]);
		expect(errorOf(run.error[0])).toEqual({
			message: overLimit('7 records', '9'),
			field: 'maxRecordsToPay',
		});
		expect(hintsOf(run)[0]).toContain('1 not requested (Max Records to Pay)');
	});

	test('Get Events: the matches and the events are records', async () => {
		const service = await startService();
		const events = { resource: 'prospect', operation: 'getEvents', email: '={{ $json.email }}' };
		const byEmail = (spending: IDataObject) =>
			({ ...events, identifyBy: 'personDetails', ...spending }) as INodeParameters;

		const estimate = await service.run(byEmail({ estimateOnly: true }), rows(60));
		expect(jsonOf(estimate.main)).toMatchObject([
			{
				unique_records: 120,
				requests: 4,
				credits_reason: "The service doesn't publish the price of: Match, Get Events.",
			},
		]);
		const limited = await service.run(byEmail({ maxRecordsToPay: 5 }), rows(3), CONTINUE);
		expect([limited.linked, limited.linkedErrors]).toEqual([[0, 1], [2]]);
		expect(service.log.count('match')).toMatchObject({ requests: 1, ids: 2 });
	});
});

test.each(['prospect', 'business'] as const)(
	'Get Events of %s IDs: each is a record',
	async (resource) => {
		const service = await startService();
		const { prospectIds, businessIds } = service.world;
		const ids = itemsWith((resource === 'prospect' ? prospectIds : businessIds)(3));
		const byId = { resource, operation: 'getEvents', [`${resource}Ids`]: '={{ $json.id }}' };

		const estimated = await service.run({ ...byId, estimateOnly: true }, ids);
		expect(jsonOf(estimated.main)).toMatchObject([{ unique_records: 3, requests: 1 }]);
		const some = await service.run({ ...byId, maxRecordsToPay: 2 }, ids, CONTINUE);
		expect(some.linkedErrors).toEqual([2]);
		expect(service.log.count(`${resource}Events`)).toMatchObject({ requests: 1, ids: 2 });
	},
);
