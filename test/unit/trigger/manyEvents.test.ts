/** More events than the trigger remembers. */
import type { IDataObject } from 'n8n-workflow';
import {
	type EventsRequest,
	eventOf,
	eventsResponse,
	idsOf,
	NOW,
	polledValues,
	triggerWith,
	useFakeClock,
} from './trigger';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

useFakeClock();

/** The service's response if it has these events. */
function responseTo({ ids, from }: EventsRequest, events: readonly IDataObject[]) {
	const asked = new Set(ids);
	return eventsResponse(
		events.filter(
			({ prospect_id: id, event_time: time }) => asked.has(String(id)) && String(time) > from,
		),
	);
}

/** A trigger that queries the events of the service; `names` are the IDs of the events that a check outputs. */
function triggerOf(parameters: IDataObject, eventsNow: () => readonly IDataObject[]) {
	const trigger = triggerWith(parameters, (request) => responseTo(request, eventsNow()));
	const context = trigger.context();
	return {
		names: async (at: number) => {
			jest.setSystemTime(at);
			return (await polledValues(context, 'event_id')) ?? [];
		},
	};
}

const TOO_MANY = 30_001;
const many = (id: string, after: number) =>
	Array.from({ length: TOO_MANY }, (_, index) => eventOf(id, `${id} ${index}`, after));

describe('a round that takes two checks', () => {
	const ids = idsOf(80);
	const [first = '', second = '', last = ''] = [ids[0], ids[1], ids[79]];
	const parameters = { ids: ids.join(' '), options: { requests: { requestsPerPoll: 1 } } };

	test('an event of the second check does not come again after too many in the first', async () => {
		let events = [eventOf(last, 'known', HOUR)];
		const { names } = triggerOf(parameters, () => events);
		const output: unknown[] = [];
		for (let hour = 1; hour <= 6; hour++) {
			if (hour === 5) events = [...events, ...many(second, 4 * HOUR)];
			output.push(...(await names(NOW + hour * HOUR)));
		}

		expect(output).toHaveLength(TOO_MANY + 1);
		expect(new Set(output).size).toBe(TOO_MANY + 1);
	});

	test('an event of the first check, from before too many in the second, is not lost', async () => {
		let events: IDataObject[] = [];
		const { names } = triggerOf(parameters, () => events);
		const output = await names(NOW);
		events = [eventOf(first, 'early', HOUR), ...many(last, 20 * HOUR)];
		for (let hour = 0; hour < 6; hour++) output.push(...(await names(NOW + DAY + hour * HOUR)));

		expect(output).toContain('early');
		expect(new Set(output).size).toBe(output.length);
	});
});

test('a failed request loses nothing of a large backlog', async () => {
	const ids = idsOf(2_000);
	const startFrom = new Date(NOW - 80 * DAY).toISOString();
	const events = ids.flatMap((id) =>
		Array.from({ length: 16 }, (_, index) => eventOf(id, `${id} ${index}`, -(1 + 5 * index) * DAY)),
	);
	let isDown = true;
	const trigger = triggerWith(
		{ ids: ids.join(' '), options: { startFrom, requests: { maxTries: 1 } } },
		(request) => {
			if (isDown && request.ids.includes(ids[0] ?? '')) return { status: 500, body: {} };
			return responseTo(request, events);
		},
	);
	const context = trigger.context();
	const output: unknown[] = [];
	for (let check = 0; check < 3; check++) {
		jest.setSystemTime(NOW + check * HOUR);
		output.push(...((await polledValues(context, 'event_id')) ?? []));
		isDown = false;
	}

	expect(output).toHaveLength(events.length);
	expect(new Set(output).size).toBe(events.length);
});

test('events without a time come once, and are remembered once each: the trigger looks back as far as before', async () => {
	const [id = ''] = idsOf(1);
	const undated = Array.from({ length: 1_000 }, (_, index) => ({
		...eventOf(id, `undated ${index}`),
		event_time: null,
	}));
	const late = eventOf(id, 'late', 20 * HOUR);
	const trigger = triggerWith({ ids: id }, ({ from }) => {
		const isVisible = Date.now() >= NOW + 72 * HOUR && String(late.event_time) > from;
		return eventsResponse([...undated, ...(isVisible ? [late] : [])]);
	});
	const context = trigger.context();
	const output: unknown[] = [];
	// Longer than an event of the first check would be remembered if its time stayed the same.
	for (let hour = 0; hour <= 80; hour++) {
		jest.setSystemTime(NOW + hour * HOUR);
		output.push(...((await polledValues(context, 'event_id')) ?? []));
	}

	expect(output).toEqual([...undated.map((_event, index) => `undated ${index}`), 'late']);
});
