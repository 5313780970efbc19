import type { IExecuteFunctions } from 'n8n-workflow';
import type { AccountUsage } from '../api/accountLimit';
import { createClient } from '../api/client';
import { toOutcomeAsync } from '../api/errors';
import type { Failure } from '../core/outcome';
import type { Memory } from '../memory/memory';
import { executeBatches } from './batches';
import { isOpen, settle } from './inputs';
import { lookUpItems } from './lookup';
import { flatMapInSlices } from './slices';
import type { BatchSpec, FailedItem, PreparedItem, Price, RunContext, SpecTypes } from './spec';

export interface SentRun<Types extends SpecTypes> {
	readonly items: ReadonlyArray<FailedItem | PreparedItem<Types>>;
	readonly requests: number;
	readonly successfulRequests: number;
	/** Requests that got no response, but may have been charged. */
	readonly lostResponses: number;
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

const entriesOf = <Types extends SpecTypes>(item: FailedItem | PreparedItem<Types>) =>
	item.failure === undefined ? item.entries : [];

/**
 * Looks up the items that have details, then sends the open inputs of all items. If the credential can't be used, sends nothing,
 * and every open input fails.
 */
export async function sendInputs<Types extends SpecTypes>(
	context: IExecuteFunctions,
	spec: BatchSpec<Types>,
	items: ReadonlyArray<FailedItem | PreparedItem<Types>>,
	run: RunContext,
	batchSize: number | undefined,
	memory: Memory | undefined,
): Promise<SentRun<Types>> {
	const nothingSent = {
		items,
		requests: 0,
		successfulRequests: 0,
		lostResponses: 0,
		usage: undefined,
		records: 0,
		matches: 0,
		searched: 0,
		credits: 0,
		hasUnpriced: false,
	};
	// Any item that sends something: request options are the same for all items.
	const sender = items.find(
		(item) =>
			item.failure === undefined && (item.details !== undefined || item.entries.some(isOpen)),
	);
	if (sender === undefined || sender.failure !== undefined) return nothingSent;
	const { value: client, failure: credentialFailure } = await toOutcomeAsync(
		async () =>
			await createClient(context, { ...sender.options, stopOnFailure: run.stopOnFailure }),
	);
	if (client === undefined) {
		// This failure is about all rows. For the kind `input`, `stoppingError` would name one row.
		const failure: Failure = { ...credentialFailure, kind: 'unauthorized' };
		for (const entry of items.flatMap(entriesOf).filter(isOpen)) settle(entry, { failure });
		return {
			...nothingSent,
			items: items.map((item) =>
				item.failure === undefined && item.details !== undefined
					? { itemIndex: item.itemIndex, failure }
					: item,
			),
		};
	}

	let matches = 0;
	let searched = 0;
	const prices: Price[] = [];
	const identified = await lookUpItems(client, items, spec, run, {
		batchSize,
		memory,
		onPaid: (count, isSearch) => {
			if (isSearch) searched += count;
			else matches += count;
		},
	});
	// The client can't see that the result of a lookup is unusable.
	if (identified.some(({ failure }) => failure !== undefined)) client.recordFailure();
	await executeBatches(client, await flatMapInSlices(identified, entriesOf), spec, {
		batchSize,
		memory,
		onSuccess: (inputs) => {
			for (const { input } of inputs) if (spec.priceOf) prices.push(spec.priceOf(input));
		},
	});
	client.stop();
	return {
		items: identified,
		requests: client.requestCount(),
		successfulRequests: client.successCount(),
		lostResponses: client.lostResponseCount(),
		usage: client.usage(),
		records: matches + searched + prices.length,
		matches,
		searched,
		credits: prices.reduce((sum, { credits = 0 }) => sum + credits, 0),
		hasUnpriced: matches + searched > 0 || prices.some(({ credits }) => credits === undefined),
	};
}
