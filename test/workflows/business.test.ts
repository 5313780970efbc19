import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BUSINESS_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/businessDataSets';
import { formatNumber } from '../../nodes/BusinessProspectData/core/text';
import { errorOf } from '../harness/engine';
import { BUSINESS_DATA_SETS as CONTRACT_DATA_SETS } from '../sandbox/contract/contract';
import { businessData, type BusinessDataSet } from '../sandbox/contract/records';
import { nullData } from '../sandbox/handlers/handler';
import { BUSINESS_DATA } from '../sandbox/world/business-data';
import { CONTINUE, hintsOf, itemOf, jsonOf, type Service, startService } from './service';
import { flat } from './simplified';

const KEYS = Object.fromEntries(
	BUSINESS_DATA_SETS.map(({ value, outputField }) => [value, outputField]),
) as Record<BusinessDataSet, string>;
const DATA_SETS = CONTRACT_DATA_SETS;
const NOW = new Date('2026-11-18T12:00:00Z');

const enrich = (parameters: INodeParameters = {}): INodeParameters => ({
	resource: 'business',
	operation: 'enrich',
	businessIds: '={{ $json.id }}',
	...parameters,
});

const start = async () => await startService({ companies: 130, now: () => NOW });

const itemsOf = (service: Service, ...companies: number[]) =>
	companies.map((company, row) => ({ row, company, id: service.world.businessId(company) }));

/** The service's data of a company, as the contract's row `data`. */
function dataOf({ world }: Service, set: BusinessDataSet, company: number): IDataObject {
	const around = { company: world.company, companies: world.companies, now: NOW };
	const own = BUSINESS_DATA[set](world.company(company), {}, around);
	return (own ?? nullData(businessData[set], world.businessId(company))) as IDataObject;
}

/** The service's data of a company, as Simplify shows it. */
const shownOf = (service: Service, set: BusinessDataSet, company: number): IDataObject =>
	flat(KEYS[set], dataOf(service, set, company));

const bodiesTo = (service: Service, which?: BusinessDataSet) =>
	service.log.requestsTo(which).map(({ body }) => body as IDataObject);

test('all data sets for 120 companies take 3 requests each and give 120 linked rows', async () => {
	const service = await start();
	const companies = Array.from({ length: 120 }, (_, row) => (row * 7) % 120);
	const items = itemsOf(service, ...companies);

	const run = await service.run(enrich({ dataSets: DATA_SETS }), items);

	expect(run.failure).toBeUndefined();
	expect(service.log.requestsTo()).toHaveLength(3 * DATA_SETS.length);
	for (const set of DATA_SETS) {
		expect(service.log.count(set)).toEqual({ requests: 3, ids: 120, unique: 120, repeated: [] });
		expect(bodiesTo(service, set).map((body) => Object.keys(body))).toEqual(
			Array(3).fill(['business_ids']),
		);
	}
	expect(run.linked).toEqual(items.map(({ row }) => row));
	expect(run.main.map(itemOf)).toEqual(items.map(({ row }) => row));
	expect(jsonOf(run.main)).toEqual(
		items.map(({ id, company }) => ({
			business_id: id,
			...Object.assign({}, ...DATA_SETS.map((set) => shownOf(service, set, company))),
		})),
	);
	expect(hintsOf(run)).toEqual([
		`120 rows enriched. ${3 * DATA_SETS.length} requests, ${formatNumber(120 * DATA_SETS.length)} records.`,
	]);
});

describe('intent', () => {
	const locator = (value: string, mode = 'list') => ({ value: { __rl: true, mode, value } });

	test.each<[string, INodeParameters['x'], string[] | undefined]>([
		['none', {}, undefined],
		['an empty value', { values: [locator('')] }, undefined],
		['one', { values: [locator('Sales: Lead Scoring')] }, ['Sales: Lead Scoring']],
		[
			'two, one with a comma in it',
			{
				values: [
					locator('Cyber Security: Phishing, Awareness Training'),
					locator('Sales: Lead Scoring', 'value'),
				],
			},
			['Cyber Security: Phishing, Awareness Training', 'Sales: Lead Scoring'],
		],
		[
			'several in one value, joined by semicolons',
			{ values: [locator('Finance: Credit Risk; Sales: Lead Scoring ;'), locator('Marketing: X')] },
			['Finance: Credit Risk', 'Sales: Lead Scoring', 'Marketing: X'],
		],
		[
			'duplicates',
			{ values: [locator('Finance: Credit Risk'), locator('Finance: Credit Risk; A: B')] },
			['Finance: Credit Risk', 'A: B'],
		],
		[
			'a list from an expression',
			{ values: [locator('={{ $json.topics }}', 'value')] },
			['Human Resources: Remote Work', 'Finance: Credit Risk', 'Sales: Lead Scoring'],
		],
		[
			'text of several lines from an expression',
			{ values: [locator('={{ $json.topics.join("\\n") }}', 'value')] },
			['Human Resources: Remote Work', 'Finance: Credit Risk', 'Sales: Lead Scoring'],
		],
	])('topics: %s', async (_case, intentTopics, topics) => {
		const service = await start();
		const [item] = itemsOf(service, 5);

		const run = await service.run(enrich({ dataSets: ['intent'], intentTopics }), [
			{
				...item,
				topics: ['Human Resources: Remote Work', 'Finance: Credit Risk; Sales: Lead Scoring'],
			},
		]);

		expect(run.failure).toBeUndefined();
		const [body] = bodiesTo(service);
		const sentTopics = (body?.parameters as { topics: string[] } | undefined)?.topics;
		expect(sentTopics && [...sentTopics].sort()).toEqual(topics && [...topics].sort());
		expect(body).toEqual({
			business_ids: [item?.id],
			...(topics && { parameters: { topics: sentTopics } }),
		});
	});

	test('topics can be pasted as a list, beside those that are chosen', async () => {
		const service = await start();
		const pasted = 'Finance: Credit Risk\nSales: Lead Scoring; Marketing: X\n';
		const intentTopics = { values: [locator('Sales: Lead Scoring'), locator('A: b')] };

		await service.run(
			enrich({ dataSets: ['intent'], intentTopics, otherIntentTopics: pasted }),
			itemsOf(service, 1),
		);

		const topics = ['A: b', 'Finance: Credit Risk', 'Marketing: X', 'Sales: Lead Scoring'];
		expect(bodiesTo(service)).toMatchObject([{ parameters: { topics } }]);
	});

	test.each([
		['sales: lead scoring, finance: credit risk', ['finance: credit risk', 'sales: lead scoring']],
		['A: b,C: d,\nE: f', ['A: b', 'C: d', 'E: f']],
		['A: b, c; D: e', undefined],
		['sales: lead scoring, sales automation', undefined],
		['Media, Sports: x', undefined],
		['A: b, c, D: e, f', undefined],
	])('pasted topics with commas: %s', async (otherIntentTopics, topics) => {
		const service = await start();

		const run = await service.run(
			enrich({ dataSets: ['intent'], otherIntentTopics }),
			itemsOf(service, 1),
			CONTINUE,
		);

		expect(bodiesTo(service)).toMatchObject(
			topics === undefined ? [] : [{ parameters: { topics } }],
		);
		expect(run.error.map((item) => errorOf(item).message)).toEqual(
			topics === undefined
				? [expect.stringMatching(/^Other Intent Topics: ".*" may be several topics\. Enter each/)]
				: [],
		);
	});

	test('a pasted topic with a comma that is chosen, too, is known', async () => {
		const service = await start();
		const topic = 'Cyber Security: Phishing, Awareness Training';
		const intentTopics = { values: [locator(topic)] };

		await service.run(
			enrich({ dataSets: ['intent'], intentTopics, otherIntentTopics: topic }),
			itemsOf(service, 1),
		);

		expect(bodiesTo(service)).toMatchObject([{ parameters: { topics: [topic] } }]);
	});

	test('topics and score go to Intent, the month to Website Traffic, and neither to others', async () => {
		const service = await start();
		const month = '2026-03';

		await service.run(
			enrich({
				dataSets: ['intent', 'websiteTraffic', 'strategy'],
				intentTopics: { values: [locator('Finance: Credit Risk')] },
				minScore: '80',
				monthPeriod: month,
				options: { requests: { requestContext: '{ "campaign": "spring" }' } },
			}),
			itemsOf(service, 5),
		);

		const common = {
			business_ids: [service.world.businessId(5)],
			request_context: { campaign: 'spring' },
		};
		expect(bodiesTo(service, 'intent')).toEqual([
			{ ...common, parameters: { topics: ['Finance: Credit Risk'], min_score: 80 } },
		]);
		expect(bodiesTo(service, 'websiteTraffic')).toEqual([
			{ ...common, parameters: { month_period: month } },
		]);
		expect(bodiesTo(service, 'strategy')).toEqual([common]);
	});

	test('items with different scores take different requests, all others share one', async () => {
		const service = await start();
		const scores = ['', 70, '70', ' 80', null, 70];
		const items = itemsOf(service, 0, 1, 2, 3, 4, 5).map((item, at) => ({
			...item,
			score: scores[at] ?? null,
		}));

		const run = await service.run(
			enrich({ dataSets: ['intent', 'strategy'], minScore: '={{ $json.score }}' }),
			items,
		);

		expect(run.failure).toBeUndefined();
		const ids = (...companies: number[]) => companies.map((company) => items[company]?.id);
		expect(bodiesTo(service, 'intent')).toEqual(
			expect.arrayContaining([
				{ business_ids: ids(0, 4) },
				{ business_ids: ids(1, 2, 5), parameters: { min_score: 70 } },
				{ business_ids: ids(3), parameters: { min_score: 80 } },
			]),
		);
		expect(bodiesTo(service, 'strategy')).toEqual([{ business_ids: ids(0, 1, 2, 3, 4, 5) }]);
		expect(run.linked).toEqual([0, 1, 2, 3, 4, 5]);
	});

	test('equal topics in another order share a request', async () => {
		const service = await start();
		const items = itemsOf(service, 5, 6).map((item, at) => ({
			...item,
			topics: at === 0 ? ['A: b', 'C: d'] : ['C: d', 'A: b'],
		}));

		await service.run(
			enrich({
				dataSets: ['intent'],
				intentTopics: { values: [locator('={{ $json.topics }}', 'value')] },
			}),
			items,
		);

		expect(service.log.count('intent')).toMatchObject({ requests: 1, ids: 2 });
	});

	test.each([
		[0, false],
		[1, true],
		[2, true],
		[11, true],
		[12, false],
		[13, false],
	])('%i topics: a hint that the level means little: %p', async (count, hinted) => {
		const service = await start();
		const topics = Array.from({ length: count }, (_, at) => `Sales: Topic ${at}`);

		const run = await service.run(
			enrich({ dataSets: ['intent'], intentTopics: { values: [locator(topics.join(';'))] } }),
			itemsOf(service, 5),
		);

		expect(hintsOf(run)).toEqual([
			'1 row enriched. 1 request, 1 record.',
			...(hinted
				? [
						expect.stringMatching(
							`^Only ${count} intent ${count === 1 ? 'topic was' : 'topics were'} `,
						),
					]
				: []),
		]);
	});

	test('the hint considers every item', async () => {
		const service = await start();
		const many = Array.from({ length: 12 }, (_, at) => `Sales: Topic ${at}`);
		const items = itemsOf(service, 5, 6, 7).map((item, at) => ({
			...item,
			topics: at === 1 ? many.slice(0, 5) : many,
		}));

		const run = await service.run(
			enrich({
				dataSets: ['intent'],
				intentTopics: { values: [locator('={{ $json.topics }}', 'value')] },
			}),
			items,
		);

		expect(hintsOf(run)).toContainEqual(expect.stringMatching(/^Only 5 intent topics/));
	});

	test('topics without the data set Intent have no effect', async () => {
		const service = await start();

		const run = await service.run(
			enrich({
				dataSets: '={{ ["strategy"] }}',
				intentTopics: { values: [locator('A: b')] },
				minScore: '10',
				monthPeriod: '1999-01',
			}),
			itemsOf(service, 5),
		);

		expect(run.failure).toBeUndefined();
		expect(bodiesTo(service)).toEqual([{ business_ids: [service.world.businessId(5)] }]);
		expect(run.hints).toHaveLength(1);
	});
});

describe.each<[string, (row: IDataObject) => unknown]>([
	['the row itself', (row) => row],
	['the data of the row', (row) => row.data],
])('`data` as one object: %s', (_case, toObject) => {
	test.each(DATA_SETS)('%s', async (set) => {
		const service = await start();
		const [item] = itemsOf(service, 5);
		service.change((answer) => {
			const { data, ...rest } = answer as { data: IDataObject[] };
			return { ...rest, data: toObject(data[0] ?? {}) };
		});

		const run = await service.run(enrich({ dataSets: [set] }), [{ ...item }]);

		expect(jsonOf(run.main)).toEqual([{ business_id: item?.id, ...shownOf(service, set, 5) }]);
	});
});

test('Simplify off: the same keys with the raw data, and the contexts beside them', async () => {
	const service = await start();
	const items = itemsOf(service, 5, 11);

	const run = await service.run(
		enrich({ dataSets: ['intent', 'strategy'], simplify: false }),
		items,
	);

	const context = expect.objectContaining({ correlation_id: expect.any(String) }) as unknown;
	expect(jsonOf(run.main)).toEqual(
		items.map(({ id, company }) => ({
			business_id: id,
			intent: dataOf(service, 'intent', company),
			strategy: dataOf(service, 'strategy', company),
			response_context: { intent: context, strategy: context },
		})),
	);
	expect(Object.keys(run.main[0]?.json ?? {})).toEqual([
		...['intent', 'strategy', 'business_id', 'response_context'],
	]);
});

describe('companies without data', () => {
	test.each(DATA_SETS)(
		'%s: an unknown company is counted, and dropped with the option',
		async (set) => {
			const service = await start();
			const items = [...itemsOf(service, 1), { row: 1, id: service.world.unknownBusinessId() }];

			const kept = await service.run(enrich({ dataSets: [set] }), items);
			const dropped = await service.run(
				enrich({ dataSets: [set], options: { dropItemsWithoutData: true } }),
				items,
			);

			expect(kept.linked).toEqual([0, 1]);
			expect(hintsOf(kept)[0]).toBe('2 rows: 1 enriched, 1 without data. 1 request, 2 records.');
			expect(dropped.linked).toEqual([0]);
			expect(hintsOf(dropped)[0]).toBe(
				'2 rows: 1 enriched, 1 without data. 1 request, 2 records. 1 row was left out.',
			);
		},
	);

	test.each([
		[
			'intent: with all topic-related fields null',
			'intent',
			10,
			{ intent_topics: null, intent_topic_count: null },
		],
		[
			'traffic: with all numbers null',
			'websiteTraffic',
			13,
			{ website_traffic_visits: null, website_traffic_users: null },
		],
	] as const)('%s, there is no data', async (_case, set, company, data) => {
		const service = await start();

		const run = await service.run(
			enrich({ dataSets: [set] }),
			itemsOf(service, company, company + 1),
		);

		expect(jsonOf(run.main)[1]).toMatchObject(data);
		expect(hintsOf(run)[0]).toBe('2 rows: 1 enriched, 1 without data. 1 request, 2 records.');
	});
});

describe('unusual responses', () => {
	test.each([
		['before', (row: IDataObject, empty: IDataObject) => [empty, row]],
		['after', (row: IDataObject, empty: IDataObject) => [row, empty]],
	])('an empty row %s the one with data does not hide it', async (_case, combine) => {
		const service = await start();
		const sets = ['strategy', 'companyHierarchy', 'intent', 'websiteTraffic'] as const;
		/** Without data: null instead of it, all fields null, or values only in fields that identify it. */
		const empties: Array<(data: IDataObject) => IDataObject | null> = [
			() => null,
			({ business_id }) => ({ business_id, form_type: null, subsidiaries: [], visits: null }),
			({ business_id, company_name, date_stamp, target }) => ({
				business_id,
				...(target === undefined
					? { company_name, date_stamp }
					: { target, month_period: '2026-10' }),
				intent_topics: null,
				visits: null,
			}),
		];

		for (const set of sets) {
			for (const empty of set === 'strategy' ? empties.slice(0, 2) : empties) {
				service.change(
					(answer) => {
						const { data, ...rest } = answer as {
							data: Array<IDataObject & { data: IDataObject }>;
						};
						const rows = data.flatMap((row) => combine(row, { ...row, data: empty(row.data) }));
						return { ...rest, data: rows };
					},
					{ when: { to: set } },
				);

				const run = await service.run(enrich({ dataSets: [set] }), itemsOf(service, 1, 2));

				expect(jsonOf(run.main)).toMatchObject(
					[1, 2].map((company) => shownOf(service, set, company)),
				);
			}
		}
	});
});

describe('failures', () => {
	test('two data sets that fail for different reasons are both named', async () => {
		const service = await start();
		service.fault({
			when: { to: 'strategy' },
			times: 'always',
			do: { kind: 'status', status: 402 },
		});
		service.fault({ when: { to: 'intent' }, times: 'always', do: { kind: 'html' } });

		const run = await service.run(
			enrich({ dataSets: ['strategy', 'intent', 'technologyStack'] }),
			itemsOf(service, 1),
			CONTINUE,
		);

		const { message, ...details } = errorOf(run.error[0]);
		expect(message).toMatch(/Strategy: The account has no credits left/);
		expect(message).toMatch(/Intent: The service responded with a web page/);
		expect(message).not.toMatch(/Technology Stack/);
		expect(details).toMatchObject({
			failed: expect.arrayContaining(['strategy', 'intent']),
			received: { technology_stack: expect.any(Object) },
		});
	});

	test.each<[INodeParameters, string]>([
		[{ dataSets: '={{ [] }}' }, 'Data Sets: choose at least one of: businessChallenges, '],
		[{ dataSets: '={{ ["salary"] }}' }, 'Data Sets: "salary" is not one of: '],
	])('%j fails before any request', async (parameters, message) => {
		const service = await start();

		const run = await service.run(enrich(parameters), itemsOf(service, 1));

		expect(run.failureText).toContain(message);
		expect(service.log.entries).toEqual([]);
	});
});
