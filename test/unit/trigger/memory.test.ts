/** Which of two checkpoints a poll continues from: the one that n8n saved, or the one that this process remembers. */
import type { IDataObject } from 'n8n-workflow';
import type { EventsCheckpoint } from '../../../nodes/BusinessProspectData/trigger/events/state';
import { createMemory } from '../../../nodes/BusinessProspectData/trigger/memory';

const KEY = 'node';
const NOW = Date.UTC(2026, 4, 1);

const stateOf = (lineage: string | undefined, serial: number): IDataObject => ({
	checkpoint: { ...(lineage !== undefined && { lineage }), serial },
});

const checkpointOf = (serial: number): EventsCheckpoint =>
	({ serial }) as unknown as EventsCheckpoint;

/** The memory after a poll without events that started from the state. */
function memoryAfter(state: IDataObject, serial = 0) {
	const memory = createMemory();
	memory.save(KEY, state, checkpointOf(serial), { hasOutput: false, now: NOW });
	return { memory, saved: state.checkpoint };
}

test.each<[what: string, from: [lineage: string | undefined, serial: number], state: IDataObject]>([
	['n8n dropped the state', [undefined, 0], {}],
	['n8n dropped the last state', ['x', 4], stateOf('x', 4)],
	['n8n dropped several states', ['x', 4], stateOf('x', 1)],
])('%s: continues from the memory', (_what, [lineage, serial], state) => {
	const { memory, saved } = memoryAfter(stateOf(lineage, serial));

	expect(memory.recall(KEY, state)).toBe(saved);
});

test.each<[what: string, state: IDataObject]>([
	['n8n saved the state', stateOf('x', NOW)],
	['n8n saved a later state', stateOf('x', NOW + 9)],
	['events were output since', stateOf('y', 1)],
	['n8n restored a state from before events were output', stateOf(undefined, 2)],
])('%s: continues from the saved state', (_what, state) => {
	const { memory } = memoryAfter(stateOf('x', 4));

	expect(memory.recall(KEY, state)).toBe(state.checkpoint);
});

test('nodes have separate memories', () => {
	const { memory } = memoryAfter(stateOf('x', 4));

	expect(memory.recall('other', stateOf('x', 4))).toEqual({ lineage: 'x', serial: 4 });
});

test('continues from the state that another main process saved meanwhile', () => {
	const [ours, theirs] = [createMemory(), createMemory()];
	const state = stateOf('x', 4);
	for (let poll = 0; poll < 50; poll++)
		ours.save(KEY, state, checkpointOf(4), { hasOutput: false, now: NOW });
	const other = stateOf('x', 4);
	theirs.save(KEY, other, checkpointOf(4), { hasOutput: false, now: NOW + 60_000 });

	expect(ours.recall(KEY, other)).toBe(other.checkpoint);
});

test.each([
	['the time', 4, 0, NOW],
	['one more than in the state', NOW + 7, 0, NOW + 8],
	['one more than in the checkpoint', NOW + 2, NOW + 7, NOW + 8],
])('a serial is at least %s', (_what, saved, own, next) => {
	expect(memoryAfter(stateOf('x', saved), own).saved).toEqual({ lineage: 'x', serial: next });
});

describe('a node that is no longer polled', () => {
	/** Longer than a month, the longest interval that the editor offers for polls. */
	const IDLE_MS = 32 * 86_400_000;

	test.each([
		[IDLE_MS, true],
		[IDLE_MS + 1, false],
	])('is remembered %d ms later: %s', (ms, isRemembered) => {
		const { memory, saved } = memoryAfter({});

		memory.save('other', {}, checkpointOf(0), { hasOutput: false, now: NOW + ms });

		expect(memory.recall(KEY, {})).toBe(isRemembered ? saved : undefined);
	});

	test('is also forgotten when its last poll output events', () => {
		const memory = createMemory();
		memory.save(KEY, stateOf('x', 4), checkpointOf(4), { hasOutput: true, now: NOW });

		memory.save('other', {}, checkpointOf(0), { hasOutput: false, now: NOW + IDLE_MS + 1 });

		expect(memory.awaitsCommit(KEY, stateOf('x', 4), NOW)).toBe(false);
	});

	test('is remembered as long after a poll with events', () => {
		const { memory, saved } = memoryAfter(stateOf('x', 4));
		memory.save(KEY, stateOf('x', 4), checkpointOf(4), { hasOutput: true, now: NOW + IDLE_MS });

		memory.save('other', {}, checkpointOf(0), { hasOutput: false, now: NOW + IDLE_MS + 1 });

		expect(memory.recall(KEY, stateOf('x', 4))).toBe(saved);
	});
});

describe('events that were output moments ago', () => {
	function afterOutput() {
		const memory = createMemory();
		const state = stateOf('x', 4);
		memory.save(KEY, state, checkpointOf(4), { hasOutput: true, now: NOW });
		return { memory, state };
	}

	test.each([
		[0, true],
		[9_999, true],
		[10_000, false],
		[-9_999, true],
		[-10_000, false],
	])('the state that they were output from awaits a commit %d ms later: %s', (ms, awaitsCommit) => {
		expect(afterOutput().memory.awaitsCommit(KEY, stateOf('x', 4), NOW + ms)).toBe(awaitsCommit);
	});

	test('the next state awaits no commit, and has its own lineage', () => {
		const { memory, state } = afterOutput();

		expect(memory.awaitsCommit(KEY, state, NOW)).toBe(false);
		expect(state.checkpoint).toMatchObject({ serial: NOW, lineage: expect.any(String) });
		expect(state.checkpoint).not.toMatchObject({ lineage: 'x' });
		expect(memory.awaitsCommit('other', stateOf('x', 4), NOW)).toBe(false);
	});
});
