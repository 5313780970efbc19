// The trigger: one poll compared with hand-written code that sends the same requests, and the cost of its state.
import { createPoller } from '../../harness/poll.ts';
import { events } from '../byHand.mjs';
import { againstHand, byTurns, cpu, ratio, shown } from '../measure.mjs';
import { account, source, trigger, withFetch, withHelper } from '../node.mjs';
import { idOf } from '../people.mjs';

const { createRunner } = source('trigger/runner.ts');
const { eventsState: eventsMachine } = source('trigger/events/state.ts');
const { searchState: searchMachine } = source('trigger/search/state.ts');

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TYPES = [
	'prospect_changed_company',
	'prospect_changed_role',
	'prospect_job_start_anniversary',
];

let nodes = 0;

/** The first poll of a new trigger with Start From a day ago. */
async function poll(url, ids) {
	const poller = createPoller({
		node: trigger,
		...account(url),
		name: `Watch ${++nodes}`,
		parameters: {
			triggerOn: 'prospectEvent',
			ids: ids.join('\n'),
			options: {
				startFrom: new Date(Date.now() - DAY_MS).toISOString(),
				requests: { requestsPerPoll: 1_000 },
			},
		},
	});
	const { items } = await poller.poll();
	return items ?? [];
}

async function whole(url, count, rounds) {
	const ids = Array.from({ length: count }, (_, number) => idOf(number));
	const from = new Date(Date.now() - DAY_MS).toISOString();
	return await againstHand({
		what: `Trigger, ${shown(count)} IDs`,
		url,
		rounds,
		acts: {
			byFetch: async () => await events(withFetch(url), ids, from, TYPES, 4),
			byHelper: async () => await events(withHelper(url), ids, from, TYPES, 4),
			node: async () => await poll(url, ids),
		},
		items: count,
		expected: count / 40,
		rule: 'IDs ÷ 40',
	});
}

/**
 * Reads a state, polls with it and writes it, compared with what it stands for as plain JSON.
 *
 * @param {{ what: string, against: string, saved: object, plain: object, use?: (value: any) => object,
 *   poll: (state: object) => Promise<unknown[]>, rounds: number }} options `poll` returns what is new: nothing
 */
async function state({ what, against, saved, plain, use = (value) => value, poll, rounds }) {
	const savedText = JSON.stringify(saved);
	const plainText = JSON.stringify(plain);
	const times = 100;
	const samples = await byTurns(
		rounds,
		{
			ours: async () => {
				for (let run = 0; run < times; run++) {
					const state = JSON.parse(savedText);
					if ((await poll(state)).length > 0) throw new Error('Something came twice.');
					JSON.stringify(state);
				}
			},
			plain: () => {
				for (let run = 0; run < times; run++) JSON.stringify(use(JSON.parse(plainText)));
			},
		},
		cpu,
	);
	const whole = {
		what: `${what} read, used and written, ${times} times`,
		unit: 'ms CPU',
		most: 1.5,
	};
	return ratio({ ...whole, against: `JSON round trip of ${against}` }, samples.ours, samples.plain);
}

async function eventsState(remembered, rounds) {
	const now = Date.now();
	const events = Array.from({ length: remembered }, (_, number) => ({
		event_id: `event-${idOf(number)}`,
		event_name: TYPES[0],
		event_time: new Date(now - (number % 71) * HOUR_MS).toISOString(),
	}));
	const pollRun = (state, events, elapsed) => ({
		nodeKey: 'node',
		staticData: state,
		watch: {
			entityType: 'prospect',
			ids: [idOf(0)],
			types: TYPES,
			lookbackMs: 3 * DAY_MS,
			startFrom: 0,
		},
		limit: 40,
		now: () => now + elapsed,
		fetch: async ({ ids: [id] }) => ({ results: [{ id, events }] }),
	});
	const saved = {};
	await createRunner(eventsMachine)(pollRun(saved, events, 0));
	return await state({
		what: `Trigger: its state with ${shown(remembered)} events`,
		against: 'their IDs and times',
		saved,
		plain: Object.fromEntries(events.map((event) => [event.event_id, event.event_time])),
		poll: async (state) =>
			(await createRunner(eventsMachine)(pollRun(state, events.slice(0, 10), 60_000))).result.rows,
		rounds,
	});
}

async function searchState(people, rounds) {
	const rows = Array.from({ length: people }, (_, number) => ({
		row: { prospect_id: idOf(number) },
	}));
	const searchRun = (state, rows, total = rows.length) => ({
		nodeKey: 'node',
		staticData: state,
		watch: { filters: {} },
		limit: 60,
		now: Date.now,
		fetch: async () => ({ rows, firstPageStatus: 'received', partial: false, total }),
	});
	const saved = {};
	await createRunner(searchMachine)(searchRun(saved, rows));
	return await state({
		what: `Trigger: its state with ${shown(people)} people`,
		against: 'their IDs, as a set',
		saved,
		plain: rows.map(({ row }) => row.prospect_id),
		use: (ids) => [...new Set(ids)],
		poll: async (state) =>
			(await createRunner(searchMachine)(searchRun(state, rows.slice(0, 100), people))).result.rows,
		rounds,
	});
}

export async function run({ url, short }) {
	const rounds = short ? 2 : 5;
	const { rows } = await whole(url, short ? 2_000 : 10_000, rounds);
	return [...rows, await eventsState(10_000, rounds), await searchState(20_000, rounds)];
}
