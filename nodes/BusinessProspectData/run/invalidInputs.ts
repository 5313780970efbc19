import { chunks } from '../core/collections';
import { pluralize } from '../core/text';
import type { Failure } from '../core/outcome';
import { type BatchEntry, isOpen, settle } from './inputs';

/**
 * - `succeeded`: the request succeeded.
 * - `failed`: the request failed or was skipped, or the service rejected another part of it. All inputs have the failure.
 * - `invalid`: the service rejected the only input, or inputs that belong in one request. They have the failure.
 * - `rejected`: the service rejected several inputs together, which stay open. `named` has the failures of the
 *   inputs that the service names, by index.
 */
export type SentBatch =
	| { readonly status: 'succeeded' | 'failed' | 'invalid' }
	| {
			readonly status: 'rejected';
			readonly failure: Failure;
			readonly named: ReadonlyMap<number, { readonly failure: Failure }>;
	  };

type SendBatch<Entry> = (batch: readonly Entry[]) => Promise<SentBatch>;

/** Rejected inputs, some of which may be valid. */
interface RejectedBatch<Entry> {
	readonly inputs: readonly Entry[];
	readonly failure: Failure;
}

export interface GroupState {
	/** True once a request of the group has succeeded: the request itself is valid. */
	hasSucceeded: boolean;
	/** Set once the service rejects a part that all requests of the group share. */
	failure?: Failure;
}

type AnyEntry = BatchEntry<unknown, unknown>;

/** Maximum number of inputs that are sent one at a time before any batch is split. */
const MAX_PROBES = 7;
/** A batch is split into quarters, which take about as many requests as halves, but half as many rounds. */
const PARTS = 4;
/**
 * Sends a batch, and resends it without the inputs that the service names, as long as it names some. Returns what it rejects
 * without naming an input, as at most one batch.
 */
export async function sendWithoutNamedInputs<Entry extends AnyEntry>(
	batch: readonly Entry[],
	send: SendBatch<Entry>,
): Promise<Array<RejectedBatch<Entry>>> {
	for (let rest = batch; rest.length > 0; rest = rest.filter(isOpen)) {
		const result = await send(rest);
		if (result.status !== 'rejected') return [];
		if (result.named.size === 0) return [{ inputs: rest, failure: result.failure }];
		for (const [index, entry] of rest.entries()) {
			const outcome = result.named.get(index);
			if (outcome !== undefined) settle(entry, outcome);
		}
	}
	return [];
}

/**
 * Finds the invalid inputs in the rejected batches of a group by resending parts of them, and gets the results of the other
 * inputs.
 *
 * Some inputs are first sent one at a time. If the service rejects all of these with the same words, or none of the group has
 * succeeded, the request itself is probably invalid: nothing more is sent and all inputs fail.
 *
 * Calls `send` at most 7 + 2n times for n inputs. An input that has succeeded is never sent again.
 */
export async function findInvalidInputs<Entry extends AnyEntry>(
	rejected: ReadonlyArray<RejectedBatch<Entry>>,
	groupState: GroupState,
	send: SendBatch<Entry>,
): Promise<void> {
	async function split(inputs: readonly Entry[]): Promise<void> {
		const open = inputs.filter(isOpen);
		// If an invalid input of this batch is already known, the others may all be valid: try them in one request.
		const parts = inputs.some(isInvalid) ? 1 : PARTS;
		const pending = chunks(open, Math.ceil(open.length / parts)).map(async (part) => {
			if ((await send(part)).status === 'rejected') await split(part);
		});
		await Promise.all(pending);
	}

	/** If another request of the group has succeeded, only equal explanations count: other ones may each be about a value. */
	async function allProbesRejected(inputs: readonly Entry[]): Promise<boolean> {
		const messages = new Set<string | undefined>();
		for (const entry of evenlySpaced(inputs, MAX_PROBES)) {
			const { status } = await send([entry]);
			if (status !== 'invalid') return false;
			messages.add(entry.outcome.failure?.message);
		}
		return messages.size === 1 || (messages.size > 0 && !groupState.hasSucceeded);
	}

	const allRejected = rejected.flatMap(({ inputs }) => inputs);
	// If the whole group has failed meanwhile, `send` sends nothing and gives the inputs the failure of the group.
	if (!(await allProbesRejected(allRejected))) {
		await Promise.all(rejected.map(({ inputs }) => split(inputs)));
		return;
	}
	for (const { inputs, failure } of rejected) {
		const outcome = { failure: wholeRequestFailure(failure, allRejected.length) };
		for (const entry of inputs.filter(isOpen)) settle(entry, outcome);
	}
}

/**
 * The failures of the inputs that a validation error names, by index (contract: Errors). Empty if it names none; `request` if
 * it names another member of the request.
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

/** True if smaller requests may succeed with some of the inputs. Status 413 means that the request was too large. */
export const rejectsContent = ({ kind, status }: Failure): boolean =>
	kind === 'invalid' || status === 413;

/**
 * True if the failure may be about a record of the request, whatever its status. It counts as such if other requests of the group
 * succeed. Not if it is about the account, the address, the rate or the service as a whole.
 */
export const mayBeAboutRecord = ({ kind, status = 0 }: Failure): boolean =>
	['forbidden', 'notFound', 'server'].includes(kind) &&
	(status === 500 || (status >= 400 && status < 500));

const isInvalid = ({ outcome: { failure } }: AnyEntry): boolean =>
	failure !== undefined && (rejectsContent(failure) || mayBeAboutRecord(failure));

/** At most `count` members, evenly spaced: invalid values are often adjacent. */
function evenlySpaced<Member>(members: readonly Member[], count: number): Member[] {
	const partOf = (index: number) => Math.floor((index * count) / members.length);
	return members.filter((_, index) => partOf(index) !== partOf(index - 1));
}

/** The failure of the inputs that weren't probed, if the service rejected all `MAX_PROBES` that were. */
const wholeRequestFailure = (failure: Failure, count: number): Failure => ({
	...failure,
	message: `${failure.message} The service rejected ${pluralize(count, 'value')} without saying which one is invalid. It also rejected ${MAX_PROBES} of them sent one at a time, so either another parameter is wrong or all of these values are. Check the other parameters first.`,
});

/**
 * The failure of a rejected batch that isn't split. If the request was only too large, the message stays, because all values
 * may be valid.
 */
export const unnamedFailure = (failure: Failure, count: number): Failure =>
	failure.kind !== 'invalid'
		? failure
		: {
				...failure,
				message: `${failure.message} It is about one or more of the ${pluralize(count, 'value')} in this request; the service doesn't say which.`,
			};
