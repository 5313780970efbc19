/**
 * The events of 120 days, dated and shown as the service does: job changes by month, 3 to 45 days late; anniversaries up to 14 days
 * ahead; news by day, up to 10 days late. Each that appears after publishing comes once, and none that was there before.
 */
import type { IDataObject } from 'n8n-workflow';
import { retentionStart } from '../../../nodes/BusinessProspectData/events/query';
import { fraction, hex } from '../../sandbox/world/hash';
import { bySize } from '../../size';
import { DAY } from './n8n';
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

let nodes = 0;

/** Checks once a day, with the default look-back. */
async function simulate(kind: Kind, startFrom?: number) {
	const ids = idsOf(kind);
	const events = eventsOf(kind);
	let now = BEGIN;
	let idle = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	jest.spyOn(performance, 'now').mockImplementation(() => idle);
	const visible = (after = retentionStart(now)) =>
		events.flatMap((event, number) =>
			event.surfaces <= now && event.time > after ? [{ ...event, number }] : [],
		);
	const context = pollContext({
		parameters: {
			...{ triggerOn: `${kind}Event`, checkEvery: 'day', simplify: false, ids },
			options: {
				maxWait: 0,
				...(startFrom !== undefined && { startFrom: new Date(startFrom).toISOString() }),
			},
		},
		state: {},
		workflowId: `late ${nodes++}`,
		name: kind,
		async send(_type, { body }) {
			idle += 200;
			const { event_types: types, timestamp_from: from, ...own } = body as IDataObject;
			const asked = new Set(own[`${kind}_ids`] as string[]);
			const output_events = visible(Math.max(Date.parse(String(from)), retentionStart(now)))
				.filter(({ id, name }) => asked.has(id) && (types as string[]).includes(name))
				.map(({ id, name, time, number }) => ({
					event_name: name,
					event_time: new Date(time).toISOString(),
					event_id: `${number}`,
					[`${kind}_id`]: id,
				}));
			return { statusCode: 200, headers: {}, body: { output_events } };
		},
	});
	const output: string[] = [];
	const [known, due] = [new Set<number>(), new Set<number>()];
	for (let day = 0; day <= DAYS; day++) {
		now = BEGIN + day * DAY;
		// As often as n8n polls while a check is unfinished.
		for (let minute = 0; minute < 3; minute++) {
			const items = (await poll(context))?.[0] ?? [];
			output.push(...items.map(({ json }) => String(json.event_id)));
			now += 60_000;
		}
		for (const { number, time } of visible()) {
			if (day === 0 && time < (startFrom ?? Infinity)) known.add(number);
			else if (!known.has(number)) due.add(number);
		}
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

// The simulation has other look-backs, restarts, outages and edits.
const CASES: Array<[Kind, startFrom?: number]> = [
	['prospect'],
	['business'],
	['prospect', BEGIN - 60 * DAY],
];
test.each(CASES.slice(bySize(2, 0)))(
	'%s, %p: nothing is missed, and nothing is repeated',
	async (...own) => {
		const { shown, ...wrong } = await simulate(...own);

		expect(wrong).toEqual({ missed: 0, fromBefore: 0, repeated: 0 });
		expect(shown).toBeGreaterThan(9);
	},
);
