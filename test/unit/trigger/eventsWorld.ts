/** Watched IDs: the events of the service, and which of them the trigger may and must output. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { retentionStart } from '../../../nodes/BusinessProspectData/events/query';
import { anyMode, anyStepsOf, weighted } from './arbitraries';
import { BEGIN, DAY, type History, HOUR, type PollRecord, type World } from './n8n';
import { idsOf } from './trigger';

interface SimEvent {
	readonly name: string;
	readonly entity: string;
	readonly time: number;
	readonly surfaces: number;
	/** From `at` on, the service returns a later time for it. */
	readonly moves?: { readonly at: number; readonly to: number };
}

interface Settings {
	readonly ids: readonly string[];
	readonly types: readonly string[];
	/** Multiple of the history's look-back; the promise holds for the shortest. */
	readonly lookBackFactor: number;
}

type Change =
	/** Something happens now, and surfaces after some days. */
	| { readonly kind: 'event'; readonly name: string; readonly entity: string; readonly lag: number }
	/** Requests with this ID fail; without an ID, they work again. */
	| { readonly kind: 'bad'; readonly id?: string | undefined }
	/** The clock of n8n's machine is wrong by `off` from now on. */
	| { readonly kind: 'clock'; readonly off: number };

interface Ledger {
	/** The IDs that have been watched from the start, and are not recorded yet. */
	readonly first: readonly string[];
	/** Of each other ID, the types whose events are recorded, and since when. */
	readonly recorded: Readonly<
		Record<string, { readonly since: number; readonly types: readonly string[] }>
	>;
	/** The numbers of the events that were there when their ID and type were recorded, and must not come. */
	readonly known: readonly string[];
	/** The numbers of the events that may count as known, because they were at the end of the look-back. */
	readonly unclear: readonly string[];
	/** The numbers of the events that were output. */
	readonly output: readonly string[];
}

interface EventsHistory extends History<Settings, Change> {
	readonly lookBackDays: number;
	readonly checkEvery: 'poll' | 'hour';
	/** Requests per Poll. */
	readonly requestsPerPoll: number;
	/** Start From, in days before the first activation. */
	readonly startDaysBefore?: number | undefined;
	readonly events: readonly SimEvent[];
	/** Whether it also watches an ID that the service rejects. */
	readonly watchesRejected: boolean;
}

const IDS = idsOf(5);
const REJECTED = 'f'.repeat(40);
const TYPES = ['prospect_changed_company', 'prospect_changed_role'];

export class EventsWorld implements World<Settings, Change, Ledger> {
	private badId: string | undefined;
	private off = 0;
	private readonly events: SimEvent[];
	readonly roundMs = 26 * HOUR;

	constructor(private readonly history: EventsHistory) {
		this.events = [...history.events];
	}

	private get startFrom(): number | undefined {
		const { startDaysBefore: days } = this.history;
		return days === undefined ? undefined : BEGIN - days * DAY;
	}

	parametersOf({ ids, types, lookBackFactor }: Settings) {
		const { startFrom, history } = this;
		const { checkEvery, lookBackDays, requestsPerPoll, watchesRejected } = history;
		return {
			checkEvery,
			ids: [...(watchesRejected ? [REJECTED] : []), ...ids],
			eventTypes: [...types],
			simplify: false,
			options: {
				lookBackDays: daysOf(lookBackDays, lookBackFactor),
				...(startFrom !== undefined && { startFrom: new Date(startFrom).toISOString() }),
				requestsPerPoll,
				maxConcurrentRequests: 1,
				maxWait: 0,
			},
		};
	}

	change(change: Change, _tick: number, now: number): void {
		if (change.kind === 'bad') this.badId = change.id;
		if (change.kind === 'clock') this.off = change.off;
		if (change.kind !== 'event') return;
		const { name, entity, lag } = change;
		const surfaces = now + lag * DAY;
		this.events.push({ name, entity, time: now, surfaces });
	}

	readonly clockOffset = () => this.off;

	calm(): void {
		this.badId = undefined;
	}

	/** The service returns some events twice. */
	respond(body: IDataObject, now: number) {
		const ids = body.prospect_ids as string[];
		const types = body.event_types as string[];
		if (this.badId !== undefined && ids.includes(this.badId)) return undefined;
		if (ids.includes(REJECTED)) {
			const loc = ['body', 'prospect_ids', ids.indexOf(REJECTED)];
			return { status: 422, body: { detail: [{ loc, msg: 'Not known.' }] } };
		}
		const after = Math.max(Date.parse(String(body.timestamp_from)), retentionStart(now) - 1);
		const output_events = this.events.flatMap((event, number) => {
			const { entity, name, moves, surfaces } = event;
			const time = moves !== undefined && now >= moves.at ? moves.to : event.time;
			const isVisible = surfaces <= now && time > after;
			if (!isVisible || !ids.includes(entity) || !types.includes(name)) return [];
			const record = {
				number,
				// Events of two entities may have the same ID.
				event_id: `event ${this.events.slice(0, number).filter((other) => other.entity === entity).length}`,
				event_name: name,
				event_time: new Date(time).toISOString(),
				prospect_id: entity,
			};
			return number % 3 === 0 ? [record, { ...record }] : [record];
		});
		const response = { output_events };
		this.times.set(response, now);
		return { status: 200, body: response };
	}

	mayStartOver(latest: Ledger | undefined): boolean {
		return latest === undefined;
	}

	account(
		{ began, settings, requests, rows, ledger }: PollRecord<Settings, Ledger>,
		reportError: (error: string) => void,
	): Ledger {
		const { startFrom = Infinity } = this;
		const isWatched = (id: string) => settings.ids.includes(id);
		const first = new Set((ledger?.first ?? settings.ids).filter(isWatched));
		const recorded = new Map(
			Object.entries(ledger?.recorded ?? {})
				.filter(([id]) => isWatched(id))
				.map(([id, { since, types }]) => {
					const kept = types.filter((type) => settings.types.includes(type));
					return [id, { since, types: kept }];
				}),
		);
		const known = new Set(ledger?.known);
		const unclear = new Set(ledger?.unclear);
		for (const { body, data } of requests) {
			const at = this.times.get(data as object) ?? 0;
			const types = body.event_types as string[];
			for (const { number, event_time } of (data as { output_events: IDataObject[] })
				.output_events) {
				const { entity = '', name = '' } = this.events[Number(number)] ?? {};
				const before = recorded.get(entity) ?? { since: 0, types: [] };
				const since = first.has(entity) ? startFrom : before.since;
				const time = Date.parse(String(event_time));
				if (!first.has(entity) && !before.types.includes(name)) known.add(String(number));
				else if (Math.abs(time - since) < 3 * HOUR) unclear.add(String(number));
				else if (time < since) known.add(String(number));
			}
			const days = daysOf(this.history.lookBackDays, began.lookBackFactor);
			const since = Math.floor(at / DAY - days) * DAY;
			for (const id of (body.prospect_ids as string[]).filter(isWatched)) {
				first.delete(id);
				recorded.set(id, { since, types: types.filter((type) => settings.types.includes(type)) });
			}
		}
		const output = [...(ledger?.output ?? [])];
		for (const { number } of rows) {
			const key = `event ${String(number)}`;
			const mayCome = unclear.has(String(number)) || ledger?.output.includes(key) === true;
			if (known.has(String(number)) && !mayCome)
				reportError(`${key} was output: it is from before`);
			if (output.includes(key)) reportError(`${key} was output twice`);
			output.push(key);
		}
		return {
			first: [...first],
			recorded: Object.fromEntries(recorded),
			known: [...known],
			unclear: [...unclear],
			output,
		};
	}

	private readonly times = new WeakMap<object, number>();

	due(ledger: Ledger | undefined, _settings: Settings, settledAt: number): string[] {
		const lastCheck = settledAt + 2 * this.roundMs;
		const lookBack = this.history.lookBackDays * DAY;
		const stillThere = retentionStart(settledAt) + 4 * DAY;
		const oldest = Math.max(stillThere, lastCheck - lookBack + DAY);
		return this.events.flatMap(({ entity, name, time, surfaces }, number) => {
			const isDue =
				ledger?.recorded[entity]?.types.includes(name) === true &&
				!ledger.known.includes(String(number)) &&
				!ledger.unclear.includes(String(number)) &&
				surfaces <= settledAt &&
				(time >= oldest || (surfaces - time < lookBack - DAY && time >= stillThere));
			return isDue ? [`event ${number}`] : [];
		});
	}
}

const daysOf = (days: number, factor: number) => Math.min(88, days * factor);

const some = (values: readonly string[]) => fc.subarray([...values], { minLength: 1 });

/** The service shows an event long after its time, or before it. */
const anyTime = weighted(
	[2, fc.integer({ min: -80 * DAY, max: 20 * DAY })],
	[2, fc.integer({ min: -6 * DAY, max: 14 * DAY })],
	[1, fc.constantFrom(0, HOUR, DAY)],
);

const anySurfacing = weighted(
	[2, fc.integer({ min: -DAY, max: 3 * DAY })],
	[2, fc.integer({ min: -6 * DAY, max: 14 * DAY })],
	[1, fc.constantFrom(0, HOUR, DAY)],
);

const anyEvent: fc.Arbitrary<SimEvent> = fc
	.record({
		name: fc.constantFrom(...TYPES),
		entity: fc.constantFrom(...IDS),
		at: anyTime,
		surfacing: anySurfacing,
		moves: fc.option(
			fc.record({
				after: fc.integer({ min: 1, max: 5 * DAY }),
				by: fc.integer({ min: 1, max: 40 * DAY }),
			}),
			{ freq: 5, nil: undefined },
		),
	})
	.map(({ at, surfacing, moves, ...event }) => {
		const [time, surfaces] = [BEGIN + at, BEGIN + surfacing];
		// It moves while the service still has it.
		const mayMove = moves !== undefined && surfaces + moves.after < time + 88 * DAY;
		if (!mayMove) return { ...event, time, surfaces };
		return { ...event, time, surfaces, moves: { at: surfaces + moves.after, to: time + moves.by } };
	});

const anySettings: fc.Arbitrary<Settings> = fc.record({
	ids: fc.oneof(fc.constant(IDS), some(IDS)),
	types: fc.oneof(fc.constant(TYPES), some(TYPES)),
	lookBackFactor: fc.constantFrom(1, 2, 4),
});

const anySomething = fc.record({
	kind: fc.constant('event' as const),
	name: fc.constantFrom(...TYPES),
	entity: fc.constantFrom(...IDS),
	lag: fc.constantFrom(0, 0, 0.5, 1),
});

const anyChange = weighted<Change>(
	[2, anySomething],
	[1, fc.constantFrom(undefined, undefined, ...IDS).map((id) => ({ kind: 'bad', id }))],
	[1, fc.integer({ min: -HOUR, max: HOUR }).map((off) => ({ kind: 'clock', off }))],
);

const { anySteps, anyActivation } = anyStepsOf({
	settings: anySettings,
	change: anyChange,
	changes: 3,
});

export const anyEventsHistory: fc.Arbitrary<EventsHistory> = fc.record({
	lookBackDays: fc.constantFrom(5, 30, 88, 88),
	mode: anyMode,
	settings: anySettings,
	activation: anyActivation,
	checkEvery: fc.constantFrom('poll', 'hour'),
	requestsPerPoll: fc.constantFrom(1, 2, 9),
	startDaysBefore: fc.option(fc.constantFrom(2, 80), { freq: 4, nil: undefined }),
	events: fc.array(anyEvent, { minLength: 1, maxLength: 12 }),
	watchesRejected: fc.constantFrom(false, false, true),
	steps: anySteps,
});
