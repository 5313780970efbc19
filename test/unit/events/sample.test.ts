/** The test of the trigger in the editor. */
import type { IDataObject } from 'n8n-workflow';
import { poll } from '../../../nodes/BusinessProspectData/trigger/poll';
import { settled } from '../api/service';
import { eventOf, idsOf, NOW, REFUSED, rejected, triggerWith, withEvents } from './trigger';

beforeEach(() => jest.useFakeTimers({ now: NOW }));
afterEach(() => jest.useRealTimers());

const sampled = (count: number, eventsOf: (id: string) => IDataObject[], simplify = true) => {
	const trigger = triggerWith({ ids: idsOf(count).join(' '), simplify }, ({ ids }, nth) =>
		withEvents(ids.flatMap(eventsOf), nth),
	);
	return { trigger, result: poll(trigger.context(undefined, 'manual')) };
};

test('the ten newest events of the last three months, oldest first', async () => {
	const [id = ''] = idsOf(1);
	const events = Array.from({ length: 12 }, (_, nth) => eventOf(id, `e${nth}`, -nth));
	const { trigger, result } = sampled(1, () => events);

	const [items] = (await settled(result)) ?? [];

	expect(items?.map(({ json }) => json)).toEqual(events.slice(0, 10).reverse());
	expect(trigger.asked[0]?.from).toBe('2026-02-20T11:59:59.999Z');
});

test('asks for further IDs only until there are ten events', async () => {
	const { trigger, result } = sampled(120, (id) =>
		idsOf(120).indexOf(id) % 8 === 0 ? [eventOf(id, id)] : [],
	);

	const [items] = (await settled(result)) ?? [];

	expect(items).toHaveLength(10);
	expect(trigger.asked.map(({ ids }) => ids)).toEqual([
		idsOf(120).slice(0, 40),
		idsOf(120).slice(40, 80),
	]);
	expect(jest.getTimerCount()).toBe(0);
});

test('without Simplify each has the context of the answer in which it came', async () => {
	const { result } = sampled(
		41,
		(id) => (['0', '40'].includes(String(idsOf(41).indexOf(id))) ? [eventOf(id, id)] : []),
		false,
	);

	const [items] = (await settled(result)) ?? [];

	expect(items?.map(({ json }) => json.response_context)).toEqual([
		{ correlation_id: 'c-1' },
		{ correlation_id: 'c-2' },
	]);
});

test.each([
	[
		1,
		1,
		'There was no event from 2026-02-20 until now for 1 ID. Once the workflow is active, the trigger goes on watching.',
	],
	[
		200,
		5,
		'There was no event from 2026-02-20 until now for 200 IDs. Once the workflow is active, the trigger goes on watching.',
	],
	[
		1_201,
		5,
		'There was no event from 2026-02-20 until now for the first 200 of 1,201 IDs. Once the workflow is active, the trigger goes on watching all of them.',
	],
])('%d IDs without an event: %d requests, and words', async (count, requests, words) => {
	const { trigger, result } = sampled(count, () => []);

	expect((await rejected(result)).message).toBe(words);
	expect(trigger.asked).toHaveLength(requests);
});

test.each([
	['is thrown', 1, 1],
	['is thrown where those that were answered have no event', 41, 2],
])('a failing service %s', async (_what, count, failing) => {
	const trigger = triggerWith({ ids: idsOf(count).join(' ') }, (_asked, nth) =>
		nth === failing ? REFUSED : withEvents([]),
	);

	expect((await rejected(poll(trigger.context(undefined, 'manual')))).message).toBe(
		'The service did not accept the API key (HTTP 401). Check API Key, and Tenant if you use one, in the credential.',
	);
});
