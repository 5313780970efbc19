import type { IExecuteFunctions } from 'n8n-workflow';
import { createClient } from '../api/client';
import { toOutcomeAsync } from '../api/errors';
import type { Failure } from '../core/outcome';
import { executeBatches, NO_OUTCOME } from './batches';
import { type IdentifiedItem, lookUpItems } from './lookup';
import type {
	BatchSpec,
	FailedItem,
	PreparedItem,
	RunContext,
	SpecResults,
	SpecTypes,
} from './spec';

export interface SentItem<Types extends SpecTypes> extends IdentifiedItem<Types> {
	readonly results: SpecResults<Types>;
}

export interface SentRun<Types extends SpecTypes> {
	readonly items: ReadonlyArray<FailedItem | SentItem<Types>>;
	readonly lookupHints: readonly string[];
	readonly successfulRequests: number;
	/** Requests that got no response, but may have been charged. */
	readonly lostResponses: number;
	/** Records to pay for (lookups and inputs) in successful requests. */
	readonly records: number;
}

/**
 * Looks up the items that have details, then sends the inputs of all items, except those in `excluded`. If the credential can't
 * be used, sends nothing, and every input fails.
 */
export async function sendInputs<Types extends SpecTypes>(
	context: IExecuteFunctions,
	spec: BatchSpec<Types>,
	items: ReadonlyArray<FailedItem | PreparedItem<Types>>,
	excluded: ReadonlyMap<Types['input'], Failure>,
	run: RunContext,
): Promise<SentRun<Types>> {
	const { stopOnFailure } = run;
	const inputsOf = (item: FailedItem | PreparedItem<Types>) =>
		item.failure === undefined ? item.inputs.filter((input) => !excluded.has(input)) : [];
	const nothingSent = { lookupHints: [], successfulRequests: 0, lostResponses: 0, records: 0 };

	// Any item that sends something: request options are the same for all items.
	const sender = items.find((item) => inputsOf(item).length > 0);
	if (sender === undefined || sender.failure !== undefined) {
		return { ...nothingSent, items: withResults(items, [], excluded) };
	}
	const { value: client, failure: credentialFailure } = await toOutcomeAsync(
		async () => await createClient(context, { ...sender.options, stopOnFailure }),
	);
	if (client === undefined) {
		// This failure is about all rows. For the kind `input`, `stoppingError` would name one row.
		const failure: Failure = { ...credentialFailure, kind: 'unauthorized' };
		const results = items.flatMap(inputsOf).map((input) => failedResult(input, failure));
		return { ...nothingSent, items: withResults(items, results, excluded) };
	}

	let records = 0;
	const countRecords = (inputs: readonly unknown[]) => {
		records += inputs.length;
	};
	const { items: identified, hints: lookupHints } = await lookUpItems(client, items, spec, run, {
		stopOnFailure,
		onSuccess: spec.lookup?.price && countRecords,
	});
	// The client can't tell that the result of a lookup is unusable.
	if (stopOnFailure && identified.some(({ failure }) => failure !== undefined)) client.stop();
	const results = await executeBatches(client, identified.flatMap(inputsOf), spec, {
		stopOnFailure,
		onSuccess: spec.price && countRecords,
	});
	client.stop();
	return {
		items: withResults(identified, results, excluded),
		lookupHints,
		successfulRequests: client.successCount(),
		lostResponses: client.lostResponseCount(),
		records,
	};
}

const failedResult = <Input>(input: Input, failure: Failure) => ({
	input,
	outcome: { failure },
	duplicate: false,
});

/** `results` are those of the inputs that aren't excluded, in the order of the items. */
function withResults<Types extends SpecTypes>(
	items: ReadonlyArray<FailedItem | IdentifiedItem<Types>>,
	results: SpecResults<Types>,
	excluded: ReadonlyMap<Types['input'], Failure>,
): ReadonlyArray<FailedItem | SentItem<Types>> {
	let next = 0;
	return items.map((item) => {
		if (item.failure !== undefined) return item;
		const own = item.inputs.map((input) => {
			const failure = excluded.get(input);
			if (failure !== undefined) return failedResult(input, failure);
			return results[next++] ?? failedResult(input, NO_OUTCOME.failure);
		});
		// Not `...item`, which is much slower with many items.
		const { itemIndex, values, options, inputs, lookup } = item;
		return { itemIndex, values, options, inputs, lookup, results: own };
	});
}
