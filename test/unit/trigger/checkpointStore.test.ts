/** Which checkpoint a poll continues from: the one that n8n saved, or the one that this process remembers. */
import type { IDataObject } from 'n8n-workflow';
import {
	createCheckpointStore,
	type Versioned,
} from '../../../nodes/BusinessProspectData/trigger/checkpointStore';

const KEY = 'node';
const NOW = Date.UTC(2026, 4, 1);
/** Longer than a month, the longest interval that the editor offers for polls. */
const IDLE_MS = 32 * 86_400_000;

const stateOf = (lineage?: string, serial = 0): IDataObject => ({
	checkpoint: { ...(lineage !== undefined && { lineage }), serial },
});

const polled = (at = NOW) => ({ hasOutput: false, now: at });

/** The memory after a poll without output that started from the state. */
function memoryAfter(state: IDataObject, checkpoint: Versioned = {}) {
	const memory = createCheckpointStore();
	memory.save(KEY, state, checkpoint, polled());
	return { memory, saved: state.checkpoint };
}

test.each<[what: string, from: IDataObject, state: IDataObject, isRemembered: boolean]>([
	['n8n dropped the state', stateOf(), {}, true],
	['n8n dropped several states', stateOf('x', 4), stateOf('x', 1), true],
	['n8n saved the state', stateOf('x', 4), stateOf('x', NOW), false],
	['n8n saved a later state', stateOf('x', 4), stateOf('x', NOW + 9), false],
	['something was output since', stateOf('x', 4), stateOf('y', 1), false],
	['n8n restored a state from before an output', stateOf('x', 4), stateOf(undefined, 2), false],
])('%s', (_what, from, state, isRemembered) => {
	const { memory, saved } = memoryAfter(from);

	expect(memory.recall(KEY, state)).toBe(isRemembered ? saved : state.checkpoint);
	expect(memory.recall('other', state)).toBe(state.checkpoint);
});

test('continues from the state that another main process saved meanwhile', () => {
	const [ours, theirs] = [createCheckpointStore(), createCheckpointStore()];
	const [state, other] = [stateOf('x', 4), stateOf('x', 4)];
	for (let poll = 0; poll < 50; poll++) ours.save(KEY, state, { serial: 4 }, polled());
	theirs.save(KEY, other, { serial: 4 }, polled(NOW + 60_000));

	expect(ours.recall(KEY, other)).toBe(other.checkpoint);
});

test.each([
	['the time', 4, 0, NOW],
	['one more than in the state', NOW + 7, 0, NOW + 8],
	['one more than in the checkpoint', NOW + 2, NOW + 7, NOW + 8],
])('a serial is at least %s', (_what, saved, serial, next) => {
	expect(memoryAfter(stateOf('x', saved), { serial }).saved).toEqual({
		lineage: 'x',
		serial: next,
	});
});

test.each([
	[IDLE_MS, true],
	[IDLE_MS + 1, false],
])('a node that was last polled %d ms ago is remembered: %s', (ms, isRemembered) => {
	const { memory, saved } = memoryAfter(stateOf('x', 4));
	memory.save(KEY, stateOf('x', 4), {}, { hasOutput: true, now: NOW + 9 });

	memory.save('other', {}, {}, polled(NOW + 9 + ms));

	const state = stateOf('x', 4);
	expect(memory.recall(KEY, state)).toBe(isRemembered ? saved : state.checkpoint);
	expect(memory.awaitsCommit(KEY, state, NOW + 9)).toBe(isRemembered);
});

test.each([
	[9_999, true],
	[10_000, false],
	[-9_999, true],
	[-10_000, false],
])('%d ms after an output, the state from before it awaits a commit: %s', (ms, awaitsCommit) => {
	const memory = createCheckpointStore();
	const state = stateOf('x', 4);
	memory.save(KEY, state, {}, { hasOutput: true, now: NOW });

	expect(memory.awaitsCommit(KEY, stateOf('x', 4), NOW + ms)).toBe(awaitsCommit);
	expect(memory.awaitsCommit('other', stateOf('x', 4), NOW + ms)).toBe(false);
	expect(memory.awaitsCommit(KEY, state, NOW)).toBe(false);
	expect(state.checkpoint).toMatchObject({ lineage: expect.not.stringMatching(/^x$/) });
});
