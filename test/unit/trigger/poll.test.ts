/** One poll: its requests, its output, its errors. */
import { settled } from '../api/service';
import {
	eventOf,
	eventsResponse,
	idsOf,
	NOW,
	poll,
	polled,
	polledValues,
	rejected,
	triggerWith,
	UNAUTHORIZED,
	useFakeClock,
} from './trigger';

const MINUTE_MS = 60_000;
const [A = '', B = ''] = idsOf(2);

useFakeClock();

test('the first poll starts watching; later polls output the events since then', async () => {
	const first = eventOf(A, 'first', MINUTE_MS);
	const second = eventOf(B, 'second', 2 * MINUTE_MS);
	const old = eventOf(B, 'old', -1);
	const trigger = triggerWith({ ids: `${A} ${B}` }, () =>
		eventsResponse(Date.now() > NOW ? [second, old, first] : [old]),
	);
	const context = trigger.context();

	expect(await polled(context)).toBeNull();
	expect(trigger.requests).toEqual([
		expect.objectContaining({
			ids: [A, B],
			types: [
				'prospect_changed_company',
				'prospect_changed_role',
				'prospect_job_start_anniversary',
			],
			from: new Date(NOW - 1).toISOString(),
		}),
	]);
	expect(trigger.requests[0]?.body.request_context).toBeUndefined();
	expect(trigger.state.checkpoint).toMatchObject({ entityType: 'prospect', lastSweepStart: NOW });

	jest.setSystemTime(NOW + 3 * MINUTE_MS);
	expect(await polled(context)).toEqual([first, second]);
	expect(await polled(context)).toBeNull();
	expect(trigger.warnings).toEqual([]);
});

test('sends Request Context with every request', async () => {
	const options = { requests: { requestContext: '{"team":"x"}' } };
	const trigger = triggerWith({ ids: A, options }, () => eventsResponse([]));

	await polled(trigger.context());

	expect(trigger.requests[0]?.body.request_context).toEqual({ team: 'x' });
});

describe('a failing service', () => {
	const failing = () => triggerWith({ ids: `${A} ${B}` }, () => UNAUTHORIZED);
	const MESSAGE =
		'The service did not accept the API key (HTTP 401). Check API Key, and Tenant if you use one, in the credential.';
	const WARNING = `Watch: 2 of 2 IDs failed: ${A}, ${B}. ${MESSAGE}`;

	test('is only logged at an activation, and throws from the next poll on', async () => {
		const trigger = failing();
		const context = trigger.context();

		expect(await polled(context)).toBeNull();
		expect(trigger.warnings).toEqual([WARNING]);
		expect(await rejected(poll(context))).toMatchObject({
			message: `${MESSAGE} No event is lost: the next checks cover the same period again.`,
		});
		expect(trigger.warnings).toEqual([WARNING, WARNING]);
	});

	test('throws in a poll of the durable schedule, which has its own context', async () => {
		const trigger = failing();

		const scheduled = trigger.context({ budgetMs: 36_000, activation: 'update' });
		expect((await rejected(poll(scheduled))).message).toContain(MESSAGE);
		expect(trigger.reported).toEqual([]);
	});

	test.each([
		['the budget of an activation', 300_000],
		['no budget, before n8n 2.38', undefined],
	])('causes a failed execution when a poll of the schedule has %s', async (_what, budgetMs) => {
		const trigger = failing();

		for (let polls = 0; polls < 2; polls++) {
			expect(await polled(trigger.context({ budgetMs, activation: 'update' }))).toBeNull();
		}

		const error = `${MESSAGE} No event is lost: the next checks cover the same period again.`;
		expect(trigger.reported).toEqual([error, error]);
		expect(trigger.warnings).toEqual([WARNING, WARNING]);
	});

	test.each(['init', 'create', 'activate', 'leadershipChange'] as const)(
		'is only logged at an activation of the kind %s',
		async (activation) => {
			const trigger = failing();

			expect(await polled(trigger.context({ activation }))).toBeNull();
			expect([trigger.reported, trigger.warnings]).toEqual([[], [WARNING]]);
		},
	);

	test('is only logged while some IDs succeed', async () => {
		const trigger = triggerWith({ ids: idsOf(41).join(' ') }, ({ ids }) =>
			ids.length === 1 ? { status: 500, body: {} } : eventsResponse([]),
		);

		expect(await polled(trigger.context({ budgetMs: 36_000 }))).toBeNull();
		expect(trigger.warnings).toEqual([
			`Watch: 1 of 41 IDs failed: ${idsOf(41)[40]}. The service failed (HTTP 500). Try again later.`,
		]);
	});

	test('is logged with up to ten IDs', async () => {
		const ids = idsOf(11);
		const trigger = triggerWith({ ids: ids.join(' ') }, () => UNAUTHORIZED);

		await polled(trigger.context());

		expect(trigger.warnings).toEqual([
			`Watch: 11 of 11 IDs failed: ${ids.slice(0, 10).join(', ')}, .... ${MESSAGE}`,
		]);
	});

	test('throws when no ID succeeds, even if others succeeded in an earlier poll', async () => {
		let fails = false;
		const options = { requests: { requestsPerPoll: 1 } };
		const trigger = triggerWith({ ids: idsOf(80).join(' '), options }, () =>
			fails ? UNAUTHORIZED : eventsResponse([]),
		);

		await polled(trigger.context({ budgetMs: 36_000 }));
		fails = true;

		expect((await rejected(poll(trigger.context({ budgetMs: 36_000 })))).message).toContain(
			MESSAGE,
		);
		expect(trigger.warnings).toHaveLength(1);
	});

	test('leaves no timer behind', async () => {
		const trigger = triggerWith({ ids: A }, () => ({
			...eventsResponse([]),
			headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' },
		}));

		await polled(trigger.context());

		expect(jest.getTimerCount()).toBe(0);
	});
});

test('a poll takes up to Requests per Poll; the next one continues with the other IDs', async () => {
	const ids = idsOf(100);
	const options = { requests: { requestsPerPoll: 1 } };
	const trigger = triggerWith({ ids: ids.join(' '), options }, () => eventsResponse([]));
	const context = trigger.context();

	for (let polls = 0; polls < 4; polls++) await polled(context);

	expect(trigger.requests.map((request) => request.ids)).toEqual([
		ids.slice(0, 40),
		ids.slice(40, 80),
		ids.slice(80),
		ids.slice(0, 40),
	]);
});

describe('the time budget of a poll', () => {
	const slowTrigger = (after: number) =>
		triggerWith(
			{ ids: idsOf(80).join(' '), options: { requests: { maxConcurrentRequests: 1 } } },
			() => ({
				...eventsResponse([]),
				after,
			}),
		);

	test.each([
		['36 seconds by the durable schedule', 36_000, 18_000],
		['missing', undefined, 120_000],
		['zero', 0, 120_000],
		['not a number', 'long', 120_000],
		['text', '36000', 120_000],
		['long', 90_000, 50_000],
		['odd', 36_001, 18_001],
	])('%s', async (_what, budgetMs, timeout) => {
		const trigger = slowTrigger(0);

		await polled(trigger.context({ budgetMs }));

		expect(trigger.requests.map((request) => request.timeout)).toEqual([timeout, timeout]);
	});

	test('a shorter Timeout applies', async () => {
		const trigger = triggerWith({ ids: A, options: { requests: { timeout: 7 } } }, () =>
			eventsResponse([]),
		);

		await polled(trigger.context());

		expect(trigger.requests[0]?.timeout).toBe(7_000);
	});

	test.each([
		['within its first half', 36_000, 18],
		['within 40 seconds', 300_000, 40],
	])('requests start %s', async (_what, budgetMs, seconds) => {
		const [inTime, tooLate] = [slowTrigger(seconds * 1000), slowTrigger(seconds * 1000 + 1)];

		await polled(inTime.context({ budgetMs }));
		await polled(tooLate.context({ budgetMs }));

		expect([inTime.requests.length, tooLate.requests.length]).toEqual([2, 1]);
		expect([...inTime.warnings, ...tooLate.warnings]).toEqual([]);
	});

	test.each([
		['that time', 36_000, {}, 19],
		['Max Wait', 300_000, { requests: { maxWait: 5 } }, 6],
	])('no wait for the rate limit exceeds %s', async (_what, budgetMs, options, seconds) => {
		const limited = (retryAfter: number) =>
			triggerWith({ ids: A, options }, (_request, number) =>
				number === 1
					? { status: 429, headers: { 'retry-after': String(retryAfter) }, body: {} }
					: eventsResponse([]),
			);
		const [waiting, failing] = [limited(seconds - 1), limited(seconds)];

		await polled(waiting.context({ budgetMs }));
		const before = Date.now();
		await rejected(poll(failing.context({ budgetMs: 36_000 })));

		expect(Date.now()).toBe(before);
		expect([waiting.requests.length, failing.requests.length]).toEqual([2, 1]);
		expect(failing.warnings[0]).toContain('HTTP 429');
	});

	test('IDs that run out of time for their own query are queried at the next poll', async () => {
		const ids = idsOf(3);
		const options = {
			startFrom: new Date(NOW - MINUTE_MS).toISOString(),
			requests: { maxConcurrentRequests: 1 },
		};
		const trigger = triggerWith({ ids: ids.join(' '), options }, (request) => {
			const events = request.ids.map((id) => eventOf(id, id, -1));
			const unassigned = events.map((event) => ({ ...event, prospect_id: null }));
			return { ...eventsResponse(request.ids.length > 1 ? unassigned : events), after: 12_000 };
		});

		const first = await polledValues(trigger.context({ budgetMs: 36_000 }), 'event_id');
		const second = await polledValues(trigger.context({ budgetMs: 36_000 }), 'event_id');

		// Requests start within 18 seconds: the first one, and one of the three.
		expect(trigger.requests.map((request) => request.ids)).toEqual([
			ids,
			ids.slice(0, 1),
			ids.slice(1),
			ids.slice(1, 2),
		]);
		expect([first, second]).toEqual([ids.slice(0, 1), ids.slice(1, 2)]);
		expect(trigger.warnings).toEqual([]);
	});

	test('a poll that gets its credential too late does nothing', async () => {
		const trigger = triggerWith({ ids: A }, () => eventsResponse([]));
		const slow = trigger.context({ budgetMs: 36_000, credentialMs: 18_001 });

		expect(await polled(slow)).toBeNull();
		expect([trigger.requests, trigger.warnings]).toEqual([[], []]);
	});

	test.each([
		[503, {}, 17_900, 'The service failed (HTTP 503). Try again later. No event is lost'],
		[
			429,
			{ 'retry-after': '15' },
			5_000,
			'The account has reached its rate limit (HTTP 429). No ev',
		],
	])(
		'a request that is not retried in time fails with HTTP %d',
		async (status, headers, after, message) => {
			const trigger = triggerWith({ ids: A }, (_request, number) =>
				number === 1 ? { status, headers, body: {}, after } : eventsResponse([]),
			);

			expect((await rejected(poll(trigger.context({ budgetMs: 36_000 })))).message).toContain(
				message,
			);
			expect(trigger.requests).toHaveLength(1);
			await polled(trigger.context({ budgetMs: 36_000 }));
			expect(trigger.requests).toHaveLength(2);
		},
	);
});

test('nodes with the same name in other workflows, and other nodes, have separate memories', async () => {
	const [one, other] = [
		triggerWith({ ids: A }, () => eventsResponse([])),
		triggerWith({ ids: B }, () => eventsResponse([])),
	];

	const polls = [one, other].map(async (trigger) => await poll(trigger.context()));
	await settled(Promise.all(polls));

	expect([one.requests.length, other.requests.length]).toEqual([1, 1]);
});
