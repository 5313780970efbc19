import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { type Client, createClient } from '../api/client';
import { toOutcome, toOutcomeAsync } from '../api/errors';
import type { Failure } from '../core/outcome';
import { type BatchOptions, executeBatches, type InputResult, NO_OUTCOME } from './batches';
import type { Row } from './output';
import type {
	BatchSpec,
	FailedItem,
	LookupSpec,
	PreparedItem,
	ResolvedId,
	RunContext,
	SpecResults,
	SpecTypes,
} from './spec';

interface IdentifiedItem<Types extends SpecTypes> extends PreparedItem<Types> {
	/** If the lookup found no ID, the item has no inputs. */
	readonly lookup?: (ResolvedId & { readonly duplicate: boolean }) | undefined;
}

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

async function lookUpItems<Types extends SpecTypes>(
	client: Client,
	items: ReadonlyArray<FailedItem | PreparedItem<Types>>,
	{ lookup, inputs }: Pick<BatchSpec<Types>, 'lookup' | 'inputs'>,
	run: RunContext,
	options: BatchOptions,
): Promise<{
	readonly items: ReadonlyArray<FailedItem | IdentifiedItem<Types>>;
	readonly hints: readonly string[];
}> {
	const withDetails = items.flatMap((item) =>
		item.failure !== undefined || item.details === undefined
			? []
			: [{ item, details: item.details }],
	);
	if (lookup === undefined || withDetails.length === 0) return { items, hints: [] };
	const allDetails = withDetails.map(({ details }) => details);
	const results = await executeBatches(client, allDetails, lookup.batchConfig, options);
	const resultOf = new Map(results.map((result) => [result.input, result]));

	const identify = (
		item: PreparedItem<Types>,
		{ input: details, outcome, duplicate }: InputResult<Types['details'], Types['lookupResult']>,
	): FailedItem | IdentifiedItem<Types> => {
		const fail = (failure: Failure): FailedItem => ({
			itemIndex: item.itemIndex,
			failure,
			duplicateLookup: duplicate,
		});
		const { failure } = outcome;
		if (outcome.value === undefined && failure !== undefined) return fail(failure);
		const resolved = lookup.resolve(outcome.value, details);
		if (resolved.id === null) return { ...item, inputs: [], lookup: { ...resolved, duplicate } };
		const id = resolved.id.trim().toLowerCase();
		const { pattern, description } = lookup.idFormat;
		if (!pattern.test(id)) return fail(invalidIdFailure(id, description));
		const identified = inputs(lookup.withId(item.values, id), item.options, run);
		return { ...item, inputs: identified, lookup: { ...resolved, id, duplicate } };
	};
	const lookups = withDetails.flatMap(({ item: { options: itemOptions }, details }) => {
		const result = resultOf.get(details);
		return result === undefined ? [] : [{ ...result, options: itemOptions }];
	});
	return {
		items: items.map((item) => {
			if (item.failure !== undefined || item.details === undefined) return item;
			const result = resultOf.get(item.details);
			return result === undefined ? item : identify(item, result);
		}),
		hints: toOutcome(() => lookup.hints?.(lookups)).value ?? [],
	};
}

const invalidIdFailure = (id: string, description: string): Failure => ({
	kind: 'unreadable',
	message: `The service returned "${id}" for this row, which is not ${description}. Nothing more was requested for it. Run the row again later. If it persists, report it to the service's support.`,
});

/**
 * Adds the ID (null if there is none) and `matchedField` to a row. An error row gets both in `received`, because the lookup may
 * have cost credits.
 */
export function withLookup(
	row: Row,
	{ idField, matchedField }: Pick<LookupSpec<SpecTypes>, 'idField' | 'matchedField'>,
	id: string | null,
): Row {
	const add = (json: IDataObject): IDataObject => {
		const added = { [idField]: id, [matchedField]: id !== null };
		const members = Object.entries(json).filter(([name]) => name !== matchedField);
		// The two fields take the place of the row's own ID or, if the row has none, come first.
		return Object.fromEntries(
			Object.hasOwn(json, idField)
				? members.flatMap((member) => (member[0] === idField ? Object.entries(added) : [member]))
				: [...Object.entries(added), ...members],
		);
	};
	if (row.failure !== undefined) {
		// The ID comes from the lookup, not from the parameter that `field` names.
		return { failure: { ...row.failure, field: undefined }, received: add(row.received ?? {}) };
	}
	const { json, allFields } = row;
	return { ...row, json: add(json), ...(allFields && { allFields: () => add(allFields()) }) };
}
