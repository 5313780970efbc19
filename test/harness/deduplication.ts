import { DataDeduplicationService } from 'n8n-core';
import {
	UnexpectedError,
	type DeduplicationScope,
	type ICheckProcessedContextData,
	type ICheckProcessedOptions,
	type IDataDeduplicator,
	type IDeduplicationOutput,
} from 'n8n-workflow';

const notPartOfTheHarness = async (): Promise<never> => {
	throw new Error('Not part of the harness');
};

const stored = new Map<string, string[]>();

const keyOf = (scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData) => {
	if (scope !== 'node' || node === undefined) throw new UnexpectedError(`No scope "${scope}" here`);
	return `${workflow.id} n:${node.id}`;
};

const keepNewest = (entries: string[], { maxEntries }: ICheckProcessedOptions) =>
	maxEntries ? entries.slice(-maxEntries) : entries;

/**
 * n8n's deduplication store in memory, mode `entries`. As in n8n, a value that comes twice in one
 * call is new twice, a value seen again keeps its age, and `maxEntries` drops the oldest.
 */
const deduplicator: IDataDeduplicator = {
	async checkProcessedAndRecord(items, scope, context, options): Promise<IDeduplicationOutput> {
		if (options.mode !== 'entries') await notPartOfTheHarness();
		const key = keyOf(scope, context);
		const before = stored.get(key) ?? [];
		const known = new Set(before);
		const output: IDeduplicationOutput = { new: [], processed: [] };
		for (const item of items) output[known.has(String(item)) ? 'processed' : 'new'].push(item);
		stored.set(key, keepNewest([...before, ...output.new.map(String)], options));
		return output;
	},
	async removeProcessed(items, scope, context) {
		const removed = new Set(items.map(String));
		const key = keyOf(scope, context);
		stored.set(
			key,
			(stored.get(key) ?? []).filter((entry) => !removed.has(entry)),
		);
	},
	clearAllProcessedItems: notPartOfTheHarness,
	getProcessedDataCount: notPartOfTheHarness,
};

let started: Promise<void> | undefined;

/** Gives n8n-core its store, in place of the one of an earlier test file: n8n-core takes one per process. */
export async function startDeduplication(): Promise<void> {
	if (started === undefined) Object.assign(DataDeduplicationService, { instance: undefined });
	started ??= DataDeduplicationService.init(deduplicator);
	await started;
}

/**
 * How many values are remembered for a node of a workflow (`scope: 'node'`).
 * @param workflowId as given to `runNode`
 */
export function processedCount(workflowId: string, nodeId: string): number {
	return stored.get(`${workflowId} n:${nodeId}`)?.length ?? 0;
}
