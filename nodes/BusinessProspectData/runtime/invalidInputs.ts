import { chunks } from '../core/collections';
import { pluralize } from '../core/text';
import type { Failure, Outcome } from '../core/outcome';

/** An input of a group, and its outcome once it is known. */
export interface UniqueInput<Input, Result> {
	readonly input: Input;
	outcome?: Outcome<Result>;
}

/**
 * What became of a batch.
 *
 * - `settled`: the response decided every outcome. A single input that the service refused counts as settled too.
 * - `failed`: the request failed for another reason; all inputs have that failure.
 * - `refused`: the service refused several inputs together. Their outcomes aren't set. `named` are those of the inputs
 *   that the service names, by index.
 */
export type SentBatch =
	| { readonly status: 'settled' }
	| { readonly status: 'failed' }
	| {
			readonly status: 'refused';
			readonly failure: Failure;
			readonly named: ReadonlyMap<number, { readonly failure: Failure }>;
	  };

type SendBatch<Unique> = (batch: readonly Unique[]) => Promise<SentBatch>;

/** A batch to search: the service refused it without naming the invalid inputs, or named the wrong ones. */
export interface RefusedBatch<Unique> {
	readonly inputs: readonly Unique[];
	readonly failure: Failure;
}

/** What the responses so far say about the requests of a group. */
export interface GroupState {
	/** True once a response shows that the request itself is valid: it has data, or names one input after the other. */
	accepted: boolean;
	/** Set when the service refuses something that all requests of the group have in common. */
	failure?: Failure;
}

type AnyInput = UniqueInput<unknown, unknown>;

/** How many inputs, each alone, are sent to find out whether the service refuses any request of the group. */
const MAX_SINGLES = 7;
/** A refused batch is sent again in this many parts: as many requests as halving takes, in half the rounds. */
const PARTS = 4;
/** How often the inputs that the service names are removed from a batch before the whole batch is searched. */
const MAX_REMOVALS = 3;

/**
 * Sends a batch in one request, and again without the inputs that the service names. Returns the batches to search: the
 * service may name the wrong inputs, so a name counts only if the service accepts the rest as soon as they are removed.
 * Inputs that it names one request after the other are searched, up to three times; then the whole batch is.
 *
 * @param stopOnFailure nothing can be sent after the first refusal, so the names count as they are
 */
export async function sendWithoutNamed<Unique extends AnyInput>(
	batch: readonly Unique[],
	group: GroupState,
	send: SendBatch<Unique>,
	stopOnFailure: boolean,
): Promise<Array<RefusedBatch<Unique>>> {
	const removed: Unique[] = [];
	let rest = batch;
	let first: Failure | undefined;
	for (let removals = 0; ; removals++) {
		const sent: SentBatch = rest.length > 0 ? await send(rest) : { status: 'settled' };
		if (sent.status === 'failed') {
			// Nothing confirms the names.
			const outcome = rest[0]?.outcome;
			if (!stopOnFailure) for (const unique of removed) unique.outcome = outcome;
			return [];
		}
		if (sent.status === 'settled') {
			const confirmed = removals < 2 && !rest.some(isInvalid);
			if (first === undefined || confirmed) return [];
			group.accepted = true;
			return reopen(removed, first);
		}
		const { failure, named } = sent;
		if (named.size === 0 || removals === MAX_REMOVALS) {
			group.accepted ||= named.size > 0;
			return reopen(batch, failure);
		}
		first ??= failure;
		rest.forEach((unique, index) => (unique.outcome = named.get(index)));
		removed.push(...rest.filter((unique) => !isOpen(unique)));
		rest = rest.filter(isOpen);
	}
}

/** A batch to search, whose inputs have no outcome yet. */
function reopen<Unique extends AnyInput>(
	inputs: readonly Unique[],
	failure: Failure,
): Array<RefusedBatch<Unique>> {
	for (const unique of inputs) unique.outcome = undefined;
	return [{ inputs, failure }];
}

/**
 * Finds the invalid inputs of a group's refused batches and gets the results of the others.
 *
 * If the service has accepted no request of the group, up to 7 inputs are sent one at a time until it does. If it refuses
 * all 7, whatever it says, the search ends and all inputs fail: an invalid request and invalid inputs look the same then.
 * Otherwise refused batches are sent again in quarters until every invalid input is alone.
 *
 * With n inputs in batches of at most b, k of them invalid, this takes at most min(7, k + 1) + 4k⌈log₄ b⌉ requests, and
 * never more than 7 + 2n. No input is answered twice.
 */
export async function findInvalidInputs<Unique extends AnyInput>(
	refused: ReadonlyArray<RefusedBatch<Unique>>,
	group: GroupState,
	send: SendBatch<Unique>,
): Promise<void> {
	async function split(inputs: readonly Unique[]): Promise<void> {
		const open = inputs.filter(isOpen);
		// With one invalid input found, the others may be valid.
		const parts = inputs.some(isInvalid) ? 1 : PARTS;
		const sent = chunks(open, Math.ceil(open.length / parts)).map(async (part) => {
			if ((await send(part)).status === 'refused') await split(part);
		});
		await Promise.all(sent);
	}

	async function refusesSingles(inputs: readonly Unique[]): Promise<boolean> {
		for (const unique of evenlySpaced(inputs, MAX_SINGLES)) {
			await send([unique]);
			if (!isInvalid(unique) || group.failure !== undefined) return false;
		}
		return inputs.length > 0;
	}

	if (group.accepted || !(await refusesSingles(refused.flatMap(({ inputs }) => inputs)))) {
		await Promise.all(refused.map(async ({ inputs }) => await split(inputs)));
		return;
	}
	for (const { inputs, failure } of refused) {
		const outcome = { failure: wholeRequestFailure(failure, inputs.length) };
		for (const unique of inputs.filter(isOpen)) unique.outcome = outcome;
	}
}

/**
 * Reads which inputs a validation error names, by index: empty if it names none, `request` if it names another member of
 * the request (contract: Errors).
 *
 * @param keys of the inputs; with `field`, the values by which the user knows them
 */
export function findNamedInputs(
	{ issues = [], status, correlationId }: Failure,
	listMember: string | undefined,
	keys: readonly string[],
	field: string | undefined,
): ReadonlyMap<number, { readonly failure: Failure }> | 'request' {
	const messages = new Map<number, string>();
	for (const { member, index, message } of issues) {
		if (member !== undefined && member !== listMember) return 'request';
		if (index === undefined || index >= keys.length) continue;
		messages.set(index, [messages.get(index), message].filter(Boolean).join(' '));
	}
	const failureOf = (index: number, message: string): Failure => ({
		kind: 'invalid',
		message: `The service rejected ${(field !== undefined && keys[index]) || 'this value'} (HTTP ${status}): ${message} Correct or remove it, then run the row again.`,
		status,
		correlationId,
		field,
	});
	return new Map(
		[...messages].map(([index, message]) => [index, { failure: failureOf(index, message) }]),
	);
}

const isOpen = ({ outcome }: AnyInput): boolean => outcome === undefined;

/** Whether the service refused the input itself. */
const isInvalid = ({ outcome }: AnyInput): boolean => outcome?.failure?.kind === 'invalid';

/** At most `count` members, evenly spaced: invalid values often come in a row. */
function evenlySpaced<Member>(members: readonly Member[], count: number): Member[] {
	const partOf = (index: number) => Math.floor((index * count) / members.length);
	return members.filter((_, index) => partOf(index) !== partOf(index - 1));
}

const wholeRequestFailure = (failure: Failure, count: number): Failure => ({
	...failure,
	message: `${failure.message} The service rejected ${pluralize(count, 'value')} together without saying which one, and each of the ${MAX_SINGLES} that were then sent alone. Either another parameter of the node is wrong, or all of these values are: check the other parameters first.`,
});

/** The failure of a refused batch whose invalid inputs aren't searched for. */
export const unnamedFailure = (failure: Failure, count: number): Failure => ({
	...failure,
	message: `${failure.message} It is about one or more of the ${pluralize(count, 'value')} in this request; the service doesn't say which.`,
});
