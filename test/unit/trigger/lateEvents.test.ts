/**
 * The events of 120 days, dated and shown as the service does: job changes by month, 3 to 45 days late; anniversaries up to 14 days
 * ahead; news by day, up to 10 days late. Each that appears after publishing comes once, and none that was there before.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { retentionStart } from '../../../nodes/BusinessProspectData/events/query';
import { fraction, hex } from '../../sandbox/world/hash';
import { DAY, HOUR } from './n8n';
import { poll, pollContext } from './trigger';

const DAYS = 120;
const BEGIN = Date.UTC(2026, 3, 9, 9);
const IDS_PER_KIND = 80;

interface LateEvent {
	readonly id: string;
	readonly name: string;
	readonly time: number;
	readonly surfaces: number;
}

const firstOfMonth = (time: number) => {
	const date = new Date(time);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
};
const firstOfDay = (time: number) => Math.floor(time / DAY) * DAY;

/** By type: how many a year, when one that happens is dated, and when it appears; `share` is random. */
const KINDS = {
	prospect: [
		[
			'prospect_changed_company',
			0.6,
			firstOfMonth,
			(at: number, share: number) => at + (3 + 42 * share) * DAY,
		],
		[
			'prospect_changed_role',
			0.6,
			firstOfMonth,
			(at: number, share: number) => at + (3 + 42 * share) * DAY,
		],
		[
			'prospect_job_start_anniversary',
			0.7,
			firstOfDay,
			(at: number, share: number) => at - 14 * share * DAY,
		],
	],
	business: [
		['new_funding_round', 2, firstOfDay, (at: number, share: number) => at + 10 * share * DAY],
		['new_office', 2, firstOfDay, (at: number, share: number) => at + 10 * share * DAY],
	],
} as const;

type Kind = keyof typeof KINDS;

const idsOf = (kind: Kind) =>
	Array.from({ length: IDS_PER_KIND }, (_, index) =>
		hex(kind === 'prospect' ? 40 : 32, `${kind} ${index}`),
	);

function eventsOf(kind: Kind): LateEvent[] {
	const events: LateEvent[] = [];
	for (const id of idsOf(kind)) {
		for (const [name, perYear, dated, appears] of KINDS[kind]) {
			let at = BEGIN - 150 * DAY;
			for (let number = 0; at < BEGIN + (DAYS + 60) * DAY; number++) {
				const key = `${id} ${name} ${number}`;
				at += (-Math.log(1 - fraction(key)) / perYear) * 365 * DAY;
				events.push({ id, name, time: dated(at), surfaces: appears(at, fraction(`${key} late`)) });
			}
		}
	}
	return events;
}

interface Case {
	readonly kind: Kind;
	readonly every?: 'week' | 'day' | 'hour';
	readonly options?: (begin: number) => IDataObject;
	/** Half of the IDs are added on this day. */
	readonly addedOn?: number;
	/** Days on which n8n restarts with the last saved state, and on which the service is down. */
	readonly restartsOn?: readonly number[];
	readonly downFrom?: number;
	readonly days?: number;
}

const STEP = { week: 7 * DAY, day: DAY, hour: HOUR };
let nodes = 0;

async function simulate({
	kind,
	every = 'day',
	options,
	addedOn = 0,
	restartsOn = [],
	downFrom = Infinity,
	days = DAYS,
}: Case) {
	const ids = idsOf(kind);
	const events = eventsOf(kind);
	let now = BEGIN;
	let idle = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	jest.spyOn(performance, 'now').mockImplementation(() => idle);
	const isDown = () => now >= BEGIN + downFrom * DAY && now < BEGIN + (downFrom + 10) * DAY;
	const visible = (after = retentionStart(now)) =>
		events.flatMap((event, number) =>
			event.surfaces <= now && event.time > after ? [{ ...event, number }] : [],
		);
	const parameters: INodeParameters = {
		triggerOn: `${kind}Event`,
		checkEvery: every,
		simplify: false,
		ids: addedOn > 0 ? ids.slice(0, ids.length / 2) : ids,
		options: { maxWait: 0, ...options?.(BEGIN) },
	};
	const [idField, idsField] = [`${kind}_id`, `${kind}_ids`];
	let state: IDataObject = {};
	let saved = '{}';
	const start = () =>
		pollContext({
			parameters,
			state,
			workflowId: `late ${nodes}`,
			name: `${kind} ${restarts}`,
			async send(_type, { body }) {
				idle += 200;
				if (isDown()) return { statusCode: 503, headers: {}, body: {} };
				const { event_types: types, timestamp_from: from, ...own } = body as IDataObject;
				const asked = new Set(own[idsField] as string[]);
				const output_events = visible(Math.max(Date.parse(String(from)), retentionStart(now)))
					.filter(({ id, name }) => asked.has(id) && (types as string[]).includes(name))
					.map(({ id, name, time, number }) => ({
						event_name: name,
						event_time: new Date(time).toISOString(),
						event_id: `${number}`,
						[idField]: id,
					}));
				return { statusCode: 200, headers: {}, body: { output_events } };
			},
		});
	nodes++;
	let restarts = 0;
	let context = start();
	const output: string[] = [];
	const known = new Set<number>();
	const due = new Set<number>();
	/** Polls as often as n8n does while a check is unfinished or is repeated after a failure. */
	async function check() {
		for (let minute = 0; minute < (isDown() ? 1 : 3); minute++) {
			const items = (await poll(context).catch(() => null))?.[0] ?? [];
			output.push(...items.map(({ json }) => String(json.event_id)));
			if (items.length > 0) saved = JSON.stringify(state);
			now += minute === 0 ? 0 : 60_000;
		}
	}
	await check();
	saved = JSON.stringify(state);
	const { startFrom } = options?.(BEGIN) ?? {};
	const begin = startFrom === undefined ? Infinity : Date.parse(String(startFrom));
	for (const { number, time } of visible()) (time >= begin ? due : known).add(number);
	for (let at = STEP[every]; at <= days * DAY; at += STEP[every]) {
		now = BEGIN + at;
		const day = Math.floor(at / DAY);
		if (addedOn > 0 && day >= addedOn && parameters.ids !== ids) {
			parameters.ids = ids;
			const added = new Set(ids.slice(ids.length / 2));
			for (const { number, id } of visible()) if (added.has(id)) known.add(number);
		}
		if (restartsOn.includes(day) && at % DAY === 0) {
			restarts++;
			state = JSON.parse(saved) as IDataObject;
			context = start();
		}
		await check();
		if (isDown()) continue;
		const isWatched = (id: string) => (parameters.ids as string[]).includes(id);
		for (const { number, id } of visible())
			if (isWatched(id) && !known.has(number)) due.add(number);
	}
	return {
		shown: due.size,
		missed: [...due].filter((number) => !output.includes(String(number))).length,
		fromBefore: output.filter((number) => known.has(Number(number))).length,
		repeated: output.length - new Set(output).size,
	};
}

beforeEach(() => {
	jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
});
afterEach(() => jest.restoreAllMocks());

test.each<[what: string, own: Case]>([
	['people, daily', { kind: 'prospect' }],
	['companies, daily', { kind: 'business' }],
	['people, weekly', { kind: 'prospect', every: 'week' }],
	['companies, weekly', { kind: 'business', every: 'week' }],
	['people, hourly', { kind: 'prospect', every: 'hour', days: 40 }],
	[
		'people, with Start From',
		{
			kind: 'prospect',
			options: (begin) => ({ startFrom: new Date(begin - 60 * DAY).toISOString() }),
		},
	],
	['people, with restarts', { kind: 'prospect', restartsOn: [3, 20, 21, 22, 70, 111] }],
	['people, half of them added later', { kind: 'prospect', addedOn: 30 }],
	['people, with an outage of ten days', { kind: 'prospect', downFrom: 40 }],
	['companies, with an outage of ten days', { kind: 'business', downFrom: 40 }],
])('%s: nothing is missed, and nothing is repeated', async (_what, own) => {
	const { shown, ...wrong } = await simulate(own);

	expect(wrong).toEqual({ missed: 0, fromBefore: 0, repeated: 0 });
	expect(shown).toBeGreaterThan(9);
});
