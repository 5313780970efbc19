/** One check: its requests, its output, its errors, its time. */
import type { INodeParameters, NodeOperationError } from 'n8n-workflow';
import { settled } from '../api/service';
import {
	eventOf,
	eventsResponse,
	idsOf,
	NOW,
	poll,
	polled,
	polledValues,
	pollError,
	searchResponse,
	triggerWith,
	UNAUTHORIZED,
	useFakeClock,
} from './trigger';

const MINUTE = 60_000;
const [A = '', B = ''] = idsOf(2);

useFakeClock();

test('the first check starts watching; later ones output the events that appear', async () => {
	const [first, second] = [eventOf(A, 'first', MINUTE), eventOf(B, 'second', 2 * MINUTE)];
	const old = eventOf(B, 'old', -1);
	const ids = `${A}, ${B} ${A.toUpperCase()}`;
	// The editor hides the second field for prospects.
	const trigger = triggerWith({ ids, otherEventTypes: 'zoo_visit' }, () =>
		eventsResponse(Date.now() > NOW ? [second, old, first] : [old]),
	);
	const context = trigger.context();

	expect(await polled(context)).toBeNull();
	jest.setSystemTime(NOW + 3 * MINUTE);
	expect(await polledValues(context, 'event_id')).toEqual(['first', 'second']);
	expect(await polled(context)).toBeNull();

	expect(trigger.requests[0]?.body).toEqual({
		prospect_ids: [A, B],
		event_types: [
			'prospect_changed_company',
			'prospect_changed_role',
			'prospect_job_start_anniversary',
		],
		timestamp_from: new Date(NOW - 88 * 24 * 60 * MINUTE).toISOString(),
	});
	expect(trigger.log.warning).toEqual([]);
	expect(jest.getTimerCount()).toBe(0);
});

describe('a failing service', () => {
	const failing = (count = 2) => triggerWith({ ids: idsOf(count) }, () => UNAUTHORIZED);
	const MESSAGE =
		'The service did not accept the API key (HTTP 401). Check API Key, and Tenant if you use one, in the credential.';
	const ERROR = `${MESSAGE} The first check is not complete yet, and events that appear meanwhile count as known. The next checks continue it.`;
	const WARNING = `Watch: ${ERROR}`;

	test.each(['init', 'create', 'activate', 'leadershipChange'] as const)(
		'is only logged at an activation of the kind %s, and throws from the next check on',
		async (activation) => {
			const trigger = failing();
			const context = trigger.context({ activation });

			expect(await polled(context)).toBeNull();
			expect(trigger.log).toEqual({ warning: [WARNING], info: [], execution: [] });
			expect(await polled(context)).toBeNull();
			jest.setSystemTime(NOW + 5 * MINUTE);
			expect(await pollError(context)).toBe(ERROR);
			expect(trigger.log.warning).toEqual([WARNING, WARNING]);
		},
	);

	test('of some IDs is logged, and in the third check a failed execution names them, beside the output', async () => {
		const ids = idsOf(55);
		const isDown = (all: readonly string[]) => all.includes(A);
		const trigger = triggerWith({ ids, options: { maxWait: 0 } }, (request, number) =>
			isDown(request.ids)
				? { status: 503, body: {} }
				: eventsResponse(number > 4 ? [eventOf(ids[50] ?? '', 'e')] : []),
		);
		const context = trigger.context();
		const names = `${idsOf(10).join(', ')}, .... The service failed (HTTP 503). Try again later. No other IDs are affected. Remove IDs that the service doesn't know.`;

		expect([await polled(context), await polled(context)]).toEqual([null, null]);
		expect(await polledValues(context, 'event_id')).toEqual(['e']);
		expect(trigger.log.execution).toEqual([`40 IDs failed in three checks in a row: ${names}`]);
		expect(trigger.log.warning[0]).toBe(`Watch: 40 IDs failed: ${names}`);
	});

	test("declares its cause in n8n's terms, as wrong settings do", async () => {
		const causeOf = async (trigger: ReturnType<typeof failing>, budgetMs: number) => {
			const error: unknown = await settled(poll(trigger.context({ budgetMs })).catch((e) => e));
			return (error as NodeOperationError).failure;
		};

		expect(await causeOf(failing(), 36_000)).toEqual({ cause: 'credential-invalid' });
		const limited = () => ({ status: 429, headers: { 'retry-after': '99' }, body: {} });
		expect(await causeOf(triggerWith({ ids: A }, limited), 36_000)).toEqual({
			cause: 'rate-limited',
			retryAfterMs: 99_000,
		});
		expect(await causeOf(triggerWith({ ids: '' }, limited), 36_000)).toEqual({
			cause: 'configuration-invalid',
		});
	});

	test('for two days: after 5, 15, 30 and then 60 minutes each', async () => {
		const parameters: INodeParameters = { ids: A, checkEvery: 'day' };
		const trigger = triggerWith(parameters, () => UNAUTHORIZED);
		const context = trigger.context({ activation: 'update' });
		const failedAt: number[] = [];
		for (let minute = 0; minute < 2 * 24 * 60; minute++) {
			jest.setSystemTime(NOW + minute * MINUTE);
			const { length } = trigger.requests;
			await polled(context).catch(() => null);
			if (trigger.requests.length > length) failedAt.push(minute);
		}

		expect(failedAt.slice(0, 6)).toEqual([0, 5, 20, 50, 110, 170]);
		const days = Array.from({ length: 2 }, (_, day) =>
			failedAt.filter((minute) => Math.floor(minute / 1440) === day),
		);
		expect(Math.max(...days.map((day) => day.length))).toBeLessThanOrEqual(30);
		expect(trigger.requests).toHaveLength(failedAt.length);
		// An edit ends the wait.
		parameters.simplify = false;
		await pollError(context);
		expect(trigger.requests).toHaveLength(failedAt.length + 1);
	});
});

describe('the time budget of a check', () => {
	const slowTrigger = (after: number) =>
		triggerWith({ ids: idsOf(80), options: { maxConcurrentRequests: 1 } }, () => ({
			...eventsResponse([]),
			after,
		}));

	test.each([
		['36 seconds by the durable schedule', 36_000, 18_000],
		['missing', undefined, 120_000],
		['no number', '36000', 120_000],
		['long', 90_000, 50_000],
		['longer than any request may take', 161_000, 120_000],
	])('limits the time of a request: %s', async (_what, budgetMs, expected) => {
		const trigger = triggerWith({ ids: A }, () => eventsResponse([]));

		await polled(trigger.context({ budgetMs }));

		expect(trigger.requests.map((request) => request.timeout)).toEqual([expected]);
	});

	test.each([
		['within its first half', 36_000, 18],
		['within 40 seconds', 300_000, 40],
	])('limits when requests start: %s', async (_what, budgetMs, seconds) => {
		const [inTime, tooLate] = [slowTrigger(seconds * 1000), slowTrigger(seconds * 1000 + 1)];

		await polled(inTime.context({ budgetMs }));
		await polled(tooLate.context({ budgetMs }));

		expect([inTime.requests.length, tooLate.requests.length]).toEqual([2, 1]);
		expect([...inTime.log.warning, ...tooLate.log.warning]).toEqual([]);
	});

	test.each([
		['that time', 36_000, {}, 19],
		['Max Wait', 300_000, { maxWait: 5 }, 6],
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
		await pollError(failing.context({ budgetMs: 36_000 }));

		expect(Date.now()).toBe(before);
		expect([waiting.requests.length, failing.requests.length]).toEqual([2, 1]);
		expect(failing.log.warning[0]).toContain('HTTP 429');
	});

	test.each([
		[503, {}, 17_900],
		[429, { 'retry-after': '15' }, 5_000],
	])('fails a request that cannot be retried in time: HTTP %d', async (status, headers, after) => {
		const trigger = triggerWith({ ids: A }, () => ({ status, headers, body: {}, after }));

		const message = await pollError(trigger.context({ budgetMs: 36_000 }));
		expect(message).toMatch(new RegExp(`HTTP ${status}.*The first check is not complete yet`));
		expect(trigger.requests).toHaveLength(1);
	});

	test('is over when the credential comes too late: the check does nothing', async () => {
		const trigger = triggerWith({ ids: A }, () => eventsResponse([]));
		const slow = trigger.context({ budgetMs: 36_000, credentialMs: 18_001 });

		expect(await polled(slow)).toBeNull();
		expect([trigger.requests, trigger.log.warning]).toEqual([[], []]);
	});
});

describe('after the first check', () => {
	/** A trigger whose first check is done; now there is an event. */
	async function watching() {
		const trigger = triggerWith({ ids: A }, (_request, number) => ({
			...eventsResponse(number === 1 ? [] : [eventOf(A, 'e', 1)]),
			after: 1_000,
		}));
		await polled(trigger.context());
		jest.setSystemTime(NOW + MINUTE);
		return { trigger, committed: structuredClone(trigger.state) };
	}

	test('an ID that is added during a check is checked at once, alone, and its past is known', async () => {
		const parameters: INodeParameters = { ids: A, checkEvery: 'day' };
		const events = [eventOf(B, 'old', -MINUTE)];
		const trigger = triggerWith(parameters, () => ({ ...eventsResponse(events), after: MINUTE }));
		const context = trigger.context();
		const running = poll(context);
		parameters.ids = `${A} ${B}`;
		expect(await poll(context)).toBeNull();
		await settled(running);

		expect([await polled(context), await polled(context)]).toEqual([null, null]);
		expect(trigger.requests.map(({ ids }) => ids)).toEqual([[A], [B]]);
		events.push(eventOf(B, 'late', -2 * MINUTE));
		jest.setSystemTime(NOW + 24 * 60 * MINUTE);
		expect(await polledValues(context, 'event_id')).toEqual(['late']);
	});

	test('a check that breaks does not block the next one', async () => {
		const { trigger } = await watching();
		const broken = trigger.context();
		jest.spyOn(broken.helpers, 'httpRequestWithAuthentication').mockRejectedValue(new Error('No.'));
		broken.logger.warn = () => {
			throw new Error('Broken');
		};
		expect(await pollError(broken)).toBe('Broken');

		expect(await polledValues(trigger.context(), 'event_id')).toEqual(['e']);
	});

	test('with durable cursors, a check that starts before n8n has committed the last one does nothing', async () => {
		const { trigger, committed } = await watching();
		expect(await polledValues(trigger.context(), 'event_id')).toEqual(['e']);

		Object.assign(trigger.state, structuredClone(committed));
		expect(await polled(trigger.context())).toBeNull();
		expect([trigger.state, trigger.requests.length]).toEqual([committed, 2]);

		// n8n dropped the events with the state.
		jest.setSystemTime(NOW + 2 * MINUTE);
		expect(await polledValues(trigger.context(), 'event_id')).toEqual(['e']);
	});
});

describe('Check Every', () => {
	const HOUR = 60 * MINUTE;
	const SEARCH = { triggerOn: 'newProspect', filters: { country_code: [{ value: 'us' }] } };

	/** A trigger whose first check is done. `sentAt` polls at a time from then, and returns how many requests that sends. */
	async function checked(
		parameters: INodeParameters,
		respond: Parameters<typeof triggerWith>[1] = () => eventsResponse([]),
	) {
		const trigger = triggerWith(parameters, respond);
		const own = trigger.context();
		await polled(own);
		const sentAt = async (ms: number, context = own) => {
			const before = trigger.requests.length;
			jest.setSystemTime(NOW + ms);
			await polled(context).catch(() => null);
			return trigger.requests.length - before;
		};
		return { ...trigger, sentAt };
	}

	test.each([
		[undefined, 24],
		['week', 168],
		['day', 24],
		['sixHours', 6],
		['hour', 1],
	])('%s: polls before that time send nothing', async (checkEvery, hours) => {
		// The first check takes 90 seconds.
		const respond = () => ({ ...eventsResponse([]), after: 90_000 });
		const { sentAt } = await checked({ ids: A, checkEvery }, respond);
		const ms = hours * HOUR;

		expect(await sentAt(2 * MINUTE)).toBe(0);
		// It may have started late, but not by more than a minute.
		expect(await sentAt(ms - MINUTE - 1)).toBe(0);
		expect(await sentAt(ms - MINUTE)).toBe(1);
		expect(await sentAt(ms)).toBe(0);
		expect(await sentAt(2 * ms - 2 * MINUTE)).toBe(1);
		expect(await sentAt(9.5 * ms)).toBe(1);
	});

	test('an early poll does not even read the credential; an activation and a test wait for nothing', async () => {
		const { sentAt, context } = await checked({ ids: A, checkEvery: 'day' });
		const early = context({ budgetMs: 36_000 });
		const readCredential = jest.spyOn(early, 'getCredentials');

		expect(await sentAt(1, early)).toBe(0);
		expect(readCredential).not.toHaveBeenCalled();
		expect(await sentAt(2, context({ activation: 'update' }))).toBe(0);
		expect(await sentAt(3, context({ activation: 'init' }))).toBe(1);
		expect(await sentAt(4, context({ mode: 'manual' }))).toBe(1);
	});

	test('the next poll continues a check of IDs, and repeats one that failed', async () => {
		const options = { requestsPerPoll: 1 };
		let response = eventsResponse([]);
		const settings = { ids: idsOf(80), options, checkEvery: 'hour' };
		const { sentAt } = await checked(settings, () => response);

		expect([await sentAt(1), await sentAt(2)]).toEqual([1, 0]);
		response = UNAUTHORIZED;
		const [first, second] = [HOUR + 5 * MINUTE, HOUR + 20 * MINUTE];
		expect([await sentAt(HOUR), await sentAt(first - 1), await sentAt(first)]).toEqual([1, 0, 1]);
		response = eventsResponse([]);
		// All IDs have failed, so the check starts again.
		expect([await sentAt(second - 1), await sentAt(second)]).toEqual([0, 1]);
		expect([await sentAt(second + 1), await sentAt(second + 2)]).toEqual([1, 0]);
	});

	test('the next poll continues a check of a search, and repeats one that failed; edited filters do not wait', async () => {
		const parameters: INodeParameters = {
			...SEARCH,
			checkEvery: 'hour',
			options: { requestsPerPoll: 2 },
		};
		let isDown = false;
		const { sentAt } = await checked(parameters, ({ body }) =>
			isDown ? UNAUTHORIZED : searchResponse(body, idsOf(250)),
		);

		expect(await sentAt(1)).toBe(0);
		parameters.filters = { country_code: [{ value: 'gb' }] };
		expect([await sentAt(2), await sentAt(3)]).toEqual([3, 0]);
		expect([await sentAt(HOUR), await sentAt(HOUR + 1), await sentAt(HOUR + 2)]).toEqual([2, 1, 0]);
		isDown = true;
		const [down, again] = [3 * HOUR, 3 * HOUR + 5 * MINUTE];
		expect([await sentAt(down), await sentAt(down + 1), await sentAt(again)]).toEqual([1, 0, 1]);
	});

	test('the next poll continues the first check of a search, also if it starts again at page 1', async () => {
		const { pages, sentAt } = await checked({ ...SEARCH, checkEvery: 'day' }, ({ body }, number) =>
			[2, 4].includes(number)
				? { status: 422, body: { detail: 'No such page' } }
				: searchResponse(body, idsOf(250)),
		);

		const sent = [await sentAt(5 * MINUTE), await sentAt(5 * MINUTE + 1), await sentAt(6 * MINUTE)];
		expect(sent).toEqual([1, 3, 0]);
		expect(pages()).toEqual([1, 2, 3, 2, 1, 2, 3]);
	});

	test.each([
		['back by a month', -30 * 24 * HOUR, 1],
		['back by an hour', -HOUR, 0],
	])('a clock that is set %s does not stop it', async (_what, ms, requests) => {
		const respond = () => searchResponse({}, []);
		const { sentAt } = await checked({ ...SEARCH, checkEvery: 'day' }, respond);

		expect(await sentAt(ms)).toBe(requests);
	});
});
