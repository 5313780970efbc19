import type { IExecuteFunctions } from 'n8n-workflow';
import { createClient } from '../api/client';
import type { Outcome } from '../core/outcome';
import { type InputResult, executeBatches } from './batches';
import { identifyItems } from './identify';
import { stopsOnFailure } from './nodeSettings';
import type { SharedOptions } from './options';
import { type GuardedRun, withExcluded } from './paidRecords';
import type { Parameter, ValuesOf } from './parameters';
import type { PreparedItem } from './prepare';
import type { BatchSpec, RunContext } from './spec';
import { toOutcomeAsync } from './toOutcome';

/** The items of a run after all its requests. */
interface SentRun<Item, Input, Result> {
	/** The items after the lookup. Items that could not be looked up have failed. */
	readonly items: ReadonlyArray<Outcome<Item>>;
	/** The results of the items' inputs, in their order. */
	readonly results: ReadonlyArray<InputResult<Input, Result>>;
	/** Hints about the items with details. */
	readonly identifyHints: readonly string[];
	readonly successfulRequests: number;
	/** How many records the successful requests contained, if records cost credits. */
	readonly records: number;
}

/** Identifies the items that have details, then sends the inputs within the run's limit. */
export async function sendInputs<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input,
	Result,
	Details,
	LookupResult,
>(
	context: IExecuteFunctions,
	spec: BatchSpec<Parameters, Options, Input, Result, Details, LookupResult>,
	guarded: GuardedRun<PreparedItem<ValuesOf<Parameters>, Options, Input, Details>, Input>,
	run: RunContext,
): Promise<SentRun<PreparedItem<ValuesOf<Parameters>, Options, Input, Details>, Input, Result>> {
	type Items = typeof guarded.items;
	const { limited, excludedInputs } = guarded;
	const stopOnFailure = stopsOnFailure(context);
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
	const isAllowed = (input: Input) => !excludedInputs.has(input);
	const sentRun = (
		items: Items,
		results: ReadonlyArray<InputResult<Input, Result>>,
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
	const { value: client, failure } = await toOutcomeAsync(
		async () => await createClient(context, { ...options, stopOnFailure }),
	);
	if (client === undefined) {
		const failed = (input: Input) => ({ input, outcome: { failure }, duplicate: false });
		return sentRun(items, inputsOf(items).filter(isAllowed).map(failed));
	}
	const identifyOptions = batchOptions(spec.identify?.price !== undefined);
	const { items: identified, hints } = await identifyItems(
		items,
		spec,
		run,
		async (details, config) => await executeBatches(client, details, config, identifyOptions),
	);
	// The client can't see that a lookup's result is unusable.
	if (stopOnFailure && identified.some(({ failure }) => failure !== undefined)) client.stop();
	const allowed = inputsOf(identified).filter(isAllowed);
	const inputOptions = batchOptions(spec.price !== undefined);
	const results = await executeBatches(client, allowed, spec, inputOptions);
	client.stop();
	return sentRun(identified, results, hints, client.successCount());
}
