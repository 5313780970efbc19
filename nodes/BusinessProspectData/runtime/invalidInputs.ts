import { chunks } from '../core/collections';
import { pluralize } from '../core/text';
import type { Failure, Outcome } from '../core/outcome';

/** An input of a group, which stands for its duplicates too. Its outcome may be provisional: `reopen` clears it again. */
export interface UniqueInput<Input, Result> {
	readonly input: Input;
	outcome: Outcome<Result> | undefined;
}

/**
 * What became of a batch. The outcomes of its inputs are set, except if it was rejected.
 *
 * - `done`: the request succeeded, or the service rejected its only input.
 * - `failed`: the request failed, or the service rejected another part of it. All inputs have that failure.
 * - `rejected`: the service rejected several inputs together. `named` has the failures of the inputs that the service names, by
 *   index.
 */
export type SentBatch =
	| { readonly status: 'done' }
	| { readonly status: 'failed' }
	| {
			readonly status: 'rejected';
			readonly failure: Failure;
			readonly named: ReadonlyMap<number, { readonly failure: Failure }>;
	  };

type SendBatch<Unique> = (batch: readonly Unique[]) => Promise<SentBatch>;

/** A batch to split: the service rejected it without naming the invalid inputs, or may have named the wrong ones. */
interface RejectedBatch<Unique> {
	readonly inputs: readonly Unique[];
	readonly failure: Failure;
}

/** What the responses so far say about the requests of a group. */
export interface GroupState {
	/** True once the request itself is known to be valid: a request succeeded, or rejections were about different inputs. */
	knownValid: boolean;
	/** Set when the service rejects something that all requests of the group have in common. */
	failure?: Failure;
}

type AnyInput = UniqueInput<unknown, unknown>;

/** Maximum number of inputs sent one at a time to find out whether the service rejects every request of the group. */
const MAX_PROBES = 7;
/** A rejected batch is resent in this many parts. Quarters take as many requests as halves, but half as many rounds. */
const PARTS = 4;
/** How often named inputs are removed from a batch before the whole batch is split. */
const MAX_REMOVALS = 3;

/**
 * Sends a batch. If the service names invalid inputs, removes these and resends the rest, at most three times. Returns the inputs
 * to split, as one batch:
 *
 * - none, if the first request is `done` or `failed`
 * - none, if the first resend succeeds, or the first rejection names every input. That confirms the names, so the removed inputs
 *   keep their failures.
 * - none, if a resend is `failed`. The removed inputs fail like the rest.
 * - the removed inputs, if the service rejects a single remaining input, a later resend succeeds, or a later rejection leaves
 *   nothing to resend
 * - all inputs, if a rejection names no input or is the fourth
 *
 * @param stopOnFailure true if nothing can be sent after the first rejection: the removed inputs then keep their failures
 */
export async function sendRemovingNamed<Unique extends AnyInput>(
	batch: readonly Unique[],
	groupState: GroupState,
	send: SendBatch<Unique>,
	stopOnFailure: boolean,
): Promise<Array<RejectedBatch<Unique>>> {
	const removed: Unique[] = [];
	let rest = batch;
	let firstRejection: Failure | undefined;
	for (let removals = 0; ; removals++) {
		// If every input was named, nothing is left to resend. That counts like a resend that succeeded.
		const sent: SentBatch = rest.length > 0 ? await send(rest) : { status: 'done' };
		if (sent.status === 'failed') {
			// The names are unconfirmed, so the removed inputs fail like the rest.
			const outcome = rest[0]?.outcome;
			if (!stopOnFailure) for (const unique of removed) unique.outcome = outcome;
			return [];
		}
		if (sent.status === 'done') {
			// A single remaining input that the service rejected is `done` too, but doesn't confirm the names. Nor does a success
			// after a second rejection, which named other inputs: the first rejection may have named the wrong ones.
			const namesConfirmed = removals === 1 && !rest.some(isInvalid);
			if (firstRejection === undefined || namesConfirmed) return [];
			// Without the named inputs, the request succeeded or was rejected for other inputs, so the request itself is valid.
			groupState.knownValid = true;
			return reopen(removed, firstRejection);
		}
		const { failure, named } = sent;
		if (named.size === 0 || removals === MAX_REMOVALS) {
			// If this rejection names inputs, it is the fourth. Each rejection named other inputs, so the request itself is valid.
			groupState.knownValid ||= named.size > 0;
			return reopen(batch, failure);
		}
		firstRejection ??= failure;
		rest.forEach((unique, index) => (unique.outcome = named.get(index)));
		removed.push(...rest.filter((unique) => !isOpen(unique)));
		rest = rest.filter(isOpen);
	}
}

/** Clears the outcomes of the inputs and returns them as a batch to split. */
function reopen<Unique extends AnyInput>(
	inputs: readonly Unique[],
	failure: Failure,
): Array<RejectedBatch<Unique>> {
	for (const unique of inputs) unique.outcome = undefined;
	return [{ inputs, failure }];
}

/**
 * Finds the invalid inputs in a group's rejected batches, and gets the results of the valid ones.
 *
 * Unless the request itself is known to be valid, up to 7 inputs are sent one at a time until one isn't rejected. If the service
 * rejects all of these, for whatever reason, all inputs fail: an invalid request and invalid inputs look the same then.
 * Otherwise, rejected batches are resent in quarters until every invalid input is alone. If an input of a batch was found
 * invalid on its own, the rest of the batch is first resent as a whole.
 *
 * With n inputs, k of them invalid, in batches of at most b, this takes at most min(7, k + 1) + 4k⌈log₄ b⌉ requests, and
 * never more than 7 + 2n. An input that has succeeded is never sent again.
 */
export async function findInvalidInputs<Unique extends AnyInput>(
	rejected: ReadonlyArray<RejectedBatch<Unique>>,
	groupState: GroupState,
	send: SendBatch<Unique>,
): Promise<void> {
	async function split(inputs: readonly Unique[]): Promise<void> {
		const open = inputs.filter(isOpen);
		// If an invalid input of this batch is already known, the others may all be valid: try them in one request.
		const parts = inputs.some(isInvalid) ? 1 : PARTS;
		const pending = chunks(open, Math.ceil(open.length / parts)).map(async (part) => {
			if ((await send(part)).status === 'rejected') await split(part);
		});
		await Promise.all(pending);
	}

	async function allProbesRejected(inputs: readonly Unique[]): Promise<boolean> {
		for (const unique of evenlySpaced(inputs, MAX_PROBES)) {
			await send([unique]);
			if (!isInvalid(unique) || groupState.failure !== undefined) return false;
		}
		return inputs.length > 0;
	}

	const allRejected = rejected.flatMap(({ inputs }) => inputs);
	// If the whole group has failed meanwhile, `send` skips every request and `split` only passes the failure on.
	if (groupState.knownValid || !(await allProbesRejected(allRejected))) {
		await Promise.all(rejected.map(async ({ inputs }) => await split(inputs)));
		return;
	}
	for (const { inputs, failure } of rejected) {
		const outcome = { failure: wholeRequestFailure(failure, allRejected.length) };
		for (const unique of inputs.filter(isOpen)) unique.outcome = outcome;
	}
}

/**
 * The failures of the inputs that a validation error names, by index (contract: Errors). Empty if it names none; `request` if
 * it names another member of the request.
 *
 * @param keys keys of the inputs. With `parameterName`, they are what the user entered, so messages quote them.
 */
export function findNamedInputs(
	{ issues = [], status, correlationId }: Failure,
	inputMember: string | undefined,
	keys: readonly string[],
	parameterName: string | undefined,
): ReadonlyMap<number, { readonly failure: Failure }> | 'request' {
	const messages = new Map<number, string>();
	for (const { member, index, message } of issues) {
		if (member !== undefined && member !== inputMember) return 'request';
		if (index === undefined || index >= keys.length) continue;
		messages.set(index, [messages.get(index), message].filter(Boolean).join(' '));
	}
	const failureOf = (index: number, message: string): Failure => ({
		kind: 'invalid',
		message: `The service rejected ${(parameterName !== undefined && keys[index]) || 'this value'} (HTTP ${status}): ${message} Correct or remove it, then run the row again.`,
		status,
		correlationId,
		field: parameterName,
	});
	return new Map(
		[...messages].map(([index, message]) => [index, { failure: failureOf(index, message) }]),
	);
}

const isOpen = ({ outcome }: AnyInput): boolean => outcome === undefined;

/** True if the service may accept some of the inputs in smaller requests: it rejected values, or the size of the request. */
export const isRejection = ({ kind, status }: Failure): boolean =>
	kind === 'invalid' || status === 413;

/**
 * True if the input failed with a rejection: of the input itself or, once the whole group has failed, of another part of
 * the request.
 */
const isInvalid = ({ outcome }: AnyInput): boolean =>
	outcome?.failure !== undefined && isRejection(outcome.failure);

/** At most `count` members, evenly spaced: invalid values are often adjacent. */
function evenlySpaced<Member>(members: readonly Member[], count: number): Member[] {
	const partOf = (index: number) => Math.floor((index * count) / members.length);
	return members.filter((_, index) => partOf(index) !== partOf(index - 1));
}

/**
 * The failure of the inputs that weren't probed. There are such inputs only if `MAX_PROBES` others were probed and rejected.
 *
 * @param count number of values in all rejected batches of the group, probed or not
 */
const wholeRequestFailure = (failure: Failure, count: number): Failure => ({
	...failure,
	message: `${failure.message} The service rejected ${pluralize(count, 'value')} without saying which one is invalid. It also rejected ${MAX_PROBES} of them sent one at a time, so either another parameter is wrong or all of these values are. Check the other parameters first.`,
});

/** The failure of a rejected batch that isn't split. Not reworded if the request was only too large: all values may be valid. */
export const unnamedFailure = (failure: Failure, count: number): Failure =>
	failure.kind !== 'invalid'
		? failure
		: {
				...failure,
				message: `${failure.message} It is about one or more of the ${pluralize(count, 'value')} in this request; the service doesn't say which.`,
			};
