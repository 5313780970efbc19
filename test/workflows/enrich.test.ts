/** Enrich: batches, what becomes of incomplete responses, and the parameters of data sets. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { errorOf, type NodeRun } from '../harness/engine';
import {
	CONTINUE,
	hintsOf,
	itemOf,
	itemsWith,
	jsonOf,
	type Service,
	startService,
} from './service';

const enrich =
	(resource: string, ids: string, dataSet: string) =>
	(more: INodeParameters = {}) => ({
		...{ resource, operation: 'enrich', [ids]: '={{ $json.id }}', dataSets: [dataSet], ...more },
	});
const people = enrich('prospect', 'prospectIds', 'profile');
const companies = enrich('business', 'businessIds', 'strategy');
const SINGLE = { options: { requestMode: 'single' } };

const messagesOf = (errors: NodeRun['error']) => errors.map((item) => errorOf(item).message);
const bodiesTo = (service: Service, which?: string) =>
	service.log.requestsTo(which).map(({ body }) => body as IDataObject);

test('200 rows with 160 different people and three data sets take 12 requests', async () => {
	const service = await startService({ people: 160 });
	service.fault({ times: 'always', do: { kind: 'rows', how: 'reordered' } });
	const items = Array.from({ length: 200 }, (_, row) => {
		const person = (row * 7) % 160;
		return { row, person, id: service.world.prospectId(person) };
	});
	const dataSets = ['profile', 'emails', 'phoneNumbers', 'networkPosts'];

	const run = await service.run(people({ dataSets }), items);

	expect(run.failureText).toBe('');
	for (const name of ['profileBulk', 'contactsBulk', 'postsBulk']) {
		expect(service.log.count(name)).toMatchObject({ requests: 4, ids: 160, unique: 160 });
	}
	expect(service.log.entries).toHaveLength(12);
	expect(run.linked).toEqual(items.map(({ row }) => row));
	expect(run.main.map(itemOf)).toEqual(run.linked);
	const { person } = service.world;
	expect(
		jsonOf(run.main).map((row) => [row.prospect_id, row.posts_count ?? 0, row.profile_full_name]),
	).toEqual(
		items.map(({ id, person: n }) => [id, n % 5, n % 20 === 13 ? null : person(n).fullName]),
	);
	expect(hintsOf(run)).toEqual([
		expect.stringMatching(/^200 rows.*\. 12 requests, 480 records\. 40 duplicates weren't sent /),
	]);
});

describe('incomplete responses', () => {
	type Answer = IDataObject & { data: IDataObject[] };
	const FOREIGN = 'f'.repeat(40);

	/** Enriches three people, the second of whom has no posts. `change` changes the responses. */
	async function runWith(
		change: (answer: Answer) => unknown,
		dataSets: string[],
		parameters: INodeParameters = {},
	) {
		const service = await startService();
		service.change((answer) => change(answer as Answer), {
			when: ({ endpoint }) => endpoint !== 'postsBulk' || dataSets.length === 1,
			times: 'always',
		});
		const items = itemsWith([3, 5, 7].map(service.world.prospectId));
		const run = await service.run(people({ dataSets, ...parameters }), items, CONTINUE);
		const [id] = items.map((item) => item.id);
		return { run, id };
	}
	const withData = (data: unknown) => (answer: Answer) => ({ ...answer, data });
	const withRows = (change: (rows: IDataObject[]) => unknown[]) => (answer: Answer) => ({
		...answer,
		data: change(answer.data),
	});
	const withoutData = ({ data, ...answer }: Answer) => (void data, answer);
	const missed = (change: (answer: Answer) => object) => (answer: Answer) => ({
		...change(answer),
		response_context: { ...(answer.response_context as IDataObject), request_status: 'miss' },
	});
	const withoutAny = (rows: IDataObject[]) => rows.map((row) => ({ ...row, data: null }));
	const withTexts = (rows: IDataObject[]) =>
		rows.filter(({ data }) => (data as IDataObject).post_text !== null);
	/** The rows of the first person get this ID, or none. */
	const asOf = (id: string | undefined) =>
		withRows((rows) =>
			rows.map(({ prospect_id: own, ...row }) => ({
				...row,
				...(own !== rows[0]?.prospect_id ? { prospect_id: own } : id && { prospect_id: id }),
			})),
		);

	const LEFT_OUT =
		"The service's response doesn't include this ID, so it is unknown whether there is data for it. The service may have processed the request and charged for it. Run the row again.";
	const NO_DATA =
		"The service's response has no data (HTTP 200). The service may have processed the request and charged for it. Try again later. If it persists, check Base URL in the credential.";
	const [PROFILE, CONTACTS, POSTS] = ['profile', 'emails,phoneNumbers', 'networkPosts'];
	const ALL = [0, 1, 2];

	test.each<[string, string, (answer: Answer) => unknown, number[], string, INodeParameters?]>([
		['the last row is missing', PROFILE, withRows((rows) => rows.slice(0, -1)), [2], LEFT_OUT],
		['there is no row', PROFILE, withData([]), ALL, LEFT_OUT],
		['a row is null', CONTACTS, withRows((rows) => [null, ...rows.slice(1)]), [0], LEFT_OUT],
		['a row has an ID that was not requested', PROFILE, asOf(FOREIGN), [0], LEFT_OUT],
		['posts have an ID that was not requested', POSTS, asOf(FOREIGN), [0], LEFT_OUT],
		['null instead of the rows', PROFILE, withData(null), ALL, NO_DATA],
		['no rows at all', CONTACTS, withoutData, ALL, NO_DATA],
		['a text instead of the rows', POSTS, withData('none'), ALL, NO_DATA],
		['no data, one at a time', PROFILE, withoutData, ALL, NO_DATA, SINGLE],
	])(
		'%s: an error for each missing row',
		async (...[, dataSet, change, missing, message, more]) => {
			const { run } = await runWith(change, [dataSet], more);

			expect(run.linkedErrors).toEqual(missing);
			expect(run.linked).toEqual(ALL.filter((row) => !missing.includes(row)));
			// Support needs the correlation ID.
			const error = { message, correlation_id: expect.any(String) };
			expect(run.error.map(errorOf)).toMatchObject(missing.map(() => error));
		},
	);

	test.each<[string, string, (answer: Answer) => unknown, INodeParameters]>([
		['a miss with null', PROFILE, missed(withData(null)), {}],
		['a miss with nothing', CONTACTS, missed(withoutData), {}],
		['a miss with no rows', PROFILE, missed(withData([])), {}],
		['a miss with null, one at a time', PROFILE, missed(withData(null)), SINGLE],
		['a miss with nothing, one at a time', CONTACTS, missed(withoutData), SINGLE],
		['null, one at a time', PROFILE, withData(null), SINGLE],
		['rows without data', PROFILE, withRows(withoutAny), {}],
		['no posts at all', POSTS, withData([]), {}],
	])('%s means no data', async (_case, dataSet, change, parameters) => {
		const { run } = await runWith(change, [dataSet], parameters);

		expect(run.error).toEqual([]);
		expect(
			jsonOf(run.main).map((row) => Object.values(row).filter((cell) => cell !== null)),
		).toEqual(ALL.map(() => [expect.any(String)]));
		expect(hintsOf(run)[0]).toMatch(/^3 rows without data\./);
	});

	test('no row for a person without posts is no error', async () => {
		const { run } = await runWith(withRows(withTexts), [POSTS]);

		expect(jsonOf(run.main).map(({ posts_count: count }) => count)).toEqual([3, null, 2]);
	});

	test('posts without a prospect ID: every person may lack them, and the first error keeps them', async () => {
		const { run, id } = await runWith(asOf(undefined), [POSTS]);

		expect(run.linkedErrors).toEqual(ALL);
		expect(new Set(messagesOf(run.error))).toEqual(
			new Set([expect.stringMatching(/^3 rows of the response have no ID, .*set Batch Size to 1/)]),
		);
		const [first, , last] = run.error.map((item) => errorOf(item).received);
		expect(first).toMatchObject({
			prospect_id: id,
			posts: { unassigned_rows: ALL.map(() => ({})) },
		});
		expect(last).toMatchObject({ posts: { rows: [expect.anything(), expect.anything()] } });
		expect(last).not.toMatchObject({ posts: { unassigned_rows: expect.anything() } });
	});

	test('an error item keeps the other data sets, and a row that is nobody’s', async () => {
		const { run, id } = await runWith(asOf(FOREIGN), [PROFILE, POSTS]);

		expect(run.linkedErrors).toEqual([0]);
		expect(errorOf(run.error[0])).toMatchObject({
			message: `Profile: ${LEFT_OUT}`,
			failed: ['profile'],
			received: {
				prospect_id: id,
				posts: ALL.map(() => expect.anything()),
				profile: { unassigned_rows: [{ prospect_id: FOREIGN, data: expect.any(Object) }] },
			},
		});
	});

	test.each<[string, (row: IDataObject, empty: IDataObject) => IDataObject[]]>([
		['before', (row, empty) => [empty, row]],
		['after', (row, empty) => [row, empty]],
	])('an empty row %s the one with data does not hide it', async (_case, combine) => {
		const empties: Array<(data: IDataObject) => IDataObject | null> = [
			() => null,
			({ business_id }) => ({ business_id, level_of_intent: null, intent_topics: [] }),
			({ business_id, company_name, date_stamp }) => ({ business_id, company_name, date_stamp }),
		];
		const service = await startService();
		for (const empty of empties) {
			service.change(({ data, ...answer }) => ({
				...answer,
				data: (data as Array<IDataObject & { data: IDataObject }>).flatMap((row) =>
					combine(row, { ...row, data: empty(row.data) }),
				),
			}));

			const items = itemsWith(service.world.businessIds(2, 1));
			const run = await service.run(companies({ dataSets: ['intent'] }), items);

			const row = { intent_top_topic: expect.any(String) };
			expect(jsonOf(run.main)).toMatchObject([row, row]);
		}
	});
});

test.each<[string, INodeParameters, endpoints: Record<string, string>, requests: number]>([
	['in batches', {}, { profile: 'profileBulk', contacts: 'contactsBulk' }, 6],
	[
		'phone numbers alone',
		{ dataSets: 'Phone Numbers, profile, NETWORK_POSTS' },
		{ profile: 'profileBulk', contacts: 'contacts' },
		8,
	],
	// There is only the bulk endpoint for posts.
	['one per prospect', SINGLE, { profile: 'profile', contacts: 'contacts' }, 12],
])(
	'Simplify off: each data set has the response context of its own request: %s',
	async (_case, more, endpoints, count) => {
		const service = await startService();
		const items = itemsWith([3, 4, 6, 8].map(service.world.prospectId));
		const dataSets = ['profile', 'emails', 'phoneNumbers', 'networkPosts'];
		const options = { batchSize: 2, offlineMode: false };

		const run = await service.run(people({ dataSets, simplify: false, options, ...more }), items);

		for (const [row, json] of jsonOf(run.main).entries()) {
			for (const [key, endpoint] of Object.entries(endpoints)) {
				const requests = service.log.requestsTo(endpoint);
				const own = requests.find(({ ids }) => ids.includes(items[row]?.id ?? ''));
				expect((json.response_context as IDataObject)[key]).toMatchObject({
					correlation_id: own?.correlationId,
				});
			}
		}
		expect(service.log.entries).toHaveLength(count);
		expect(JSON.stringify(bodiesTo(service))).not.toContain('offline');
	},
);

test('a service that drops its responses is not paid for every row, and the hint says what was lost', async () => {
	const service = await startService();
	service.fault({ times: 'always', do: { kind: 'dropAfterWork' } });
	const items = itemsWith(service.world.prospectIds(100));

	const run = await service.run(people(SINGLE), items, CONTINUE);

	const sent = service.log.entries.length;
	expect(sent).toBeGreaterThanOrEqual(10);
	expect(sent).toBeLessThan(14);
	expect(hintsOf(run)).toEqual([
		`100 rows failed. ${sent} requests. ${sent} requests got no usable response and may have been charged.`,
		expect.stringMatching(/^\d+ rows failed: The service did not respond to 10 requests /),
	]);
	expect(run.linkedErrors).toEqual(items.map(({ row }) => row));
	const unsent = messagesOf(run.error).filter((message) => /was not sent\. /.test(String(message)));
	expect(unsent).toHaveLength(100 - sent);
});

test('two data sets that fail for different reasons are both named', async () => {
	const service = await startService();
	const strategy = { times: 'always', when: { to: 'strategy' } } as const;
	service.fault({ ...strategy, do: { kind: 'status', status: 402 } });
	service.fault({ times: 'always', when: { to: 'intent' }, do: { kind: 'html' } });

	const run = await service.run(
		companies({ dataSets: ['strategy', 'intent', 'technologyStack'] }),
		itemsWith([service.world.businessId(1)]),
		CONTINUE,
	);

	const { message, ...details } = errorOf(run.error[0]);
	expect(message).toMatch(/Strategy: The account has no credits left/);
	expect(message).toMatch(/Intent: The service responded with a web page/);
	expect(message).not.toMatch(/Technology Stack/);
	expect(details).toMatchObject({ received: { tech: expect.any(Object) } });
	expect([...(details.failed as string[])].sort()).toEqual(['intent', 'strategy']);
});

describe('intent', () => {
	const topics = (...values: unknown[]) => ({
		intentTopics: { values: values.map((value) => ({ value })) } as INodeParameters,
	});
	const pasted = (otherIntentTopics: string, chosen: string[] = []) => ({
		...topics(...chosen),
		options: { otherIntentTopics },
	});
	const COMMA = 'Cyber Security: Phishing, Awareness Training';
	const UNCLEAR = /^Other Intent Topics: ".*" may be several topics\. Enter each/;

	test.each<[string, INodeParameters, string[] | undefined | RegExp]>([
		['none', {}, undefined],
		['an empty value', topics(''), undefined],
		['two, one with a comma in it', topics(COMMA, 'Sales: X'), [COMMA, 'Sales: X']],
		['several in one value', topics('B: b; A: a ;', 'C: c'), ['A: a', 'B: b', 'C: c']],
		['duplicates', topics('B: b', 'B: b; A: a'), ['A: a', 'B: b']],
		['a list from an expression', topics('={{ $json.topics }}'), ['A: a', 'B: b', 'C: c']],
		['lines', topics('={{ $json.topics.join("\\n") }}'), ['A: a', 'B: b', 'C: c']],
		['pasted, too', pasted('C: c\nA: a; D: d\n', ['A: a']), ['A: a', 'C: c', 'D: d']],
		['pasted with commas', pasted('A: b,C: d,\nE: f'), ['A: b', 'C: d', 'E: f']],
		['pasted with a comma, and chosen', pasted(COMMA, [COMMA]), [COMMA]],
		['A: b, c; D: e', pasted('A: b, c; D: e'), UNCLEAR],
		['A: b, c', pasted('A: b, c'), UNCLEAR],
		['Media, Sports: x', pasted('Media, Sports: x'), UNCLEAR],
		['A: b, c, D: e, f', pasted('A: b, c, D: e, f'), UNCLEAR],
		['without a category', topics('scoring'), /^Intent Topics: "scoring" has no category/],
	])('topics: %s', async (_case, parameters, expected) => {
		const service = await startService();
		const id = service.world.businessId(5);

		const run = await service.run(
			companies({ dataSets: ['intent'], ...parameters }),
			[{ id, topics: ['C: c', 'B: b; A: a'] }],
			CONTINUE,
		);

		const isError = expected instanceof RegExp;
		expect(bodiesTo(service)).toEqual(
			isError
				? []
				: [{ business_ids: [id], ...(expected && { parameters: { topics: expected } }) }],
		);
		expect(messagesOf(run.error)).toEqual(isError ? [expect.stringMatching(expected)] : []);
	});

	test('parameters of data sets that are not chosen do not matter', async () => {
		const service = await startService();
		const items = itemsWith([service.world.businessId(5)]);
		const invalid = { monthPeriod: '1999-01', options: { minScore: '10' } };

		const run = await service.run(
			companies({ ...invalid, dataSets: '={{ ["strategy"] }}' }),
			items,
		);

		expect(run.failureText).toBe('');
		expect(bodiesTo(service)).toEqual([{ business_ids: [items[0]?.id] }]);
	});

	test('items with different scores take different requests, equal topics in any order share one', async () => {
		const service = await startService();
		const scores = ['', 70, '70', ' 80', null, 70];
		const items = itemsWith(service.world.businessIds(6)).map((item, at) => ({
			...item,
			score: scores[at] ?? null,
			topics: at % 2 === 0 ? ['A: b', 'C: d'] : ['C: d', 'A: b'],
		}));

		const run = await service.run(
			companies({
				dataSets: ['intent'],
				...topics('={{ $json.topics }}'),
				options: { minScore: '={{ $json.score }}' },
			}),
			items,
		);

		expect(run.linked).toEqual([0, 1, 2, 3, 4, 5]);
		const body = (rows: number[], min_score?: number) => ({
			business_ids: rows.map((row) => items[row]?.id),
			parameters: { topics: ['A: b', 'C: d'], ...(min_score && { min_score }) },
		});
		const bodies = [body([0, 4]), body([1, 2, 5], 70), body([3], 80)];
		expect(bodiesTo(service)).toEqual(expect.arrayContaining(bodies));
		expect(bodiesTo(service)).toHaveLength(3);
	});

	test.each([
		[[12, 13], undefined],
		[[0, 12, 13], 'Intent Topics was empty for 1 company: all topics were requested, without'],
		[[12, 1], 'Only 1 intent topic was requested'],
		[[12, 11, 13], 'Only 11 intent topics were requested'],
	])(
		'rows with %j topics: a hint that the level means little, or that topics are missing: %s',
		async (counts, hinted) => {
			const service = await startService();
			const items = itemsWith(service.world.businessIds(counts.length)).map((item, at) => ({
				...item,
				topics: Array.from({ length: counts[at] ?? 0 }, (_, n) => `Sales: Topic ${n}`),
			}));

			const run = await service.run(
				companies({ dataSets: ['intent'], ...topics('={{ $json.topics }}') }),
				items,
			);

			expect(hintsOf(run).slice(1)).toEqual(
				hinted === undefined ? [] : [expect.stringMatching(`^${hinted}`)],
			);
		},
	);
});
