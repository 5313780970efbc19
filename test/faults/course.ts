/** Which requests must be sent in a run with a fault, and which values fail. */
import type { Ending, Reach } from './endings';
import type { Asked, Way } from './ways';

export interface Course {
	/** All requests, each as often as it is sent. */
	readonly sent: readonly Asked[];
	/** Requests that may be sent besides, while the one that was hit waits for its next try. */
	readonly mayBeSent: readonly Asked[];
	/** Whether the words of the fault are told for this part of a value. */
	readonly fails: (part: string, value: number) => boolean;
	/** Whether a value that fails is known to be invalid itself. */
	readonly alone: (value: number) => boolean;
	/** Further requests by which invalid values are found. */
	readonly search?: Search;
}

/**
 * A search for values that the service refuses without naming them. How it goes about it is up to the package: what
 * counts is that each of the others is answered once, and how many requests it takes.
 */
export interface Search {
	readonly part: string;
	/** The values of the refused requests. */
	readonly values: readonly number[];
	readonly invalid: readonly number[];
	/** How many requests it takes at most. */
	readonly most: number;
}

/** What is asked for without a fault, and which request of it is hit. */
export interface Plan {
	readonly requests: readonly Asked[];
	readonly hit: number;
}

const times = (count: number, request: Asked): Asked[] =>
	Array.from({ length: count }, () => request);
const endpointOf = ({ part }: Asked) => part.split(' ')[0];

/**
 * @param against the values that the service has something against
 * @param sentAlone whether a value was sent in a request of its own, among those that the package sent
 * @param closes whether the answer to the request that is hit opens no further pages
 * @param stops whether the first failure ends the run
 */
export function courseOf(
	way: Way,
	{ requests, hit }: Plan,
	against: readonly number[],
	sentAlone: (part: string, value: number) => boolean,
	{ tries, fails }: Ending,
	closes: boolean,
	stops: boolean,
): Course {
	const request = requests[hit] as Asked;
	const before = requests.slice(0, hit);
	const closed = way.shape.opens?.(request.part) && (closes || fails !== undefined);
	const after = requests.slice(hit + 1).filter((one) => {
		return !closed || !one.values.some((value) => request.values.includes(value));
	});
	const tried = times(tries, request);
	const course = (
		sent: readonly Asked[],
		failing: readonly Asked[],
		{ alone = () => false, mayBeSent = [], search }: Partial<Course> = {},
	): Course => ({
		sent,
		mayBeSent,
		alone,
		search,
		fails: (part, value) => failing.some((one) => one.part === part && one.values.includes(value)),
	});

	if (fails === undefined) return course([...before, ...tried, ...after], []);
	const proven = before.some((one) => endpointOf(one) === endpointOf(request));
	const told = fails.reach === 'unproven' ? (proven ? 'request' : 'endpoint') : fails.reach;
	const reach = request.values.length === 1 ? reachOfOne(way, told) : told;
	const [named, others] = partition(request.values, (value) => against.includes(value));
	const only = (values: readonly number[]) => ({ ...request, values });
	if (stops) {
		const misnamed = against.flatMap((value) => {
			const index = fails.namedFor?.(request.values.indexOf(value)) ?? -1;
			return request.values.slice(Math.max(0, index), index + 1);
		});
		// Nothing more is sent, so a wrong name can't be checked.
		const believed = reach === 'values' ? named : misnamed;
		const failing = believed.length > 0 ? only(believed) : request;
		return course([...before, ...tried], [failing], { mayBeSent: tries > 1 ? after : [] });
	}
	switch (reach) {
		case 'request':
			return course([...before, ...tried, ...after], [request]);
		case 'values': {
			const again = others.length === 0 ? [] : [only(others)];
			return course([...before, ...tried, ...again, ...after], [only(named)], {
				alone: () => true,
			});
		}
		case 'unnamed': {
			const { part } = request;
			const refused = requests.filter(
				(one) => one.part === part && one.values.some((value) => against.includes(value)),
			);
			const values = refused.flatMap((one) => one.values);
			return course([...before, ...tried, ...after], [{ part, values: against }], {
				alone: (value) => sentAlone(part, value),
				search: { part, values, invalid: against, most: mostToSearch(refused, requests) },
			});
		}
		case 'group':
		case 'endpoint':
		case 'everything': {
			const [met, spared] = partition(after, (one) => meets(one, request, reach));
			return course([...before, ...tried, ...spared], [request, ...met]);
		}
	}
}

/**
 * Each value takes two requests at most, and one that was sent alone takes none. Where the service refuses whatever is sent,
 * eight requests show it.
 */
function mostToSearch(refused: readonly Asked[], all: readonly Asked[]): number {
	const part = refused[0]?.part;
	if (all.every((one) => one.part !== part || refused.includes(one))) return 8;
	return refused.reduce(
		(sum, { values }) => sum + (values.length === 1 ? 0 : 2 * values.length),
		0,
	);
}

/** Whether a later request would meet the same, so that it is not sent. */
function meets(later: Asked, hit: Asked, reach: 'group' | 'endpoint' | 'everything'): boolean {
	if (reach === 'everything') return true;
	return reach === 'group' ? later.part === hit.part : endpointOf(later) === endpointOf(hit);
}

/** Where items share no request, each is a group of its own. */
function reachOfOne({ shape }: Way, reach: Exclude<Reach, 'unproven'>) {
	return reach === 'group' && shape.kind !== 'records' ? 'request' : reach;
}

function partition<One>(all: readonly One[], fits: (one: One) => boolean): [One[], One[]] {
	return [all.filter(fits), all.filter((one) => !fits(one))];
}
