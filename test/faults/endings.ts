/**
 * What comes of the request that a fault hits, by class of fault and by what the request costs:
 *
 * | class                                                  | free                    | for credits             |
 * | ------------------------------------------------------ | ----------------------- | ----------------------- |
 * | `answered`: the answer comes, whatever is in it        | sent once               | sent once               |
 * | `again`: the service says that it failed, once         | sent again              | sent again              |
 * | `failing`: the same for good                           | 3 times, then an error  | 3 times, then an error  |
 * | `unsureOnce`: nobody knows whether it was done, once   | sent again              | once, an error says so  |
 * | `unsure`: the same for good                            | 3 times, then an error  | once, an error says so  |
 * | `refused`: another try would give the same             | once, then an error     | once, then an error     |
 *
 * How far an error reaches is its `Reach`.
 */
import type { Endpoint } from '../sandbox/contract/contract';
import type { Fault as Kind } from '../sandbox/faults/kinds';
import { MAX_TRIES, type Way } from './ways';
import type { Failing } from './words';

/** How far a failure reaches. */
export type Reach =
	/** All values of the request; other requests are sent. */
	| 'request'
	/** Also all requests to the same endpoint that were not sent yet: they would meet the same. */
	| 'endpoint'
	/** The same, unless a request to that endpoint succeeded before: then it is the endpoint, and the account may use it. */
	| 'unproven'
	/** Also all requests that were not sent yet. */
	| 'everything'
	/** Also all requests that are alike but for their values: what is refused is the same in them. */
	| 'group'
	/** The values that the service names; the others of the request are sent again. */
	| 'values'
	/** The values at fault, found by sending smaller requests. */
	| 'unnamed';

export interface Ending {
	/** How often the request is sent. */
	readonly tries: number;
	/** Milliseconds between two tries, at least. */
	readonly apart?: number;
	/** Absent where it is answered in the end. */
	readonly fails?: Failure;
}

export interface Failure {
	readonly words: Failing;
	readonly reach: Reach;
	readonly status?: number;
	/** Whether the answer bears a correlation ID. */
	readonly correlated?: boolean;
	/** The index that the service names in place of that of an invalid value. */
	readonly namedFor?: (index: number) => number;
}

export interface Fault {
	readonly name: string;
	/** What the sandbox does to the request; `refused`: nothing listens where it is sent; `hang`: no answer. */
	readonly does: 'refused' | 'hang' | ((place: Place) => Kind | Kind[]);
	/** Whether only the first request that fits is hit. */
	readonly once?: boolean;
	/**
	 * Which values the service has something against: by default one of the request. `apart`: another of the request, nearer
	 * to its beginning; `first`: one of the first request;
	 * `everything`: those of other requests too.
	 */
	readonly against?: 'apart' | 'two' | 'two apart' | 'first' | 'all' | 'everything';
	readonly ends: (way: Way) => Ending;
	/** What is sent in the place of the endpoint's answer, where that is no failure. */
	readonly instead?: (endpoint: Endpoint) => unknown;
	/** Where the answer differs from the right one by it. By default nowhere: elsewhere the fault finds nothing to act on. */
	readonly changes?: (way: Way) => boolean;
	/** The parts of the value that are requested once more for it, though they were answered. */
	readonly again?: (way: Way) => readonly string[];
	/** Where values fail by it, since the answer leaves them out or has rows that do not say whose they are. */
	readonly silences?: (way: Way) => boolean;
	/** Whether the values of the request are asked for again, each alone. */
	readonly separates?: (way: Way) => boolean;
}

export interface Place {
	/** The marks of the values that the service has something against. */
	readonly marks: readonly string[];
	/** Another origin. */
	readonly elsewhere: string;
}

/** A row of the matrix. */
export const row = (
	name: string,
	does: Fault['does'],
	ends: Fault['ends'],
	more: Partial<Fault> = {},
): Fault => ({ name, does, ends, ...more });

export const ONCE = { once: true };

/** Whether the answers of a way are of these kinds. */
export const of =
	(...kinds: Array<Way['shape']['kind']>) =>
	({ shape }: Way) =>
		kinds.includes(shape.kind);

export const either =
	(...those: Array<(way: Way) => boolean>) =>
	(way: Way) =>
		those.some((one) => one(way));

/** The shortest wait before the second try, milliseconds. */
export const BACK_OFF = 750;

/** A failure by its words, with the whole request. */
export const failure = (words: Failing, status?: number, more: Partial<Failure> = {}): Failure => ({
	words,
	reach: 'request',
	...(status !== undefined && { status }),
	...more,
});

export const answered = (): Ending => ({ tries: 1 });

export const again =
	(apart = BACK_OFF) =>
	(): Ending => ({ tries: 2, apart });

export const failing =
	(fails: Failure, apart = BACK_OFF) =>
	(): Ending => ({ tries: MAX_TRIES, apart, fails });

export const refused = (fails: Failure) => (): Ending => ({ tries: 1, fails });

export const unsureOnce =
	(fails: Failure) =>
	({ paid }: Way): Ending =>
		paid ? refused(fails)() : again()();

export const unsure =
	(fails: Failure) =>
	({ paid }: Way): Ending =>
		paid ? refused(fails)() : failing(fails)();
