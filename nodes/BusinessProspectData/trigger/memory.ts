import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { asCount, isObject, asText } from '../core/json';
import type { Checkpoint } from './checkpoint';
import { DAY_MS } from '../events/window';

/**
 * The states of nodes between n8n's savings. n8n drops the state of a poll that puts nothing out in some cases: of an
 * activation with durable cursors, of a throw, of any poll when its scheduler runs without durable cursors, and of the
 * polls since the last events when a workflow is activated anew. As long as this process lives, it goes on from there; it
 * forgets nodes that have not been polled for a day.
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

/** What is remembered of a node. */
interface Remembered {
	/** When it was last polled. */
	readonly at: number;
	/** What followed from the saved state without an event being put out. */
	readonly checkpoint?: Checkpoint;
	/** When events were last put out, and from which line. */
	readonly lastPut?: { readonly line: string | undefined; readonly at: number };
}

export function createMemory(): Memory {
	const nodes = new Map<string, Remembered>();

	return {
		recall(key, { checkpoint }) {
			const remembered = nodes.get(key)?.checkpoint;
			return remembered !== undefined && follows(remembered, checkpoint) ? remembered : checkpoint;
		},
		isBehind(key, { checkpoint }, now) {
			const lastPut = nodes.get(key)?.lastPut;
			return (
				lastPut !== undefined &&
				lastPut.line === placeOf(checkpoint).line &&
				Math.abs(now - lastPut.at) < COMMIT_MS
			);
		},
		keep(key, state, checkpoint, putsOut, now) {
			const before = placeOf(state.checkpoint);
			// Also a time, so that a state which another main process kept later is ahead of what is remembered here.
			const step = Math.max(before.step + 1, placeOf(checkpoint).step + 1, now);
			const kept = { ...checkpoint, line: putsOut ? randomUUID() : before.line, step };
			for (const [other, { at }] of nodes) if (now - at > DAY_MS) nodes.delete(other);
			const news = putsOut ? { lastPut: { line: before.line, at: now } } : { checkpoint: kept };
			nodes.set(key, { ...nodes.get(key), ...news, at: now });
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
		? { line: asText(checkpoint.line), step: asCount(checkpoint.step) ?? 0 }
		: { line: undefined, step: 0 };
