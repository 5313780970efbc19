/**
 * The key is in nothing that comes out: no item, hint, record, log line or state, and no error, however deep one looks
 * into it (n8n logs errors with all their causes). It goes nowhere but to the service. The tenant is no secret: it may be
 * a word or a single letter, and what the service says of it stays as it is.
 *
 */
import fastify from 'fastify';
import { PollContext } from 'n8n-core';
import type { IExecuteFunctions, INodeParameters, INodeType } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { inspectDeeply } from '../harness/inspect.cjs';
import { searchList } from '../harness/listSearch';
import { shortenWaits } from '../harness/timeouts';
import type { Fault } from '../sandbox/faults/kinds';
import { type Service, startService } from './service';
import { triggerOn } from './trigger';

shortenWaits();

const KEY = ['k3y', 'that', 'nobody', 'may', 'see'].join('-');
const TENANT = 'tenant-of-ours';

/** A credential as a person pastes it. */
const pasted = ({ url }: Pick<Service, 'url'>) => ({
	baseUrl: url,
	apiKey: ` ${KEY} `,
	tenant: TENANT,
});

/** The key is in none of these, however deep one looks. */
function expectNoSecret(...found: unknown[]): void {
	for (const text of [inspectDeeply(found), JSON.stringify(found)]) {
		expect(text).not.toContain(KEY);
	}
}

/** Runs the node, and keeps what it throws as it throws it: n8n records a copy, but logs this. */
async function runWatched(
	service: Service,
	...[parameters, items, options]: Parameters<Service['run']>
) {
	const node = new BusinessProspectData();
	const { execute } = node;
	const thrown: unknown[] = [];
	node.execute = async function (this: IExecuteFunctions) {
		const execution = execute.call(this);
		execution.catch((error: unknown) => thrown.push(error));
		return await execution;
	};
	return { run: await service.run(parameters, items, { ...options, node }), thrown };
}

const enrich: INodeParameters = {
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.id }}',
	options: { requests: { maxTries: 1, maxWait: 1 } },
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
	['a redirect', { kind: 'redirect', to: `https://elsewhere.example/${KEY}` }],
];

const secretive = async () => await startService({ apiKey: KEY, tenant: TENANT });

describe.each(faults)('%s', (_, fault) => {
	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'in a run with On Error %s',
		async (onError) => {
			const service = await secretive();
			service.fault({ times: 'always', do: fault });

			const { run, thrown } = await runWatched(
				service,
				enrich,
				[{ id: service.world.prospectId(1) }],
				{ onError, credentials: pasted(service) },
			);

			expect(run.failure === undefined).toBe(onError !== 'stopWorkflow');
			expect(thrown).toHaveLength(onError === 'stopWorkflow' ? 1 : 0);
			expectNoSecret(run, run.failure, thrown);
			expect(service.log.entries.every(({ key }) => key === 'right')).toBe(true);
		},
	);

	test.each(['activate', undefined, 'manual'] as const)('in the trigger, %s', async (how) => {
		const logged = jest.fn();
		jest
			.spyOn(PollContext.prototype, 'logger', 'get')
			.mockReturnValue({ warn: logged, error: logged } as never);
		const service = await secretive();
		service.fault({ times: 'always', do: fault });
		const poller = triggerOn(
			service,
			{ ids: service.world.prospectId(1), options: { requests: { maxTries: 1, maxWait: 0 } } },
			{ credentials: pasted(service), staticData: {} },
		);
		if (how === undefined) await poller.poll({ activation: 'activate' });

		const poll = await settled(poller.poll(how === 'manual' ? { mode: how } : { activation: how }));

		expect(poll.reason === undefined).toBe(how === 'activate');
		expect(logged.mock.calls.length > 0).toBe(how !== 'manual');
		expectNoSecret(poll, poller.state, poller.saved, logged.mock.calls);
	});

	test('in a list that loads', async () => {
		const service = await secretive();
		service.fault({ times: 'always', do: fault });

		const list = await settled(
			searchList({
				node: new BusinessProspectData(),
				method: 'search_country',
				filter: 'uni',
				credentials: pasted(service),
				credentialType: new BusinessProspectDataApi(),
			}),
		);

		expect(list.reason).toBeDefined();
		expectNoSecret(list);
	});
});

test('what the service says of a single person', async () => {
	const service = await secretive();
	const row = { error: echo.message, error_type: KEY, prospect_id: null };
	service.change((answer) => ({ ...Object(answer), matched_prospects: [row] }));

	const run = await service.run(
		{ resource: 'prospect', operation: 'match', email: 'nathan@example.com' },
		[{}],
		{ onError: 'continueErrorOutput', credentials: pasted(service) },
	);

	expect(run.error[0]?.json.error).toMatchObject({
		message:
			"The service could not look this person up: The key *** of tenant-of-ours is not known (***). Check this person's details. If they are correct, run the row again later.",
	});
	expectNoSecret(run);
});

test.each([
	...['e', 'sales', TENANT].map((tenant) => [tenant, tenant]),
	[`eu-${KEY}-west`, 'eu-***-west'],
])('a tenant %p garbles no message, which shows it as %p', async (tenant, shown) => {
	const service = await startService({ apiKey: KEY, tenant });
	const message = `The tenant ${tenant} has ended: ask sales.`;
	service.fault({ do: { kind: 'status', status: 400, body: { message } } });

	const run = await service.run(enrich, [{ id: service.world.prospectId(1) }], {
		credentials: { ...pasted(service), tenant },
	});

	expect(run.failureText).toContain(`: The tenant ${shown} has ended: ask sales. `);
});

test.each([
	['a key in two lines', { apiKey: `${KEY}\n${KEY}` }],
	['a key with a special character', { apiKey: `${KEY}\u2026` }],
	['a tenant in two lines', { tenant: `${TENANT}\r\n${TENANT}` }],
	['a key in place of the base URL', { baseUrl: KEY }],
	['a key in the base URL', { baseUrl: `https://${KEY}@service.example` }],
	['a key behind the base URL', { baseUrl: `https://service.example?api_key=${KEY}` }],
	['a base URL without encryption', { baseUrl: 'http://service.example' }],
	['no base URL', { baseUrl: '' }],
])('a credential that is wrong: %s', async (_, wrong) => {
	const service = await secretive();
	const credentials = { ...pasted(service), ...wrong };
	const rows = [{ id: service.world.prospectId(1) }];

	const { run, thrown } = await runWatched(service, enrich, rows, { credentials });
	const poll = await settled(
		triggerOn(service, { ids: rows[0]?.id ?? '' }, { credentials }).poll({
			activation: 'activate',
		}),
	);

	expect(run.failureText).toMatch(/^(API Key|Tenant|Base URL) /);
	expect(poll.reason).toBeDefined();
	expectNoSecret(run, run.failure, thrown, poll);
	expect(service.log.entries).toEqual([]);
});

const settled = async (promise: Promise<unknown>): Promise<{ value?: unknown; reason?: unknown }> =>
	await promise.then(
		(value) => ({ value }),
		(reason: unknown) => ({ reason }),
	);

/** Another server, and the keys that its requests have. */
async function startElsewhere() {
	const keys: unknown[] = [];
	const elsewhere = fastify();
	elsewhere.all('/*', async ({ headers }) => (keys.push(headers.api_key), {}));
	return { elsewhere, keys, address: await elsewhere.listen({ port: 0, host: '127.0.0.1' }) };
}

test.each([301, 302, 303, 307, 308])(
	'a redirect (%i) to another origin is not followed, and says so',
	async (status) => {
		const { elsewhere, address, keys } = await startElsewhere();
		const service = await startService();
		service.fault({ times: 'always', do: { kind: 'redirect', to: `${address}/v1/x`, status } });
		const id = service.world.prospectId(1);
		// Without an address to follow, the rest would hold anyway.
		const { headers } = await fetch(`${service.url}/v1/businesses/autocomplete?field=country`, {
			redirect: 'manual',
			headers: { api_key: service.apiKey },
		});
		expect(headers.get('location')).toBe(`${address}/v1/x`);
		service.log.clear();

		const run = await service.run(enrich, [{ id }]);
		const poll = await settled(triggerOn(service, { ids: id }).poll({ mode: 'manual' }));
		const list = await settled(
			searchList({
				node: new BusinessProspectData(),
				method: 'search_country',
				credentials: { baseUrl: service.url, apiKey: service.apiKey },
				credentialType: new BusinessProspectDataApi(),
			}),
		);
		await elsewhere.close();

		for (const error of [run.failure, poll.reason, list.reason]) {
			expect(error).toHaveProperty(
				'message',
				expect.stringMatching(
					new RegExp(`^The address in Base URL redirects to another one \\(HTTP ${status}\\)`),
				),
			);
		}
		expect(keys).toEqual([]);
		expect(service.log.requestsTo()).toHaveLength(3);
	},
);

describe('where n8n does not know that the credential is for these nodes only', () => {
	/** Any node that takes any address, as the HTTP Request node does. */
	const anyNode = (uri: string): INodeType => ({
		description: {
			displayName: 'Any',
			name: 'any',
			group: ['transform'],
			version: 1,
			description: 'Sends to any address',
			defaults: { name: 'Any' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'businessProspectDataApi', required: true }],
			properties: [],
		},
		async execute() {
			// n8n's older helper, which its HTTP Request node used.
			const { requestWithAuthentication: request } = this.helpers;
			await request.call(this, 'businessProspectDataApi', {
				method: 'GET',
				uri,
				json: true,
				simple: false,
				followAllRedirects: true,
			});
			return [[]];
		},
	});

	test.each<[how: string, addressOf: (service: Service, elsewhere: string) => string]>([
		['to another address', (_, elsewhere) => `${elsewhere}/v1/prospects`],
		['along with a redirect', ({ url }) => `${url}/v1/businesses/autocomplete?field=country`],
	])('the key does not go %s', async (_, addressOf) => {
		const { elsewhere, address, keys } = await startElsewhere();
		const service = await startService();
		service.fault({ do: { kind: 'redirect', to: `${address}/v1/x` } });

		const run = await service.run({}, [{}], {
			node: anyNode(addressOf(service, address)),
			credentialType: Object.assign(new BusinessProspectDataApi(), {
				restrictToSupportedNodes: false,
			}),
		});
		await elsewhere.close();

		expect(run.failure).toBeUndefined();
		expect(keys.length + service.log.entries.length).toBe(1);
		expect(keys.filter((key) => key !== undefined)).toEqual([]);
	});
});
