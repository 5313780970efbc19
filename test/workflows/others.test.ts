/** Event enrollments and filter values. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { shortenWaits } from '../harness/timeouts';
import { AUTOCOMPLETE_FIELDS } from '../sandbox/contract/limits';
import { HANDLERS } from '../sandbox/handlers/handlers';
import { CONTINUE, hintsOf, jsonOf, type Service, startService } from './service';

shortenWaits();

describe('Event Enrollment: Delete', () => {
	const remove = (
		enrollmentId = '={{ $json.id }}',
		others: INodeParameters = {},
	): INodeParameters => ({
		resource: 'eventEnrollment',
		operation: 'delete',
		enrollmentId,
		...others,
	});

	test('deletes each enrollment with one request; one that does not exist is a miss, not an error', async () => {
		const service = await startService({ enrollments: 3 });
		const ids = [0, 7, 2].map((index) => service.world.enrollmentId(index));
		const items = ids.map((id, row) => ({ row, id: ` ${id} ` }));

		const run = await service.run(remove(), items);
		const again = await service.run(remove(), items.slice(0, 1));

		expect(run.failure).toBeUndefined();
		expect(
			service.log.entries.map(({ method, path, body }) => [method, path, body]).slice(0, 3),
		).toEqual(
			ids.map((enrollment_id) => [
				'DELETE',
				'/v1/businesses/events/enrollments',
				{ enrollment_id },
			]),
		);
		const message =
			'There is no enrollment with this ID, or an attempt whose response was lost has deleted it.';
		expect(jsonOf(run.main)).toEqual([
			{ enrollment_id: ids[0], deleted: true, status: 'success', message: null },
			{ enrollment_id: ids[1], deleted: false, status: 'miss', message },
			{ enrollment_id: ids[2], deleted: true, status: 'success', message: null },
		]);
		expect(run.linked).toEqual([0, 1, 2]);
		expect(hintsOf(run)).toEqual([expect.stringMatching(/in 3 requests; 1 row not found\.$/)]);
		expect(jsonOf(again.main)).toEqual([
			{ enrollment_id: ids[0], deleted: false, status: 'miss', message },
		]);
	});

	test('the same enrollment in two items is deleted once, and both items have the result', async () => {
		const service = await startService();
		const id = service.world.enrollmentId(1);

		const run = await service.run(remove(), [
			{ row: 0, id },
			{ row: 1, id: `${id} ` },
		]);

		expect(service.log.entries).toHaveLength(1);
		expect(jsonOf(run.main)).toEqual(
			Array(2).fill({ enrollment_id: id, deleted: true, status: 'success', message: null }),
		);
		expect(run.linked).toEqual([0, 1]);
	});

	test('an ID keeps its upper-case letters', async () => {
		const service = await startService();

		await service.run(remove('EN_Abc-09'));

		expect(service.log.entries[0]?.body).toEqual({ enrollment_id: 'EN_Abc-09' });
	});

	test.each<[string, unknown, RegExp]>([
		['blank', '  ', /^Enrollment ID is empty\./],
		['null', null, /^Enrollment ID is empty\./],
		['missing', undefined, /^Enrollment ID is empty\./],
		['a list', ['en_1', 'en_2'], /^Enrollment ID: "\["en_1","en_2"\]" must be text\./],
		['an object', { id: 'en_1' }, /^Enrollment ID: .* must be text\./],
	])('%s fails before any request', async (_case, id, message) => {
		const service = await startService();
		const valid = service.world.enrollmentId(1);

		const run = await service.run(
			remove(),
			[{ row: 0, id } as IDataObject, { row: 1, id: valid }],
			CONTINUE,
		);

		expect(run.error[0]?.json.error).toEqual({
			message: expect.stringMatching(message),
			field: 'enrollmentId',
		});
		expect(run.linked).toEqual([1]);
		expect(service.log.idsAskedFor()).toEqual([valid]);
	});

	test.each<[string, IDataObject, string | null]>([
		['status success', { status: 'success' }, 'success'],
		['only a response_context', { response_context: { request_status: 'success' } }, 'success'],
		[
			'only a response_context that misses',
			{ response_context: { request_status: 'miss' } },
			'miss',
		],
		['no status, whose default is success', {}, 'success'],
		[
			'a failure in one place',
			{ response_context: { request_status: 'success' }, status: 'failure' },
			null,
		],
		[
			'a failure in the other',
			{ response_context: { request_status: 'failure' }, status: 'success' },
			null,
		],
	])('a response with %s', async (_case, body, status) => {
		const service = await startService();
		service.fault({ do: { kind: 'status', status: 200, body } });

		const run = await service.run(remove('en_1'), [{}], CONTINUE);

		expect(jsonOf(run.main).map((row) => row.status)).toEqual(status === null ? [] : [status]);
		expect(run.error).toHaveLength(status === null ? 1 : 0);
	});

	test.each<[string, unknown]>([
		['another object', { message: 'Down for maintenance' }],
		['a list', [{ message: 'Down for maintenance' }]],
	])('a response that is %s says nothing about the enrollment', async (_case, body) => {
		const service = await startService();
		service.fault({ do: { kind: 'status', status: 200, body } });

		const run = await service.run(remove('en_1'), [{}], CONTINUE);

		expect(run.main).toEqual([]);
		expect(jsonOf(run.error)).toEqual([
			{
				error: {
					message:
						"The service's response has no status, so it is unknown whether the enrollment was deleted. Check Base URL in the credential; if it is correct, try again later.",
				},
			},
		]);
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

	test.each(AUTOCOMPLETE_FIELDS)(
		'%s: one row per suggestion, as the service sends it',
		async (field) => {
			const service = await startService();

			const run = await service.run(search(field, ''), [{ row: 7 }]);

			expect(run.failure).toBeUndefined();
			const query = {
				field,
				query: '',
				...(field === 'business_intent_topics' && { semantic_search: 'true' }),
			};
			expect(queries(service)).toEqual([query]);
			const rows = suggestions(service, query);
			expect(rows.length).toBeGreaterThan(0);
			expect(jsonOf(run.main)).toEqual(rows);
			expect(Object.keys(rows[0] ?? {}).sort()).toEqual(['label', 'query', 'value']);
			expect(new Set(run.linked)).toEqual(new Set([7]));
			expect(hintsOf(run)[0]).toBe(
				`Found ${rows.length} ${rows.length === 1 ? 'value' : 'values'} in 1 request.`,
			);
		},
	);

	test.each<[string, INodeParameters, object]>([
		[
			'semantic by default for topics',
			search('business_intent_topics', 'lead'),
			{ semantic_search: 'true' },
		],
		[
			'not semantic on demand',
			search('business_intent_topics', 'lead', { semanticSearch: false }),
			{},
		],
		['not semantic for other fields', search('country', 'lead'), {}],
	])('%s', async (_case, parameters, expected) => {
		const service = await startService();

		await service.run(parameters);

		expect(queries(service)).toEqual([{ field: parameters.field, query: 'lead', ...expected }]);
	});

	test.each(['R&D + sales?', 'Köln', 'a/b#c=1&field=country', '  Acme, Inc.  ', '100%'])(
		'the text %p is sent unchanged',
		async (query) => {
			const service = await startService();

			await service.run(search('company_name', '={{ $json.text }}'), [{ text: query }]);

			expect(queries(service)).toEqual([{ field: 'company_name', query: query.trim() }]);
		},
	);

	test('a response that is no list of values fails, so that no filter seems to have no values', async () => {
		const service = await startService();
		const body = { message: 'Down for maintenance' };
		service.fault({ do: { kind: 'status', status: 200, body } });

		const run = await service.run(search('country', 'united'));

		expect(run.failureText).toContain(
			"The service's response has no list of values, so it is unknown whether any match.",
		);
	});

	test('each item has its own query, equal ones share a request, and rows are linked', async () => {
		const service = await startService();
		const texts = ['united', 'germ', ' united'];

		const run = await service.run(
			search('country', '={{ $json.text }}'),
			texts.map((text, row) => ({ row, text })),
		);

		expect(queries(service)).toHaveLength(2);
		const rows = texts.map((query) =>
			suggestions(service, { field: 'country', query: query.trim() }),
		);
		expect(jsonOf(run.main)).toEqual(rows.flat());
		expect(run.linked).toEqual(rows.flatMap((own, row) => own.map(() => row)));
	});

	test('the values fit a filter: search people in the countries that match a text', async () => {
		const service = await startService({ people: 200 });
		const countries = await service.run(search('country', 'united'));
		const codes = jsonOf(countries.main).map(({ value }) => value as string);

		const run = await service.run(
			{
				resource: 'prospect',
				operation: 'getAll',
				returnAll: true,
				filters: {
					country_code: [{ value: { __rl: true, mode: 'value', value: '={{ $json.codes }}' } }],
				},
			},
			[{ codes }],
		);

		expect(codes).toEqual(expect.arrayContaining(['us', 'gb']));
		expect(run.main.length).toBeGreaterThan(0);
		expect(new Set(jsonOf(run.main).map(({ country_name }) => country_name))).toEqual(
			new Set(['United States', 'United Kingdom']),
		);
	});

	test('an unknown field fails before any request', async () => {
		const service = await startService();

		const run = await service.run(search("={{ 'planet' }}", 'x'), [{}], CONTINUE);

		expect(run.error[0]?.json.error).toEqual({
			message: expect.stringMatching(/^Field: "planet" is not one of: /),
			field: 'field',
		});
		expect(service.log.entries).toEqual([]);
	});
});
