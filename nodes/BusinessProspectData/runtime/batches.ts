import { counted } from '../api/numbers';
import type { Failure, Outcome } from '../api/outcome';
import { blameOf } from './blame';

/** How asks become requests. */
export interface Batching<Ask, Answer> {
	/** Asks with the same group may share a request. */
	readonly group: (ask: Ask) => string;
	/** Asks with the same key in a group are one and the same: it is sent once. */
	readonly key: (ask: Ask) => string;
	/** How many asks fit into one request, in the whole group. */
	readonly limit: (ask: Ask) => number;
	/** The member of the request body that lists the asks, in the whole group; errors of the service name it. */
	readonly list?: (ask: Ask) => string;
	/** The saved name of the parameter that the asks come from, if it is one; keys that are not empty are its values. */
	readonly field?: string;
	/**
	 * Sends one request: an outcome for each ask, in their order, or the failure of the whole request. `blockedBy` is to be
	 * asked when the request's turn comes: it tells a failure once the service has refused what all requests have in common.
	 */
	readonly send: (
		asks: readonly Ask[],
		blockedBy: () => Failure | undefined,
	) => Promise<Outcome<ReadonlyArray<Outcome<Answer>>>>;
}

/** What was asked for, and what came of it. */
export interface Answered<Ask, Answer> {
	readonly ask: Ask;
	readonly outcome: Outcome<Answer>;
	/** Whether an equal one before it was sent in its stead. */
	readonly repeated: boolean;
}

/** What equal asks of a group share. */
interface Place<Ask, Answer> {
	readonly ask: Ask;
	/** Where the first of them stands among all asks. */
	readonly at: number;
	outcome: Outcome<Answer>;
}

interface Group<Ask, Answer> {
	/** By the key of their ask. */
	readonly places: Map<string, Place<Ask, Answer>>;
	readonly limit: number;
	readonly list: string | undefined;
	/** Set when the request itself was refused, whatever is asked: nothing more is sent. */
	failure?: Failure;
}

const NO_OUTCOME: { readonly failure: Failure } = {
	failure: {
		kind: 'unreadable',
		message: 'The service gave no result for this one. Try again later.',
	},
};

/**
 * Groups asks, takes out repetitions, cuts to the limit, sends, and isolates what the service refuses. What came is in the
 * order of the asks.
 *
 * @param narrows whether to find out, by further requests, which ask a refused request is refused for
 */
export async function inBatches<Ask, Answer>(
	asks: readonly Ask[],
	batching: Batching<Ask, Answer>,
	narrows: boolean,
): Promise<ReadonlyArray<Answered<Ask, Answer>>> {
	const groups = new Map<string, Group<Ask, Answer>>();
	const placed = asks.map((ask, at) => {
		const { places } = groupOf(ask, groups, batching);
		const key = batching.key(ask);
		const known = places.get(key);
		if (known !== undefined) return known;
		const place: Place<Ask, Answer> = { ask, at, outcome: NO_OUTCOME };
		places.set(key, place);
		return place;
	});

	const requests = [...groups.values()].flatMap((group) =>
		chunks([...group.places.values()], group.limit).map(async (chunk) => {
			const outcomes = await sendChunk(
				chunk.map(({ ask }) => ask),
				group,
				batching,
				narrows,
			);
			chunk.forEach((place, index) => {
				place.outcome = outcomes[index] ?? place.outcome;
			});
		}),
	);
	await Promise.all(requests);
	return asks.map((ask, at) => {
		const { outcome, at: first } = placed[at] ?? { outcome: NO_OUTCOME };
		return { ask, outcome, repeated: first !== at };
	});
}

function groupOf<Ask, Answer>(
	ask: Ask,
	groups: Map<string, Group<Ask, Answer>>,
	batching: Batching<Ask, Answer>,
): Group<Ask, Answer> {
	const name = batching.group(ask);
	const known = groups.get(name);
	if (known !== undefined) return known;
	const group: Group<Ask, Answer> = {
		places: new Map(),
		limit: batching.limit(ask),
		list: batching.list?.(ask),
	};
	groups.set(name, group);
	return group;
}

function chunks<Member>(members: readonly Member[], limit: number): Member[][] {
	const cut: Member[][] = [];
	for (let at = 0; at < members.length; at += limit) cut.push(members.slice(at, at + limit));
	return cut;
}

async function sendChunk<Ask, Answer>(
	asks: readonly Ask[],
	group: Group<Ask, Answer>,
	batching: Batching<Ask, Answer>,
	narrows: boolean,
): Promise<ReadonlyArray<Outcome<Answer>>> {
	const sent = await batching.send(asks, () => group.failure);
	return sent.failure === undefined
		? sent.value
		: await isolate(asks, sent.failure, group, batching, narrows);
}

/** Finds out which asks of a refused request are at fault, and sends the others again. */
async function isolate<Ask, Answer>(
	asks: readonly Ask[],
	failure: Failure,
	group: Group<Ask, Answer>,
	batching: Batching<Ask, Answer>,
	narrows: boolean,
): Promise<ReadonlyArray<Outcome<Answer>>> {
	const all = (given: Failure) => asks.map(() => ({ failure: given }));
	if (failure.kind !== 'invalid' || failure === group.failure) return all(failure);

	const { field } = batching;
	const blamed = (some: readonly Ask[], why: Failure) =>
		blameOf(why, group.list, some.map(batching.key), field);
	const blame = blamed(asks, failure);
	if (blame === 'request') {
		group.failure = failure;
		return all(failure);
	}
	if (blame !== 'unknown') {
		const rest = asks.filter((_, index) => !blame.has(index));
		const results = rest.length === 0 ? [] : await sendChunk(rest, group, batching, narrows);
		const others = results.values();
		return asks.map((_, index) => blame.get(index) ?? others.next().value ?? NO_OUTCOME);
	}
	if (asks.length === 1) return all({ ...failure, field });
	if (!narrows) return all(oneOf(failure, asks.length));

	const middle = Math.ceil(asks.length / 2);
	const halves = await Promise.all(
		[asks.slice(0, middle), asks.slice(middle)].map(async (half) => ({
			half,
			sent: await batching.send(half, () => group.failure),
		})),
	);
	const [first, second] = halves.map(({ half, sent }) =>
		sent.failure?.kind === 'invalid' && blamed(half, sent.failure) === 'unknown'
			? sent.failure.message
			: undefined,
	);
	if (first !== undefined && first === second) return all(oneOf(failure, asks.length));
	const settled = halves.map(async ({ half, sent }) =>
		sent.failure === undefined
			? sent.value
			: await isolate(half, sent.failure, group, batching, narrows),
	);
	return (await Promise.all(settled)).flat();
}

const oneOf = (failure: Failure, count: number): Failure => ({
	...failure,
	message: `${failure.message} It is about one or more of the ${counted(count, 'value')} of this request; the service does not say which.`,
});
