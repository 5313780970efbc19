import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/client';
import { toOutcome } from '../api/errors';
import type { Failure } from '../core/outcome';
import { type BatchOptions, executeBatches } from './batches';
import { type InputResult, newEntry } from './inputs';
import type { Row } from './output';
import type {
	BatchSpec,
	FailedItem,
	LookupSpec,
	PreparedItem,
	RunContext,
	SpecTypes,
} from './spec';

/**
 * Looks up the IDs of the items that have details, in as many steps as `next` has. An item without an ID then has no inputs.
 */
export async function lookUpItems<Types extends SpecTypes>(
	client: Client,
	items: ReadonlyArray<FailedItem | PreparedItem<Types>>,
	{ lookup, inputs }: Pick<BatchSpec<Types>, 'lookup' | 'inputs'>,
	run: RunContext,
	options: BatchOptions<Types['details']>,
): Promise<{
	readonly items: ReadonlyArray<FailedItem | PreparedItem<Types>>;
	readonly hints: readonly string[];
}> {
	if (lookup === undefined) return { items, hints: [] };
	type Item = FailedItem | PreparedItem<Types>;
	type Lookup = InputResult<Types['details'], Types['lookupResult']>;

	const identify = (
		item: PreparedItem<Types>,
		{ input, outcome, duplicate }: Lookup,
	): FailedItem | PreparedItem<Types> => {
		const { itemIndex, values, options: itemOptions } = item;
		const fail = (failure: Failure) => {
			const details = { ...failure.details, ...lookup.keptOnFailure?.(input) };
			return { itemIndex, failure: { ...failure, details }, duplicateLookup: duplicate };
		};
		const { value, failure } = outcome;
		if (value === undefined && failure !== undefined) return fail(failure);
		const resolved = lookup.resolve(value, input);
		if (resolved.id === null) return { ...item, entries: [], lookup: { ...resolved, duplicate } };
		const id = resolved.id.trim().toLowerCase();
		const { pattern, description } = lookup.idFormat(input);
		if (!pattern.test(id)) return fail(invalidIdFailure(id, description));
		const next = lookup.next?.(input, id);
		if (next !== undefined) return { ...item, details: newEntry(next) };
		const entries = inputs(lookup.withId(values, id), itemOptions, run).map(newEntry);
		return { ...item, entries, lookup: { ...resolved, id, duplicate } };
	};
	const openDetails = (item: Item) =>
		item.failure === undefined && item.lookup === undefined ? item.details : undefined;

	const results: Array<Lookup & { readonly options: Types['options'] }> = [];
	let identified = items;
	for (;;) {
		const open = identified.flatMap((item) => openDetails(item) ?? []);
		if (open.length === 0) break;
		await executeBatches(client, open, lookup.batchConfig, options);
		identified = identified.map((item) => {
			const details = openDetails(item);
			if (item.failure !== undefined || details === undefined) return item;
			results.push({ ...details, options: item.options });
			return identify(item, details);
		});
	}
	const hints = results.length === 0 ? undefined : toOutcome(() => lookup.hints?.(results)).value;
	return { items: identified, hints: hints ?? [] };
}

const invalidIdFailure = (id: string, description: string): Failure => ({
	kind: 'unreadable',
	message: `The service returned "${id}" for this row, which is not ${description}. Nothing more was requested for it. Run the row again later. If it persists, report it to the service's support.`,
});

/**
 * Adds `matchedField`, `addedFields`, `unmatchedFields` and the ID (null if there is none) to a row. An error row gets the first and
 * the last in `received`, because the lookup may have cost credits.
 */
export function withLookup(
	row: Row,
	{
		idField,
		matchedField,
		unmatchedFields = [],
	}: Pick<LookupSpec<SpecTypes>, 'idField' | 'matchedField' | 'unmatchedFields'>,
	id: string | null,
	addedFields: readonly string[] = [],
): Row {
	const add = (json: IDataObject, fields: readonly string[] = []): IDataObject => {
		const added: IDataObject = matchedField === undefined ? {} : { [matchedField]: id !== null };
		for (const name of fields) added[name] = json[name] ?? null;
		const members = Object.entries(json).filter(([name]) => !Object.hasOwn(added, name));
		const addedMembers = [...Object.entries(added), [idField, id]];
		// The fields take the place of the row's own ID or, if the row has none, come last.
		return Object.fromEntries(
			Object.hasOwn(json, idField)
				? members.flatMap((member) => (member[0] === idField ? addedMembers : [member]))
				: [...members, ...addedMembers],
		);
	};
	if (row.failure !== undefined) {
		// The ID comes from the lookup, not from the parameter that `field` names.
		return { failure: { ...row.failure, field: undefined }, received: add(row.received ?? {}) };
	}
	const { json, allFields } = row;
	const fields = [...addedFields, ...unmatchedFields];
	return {
		...row,
		json: add(json, fields),
		...(allFields && { allFields: () => add(allFields(), fields) }),
		...(fields.length > 0 && { replacedFields: [...(row.replacedFields ?? []), ...fields] }),
	};
}
