/** Which of two states a poll goes on from: the one that n8n saved, or the one that this process remembers. */
import type { IDataObject } from 'n8n-workflow';
import type { Checkpoint } from '../../../nodes/BusinessProspectData/trigger/checkpoint';
import { createMemory } from '../../../nodes/BusinessProspectData/trigger/memory';

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
	['n8n saved the step', saved('x', NOW)],
	['n8n saved a later one', saved('x', NOW + 9)],
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

test('another main process had the lead meanwhile, and n8n saved its state: that counts', () => {
	const [ours, theirs] = [createMemory(), createMemory()];
	const state = saved('x', 4);
	for (let poll = 0; poll < 50; poll++) ours.keep(KEY, state, checkpoint(4), false, NOW);
	const other = saved('x', 4);
	theirs.keep(KEY, other, checkpoint(4), false, NOW + 60_000);

	expect(ours.recall(KEY, other)).toBe(other.checkpoint);
});

test.each([
	['the time', 4, 0, NOW],
	['one more than in the state', NOW + 7, 0, NOW + 8],
	['one more than in the checkpoint', NOW + 2, NOW + 7, NOW + 8],
])('a step is at least %s', (_what, before, own, next) => {
	const { kept } = after(saved('x', before), own);

	expect(kept).toEqual({ line: 'x', step: next });
});

describe('a node that is polled no more', () => {
	const DAY = 86_400_000;

	test.each([
		[DAY, true],
		[DAY + 1, false],
	])('%d ms ago: it is remembered is %s', (ms, remembered) => {
		const { memory, kept } = after({});

		memory.keep('other', {}, checkpoint(0), false, NOW + ms);

		expect(memory.recall(KEY, {})).toBe(remembered ? kept : undefined);
	});

	test('is forgotten after it put out events, too', () => {
		const memory = createMemory();
		memory.keep(KEY, saved('x', 4), checkpoint(4), true, NOW);

		memory.keep('other', {}, checkpoint(0), false, NOW + DAY + 1);

		expect(memory.isBehind(KEY, saved('x', 4), NOW)).toBe(false);
	});

	test('is one whose last poll put out nothing, or put out events', () => {
		const { memory, kept } = after(saved('x', 4));
		memory.keep(KEY, saved('x', 4), checkpoint(4), true, NOW + DAY);

		memory.keep('other', {}, checkpoint(0), false, NOW + DAY + 1);

		expect(memory.recall(KEY, saved('x', 4))).toBe(kept);
	});
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
		expect(state.checkpoint).toMatchObject({ step: NOW, line: expect.any(String) });
		expect(state.checkpoint).not.toMatchObject({ line: 'x' });
		expect(memory.isBehind('other', saved('x', 4), NOW)).toBe(false);
	});
});
