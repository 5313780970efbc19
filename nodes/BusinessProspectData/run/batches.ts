import type { Client, SkipIf } from '../api/client';
import { chunks, getOrCreate } from '../core/collections';
import type { Failure, Outcome } from '../core/outcome';
import {
	findInvalidInputs,
	findNamedInputs,
	type GroupState,
	rejectsContent,
	sendWithoutNamedInputs,
	type SentBatch,
	type UniqueInput,
	unnamedFailure,
} from './invalidInputs';
import { toFailure } from '../api/errors';

/** How inputs become requests. Inputs are compared by identity, so equal inputs of two items must be different objects. */
export interface BatchConfig<Input extends object, Result> {
	/** Inputs with the same group key may share a request. Keys that are objects are compared by identity. */
	readonly groupKey: (input: Input) => string | object;
	/** Inputs with the same key in the same group are duplicates: only the first is sent. */
	readonly key: (input: Input) => string;
	/** Must be the same for all inputs of a group. Infinity puts the whole group into one batch. */
	readonly maxBatchSize: (input: Input) => number;
	/** Member of the request body that holds the inputs, as validation errors name it. */
	readonly inputMember?: (input: Input) => string;
	/** Name of the parameter that identifies an input, if a single one does. Error messages may then quote the input's key. */
	readonly parameterName?: string;
	/** Returns an outcome for each input, in order, or the failure of the whole batch. */
	readonly send: (
		client: Client,
		inputs: readonly Input[],
		skipIf: SkipIf,
	) => Promise<Outcome<ReadonlyArray<Outcome<Result>>>>;
}

export type Grouping<Input extends object> = Pick<
	BatchConfig<Input, unknown>,
	'groupKey' | 'key' | 'maxBatchSize'
>;

/** Caps the maximum batch size. Leaves Infinity unchanged, because a group without a maximum belongs in one request. */
export const limitBatchSize = <Input extends object, Config extends Grouping<Input>>(
	// `& Grouping<Input>` lets TypeScript infer `Input`.
	config: Config & Grouping<Input>,
	maxBatchSize = Infinity,
): Config => ({
	...config,
	maxBatchSize: (input: Input) => {
		const size = config.maxBatchSize(input);
		return size === Infinity ? size : Math.min(size, maxBatchSize);
	},
});

export interface InputResult<Input, Result> {
	readonly input: Input;
	readonly outcome: Outcome<Result>;
	/** True if this input duplicated an earlier one and shares its result. */
	readonly duplicate: boolean;
}

export interface BatchOptions {
	/** Stops the client at the first failure, so a rejected batch isn't split. */
	readonly stopOnFailure?: boolean;
	/** Called with the inputs of each batch that didn't fail as a whole. */
	readonly onSuccess?: ((inputs: readonly unknown[]) => void) | undefined;
}

export const NO_OUTCOME: { readonly failure: Failure } = {
	failure: {
		kind: 'unreadable',
		message: 'The service returned no result for this row. Try again later.',
	},
};

interface BatchPlan<Input extends object, Result> {
	/** For each input, in order, the input that is sent. Duplicates share one. */
	readonly uniques: ReadonlyArray<UniqueInput<Input, Result>>;
	/** The batches of each group. */
	readonly groups: ReadonlyArray<ReadonlyArray<ReadonlyArray<UniqueInput<Input, Result>>>>;
}

export function planBatches<Input extends object, Result>(
	inputs: readonly Input[],
	config: Grouping<Input>,
): BatchPlan<Input, Result> {
	type Unique = UniqueInput<Input, Result>;
	const newMap = () => new Map<string, Unique>();
	const groups = new Map<string | object, Map<string, Unique>>();
	const uniques = inputs.map((input): Unique => {
		const uniquesByKey = getOrCreate(groups, config.groupKey(input), newMap);
		const key = config.key(input);
		const known = uniquesByKey.get(key);
		if (known !== undefined) return known;
		const unique = { input, outcome: undefined };
		uniquesByKey.set(key, unique);
		return unique;
	});
	const batchesOf = (group: readonly Unique[]) => {
		const [first] = group;
		return first === undefined ? [] : chunks(group, config.maxBatchSize(first.input));
	};
	return {
		uniques,
		groups: Array.from(groups.values(), (uniquesByKey) => batchesOf([...uniquesByKey.values()])),
	};
}

/**
 * Sends inputs in batches. If the service rejects a batch, looks for the invalid inputs so that the others can succeed, unless
 * `stopOnFailure` is set. Returns a result for each input, in order, even if `send` throws.
 */
export async function executeBatches<Input extends object, Result>(
	client: Client,
	inputs: readonly Input[],
	config: BatchConfig<Input, Result>,
	{ stopOnFailure = false, onSuccess }: BatchOptions = {},
): Promise<Array<InputResult<Input, Result>>> {
	type Unique = UniqueInput<Input, Result>;
	const { uniques, groups } = planBatches<Input, Result>(inputs, config);

	/** Sends all batches before any is split: if one succeeds, the request itself is valid, and no input has to be probed. */
	async function executeGroup(batches: ReadonlyArray<readonly Unique[]>): Promise<void> {
		const first = batches[0]?.[0];
		if (first === undefined) return;
		const inputMember = config.inputMember?.(first.input);
		const groupState: GroupState = { requestPresumedValid: false };
		const skipGroupIf = () => groupState.failure;

		async function sendBatch(batch: readonly Unique[]): Promise<SentBatch> {
			const batchInputs = batch.map(({ input }) => input);
			let sent: Outcome<ReadonlyArray<Outcome<Result>>>;
			try {
				sent = await config.send(client, batchInputs, skipGroupIf);
			} catch (error) {
				sent = { failure: toFailure(error) };
			}
			const { value, failure } = sent;
			const fails = failure !== undefined || value.some((outcome) => outcome.failure);
			// The client can't see a failed input in a successful response, so it doesn't stop by itself.
			if (stopOnFailure && fails) client.stop();
			if (failure === undefined) {
				groupState.requestPresumedValid = true;
				onSuccess?.(batchInputs);
				batch.forEach((unique, index) => (unique.outcome = value[index] ?? NO_OUTCOME));
				return { status: 'succeeded' };
			}
			const failBatch = (): SentBatch => {
				for (const unique of batch) unique.outcome = { failure };
				return { status: 'failed' };
			};
			if (!rejectsContent(failure)) return failBatch();
			const keys = batchInputs.map(config.key);
			const named = findNamedInputs(failure, inputMember, keys, config.parameterName);
			if (named === 'request') {
				groupState.failure = failure;
				return failBatch();
			}
			const [only, ...others] = batch;
			if (only === undefined || others.length > 0) return { status: 'rejected', failure, named };
			// The failure is this input's, whether or not the service names it.
			only.outcome = named.get(0) ?? { failure: { ...failure, field: config.parameterName } };
			return { status: 'invalid' };
		}

		const rejected = (
			await Promise.all(
				batches.map((batch) => sendWithoutNamedInputs(batch, groupState, sendBatch, stopOnFailure)),
			)
		).flat();
		if (!stopOnFailure) {
			await findInvalidInputs(rejected, groupState, sendBatch);
			return;
		}
		for (const { inputs: batch, failure } of rejected) {
			const outcome = { failure: unnamedFailure(failure, batch.length) };
			for (const unique of batch) unique.outcome = outcome;
		}
	}

	await Promise.all(groups.map(executeGroup));
	return inputs.map((input, index) => {
		const unique = uniques[index];
		return { input, outcome: unique?.outcome ?? NO_OUTCOME, duplicate: unique?.input !== input };
	});
}
