import { counted, type Failure, type Outcome } from '../api/outcome';
import { blameOf } from './blame';

/** How asks become requests. */
export interface Batching<Ask, Answer> {
	/** How many asks fit into one request. */
	readonly limit: (ask: Ask) => number;
	/** Asks with the same group may share a request. */
	readonly group: (ask: Ask) => string;
	/** Asks with the same key in a group are one and the same: it is sent once. */
	readonly key: (ask: Ask) => string;
	/** The member of the request body that lists the asks; errors of the service name it. */
	readonly list?: (ask: Ask) => string;
	/** The saved name of the parameter that the asks come from. */
	readonly field?: string;
	/**
	 * Sends one request: an outcome for each ask, in their order, or the failure of the whole request. `refusal` is to be
	 * looked at when the request's turn comes: it is set once the service has refused what all requests have in common.
	 */
	readonly send: (
		asks: readonly Ask[],
		refusal: () => Failure | undefined,
	) => Promise<Outcome<ReadonlyArray<Outcome<Answer>>>>;
}

export interface BatchRun<Answer> {
	/** One for each ask, in the order of the asks. */
	readonly outcomes: ReadonlyArray<Outcome<Answer>>;
	/** For each ask whether an equal one before it was sent in its stead. */
	readonly repeated: readonly boolean[];
}

interface Group {
	/** Set when the request itself was refused, whatever is asked: nothing more is sent. */
	failure?: Failure;
}

/**
 * Groups asks, takes out repetitions, cuts to the limit, sends, and isolates what the service refuses.
 *
 * @param narrows whether to find out, by further requests, which ask a refused request is refused for
 */
export async function inBatches<Ask, Answer>(
	asks: readonly Ask[],
	batching: Batching<Ask, Answer>,
	narrows: boolean,
): Promise<BatchRun<Answer>> {
	const groups = new Map<string, Map<string, number[]>>();
	const repeated = asks.map((ask, position) => {
		const name = batching.group(ask);
		const group = groups.get(name) ?? new Map<string, number[]>();
		groups.set(name, group);
		const key = batching.key(ask);
		const equals = group.get(key);
		if (equals === undefined) group.set(key, [position]);
		else equals.push(position);
		return equals !== undefined;
	});

	const outcomes: Array<Outcome<Answer>> = new Array(asks.length);
	const requests = [...groups.values()].flatMap((members) => {
		const group: Group = {};
		return chunks([...members.values()], (positions) => batching.limit(askAt(asks, positions))).map(
			async (chunk) => {
				const results = await sendChunk(
					chunk.map((positions) => askAt(asks, positions)),
					group,
					batching,
					narrows,
				);
				chunk.forEach((positions, index) => {
					const outcome = results[index] ?? { failure: NO_OUTCOME };
					for (const position of positions) outcomes[position] = outcome;
				});
			},
		);
	});
	await Promise.all(requests);
	return { outcomes, repeated };
}

const NO_OUTCOME: Failure = {
	kind: 'unreadable',
	message: 'The service gave no result for this one. Try again later.',
};

function askAt<Ask>(asks: readonly Ask[], positions: readonly number[]): Ask {
	const [first = 0] = positions;
	return asks[first] as Ask;
}

function chunks<Member>(members: Member[], limitOf: (first: Member) => number): Member[][] {
	const cut: Member[][] = [];
	for (let at = 0; at < members.length; ) {
		const limit = limitOf(members[at] as Member);
		cut.push(members.slice(at, at + limit));
		at += limit;
	}
	return cut;
}

async function sendChunk<Ask, Answer>(
	asks: readonly Ask[],
	group: Group,
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
	group: Group,
	batching: Batching<Ask, Answer>,
	narrows: boolean,
): Promise<ReadonlyArray<Outcome<Answer>>> {
	const all = (given: Failure) => asks.map(() => ({ failure: given }));
	if (failure.kind !== 'invalid' || failure === group.failure) return all(failure);

	const { list, field } = batching;
	const blamed = (some: readonly Ask[], why: Failure) =>
		blameOf(why, list?.(askAt(some, [0])), some.length, field);
	const blame = blamed(asks, failure);
	if (blame === 'request') {
		group.failure = failure;
		return all(failure);
	}
	if (blame !== 'unknown') {
		const rest = asks.filter((_, index) => !blame.has(index));
		const results = rest.length === 0 ? [] : await sendChunk(rest, group, batching, narrows);
		const others = results.values();
		return asks.map(
			(_, index) => blame.get(index) ?? others.next().value ?? { failure: NO_OUTCOME },
		);
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
