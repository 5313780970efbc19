import type { Client } from '../api/client';
import { toOutcome } from '../api/errors';
import { groupBy } from '../core/collections';
import type { Failure } from '../core/outcome';
import { executeBatches } from './batches';
import { newEntry } from './inputs';
import type { Lookup } from './lookupStep';
import type { BatchSpec, FailedItem, PreparedItem, RunContext, SpecTypes } from './spec';

/** Looks up the IDs of the items that have details, step by step. An item without an ID then has no inputs. */
export async function lookUpItems<Types extends SpecTypes>(
	client: Client,
	items: ReadonlyArray<FailedItem | PreparedItem<Types>>,
	{ lookup: spec, inputs }: Pick<BatchSpec<Types>, 'lookup' | 'inputs'>,
	run: RunContext,
	options: {
		readonly batchSize: number | undefined;
		readonly onPaid: (count: number) => void;
	},
): Promise<{
	readonly items: ReadonlyArray<FailedItem | PreparedItem<Types>>;
	readonly hints: readonly string[];
}> {
	type Item = FailedItem | PreparedItem<Types>;

	const identify = (item: PreparedItem<Types>, lookup: Lookup<Types['found']>): Item => {
		const { itemIndex, values, options: itemOptions, layout } = item;
		const { step, input, outcome, duplicate, next, foundBefore } = lookup;
		const fail = (failure: Failure) => {
			const details = { ...failure.details, ...foundBefore };
			return { itemIndex, failure: { ...failure, details }, duplicateLookup: duplicate };
		};
		const { value, failure } = outcome;
		if (value === undefined && failure !== undefined) return fail(failure);
		const found = step.resolve(value, input);
		const withId = spec?.withId;
		if (found.id === null || (next === undefined && withId === undefined)) {
			return {
				itemIndex,
				values,
				options: itemOptions,
				layout,
				entries: [],
				lookup: found,
				duplicate,
			};
		}
		const id = found.id.trim().toLowerCase();
		const { pattern, description } = step.idFormat;
		if (!pattern.test(id)) return fail(invalidIdFailure(id, description));
		if (next !== undefined) return { ...item, details: next(id) };
		const entries = inputs(withId?.(values, id) ?? values, itemOptions, run).map(newEntry);
		return {
			itemIndex,
			values,
			options: itemOptions,
			layout,
			entries,
			lookup: found.id === id ? found : { ...found, id },
			duplicate,
		};
	};
	const openLookup = (item: Item) =>
		item.failure === undefined && item.lookup === undefined ? item.details : undefined;

	const hints: string[] = [];
	let identified = items;
	for (;;) {
		const open = identified.flatMap((item) => openLookup(item) ?? []);
		if (open.length === 0) return { items: identified, hints };
		for (const [step, lookups] of groupBy(open, ({ step: each }) => each)) {
			await executeBatches(client, lookups, step, {
				batchSize: options.batchSize,
				onSuccess: (sent) => {
					if (step.isPaid) options.onPaid(sent.length);
				},
			});
			hints.push(...(toOutcome(() => step.hints?.(lookups)).value ?? []));
		}
		identified = identified.map((item) => {
			const lookup = openLookup(item);
			return item.failure !== undefined || lookup === undefined ? item : identify(item, lookup);
		});
	}
}

const invalidIdFailure = (id: string, description: string): Failure => ({
	kind: 'unreadable',
	message: `The service returned "${id}" for this row, which is not ${description}. Nothing more was requested for it. Run the row again later. If it persists, report it to the service's support.`,
});
