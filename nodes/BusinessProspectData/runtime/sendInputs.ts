import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { createClient } from '../api/client';
import type { Failure, Outcome } from '../core/outcome';
import { type BatchConfig, executeBatches, type InputResult } from './batches';
import { toOutcome, toOutcomeAsync } from '../api/errors';
import { type GuardedRun, withExcluded } from './guardRun';
import type { Row } from './output';
import type { PreparedItem } from './prepare';
import type { BatchSpec, RunContext, SpecResults, SpecTypes } from './spec';

const invalidId = (id: string, description: string): Failure => ({
	kind: 'unreadable',
	message: `The service returned "${id}" for this row, which is not ${description}. Nothing more was requested for it. Run the row again later. If it persists, report it to the service's support.`,
});

/** All items after the lookup, and hints about those that were looked up. */
interface IdentifiedItems<Types extends SpecTypes> {
	readonly items: ReadonlyArray<Outcome<PreparedItem<Types>>>;
	readonly hints: readonly string[];
}

/**
 * Looks up the IDs of all items with details, in shared batches, and builds the inputs of these items. Items without a match
 * have no inputs. Items whose lookup failed or returned an invalid ID fail.
 */
export async function identifyItems<Types extends SpecTypes>(
	prepared: ReadonlyArray<Outcome<PreparedItem<Types>>>,
	{ identify, inputs }: Pick<BatchSpec<Types>, 'identify' | 'inputs'>,
	run: RunContext,
	lookUp: (
		details: ReadonlyArray<Types['details']>,
		batches: BatchConfig<Types['details'], Types['lookupResult']>,
	) => Promise<ReadonlyArray<InputResult<Types['details'], Types['lookupResult']>>>,
): Promise<IdentifiedItems<Types>> {
	const withDetails = prepared.flatMap(({ value }) =>
		value?.details === undefined ? [] : [{ details: value.details, options: value.options }],
	);
	if (identify === undefined || withDetails.length === 0) return { items: prepared, hints: [] };
	const allDetails = withDetails.map(({ details }) => details);
	const results = await lookUp(allDetails, identify.batches);
	let next = 0;
	const items = prepared.map((item) => {
		const result = item.value?.details === undefined ? undefined : results[next++];
		if (item.value === undefined || result === undefined) return item;
		const { duplicate, outcome } = result;
		const withoutInputs = { ...item.value, inputs: [], lookup: { id: null, duplicate } };
		// Keeps the value, so that `buildItemRows` can count duplicates.
		if (outcome.value === undefined) return { value: withoutInputs, failure: outcome.failure };
		const { values, options } = item.value;
		const resolved = identify.resolve(outcome.value, result.input);
		if (resolved.id === null) {
			return { value: { ...withoutInputs, lookup: { ...resolved, duplicate } } };
		}
		const id = resolved.id.trim().toLowerCase();
		const { pattern, description } = identify.idFormat;
		if (!pattern.test(id)) return { value: withoutInputs, failure: invalidId(id, description) };
		const lookup = { ...resolved, id, duplicate };
		const identified = inputs(identify.withId(values, id), options, run);
		return { value: { ...item.value, inputs: identified, lookup } };
	});
	const allOptions = withDetails.map(({ options }) => options);
	return { items, hints: toOutcome(() => identify.hints?.(results, allOptions)).value ?? [] };
}

/**
 * Adds the ID (null without a match) to a row, and whether the item's details matched. An error row has both in `received`,
 * because the lookup may have cost credits.
 */
export function withLookup(
	row: Row,
	{ idField, flagField }: { readonly idField: string; readonly flagField: string },
	id: string | null,
): Row {
	const add = (json: IDataObject): IDataObject => {
		const lookup = { [idField]: id, [flagField]: id !== null };
		const members = Object.entries(json).filter(([name]) => name !== flagField);
		return Object.fromEntries(
			Object.hasOwn(json, idField)
				? members.flatMap((member) => (member[0] === idField ? Object.entries(lookup) : [member]))
				: [...Object.entries(lookup), ...members],
		);
	};
	if (row.failure !== undefined) {
		// The ID comes from the lookup, so no parameter of the node is at fault.
		return { failure: { ...row.failure, field: undefined }, received: add(row.received ?? {}) };
	}
	const { json, allFields } = row;
	return { ...row, json: add(json), ...(allFields && { allFields: () => add(allFields()) }) };
}

/** What a run has after its last request: its items, the results of their inputs, hints and counts. */
interface SentRun<Types extends SpecTypes> {
	/** The items after the lookup. Items whose lookup failed or returned an invalid ID have failed too. */
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
	const { overLimit, excludedInputs } = guarded;
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
		results: overLimit
			? withExcluded(inputsOf(items), results, excludedInputs, overLimit)
			: results,
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
		// `toOutcomeAsync` sets the kind `input`, for which `stoppingError` would name one row. This failure is about all rows.
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
