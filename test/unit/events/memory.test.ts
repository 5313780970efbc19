/** Which of two states a poll goes on from: the one that n8n saved, or the one that this process remembers. */
import type { IDataObject } from 'n8n-workflow';
import type { Checkpoint } from '../../../nodes/BusinessProspectData/events/checkpoint';
import { createMemory } from '../../../nodes/BusinessProspectData/events/memory';

const KEY = 'node';
const NOW = Date.UTC(2026, 4, 1);

const saved = (line: string | undefined, step: number): IDataObject => ({
	checkpoint: { ...(line !== undefined && { line }), step },
});

const checkpoint = (step: number): Checkpoint => ({ step }) as unknown as Checkpoint;

/** What is remembered after a poll from that state which put nothing out. */
function after(state: IDataObject, step = 0) {
	const memory = createMemory();
	memory.keep(KEY, state, checkpoint(step), false, NOW);
	return { memory, kept: state.checkpoint };
}

test.each<[what: string, from: [line: string | undefined, step: number], now: IDataObject]>([
	['n8n dropped the state', [undefined, 0], {}],
	['n8n dropped the last step', ['x', 4], saved('x', 4)],
	['n8n dropped several steps', ['x', 4], saved('x', 1)],
])('%s: it is remembered', (_what, [line, step], now) => {
	const { memory, kept } = after(saved(line, step));

	expect(memory.recall(KEY, now)).toBe(kept);
});

test.each<[what: string, now: IDataObject]>([
	['n8n saved the step', saved('x', 5)],
	['n8n saved a later one', saved('x', 9)],
	['events were put out since', saved('y', 1)],
	['n8n put back a state from before events were put out', saved(undefined, 2)],
])('%s: what is saved counts', (_what, now) => {
	const { memory } = after(saved('x', 4));

	expect(memory.recall(KEY, now)).toBe(now.checkpoint);
});

test('another node is not meant', () => {
	const { memory } = after(saved('x', 4));

	expect(memory.recall('other', saved('x', 4))).toEqual({ line: 'x', step: 4 });
});

test.each([
	[4, 0, 5],
	[4, 7, 8],
])('a step after %d in the state and %d in the checkpoint is %d', (before, own, next) => {
	const { kept } = after(saved('x', before), own);

	expect(kept).toEqual({ line: 'x', step: next });
});

describe('events that were put out a moment ago', () => {
	function put() {
		const memory = createMemory();
		const state = saved('x', 4);
		memory.keep(KEY, state, checkpoint(4), true, NOW);
		return { memory, state };
	}

	test.each([
		[0, true],
		[9_999, true],
		[10_000, false],
		[-9_999, true],
		[-10_000, false],
	])('from the state that still is, %d ms ago: behind is %s', (ms, behind) => {
		expect(put().memory.isBehind(KEY, saved('x', 4), NOW + ms)).toBe(behind);
	});

	test('the state that followed is not behind, and has a line of its own', () => {
		const { memory, state } = put();

		expect(memory.isBehind(KEY, state, NOW)).toBe(false);
		expect(state.checkpoint).toMatchObject({ step: 5, line: expect.any(String) });
		expect(state.checkpoint).not.toMatchObject({ line: 'x' });
		expect(memory.isBehind('other', saved('x', 4), NOW)).toBe(false);
	});
});
