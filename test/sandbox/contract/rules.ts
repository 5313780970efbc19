/** The contract's rules that a JSON Schema cannot say. Bodies have passed their schema before. */
import { type EndpointName, MATCH_MEMBERS } from './contract';
import { LIMITS } from './limits';

/** One entry of `detail` (contract: "Errors"); numbers in `loc` are positions in a list. */
export interface Problem {
	readonly loc: ReadonlyArray<string | number>;
	readonly msg: string;
	readonly type: string;
}

type Rule = (body: Record<string, unknown>, now: Date) => Problem[];

const problem = (loc: Problem['loc'], msg: string): Problem => ({
	loc: ['body', ...loc],
	msg,
	type: 'value_error',
});

/** `full_name` and `company_name` come together; `business_id` alone identifies nobody. */
const matchRule: Rule = (body) =>
	(body.prospects_to_match as Array<Record<string, string | null>>).flatMap((item, index) => {
		const given = (name: string) => Boolean(item[name]?.trim());
		const loc = ['prospects_to_match', index];
		if (given('full_name') !== given('company_name')) {
			const missing = given('full_name') ? 'company_name' : 'full_name';
			return [problem([...loc, missing], 'full_name and company_name must be sent together')];
		}
		return MATCH_MEMBERS.some((name) => name !== 'business_id' && given(name))
			? []
			: [problem(loc, 'At least one identifying detail is required')];
	});

/** The month before the given moment, `YYYY-MM`. */
export const previousMonth = (now: Date): string =>
	new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);

const trafficRule: Rule = (body, now) => {
	const { month_period: month } = (body.parameters ?? {}) as { month_period?: string };
	const [first, last] = [LIMITS.firstTrafficMonth, previousMonth(now)];
	return month === undefined || (month >= first && month <= last)
		? []
		: [problem(['parameters', 'month_period'], `month_period must be from ${first} to ${last}`)];
};

const statsRule: Rule = (body) => {
	const used = Object.keys(body.filters as object).filter((name) =>
		/^(search|network|naics)_category$/.test(name),
	);
	return used.length > 1
		? [problem(['filters'], `At most one category filter is allowed, not ${used.join(', ')}`)]
		: [];
};

/** Milliseconds since 1970 of a text with the form of a date; one without a zone counts as UTC. `NaN` when no such day exists. */
export function timeOf(text: string): number {
	const [, day = '', time = '00:00', zone = 'Z'] =
		/^(.{10})[T ]?([\d:.,]+)?(Z|[+-].+)?$/.exec(text) ?? [];
	const midnight = Date.parse(`${day}T00:00:00Z`);
	// `Date.parse` takes 30 February for 2 March.
	if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return NaN;
	const offset = zone.replace(
		/^(...):?(..)?$/,
		(_, hours, minutes = '00') => `${hours}:${minutes}`,
	);
	return Date.parse(`${day}T${time.replace(',', '.')}${offset}`);
}

const datesRule =
	(...names: string[]): Rule =>
	(body) =>
		names
			.filter((name) => body[name] !== undefined && Number.isNaN(timeOf(String(body[name]))))
			.map((name) => problem([name], 'Not a date that exists'));

const DAY = 86_400_000;

/** The same time of day so many months later; on the last day of the month where it lacks that day. */
export function addMonths(ms: number, months: number): number {
	const end = new Date(ms);
	const day = end.getUTCDate();
	end.setUTCMonth(end.getUTCMonth() + months);
	if (end.getUTCDate() !== day) end.setUTCDate(0);
	return end.getTime();
}

/** True for UTC and for a known zone name of the form `<Area>/<City>`. */
function isTimeZone(name: string): boolean {
	try {
		new Intl.DateTimeFormat('en', { timeZone: name });
		return name === 'UTC' || name.includes('/');
	} catch {
		return false;
	}
}

const creditsRule: Rule = (body, now) => {
	const { mode, resolution = '', timezone } = body as Record<string, string>;
	const problems = datesRule('from_date', 'to_date')(body, now);
	if (mode === 'timely' && resolution === '') {
		problems.push(problem(['resolution'], 'resolution is required in timely mode'));
	}
	if (timezone !== undefined && !isTimeZone(timezone)) {
		problems.push(problem(['timezone'], 'Not a known time zone'));
	}
	if (problems.length > 0) return problems;
	const [from, to] = [timeOf(String(body.from_date)), timeOf(String(body.to_date))];
	const last = { hour: from + 7 * DAY, day: from + 60 * DAY, month: addMonths(from, 24) };
	return to > (new Map(Object.entries(last)).get(resolution) ?? Infinity)
		? [problem(['to_date'], `The range is too long for the resolution ${resolution}`)]
		: [];
};

const RULES: Partial<Record<EndpointName, Rule>> = {
	match: matchRule,
	websiteTraffic: trafficRule,
	stats: statsRule,
	prospectEvents: datesRule('timestamp_from', 'timestamp_to'),
	businessEvents: datesRule('timestamp_from', 'timestamp_to'),
	credits: creditsRule,
};

/** What a body that fits its schema still does wrong. */
export const brokenRules = (name: EndpointName, body: unknown, now: Date): Problem[] =>
	RULES[name]?.(body as Record<string, unknown>, now) ?? [];
