/**
 * What the service or n8n does wrong: whom a failure is about, what stays secret, and what is left behind. The trigger, and what
 * each operation makes of a response, have tests of their own.
 */
import { PollContext } from 'n8n-core';
import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
	type INodeType,
	sleep,
	UserError,
} from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { errorOf } from '../harness/engine';
import { searchList } from '../harness/listSearch';
import { abortListeners, inspectDeeply, watchTimers } from '../harness/process.cjs';
import { serve } from '../harness/servers';
import { shortenWaits } from '../harness/timeouts';
import type { Fault } from '../sandbox/faults/kinds';
import { CONTINUE, itemsWith, type Service, startService } from './service';
import { triggerOn } from './trigger';

shortenWaits();

const enrich = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.id }}',
	dataSets: ['profile'],
	...more,
});
const people = ({ world }: Service, count: number) => itemsWith(world.prospectIds(count));
const onePerson = ({ world }: Service) => [{ id: world.prospectId(1) }];
const status = (code: number, body?: unknown): Fault => ({
	kind: 'status',
	status: code,
	...(body !== undefined && { body }),
});
const messagesOf = ({ error }: Awaited<ReturnType<Service['run']>>) =>
	error.map((item) => errorOf(item).message);
/** Loads a list of the editor. */
const loadList = async ({ url, apiKey }: Service, credentials: IDataObject = {}) =>
	await searchList({
		node: new BusinessProspectData(),
		method: 'search_country',
		filter: 'uni',
		credentials: { baseUrl: url, apiKey, ...credentials },
		credentialType: new BusinessProspectDataApi(),
	});
/** Runs the node, and does something at the beginning and with what it throws as it throws it: n8n records a copy. */
function watchedNode(watch: { start?: (context: IExecuteFunctions) => void; thrown?: unknown[] }) {
	const node = new BusinessProspectData();
	const { execute } = node;
	node.execute = async function (this: IExecuteFunctions) {
		watch.start?.(this);
		const execution = execute.call(this);
		execution.catch((error: unknown) => watch.thrown?.push(error));
		return await execution;
	};
	return node;
}

const emails = enrich({ dataSets: ['emails'] });
const remove: INodeParameters = {
	resource: 'eventEnrollment',
	operation: 'delete',
	enrollmentId: '={{ $json.id }}',
};
const first = (count: number) => [...Array(count).keys()];
const enrollments = ({ world }: Service, count: number) =>
	itemsWith(first(count).map((index) => world.enrollmentId(index)));

test.each<[string, INodeParameters, number, failing: number[], code: number, text: string]>([
	['deletions, five gone already', remove, 8, first(5), 404, 'Enrollment not found'],
	['people, many unknown, each named', emails, 30, first(20), 404, 'There is no <ID>'],
	['people, the first 8 refused', emails, 30, first(8), 403, 'This person opted out'],
	['people in batches of one', enrich({ options: { batchSize: 1 } }), 6, [0], 404, 'Unknown'],
])(
	'an answer about one record fails that record, and all others are sent: %s',
	async (_, parameters, count, failing, code, text) => {
		const service = await startService();
		const items = (parameters === remove ? enrollments : people)(service, count);
		const explanationOf = (row: number) => text.replace('<ID>', items[row]?.id ?? '');
		for (const row of failing) {
			const answer = status(code, { detail: explanationOf(row) });
			service.fault({ when: { asksFor: items[row]?.id }, times: 'always', do: answer });
		}

		const run = await service.run(parameters, items, CONTINUE);

		expect(service.log.entries).toHaveLength(count);
		expect(run.linkedErrors).toEqual(failing);
		expect(run.linked).toHaveLength(count - failing.length);
		expect(run.error.map(errorOf)).toMatchObject(
			failing.map((row) => ({
				status: code,
				message: expect.stringContaining(`(HTTP ${code}): ${explanationOf(row)}`),
			})),
		);
	},
);

const quota = { error: 'quota exceeded' };
test.each<[string, (id: IDataObject) => IDataObject]>([
	['beside null', (id) => ({ ...id, data: null, ...quota })],
	['without data', (id) => ({ ...id, ...quota, error_type: 'QuotaError' })],
	['as an object', (id) => ({ ...id, data: {}, error: { message: 'quota exceeded' } })],
	['in the data', (id) => ({ ...id, data: quota })],
	['in the data, with the ID', (id) => ({ ...id, data: { ...id, ...quota } })],
])(
	"an error %s fails its row with the service's words, and keeps what was received",
	async (_form, rowOf) => {
		const service = await startService();
		const items = people(service, 3);
		const two = items[1]?.id;
		service.change(
			({ data, ...answer }) => {
				const [first, , last] = data as IDataObject[];
				return { ...answer, data: [first, rowOf({ prospect_id: two }), last] };
			},
			{ when: { to: 'profileBulk' } },
		);

		const run = await service.run(
			enrich({ dataSets: ['profile', 'emails', 'phoneNumbers'] }),
			items,
			CONTINUE,
		);

		expect([run.linked, run.linkedErrors]).toEqual([[0, 2], [1]]);
		expect(errorOf(run.error[0])).toMatchObject({
			message: expect.stringContaining('reported an error for this row: quota exceeded'),
			reason: expect.stringMatching(/^quota exceeded\.?$/),
			correlation_id: expect.any(String),
			received: { prospect_id: two, contacts: expect.any(Object) },
		});
		expect(service.log.entries).toHaveLength(2);
	},
);

test('an error in place of an event fails its row', async () => {
	const service = await startService({ eventsPerDay: 0 });
	const items = people(service, 3);
	for (const prospect of [0, 1, 2]) service.world.addEvent({ prospect });
	const row = { prospect_id: items[1]?.id, ...quota, error_type: 'Quota' };
	service.change((answer) => ({
		...answer,
		output_events: [...(answer.output_events as IDataObject[]), row],
	}));

	const run = await service.run(enrich({ operation: 'getEvents' }), items, CONTINUE);

	expect([run.linked, run.linkedErrors]).toEqual([[0, 1, 2], [1]]);
	expect(errorOf(run.error[0])).toMatchObject({ reason: 'quota exceeded', error_type: 'Quota' });
});

// n8n-workflow 1.99 to 2.33.2 lose the cause, by which such an error is recognized.
test('a request that n8n does not send, because of its protection against requests to private networks', async () => {
	const service = await startService();
	const description = 'The target 10.0.0.5 is not allowed.';
	const error = new UserError('The request was blocked', { description });
	const credentialType = Object.assign(new BusinessProspectDataApi(), {
		authenticate: async () => await Promise.reject(error),
	});

	const run = await service.run(enrich(), onePerson(service), { credentialType, ...CONTINUE });

	expect(errorOf(run.error[0])).toMatchObject({
		message:
			'n8n did not send the request: The request was blocked. The target 10.0.0.5 is not allowed. Check the credential, and whether n8n may send requests to its Base URL. Then run these rows again.',
		code: 'NOT_SENT',
	});
	expect(service.log.entries).toEqual([]);
});

/**
 * The key is in nothing that comes out: no item, hint, record, log line or state, and no error, however deep one looks into it (n8n
 * logs errors with all their causes). It goes nowhere but to the service. The tenant is no secret.
 */
const KEY = ['k3y', 'that', 'nobody', 'may', 'see'].join('-');
const TENANT = 'tenant-of-ours';
/** A credential as a person pastes it. */
const pasted = ({ url }: Service) => ({ baseUrl: url, apiKey: ` ${KEY} `, tenant: TENANT });
const start = async () => await startService({ apiKey: KEY, tenant: TENANT });
const once = enrich({ options: { maxWait: 0 } });

function expectNoSecret(...found: unknown[]): void {
	for (const text of [inspectDeeply(found), JSON.stringify(found)]) {
		expect(text).not.toContain(KEY);
	}
}

const echo = { message: `The key ${KEY} of ${TENANT} is not known` };
const FAILED = { correlation_id: KEY, request_status: 'failure' };
const faults: Array<[string, Fault]> = [
	...[400, 401, 403, 404, 413, 422, 429, 500, 504].map((code): [string, Fault] => [
		`HTTP ${code} that repeats it`,
		status(code, echo),
	]),
	[
		'a validation error that repeats it',
		status(422, { detail: [{ loc: ['header', KEY], msg: KEY }] }),
	],
	['a failure that repeats it', status(200, { response_context: FAILED, error: echo })],
	['a lost connection', { kind: 'drop' }],
	['a redirect', { kind: 'redirect', to: `https://elsewhere.example/${KEY}` }],
];

test.each(faults)(
	'the key is not in what a run, the trigger or a list shows or logs: %s',
	async (_, fault) => {
		const logged = jest.fn();
		jest
			.spyOn(PollContext.prototype, 'logger', 'get')
			.mockReturnValue({ warn: logged, error: logged } as never);
		const service = await start();
		const credentials = pasted(service);
		const thrown: unknown[] = [];
		const node = watchedNode({ thrown });
		const poller = triggerOn(
			service,
			{ ids: service.world.prospectId(1), options: { maxWait: 0 } },
			{ credentials, staticData: {} },
		);
		await poller.poll({ activation: 'activate' });
		service.fault({ times: 'always', do: fault });

		const runs = [
			await service.run(once, onePerson(service), { node, credentials }),
			await service.run(once, onePerson(service), { node, credentials, ...CONTINUE }),
		];
		const polls: Array<PromiseSettledResult<unknown>> = [];
		for (const how of [{}, { mode: 'manual' }, { activation: 'activate' }] as const) {
			polls.push(...(await Promise.allSettled([poller.poll(how)])));
		}
		const [list] = await Promise.allSettled([loadList(service, credentials)]);

		expect(runs.map(({ failure }) => failure === undefined)).toEqual([false, true]);
		expect(thrown).toHaveLength(1);
		expect([list, ...polls].map((one) => one?.status)).toEqual([
			...['rejected', 'rejected', 'rejected', 'fulfilled'],
		]);
		expect(logged).toHaveBeenCalled();
		expectNoSecret(runs, thrown, polls, list, poller.state, poller.saved, logged.mock.calls);
		expect(service.log.entries.every(({ key }) => key === 'right')).toBe(true);
	},
);

test('the key is not in what the service says of a single person', async () => {
	const service = await start();
	const row = { error: echo.message, error_type: KEY, prospect_id: null };
	service.change((answer) => ({ ...answer, matched_prospects: [row] }));

	const run = await service.run(
		{ resource: 'prospect', operation: 'match', email: 'nathan@example.com' },
		[{}],
		{ ...CONTINUE, credentials: pasted(service) },
	);

	expect(messagesOf(run)).toEqual([
		"The service could not look this person up: The key *** of tenant-of-ours is not known (***). Check this person's details. If they are correct, run the row again later.",
	]);
	expectNoSecret(run);
});

const ELSEWHERE = 'https://elsewhere.example';

test.each([302, 308])(
	'the key does not go to another origin: a redirect (%i) is not followed, and says so',
	async (code) => {
		const received = serve(ELSEWHERE);
		const service = await startService();
		const redirect: Fault = { kind: 'redirect', to: `${ELSEWHERE}/v1/x`, status: code };
		service.fault({ times: 'always', do: redirect });

		const run = await service.run(enrich(), onePerson(service));
		const others = await Promise.allSettled([
			triggerOn(service, { ids: service.world.prospectId(1) }).poll({ mode: 'manual' }),
			loadList(service),
		]);

		const start = `The address in Base URL redirects to another one (HTTP ${code})`;
		expect(run.failureText).toContain(start);
		for (const one of others) {
			expect(one).toHaveProperty('reason.message', expect.stringContaining(start));
		}
		expect(received).toEqual([]);
		expect(service.log.requestsTo()).toHaveLength(3);
	},
);

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
		const more = { json: true, simple: false, followAllRedirects: true };
		await request.call(this, 'businessProspectDataApi', { method: 'GET', uri, ...more });
		return [[]];
	},
});

test.each<[how: string, addressOf: (service: Service) => string]>([
	['to another address', () => `${ELSEWHERE}/v1/prospects`],
	['along with a redirect', ({ url }) => `${url}/v1/businesses/autocomplete?field=country`],
])(
	'the key does not go %s, where n8n does not know that the credential is for these nodes only',
	async (_, addressOf) => {
		const received = serve(ELSEWHERE);
		const service = await startService();
		service.fault({ do: { kind: 'redirect', to: `${ELSEWHERE}/v1/x` } });

		const run = await service.run({}, [{}], {
			node: anyNode(addressOf(service)),
			credentialType: Object.assign(new BusinessProspectDataApi(), {
				restrictToSupportedNodes: false,
			}),
		});

		expect(run.failure).toBeUndefined();
		expect(received.length + service.log.entries.length).toBe(1);
		expect(received.filter(({ headers }) => 'api_key' in headers)).toEqual([]);
	},
);

/** Seconds; no other wait in a run is as long. */
const RESET = 47;

test.each<[string, (service: Service) => Promise<unknown>]>([
	['the run', async (service) => await service.run(enrich(), onePerson(service))],
	['the list that was loaded', async (service) => await loadList(service)],
])('a wait for the rate limit ends with %s', async (_, use) => {
	const service = await startService();
	const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(RESET) };
	const answer: Fault = { kind: 'status', status: 200, headers, body: { data: [] } };
	service.fault({ times: 'always', do: answer });
	const timers = watchTimers((ms = 0) => ms > (RESET - 5) * 1000 && ms <= RESET * 1000);

	await use(service);

	// Up to n8n-workflow 2.33.2 `sleep` ignores its signal, and its timer runs out by itself.
	const left = await sleep(1, AbortSignal.abort()).then(
		() => 1,
		() => 0,
	);
	expect(timers.begun()).toBe(1);
	expect(timers.stop()).toBe(left);
});

test('a run does not go on listening for the end of its execution', async () => {
	const service = await startService();
	const signals: AbortSignal[] = [];
	const before: number[] = [];
	const node = watchedNode({
		start: (context) => {
			const signal = context.getExecutionCancelSignal();
			if (signal === undefined) return;
			signals.push(signal);
			before.push(abortListeners(signal));
		},
	});

	const run = await service.run(enrich(), onePerson(service), { node });

	expect(run.failure).toBeUndefined();
	expect(before).toHaveLength(1);
	expect(signals.map(abortListeners)).toEqual(before);
});
