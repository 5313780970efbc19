import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { asCount, asText, isObject } from '../core/json';
import { DAY_MS } from '../events/window';
import type { Checkpoint } from './checkpoint';

/** Longer than n8n takes to commit a state, shorter than the time between polls. */
const COMMIT_MS = 10_000;

interface Remembered {
	readonly polledAt: number;
	/** The successor of the saved state, if no events were output since. */
	readonly checkpoint?: Checkpoint;
	/** When events were last output, and from which lineage. */
	readonly lastOutput?: { readonly lineage: string | undefined; readonly at: number };
}

/**
 * Creates a memory of the states that n8n drops. n8n saves no state after polls without events in some cases: at an
 * activation with durable cursors, when the poll throws, always when its scheduler runs without durable cursors, and for all
 * polls since the last events when a workflow is activated again. While this process lives, polls continue from the state
 * kept here. Nodes that have not been polled for a day are forgotten.
 */
export function createMemory() {
	const nodes = new Map<string, Remembered>();

	return {
		/** The state to continue from: the one in `state`, or its successor if no events were output since. */
		recall(key: string, { checkpoint }: IDataObject): unknown {
			const remembered = nodes.get(key)?.checkpoint;
			return remembered !== undefined && supersedes(remembered, checkpoint)
				? remembered
				: checkpoint;
		},
		/**
		 * Whether events were output moments ago from the state that `state` still holds. With durable cursors, n8n commits a
		 * state shortly after the poll returns; a poll that starts in between gets the previous one.
		 */
		isStale(key: string, { checkpoint }: IDataObject, now: number): boolean {
			const lastOutput = nodes.get(key)?.lastOutput;
			return (
				lastOutput !== undefined &&
				lastOutput.lineage === versionOf(checkpoint).lineage &&
				Math.abs(now - lastOutput.at) < COMMIT_MS
			);
		},
		/**
		 * Writes a checkpoint to `state`.
		 *
		 * @param hasEvents whether the poll outputs events. Such a checkpoint is not remembered here: n8n may drop the events
		 *   together with the state.
		 */
		save(
			key: string,
			state: IDataObject,
			checkpoint: Checkpoint,
			hasEvents: boolean,
			now: number,
		): void {
			const { lineage, serial: savedSerial } = versionOf(state.checkpoint);
			// At least the time, so that a state saved later by another main process supersedes the one remembered here.
			const serial = Math.max(savedSerial + 1, versionOf(checkpoint).serial + 1, now);
			const saved = { ...checkpoint, lineage: hasEvents ? randomUUID() : lineage, serial };
			for (const [node, { polledAt }] of nodes) if (now - polledAt > DAY_MS) nodes.delete(node);
			const update = hasEvents ? { lastOutput: { lineage, at: now } } : { checkpoint: saved };
			nodes.set(key, { ...nodes.get(key), ...update, polledAt: now });
			// Replaced as a whole: n8n does not notice changes inside an object.
			state.checkpoint = saved;
		},
	};
}

function supersedes(remembered: Checkpoint, saved: unknown): boolean {
	const [ours, theirs] = [versionOf(remembered), versionOf(saved)];
	return ours.lineage === theirs.lineage && ours.serial > theirs.serial;
}

const versionOf = (checkpoint: unknown): { lineage: string | undefined; serial: number } =>
	isObject(checkpoint)
		? { lineage: asText(checkpoint.lineage), serial: asCount(checkpoint.serial) ?? 0 }
		: { lineage: undefined, serial: 0 };
