import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { hash, randomUUID } from 'node:crypto';
import { asCount, asText, isObject } from '../core/json';
import { DAY_MS } from '../parameters/dates';

/** Time allowed for n8n to save a checkpoint. Less than a minute, the shortest polling interval. */
const COMMIT_MS = 10_000;

/** A node's memory is dropped after this time without a save. Longer than a month, for the poll mode Every Month. */
const IDLE_MS = 32 * DAY_MS;

/** Orders the checkpoints of a node: `lineage` changes with each output, `serial` increases within one lineage. */
export interface Versioned {
	readonly lineage?: string | undefined;
	readonly serial?: number;
}

interface Remembered {
	readonly savedAt: number;
	/** The latest checkpoint written without output. n8n may not have saved it. */
	readonly keptCheckpoint?: Versioned;
	/** The time of the last output, and the lineage before that output. */
	readonly lastOutput?: { readonly fromLineage: string | undefined; readonly at: number };
}

/** Identifies a node in this process. Includes the node's name, because n8n normally keys static data by name. */
export function nodeKeyOf(context: IPollFunctions): string {
	const { id, name } = context.getNode();
	return `${context.getWorkflow().id}/${id}/${name}`;
}

/**
 * Creates a memory of checkpoints that n8n may drop. A checkpoint is part of the node's static data, which n8n saves in one of
 * three ways:
 *
 * - By default, all polls share one static data object. n8n saves it after an activation and after a poll with output. A
 *   reactivation loses the changes since the last save.
 * - With a durable schedule (`N8N_SCHEDULER_POLL_TRIGGERS_ENABLED`), each poll has its own copy. n8n saves the copies of
 *   activations and of polls with output, and drops the others.
 * - With durable cursors too (`N8N_POLLER_DURABLE_CURSORS_ENABLED`, since n8n 2.38), n8n saves the copies of scheduled polls that
 *   don't throw and of activations with output, and drops those of other activations.
 */
export function createCheckpointStore() {
	const nodes = new Map<string, Remembered>();

	function forgetIdleNodes(now: number): void {
		for (const [nodeKey, { savedAt }] of nodes) {
			if (now - savedAt > IDLE_MS) nodes.delete(nodeKey);
		}
	}

	return {
		/** Returns the checkpoint to continue from, if any. */
		recall(nodeKey: string, { checkpoint }: IDataObject): unknown {
			const kept = nodes.get(nodeKey)?.keptCheckpoint;
			return kept !== undefined && supersedes(kept, checkpoint) ? kept : checkpoint;
		},
		/**
		 * True if a poll had output moments ago, but the saved checkpoint is still an older one. With a durable schedule, a poll gets
		 * the older checkpoint if it starts before n8n has saved the new one.
		 */
		awaitsCommit(nodeKey: string, { checkpoint }: IDataObject, now: number): boolean {
			const lastOutput = nodes.get(nodeKey)?.lastOutput;
			return (
				lastOutput !== undefined &&
				lastOutput.fromLineage === versionOf(checkpoint).lineage &&
				// The difference is negative if the clock was set back.
				Math.abs(now - lastOutput.at) < COMMIT_MS
			);
		},
		/** Writes a checkpoint to the static data. Unless the poll has output, also keeps the checkpoint in this memory. */
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
			// Not kept if there is output: if n8n drops the output, the checkpoint must be dropped too, so that a later poll returns the
			// same output again.
			const update = hasOutput
				? { lastOutput: { fromLineage: lineage, at: now } }
				: { keptCheckpoint: versioned };
			forgetIdleNodes(now);
			nodes.set(nodeKey, { ...nodes.get(nodeKey), ...update, savedAt: now });
			// Replaced as a whole, because n8n may not notice changes inside an object.
			staticData.checkpoint = versioned;
		},
	};
}

/** If the lineages differ, n8n has saved an output since, so the kept checkpoint is outdated. */
function supersedes(kept: Versioned, saved: unknown): boolean {
	const [ours, theirs] = [versionOf(kept), versionOf(saved)];
	return ours.lineage === theirs.lineage && ours.serial > theirs.serial;
}

const versionOf = (checkpoint: unknown): { lineage: string | undefined; serial: number } =>
	isObject(checkpoint)
		? { lineage: asText(checkpoint.lineage), serial: asCount(checkpoint.serial) ?? 0 }
		: { lineage: undefined, serial: 0 };

export const FINGERPRINT_LENGTH = 8;

/** A fingerprint of 48 bits in 8 characters. Among 30,000 of them, the odds of a collision are 1 in 600,000. */
export const fingerprintOf = (text: string): string =>
	hash('sha256', text, 'base64url').slice(0, FINGERPRINT_LENGTH);

/** Splits text into parts of equal length. */
export function unpack(packed: string, length = FINGERPRINT_LENGTH): string[] {
	const parts: string[] = [];
	for (let at = 0; at < packed.length; at += length) parts.push(packed.slice(at, at + length));
	return parts;
}
