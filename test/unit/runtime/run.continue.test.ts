/** On Error set to "Continue" and to "Continue (using error output)": nothing is thrown, only what failed fails. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	CREDENTIALS,
	BASE_URL,
	CONTINUE_MODES,
	enriched,
	nameOf,
	profileOf,
	people,
	person,
	interceptRequests,
	invalidResponse,
	type FakeResponse,
	run,
	runWithoutMemory,
	serve,
} from './fakeService';
import { errorOf, type NodeRunOptions } from '../../harness/engine';

interceptRequests();

interface Disaster {
	reply?: FakeResponse;
	parameters?: INodeParameters;
	more?: Partial<NodeRunOptions>;
	/** Of the message. */
	message: RegExp;
	/** All that the error holds beside its message. */
	details?: IDataObject;
}

const at = (baseUrl: string, apiKey = CREDENTIALS.apiKey) => ({ credentials: { baseUrl, apiKey } });
const ONE_TRY = { options: { requests: { maxTries: 1 } } };
const failed = ['profile'];

const disasters: Record<string, Disaster> = {
	'a wrong key': {
		reply: [401, { message: `No key ${CREDENTIALS.apiKey}`, correlation_id: 'c-1' }],
		message: /^The service did not accept the API key \(HTTP 401\): No key \*\*\*\./,
		details: { status: 401, correlation_id: 'c-1', failed },
	},
	'no credits': { reply: [402, {}], message: /no credits left/, details: { status: 402, failed } },
	'no permission': { reply: [403, {}], message: /not allowed/, details: { status: 403, failed } },
	'a wrong base URL': {
		reply: [404, { detail: 'Not Found' }],
		message: /does not know the address .* Base URL/,
		details: { status: 404, failed },
	},
	'a redirect': { reply: [302, ''], message: /redirect/, details: { status: 302, failed } },
	'a web page': {
		reply: [200, '<html></html>'],
		message: /web page/,
		details: { status: 200, failed },
	},
	'an empty answer': {
		reply: [200, ''],
		message: /empty response/,
		details: { status: 200, failed },
	},
	'a service that fails': {
		reply: [500, {}],
		parameters: ONE_TRY,
		message: /^The service failed \(HTTP 500\)/,
		details: { status: 500, failed },
	},
	'a reported failure': {
		reply: [
			200,
			{ response_context: { request_status: 'failure', correlation_id: 'c-2' }, data: [] },
		],
		message: /reports that the request failed/,
		details: { status: 200, correlation_id: 'c-2', failed },
	},
	'a refused request': {
		reply: invalidResponse(['body', 'request_context']),
		parameters: { options: { requests: { requestContext: '{ "a": 1 }' } } },
		message: /rejected the request \(HTTP 422\): request_context: Not known\./,
		details: { status: 422, correlation_id: 'c-422', failed },
	},
	'a host that is down': {
		more: at('http://127.0.0.1:9'),
		parameters: ONE_TRY,
		message: /^The service could not be reached\. Check Base URL/,
		details: { code: 'ECONNREFUSED', failed },
	},
	'a base URL without https': {
		more: at('http://service.example'),
		message: /^Base URL starts with http:/,
		details: { failed },
	},
	'no base URL': { more: at(''), message: /^Base URL is empty/, details: { failed } },
	'no key': { more: at(BASE_URL, ''), message: /^API Key is empty/, details: { failed } },
	'no credential': { more: { credentials: undefined }, message: /credential/, details: { failed } },
	'an expression that cannot be evaluated': {
		parameters: { prospectIds: "={{ $('Nowhere').item.json.id }}" },
		message: /Referenced node doesn't exist/,
		details: { field: 'prospectIds' },
	},
	'an expression among the options': {
		parameters: { options: { fields: "={{ $('Nowhere').item.json.id }}" } },
		message: /Referenced node doesn't exist/,
	},
	'an option out of bounds': {
		parameters: { options: { requests: { maxTries: 21 } } },
		message: /^Max Tries: "21" must be at most 20\.$/,
		details: { field: 'maxTries' },
	},
	'an operation that there is not': { parameters: { operation: 'invent' }, message: /"invent"/ },
	'a resource that there is not': { parameters: { resource: 'invent' }, message: /"invent"/ },
};

describe.each(CONTINUE_MODES)('%s', (onError) => {
	test.each(Object.entries(disasters))(
		'%s: every row is an error item',
		async (_what, disaster) => {
			if (disaster.reply !== undefined) serve(() => disaster.reply as FakeResponse);
			const result = await run(people(3), disaster.parameters, { onError, ...disaster.more });

			expect(result.status).toBe('success');
			expect(result.failure).toBeUndefined();
			expect(result.task?.error).toBeUndefined();
			const [errors, rows] =
				onError === 'continueErrorOutput'
					? [result.error, result.main]
					: [result.main, result.error];
			expect(rows).toEqual([]);
			expect(errors.map(({ pairedItem }) => pairedItem)).toEqual([
				{ item: 0 },
				{ item: 1 },
				{ item: 2 },
			]);
			expect(JSON.stringify(result)).not.toContain(CREDENTIALS.apiKey);
			expect(JSON.stringify(result.hints)).not.toContain('duplicate');

			const added = onError === 'continueErrorOutput' ? ['id', 'row'] : [];
			for (const { json, error } of errors) {
				expect(error).toBeUndefined();
				expect(Object.keys(json).sort()).toEqual(['error', ...added].sort());
				const { message, ...details } = errorOf({ json });
				expect(message).toMatch(disaster.message);
				if (disaster.details !== undefined) expect(details).toEqual(disaster.details);
			}
		},
	);

	test('only the failing rows fail, and each keeps its place and its link', async () => {
		const requests = serve((request) => {
			const index = request.body.prospect_ids?.indexOf(person(2)) ?? -1;
			return index < 0 ? enriched(request) : invalidResponse(['body', 'prospect_ids', index]);
		});
		const items = [
			...people(4),
			{ id: 'oops', row: 4 },
			{ id: '', row: 5 },
			{ id: person(6), row: 6 },
		];
		const { main, error, linked, linkedErrors } = await run(items, {}, { onError });

		const errors =
			onError === 'continueErrorOutput' ? error : main.filter(({ json }) => json.error);
		expect(errors.map(errorOf)).toEqual([
			{
				message: `The service rejected ${person(2)} (HTTP 422): Not known. Correct or remove it, then run the row again.`,
				field: 'prospectIds',
				status: 422,
				correlation_id: 'c-422',
				failed,
			},
			{
				message: expect.stringContaining('Prospect IDs: "oops" is not a prospect ID.'),
				field: 'prospectIds',
			},
		]);
		const rows = main.filter(({ json }) => !json.error);
		expect(rows.map(({ json }) => (json.profile as IDataObject).full_name)).toEqual([
			...[0, 1, 3].map((number) => nameOf(person(number))),
			null,
			nameOf(person(6)),
		]);
		expect([...linked, ...linkedErrors].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
		if (onError === 'continueRegularOutput') expect(linked).toEqual([0, 1, 2, 3, 4, 5, 6]);
		expect(requests.map(({ body }) => body.prospect_ids?.length)).toEqual([5, 4]);
	});

	test('rows that were fetched are not lost if n8n cannot tell which are new', async () => {
		const { main, error, hints } = await runWithoutMemory({ onError });
		expect(main.map(({ json }) => json.prospect_id)).toEqual([person(0)]);
		expect(error).toEqual([]);
		expect(hints.map(({ message }) => message)).toEqual([
			'Returned 1 row in 1 request.',
			'n8n could not tell which rows are new: The database is locked. The output has all of them.',
		]);
	});

	test('a row of which one data set failed keeps the others in its error', async () => {
		serve((request) => (request.path.includes('posts') ? [403, {}] : enriched(request)));
		const { main, error } = await run(
			people(1),
			{ dataSets: ['profile', 'networkPosts'] },
			{ onError },
		);
		const [item] = onError === 'continueErrorOutput' ? error : main;
		expect(item?.json.error).toEqual({
			message: expect.stringMatching(/^Network Posts: The account is not allowed/),
			status: 403,
			failed: ['network_posts'],
			received: { prospect_id: person(0), profile: profileOf({ full_name: 'Person 0' }) },
		});
	});
});

test('a wrong key costs no more requests than were under way', async () => {
	const requests = serve(() => [401, {}]);
	await run(people(500), {}, { onError: 'continueErrorOutput' });
	expect(requests.length).toBeLessThanOrEqual(4);
});

test('what all requests share and the service rejects is reported by one request', async () => {
	const requests = serve(() => invalidResponse(['body', 'request_context']));
	const { error } = await run(
		people(500),
		{ options: { requests: { requestContext: '{"a":1}', maxConcurrentRequests: 1 } } },
		{ onError: 'continueErrorOutput' },
	);
	expect(error).toHaveLength(500);
	expect(requests.length).toBeLessThanOrEqual(2);
});
