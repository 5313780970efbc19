import type { Client, SkipIf } from '../api/client';
import { chunks, getOrCreate } from '../core/collections';
import type { Failure, Outcome } from '../core/outcome';
import {
	findInvalidInputs,
	findNamedInputs,
	type GroupState,
	mayBeAboutRecord,
	rejectsContent,
	sendWithoutNamedInputs,
	type SentBatch,
	unnamedFailure,
} from './invalidInputs';
import { toFailure } from '../api/errors';
import type { Memory } from '../memory/memory';
import { type BatchEntry, isOpen, settle } from './inputs';
import { forEachInSlices, mapInSlices } from './slices';

/** The inputs of one request. */
type Batch<Input> = readonly [Input, ...Input[]];

/** Returns the outcomes of the batch's inputs, or the failure of the whole batch. */
export type SendInputs<Input extends object, Result> = BatchConfig<Input, Result>['send'];

interface BatchOutcomes<Input, Result> {
	/** Undefined if the response has nothing for the input. */
	outcomeOf(input: Input): Outcome<Result> | undefined;
}

/** How inputs become requests. Methods, so that steps of different kinds can be in one list. */
export interface BatchConfig<Input extends object = object, Result = unknown> {
	/** Inputs with the same group key may share a request. Keys that are objects are compared by identity. */
	groupKey(input: Input): string | object;
	/** Inputs with the same key in the same group are duplicates: only the first is sent. */
	key(input: Input): string;
	/** Must be the same for all inputs of a group. Infinity puts the whole group into one batch, which is never split. */
	maxBatchSize(input: Input): number;
	/** Most requests that `send` may take for a batch. By default 1. */
	maxRequests?(input: Input): number;
	/** Member of the request body that holds the inputs, as validation errors name it. */
	inputMember?(input: Input): string;
	/** How results are remembered for later runs. If absent, they aren't. */
	readonly remembered?: RememberedResults<Input, Result>;
	/** Name of the parameter that identifies an input, if a single one does. Error messages may then quote the input's key. */
	readonly parameterName?: string;
	send(
		client: Client,
		inputs: Batch<Input>,
		skipIf: SkipIf,
	): Promise<Outcome<BatchOutcomes<Input, Result>>>;
}

interface RememberedResults<Input extends object, Result> {
	/** Names all that decides the result. Readable, so that people find a person's rows by ID or email address. */
	key(input: Input): string;
	/** The keys of larger results that also hold this one. */
	alsoIn?(input: Input): readonly string[];
	/** Undefined if the value isn't such a result: it comes from a table that people can edit. */
	read(value: unknown, input: Input): Result | undefined;
	/** A row may have details that were found in an earlier run: the question is the one without them. */
	readonly fewerDetails?: FewerDetails<Input, Result>;
}

interface FewerDetails<Input extends object, Result> {
	/** The input without some of its details, in every way. */
	inputs(input: Input): readonly Input[];
	/** The keys of what is remembered about a result. */
	keysAbout(result: Result): readonly string[];
	/** Whether the details that the input has more than `fewer` are in the result, or among what is remembered about it. */
	isKnown(input: Input, fewer: Input, about: readonly unknown[], result: Result): boolean;
}

export type Grouping<Input extends object> = Pick<
	BatchConfig<Input, unknown>,
	'groupKey' | 'key' | 'maxBatchSize' | 'maxRequests'
>;

export interface BatchOptions<Input, Result> {
	/** Caps `maxBatchSize`, except where that is Infinity: such a group belongs in one request. */
	readonly batchSize?: number | undefined;
	/** Called with each batch that didn't fail as a whole. */
	readonly onSuccess?: ((batch: ReadonlyArray<BatchEntry<Input, Result>>) => void) | undefined;
	readonly memory?: Memory | undefined;
}

interface BatchPlan<Entry> {
	/** The batches of each group. */
	readonly groups: ReadonlyArray<ReadonlyArray<readonly Entry[]>>;
	/** The entry that is sent for each duplicate. */
	readonly firsts: ReadonlyMap<Entry, Entry>;
	/** Most requests that all batches may take, if none is split. */
	readonly maxRequests: number;
}

export async function planBatches<Input extends object, Entry extends BatchEntry<Input, unknown>>(
	entries: readonly Entry[],
	config: Grouping<Input>,
	batchSize = Infinity,
): Promise<BatchPlan<Entry>> {
	const newMap = () => new Map<string, Entry>();
	const groups = new Map<string | object, Map<string, Entry>>();
	const firsts = new Map<Entry, Entry>();
	await forEachInSlices(entries, (entry) => {
		const byKey = getOrCreate(groups, config.groupKey(entry.input), newMap);
		const first = getOrCreate(byKey, config.key(entry.input), () => entry);
		if (first !== entry) firsts.set(entry, first);
	});
	const batchesOf = (group: readonly Entry[]) => {
		const [first] = group;
		if (first === undefined) return [];
		const max = config.maxBatchSize(first.input);
		return chunks(group, max === Infinity ? max : Math.min(max, batchSize));
	};
	const batches = Array.from(groups.values(), (byKey) => batchesOf([...byKey.values()]));
	const requestsOf = ([first]: readonly Entry[]) =>
		first === undefined ? 0 : (config.maxRequests?.(first.input) ?? 1);
	const maxRequests = batches.flat().reduce((sum, batch) => sum + requestsOf(batch), 0);
	return { groups: batches, firsts, maxRequests };
}

/**
 * Sends the open entries in batches and settles them, even if `send` throws. If the service rejects a batch, looks for the
 * invalid inputs so that the others can succeed, unless the client stops on failure.
 */
export async function executeBatches<Input extends object, Result>(
	client: Client,
	entries: ReadonlyArray<BatchEntry<Input, Result>>,
	config: BatchConfig<Input, Result>,
	{ batchSize, onSuccess, memory }: BatchOptions<Input, Result> = {},
): Promise<void> {
	type Entry = BatchEntry<Input, Result>;
	const open = entries.filter(isOpen);
	const { groups, firsts } = await planBatches<Input, Entry>(open, config, batchSize);

	/** Sends all batches before any is split: if one succeeds, the request itself is valid, and no input has to be probed. */
	async function executeGroup(batches: ReadonlyArray<readonly Entry[]>): Promise<void> {
		const first = batches[0]?.[0];
		if (first === undefined) return;
		const inputMember = config.inputMember?.(first.input);
		const { parameterName, remembered } = config;
		const isDivisible = config.maxBatchSize(first.input) < Infinity;
		const groupState: GroupState = { hasSucceeded: false };
		const skipGroupIf = () => groupState.failure;

		async function sendBatch(batch: readonly Entry[], searches = false): Promise<SentBatch> {
			// A search repeats no request: it sends parts of a request that failed, some of which are expected to fail.
			const sender = searches ? client.withoutRetries() : client;
			const [only, ...others] = batch;
			if (only === undefined) return { status: 'succeeded' };
			const inputs: Batch<Input> = [only.input, ...others.map(({ input }) => input)];
			let failure: Failure | undefined;
			// Without a memory, the slices of `mapInSlices` include what follows.
			if (remembered !== undefined && memory !== undefined) await memory.beforeRequest();
			try {
				const { value: outcomes, failure: batchFailure } = await config.send(
					sender,
					inputs,
					skipGroupIf,
				);
				if (outcomes === undefined) failure = batchFailure;
				else for (const entry of batch) settle(entry, outcomes.outcomeOf(entry.input));
			} catch (error) {
				failure = toFailure(error);
			}
			if (remembered !== undefined) memory?.store(answersOf(batch, remembered));
			// The client can't see that an input failed in a successful response.
			if (failure !== undefined || batch.some(({ outcome }) => outcome.failure)) {
				client.recordFailure();
			}
			if (failure === undefined) {
				groupState.hasSucceeded = true;
				onSuccess?.(batch);
				return { status: 'succeeded' };
			}
			const failBatch = (): SentBatch => {
				for (const entry of batch) settle(entry, { failure });
				return { status: 'failed' };
			};
			const isDivided = others.length > 0 && isDivisible;
			if (!rejectsContent(failure)) {
				if (!mayBeAboutRecord(failure)) return failBatch();
				if (isDivided) return { status: 'rejected', failure, named: new Map() };
				return { ...failBatch(), status: 'invalid' };
			}
			const keys = inputs.map(config.key);
			const named = findNamedInputs(failure, inputMember, keys, parameterName);
			if (named === 'request') {
				groupState.failure = failure;
				return failBatch();
			}
			if (isDivided) return { status: 'rejected', failure, named };
			// The failure is this input's, whether or not the service names it.
			const outcome = named.get(0) ?? { failure: { ...failure, field: parameterName } };
			for (const entry of batch) settle(entry, outcome);
			return { status: 'invalid' };
		}

		const { stopOnFailure } = client;
		const unnamed = (
			await Promise.all(
				await mapInSlices(batches, (batch) => sendWithoutNamedInputs(batch, sendBatch)),
			)
		).flat();
		const rejected = unnamed.filter(({ inputs: batch, failure }) => {
			const isSearched = rejectsContent(failure) || (groupState.hasSucceeded && !stopOnFailure);
			if (!isSearched) for (const entry of batch) settle(entry, { failure });
			return isSearched;
		});
		if (!stopOnFailure) {
			await findInvalidInputs(rejected, groupState, (batch) => sendBatch(batch, true));
			return;
		}
		for (const { inputs: batch, failure } of rejected) {
			const outcome = { failure: unnamedFailure(failure, batch.length) };
			for (const entry of batch) settle(entry, outcome);
		}
	}

	await Promise.all(groups.map(executeGroup));
	for (const [duplicate, first] of firsts) {
		settle(duplicate, first.outcome);
		duplicate.duplicate = true;
	}
}

/** A failure isn't remembered, not even one with a part of the result. */
function answersOf<Input extends object, Result>(
	batch: ReadonlyArray<BatchEntry<Input, Result>>,
	{ key }: RememberedResults<Input, Result>,
): Map<string, unknown> {
	return new Map(
		batch.flatMap(({ input, settled, outcome: { value, failure } }) =>
			settled && value !== undefined && failure === undefined ? [[key(input), value] as const] : [],
		),
	);
}
