/** The trigger as n8n runs it, against the sandbox. */
import type { IDataObject } from 'n8n-workflow';
import type { Poller, PollOptions } from '../harness/poll';
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
const NO_RETRIES = { requests: { maxTries: 1, maxWait: 0 } };
/** How long a request fails. */
const DAYS = bySize(3, 10);
/** Polls of the sandbox's events. */
const ROUNDS = bySize(40, 100);
/** A sweep in five polls: its IDs, and how many requests a poll may take. */
const SWEEP = bySize({ ids: 1_000, requestsPerPoll: 6 }, { ids: 10_000, requestsPerPoll: 60 });

const start = async () => {
	const clock = startClock(NOW);
	return { clock, service: await startService({ now: clock.now, eventsPerDay: 0 }) };
};

const checkpointOf = (state: IDataObject) => state.checkpoint as IDataObject;

describe.each([
	['by default', false],
	['with durable cursors', true],
])('events of the sandbox, %s', (_, durable) => {
	test.each(['prospect', 'business'] as const)('%s events come as they surface', async (kind) => {
		const clock = startClock(NOW);
		const service = await startService({ now: clock.now, people: 60, companies: 60 });
		const { world } = service;
		const ids = kind === 'prospect' ? world.prospectIds(60) : world.businessIds(60);
		const settings = {
			triggerOn: `${kind}Event`,
			ids,
			options: { ...NO_RETRIES, startFrom: '2026-11-17T12:00:00Z' },
		};
		const out: string[] = [];
		let poller = triggerOn(service, settings, { durable, name: `${kind} ${String(durable)}` });
		out.push(...idsOf((await poller.poll({ activation: 'activate' })).items));
		for (let round = 1; round <= ROUNDS; round++) {
			const isHalfway = round === ROUNDS / 2;
			clock.pass(isHalfway ? 7 * 24 * HOUR : 2 * HOUR);
			const down = round % 9 === 0;
			if (down)
				service.fault({ do: { kind: 'status', status: 503 }, times: round % 2 === 0 ? 1 : 2 });
			const restarts = isHalfway || round === ROUNDS - 2;
			if (restarts) {
				const { saved: staticData } = poller;
				poller = triggerOn(service, settings, {
					durable,
					staticData,
					name: `${kind} ${String(durable)}`,
				});
			}
			const polls = [poller.poll(restarts ? { activation: 'init' } : {}), poller.poll()];
			for (const poll of await Promise.allSettled(polls)) {
				if (poll.status === 'fulfilled') out.push(...idsOf(poll.value.items));
				else expect(down).toBe(true);
			}
		}
		await poller.poll();

		const from = Date.parse('2026-11-17T12:00:00Z') - 1;
		const surfaced = world.surfacedEvents({ kind, after: from });
		expect(surfaced.length).toBeGreaterThan(5 * ROUNDS);
		expect(out.sort()).toEqual(surfaced.map(({ event_id }) => event_id).sort());
	});
});

test.each([[false], [true]])(
	`a sweep over ${SWEEP.ids} IDs takes one request per 40 IDs, each ID once, despite 429s (durable cursors: %s)`,
	async (durable) => {
		const service = await startService({
			people: SWEEP.ids,
			eventsPerDay: 0,
		});
		service.fault({
			when: { nth: [1, 6, 13, 20] },
			times: 4,
			do: { kind: 'tooMany', retryAfter: 0.1 },
		});
		const ids = service.world.prospectIds(SWEEP.ids);
		const planted = [0, 432, SWEEP.ids - 1].map(
			(prospect) => service.world.addEvent({ prospect }).event_id,
		);
		const poller = triggerOn(
			service,
			{
				ids: ids.join(','),
				options: {
					startFrom: new Date(Date.now() - HOUR).toISOString(),
					requests: { requestsPerPoll: SWEEP.requestsPerPoll },
				},
			},
			{ durable },
		);
		const out: string[] = [];
		let polls = 0;
		let largest = 0;
		do {
			const { items, state } = await poller.poll(polls === 0 ? { activation: 'activate' } : {});
			out.push(...idsOf(items));
			largest = Math.max(largest, JSON.stringify(state).length);
			polls++;
			// With durable cursors, n8n does not save the state of an activation without events.
			expect(polls).toBeLessThan(10);
		} while (checkpointOf(poller.state)?.sweep !== undefined || polls === 1);

		const limited = service.log.requestsTo('prospectEvents').filter(({ status }) => status === 429);
		expect(limited).toHaveLength(4);
		expect(service.log.count('prospectEvents', { worked: true })).toEqual({
			requests: SWEEP.ids / 40,
			ids: SWEEP.ids,
			unique: SWEEP.ids,
			repeated: [],
		});
		expect(polls).toBe(5);
		expect(out.sort()).toEqual([...planted].sort());
		expect(largest).toBeLessThan(512 * 1024);
	},
);

test('Fetch Test Event outputs up to ten real events, oldest first, and changes no state', async () => {
	const service = await startService({ people: 100 });
	const poller = triggerOn(service, { ids: service.world.prospectIds(100) });

	const { items, state } = await poller.poll({ mode: 'manual' });

	const times = (items ?? []).map(({ json }) => String(json.event_time));
	const real = service.world.surfacedEvents({ kind: 'prospect' });
	expect(items).toHaveLength(10);
	expect(times).toEqual([...times].sort());
	expect(real.map(({ event_id }) => event_id)).toEqual(expect.arrayContaining(idsOf(items)));
	expect(state).toEqual({});
	expect(poller.saved).toEqual({});
});

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
			'a business ID for prospects',
			{ ids: 'a'.repeat(32) },
			`IDs: "${'a'.repeat(32)}" is not a prospect ID.`,
		],
		[
			'an event type',
			{ ids: ID, eventTypes: ['new_product'] },
			'Event Types: "new_product" is not one of',
		],
		[
			'a lookback window',
			{ ids: ID, options: { lookBackHours: 2_209 } },
			'Look Back (Hours): "2209" must be at most 2208',
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
		const settings = {
			triggerOn: 'businessEvent',
			ids,
			eventTypes: [],
			otherEventTypes: 'office_closing',
		};
		const poller = triggerOn(service, settings);
		await poller.poll({ activation: 'activate' });
		clock.pass(MINUTE);
		const { event_id } = service.world.addEvent({ business: 0, event_name: 'office_closing' });

		expect(idsOf((await poller.poll()).items)).toEqual([event_id]);
	});

	test('a Start From that has become too old stops neither an active trigger nor its restart, nor does a long lookback window', async () => {
		const clock = startClock('2026-05-28T12:00:00Z');
		const service = await startService({ now: clock.now, eventsPerDay: 0 });
		const options = { startFrom: '2026-05-01', lookBackHours: 2_208 };
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
	const FAULTS: Fault[] = [
		{ kind: 'status', status: 500 },
		{ kind: 'status', status: 503 },
		{ kind: 'status', status: 500, body: { message: 'connect ECONNREFUSED 10.0.0.7:5432' } },
		{ kind: 'status', status: 401 },
		{ kind: 'status', status: 403 },
		{ kind: 'status', status: 404 },
		{ kind: 'status', status: 404, body: { message: 'There is no such prospect' } },
		{ kind: 'tooMany', retryAfter: 3600 },
		{ kind: 'redirect', to: 'http://127.0.0.1:9/' },
		{ kind: 'html' },
		{ kind: 'cutJson' },
		{ kind: 'drop' },
		{ kind: 'hang' },
		{ kind: 'dropMidway' },
		{ kind: 'outcome', request_status: 'failure' },
		{ kind: 'invalid', names: 'nothing' },
		{ kind: 'invalid', names: 'member', member: 'timestamp_from' },
		{ kind: 'invalid', names: 'index', position: 0 },
	];

	let clock: Clock;
	let service: Service;
	beforeEach(async () => {
		clock = startClock(NOW);
		service = await startService({ now: clock.now, people: 200, eventsPerDay: 0 });
	});

	/** Events of these people come with a sweep an hour after the activation, which is complete. */
	async function expectCompleteSweep(poller: Poller, people: readonly number[]): Promise<void> {
		await poller.poll({ activation: 'activate' });
		clock.pass(HOUR);
		const events = people.map((prospect) => service.world.addEvent({ prospect }).event_id);

		const { items, state } = await poller.poll();

		expect(idsOf(items).sort()).toEqual([...events].sort());
		expect(checkpointOf(state)).toMatchObject({ lastSweepStart: clock.now().getTime() });
	}

	describe.each([[false], [true]])('durable cursors: %s', (durable) => {
		test.each(FAULTS.map((fault) => [JSON.stringify(fault), fault] as const))(
			'%s: the first poll does not throw, later ones do, and nothing is lost',
			async (_, fault) => {
				// Only where it is needed: on a busy machine, any request may take a second.
				const timeout = fault.kind === 'hang' ? 1 : 120;
				const short = fault.kind === 'hang' ? shortenTimeouts() : undefined;
				const requests = { ...NO_RETRIES.requests, timeout };
				const options = { requests, startFrom: '2026-09-20' };
				const poller = triggerOn(
					service,
					{ ids: service.world.prospectIds(1), options },
					{ durable },
				);
				const old = new Date(clock.now().getTime() - 30 * 24 * HOUR);
				const before = service.world.addEvent({ prospect: 0, time: old }).event_id;
				const broken = service.fault({ times: 'always', do: fault });
				expect((await poller.poll({ activation: 'activate' })).items).toBeNull();
				clock.pass(MINUTE);
				const { event_id } = service.world.addEvent({ prospect: 0 });
				for (let poll = 0; poll < 3; poll++) {
					await expect(poller.poll()).rejects.toThrow('No event is lost');
				}
				expect((await poller.poll({ activation: 'init' })).items).toBeNull();

				broken.remove();
				short?.mockRestore();
				clock.pass(MINUTE);
				expect(idsOf((await poller.poll()).items)).toEqual([before, event_id]);
				expect((await poller.poll()).items).toBeNull();
			},
		);

		test.each([1, 60])(
			'one failing request does not stop the others (%d per poll)',
			async (requestsPerPoll) => {
				const ids = service.world.prospectIds(120);
				const poller = triggerOn(
					service,
					{ ids, options: { requests: { ...NO_RETRIES.requests, requestsPerPoll } } },
					{ durable },
				);
				const broken = service.fault({
					when: { asksFor: [ids[0] ?? ''] },
					times: 'always',
					do: { kind: 'drop' },
				});
				await poller.poll({ activation: 'activate' });
				const out: string[] = [];
				const expected: string[] = [];
				const pollOften = async () => {
					for (let poll = 0; poll < 9; poll++) {
						const { items } = await poller.poll().catch(() => ({ items: null }));
						out.push(...idsOf(items));
					}
				};
				for (let day = 0; day < DAYS; day++) {
					clock.pass(24 * HOUR);
					expected.push(service.world.addEvent({ prospect: 100 }).event_id);
					service.world.addEvent({ prospect: 1, event_id: `pending ${day}` });
					await pollOften();
					expect(out).toEqual(expected);
				}

				broken.remove();
				await pollOften();
				const later = Array.from({ length: DAYS }, (_, day) => `pending ${day}`);
				expect(out.slice(DAYS)).toEqual(later);
			},
		);

		test('an ID that the service rejects stops neither the others nor the clock', async () => {
			const ids = service.world.prospectIds(50);
			service.refuseIds(ids[3] ?? '');
			const poller = triggerOn(service, { ids, options: NO_RETRIES }, { durable });

			await expectCompleteSweep(poller, [2, 4, 49]);
		});

		/** Watches 41 IDs, of which the last has a request of its own, and returns when the last complete sweep started. */
		async function sweepWith(fault: Fault, requestsPerPoll = 60) {
			const ids = service.world.prospectIds(41);
			service.fault({ when: { asksFor: ids.slice(40) }, times: 'always', do: fault });
			const options = { requests: { ...NO_RETRIES.requests, requestsPerPoll } };
			const poller = triggerOn(service, { ids, options }, { durable });
			await poller.poll({ activation: 'activate' });
			clock.pass(HOUR);
			for (let poll = 0; poll < 3; poll++) await poller.poll();
			return checkpointOf(poller.state).lastSweepStart;
		}

		test.each([
			[404, 'There is no such prospect', 60],
			[404, 'There is no such prospect', 1],
			[403, 'This prospect opted out', 60],
		])(
			'nor does one that it rejects with HTTP %d, %s, in a request of its own (%d per poll)',
			async (status, message, requestsPerPoll) => {
				const rejected: Fault = { kind: 'status', status, body: { message } };

				expect(await sweepWith(rejected, requestsPerPoll)).toBe(clock.now().getTime());
			},
		);

		test.each([
			[404, 'Not Found'],
			[403, 'Your plan does not include this'],
			[403, 'No credits left for this prospect'],
			[402, 'No credits left for this prospect'],
		])(
			'a request that fails with HTTP %d, %s, is repeated even if it has one ID',
			async (status, message) => {
				const failed: Fault = { kind: 'status', status, body: { message } };

				expect(await sweepWith(failed)).toBe(clock.now().getTime() - HOUR);
			},
		);
	});

	describe.each([[false], [true]])(
		'events without an entity ID, durable cursors: %s',
		(durable) => {
			/** In responses for several IDs. */
			const removeEntityIds = () =>
				service.change(
					(response) => {
						const { output_events, ...rest } = response as { output_events: IDataObject[] };
						return {
							...rest,
							output_events: output_events.map(({ prospect_id, ...event }) => {
								expect(prospect_id).toBeDefined();
								return event;
							}),
						};
					},
					{ when: ({ ids }) => ids.length > 1, times: 'always' },
				);

			test('come at once: each ID is queried alone', async () => {
				const ids = service.world.prospectIds(50);
				const poller = triggerOn(service, { ids, options: NO_RETRIES }, { durable });
				await poller.poll({ activation: 'activate' });
				removeEntityIds();
				clock.pass(HOUR);
				const events = [2, 4, 39].map((prospect) => service.world.addEvent({ prospect }).event_id);
				const before = service.log.entries.length;

				const { items, state } = await poller.poll();

				expect(idsOf(items).sort()).toEqual([...events].sort());
				expect(checkpointOf(state)).toMatchObject({ lastSweepStart: clock.now().getTime() });
				expect(checkpointOf(state).sweep).toBeUndefined();
				expect(service.log.entries.length - before).toBe(2 + 40);
				expect((await poller.poll()).items).toBeNull();
			});

			test('come later when the query of an ID fails, and the clock waits for them', async () => {
				const ids = service.world.prospectIds(3);
				const poller = triggerOn(service, { ids, options: NO_RETRIES }, { durable });
				await poller.poll({ activation: 'activate' });
				const startedAt = clock.now().getTime();
				removeEntityIds();
				const broken = service.fault({
					when: (request) => request.ids.length === 1 && request.ids[0] === ids[1],
					times: 'always',
					do: { kind: 'drop' },
				});
				clock.pass(HOUR);
				const events = [1, 2].map((prospect) => service.world.addEvent({ prospect }).event_id);

				const { items, state } = await poller.poll();

				expect(idsOf(items)).toEqual(events.slice(1));
				expect(checkpointOf(state).lastSweepStart).toBeLessThanOrEqual(startedAt);
				broken.remove();
				expect(idsOf((await poller.poll()).items)).toEqual(events.slice(0, 1));
			});
		},
	);

	test.each<[what: string, options: { durable: boolean }, poll: PollOptions]>([
		['of a save', { durable: false }, { activation: 'update' }],
		['of a durable schedule with its budget', { durable: true }, { budgetMs: 300_000 }],
	])(
		'a poll that may be an activation (%s) does not throw, but fails an execution',
		async (_, options, poll) => {
			const poller = triggerOn(
				service,
				{ ids: service.world.prospectIds(1), options: NO_RETRIES },
				options,
			);
			await poller.poll({ activation: 'activate' });
			service.fault({ times: 'always', do: { kind: 'status', status: 503 } });
			clock.pass(MINUTE);

			for (let polls = 1; polls <= 3; polls++) {
				expect((await poller.poll(poll)).items).toBeNull();
				expect(poller.reported).toHaveLength(polls);
			}

			expect(poller.reported[0]?.message).toContain('HTTP 503');
			expect(poller.reported[0]?.message).toContain('No event is lost');
		},
	);

	test.each<[what: string, culprits: number[], how: Parameters<Service['refuseIds']>[1]]>([
		['names neither of two IDs, and differs each time', [3, 4], { names: 'text', requestId: true }],
		['names neither the first nor the last ID', [0, 39], { names: 'text', requestId: false }],
		['names none of three IDs', [7, 21, 38], { names: 'text', requestId: false }],
		[
			'names none of three IDs, and differs each time',
			[7, 21, 38],
			{ names: 'text', requestId: true },
		],
		['names the next ID', [21], { countsFrom: 1 }],
		['names the previous ID', [21], { countsFrom: -1 }],
		['names no ID of the request', [21], { position: 1_000 }],
		['names the first ID each time', [21], { position: 0 }],
	])('rejected IDs do not stop the others when the error %s', async (_what, culprits, how) => {
		const ids = service.world.prospectIds(40);
		service.refuseIds(culprits.map(service.world.prospectId), how);
		const poller = triggerOn(service, { ids, options: NO_RETRIES });
		const others = [0, 1, 2, 5, 18, 19, 20, 22, 23, 24, 37, 39];

		await expectCompleteSweep(
			poller,
			others.filter((other) => !culprits.includes(other)),
		);
	});

	test('a search for rejected IDs that takes longer than a poll continues in the next one', async () => {
		const ids = service.world.prospectIds(40);
		const options = { requests: { ...NO_RETRIES.requests, maxConcurrentRequests: 1 } };
		const poller = triggerOn(service, { ids, options });
		await poller.poll({ activation: 'activate' });
		clock.pass(HOUR);
		const events = [2, 5, 20, 37].map((prospect) => service.world.addEvent({ prospect }).event_id);
		const culprits = [7, 21].map(service.world.prospectId);
		service.refuseIds(culprits, { names: 'text', requestId: true });
		// A poll starts no request after 40 seconds.
		service.fault({ when: () => (clock.pass(9_000), false), do: { kind: 'delay', ms: 0 } });
		const out: string[] = [];
		const began = clock.now().getTime();
		for (let poll = 0; poll < 8; poll++) {
			out.push(...idsOf((await poller.poll()).items));
			clock.pass(MINUTE);
		}

		expect(checkpointOf(poller.state).lastSweepStart).toBeGreaterThanOrEqual(began);
		expect(out.sort()).toEqual([...events].sort());
	});
});

test.each<[what: string, fault: Fault]>([
	['without a response', { kind: 'hang' }],
	['with a very slow response', { kind: 'drip', pieces: 100_000, everyMs: 500 }],
])('a request %s ends with the poll, and does not stop the others', async (_, fault) => {
	const service = await startService({ people: 80, eventsPerDay: 0 });
	const ids = service.world.prospectIds(80);
	const options = { requests: { requestsPerPoll: 2, timeout: 3_600 } };
	const poller = triggerOn(service, { ids, options }, { durable: true });
	await poller.poll({ activation: 'activate' });
	const { event_id } = service.world.addEvent({ prospect: 79 });
	service.fault({
		when: { asksFor: [ids[0] ?? ''] },
		times: 'always',
		do: fault,
	});

	// If the poll waited for the request, this test would not end.
	const { items } = await poller.poll({ budgetMs: 3_000 });

	expect(idsOf(items)).toEqual([event_id]);
});

test('a poll that starts while another is running does nothing', async () => {
	const clock = startClock(NOW);
	const service = await startService({ now: clock.now, eventsPerDay: 0, delayMs: 50 });
	const poller = triggerOn(service, { ids: service.world.prospectIds(1) });
	await poller.poll({ activation: 'activate' });
	clock.pass(MINUTE);
	const { event_id } = service.world.addEvent({ prospect: 0 });

	const polls = await Promise.all([poller.poll(), poller.poll(), poller.poll()]);

	expect(polls.flatMap(({ items }) => idsOf(items))).toEqual([event_id]);
	expect(service.log.count('prospectEvents').requests).toBe(2);
});

test.each([[false], [true]])(
	'what is added while a check runs is watched since it was saved (durable cursors: %s)',
	async (durable) => {
		const { clock, service } = await start();
		const [first = '', added = ''] = service.world.prospectIds(2);
		const eventTypes = ['prospect_changed_company'];
		const name = `added ${String(durable)}`;
		const poller = triggerOn(service, { ids: first, eventTypes }, { durable, name });
		await poller.poll({ activation: 'activate' });
		clock.pass(HOUR);
		const edited = (staticData: IDataObject) =>
			triggerOn(
				service,
				{ ids: [first, added], eventTypes: [...eventTypes, 'prospect_changed_role'] },
				{ durable, name, staticData },
			);
		const events: string[] = [];
		const plant = (event: { prospect: number; event_name?: string }) => {
			clock.pass(MINUTE);
			events.push(service.world.addEvent(event).event_id);
		};
		service.fault({
			do: [
				{ kind: 'delay', ms: 50 },
				{
					kind: 'change',
					with: (response) => {
						plant({ prospect: 1 });
						plant({ prospect: 0, event_name: 'prospect_changed_role' });
						return response;
					},
				},
			],
		});

		const running = poller.poll();
		const saving = edited(poller.saved);
		expect((await saving.poll({ activation: 'update' })).items).toBeNull();
		expect(events).toEqual([]);
		expect((await running).items).toBeNull();

		expect(events).toHaveLength(2);
		const next = durable ? edited(poller.saved) : saving;
		// The current sweep queries the added ID, the next one the added type.
		const polls = [await next.poll(), await next.poll()];
		expect(polls.map(({ items }) => idsOf(items))).toEqual(events.map((id) => [id]));
	},
);

test.each([[false], [true]])(
	'one event ID for two companies are two events (durable cursors: %s)',
	async (durable) => {
		const { clock, service } = await start();
		const ids = service.world.businessIds(2);
		const poller = triggerOn(service, { triggerOn: 'businessEvent', ids }, { durable });
		await poller.poll({ activation: 'activate' });
		clock.pass(HOUR);
		const plant = (business: number) => service.world.addEvent({ business, event_id: 'shared' });

		plant(0);
		const first = (await poller.poll()).items ?? [];
		plant(1);
		const second = (await poller.poll()).items ?? [];

		expect([first, second].map((items) => items.map(({ json }) => json.business_id))).toEqual([
			[ids[0]],
			[ids[1]],
		]);
		expect((await poller.poll()).items).toBeNull();
	},
);

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
	expect(Object.keys(simple[0]?.json ?? {})).toEqual([
		'event_name',
		'event_time',
		'event_current_company_name',
		'event_current_job_title',
		'event_current_company_id',
		'event_previous_company_name',
		'event_previous_job_title',
		'event_previous_company_id',
		'event_details',
		'event_id',
		'prospect_id',
	]);
	const { data, response_context, ...own } = raw[0]?.json ?? {};
	expect(simple[0]?.json).toMatchObject({
		event_current_company_id: (data as IDataObject).current_company_id,
		event_id: own.event_id,
	});
	expect(response_context).toMatchObject({ request_status: 'success' });
	expectOwnObjects(raw);
});
