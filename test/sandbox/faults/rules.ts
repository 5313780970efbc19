import type { LogEntry, Which } from '../log';
import type { Fault } from './kinds';

/** All given conditions must hold. */
interface FaultCondition {
	/** Endpoint name, or several. */
	to?: Which | readonly Which[];
	/** The request asks for one of these ids (for match: one of its items contains the text). */
	asksFor?: string | readonly string[];
}

export interface FaultRule {
	/** Which requests; all requests to the contract's endpoints without it. */
	when?: FaultCondition | ((request: LogEntry) => boolean);
	/** How often; default once. */
	times?: number | 'always';
	/** One fault, or several for the same request, such as a delay and then an error. */
	do: Fault | readonly Fault[];
}

const some = <T>(value: T | readonly T[]): readonly T[] =>
	Array.isArray(value) ? (value as readonly T[]) : [value as T];

const fits = ({ to, asksFor }: FaultCondition, request: LogEntry): boolean =>
	(to === undefined || some<Which | null>(to).includes(request.endpoint)) &&
	(asksFor === undefined ||
		some(asksFor).some((wanted) => request.ids.some((id) => id.includes(wanted))));

/** The rules in the order in which they were added; one request uses at most one of them. */
export function createFaultRules() {
	let active: Array<{ readonly rule: FaultRule; hits: number }> = [];

	const applies = (
		{ rule: { when = {}, times = 1 }, hits }: (typeof active)[number],
		request: LogEntry,
	) => {
		if (times !== 'always' && hits >= times) return false;
		return typeof when === 'function' ? when(request) : fits(when, request);
	};

	return {
		add(rule: FaultRule) {
			const added = { rule, hits: 0 };
			active.push(added);
			return {
				remove() {
					active = active.filter((one) => one !== added);
				},
			};
		},
		/** The faults for this request: those of the first rule that fits and is not used up. */
		takeFor(request: LogEntry): readonly Fault[] {
			// All rules look at each request, so that conditions can count them.
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
