/** Polls of one node that overlap or follow each other. */
import type { IDataObject } from 'n8n-workflow';
import type {
	EventsCheckpoint,
	EventsWatch,
} from '../../../nodes/BusinessProspectData/trigger/events/state';
import { fingerprintOf, unpack } from '../../../nodes/BusinessProspectData/trigger/fingerprints';
import { createEventsRunner, type EventsPollRun, type RunEvents } from './runners';
import { eventOf, idsOf, NOW } from './trigger';

const [A = '', B = '', C = ''] = idsOf(3);
const watch: EventsWatch = {
	entityType: 'prospect',
	ids: [A, B],
	types: ['prospect_changed_role'],
	lookbackMs: 3_600_000,
};

type Fetch = EventsPollRun['fetch'];

const pollOf = (state: IDataObject, fetch: Fetch, at = NOW): EventsPollRun => ({
	nodeKey: 'node',
	staticData: state,
	watch,
	limit: 100,
	now: () => at,
	fetch,
});

const noEvents: Fetch = async ({ ids }) => ({
	results: ids.map((id) => ({ id, events: [] })),
});
const failing: Fetch = async ({ ids }) => ({ results: ids.map((id) => ({ id })) });
const returning =
	(...events: IDataObject[]): Fetch =>
	async () => ({ results: [{ id: A, events }] });

/** The events that a poll outputs. */
const eventsOf = async (polled: ReturnType<RunEvents>) =>
	(await polled)?.result.rows.map(({ row }) => row);

/** A poll that runs until `finish` is called. */
function startPoll(runPoll: ReturnType<typeof createEventsRunner>, state: IDataObject = {}) {
	let finish = () => {};
	const pending = new Promise<void>((resolve) => {
		finish = resolve;
	});
	const queried: string[][] = [];
	const result = runPoll(
		pollOf(state, async (job) => {
			queried.push([...job.ids]);
			await pending;
			return await noEvents(job);
		}),
	);
	return { queried, result, finish: () => finish() };
}

test('while another poll is running, a poll fetches nothing, but starts watching', async () => {
	const runPoll = createEventsRunner();
	const { queried, result, finish } = startPoll(runPoll);
	const state: IDataObject = {};

	expect(await runPoll(pollOf(state, noEvents))).toBeUndefined();
	expect(state.checkpoint).toMatchObject({ entityType: 'prospect', lastSweepStart: NOW });
	const saved = structuredClone(state);
	expect(await runPoll(pollOf(state, noEvents, NOW + 60_000))).toBeUndefined();
	expect(state).toEqual(saved);
	finish();
	await result;
	expect(queried).toEqual([[A, B]]);
});

test('outputs no event of a type that is removed while a poll is running', async () => {
	const runPoll = createEventsRunner();
	const state: IDataObject = {};
	const both = { ...watch, types: [...watch.types, 'removed'] };
	const event = eventOf(A, 'e1', 1);
	const polled = runPoll({
		...pollOf(state, async (job) => {
			await runPoll(pollOf(state, noEvents));
			return await returning(event, { ...eventOf(A, 'e2', 1), event_name: 'removed' })(job);
		}),
		watch: both,
	});

	expect(await eventsOf(polled)).toEqual([event]);
});

describe('added IDs and types', () => {
	const edited = { ...watch, ids: [...watch.ids, C], types: [...watch.types, 'new'] };
	const at = NOW + 60_000;
	/** Since when they are watched. */
	const sinceIn = ({ checkpoint }: IDataObject) => {
		const { watched, types } = checkpoint as unknown as EventsCheckpoint;
		const since = Object.keys(watched).find((moment) =>
			unpack(watched[moment] ?? '').includes(fingerprintOf(C)),
		);
		return [Number(since), types.new];
	};
	const editedPoll = (state: IDataObject, time = at) => ({
		...pollOf(state, noEvents, time),
		watch: edited,
	});

	test('that were removed before are watched since they were added again', async () => {
		const runPoll = createEventsRunner();
		const state: IDataObject = {};
		await runPoll({ ...pollOf(state, noEvents), watch: edited });
		const saved = structuredClone(state);
		const { result, finish } = startPoll(runPoll, state);

		expect(await runPoll(editedPoll(saved))).toBeUndefined();
		finish();
		await result;

		expect(sinceIn(saved)).toEqual([at, at]);
	});

	test('moments after events were output are watched since then', async () => {
		const runPoll = createEventsRunner();
		const state: IDataObject = {};
		await runPoll(pollOf(state, noEvents));
		const stale = structuredClone(state);
		const event = eventOf(A, 'e1', 1);
		const withEvent = returning(event);
		expect(await eventsOf(runPoll(pollOf(state, withEvent, at)))).toEqual([event]);

		expect(await runPoll(editedPoll(stale, at + 1_000))).toBeUndefined();

		expect(sinceIn(stale)).toEqual([at + 1_000, at + 1_000]);
		await runPoll(editedPoll(stale, at + 60_000));
		expect(sinceIn(stale)).toEqual([at + 1_000, at + 1_000]);
	});

	test.each([
		['IDs', { ids: edited.ids }],
		['types', { types: edited.types }],
	])('of which there are only %s are watched since then, too', async (_what, added) => {
		const runPoll = createEventsRunner();
		const state: IDataObject = {};
		await runPoll(pollOf(state, noEvents));
		const { result, finish } = startPoll(runPoll, state);

		await runPoll({ ...pollOf(state, noEvents, at), watch: { ...watch, ...added } });
		finish();
		await result;

		expect(sinceIn(state)).toContain(at);
	});
});

test('a poll that throws does not block the next one', async () => {
	const runPoll = createEventsRunner();
	const state: IDataObject = {};

	const broken = runPoll(pollOf(state, async () => await Promise.reject(new Error('Broken'))));
	await expect(broken).rejects.toThrow('Broken');

	expect((await runPoll(pollOf(state, failing)))?.result).toEqual({ rows: [], succeeded: false });
});

describe('with durable cursors, after a poll with events', () => {
	const event = eventOf(A, 'e1', 1);
	const withEvent = returning(event);

	async function afterEvents() {
		const runPoll = createEventsRunner();
		const committed: IDataObject = {};
		await runPoll(pollOf(committed, noEvents));
		const state = structuredClone(committed);
		expect(await eventsOf(runPoll(pollOf(state, withEvent, NOW + 60_000)))).toEqual([event]);
		return { runPoll, committed, state };
	}

	test('a poll that starts before n8n has committed the state does nothing', async () => {
		const { runPoll, committed, state } = await afterEvents();

		const stale = structuredClone(committed);
		expect(await runPoll(pollOf(stale, withEvent, NOW + 61_000))).toBeUndefined();
		expect(stale).toEqual(committed);
		expect(await eventsOf(runPoll(pollOf(state, withEvent, NOW + 62_000)))).toEqual([]);
	});

	test('events that n8n dropped with the state are output again', async () => {
		const { runPoll, committed } = await afterEvents();

		expect(await eventsOf(runPoll(pollOf(committed, withEvent, NOW + 75_000)))).toEqual([event]);
	});
});
