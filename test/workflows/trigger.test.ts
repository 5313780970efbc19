/** The trigger as n8n runs it, against the sandbox. */
import type { IDataObject } from 'n8n-workflow';
import { REQUEST_LIMITS } from '../../nodes/BusinessProspectData/api/client';
import type { PollOptions } from '../harness/poll';
import { shortenTimeouts } from '../harness/timeouts';
import type { Fault } from '../sandbox/faults/kinds';
import { bySize } from '../size';
import { setInstanceTimezone } from './clock';
import { expectOwnObjects, type Service, startService } from './service';
import { type Clock, idsOf, startClock, triggerOn } from './trigger';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = '2026-11-18T12:00:00Z';
/** One attempt, no waits: the clock stands still. */
const NO_RETRIES = { maxWait: 0 };

const start = async () => {
	const clock = startClock(NOW);
	return { clock, service: await startService({ now: clock.now, eventsPerDay: 0 }) };
};

const checkpointOf = (state: IDataObject) => state.checkpoint as IDataObject;

test.each([
	['Europe/Berlin', '2026-11-01T22:59:00Z', '2026-11-01T23:01:00Z'],
	['GMT', '2026-11-01T23:59:00Z', '2026-11-02T00:01:00Z'],
	['DEFAULT', '2026-11-01T14:59:00Z', '2026-11-01T15:01:00Z'],
])(
	'Start From without a zone uses the time zone of the workflow: %s',
	async (timezone, before, after) => {
		const { service } = await start();
		setInstanceTimezone('Asia/Tokyo');
		for (const time of [before, after]) {
			service.world.addEvent({ prospect: 0, event_id: time, time: new Date(time) });
		}
		const settings = { ids: service.world.prospectIds(1), options: { startFrom: '2026-11-02' } };

		const { items } = await triggerOn(service, settings, { timezone }).poll({
			activation: 'activate',
		});

		expect(idsOf(items)).toEqual([after]);
	},
);

describe('invalid settings fail the activation', () => {
	const ID = 'a'.repeat(40);
	test.each([
		['an ID', { ids: `${ID}, b, ${ID}` }, 'IDs: "b" (number 2 in the list) is not'],
		['no IDs', { ids: ' ' }, 'IDs is empty. Enter at least one ID'],
		[
			'an event type',
			{ ids: ID, eventTypes: ['new_product'] },
			'Event Types: "new_product" is not one of',
		],
		[
			'a lookback window',
			{ ids: ID, options: { lookBackDays: 89 } },
			'Look Back (Days): "89" must be at most 88',
		],
		['Start From', { ids: ID, options: { startFrom: '2026-08-01' } }, 'more than 3 months ago'],
	])('%s', async (_, parameters, message) => {
		const clock = startClock(NOW);
		const service = await startService({ now: clock.now });
		const poller = triggerOn(service, parameters);

		await expect(poller.poll({ activation: 'activate' })).rejects.toThrow(message);
		expect(service.log.entries).toEqual([]);
	});

	test('Other Event Types takes types that are not in the list', async () => {
		const { clock, service } = await start();
		const ids = service.world.businessIds(1);
		const types = { eventTypes: [], otherEventTypes: 'office_closing' };
		const poller = triggerOn(service, { triggerOn: 'businessEvent', ids, ...types });
		await poller.poll({ activation: 'activate' });
		clock.pass(MINUTE);
		const { event_id } = service.world.addEvent({ business: 0, event_name: 'office_closing' });

		expect(idsOf((await poller.poll()).items)).toEqual([event_id]);
	});

	test('a Start From that has become too old stops neither an active trigger nor its restart', async () => {
		const clock = startClock('2026-05-28T12:00:00Z');
		const service = await startService({ now: clock.now, eventsPerDay: 0 });
		const options = { startFrom: '2026-05-01' };
		const poller = triggerOn(service, { ids: service.world.prospectIds(1), options });
		await poller.poll({ activation: 'activate' });
		clock.pass(120 * 24 * HOUR);
		expect((await poller.poll({ activation: 'init' })).items).toBeNull();
		const { event_id } = service.world.addEvent({ prospect: 0 });

		expect(idsOf((await poller.poll()).items)).toEqual([event_id]);
	});
});

// n8n doesn't save the state of the activation then.
test('with durable cursors a Start From that becomes too old before the first check does not stop it', async () => {
	const { clock, service } = await start();
	const options = { startFrom: '2026-08-18T00:00:00Z' };
	const settings = { ids: service.world.prospectIds(1), options };
	const poller = triggerOn(service, settings, { durable: true });
	await poller.poll({ activation: 'activate' });
	const { event_id } = service.world.addEvent({ prospect: 0 });
	clock.pass(24 * HOUR);

	expect(idsOf((await poller.poll()).items)).toEqual([event_id]);
});

describe('a failing service', () => {
	let clock: Clock;
	let service: Service;
	beforeEach(async () => {
		clock = startClock(NOW);
		service = await startService({ now: clock.now, people: 200, eventsPerDay: 0 });
	});

	test.each<[durable: boolean, fault: Fault]>([
		[true, { kind: 'status', status: 500 }],
		[false, { kind: 'status', status: 500 }],
		[false, { kind: 'status', status: 401 }],
		[false, { kind: 'status', status: 404, body: { message: 'There is no such prospect' } }],
		[false, { kind: 'tooMany', retryAfter: 3600 }],
		[false, { kind: 'drop' }],
		...bySize<Array<[boolean, Fault]>>([], [[false, { kind: 'hang' }]]),
		[false, { kind: 'outcome', request_status: 'failure' }],
		[false, { kind: 'invalid', names: 'index', position: 0 }],
	])(
		'durable cursors: %s, %j: the first poll does not throw, later ones do, and nothing is lost',
		async (durable, fault) => {
			// Only where it is needed: on a busy machine, any request may take a second.
			const short = fault.kind === 'hang' ? shortenTimeouts() : undefined;
			const options = { ...NO_RETRIES, startFrom: '2026-09-20' };
			const ids = service.world.prospectIds(1);
			const poller = triggerOn(service, { ids, options }, { durable });
			const old = new Date(clock.now().getTime() - 30 * 24 * HOUR);
			const before = service.world.addEvent({ prospect: 0, time: old }).event_id;
			const broken = service.fault({ times: 'always', do: fault });
			expect((await poller.poll({ activation: 'activate' })).items).toBeNull();
			clock.pass(HOUR);
			const { event_id } = service.world.addEvent({ prospect: 0 });
			for (let poll = 0; poll < 2; poll++) {
				await expect(poller.poll()).rejects.toThrow('No event is lost');
				clock.pass(HOUR);
			}
			expect((await poller.poll({ activation: 'init' })).items).toBeNull();

			broken.remove();
			short?.mockRestore();
			clock.pass(HOUR);
			expect(idsOf((await poller.poll()).items)).toEqual([before, event_id]);
			expect((await poller.poll()).items).toBeNull();
		},
	);

	test.each<[what: string, options: { durable: boolean }, poll: PollOptions]>([
		['of a save', { durable: false }, { activation: 'update' }],
		['of a durable schedule with its budget', { durable: true }, { budgetMs: 300_000 }],
	])(
		'a poll that may be an activation (%s) does not throw, but fails an execution',
		async (_, options, poll) => {
			const settings = { ids: service.world.prospectIds(1), options: NO_RETRIES };
			const poller = triggerOn(service, settings, options);
			await poller.poll({ activation: 'activate' });
			service.fault({ times: 'always', do: { kind: 'status', status: 503 } });

			for (let polls = 1; polls <= 3; polls++) {
				clock.pass(HOUR);
				expect((await poller.poll(poll)).items).toBeNull();
				expect(poller.reported).toHaveLength(polls);
			}

			expect(poller.reported[0]?.message).toMatch(/HTTP 503.*No event is lost/);
		},
	);

	test.each<[what: string, culprits: number[], how: Parameters<Service['refuseIds']>[1]]>([
		['names each of them', [3], {}],
		['names neither of two IDs, and differs each time', [3, 4], { names: 'text', requestId: true }],
	])(
		'rejected IDs stop neither the others nor the clock when the error %s',
		async (_what, culprits, how) => {
			service.refuseIds(culprits.map(service.world.prospectId), how);
			const ids = service.world.prospectIds(50);
			const poller = triggerOn(service, { ids, options: NO_RETRIES });
			await poller.poll({ activation: 'activate' });
			clock.pass(HOUR);
			const others = [0, 1, 2, 5, 20, 22, 37, 39, 49].filter((id) => !culprits.includes(id));
			const events = others.map((prospect) => service.world.addEvent({ prospect }).event_id);

			const { items, state } = await poller.poll();

			expect(idsOf(items).sort()).toEqual([...events].sort());
			expect(checkpointOf(state)).toMatchObject({ startedAt: clock.now().getTime() });
		},
	);
});

test.each<[what: string, fault: Fault]>([
	['without a response', { kind: 'hang' }],
	['with a very slow response', { kind: 'drip', pieces: 100_000, everyMs: 500 }],
])('a request %s ends with the poll, and does not stop the others', async (_, fault) => {
	jest.replaceProperty(REQUEST_LIMITS, 'timeout', 3_600);
	const service = await startService({ people: 80, eventsPerDay: 0 });
	const ids = service.world.prospectIds(80);
	const options = { requestsPerPoll: 2 };
	const poller = triggerOn(service, { ids, options }, { durable: true });
	await poller.poll({ activation: 'activate' });
	const { event_id } = service.world.addEvent({ prospect: 79 });
	service.fault({ when: { asksFor: [ids[0] ?? ''] }, times: 'always', do: fault });

	// If the poll waited for the request, this test would not end.
	const { items } = await poller.poll({ budgetMs: 3_000 });

	expect(idsOf(items)).toEqual([event_id]);
});

test('events come oldest first; without Simplify as the service returned them, with its context', async () => {
	const { clock, service } = await start();
	const ids = service.world.prospectIds(2);
	const plain = triggerOn(service, { ids });
	const whole = triggerOn(service, { ids, simplify: false });
	for (const poller of [plain, whole]) await poller.poll({ activation: 'activate' });
	clock.pass(HOUR);
	for (const minutes of [5, 30, 10]) {
		service.world.addEvent({
			prospect: minutes % 2,
			event_id: `${minutes}`,
			time: new Date(clock.now().getTime() - minutes * MINUTE),
		});
	}

	const [simple, raw] = [(await plain.poll()).items ?? [], (await whole.poll()).items ?? []];

	expect(idsOf(simple)).toEqual(['30', '10', '5']);
	expect(Object.keys(simple[0]?.json ?? {}).at(-1)).toBe('prospect_id');
	const { data, response_context, ...own } = raw[0]?.json ?? {};
	expect(simple[0]?.json).toMatchObject({
		event_current_company_id: (data as IDataObject).current_company_id,
		event_id: own.event_id,
	});
	expect(response_context).toMatchObject({ request_status: 'success' });
	expectOwnObjects(raw);
});
