/** Events that keep happening: a function of time alone, plus those planted by hand. */
import { EVENT_TYPES, LIMITS } from '../contract/limits';
import { addMonths } from '../contract/rules';
import type { Company } from './companies';
import { below, between, fraction, hex, pick } from './hash';
import type { Person } from './people';
import { PLACES, TITLES } from './vocabulary';

export type EventKind = 'prospect' | 'business';

export interface WorldEvent {
	readonly kind: EventKind;
	readonly event_id: string;
	readonly event_name: string;
	/** The date that the service gives it, in milliseconds since 1970. */
	readonly time: number;
	/** When it can first be seen: weeks after `time`, or days before it. */
	readonly surfacesAt: number;
	readonly entityId: string;
	readonly data: Record<string, unknown>;
}

interface Entities {
	readonly companies: number;
	person(index: number): Person;
	company(index: number): Company;
}
/** `key` is the event's own: the same for no other event. */
type EventData = (
	world: Entities,
	index: number,
	name: string,
	time: number,
	key: string,
) => object;

const DAY = 86_400_000;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The members that the service's documentation names for each type. */
export const eventData: Readonly<Record<EventKind, EventData>> = {
	prospect({ person, company, companies }, index, name, time, key) {
		const { company: current, previousCompany, fullName, network, ...jobs } = person(index);
		const own = company(current);
		const title = jobs.position.title;
		if (name === 'prospect_job_start_anniversary') {
			return {
				...{ full_name: fullName, company_name: own.name, job_title: title, network_url: network },
				...{ years_at_company: between(1, 12, key), job_anniversary_date: dayOf(time) },
			};
		}
		const next = below(companies, key);
		const isMove = name === 'prospect_changed_company';
		const previous = isMove && next === current ? company(previousCompany) : own;
		const now = isMove ? company(next) : own;
		return {
			current_company_name: now.name,
			current_company_id: now.id,
			current_job_title: pick(TITLES, `${key}:title`).title,
			previous_company_name: previous.name,
			previous_company_id: previous.id,
			previous_job_title: isMove ? jobs.previousPosition.title : title,
		};
	},
	business({ company, companies }, index, name, time, key) {
		const { name: own } = company(index);
		const other = company((index + 1) % companies).name;
		const amount = between(1, 90, key) * 100_000;
		const date = dayOf(time);
		const link = `https://news.example/${index}-${date}`;
		const news = (title: string) => ({ title, snippet: `${title}, it said on ${date}.`, link });
		const shares = between(1, 50, `${key}:shares`) * 100_000;
		const price = between(5, 60, key);
		switch (name) {
			case 'ipo_announcement':
				return {
					...{
						ipo_date: date,
						company_name: own,
						offer_amount: shares * price,
						number_of_shares: shares,
					},
					...{ stock_exchange: 'Example Exchange', price_per_share: price },
					...{ ticker: own.slice(0, 4).toUpperCase(), status: 'announced' },
				};
			case 'new_funding_round':
				return {
					...{ founding_date: date, amount_raised: amount, founding_stage: 'series A' },
					...{ investors: `${other}, Example Ventures`, lead_investor: 'Example Ventures', link },
				};
			case 'new_office':
				return {
					...{ purpose_of_new_office: 'sales', office_location: pick(PLACES, key).city },
					...{ number_of_employees: between(5, 200, key), ...news(`${own} opens an office`) },
				};
			case 'new_product':
				return {
					...{ product_name: `${own} Assist`, product_description: 'Answers questions.' },
					...news(`${own} launches Assist`),
				};
			case 'new_investment':
				return {
					...{ investment_type: 'minority stake', investment_target: other },
					...{ investment_amount: amount, investment_amount_currency: 'USD' },
					...{
						investment_date: new Date(time).toISOString(),
						...news(`${own} invests in ${other}`),
					},
				};
			default:
				return { link };
		}
	},
};

/** The beginning of the contract's event window: three calendar months before `now`. */
export const windowStart = (now: number): number => addMonths(now, -LIMITS.eventWindowMonths);

/** How far ahead anniversaries are dated, and how late others can surface after the day or month that they are dated. */
const AHEAD = 14 * DAY;
const MONTH = 31 * DAY;

/**
 * The date of what happens at `moment`, and when it can first be seen: a job change has the first of its month, and surfaces 3
 * to 45 days late; an anniversary has its day, and surfaces up to 14 days before; news have their day, and surface up to 10
 * days late.
 */
export function datesOf(name: string, moment: number, key: string) {
	const share = fraction(`${key}:lag`);
	const day = Math.floor(moment / DAY) * DAY;
	const after = (days: number) => Math.ceil(moment + days * DAY);
	if (name === 'prospect_job_start_anniversary') {
		return { time: day, surfacesAt: day - Math.floor(share * AHEAD) };
	}
	if (!name.startsWith('prospect_')) return { time: day, surfacesAt: after(share * 10) };
	// Most within two weeks.
	const late = after(3 + 42 * share ** 2);
	return { time: Date.parse(`${dayOf(moment).slice(0, 7)}-01T00:00Z`), surfacesAt: late };
}

/**
 * The events of one entity that can be seen at `now`, with `from` < time ≤ `to`, oldest first. Time is cut into slots of equal
 * length, and in each slot something happens to an entity at a moment of its own. `count` is the number of entities of its
 * kind, `perDay` how much happens to all of them in a day.
 */
export function madeEvents(
	world: Entities,
	kind: EventKind,
	{ id, index, count }: { id: string; index: number; count: number },
	{ from, to, now }: { from: number; to: number; now: number },
	perDay: number,
): WorldEvent[] {
	if (perDay <= 0) return [];
	const slot = (count / perDay) * DAY;
	const events: WorldEvent[] = [];
	const last = Math.min(to + MONTH, now + AHEAD + DAY);
	for (let number = Math.floor(from / slot); number * slot <= last; number++) {
		const key = `${kind}:${id}:${number}`;
		const name = pick(EVENT_TYPES[kind], `${key}:name`);
		const { time, surfacesAt } = datesOf(name, Math.floor((number + fraction(key)) * slot), key);
		if (time <= from || time > to || surfacesAt > now) continue;
		events.push({
			kind,
			event_id: hex(32, `event:${key}`),
			event_name: name,
			time,
			surfacesAt,
			entityId: id,
			data: { event_name: name, ...eventData[kind](world, index, name, time, key) },
		});
	}
	return events.sort((one, other) => one.time - other.time);
}

/** The event as the two event endpoints give it (contract: "Event records"). */
export const eventRecord = (event: WorldEvent) => ({
	event_name: event.event_name,
	event_time: new Date(event.time).toISOString().replace('Z', '+00:00'),
	event_id: event.event_id,
	[event.kind === 'prospect' ? 'prospect_id' : 'business_id']: event.entityId,
	data: event.data,
});
