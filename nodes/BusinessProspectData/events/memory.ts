import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { countOf, isObject, textOf } from '../api/json';
import type { Checkpoint } from './checkpoint';

/**
 * The states of nodes between n8n's savings. n8n drops the state of a poll that puts nothing out in some cases: of an
 * activation with durable cursors, of a throw, of any poll when its scheduler runs without durable cursors, and of the
 * polls since the last events when a workflow is activated anew. As long as this process lives, it goes on from there.
 */
export interface Memory {
	/** The state to go on from: the one in `state`, or what followed from it without an event being put out. */
	recall(key: string, state: IDataObject): unknown;
	/**
	 * Whether events were put out a moment ago from the very state that `state` still is. n8n commits a state with durable
	 * cursors a little after the poll has returned, and may have read the one before for a poll that starts meanwhile.
	 */
	isBehind(key: string, state: IDataObject, now: number): boolean;
	/** Keeps a checkpoint. Remembered only where nothing is put out: n8n may drop events together with their state. */
	keep(
		key: string,
		state: IDataObject,
		checkpoint: Checkpoint,
		putsOut: boolean,
		now: number,
	): void;
}

/** Longer than n8n takes to commit a state, shorter than the time between polls. */
const COMMIT_MS = 10_000;

export function createMemory(): Memory {
	const known = new Map<string, Checkpoint>();
	const lastPut = new Map<string, { readonly line: string | undefined; readonly at: number }>();

	return {
		recall(key, { checkpoint }) {
			const remembered = known.get(key);
			return remembered !== undefined && follows(remembered, checkpoint) ? remembered : checkpoint;
		},
		isBehind(key, { checkpoint }, now) {
			const put = lastPut.get(key);
			return (
				put !== undefined &&
				put.line === placeOf(checkpoint).line &&
				Math.abs(now - put.at) < COMMIT_MS
			);
		},
		keep(key, state, checkpoint, putsOut, now) {
			const before = placeOf(state.checkpoint);
			const step = Math.max(before.step, placeOf(checkpoint).step) + 1;
			const kept = { ...checkpoint, line: putsOut ? randomUUID() : before.line, step };
			if (putsOut) lastPut.set(key, { line: before.line, at: now });
			else known.set(key, kept);
			// Assigned as a whole: n8n notices no change inside what is already there.
			state.checkpoint = kept;
		},
	};
}

function follows(remembered: Checkpoint, saved: unknown): boolean {
	const [place, before] = [placeOf(remembered), placeOf(saved)];
	return place.line === before.line && place.step > before.step;
}

const placeOf = (checkpoint: unknown): { line: string | undefined; step: number } =>
	isObject(checkpoint)
		? { line: textOf(checkpoint.line), step: countOf(checkpoint.step) ?? 0 }
		: { line: undefined, step: 0 };
