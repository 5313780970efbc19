/** Which requests a run with a fault must send, and which values fail. */
import type { ExpectedOutcome, Scope } from './expectedOutcomes';
import { chunks } from '../../nodes/BusinessProspectData/core/collections';
import type { PartResults } from './expectedItems';
import { isIdentified } from './responseModels';
import type { Scenario, SentRequest } from './scenarios';

export interface Expectation {
	/** All requests, each as often as it is sent. */
	readonly requests: readonly SentRequest[];
	/** Requests that may also be sent while the affected one waits for its next attempt. */
	readonly optional: readonly SentRequest[];
	/** Whether this part of a value fails with the fault's message. */
	readonly fails: (part: string, value: number) => boolean;
	/** Whether a failed value is known to be invalid itself. */
	readonly isInvalid: (value: number) => boolean;
	readonly bisection?: Bisection;
}

/**
 * The search for values that the service rejects without naming them. The package chooses the requests; what counts is
 * their number, and that each valid value has one response.
 */
export interface Bisection {
	readonly part: string;
	/** The values of the rejected requests. */
	readonly values: readonly number[];
	readonly invalid: readonly number[];
	readonly maxRequests: number;
}

/** The requests of a run without a fault, and the index of the one that the fault affects. */
export interface Plan {
	readonly requests: readonly SentRequest[];
	readonly affected: number;
}

interface Conditions {
	/** The values that the fault is about. */
	readonly faulty: readonly number[];
	/** Whether the package sent a value in a request of its own. */
	readonly wasSentAlone: (part: string, value: number) => boolean;
	/** Whether the response to the affected request announces no further pages. */
	readonly endsPaging: boolean;
	/** Whether the first failure ends the run. */
	readonly stops: boolean;
}

const endpointOf = ({ part }: SentRequest) => part.split(' ')[0];

function expectRequests(
	scenario: Scenario,
	{ requests, affected }: Plan,
	{ attempts, failure }: ExpectedOutcome,
	{ faulty, wasSentAlone, endsPaging, stops }: Conditions,
): Expectation {
	const request = requests[affected] as SentRequest;
	const before = requests.slice(0, affected);
	const { part, values } = request;
	const hasNoMorePages =
		scenario.response.announcesPages?.(part) && (endsPaging || failure !== undefined);
	const after = requests
		.slice(affected + 1)
		.filter((later) => !hasNoMorePages || !later.values.some((value) => values.includes(value)));
	const attempted = [...before, ...Array<SentRequest>(attempts).fill(request)];
	const expectation = (
		sent: readonly SentRequest[],
		failing: readonly SentRequest[],
		options: Partial<Expectation> = {},
	): Expectation => ({
		requests: sent,
		optional: [],
		isInvalid: () => false,
		fails: (ofPart, value) =>
			failing.some((failed) => failed.part === ofPart && failed.values.includes(value)),
		...options,
	});

	if (failure === undefined) return expectation([...attempted, ...after], []);
	const isProven = before.some((earlier) => endpointOf(earlier) === endpointOf(request));
	const scope = scopeOf(failure.scope, request, scenario, isProven);
	const [named, others] = partition(values, (value) => faulty.includes(value));
	if (stops) {
		// Nothing more is sent, so a wrong index can't be checked.
		const misnamed = faulty.flatMap((value) => {
			const index = failure.reportedIndex?.(values.indexOf(value)) ?? -1;
			return values.slice(Math.max(0, index), index + 1);
		});
		const reported = scope === 'namedValues' ? named : misnamed;
		const failing = reported.length > 0 ? { part, values: reported } : request;
		return expectation(attempted, [failing], { optional: attempts > 1 ? after : [] });
	}
	switch (scope) {
		case 'request':
			return expectation([...attempted, ...after], [request]);
		case 'namedValues': {
			const rest = others.length === 0 ? [] : [{ part, values: others }];
			return expectation([...attempted, ...rest, ...after], [{ part, values: named }], {
				isInvalid: () => true,
			});
		}
		case 'unnamedValues': {
			const rejected = requests.filter(
				(one) => one.part === part && one.values.some((value) => faulty.includes(value)),
			);
			return expectation([...attempted, ...after], [{ part, values: faulty }], {
				isInvalid: (value) => wasSentAlone(part, value),
				bisection: {
					part,
					values: rejected.flatMap((one) => one.values),
					invalid: faulty,
					maxRequests: maxBisectionRequests(rejected, requests),
				},
			});
		}
		default: {
			const [blocked, sent] = partition(after, (later) => isBlocked(later, request, scope));
			return expectation([...attempted, ...sent], [request, ...blocked]);
		}
	}
}

/**
 * The same for a run in which IDs are found first. If the fault affects that step, who is requested in the next one
 * depends on it: those with an ID, in batches of ten.
 */
export function expectBothSteps(
	scenario: Scenario,
	plan: Plan,
	outcome: ExpectedOutcome,
	results: PartResults,
	conditions: Conditions,
): Expectation {
	const { step = 'data' } = scenario;
	if (step === 'data') return expectRequests(scenario, plan, outcome, conditions);
	const isFirst = (request: SentRequest) => endpointOf(request) === step;
	const requests = plan.requests.filter(isFirst);
	const expectation = expectRequests(scenario, { ...plan, requests }, outcome, conditions);
	const { failure } = outcome;
	if (conditions.stops && failure !== undefined) return expectation;
	const identified = [...(results.get(requests[0]?.part ?? '') ?? [])].flatMap(([value, result]) =>
		'data' in result && isIdentified(result.data) ? [value] : [],
	);
	const values = identified.sort((a, b) => a - b);
	const parts = new Set(plan.requests.filter((one) => !isFirst(one)).map(({ part }) => part));
	const later = [...parts].flatMap((part) =>
		chunks(values, 10).map((chunk): SentRequest => ({ part, values: chunk })),
	);
	if (failure?.scope !== 'everything') {
		return { ...expectation, requests: [...expectation.requests, ...later] };
	}
	const isLater = (part: string, value: number) => parts.has(part) && values.includes(value);
	return {
		...expectation,
		fails: (part, value) => expectation.fails(part, value) || isLater(part, value),
	};
}

/** Two requests for each value of a batch. If the service rejects every request, eight requests show it. */
function maxBisectionRequests(
	rejected: readonly SentRequest[],
	all: readonly SentRequest[],
): number {
	const part = rejected[0]?.part;
	if (all.every((one) => one.part !== part || rejected.includes(one))) return 8;
	const batched = rejected.flatMap(({ values }) => (values.length === 1 ? [] : values));
	return 2 * batched.length;
}

function isBlocked(
	later: SentRequest,
	failed: SentRequest,
	scope: 'group' | 'endpoint' | 'everything',
): boolean {
	if (scope === 'everything') return true;
	return scope === 'group' ? later.part === failed.part : endpointOf(later) === endpointOf(failed);
}

function scopeOf(
	scope: Scope,
	{ values }: SentRequest,
	{ response }: Scenario,
	isProven: boolean,
): Exclude<Scope, 'unprovenEndpoint'> {
	if (scope === 'unprovenEndpoint') return isProven ? 'request' : 'endpoint';
	// Requests for single items share no other parameters.
	const isSingle = values.length === 1 && response.kind !== 'records';
	return scope === 'group' && isSingle ? 'request' : scope;
}

function partition<One>(all: readonly One[], fits: (one: One) => boolean): [One[], One[]] {
	return [all.filter(fits), all.filter((one) => !fits(one))];
}
