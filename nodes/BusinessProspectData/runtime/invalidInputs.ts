import { pluralize } from '../core/text';
import type { Failure, Outcome } from '../core/outcome';

/** An input of a group, and its outcome once there is one. */
export interface UniqueInput<Ask, Answer> {
	readonly input: Ask;
	outcome?: Outcome<Answer>;
}

/** Inputs of one request that the service refused without naming the invalid ones, or naming the wrong ones. */
export interface RefusedBatch<Input> {
	readonly inputs: readonly Input[];
	readonly failure: Failure;
}

/** What the responses so far say about the requests of a group. */
export interface GroupState {
	/** True once a response shows that the request itself is valid. */
	answered: boolean;
	/** Set when the service names something that all of them have in common. */
	failure?: Failure;
}

/** How many inputs, each alone, are sent to find out whether the service refuses any request of the group. */
const SENT_ALONE = 7;
/** A refused batch is sent again in this many parts: as many requests as halving takes, in half the rounds. */
const PARTS = 4;

/**
 * Finds the invalid inputs of a group's refused batches and gets the answers of the others.
 *
 * If the service has answered no request of the group, up to 7 inputs are sent one at a time until it does. If it refuses
 * all 7, whatever its words, the search ends and all inputs fail: an invalid request and invalid inputs look the same then.
 * Otherwise refused batches are sent again in quarters until every invalid input is alone.
 *
 * With n inputs in batches of at most b, k of them invalid, this takes at most min(7, k + 1) + 4k⌈log₄ b⌉ requests, and
 * never more than 7 + 2n. No input is answered twice.
 *
 * @param send sends one request, sets the outcomes that it knows, and returns the inputs that are still refused
 */
export async function findInvalidInputs<Input extends UniqueInput<unknown, unknown>>(
	refused: ReadonlyArray<RefusedBatch<Input>>,
	group: GroupState,
	send: (inputs: readonly Input[]) => Promise<ReadonlyArray<RefusedBatch<Input>>>,
): Promise<void> {
	async function split({ inputs }: RefusedBatch<Input>): Promise<void> {
		const open = inputs.filter(isOpen);
		// With one invalid input found, the others may be valid.
		const parts = inputs.some(isRefused) ? 1 : PARTS;
		const sent = chunks(open, Math.ceil(open.length / parts)).map(async (part) => {
			await Promise.all((await send(part)).map(split));
		});
		await Promise.all(sent);
	}

	async function refusesEach(inputs: readonly Input[]): Promise<boolean> {
		for (const input of spread(inputs, SENT_ALONE)) {
			await send([input]);
			if (!isRefused(input) || group.failure !== undefined) return false;
		}
		return true;
	}

	const inputs = refused.flatMap((batch) => batch.inputs);
	const allRefused = !group.answered && inputs.length > 0 && (await refusesEach(inputs));
	if (!allRefused) {
		await Promise.all(refused.map(split));
		return;
	}
	for (const batch of refused) {
		const failure = ofWholeRequest(batch);
		for (const input of batch.inputs.filter(isOpen)) input.outcome = { failure };
	}
}

const isOpen = ({ outcome }: UniqueInput<unknown, unknown>): boolean => outcome === undefined;

/** Whether the service refused the input itself. */
export const isRefused = ({ outcome }: UniqueInput<unknown, unknown>): boolean =>
	outcome?.failure?.kind === 'invalid';

/** Cuts a list into lists of a size. */
export function chunks<Member>(members: readonly Member[], size: number): Member[][] {
	const cut: Member[][] = [];
	for (let at = 0; at < members.length; at += size) cut.push(members.slice(at, at + size));
	return cut;
}

/** At most `count` members, evenly spaced: invalid values often come in a row. */
const spread = <Member>(members: readonly Member[], count: number): Member[] => {
	const partOf = (at: number) => Math.floor((at * count) / members.length);
	return members.filter((_, at) => partOf(at) !== partOf(at - 1));
};

const ofWholeRequest = ({ inputs, failure }: RefusedBatch<unknown>): Failure => ({
	...failure,
	message: `${failure.message} The service refused ${pluralize(inputs.length, 'value')} together without saying which it means, and each of the ${SENT_ALONE} that were then sent alone. So either something else in the request is wrong, or all of these values are: check the other parameters of the node first.`,
});
