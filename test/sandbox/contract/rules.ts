/** The contract's rules that a JSON Schema cannot say. Bodies have passed their schema before. */
import type { EndpointName } from './contract';
import { CATEGORY_FILTERS, LIMITS } from './limits';
import { MATCH_MEMBERS } from './requests';

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

type Person = Partial<Record<(typeof MATCH_MEMBERS)[number], string | null>>;

/** `full_name` and `company_name` come together; `business_id` alone identifies nobody. */
const matchRule: Rule = (body) =>
	(body.prospects_to_match as Person[]).flatMap((item, index) => {
		const given = (name: keyof Person) => Boolean(item[name]?.trim());
		const loc = ['prospects_to_match', index];
		if (given('full_name') !== given('company_name')) {
			const missing = given('full_name') ? 'company_name' : 'full_name';
			return [problem([...loc, missing], 'full_name and company_name must be sent together')];
		}
		return MATCH_MEMBERS.some((name) => name !== 'business_id' && given(name))
			? []
			: [problem(loc, 'At least one identifying detail is required')];
	});

const monthOf = (now: Date, back: number) =>
	new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7);

/** From January 2017 up to the previous month. */
const trafficRule: Rule = (body, now) => {
	const month = (body.parameters as { month_period?: string } | null | undefined)?.month_period;
	if (month === undefined) return [];
	const last = monthOf(now, 1);
	return month < LIMITS.firstTrafficMonth || month > last
		? [
				problem(
					['parameters', 'month_period'],
					`month_period must be from ${LIMITS.firstTrafficMonth} to ${last}`,
				),
			]
		: [];
};

const statsRule: Rule = (body) => {
	const used = CATEGORY_FILTERS.filter((name) => name in (body.filters as object));
	return used.length > 1
		? [problem(['filters'], `At most one category filter is allowed, not ${used.join(', ')}`)]
		: [];
};

/** Milliseconds since 1970 of a text with the form of a date; one without a zone counts as UTC. `NaN` when no such day exists. */
export function timeOf(text: string): number {
	const day = text.slice(0, 10);
	const midnight = Date.parse(`${day}T00:00:00Z`);
	// `Date.parse` takes 30 February for 2 March.
	if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return NaN;
	if (text.length === 10) return midnight;
	const rest = text.slice(11).replace(',', '.');
	const zone = /(Z|[+-]\d{2}(:?\d{2})?)$/.exec(rest)?.[0] ?? '';
	const time = rest.slice(0, rest.length - zone.length);
	const hours = zone.replace(':', '');
	const offset = hours.length < 3 ? 'Z' : `${hours.slice(0, 3)}:${hours.slice(3) || '00'}`;
	return Date.parse(`${day}T${time}${offset}`);
}

const datesRule =
	(...names: string[]): Rule =>
	(body) =>
		names.flatMap((name) => {
			const value = body[name];
			return typeof value === 'string' && Number.isNaN(timeOf(value))
				? [problem([name], 'Not a date that exists')]
				: [];
		});

const DAY = 86_400_000;

/** Two years later in UTC; from 29 February that is the 28th. */
function twoYearsAfter(ms: number): number {
	const end = new Date(ms);
	const month = end.getUTCMonth();
	end.setUTCFullYear(end.getUTCFullYear() + 2);
	if (end.getUTCMonth() !== month) end.setUTCDate(0);
	return end.getTime();
}

/** True for UTC and for a known zone name of the form `<Area>/<City>`. */
function isTimeZone(name: string): boolean {
	if (name !== 'UTC' && !name.includes('/')) return false;
	try {
		new Intl.DateTimeFormat('en', { timeZone: name });
		return true;
	} catch {
		return false;
	}
}

const creditsRule: Rule = (body, now) => {
	const { from_date, to_date, mode, resolution, timezone } = body as Record<string, string>;
	const problems = datesRule('from_date', 'to_date')(body, now);
	if (mode === 'timely' && !resolution) {
		problems.push(problem(['resolution'], 'resolution is required in timely mode'));
	}
	if (timezone !== undefined && !isTimeZone(timezone)) {
		problems.push(problem(['timezone'], 'Not a known time zone'));
	}
	if (problems.length > 0) return problems;
	const from = timeOf(from_date ?? '');
	const last: Record<string, number> = {
		hour: from + 7 * DAY,
		day: from + 60 * DAY,
		month: twoYearsAfter(from),
	};
	return timeOf(to_date ?? '') > (last[resolution ?? ''] ?? Infinity)
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
