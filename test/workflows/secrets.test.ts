import fastify from 'fastify';
import type { INodeParameters } from 'n8n-workflow';
import type { Fault } from '../sandbox/faults/kinds';
import { startService } from './service';

const KEY = ['k3y', 'that', 'nobody', 'may', 'see'].join('-');
const TENANT = 'tenant-of-ours';

const enrich: INodeParameters = {
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.id }}',
	options: { maxTries: 1, maxWait: 1 },
};

const echo = { message: `The key ${KEY} of ${TENANT} is not known` };
const faults: Array<[string, Fault]> = [
	...[400, 401, 402, 403, 404, 413, 422, 429, 500, 504].map((status): [string, Fault] => [
		`HTTP ${status} that repeats the key`,
		{ kind: 'status', status, body: echo },
	]),
	[
		'a validation error that repeats the key',
		{
			kind: 'status',
			status: 422,
			body: { detail: [{ loc: ['header', KEY], msg: echo.message }] },
		},
	],
	[
		'a failure that repeats the key',
		{
			kind: 'status',
			status: 200,
			body: { response_context: { correlation_id: KEY, request_status: 'failure' }, error: echo },
		},
	],
	['a web page', { kind: 'html' }],
	['a lost connection', { kind: 'drop' }],
];

test.each(faults)('%s: key and tenant are in nothing that comes out', async (_, fault) => {
	const service = await startService({ apiKey: KEY, tenant: TENANT });
	service.fault({ times: 'always', do: fault });

	for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const) {
		const run = await service.run(enrich, [{ id: service.world.prospectId(1) }], {
			onError,
			credentials: { baseUrl: service.url, apiKey: ` ${KEY} `, tenant: TENANT },
		});

		expect(run.failure === undefined).toBe(onError !== 'stopWorkflow');
		const everything = JSON.stringify([run, run.failure?.stack, run.failure?.message]);
		expect(everything).not.toContain(KEY);
		expect(everything).not.toContain(TENANT);
	}
	expect(service.log.entries.every(({ key }) => key === 'right')).toBe(true);
});

test.each([301, 302, 303, 307, 308])(
	'a redirect (%i) to another origin is not followed, and says so',
	async (status) => {
		const asked: unknown[] = [];
		const elsewhere = fastify();
		elsewhere.all('/*', async ({ headers }) => asked.push(headers));
		const address = await elsewhere.listen({ port: 0, host: '127.0.0.1' });
		const service = await startService();
		service.fault({ times: 'always', do: { kind: 'redirect', to: `${address}/v1/x`, status } });

		const run = await service.run(enrich, [{ id: service.world.prospectId(1) }]);
		await elsewhere.close();

		expect(run.failure?.message).toMatch(
			new RegExp(`^The service answered with a redirect \\(HTTP ${status}\\)`),
		);
		expect(asked).toEqual([]);
		expect(service.log.requestsTo()).toHaveLength(1);
	},
);

test('a wrong key is said once, and no further request is sent', async () => {
	const service = await startService();
	const items = Array.from({ length: 500 }, (_, row) => ({
		row,
		id: service.world.prospectId(row),
	}));

	const run = await service.run({ ...enrich, options: { maxConcurrentRequests: 1 } }, items, {
		onError: 'continueErrorOutput',
		credentials: { baseUrl: service.url, apiKey: 'wrong' },
	});

	expect(service.log.entries).toHaveLength(1);
	expect(run.main).toEqual([]);
	expect(run.linkedErrors).toEqual(items.map(({ row }) => row));
	expect(run.error[0]?.json.error).toMatch(/^The service did not accept the API key \(HTTP 401\)/);
});

test.each([
	['http://service.example', /^Base URL starts with http:/],
	['', /^Base URL is empty/],
])('the base URL %p is refused before any request', async (baseUrl, message) => {
	const service = await startService();

	const run = await service.run(enrich, [{ id: service.world.prospectId(1) }], {
		credentials: { baseUrl, apiKey: KEY },
		onError: 'continueErrorOutput',
	});

	expect(run.error[0]?.json.error).toMatch(message);
	expect(service.log.entries).toEqual([]);
});
