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
	/** Whether the values that fail are known to be at fault themselves. */
	readonly alone: boolean;
}

/** What is asked for without a fault, and which request of it is hit. */
export interface Plan {
	readonly requests: readonly Asked[];
	readonly hit: number;
}

const times = (count: number, request: Asked): Asked[] =>
	Array.from({ length: count }, () => request);
const endpointOf = ({ part }: Asked) => part.split(' ')[0];

/** The halves of a list, the first the longer one. */
const halvesOf = (values: readonly number[]) => {
	const middle = Math.ceil(values.length / 2);
	return [values.slice(0, middle), values.slice(middle)];
};

/**
 * The further requests by which those at fault are found, and the values that fail in the end: halves, and halves of
 * the one that is refused, until a value is alone or both halves are refused.
 */
function halved(
	values: readonly number[],
	against: readonly number[],
): { sent: number[][]; failing: readonly number[] } {
	if (values.length === 1) return { sent: [], failing: values };
	const halves = halvesOf(values);
	const refused = halves.filter((half) => half.some((value) => against.includes(value)));
	const [only, other] = refused;
	if (only === undefined || other !== undefined) return { sent: halves, failing: values };
	const further = halved(only, against);
	return { sent: [...halves, ...further.sent], failing: further.failing };
}

/**
 * @param against the values that the service has something against
 * @param closes whether the answer to the request that is hit opens no further pages
 * @param stops whether the first failure ends the run
 */
export function courseOf(
	way: Way,
	{ requests, hit }: Plan,
	against: readonly number[],
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
		{ alone = false, mayBeSent = [] }: Partial<Course> = {},
	): Course => ({
		sent,
		mayBeSent,
		alone,
		fails: (part, value) => failing.some((one) => one.part === part && one.values.includes(value)),
	});

	if (fails === undefined) return course([...before, ...tried, ...after], []);
	const proven = before.some((one) => endpointOf(one) === endpointOf(request));
	const told = fails.reach === 'unproven' ? (proven ? 'request' : 'endpoint') : fails.reach;
	const reach = request.values.length === 1 ? reachOfOne(way, told) : told;
	const [named, others] = partition(request.values, (value) => against.includes(value));
	const only = (values: readonly number[]) => ({ ...request, values });
	if (stops) {
		const failing = reach === 'values' ? only(named) : request;
		return course([...before, ...tried], [failing], { mayBeSent: tries > 1 ? after : [] });
	}
	switch (reach) {
		case 'request':
			return course([...before, ...tried, ...after], [request]);
		case 'values': {
			const again = others.length === 0 ? [] : [only(others)];
			return course([...before, ...tried, ...again, ...after], [only(named)], { alone: true });
		}
		case 'halves': {
			const { sent, failing } = halved(request.values, against);
			const known = failing.length === 1;
			return course([...before, ...tried, ...sent.map(only), ...after], [only(failing)], {
				alone: known,
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
