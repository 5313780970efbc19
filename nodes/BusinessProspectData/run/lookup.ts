import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/client';
import { toOutcome } from '../api/errors';
import type { Failure } from '../core/outcome';
import { type BatchOptions, executeBatches, type InputResult } from './batches';
import type { Row } from './output';
import type {
	BatchSpec,
	FailedItem,
	LookupSpec,
	PreparedItem,
	ResolvedId,
	RunContext,
	SpecTypes,
} from './spec';

export interface IdentifiedItem<Types extends SpecTypes> extends PreparedItem<Types> {
	/** If the lookup found no ID, the item has no inputs. */
	readonly lookup?: (ResolvedId & { readonly duplicate: boolean }) | undefined;
}

/** Looks up the IDs of the items that have details. */
export async function lookUpItems<Types extends SpecTypes>(
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
