import { isRequestTo, type LogEntry, type Which } from '../log';
import type { Fault } from './kinds';

/** All given conditions must hold. */
interface FaultCondition {
	/** Endpoint name or path, or several. */
	to?: Which | readonly Which[];
	/** The request asks for one of these ids (for match: one of its items contains the text). */
	asksFor?: string | readonly string[];
	/** Only the n-th requests (from 1) that fulfil the other conditions. */
	nth?: number | readonly number[];
	body?: (body: unknown) => boolean;
}

export interface FaultRule {
	/** Which requests; all requests to the contract's endpoints without it. */
	when?: FaultCondition | ((request: LogEntry) => boolean);
	/** How often; default once. */
	times?: number | 'always';
	/** One fault, or several for the same request, such as a delay and then an error. */
	do: Fault | readonly Fault[];
}

export interface FaultHandle {
	/** How often it has been applied. */
	readonly hits: number;
	remove(): void;
}

const some = <T>(value: T | readonly T[]): readonly T[] =>
	Array.isArray(value) ? (value as readonly T[]) : [value as T];

const fits = ({ to, asksFor, body }: FaultCondition, request: LogEntry): boolean =>
	(to === undefined || some<Which>(to).some((which) => isRequestTo(request, which))) &&
	(asksFor === undefined ||
		some(asksFor).some((wanted) => request.ids.some((id) => id.includes(wanted)))) &&
	(body === undefined || body(request.body));

/** The rules in the order in which they were added; one request uses at most one of them. */
export function createFaultRules() {
	let active: Array<{ readonly rule: FaultRule; seen: number; hits: number }> = [];

	const applies = (one: (typeof active)[number], request: LogEntry) => {
		const { when = {}, times = 1 } = one.rule;
		if (times !== 'always' && one.hits >= times) return false;
		if (typeof when === 'function') return when(request);
		if (!fits(when, request)) return false;
		one.seen++;
		return when.nth === undefined || some(when.nth).includes(one.seen);
	};

	return {
		add(rule: FaultRule): FaultHandle {
			const added = { rule, seen: 0, hits: 0 };
			active.push(added);
			return {
				get hits() {
					return added.hits;
				},
				remove() {
					active = active.filter((one) => one !== added);
				},
			};
		},
		/** The faults for this request: those of the first rule that fits and is not used up. */
		takeFor(request: LogEntry): readonly Fault[] {
			// All rules look at each request, so that every rule counts for its `nth`.
			const [chosen] = active.filter((one) => applies(one, request));
			if (!chosen) return [];
			chosen.hits++;
			return some(chosen.rule.do);
		},
		clear() {
			active = [];
		},
	};
}
export type FaultRules = ReturnType<typeof createFaultRules>;
