import { deepCopy } from 'n8n-workflow';
import type { Outcome } from '../core/outcome';
import { withLookup } from './identify';
import type { ItemRow } from './output';
import type { PreparedItem } from './prepare';
import { countDuplicates } from './report';
import type { BatchSpec, SpecResults, SpecTypes } from './spec';
import { toOutcome } from './toOutcome';

/**
 * The rows of all items, in item order, and the number of duplicates as `RunStats` counts them. A failed item has one error
 * row, an item without a match one row without data; all other rows come from the results of the item's inputs.
 *
 * @param results the results of all items' inputs, in item order
 */
export function buildItemRows<Types extends SpecTypes>(
	spec: BatchSpec<Types>,
	items: ReadonlyArray<Outcome<PreparedItem<Types>>>,
	results: SpecResults<Types>,
): { readonly rows: ReadonlyArray<ItemRow<Types['options']>>; readonly duplicates: number } {
	const { identify } = spec;
	let next = 0;
	let duplicates = 0;
	const rows = items.flatMap(({ value, failure }, item): Array<ItemRow<Types['options']>> => {
		if (value === undefined) return [{ row: { failure }, item }];
		const { values, options, inputs, lookup } = value;
		const own = results.slice(next, next + inputs.length);
		next += inputs.length;
		const isShared = own.some(({ duplicate }) => duplicate);
		// Without an ID there are no inputs, so the lookup itself may be the duplicate.
		if (lookup?.id === null) duplicates += Number(lookup.duplicate);
		else if (isShared) duplicates += countDuplicates(own, spec.key);
		if (failure !== undefined) return [{ row: { failure }, item }];
		if (identify !== undefined && lookup?.id === null) {
			const json = identify.unmatchedRow(values, lookup);
			const row = withLookup({ json, empty: true }, identify, null);
			return [{ row, item, options, unmatched: true }];
		}
		const made = toOutcome(() => spec.rows(own, values));
		if (made.value === undefined) return [{ row: { failure: made.failure }, item }];
		return (isShared ? deepCopy(made.value) : made.value).map((row) => ({
			row: identify && lookup?.id ? withLookup(row, identify, lookup.id) : row,
			item,
			options,
			withoutId: inputs.length === 0,
		}));
	});
	return { rows, duplicates };
}
