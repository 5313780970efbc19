import type { IExecuteFunctions } from 'n8n-workflow';
import type { AccountUsage } from '../api/accountLimit';
import { createClient, type RequestCounts } from '../api/client';
import { toOutcomeAsync } from '../api/errors';
import type { Failure } from '../core/outcome';
import type { Memory } from '../memory/memory';
import { executeBatches } from './batches';
import { type BatchEntry, isOpen, settle } from './inputs';
import { lookUpItems } from './lookup';
import { flatMapInSlices } from './slices';
import type { Items, RunContext, RunSpec, SpecTypes } from './spec';

export interface RunResult<Types extends SpecTypes> extends Readonly<RequestCounts> {
	readonly items: Items<Types>;
	readonly usage: AccountUsage | undefined;
	/** Records to pay for (lookups and inputs) in successful requests. */
	readonly records: number;
	/** Those of lookups: people who were matched, and people who were searched to find companies. */
	readonly matches: number;
	readonly searched: number;
	/** At the published prices. */
	readonly credits: number;
	/** True if some records have no published price. */
	readonly hasUnpriced: boolean;
}

const entriesOf = <Types extends SpecTypes>(item: Items<Types>[number]) =>
	item.failure === undefined ? item.entries : [];

/**
 * Looks up the items that have details, then sends the open inputs of all items. If the credential can't be used, sends nothing,
 * and every open input fails.
 */
export async function sendInputs<Types extends SpecTypes>(
	context: IExecuteFunctions,
	spec: RunSpec<Types>,
	items: Items<Types>,
	run: RunContext,
	batchSize: number | undefined,
	memory: Memory | undefined,
): Promise<RunResult<Types>> {
	const paid = { records: 0, matches: 0, searched: 0, credits: 0, hasUnpriced: false };
	const nothingSent = { requests: 0, successfulRequests: 0, lostResponses: 0, usage: undefined };
	// Any item that sends something: request options are the same for all items.
	const sender = items.find(
		(item) => item.state === 'unidentified' || entriesOf(item).some(isOpen),
	);
	if (sender === undefined || sender.failure !== undefined) {
		return { ...paid, ...nothingSent, items };
	}
	const { value: client, failure: credentialFailure } = await toOutcomeAsync(
		async () =>
			await createClient(context, { ...sender.options, stopOnFailure: run.stopOnFailure }),
	);
	if (client === undefined) {
		// This failure is about all rows. For the kind `input`, `stoppingError` would name one row.
		const failure: Failure = { ...credentialFailure, kind: 'unauthorized' };
		for (const entry of items.flatMap(entriesOf).filter(isOpen)) settle(entry, { failure });
		const failed = items.map((item) =>
			item.state === 'unidentified' ? { itemIndex: item.itemIndex, failure } : item,
		);
		return { ...paid, ...nothingSent, items: failed };
	}

	const identified = await lookUpItems(client, items, spec, run, {
		batchSize,
		memory,
		onPaid: (count, isSearch) => {
			paid[isSearch ? 'searched' : 'matches'] += count;
			paid.records += count;
			paid.hasUnpriced ||= count > 0;
		},
	});
	// The client can't see that the result of a lookup is unusable.
	if (identified.some(({ failure }) => failure !== undefined)) client.recordFailure();
	const { requests, priceOf } = spec;
	const onSuccess = (batch: ReadonlyArray<BatchEntry<Types['input'], unknown>>) => {
		if (priceOf === undefined) return;
		for (const { input } of batch) {
			const { credits } = priceOf(input);
			paid.records++;
			paid.credits += credits ?? 0;
			paid.hasUnpriced ||= credits === undefined;
		}
	};
	if (requests !== undefined) {
		const entries = await flatMapInSlices(identified, entriesOf);
		await executeBatches(client, entries, requests, { batchSize, memory, onSuccess });
	}
	client.stop();
	return { ...paid, ...client.counts, items: identified, usage: client.usage() };
}
