import type { Client, SkipIf } from '../api/client';
import { chunks } from '../core/collections';
import type { Failure, Outcome } from '../core/outcome';
import {
	findInvalidInputs,
	findNamedInputs,
	sendWithoutNamed,
	type SentBatch,
	type UniqueInput,
	unnamedFailure,
} from './invalidInputs';
import { toFailure } from './toOutcome';

/** How inputs become requests. */
export interface BatchFunctions<Input, Result> {
	/** Inputs of the same group may share a request. */
	readonly group: (input: Input) => string;
	/** Inputs of a group with the same key are duplicates: one of them is sent. */
	readonly key: (input: Input) => string;
	/** How many inputs fit into one request; the same for the whole group. */
	readonly maxBatchSize: (input: Input) => number;
	/** The member of the request body that lists the inputs, as validation errors name it; the same for the whole group. */
	readonly listMember?: (input: Input) => string;
	/** Saved name of the parameter that the inputs come from, if it is a single one. Keys are its values. */
	readonly field?: string;
	/** Sends one request. Returns an outcome for each input, in order, or the failure of the whole request. */
	readonly send: (
		client: Client,
		inputs: readonly Input[],
		skipIf: SkipIf,
	) => Promise<Outcome<ReadonlyArray<Outcome<Result>>>>;
}

/** An input and its outcome. */
export interface BatchResult<Input, Result> {
	readonly input: Input;
	readonly outcome: Outcome<Result>;
	/** True if this input duplicated an earlier one and shares its result. */
	readonly duplicate: boolean;
}

interface BatchOptions {
	/** Stops the client at the first failure. The invalid inputs of a refused request aren't searched for then. */
	readonly stopOnFailure?: boolean;
	/** Skips all requests that haven't been sent when it returns a failure. */
	readonly skipIf?: SkipIf;
}

const NO_OUTCOME: { readonly failure: Failure } = {
	failure: {
		kind: 'unreadable',
		message: 'The service returned no result for this input. Try again later.',
	},
};

/**
 * Groups inputs, removes duplicates, cuts batches and sends them. When the service refuses a batch, finds the invalid
 * inputs, so that the others still succeed. Never throws. Returns the results in the order of the inputs.
 */
export async function executeBatches<Input, Result>(
	client: Client,
	inputs: readonly Input[],
	functions: BatchFunctions<Input, Result>,
	{ stopOnFailure = false, skipIf }: BatchOptions = {},
): Promise<Array<BatchResult<Input, Result>>> {
	type Unique = UniqueInput<Input, Result>;
	const groups = new Map<string, Map<string, Unique>>();
	const uniques = inputs.map((input): Unique => {
		const name = functions.group(input);
		const group = groups.get(name) ?? new Map<string, Unique>();
		groups.set(name, group);
		const key = functions.key(input);
		const unique = group.get(key) ?? { input };
		group.set(key, unique);
		return unique;
	});

	/** Sends all batches of a group before it searches any: a response to one shows that the request itself is valid. */
	async function executeGroup(members: readonly Unique[]): Promise<void> {
		const [first] = members;
		if (first === undefined) return;
		const listMember = functions.listMember?.(first.input);
		const group: { accepted: boolean; failure?: Failure } = { accepted: false };
		const skipGroupIf = () => group.failure ?? skipIf?.();

		async function send(batch: readonly Unique[]): Promise<SentBatch> {
			const batchInputs = batch.map(({ input }) => input);
			let sent: Outcome<ReadonlyArray<Outcome<Result>>>;
			try {
				sent = await functions.send(client, batchInputs, skipGroupIf);
			} catch (error) {
				sent = { failure: toFailure(error) };
			}
			const { value, failure } = sent;
			const fails = failure !== undefined || value.some((outcome) => outcome.failure);
			if (stopOnFailure && fails) client.stop();
			if (failure === undefined) {
				group.accepted = true;
				batch.forEach((unique, index) => (unique.outcome = value[index] ?? NO_OUTCOME));
				return { status: 'settled' };
			}
			if (failure.kind === 'invalid' && failure !== group.failure) {
				const keys = batchInputs.map(functions.key);
				const named = findNamedInputs(failure, listMember, keys, functions.field);
				if (named === 'request') group.failure = failure;
				else if (batch.length > 1) return { status: 'refused', failure, named };
				else {
					const outcome = named.get(0) ?? { failure: { ...failure, field: functions.field } };
					for (const unique of batch) unique.outcome = outcome;
					return { status: 'settled' };
				}
			}
			for (const unique of batch) unique.outcome = { failure };
			return { status: 'failed' };
		}

		const maxBatchSize = functions.maxBatchSize(first.input);
		const batches = chunks(members, maxBatchSize);
		const refused = (
			await Promise.all(batches.map((batch) => sendWithoutNamed(batch, group, send, stopOnFailure)))
		).flat();
		if (!stopOnFailure) {
			await findInvalidInputs(refused, group, send);
			return;
		}
		for (const { inputs: batch, failure } of refused) {
			for (const unique of batch)
				unique.outcome = { failure: unnamedFailure(failure, batch.length) };
		}
	}

	await Promise.all(Array.from(groups.values(), (group) => executeGroup([...group.values()])));
	const reported = new Set<Unique>();
	return uniques.map((unique, index) => {
		const duplicate = reported.has(unique);
		reported.add(unique);
		return {
			input: inputs[index] ?? unique.input,
			outcome: unique.outcome ?? NO_OUTCOME,
			duplicate,
		};
	});
}
