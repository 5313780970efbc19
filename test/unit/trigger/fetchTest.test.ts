/** Fetch Test Event in the editor. */
import type { IDataObject } from 'n8n-workflow';
import {
	eventOf,
	eventsResponse,
	idsOf,
	polled,
	polledValues,
	pollError,
	searchResponse,
	triggerWith,
	UNAUTHORIZED,
	useFakeClock,
} from './trigger';

useFakeClock();

const eventsTrigger = (count: number, eventsOf: (id: string) => IDataObject[]) =>
	triggerWith({ ids: idsOf(count) }, ({ ids }) => eventsResponse(ids.flatMap(eventsOf)));

test('outputs the ten newest events of the last three months, oldest first, and changes no state', async () => {
	const [id = ''] = idsOf(1);
	const names = Array.from({ length: 12 }, (_, index) => `e${index}`);
	const trigger = eventsTrigger(1, () => names.map((name, index) => eventOf(id, name, -index)));

	expect(await polledValues(trigger.context({ mode: 'manual' }), 'event_id')).toEqual(
		names.slice(0, 10).reverse(),
	);
	// 88 days: the service has nothing older than three months.
	expect(trigger.requests[0]?.body.timestamp_from).toBe('2026-02-21T12:00:00.000Z');
	expect(trigger.state).toEqual({});
});

test('a slow service: the test goes on, because no later check continues it', async () => {
	const last = idsOf(80).at(-1) ?? '';
	const options = { maxConcurrentRequests: 1 };
	const trigger = triggerWith({ ids: idsOf(80), options }, ({ ids }) => ({
		...eventsResponse(ids.includes(last) ? [eventOf(last, 'e')] : []),
		after: 45_000,
	}));

	expect(await polled(trigger.context({ mode: 'manual' }))).toHaveLength(1);
});

test.each([
	[1, 1, '1 ID'],
	[200, 5, '200 IDs'],
	[1_201, 5, 'the first 200 of 1,201 IDs'],
])('%d IDs without an event: %d requests, and a message', async (count, requests, searched) => {
	const trigger = eventsTrigger(count, () => []);

	expect(await pollError(trigger.context({ mode: 'manual' }))).toBe(
		`There are no events in the last 88 days for ${searched}. If that is unexpected, check the IDs. Publish the workflow to watch for new events.`,
	);
	expect(trigger.requests).toHaveLength(requests);
});

test('a failing request counts unless others have events', async () => {
	const ids = idsOf(41);
	const testWith = (events: IDataObject[]) =>
		triggerWith({ ids }, (request) =>
			request.ids.length === 1 ? UNAUTHORIZED : eventsResponse(events),
		).context({ mode: 'manual' });

	expect(await pollError(testWith([]))).toContain('did not accept the API key');
	expect(await polledValues(testWith([eventOf(ids[3] ?? '', 'e')]), 'event_id')).toEqual(['e']);
});

describe('of a search', () => {
	const testOf = (respond: (body: IDataObject) => object, state?: IDataObject) => {
		const filters = { country_code: [{ value: 'us' }] };
		const trigger = triggerWith(
			{ triggerOn: 'newProspect', filters },
			(request) => respond(request.body),
			state,
		);
		return { trigger, context: trigger.context({ mode: 'manual' }) };
	};

	test('outputs the first ten people with one request, even if the service ignores the page size', async () => {
		const { trigger, context } = testOf((body) =>
			searchResponse({ ...body, page_size: 100 }, idsOf(15)),
		);

		expect(await polledValues(context, 'prospect_id')).toEqual(idsOf(10));
		expect(
			trigger.requests.map(({ body: { page, page_size, size } }) => [page, page_size, size]),
		).toEqual([[1, 10, 60_000]]);
		expect(trigger.state).toEqual({});
	});

	test.each([
		['nobody matches', searchResponse({}, []), 'No one matches the filters now.'],
		['the service fails', UNAUTHORIZED, 'did not accept the API key'],
	])('fails when %s', async (_what, response, message) => {
		expect(await pollError(testOf(() => response).context)).toContain(message);
	});
});
