import type { Failure } from '../core/outcome';
import { type GroupState, isRefused, type RefusedBatch, type UniqueInput } from './invalidInputs';

/** A request with several inputs that the service refused. */
export interface Refusal {
	readonly failure: Failure;
	/** Outcomes of the inputs that the service names, by index. */
	readonly named?: ReadonlyMap<number, { failure: Failure }>;
}

/** How often the inputs that the service names are removed from a batch before the whole batch is searched. */
const MOST_REMOVALS = 3;

/**
 * Sends a batch in one request, and again without the inputs that the service names. Returns the inputs to search: the
 * service may name the wrong ones, so a name counts only if the service accepts the rest as soon as they are removed.
 * Those that it names one request after the other are searched, up to three times; then the whole batch is.
 *
 * @param send sends one request and sets the outcomes that it knows, or returns what to do about a refusal
 */
export async function sendWithoutNamed<Input extends UniqueInput<unknown, unknown>>(
	batch: readonly Input[],
	group: GroupState,
	send: (inputs: readonly Input[]) => Promise<Refusal | undefined>,
): Promise<Array<RefusedBatch<Input>>> {
	const removed: Input[] = [];
	let rest = batch;
	let first: Failure | undefined;
	for (let removals = 0; ; removals++) {
		const refusal = rest.length > 0 ? await send(rest) : undefined;
		if (refusal === undefined) {
			const persisted = removals > 1 || rest.some(isRefused);
			if (first === undefined || !persisted || group.failure !== undefined) return [];
			group.answered = true;
			return reopened(removed, first);
		}
		const { failure, named } = refusal;
		if (named === undefined || removals === MOST_REMOVALS) {
			group.answered ||= named !== undefined;
			return reopened(batch, failure);
		}
		first ??= failure;
		rest.forEach((input, index) => (input.outcome = named.get(index)));
		removed.push(...rest.filter(({ outcome }) => outcome !== undefined));
		rest = rest.filter(({ outcome }) => outcome === undefined);
	}
}

/** A batch to search, whose inputs have no outcome yet. */
function reopened<Input extends UniqueInput<unknown, unknown>>(
	inputs: readonly Input[],
	failure: Failure,
): Array<RefusedBatch<Input>> {
	for (const input of inputs) input.outcome = undefined;
	return [{ inputs, failure }];
}
