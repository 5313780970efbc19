import type { IDataObject } from 'n8n-workflow';
import type { Watch } from '../../../nodes/BusinessProspectData/trigger/checkpoint';
import { createPollRunner } from '../../../nodes/BusinessProspectData/trigger/pollRun';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 4, 1);
const id = 'a'.repeat(40);
const watch: Watch = {
	source: 'prospect',
	ids: [id],
	types: ['prospect_changed_role'],
	lookbackMs: 72 * 60 * MINUTE_MS,
};
const event = {
	event_id: 'e1',
	event_name: 'prospect_changed_role',
	event_time: new Date(START + MINUTE_MS).toISOString(),
	prospect_id: id,
};

/** Polls with a copy of the state that n8n had committed when the poll began, as with durable cursors. */
function durable() {
	const take = createPollRunner();
	return async (committed: IDataObject, at: number) => {
		const state = structuredClone(committed);
		const { events } = await take({
			key: 'node',
			state,
			watch,
			most: 100,
			now: () => at,
			ask: async (ids) => ids.map((asked) => ({ id: asked, events: at > START ? [event] : [] })),
		});
		return { events, state };
	};
}

test('a poll that begins before n8n has committed the one before puts nothing out again', async () => {
	const poll = durable();
	const { state: begun } = await poll({}, START);

	const first = await poll(begun, START + 2 * MINUTE_MS);
	const second = await poll(begun, START + 2 * MINUTE_MS + 900);

	expect(first.events).toEqual([event]);
	expect(second.events).toEqual([]);
	expect(second.state).toEqual(begun);
	const third = await poll(first.state, START + 2 * MINUTE_MS + 1_800);
	expect(third.events).toEqual([]);
});

test('what n8n dropped with its state comes at the next poll', async () => {
	const poll = durable();
	const { state: begun } = await poll({}, START);
	await poll(begun, START + 2 * MINUTE_MS);

	const next = await poll(begun, START + 3 * MINUTE_MS);

	expect(next.events).toEqual([event]);
});
