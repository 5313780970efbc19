/**
 * What happens to the request that a fault affects, by kind of fault and by what the request costs:
 *
 * | outcome                    | free request              | paid request              |
 * | -------------------------- | ------------------------- | ------------------------- |
 * | `succeeds`                 | sent once                 | sent once                 |
 * | `succeedsOnRetry`          | sent twice                | sent twice                |
 * | `failsAfterRetries`        | 3 attempts, then an error | 3 attempts, then an error |
 * | `mayHaveBeenProcessedOnce` | sent twice                | 1 attempt, then an error  |
 * | `mayHaveBeenProcessed`     | 3 attempts, then an error | 1 attempt, then an error  |
 * | `failsAtOnce`              | 1 attempt, then an error  | 1 attempt, then an error  |
 */
import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../sandbox/contract/contract';
import type { Fault as Action } from '../sandbox/faults/kinds';
import type { Message } from './messages';
import { MAX_TRIES, type Scenario } from './scenarios';

/** What a failure applies to. */
export type Scope =
	/** All values of the request. Other requests are still sent. */
	| 'request'
	/** Also all unsent requests to the same endpoint. */
	| 'endpoint'
	/** The same, unless an earlier request to that endpoint succeeded. */
	| 'unprovenEndpoint'
	/** Also all unsent requests. */
	| 'everything'
	/** Also all requests that differ only in their values. */
	| 'group'
	/** The values that the service names. The others are sent again. */
	| 'namedValues'
	/** The invalid values, which smaller requests find. */
	| 'unnamedValues';

export interface ExpectedOutcome {
	readonly attempts: number;
	/** Minimum wait between attempts, milliseconds. */
	readonly minWait?: number;
	/** Missing if the request succeeds in the end. */
	readonly failure?: ExpectedFailure;
}

export interface ExpectedFailure {
	readonly message: Message;
	readonly scope: Scope;
	readonly status?: number;
	readonly hasCorrelationId?: boolean;
	/** Further members of the error. */
	readonly facts?: IDataObject;
	/** The index that the service reports instead of an invalid value's own. */
	readonly reportedIndex?: (index: number) => number;
}

type Applies = (scenario: Scenario) => boolean;

export interface Fault {
	readonly name: string;
	/** What the sandbox does. `refuse`: nothing listens at the address. `hang`: no response. */
	readonly action: 'refuse' | 'hang' | ((target: FaultTarget) => Action | Action[]);
	/** Whether only the first matching request is affected. */
	readonly once?: boolean;
	/** Whether a response never ends, so that the longest time for one is shortened. */
	readonly isEndless?: boolean;
	/** Whether a cell takes seconds. */
	readonly isSlow?: boolean;
	/**
	 * Which values the fault is about: by default one of the request. `earlier`: one further to the front of the request;
	 * `first`: one of the first request; `all`: those of the request; `everything`: those of all requests.
	 */
	readonly about?: 'earlier' | 'two' | 'two apart' | 'first' | 'all' | 'everything';
	readonly outcome: (scenario: Scenario) => ExpectedOutcome;
	/** The response in place of the endpoint's own, if it is not a failure. */
	readonly replacement?: (endpoint: Endpoint) => unknown;
	/** Where the fault changes the response. By default nowhere: it finds nothing to change. */
	readonly changesResponse?: Applies;
	/** The parts of the value that are requested once more although they had a response. */
	readonly refetches?: (scenario: Scenario) => readonly string[];
	/** Where values fail because the response leaves them out or doesn't say whose rows it has. */
	readonly leavesValuesOut?: Applies;
	/** Whether each value of the request is requested again, alone. */
	readonly requestsEachAlone?: Applies;
}

interface FaultTarget {
	/** The marks of the values that the fault is about. */
	readonly marks: readonly string[];
	readonly otherOrigin: string;
}

export const fault = (
	name: string,
	action: Fault['action'],
	outcome: Fault['outcome'],
	options: Partial<Fault> = {},
): Fault => ({ name, action, outcome, ...options });

export const ONCE = { once: true };

/** Whether a scenario's responses are of one of these kinds. */
export const isKind =
	(...kinds: Array<Scenario['response']['kind']>): Applies =>
	({ response }) =>
		kinds.includes(response.kind);

export const anyOf =
	(...conditions: Applies[]): Applies =>
	(scenario) =>
		conditions.some((applies) => applies(scenario));

/** Shortest back-off before the second attempt, milliseconds. */
export const BACK_OFF = 750;

/** The failure of a whole request. */
export const failure = (
	message: Message,
	status?: number,
	options: Partial<ExpectedFailure> = {},
): ExpectedFailure => ({
	message,
	scope: 'request',
	...(status !== undefined && { status }),
	...options,
});

export const succeeds = (): ExpectedOutcome => ({ attempts: 1 });

export const succeedsOnRetry =
	(minWait = BACK_OFF) =>
	(): ExpectedOutcome => ({ attempts: 2, minWait });

export const failsAfterRetries =
	(expected: ExpectedFailure, minWait = BACK_OFF) =>
	(): ExpectedOutcome => ({ attempts: MAX_TRIES, minWait, failure: expected });

export const failsAtOnce = (expected: ExpectedFailure) => (): ExpectedOutcome => ({
	attempts: 1,
	failure: expected,
});

export const mayHaveBeenProcessedOnce =
	(expected: ExpectedFailure) =>
	({ paid }: Scenario): ExpectedOutcome =>
		paid ? failsAtOnce(expected)() : succeedsOnRetry()();

export const mayHaveBeenProcessed =
	(expected: ExpectedFailure) =>
	({ paid }: Scenario): ExpectedOutcome =>
		paid ? failsAtOnce(expected)() : failsAfterRetries(expected)();
