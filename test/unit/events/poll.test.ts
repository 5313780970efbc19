/** One poll: what is asked when, what comes out, what is thrown. */
import type { IPollFunctions } from 'n8n-workflow';
import { poll } from '../../../nodes/BusinessProspectData/trigger/poll';
import { settled } from '../api/service';
import { eventOf, idsOf, NOW, REFUSED, rejected, triggerWith, withEvents } from './trigger';

const MINUTE_MS = 60_000;
const [A = '', B = ''] = idsOf(2);

beforeEach(() => jest.useFakeTimers({ now: NOW }));
afterEach(() => jest.useRealTimers());

const polled = async (context: IPollFunctions) => await settled(poll(context));
const namesIn = (output: Awaited<ReturnType<typeof poll>>) =>
	output?.[0]?.map(({ json }) => json.event_id);

test('the first poll begins to watch, and puts out what is new from now on', async () => {
	const first = eventOf(A, 'first', MINUTE_MS);
	const second = eventOf(B, 'second', 2 * MINUTE_MS);
	const old = eventOf(B, 'old', -1);
	const trigger = triggerWith({ ids: `${A} ${B}` }, () =>
		withEvents(Date.now() > NOW ? [second, old, first] : [old]),
	);
	const context = trigger.context();

	expect(await polled(context)).toBeNull();
	expect(trigger.asked).toEqual([
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
	expect(trigger.asked[0]?.body.request_context).toBeUndefined();
	expect(trigger.state.checkpoint).toMatchObject({ source: 'prospect', last: NOW });

	jest.setSystemTime(NOW + 3 * MINUTE_MS);
	expect(await polled(context)).toEqual([[{ json: first }, { json: second }]]);
	expect(await polled(context)).toBeNull();
	expect(trigger.warnings).toEqual([]);
});

test('what goes along with every request', async () => {
	const options = { requestContext: '{"team":"x"}' };
	const trigger = triggerWith({ ids: A, options }, () => withEvents([]));

	await polled(trigger.context());

	expect(trigger.asked[0]?.body.request_context).toEqual({ team: 'x' });
});

test('without Simplify each event has the context of the answer in which it came', async () => {
	const ids = idsOf(81);
	const options = { startFrom: new Date(NOW - MINUTE_MS).toISOString() };
	const trigger = triggerWith({ ids: ids.join(' '), simplify: false, options }, (asked, nth) =>
		nth === 2
			? { status: 403, body: {} }
			: withEvents(
					asked.ids.slice(0, 1).map((id) => eventOf(id, id, -1)),
					nth,
				),
	);

	const [items] = (await polled(trigger.context())) ?? [];

	expect(items?.map(({ json }) => [json.prospect_id, json.response_context])).toEqual([
		[ids[0], { correlation_id: 'c-1' }],
		[ids[80], { correlation_id: 'c-3' }],
	]);
});

describe('a failing service', () => {
	const failing = () => triggerWith({ ids: `${A} ${B}` }, () => REFUSED);
	const WORDS =
		'The service did not accept the API key (HTTP 401). Check API Key, and Tenant if you use one, in the credential.';
	const WARNING = `Watch: 2 of 2 IDs could not be asked, the first of them ${A}: ${WORDS}`;

	test('is told in the log alone at an activation, and thrown from the next poll on', async () => {
		const trigger = failing();
		const context = trigger.context();

		expect(await polled(context)).toBeNull();
		expect(trigger.warnings).toEqual([WARNING]);
		expect(await rejected(poll(context))).toMatchObject({
			message: `${WORDS} No event is lost: the next checks ask for the same time again.`,
		});
		expect(trigger.warnings).toEqual([WARNING, WARNING]);
	});

	test('is thrown by a poll of the durable schedule, which has a context of its own', async () => {
		const trigger = failing();

		const scheduled = trigger.context(36_000, 'trigger', 0, 'update');
		expect((await rejected(poll(scheduled))).message).toContain(WORDS);
		expect(trigger.reported).toEqual([]);
	});

	test.each([
		['the budget of an activation', 300_000],
		['no budget, before n8n 2.38', undefined],
	])('is a failed execution where a poll of the schedule has %s', async (_what, budget) => {
		const trigger = failing();

		for (let nth = 0; nth < 2; nth++) {
			expect(await polled(trigger.context(budget, 'trigger', 0, 'update'))).toBeNull();
		}

		const message = `${WORDS} No event is lost: the next checks ask for the same time again.`;
		expect(trigger.reported).toEqual([message, message]);
		expect(trigger.warnings).toEqual([WARNING, WARNING]);
	});

	test.each(['init', 'create', 'activate', 'leadershipChange'] as const)(
		'is told in the log alone at an activation of the kind %s',
		async (activation) => {
			const trigger = failing();

			expect(await polled(trigger.context(undefined, 'trigger', 0, activation))).toBeNull();
			expect([trigger.reported, trigger.warnings]).toEqual([[], [WARNING]]);
		},
	);

	test('is told in the log alone while it answers for some', async () => {
		const trigger = triggerWith({ ids: idsOf(41).join(' ') }, ({ ids }) =>
			ids.length === 1 ? { status: 500, body: {} } : withEvents([]),
		);

		expect(await polled(trigger.context(36_000))).toBeNull();
		expect(trigger.warnings).toEqual([
			`Watch: 1 of 41 IDs could not be asked, the first of them ${idsOf(41)[40]}: The service failed (HTTP 500). Try again later.`,
		]);
	});

	test('is thrown where it answers for none, also when it answered for others in an earlier poll', async () => {
		let fails = false;
		const options = { requestsPerPoll: 1 };
		const trigger = triggerWith({ ids: idsOf(80).join(' '), options }, () =>
			fails ? REFUSED : withEvents([]),
		);

		await polled(trigger.context(36_000));
		fails = true;

		expect((await rejected(poll(trigger.context(36_000)))).message).toContain(WORDS);
		// Those that failed before may be at fault themselves.
		expect(await polled(trigger.context(36_000))).toBeNull();
		expect(trigger.warnings).toHaveLength(2);
	});

	test('leaves no wait behind', async () => {
		const trigger = triggerWith({ ids: A }, () => ({
			...withEvents([]),
			headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' },
		}));

		await polled(trigger.context());

		expect(jest.getTimerCount()).toBe(0);
	});
});

test.each([
	['names it by its place', [{ loc: ['body', 'prospect_ids', 2], msg: 'unknown' }], 2],
	['does not name it', 'one is unknown', 8],
])(
	'an ID is refused, and the service %s: the others are asked again',
	async (_what, detail, most) => {
		const ids = idsOf(4);
		const trigger = triggerWith({ ids: ids.join(' ') }, (request) =>
			request.ids.includes(ids[2] ?? '') ? { status: 422, body: { detail } } : withEvents([]),
		);

		expect(await polled(trigger.context(36_000))).toBeNull();
		const asked = trigger.asked.map((request) => request.ids.map((id) => ids.indexOf(id)));
		const answered = asked.filter((request) => !request.includes(2));
		expect(asked[0]).toEqual([0, 1, 2, 3]);
		expect(answered.flat().sort()).toEqual([0, 1, 3]);
		expect(asked.length).toBeLessThanOrEqual(most);
		expect(trigger.warnings).toEqual([
			expect.stringContaining(`1 of 4 IDs could not be asked, the first of them ${ids[2]}: `),
		]);
	},
);

test('a poll takes so many requests; the next goes on with the other IDs', async () => {
	const ids = idsOf(100);
	const options = { requestsPerPoll: 1 };
	const trigger = triggerWith({ ids: ids.join(' '), options }, () => withEvents([]));
	const context = trigger.context();

	for (let nth = 0; nth < 4; nth++) await polled(context);

	expect(trigger.asked.map((asked) => asked.ids)).toEqual([
		ids.slice(0, 40),
		ids.slice(40, 80),
		ids.slice(80),
		ids.slice(0, 40),
	]);
});

describe('Start From', () => {
	const tooOld = new Date(NOW - 120 * 24 * 60 * MINUTE_MS).toISOString();
	const parameters = { ids: A, options: { startFrom: tooOld } };

	test('is refused at the first poll when the service keeps no events from then', async () => {
		const trigger = triggerWith(parameters, () => withEvents([]));

		expect((await rejected(poll(trigger.context()))).message).toBe(
			`Start From: "${tooOld}" is more than 3 months ago, and the service keeps events no longer.`,
		);
		expect([trigger.asked, trigger.state]).toEqual([[], {}]);
	});

	test('says nothing of a trigger that watches already', async () => {
		const begun = triggerWith({ ids: A }, () => withEvents([]));
		await polled(begun.context());
		const trigger = triggerWith(parameters, () => withEvents([]), begun.state);

		expect(await polled(trigger.context())).toBeNull();
	});
});

test('the test in the editor shows events, and changes no state', async () => {
	const trigger = triggerWith({ ids: A }, () => withEvents([eventOf(A, 'old', -MINUTE_MS)]));

	expect(namesIn(await polled(trigger.context(undefined, 'manual')))).toEqual(['old']);
	expect(trigger.state).toEqual({});
});

describe('the time of a poll', () => {
	const asleep = (after: number) =>
		triggerWith({ ids: idsOf(80).join(' '), options: { maxConcurrentRequests: 1 } }, () => ({
			...withEvents([]),
			after,
		}));

	test.each([
		['36 seconds by the durable schedule', 36_000, 18_000],
		['not told', undefined, 120_000],
		['told as zero', 0, 120_000],
		['told as no number', 'long', 120_000],
		['told as text', '36000', 120_000],
		['long', 90_000, 50_000],
		['odd', 36_001, 18_001],
	])('%s', async (_what, budget, timeout) => {
		const trigger = asleep(0);

		await polled(trigger.context(budget));

		expect(trigger.asked.map((asked) => asked.timeout)).toEqual([timeout, timeout]);
	});

	test('a shorter Timeout counts', async () => {
		const trigger = triggerWith({ ids: A, options: { timeout: 7 } }, () => withEvents([]));

		await polled(trigger.context());

		expect(trigger.asked[0]?.timeout).toBe(7_000);
	});

	test.each([
		['to its half', 36_000, 18],
		['40 seconds at most', 300_000, 40],
	])('requests start up %s', async (_what, budget, seconds) => {
		const [inTime, tooLate] = [asleep(seconds * 1000), asleep(seconds * 1000 + 1)];

		await polled(inTime.context(budget));
		await polled(tooLate.context(budget));

		expect([inTime.asked.length, tooLate.asked.length]).toEqual([2, 1]);
		expect([...inTime.warnings, ...tooLate.warnings]).toEqual([]);
	});

	test.each([
		['longer than that', 36_000, {}, 19],
		['longer than Max Wait', 300_000, { maxWait: 5 }, 6],
	])('no wait for the rate limit is %s', async (_what, budget, options, seconds) => {
		const limited = (retryAfter: number) =>
			triggerWith({ ids: A, options }, (_asked, nth) =>
				nth === 1
					? { status: 429, headers: { 'retry-after': String(retryAfter) }, body: {} }
					: withEvents([]),
			);
		const [waits, gives] = [limited(seconds - 1), limited(seconds)];

		await polled(waits.context(budget));
		const before = Date.now();
		await rejected(poll(gives.context(36_000)));

		expect(Date.now()).toBe(before);
		expect([waits.asked.length, gives.asked.length]).toEqual([2, 1]);
		expect(gives.warnings[0]).toContain('HTTP 429');
	});

	test('IDs that could not be asked for alone in time are asked for at the next poll', async () => {
		const ids = idsOf(3);
		const options = {
			maxConcurrentRequests: 1,
			startFrom: new Date(NOW - MINUTE_MS).toISOString(),
		};
		const trigger = triggerWith({ ids: ids.join(' '), options }, (asked) => {
			const events = asked.ids.map((id) => eventOf(id, id, -1));
			const nameless = events.map((event) => ({ ...event, prospect_id: null }));
			return { ...withEvents(asked.ids.length > 1 ? nameless : events), after: 12_000 };
		});

		const first = namesIn(await polled(trigger.context(36_000)));
		const second = namesIn(await polled(trigger.context(36_000)));

		// A request starts within 18 seconds: the first, and one of the three.
		expect(trigger.asked.map((asked) => asked.ids)).toEqual([
			ids,
			ids.slice(0, 1),
			ids.slice(1),
			ids.slice(1, 2),
		]);
		expect([first, second]).toEqual([ids.slice(0, 1), ids.slice(1, 2)]);
		expect(trigger.warnings).toEqual([]);
	});

	test('a poll that has no time left when it may ask does nothing', async () => {
		const trigger = triggerWith({ ids: A }, () => withEvents([]));
		const slow = trigger.context(36_000, 'trigger', 18_001);

		expect(await polled(slow)).toBeNull();
		expect([trigger.asked, trigger.warnings]).toEqual([[], []]);
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
		'of a request that is not sent again in time, %d is told',
		async (status, headers, after, words) => {
			const trigger = triggerWith({ ids: A }, (_asked, nth) =>
				nth === 1 ? { status, headers, body: {}, after } : withEvents([]),
			);

			expect((await rejected(poll(trigger.context(36_000)))).message).toContain(words);
			expect(trigger.asked).toHaveLength(1);
			await polled(trigger.context(36_000));
			expect(trigger.asked).toHaveLength(2);
		},
	);
});

test('what the service refuses for all IDs alike is not asked for the other IDs', async () => {
	const options = { maxConcurrentRequests: 1 };
	const trigger = triggerWith({ ids: idsOf(120).join(' '), options }, () => ({
		status: 422,
		body: { detail: [{ loc: ['body', 'event_types', 0], msg: 'unknown' }] },
	}));

	expect((await rejected(poll(trigger.context(36_000)))).message).toContain(
		'event_types.0: unknown',
	);
	expect(trigger.asked).toHaveLength(1);
});

test('nodes of the same name in other workflows, and other nodes, have memories of their own', async () => {
	const [one, other] = [
		triggerWith({ ids: A }, () => withEvents([])),
		triggerWith({ ids: B }, () => withEvents([])),
	];

	const polls = [one, other].map(async (trigger) => await poll(trigger.context()));
	await settled(Promise.all(polls));

	expect([one.asked.length, other.asked.length]).toEqual([1, 1]);
});
