import { shortenTimeouts } from '../harness/timeouts';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { errorOf, type NodeRun } from '../harness/engine';
import { postsOf } from '../sandbox/world/prospect-data';
import { CONTINUE, hintsOf, itemOf, itemsWith, jsonOf, startService } from './service';
import { flat } from './simplified';

const enrich = (parameters: INodeParameters = {}): INodeParameters => ({
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.id }}',
	...parameters,
});

const messagesOf = (errors: NodeRun['error']) => errors.map((item) => errorOf(item).message);

test('200 rows with 160 different people and three data sets take 12 requests', async () => {
	const now = new Date();
	const service = await startService({ people: 160, now: () => now });
	const items = Array.from({ length: 200 }, (_, row) => {
		const person = (row * 7) % 160;
		return { row, person, id: service.world.prospectId(person) };
	});

	const run = await service.run(
		enrich({ dataSets: ['profile', 'contacts', 'networkPosts'] }),
		items,
	);

	expect(run.failure).toBeUndefined();
	expect(service.log.requestsTo()).toHaveLength(3 * 4);
	for (const name of ['profiles', 'contacts_information', 'network_posts']) {
		expect(service.log.count(`prospects/${name}/bulk_enrich`)).toEqual({
			requests: 4,
			ids: 160,
			unique: 160,
			repeated: [],
		});
	}
	expect(jsonOf(run.main).map((row) => row.prospect_id)).toEqual(items.map(({ id }) => id));
	expect(run.main.map(itemOf)).toEqual(items.map(({ row }) => row));
	expect(run.linked).toEqual(items.map(({ row }) => row));

	const posts = jsonOf(run.main).map(({ network_posts }) => network_posts as unknown[]);
	const expected = items.map(({ person }) => postsOf(service.world.person(person), now));
	expect(posts).toEqual(expected);
	expect(posts.some((list) => list.length > 1)).toBe(true);
	expect(hintsOf(run)).toEqual([
		expect.stringMatching(
			/^200 rows.*\. 12 requests, 480 records\. 40 duplicates weren't sent again/,
		),
	]);
});

test('7 malformed and 3 blank IDs of 100 cost nothing and do not affect the others', async () => {
	const service = await startService();
	const items = Array.from({ length: 100 }, (_, row) => ({
		row,
		id: row % 14 === 3 ? `bad-${row}` : row % 40 === 1 ? '  ' : service.world.prospectId(row),
	}));
	const malformed = items.filter(({ id }) => id.startsWith('bad'));
	const blank = items.filter(({ id }) => id.trim() === '');
	expect([malformed.length, blank.length]).toEqual([7, 3]);

	const run = await service.run(enrich({ dataSets: ['contacts'] }), items, CONTINUE);

	expect(run.main).toHaveLength(93);
	expect(run.error).toHaveLength(7);
	expect(run.linkedErrors).toEqual(malformed.map(({ row }) => row));
	for (const [index, { json }] of run.error.entries()) {
		expect(json.error).toEqual({
			message: `Prospect IDs: "${malformed[index]?.id}" is not a prospect ID. A prospect ID has 40 characters, 0 to 9 and a to f. Run Match first, then drag prospect_id here, or set Identify By to Person Details.`,
			field: 'prospectIds',
		});
	}
	const rowsWithoutId = jsonOf(run.main).filter(({ prospect_id }) => prospect_id === null);
	expect(rowsWithoutId).toEqual(
		blank.map(() => ({ prospect_id: null, ...flat('contacts', null) })),
	);
	expect(service.log.count()).toMatchObject({ requests: 2, ids: 90, unique: 90 });
	expect(hintsOf(run)[0]).toMatch(/, 3 without an ID, 7 failed\. /);
});

describe('values that the service refuses without naming them', () => {
	const VARYING_MESSAGES = { names: 'list', requestId: true } as const;
	const startWith = async (count: number) => {
		const service = await startService({ people: count });
		const items = itemsWith(service.world.prospectIds(count));
		return { service, items };
	};

	describe.each([
		['with the same message', { names: 'list' } as const],
		['with a text', { names: 'text' } as const],
		['with another message each time', VARYING_MESSAGES],
		['without a message', { names: 'nothing' } as const],
		['naming a member that was not sent', { names: 'member', member: '57' } as const],
	])('%s', (_case, how) => {
		test.each([[[0, 1]], [[0, 49]], [[3, 40]], [[24, 25]], [[48, 49]]])(
			'2 of 50, at %j: 48 rows, at most 30 requests, none paid twice',
			async (refused) => {
				const { service, items } = await startWith(50);
				service.refuseIds(refused.map(service.world.prospectId), how);

				const run = await service.run(enrich(), items, CONTINUE);

				const others = items.map(({ row }) => row).filter((row) => !refused.includes(row));
				expect(run.linked).toEqual(others);
				expect(run.linkedErrors).toEqual(refused);
				const succeeded = service.log.count(undefined, { worked: true });
				expect(succeeded).toMatchObject({ ids: 48, unique: 48 });
				expect(service.log.entries.length).toBeLessThanOrEqual(30);
			},
		);

		test.each([
			[50, 8],
			[200, 12],
		])('the request itself is refused, with %d IDs: at most %d requests', async (count, max) => {
			const { service, items } = await startWith(count);
			service.fault({ times: 'always', do: { kind: 'invalid', ...how } });

			const run = await service.run(enrich(), items, CONTINUE);

			expect(run.linkedErrors).toEqual(items.map(({ row }) => row));
			expect(service.log.entries.length).toBeLessThanOrEqual(max);
		});
	});

	test('all IDs of one request, but none of another: each is sent alone', async () => {
		const { service, items } = await startWith(100);
		const refused = items.slice(0, 50).map(({ row }) => row);
		service.refuseIds(refused.map(service.world.prospectId), VARYING_MESSAGES);

		const run = await service.run(enrich(), items, CONTINUE);

		expect(run.linkedErrors).toEqual(refused);
		expect(run.linked).toEqual(items.slice(50).map(({ row }) => row));
		expect(service.log.entries.length).toBeLessThanOrEqual(100);
	});
});

describe('incomplete responses', () => {
	/** Enriches three people, the second of whom has no posts. `change` changes the responses. */
	async function runWith(
		change: (answer: IDataObject & { data: IDataObject[] }) => unknown,
		dataSets: string[],
		parameters: INodeParameters = {},
	) {
		const service = await startService();
		service.change((answer) => change(answer as IDataObject & { data: IDataObject[] }), {
			when: ({ endpoint }) => endpoint !== 'postsBulk' || dataSets.length === 1,
			times: 'always',
		});
		const items = itemsWith([3, 5, 7].map(service.world.prospectId));
		const run = await service.run(enrich({ dataSets, ...parameters }), items, CONTINUE);
		return { service, run, items };
	}
	const withoutId = ({ prospect_id, ...row }: IDataObject) => (void prospect_id, row);
	const withoutData = ({ data, ...answer }: IDataObject) => (void data, answer);
	const hasText = (data: unknown) => (data as IDataObject).post_text !== null;
	const withContext = (request_status: string, answer: IDataObject) => ({
		...answer,
		response_context: { ...(answer.response_context as IDataObject), request_status },
	});

	const LEFT_OUT =
		"The service's response doesn't include this ID, so it is unknown whether there is data for it. The service may have processed the request and charged for it. Run the row again.";
	const NO_PROFILE = flat('profile', null);
	const NO_DATA =
		"The service's response contains no data. The service may have processed the request and charged for it. Run the row again.";

	test.each([
		['the last row is missing', (rows: IDataObject[]) => rows.slice(0, -1), [2]],
		['there is no row', () => [], [0, 1, 2]],
		['a row is null', (rows: IDataObject[]) => [null, ...rows.slice(1)], [0]],
	])('%s: an error for each missing row', async (_case, change, missing) => {
		const { service, run } = await runWith(
			(answer) => ({ ...answer, data: change(answer.data) }),
			['profile'],
		);

		expect(run.linkedErrors).toEqual(missing);
		expect(run.linked).toEqual([0, 1, 2].filter((row) => !missing.includes(row)));
		// Support needs the correlation ID.
		const error = {
			message: LEFT_OUT,
			correlation_id: service.log.entries[0]?.correlationId,
		};
		expect(run.error.map(errorOf)).toMatchObject(missing.map(() => error));
		expect(hintsOf(run)[0]).toMatch(new RegExp(`\\b${missing.length} (rows )?failed\\. 1 request`));
		expect(hintsOf(run)[0]).not.toMatch(/no data/);
	});

	test.each([
		['null instead of the rows', (answer: IDataObject) => ({ ...answer, data: null })],
		['no rows at all', withoutData],
		['a text instead of the rows', (answer: IDataObject) => ({ ...answer, data: 'none' })],
	])('%s: an error for each ID', async (_case, change) => {
		for (const dataSet of ['profile', 'contacts', 'networkPosts']) {
			const { run } = await runWith(change, [dataSet]);

			expect(run.linked).toEqual([]);
			expect(messagesOf(run.error)).toEqual([NO_DATA, NO_DATA, NO_DATA]);
		}
	});

	test.each([
		['null', 'batched', (answer: IDataObject) => ({ ...answer, data: null })],
		['nothing', 'batched', withoutData],
		['no rows', 'batched', (answer: IDataObject) => ({ ...answer, data: [] })],
		['null', 'single', (answer: IDataObject) => ({ ...answer, data: null })],
		['nothing', 'single', withoutData],
	])('a miss with %s (%s) means no data', async (_case, requestMode, change) => {
		const { run } = await runWith(
			(answer) => withContext('miss', change(answer)),
			['profile', 'contacts'],
			{ options: { requests: { requestMode } } },
		);

		expect(run.error).toEqual([]);
		const rows = jsonOf(run.main).map(withoutId);
		expect(rows).toEqual(Array(3).fill({ ...NO_PROFILE, ...flat('contacts', null) }));
		expect(hintsOf(run)[0]).toMatch(/^3 rows without data\./);
	});

	test.each([
		['', NO_PROFILE],
		['profile.job_title', { profile_job_title: null }],
	])('a row without data means no data, with Fields %p', async (fields, profile) => {
		const { run } = await runWith(
			(answer) => ({ ...answer, data: answer.data.map((row) => ({ ...row, data: null })) }),
			['profile'],
			{ options: { fields } },
		);

		expect(run.error).toEqual([]);
		expect(jsonOf(run.main).map(withoutId)).toEqual(Array(3).fill(profile));
		expect(NO_PROFILE).toMatchObject({ profile_job_title: null, profile_company_name: null });
	});

	test('one prospect at a time: null means no data, a response without the member is an error', async () => {
		const single = { options: { requests: { requestMode: 'single' } } };
		const empty = await runWith((answer) => ({ ...answer, data: null }), ['profile'], single);
		const missing = await runWith(withoutData, ['profile'], single);

		expect(empty.run.error).toEqual([]);
		expect(jsonOf(empty.run.main).map(withoutId)).toEqual(Array(3).fill(NO_PROFILE));
		expect(missing.run.main).toEqual([]);
		expect(messagesOf(missing.run.error)).toEqual([NO_DATA, NO_DATA, NO_DATA]);
	});

	test.each([
		['for one', (rows: IDataObject[]) => rows.filter(({ data }) => hasText(data)), [3, 0, 2]],
		['at all', () => [], [0, 0, 0]],
	])('posts: no row %s is not an error', async (_case, change, posts) => {
		const { run } = await runWith(
			(answer) => ({ ...answer, data: change(answer.data) }),
			['networkPosts'],
		);

		expect(run.error).toEqual([]);
		const lists = jsonOf(run.main).map(({ network_posts }) => network_posts as unknown[]);
		expect(lists.map(({ length }) => length)).toEqual(posts);
	});

	test('posts without a prospect ID: every person may lack them, and the first error keeps them', async () => {
		const { run, items } = await runWith(
			(answer) => ({
				...answer,
				data: answer.data.map((row, index) => (index === 0 ? { data: row.data } : row)),
			}),
			['networkPosts'],
		);

		expect([run.linked, run.linkedErrors]).toEqual([[], [0, 1, 2]]);
		const post = { post_text: expect.any(String) as string };
		const unassigned_rows = [{ data: expect.objectContaining(post) as IDataObject }];
		const rows = [expect.objectContaining(post), expect.objectContaining(post)];
		expect(run.error.map((item) => errorOf(item).received)).toEqual([
			{ prospect_id: items[0]?.id, network_posts: { rows, unassigned_rows } },
			undefined,
			{ prospect_id: items[2]?.id, network_posts: { rows } },
		]);
		expect(new Set(messagesOf(run.error))).toEqual(
			new Set([expect.stringMatching(/^1 row of the response has no ID, .*set Batch Size to 1/)]),
		);
	});

	test('posts of an ID that was not requested: the error of a person without a row keeps them', async () => {
		const unknownId = 'f'.repeat(40);
		const { run } = await runWith(
			(answer) => ({
				...answer,
				data: answer.data.map((row) =>
					row.prospect_id === answer.data[0]?.prospect_id
						? { ...row, prospect_id: unknownId }
						: row,
				),
			}),
			['networkPosts'],
		);

		expect([run.linked, run.linkedErrors]).toEqual([[1, 2], [0]]);
		const post = { prospect_id: unknownId, data: { post_text: expect.any(String) as string } };
		expect(errorOf(run.error[0])).toMatchObject({
			message: LEFT_OUT,
			received: { network_posts: { unassigned_rows: [post, post, post] } },
		});
	});

	test('the error item keeps the other data sets, and a row with an unknown ID', async () => {
		const unknownId = 'f'.repeat(40);
		const { run, items } = await runWith(
			(answer) => ({
				...answer,
				data: answer.data.map((row, index) =>
					index === 0 ? { ...row, prospect_id: unknownId } : row,
				),
			}),
			['profile', 'networkPosts'],
		);

		expect(run.linkedErrors).toEqual([0]);
		expect(errorOf(run.error[0])).toMatchObject({
			message: `Profile: ${LEFT_OUT}`,
			failed: ['profile'],
			received: {
				prospect_id: items[0]?.id,
				network_posts: [expect.anything(), expect.anything(), expect.anything()],
				profile: {
					unassigned_rows: [
						{ prospect_id: unknownId, data: { full_name: expect.any(String) as string } },
					],
				},
			},
		});
	});
});

test('phone numbers that a second node fetches leave the email of the first', async () => {
	const service = await startService();
	const contacts = (type: string) =>
		enrich({
			prospectIds: '={{ $json.prospect_id }}',
			dataSets: ['contacts'],
			contactTypes: type,
			includeInputFields: true,
		});
	const people = service.world.prospectIds(3).map((id) => ({ prospect_id: id }));

	const emails = jsonOf((await service.run(contacts('email'), people)).main);
	const both = jsonOf((await service.run(contacts('phone'), emails)).main);

	const contacts_email = emails[0]?.contacts_email;
	expect(contacts_email).toMatch(/@/);
	expect(both[0]).toMatchObject({
		contacts_email,
		contacts_mobile_phone: expect.stringMatching(/^\+/) as string,
	});
});

test('input rows stay unchanged, because other nodes read them too', async () => {
	const service = await startService();
	const items = [
		{ id: service.world.prospectId(1), profile: { mine: [1] } },
		{ id: 'malformed', profile: { mine: [2] } },
	];

	const run = await service.run(
		enrich({ dataSets: ['profile'], includeInputFields: true }),
		items,
		CONTINUE,
	);

	expect(jsonOf(run.main)).toEqual([expect.objectContaining({ id: items[0]?.id })]);
	expect(jsonOf(run.runData.CRM?.[0]?.data?.main?.[0] ?? [])).toEqual(items);
});

test.each(['batched', 'single'])(
	'Simplify off: each data set has the response context of its own request (%s)',
	async (requestMode) => {
		const service = await startService();
		const items = itemsWith([3, 4, 6, 8].map(service.world.prospectId));
		const endpoints = {
			batched: { profile: 'profileBulk', contacts: 'contactsBulk' },
			single: { profile: 'profile', contacts: 'contacts' },
		}[requestMode];

		const run = await service.run(
			enrich({
				dataSets: ['profile', 'contacts'],
				simplify: false,
				options: { requests: { requestMode, batchSize: 2 } },
			}),
			items,
		);

		for (const [row, json] of jsonOf(run.main).entries()) {
			for (const [key, endpoint] of Object.entries(endpoints ?? {})) {
				const requests = service.log.requestsTo(endpoint);
				const own = requests.find(({ ids }) => ids.includes(items[row]?.id ?? ''));
				expect((json.response_context as IDataObject)[key]).toMatchObject({
					correlation_id: own?.correlationId,
				});
			}
		}
		expect(service.log.entries).toHaveLength(requestMode === 'single' ? 8 : 4);
	},
);

test('with 40 requests per rate-limit window, 60 requests succeed and none is repeated', async () => {
	const service = await startService({ people: 60, rateLimit: 40, rateWindowMs: 2_000 });
	const items = itemsWith(service.world.prospectIds(60));

	const run = await service.run(
		enrich({ options: { requests: { requestMode: 'single', maxConcurrentRequests: 10 } } }),
		items,
	);

	expect(run.failure).toBeUndefined();
	expect(run.linked).toEqual(items.map(({ row }) => row));
	expect(service.log.count(undefined, { worked: true })).toEqual({
		requests: 60,
		ids: 60,
		unique: 60,
		repeated: [],
	});
	expect(service.log.maxConcurrency()).toBeLessThanOrEqual(10);
});

test.each(['cutJson', 'dropAfterWork'] as const)(
	'the hint counts a request that may have been charged: %s',
	async (kind) => {
		const service = await startService();
		service.fault({ do: { kind } });

		const run = await service.run(enrich(), itemsWith(service.world.prospectIds(2)), CONTINUE);

		expect(service.log.count(undefined, { worked: true })).toMatchObject({ requests: 1 });
		expect(hintsOf(run)).toEqual([
			'2 rows failed. 0 requests. 1 request got no usable response and may have been charged.',
		]);
	},
);

test('a service that drops its responses is not paid for every row, and the hint says what was lost', async () => {
	const service = await startService();
	service.fault({ times: 'always', do: { kind: 'dropAfterWork' } });
	const items = itemsWith(service.world.prospectIds(100));

	const run = await service.run(
		enrich({ dataSets: ['contacts'], contactTypes: 'email' }),
		items,
		CONTINUE,
	);

	const sent = service.log.requestsTo().length;
	expect(sent).toBeGreaterThanOrEqual(10);
	expect(sent).toBeLessThan(14);
	expect(hintsOf(run)).toEqual([
		`100 rows failed. 0 requests. ${sent} requests got no usable response and may have been charged.`,
	]);
	expect(run.linkedErrors).toEqual(items.map(({ row }) => row));
	const unsent = messagesOf(run.error).filter((message) => /was not sent\. /.test(String(message)));
	expect(unsent).toHaveLength(100 - sent);
});

test('a rejected header fails the rows at once, and the message leads to the credential', async () => {
	const service = await startService();
	const detail = [{ loc: ['header', 'tenant'], msg: 'unknown tenant', type: 'value_error' }];
	service.fault({ times: 'always', do: { kind: 'status', status: 422, body: { detail } } });
	const items = itemsWith(service.world.prospectIds(60));

	const run = await service.run(
		enrich({ options: { requests: { maxConcurrentRequests: 1 } } }),
		items,
		CONTINUE,
	);

	expect(service.log.requestsTo()).toHaveLength(1);
	expect(new Set(messagesOf(run.error))).toEqual(
		new Set([
			'The service rejected the request (HTTP 422): header.tenant: unknown tenant. Check API Key, and Tenant if you use one, in the credential.',
		]),
	);
	expect(run.error).toHaveLength(60);
});

test('a response that drips for ever fails after ten timeouts, and may have been charged', async () => {
	shortenTimeouts();
	const service = await startService({ people: 3 });
	service.fault({ do: { kind: 'drip', endless: true, everyMs: 20 }, when: { nth: 1 } });

	const run = await service.run(
		{
			resource: 'prospect',
			operation: 'enrich',
			prospectIds: '={{ $json.id }}',
			options: { requests: { timeout: 20, batchSize: 1, maxConcurrentRequests: 1 } },
		},
		service.world.prospectIds(3).map((id) => ({ id })),
		{ onError: 'continueErrorOutput' },
	);
	jest.restoreAllMocks();

	expect([run.linkedErrors.length, run.main.length]).toEqual([1, 2]);
	expect(errorOf(run.error[0]).message).toMatch(
		/^The response was still incomplete after ten times the timeout of 20 seconds\. The service may have processed the request and charged for it, so it was not sent again\./,
	);
	expect(service.log.entries).toHaveLength(3);
});
