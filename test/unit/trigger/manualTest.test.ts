/** Fetch Test Event in the editor. */
import type { IDataObject } from 'n8n-workflow';
import {
	eventOf,
	eventsResponse,
	idsOf,
	poll,
	polled,
	rejected,
	triggerWith,
	UNAUTHORIZED,
	useFakeClock,
} from './trigger';

useFakeClock();

const testTrigger = (count: number, eventsOf: (id: string) => IDataObject[], simplify = true) => {
	const parameters = { ids: idsOf(count).join(' '), simplify };
	const trigger = triggerWith(parameters, ({ ids }, number) =>
		eventsResponse(ids.flatMap(eventsOf), number),
	);
	return { trigger, context: trigger.context({ mode: 'manual' }) };
};

test('outputs the ten newest events of the last three months, oldest first, and changes no state', async () => {
	const [id = ''] = idsOf(1);
	const events = Array.from({ length: 12 }, (_, index) => eventOf(id, `e${index}`, -index));
	const { trigger, context } = testTrigger(1, () => events);

	const items = await polled(context);

	expect(items).toEqual(events.slice(0, 10).reverse());
	// An hour later than three months ago: the service has nothing older, and its clock may differ.
	expect(trigger.requests[0]?.from).toBe('2026-02-20T13:00:00.000Z');
	expect(trigger.state).toEqual({});
});

test('queries further IDs only until there are ten events', async () => {
	const { trigger, context } = testTrigger(120, (id) =>
		idsOf(120).indexOf(id) % 8 === 0 ? [eventOf(id, id)] : [],
	);

	const items = await polled(context);

	expect(items).toHaveLength(10);
	expect(trigger.requests.map(({ ids }) => ids)).toEqual([
		idsOf(120).slice(0, 40),
		idsOf(120).slice(40, 80),
	]);
	expect(jest.getTimerCount()).toBe(0);
});

test('a slow service: the test goes on, because no later check continues it', async () => {
	const last = idsOf(80).at(-1) ?? '';
	const trigger = triggerWith({ ids: idsOf(80).join(' ') }, ({ ids }, number) => ({
		...eventsResponse(ids.includes(last) ? [eventOf(last, 'e')] : [], number),
		after: 45_000,
	}));

	const items = await polled(trigger.context({ mode: 'manual' }));

	expect(items).toHaveLength(1);
});

test('without Simplify each event has the context of its response', async () => {
	const { context } = testTrigger(
		41,
		(id) => (['0', '40'].includes(String(idsOf(41).indexOf(id))) ? [eventOf(id, id)] : []),
		false,
	);

	const items = await polled(context);

	expect(items?.map((json) => json.response_context)).toEqual([
		{ correlation_id: 'c-1' },
		{ correlation_id: 'c-2' },
	]);
});

test.each([
	[1, 1, '1 ID'],
	[200, 5, '200 IDs'],
	[1_201, 5, 'the first 200 of 1,201 IDs'],
])('%d IDs without an event: %d requests, and a message', async (count, requests, searched) => {
	const { trigger, context } = testTrigger(count, () => []);

	expect((await rejected(poll(context))).message).toBe(
		`There are no events since 2026-02-20 for ${searched}. If that is unexpected, check the IDs. Publish the workflow to watch for new events.`,
	);
	expect(trigger.requests).toHaveLength(requests);
});

test.each([
	['throws', 1, 1],
	['throws when the other IDs have no events', 41, 2],
])('a failing service %s', async (_what, count, failing) => {
	const trigger = triggerWith({ ids: idsOf(count).join(' ') }, (_request, number) =>
		number === failing ? UNAUTHORIZED : eventsResponse([]),
	);

	expect((await rejected(poll(trigger.context({ mode: 'manual' })))).message).toBe(
		'The service did not accept the API key (HTTP 401). Check API Key, and Tenant if you use one, in the credential.',
	);
});

test('an ID that the service rejects does not end the search for events', async () => {
	const ids = idsOf(41);
	const [rejectedId = '', last = ''] = [ids[3], ids[40]];
	const trigger = triggerWith({ ids: ids.join(' ') }, (request) =>
		request.ids.includes(rejectedId)
			? {
					status: 422,
					body: { detail: [{ loc: ['body', 'prospect_ids', request.ids.indexOf(rejectedId)] }] },
				}
			: eventsResponse(request.ids.includes(last) ? [eventOf(last, 'e')] : []),
	);

	expect(await polled(trigger.context({ mode: 'manual' }))).toEqual([eventOf(last, 'e')]);
});

test('a service that is down gets no further request', async () => {
	const trigger = triggerWith({ ids: idsOf(200).join(' ') }, () => ({ status: 503, body: {} }));

	await rejected(poll(trigger.context({ mode: 'manual' })));

	expect(new Set(trigger.requests.map(({ ids }) => ids[0]))).toEqual(new Set(idsOf(1)));
});
