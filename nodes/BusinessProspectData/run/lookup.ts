import type { Client } from '../api/client';
import { toOutcome } from '../api/errors';
import { groupBy } from '../core/collections';
import type { Failure } from '../core/outcome';
import type { Memory } from '../memory/memory';
import { executeBatches, type BatchConfig } from './batches';
import { type BatchEntry, isOpen, newEntry, settle } from './inputs';
import { flatMapInSlices, mapInSlices } from './slices';
import type {
	FailedItem,
	Items,
	PreparedItem,
	RunContext,
	RunSpec,
	SpecTypes,
	SpecValues,
	UnidentifiedItem,
} from './spec';

/** Looks up the IDs of the items that have details, step by step. An item without an ID then has no inputs. */
export async function lookUpItems<Types extends SpecTypes>(
	client: Client,
	items: Items<Types>,
	spec: RunSpec<Types>,
	run: RunContext,
	options: {
		readonly batchSize: number | undefined;
		readonly memory: Memory | undefined;
		readonly onPaid: (count: number, isSearch: boolean) => void;
	},
): Promise<Items<Types>> {
	const { batchSize, memory } = options;
	let identified = items;
	for (;;) {
		const open = await flatMapInSlices(identified, (item) =>
			item.state === 'unidentified' ? [item.lookup] : [],
		);
		if (open.length === 0) return identified;
		for (const [step, lookups] of groupBy(open, ({ step: each }) => each)) {
			await executeBatches(client, lookups, step, {
				batchSize,
				memory,
				onSuccess: (batch) => {
					const { recordsIn = ({ length }) => length, isSearch = false } = step;
					options.onPaid(recordsIn(batch), isSearch);
				},
			});
		}
		identified = await identifyItems(identified, spec, run);
		if (memory !== undefined) identified = await recallItems(memory, identified, spec, run);
	}
}

/** Settles what is remembered of earlier runs, so that it is neither requested nor counted. */
export async function recallItems<Types extends SpecTypes>(
	memory: Memory,
	items: Items<Types>,
	spec: RunSpec<Types>,
	run: RunContext,
): Promise<Items<Types>> {
	const { queried, recalled } = memory;
	let identified = items;
	for (;;) {
		const wanted = await flatMapInSlices(identified, (item) => {
			if (item.failure !== undefined) return [];
			return item.state === 'unidentified'
				? wantedAnswers([item.lookup], item.lookup.step, queried)
				: wantedAnswers(item.entries, spec.requests, queried);
		});
		if (wanted.length === 0) return identified;
		if (!(await memory.claim(wanted.map(({ keys: [key] }) => key)))) {
			queried.clear();
			continue;
		}
		const answers = await memory.recall([...new Set(wanted.flatMap(({ keys }) => keys))]);
		for (const { keys, settleWith } of wanted) {
			if (keys.some((key) => settleWith(answers.get(key)))) recalled.add(keys[0]);
		}
		await recallByFewerDetails(memory, wanted);
		memory.release(wanted.flatMap(({ keys: [key], isSettled }) => (isSettled() ? key : [])));
		identified = await identifyItems(identified, spec, run);
	}
}

async function recallByFewerDetails(
	{ recall, recalled }: Memory,
	wanted: readonly WantedAnswer[],
): Promise<void> {
	const all = wanted.flatMap(({ fewerDetails }) => fewerDetails());
	const answers = await recall([...new Set(all.map(({ key }) => key))]);
	const answered = all.filter(({ key }) => answers.has(key));
	const keysAbout = answered.flatMap(({ key, keysOf }) => keysOf(answers.get(key)));
	const about = await recall([...new Set(keysAbout)]);
	for (const { key, keysOf, settleWith } of answered) {
		const answer = answers.get(key);
		const known = keysOf(answer).flatMap((each) => about.get(each) ?? []);
		if (settleWith(answer, known)) recalled.add(key);
	}
}

interface WantedAnswer {
	readonly keys: readonly [string, ...string[]];
	readonly isSettled: () => boolean;
	/** False if it isn't a result. */
	readonly settleWith: (answer: unknown) => boolean;
	/** The same question with fewer details, unless it is answered. */
	readonly fewerDetails: () => ReadonlyArray<{
		readonly key: string;
		/** The keys of what proves the other details. */
		readonly keysOf: (answer: unknown) => readonly string[];
		readonly settleWith: (answer: unknown, about: readonly unknown[]) => boolean;
	}>;
}

function wantedAnswers<Input extends object, Result>(
	entries: ReadonlyArray<BatchEntry<Input, Result>>,
	config: Pick<BatchConfig<Input, Result>, 'remembered'> | undefined,
	queried: Set<object>,
): WantedAnswer[] {
	const remembered = config?.remembered;
	if (remembered === undefined) return [];
	const open = entries.filter((entry) => isOpen(entry) && !queried.has(entry));
	return open.map((entry) => {
		queried.add(entry);
		const { input } = entry;
		// Entries don't share an answer, because later nodes may change it. One that is nested too deeply can't be copied.
		const valueOf = (answer: unknown) =>
			toOutcome(() => remembered.read(structuredClone(answer), input)).value;
		const settleWith = (answer: unknown) => {
			const value = valueOf(answer);
			if (value !== undefined) settle(entry, { value });
			return value !== undefined;
		};
		const { fewerDetails } = remembered;
		return {
			keys: [remembered.key(input), ...(remembered.alsoIn?.(input) ?? [])],
			isSettled: () => !isOpen(entry),
			settleWith,
			fewerDetails: () =>
				fewerDetails === undefined || !isOpen(entry)
					? []
					: fewerDetails.inputs(input).map((fewer) => ({
							key: remembered.key(fewer),
							keysOf: (answer) => {
								const value = valueOf(answer);
								return value === undefined ? [] : fewerDetails.keysAbout(value);
							},
							settleWith: (answer, about) => {
								const value = isOpen(entry) ? valueOf(answer) : undefined;
								if (value === undefined) return false;
								return fewerDetails.isKnown(input, fewer, about, value) && settleWith(answer);
							},
						})),
		};
	});
}

/** Replaces each item whose lookup is settled by the item with its ID, with its next lookup, or without a match. */
const identifyItems = async <Types extends SpecTypes>(
	items: Items<Types>,
	spec: RunSpec<Types>,
	run: RunContext,
): Promise<Items<Types>> =>
	await mapInSlices(items, (item) =>
		item.state === 'unidentified' && item.lookup.settled ? identify(item, spec, run) : item,
	);

function identify<Types extends SpecTypes>(
	item: UnidentifiedItem<Types>,
	spec: RunSpec<Types>,
	run: RunContext,
): FailedItem | PreparedItem<Types> {
	const { itemIndex, values, options, layout } = item;
	const { step, input, outcome, duplicate: duplicateLookup, next, foundBefore } = item.lookup;
	const fail = (failure: Failure) => {
		const details = { ...failure.details, ...foundBefore };
		return { itemIndex, failure: { ...failure, details }, duplicateLookup };
	};
	if (outcome.value === undefined && outcome.failure !== undefined) return fail(outcome.failure);
	// The lookup may have been paid for: whatever fails now fails this item only.
	const { value: identified, failure } = toOutcome((): FailedItem | PreparedItem<Types> => {
		const state = 'ready';
		const resolved = step.resolve(outcome.value, input);
		if (resolved.id === null || (next === undefined && spec.requests === undefined)) {
			return { state, itemIndex, values, options, layout, entries: [], resolved, duplicateLookup };
		}
		const id = resolved.id.trim().toLowerCase();
		const { pattern, description } = step.idFormat;
		if (!pattern.test(id)) return fail(invalidIdFailure(id, description));
		if (next !== undefined) return { ...item, lookup: next(id) };
		const entries = entriesWithId(spec, values, id, options, run);
		const withId = resolved.id === id ? resolved : { ...resolved, id };
		return {
			state,
			itemIndex,
			values,
			options,
			layout,
			entries,
			resolved: withId,
			duplicateLookup,
		};
	});
	return identified ?? fail(failure);
}

/** The inputs of an item whose ID isn't in its parameters. */
export const entriesWithId = <Types extends SpecTypes>(
	{ lookup, requests }: Pick<RunSpec<Types>, 'lookup' | 'requests'>,
	values: SpecValues<Types>,
	id: string,
	options: Types['options'],
	run: RunContext,
): Array<BatchEntry<Types['input'], Types['result']>> =>
	lookup?.withId === undefined || requests === undefined
		? []
		: requests.inputs(lookup.withId(values, id), options, run).map(newEntry);

export const invalidIdFailure = (id: string, description: string): Failure => ({
	kind: 'unreadable',
	message: `The service returned "${id}" for this row, which is not ${description}. Nothing more was requested for it. Run the row again later. If it persists, report it to the service's support.`,
});
