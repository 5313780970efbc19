import { pluralize } from '../core/text';
import type { Failure, Outcome } from '../core/outcome';
import { findNamedInputs } from './blame';
import { chunks, findInvalidInputs, type UniqueInput } from './invalidInputs';
import { type Refusal, sendWithoutNamed } from './namedInputs';

/** How asks become requests. */
export interface BatchFunctions<Ask, Answer> {
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
export interface BatchResult<Ask, Answer> {
	readonly ask: Ask;
	readonly outcome: Outcome<Answer>;
	/** Whether an equal one before it was sent in its stead. */
	readonly repeated: boolean;
}

/** What equal asks of a group share. */
interface Place<Ask, Answer> extends UniqueInput<Ask, Answer> {
	/** Where the first of them stands among all asks. */
	readonly at: number;
}

interface Group<Ask, Answer> {
	/** By the key of their ask. */
	readonly places: Map<string, Place<Ask, Answer>>;
	readonly limit: number;
	readonly list: string | undefined;
	/** True once a response shows that the request itself is valid: it has data, or goes on naming values. */
	answered: boolean;
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
export async function executeBatches<Ask, Answer>(
	asks: readonly Ask[],
	batching: BatchFunctions<Ask, Answer>,
	narrows: boolean,
): Promise<ReadonlyArray<BatchResult<Ask, Answer>>> {
	const groups = new Map<string, Group<Ask, Answer>>();
	const placed = asks.map((ask, at) => {
		const { places } = groupOf(ask, groups, batching);
		const key = batching.key(ask);
		const known = places.get(key);
		if (known !== undefined) return known;
		const place: Place<Ask, Answer> = { input: ask, at };
		places.set(key, place);
		return place;
	});

	await Promise.all(
		[...groups.values()].map(async (group) => await sendGroup(group, batching, narrows)),
	);
	return asks.map((ask, at) => {
		const { outcome = NO_OUTCOME, at: first = at } = placed[at] ?? {};
		return { ask, outcome, repeated: first !== at };
	});
}

function groupOf<Ask, Answer>(
	ask: Ask,
	groups: Map<string, Group<Ask, Answer>>,
	batching: BatchFunctions<Ask, Answer>,
): Group<Ask, Answer> {
	const name = batching.group(ask);
	const known = groups.get(name);
	if (known !== undefined) return known;
	const group: Group<Ask, Answer> = {
		places: new Map(),
		limit: batching.limit(ask),
		list: batching.list?.(ask),
		answered: false,
	};
	groups.set(name, group);
	return group;
}

/** All batches are sent once before the search: the answer to any of them shows that the request itself is valid. */
async function sendGroup<Ask, Answer>(
	group: Group<Ask, Answer>,
	batching: BatchFunctions<Ask, Answer>,
	narrows: boolean,
): Promise<void> {
	const send = async (places: ReadonlyArray<Place<Ask, Answer>>) =>
		await sendPlaces(places, group, batching);
	const batches = chunks([...group.places.values()], group.limit);
	const sent = batches.map(async (batch) => await sendWithoutNamed(batch, group, send));
	const refused = (await Promise.all(sent)).flat();
	if (narrows) {
		await findInvalidInputs(refused, group, async (places) => {
			const refusal = await send(places);
			return refusal === undefined ? [] : [{ inputs: places, failure: refusal.failure }];
		});
		return;
	}
	for (const { inputs, failure } of refused) fail(inputs, oneOf(failure, inputs.length));
}

/**
 * Sends places in one request and sets their outcomes. If the service refuses some of several places, it sets none and
 * returns the failure, with the outcomes of the places that the service names, by index.
 */
async function sendPlaces<Ask, Answer>(
	places: ReadonlyArray<Place<Ask, Answer>>,
	group: Group<Ask, Answer>,
	batching: BatchFunctions<Ask, Answer>,
): Promise<Refusal | undefined> {
	const asks = places.map(({ input: ask }) => ask);
	const { value, failure } = await batching.send(asks, () => group.failure);
	if (failure === undefined) {
		group.answered = true;
		places.forEach((place, index) => (place.outcome = value[index] ?? NO_OUTCOME));
		return undefined;
	}
	if (failure.kind !== 'invalid' || failure === group.failure) return fail(places, failure);

	const blame = findNamedInputs(failure, group.list, asks.map(batching.key), batching.field);
	if (blame === 'request') {
		group.failure = failure;
		return fail(places, failure);
	}
	if (places.length > 1) return blame === 'unknown' ? { failure } : { failure, named: blame };
	const own = blame === 'unknown' ? undefined : blame.get(0)?.failure;
	return fail(places, own ?? { ...failure, field: batching.field });
}

/** Sets the failure as the outcome of all places. */
function fail(places: ReadonlyArray<UniqueInput<unknown, unknown>>, failure: Failure): undefined {
	for (const place of places) place.outcome = { failure };
	return undefined;
}

const oneOf = (failure: Failure, count: number): Failure => ({
	...failure,
	message: `${failure.message} It is about one or more of the ${pluralize(count, 'value')} of this request; the service does not say which.`,
});
