import type { IExecuteFunctions } from 'n8n-workflow';
import { createClient } from '../api/client';
import type { Failure, Outcome } from '../core/outcome';
import { executeBatches } from './batches';
import { identifyItems } from './identify';
import { type GuardedRun, withExcluded } from './guardRun';
import type { PreparedItem } from './prepare';
import type { BatchSpec, RunContext, SpecResults, SpecTypes } from './spec';
import { toOutcomeAsync } from './toOutcome';

/** The items of a run after all its requests. */
interface SentRun<Types extends SpecTypes> {
	/** The items after the lookup. An item has failed if its lookup failed or returned an invalid ID. */
	readonly items: ReadonlyArray<Outcome<PreparedItem<Types>>>;
	/** The results of the items' inputs, in their order. */
	readonly results: SpecResults<Types>;
	/** Hints about the items with details. */
	readonly identifyHints: readonly string[];
	readonly successfulRequests: number;
	/** How many records the successful requests contained; 0 if records don't cost credits. */
	readonly records: number;
}

/** Identifies the items that have details, then sends the inputs within the run's limit. */
export async function sendInputs<Types extends SpecTypes>(
	context: IExecuteFunctions,
	spec: BatchSpec<Types>,
	guarded: GuardedRun<PreparedItem<Types>, Types['input']>,
	run: RunContext,
): Promise<SentRun<Types>> {
	type Items = typeof guarded.items;
	const { limited, excludedInputs } = guarded;
	const { stopOnFailure } = run;
	const inputsOf = (items: Items) => items.flatMap(({ value }) => value?.inputs ?? []);
	let records = 0;
	/** Batch options. With `isPaid`, the records are counted. */
	const batchOptions = (isPaid: boolean) => ({
		stopOnFailure,
		...(isPaid && {
			onSuccess: (inputs: readonly unknown[]) => {
				records += inputs.length;
			},
		}),
	});
	const isAllowed = (input: Types['input']) => !excludedInputs.has(input);
	const sentRun = (
		items: Items,
		results: SpecResults<Types>,
		identifyHints: readonly string[] = [],
		successfulRequests = 0,
	) => ({
		items,
		results: limited ? withExcluded(inputsOf(items), results, excludedInputs, limited) : results,
		identifyHints,
		successfulRequests,
		records,
	});

	const { items } = guarded;
	// Request options are the same for all items.
	const options = items.find(({ value }) => value?.inputs.some(isAllowed))?.value?.options;
	if (options === undefined) return sentRun(items, []);
	const { value: client, failure: credentialFailure } = await toOutcomeAsync(
		async () => await createClient(context, { ...options, stopOnFailure }),
	);
	if (client === undefined) {
		// The kind says that it is about all rows.
		const failure: Failure = { ...credentialFailure, kind: 'unauthorized' };
		const failed = (input: Types['input']) => ({ input, outcome: { failure }, duplicate: false });
		return sentRun(items, inputsOf(items).filter(isAllowed).map(failed));
	}
	const identifyOptions = batchOptions(spec.identify?.price !== undefined);
	const { items: identified, hints } = await identifyItems(
		items,
		spec,
		run,
		async (details, config) => await executeBatches(client, details, config, identifyOptions),
	);
	// The client stops itself when a request fails, but it can't tell that a lookup's result is unusable.
	if (stopOnFailure && identified.some(({ failure }) => failure !== undefined)) client.stop();
	const allowed = inputsOf(identified).filter(isAllowed);
	const inputOptions = batchOptions(spec.price !== undefined);
	const results = await executeBatches(client, allowed, spec, inputOptions);
	client.stop();
	return sentRun(identified, results, hints, client.successCount());
}
