/** Event enrollments and filter values. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { shortenWaits } from '../harness/timeouts';
import { AUTOCOMPLETE_FIELDS } from '../sandbox/contract/limits';
import { HANDLERS } from '../sandbox/handlers/handlers';
import {
	CONTINUE,
	failureOf,
	hintsOf,
	jsonOf,
	numbered,
	type Service,
	startService,
} from './service';

shortenWaits();

describe('Event Enrollment: Delete', () => {
	const remove = (enrollmentId = '={{ $json.id }}'): INodeParameters => ({
		resource: 'eventEnrollment',
		operation: 'delete',
		enrollmentId,
	});
	const MISSED = {
		deleted: false,
		status: 'miss',
		message: expect.stringMatching(/^There is no /),
	};
	const DELETED = { deleted: true, status: 'success', message: null };

	test('deletes each enrollment with one request; one that does not exist is no error', async () => {
		const service = await startService();
		const [first, second] = [0, 2].map((index) => service.world.enrollmentId(index));
		const items = numbered([first, 'EN_Abc-09', second, `${first} `].map((id) => ({ id })));

		const run = await service.run(remove(), items);

		const sent = [first, 'EN_Abc-09', second];
		const requests = service.log.entries.map(({ method, path, body }) => [method, path, body]);
		expect(requests).toEqual(
			sent.map((id) => ['DELETE', '/v1/businesses/events/enrollments', { enrollment_id: id }]),
		);
		expect(jsonOf(run.main)).toEqual([
			{ enrollment_id: first, ...DELETED },
			{ enrollment_id: 'EN_Abc-09', ...MISSED },
			{ enrollment_id: second, ...DELETED },
			{ enrollment_id: first, ...DELETED },
		]);
		expect(run.linked).toEqual([0, 1, 2, 3]);
		expect(hintsOf(run)[0]).toMatch(/in 3 requests; 1 row not found\./);
	});

	const context = (request_status: string) => ({ response_context: { request_status } });

	test.each<[string, unknown, object | RegExp]>([
		['status success', { status: 'success' }, DELETED],
		['only a context', context('success'), DELETED],
		['only a context that misses', context('miss'), MISSED],
		['no status, whose default is success', {}, DELETED],
		['a failure in one place', { ...context('success'), status: 'failure' }, /request failed/],
		['a failure in the other', { ...context('failure'), status: 'success' }, /request failed/],
		[
			'another object',
			{ message: 'Down' },
			/^The service's response has no known status, so it is unk/,
		],
		[
			'a list',
			[{ message: 'Down' }],
			/^The service's response has no known status, so it is unknown/,
		],
	])('a response with %s', async (_case, body, expected) => {
		const service = await startService();
		service.fault({ do: { kind: 'status', status: 200, body } });

		const run = await service.run(remove('en_1'), [{}], CONTINUE);

		const isError = expected instanceof RegExp;
		expect(jsonOf(run.main)).toMatchObject(isError ? [] : [expected]);
		expect(run.error.map((item) => failureOf(item).message)).toEqual(
			isError ? [expect.stringMatching(expected)] : [],
		);
	});

	test('a miss after a lost response says that the lost attempt may have deleted it', async () => {
		const service = await startService();
		service.fault({ do: { kind: 'dropAfterWork' } });

		const run = await service.run(remove(service.world.enrollmentId(0)));

		expect(service.log.entries).toHaveLength(2);
		const message = expect.stringContaining('an attempt whose response was lost has deleted it');
		expect(jsonOf(run.main)).toMatchObject([{ ...MISSED, message }]);
	});
});

describe('Filter Value: Search', () => {
	const search = (field: string, query: string, others: INodeParameters = {}): INodeParameters => ({
		resource: 'filterValue',
		operation: 'search',
		field,
		query,
		...others,
	});
	const queries = (service: Service) =>
		service.log.requestsTo('autocomplete').map(({ query }) => query);
	const suggestions = (service: Service, query: object) =>
		HANDLERS.autocomplete(query, {
			world: service.world,
			now: new Date(),
			responseContext: () => ({}),
		}) as IDataObject[];

	test.each(AUTOCOMPLETE_FIELDS)('%s: one row per suggestion', async (field) => {
		const service = await startService();

		const run = await service.run(search(field, ''), [{ row: 7 }]);

		const semantic = field === 'business_intent_topics' && { semantic_search: 'true' };
		const query = { field, query: '', ...semantic };
		expect(queries(service)).toEqual([query]);
		const rows = suggestions(service, query);
		expect(rows.length).toBeGreaterThan(0);
		expect(jsonOf(run.main)).toEqual(rows);
		expect(new Set(run.linked)).toEqual(new Set([7]));
		expect(hintsOf(run)[0]).toMatch(new RegExp(`^Found ${rows.length} values? in 1 request\\.`));
	});

	test('a search for topics is semantic unless it is turned off', async () => {
		const service = await startService();

		await service.run(search('business_intent_topics', 'lead', { semanticSearch: false }));

		expect(queries(service)).toEqual([{ field: 'business_intent_topics', query: 'lead' }]);
	});

	test('each text is sent unchanged, equal ones share a request, and rows are linked', async () => {
		const service = await startService();
		const texts = ['R&D + sales?', 'Köln', 'a/b#c=1&field=country', 'united', '100%', ' united'];

		const run = await service.run(
			search('country', '={{ $json.text }}', {
				options: { maxConcurrentRequests: 1 },
			}),
			texts.map((text, row) => ({ row, text })),
		);

		const sent = texts.slice(0, -1).map((query) => ({ field: 'country', query }));
		expect(queries(service)).toEqual(sent);
		const rows = [...sent, sent[3] ?? {}].map((query) => suggestions(service, query));
		expect(jsonOf(run.main)).toEqual(rows.flat());
		expect(run.linked).toEqual(rows.flatMap((own, row) => own.map(() => row)));
		expect(rows[3]?.length).toBeGreaterThan(0);
	});

	test('a response without a list of values fails, so that no filter seems to have none', async () => {
		const service = await startService();
		service.fault({ do: { kind: 'status', status: 200, body: { message: 'Down' } } });

		const run = await service.run(search('country', 'united'));

		expect(run.failureText).toContain("The service's response has no list of values");
	});
});
