import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { asCount, asText, isObject } from '../core/json';
import { DAY_MS } from '../runtime/dates';

/** Longer than n8n takes to save a checkpoint, shorter than the time between polls. */
const COMMIT_MS = 10_000;

/** Longer than a month, the longest interval that the editor offers for polls. */
const IDLE_MS = 32 * DAY_MS;

/** Orders the checkpoints of a node: `lineage` changes with each output, `serial` increases within one lineage. */
export interface Versioned {
	readonly lineage?: string | undefined;
	readonly serial?: number;
}

interface Remembered {
	readonly savedAt: number;
	/**
	 * The latest checkpoint written without output: the plan of a poll, the result of one without output, or edited settings that
	 * a skipped poll applied. n8n may not have saved it. Outdated once n8n saves one with output.
	 */
	readonly keptCheckpoint?: Versioned;
	/** When something was last output, and the lineage before it. */
	readonly lastOutput?: { readonly fromLineage: string | undefined; readonly at: number };
}

/** Identifies a node in the memory of this process. Includes the name, because n8n normally keys static data by it. */
export function nodeKeyOf(context: IPollFunctions): string {
	const { id, name } = context.getNode();
	return `${context.getWorkflow().id}/${id}/${name}`;
}

/**
 * Creates a memory of the checkpoints that n8n drops.
 *
 * A checkpoint is part of the node's static data. n8n polls in one of three ways, and in each it drops some static data:
 *
 * - By default, all polls share one static data object. n8n saves it only after an activation and after a poll with output, and
 *   reads the saved one at the next activation. A reactivation loses what polls changed after the last output.
 * - With a durable schedule (`N8N_SCHEDULER_POLL_TRIGGERS_ENABLED`), each poll has its own context and its own copy. n8n saves
 *   the copies of activations and of polls with output. It drops those of polls without output.
 * - With durable cursors too (`N8N_POLLER_DURABLE_CURSORS_ENABLED`, since n8n 2.38), n8n saves the copies of all scheduled polls
 *   that don't throw: together with the execution or, without output, alone. It drops those of activations.
 *
 * While this process lives, polls continue from the checkpoint kept here: with a durable schedule, nothing else knows how far
 * an unfinished sweep (a pass over all IDs or pages) has come. Nodes that haven't been polled for 32 days are forgotten.
 */
export function createMemory() {
	const nodes = new Map<string, Remembered>();

	function forgetIdleNodes(now: number): void {
		for (const [nodeKey, { savedAt }] of nodes) {
			if (now - savedAt > IDLE_MS) nodes.delete(nodeKey);
		}
	}

	return {
		/** The checkpoint to continue from: the saved one, if any, or a later one kept here if nothing was output in between. */
		recall(nodeKey: string, { checkpoint }: IDataObject): unknown {
			const kept = nodes.get(nodeKey)?.keptCheckpoint;
			return kept !== undefined && supersedes(kept, checkpoint) ? kept : checkpoint;
		},
		/**
		 * True if a poll had output moments ago, but the saved checkpoint is still the one before that output. With durable
		 * cursors, n8n saves a checkpoint shortly after the poll returns; a poll that starts in between gets the previous one.
		 */
		awaitsCommit(nodeKey: string, { checkpoint }: IDataObject, now: number): boolean {
			const lastOutput = nodes.get(nodeKey)?.lastOutput;
			return (
				lastOutput !== undefined &&
				lastOutput.fromLineage === versionOf(checkpoint).lineage &&
				// Negative if the clock was set back.
				Math.abs(now - lastOutput.at) < COMMIT_MS
			);
		},
		/**
		 * Writes a checkpoint to the static data and, without output, keeps it here.
		 *
		 * @param hasOutput true if the poll outputs something. Its checkpoint isn't kept here, because n8n may drop the output
		 *   together with the checkpoint.
		 */
		save(
			nodeKey: string,
			staticData: IDataObject,
			checkpoint: Versioned,
			{ hasOutput, now }: { readonly hasOutput: boolean; readonly now: number },
		): void {
			const { lineage, serial: savedSerial } = versionOf(staticData.checkpoint);
			// At least `now`, so that a checkpoint that another main process saves later outranks the one kept here.
			const serial = Math.max(savedSerial + 1, versionOf(checkpoint).serial + 1, now);
			const versioned = { ...checkpoint, lineage: hasOutput ? randomUUID() : lineage, serial };
			// If the poll has output, the checkpoint kept here stays: if n8n drops the output, polls continue from that checkpoint.
			// Once n8n has saved the new one, the lineages differ, and `supersedes` rejects the kept one.
			const update = hasOutput
				? { lastOutput: { fromLineage: lineage, at: now } }
				: { keptCheckpoint: versioned };
			forgetIdleNodes(now);
			nodes.set(nodeKey, { ...nodes.get(nodeKey), ...update, savedAt: now });
			// Replaced as a whole: n8n doesn't notice changes inside an object.
			staticData.checkpoint = versioned;
		},
		/** Returns a function that restores what is now in the static data and in this memory. */
		snapshot(nodeKey: string, staticData: IDataObject): () => void {
			const remembered = nodes.get(nodeKey);
			const { checkpoint } = staticData;
			return () => {
				if (remembered === undefined) nodes.delete(nodeKey);
				else nodes.set(nodeKey, remembered);
				if (checkpoint === undefined) delete staticData.checkpoint;
				else staticData.checkpoint = checkpoint;
			};
		},
	};
}

function supersedes(kept: Versioned, saved: unknown): boolean {
	const [ours, theirs] = [versionOf(kept), versionOf(saved)];
	return ours.lineage === theirs.lineage && ours.serial > theirs.serial;
}

const versionOf = (checkpoint: unknown): { lineage: string | undefined; serial: number } =>
	isObject(checkpoint)
		? { lineage: asText(checkpoint.lineage), serial: asCount(checkpoint.serial) ?? 0 }
		: { lineage: undefined, serial: 0 };
