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
	/** Responses for several IDs don't name its entity. */
	readonly unassigned: boolean;
	/** From `at` on, the service returns a later time for it. */
	readonly moves?: { readonly at: number; readonly to: number };
}

interface Settings {
	readonly ids: readonly string[];
	readonly types: readonly string[];
	/** Multiple of the history's lookback window; the promise holds for the shortest window. */
	readonly lookbackFactor: number;
}

type Change =
	/** Something happens now, and surfaces after a share of the lookback window. */
	| { readonly kind: 'event'; readonly name: string; readonly entity: string; readonly lag: number }
	/** Requests with this ID fail; without an ID, they work again. */
	| { readonly kind: 'bad'; readonly id?: string | undefined }
	/** The clock of n8n's machine is wrong by `off` from now on. */
	| { readonly kind: 'clock'; readonly off: number };

interface Ledger {
	/** Since when each ID and type is watched: at the earliest, and for sure. */
	readonly since: Readonly<Record<string, readonly [may: number, sure: number]>>;
	/** Nothing from before is due. */
	readonly begin: number;
	/** The numbers of the events that were output. */
	readonly output: readonly string[];
}

interface EventsHistory extends History<Settings, Change> {
	readonly lookbackHours: number;
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
	readonly roundMs: number;

	constructor(private readonly history: EventsHistory) {
		this.events = [...history.events];
		this.roundMs = (11 + history.lookbackHours / 4) * HOUR;
	}

	private get startFrom(): number | undefined {
		const { startDaysBefore: days } = this.history;
		return days === undefined ? undefined : BEGIN - days * DAY;
	}

	parametersOf({ ids, types, lookbackFactor }: Settings) {
		const { startFrom, history } = this;
		const { checkEvery, lookbackHours, requestsPerPoll, watchesRejected } = history;
		return {
			checkEvery,
			ids: [...(watchesRejected ? [REJECTED] : []), ...ids],
			eventTypes: [...types],
			simplify: false,
			options: {
				lookBackHours: lookbackHours * lookbackFactor,
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
		const surfaces = now + lag * this.history.lookbackHours * HOUR;
		this.events.push({ name, entity, time: now, surfaces, unassigned: false });
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
				...((ids.length === 1 || !event.unassigned) && { prospect_id: entity }),
			};
			return number % 3 === 0 ? [record, { ...record }] : [record];
		});
		return { status: 200, body: { output_events } };
	}

	mayStartOver(latest: Ledger | undefined): boolean {
		return latest === undefined;
	}

	account(
		{ settings, from, addedFrom, watchedSince, rows, ledger }: PollRecord<Settings, Ledger>,
		reportError: (error: string) => void,
	): Ledger {
		const { startFrom } = this;
		const start = startFrom === undefined ? undefined : Math.max(startFrom, retentionStart(from));
		// With a slow clock, an event from before something was added can seem to be from after that.
		const added =
			ledger === undefined && start !== undefined
				? ([start, start] as const)
				: ([ledger === undefined ? from : addedFrom, watchedSince] as const);
		const since = Object.fromEntries(
			[...settings.ids, ...settings.types].map((name) => [name, ledger?.since[name] ?? added]),
		);
		const output = [...(ledger?.output ?? [])];
		for (const { number, event_time } of rows) {
			const { entity = '', name = '' } = this.events[Number(number)] ?? {};
			// What was removed since the poll started is no longer known.
			const mays = [entity, name].map((watched) => since[watched]?.[0] ?? -Infinity);
			const key = `event ${String(number)}`;
			if (Date.parse(String(event_time)) < Math.max(...mays)) {
				reportError(`${key} was output: it is from before`);
			}
			if (output.includes(key)) reportError(`${key} was output twice`);
			output.push(key);
		}
		return { since, output, begin: ledger?.begin ?? start ?? from };
	}

	due(ledger: Ledger | undefined, _settings: Settings, settledAt: number): string[] {
		const { lookbackHours } = this.history;
		return this.events.flatMap(({ entity, name, time, surfaces }, number) => {
			const sures = [entity, name].map((watched) => ledger?.since[watched]?.[1] ?? Infinity);
			const isDue =
				time >= Math.max(...sures, ledger?.begin ?? Infinity) &&
				surfaces - time <= lookbackHours * HOUR &&
				surfaces <= settledAt &&
				// The service may have dropped older ones before they could be queried.
				time >= retentionStart(settledAt) + DAY;
			return isDue ? [`event ${number}`] : [];
		});
	}
}

const some = (values: readonly string[]) => fc.subarray([...values], { minLength: 1 });

const anyTime = weighted(
	[4, fc.integer({ min: 0, max: 3 * DAY })],
	[2, fc.integer({ min: -6 * DAY, max: 14 * DAY })],
	[1, fc.constantFrom(0, HOUR, DAY)],
);

const anyLag = (lookbackMs: number) =>
	fc.oneof(
		fc.constantFrom(0, lookbackMs),
		fc.integer({ min: Math.floor(lookbackMs * 0.99), max: lookbackMs }),
		fc.integer({ min: 0, max: lookbackMs }),
		fc.integer({ min: 0, max: 2 * lookbackMs + HOUR }),
	);

const anyEvent = (lookbackMs: number): fc.Arbitrary<SimEvent> =>
	fc
		.record({
			name: fc.constantFrom(...TYPES),
			entity: fc.constantFrom(...IDS),
			at: anyTime,
			lag: anyLag(lookbackMs),
			unassigned: weighted([3, fc.constant(false)], [1, fc.constant(true)]),
			moves: fc.option(
				fc.record({
					after: fc.integer({ min: 1, max: lookbackMs + 1 }),
					by: fc.integer({ min: 1, max: 3 * DAY }),
				}),
				{ freq: 5, nil: undefined },
			),
		})
		.map(({ at, lag, moves, ...event }) => {
			const time = BEGIN + at;
			const surfaces = time + lag;
			// It moves while sweeps still cover it, and not into the future.
			const movedAt = surfaces + (moves?.after ?? Infinity);
			if (moves === undefined || movedAt > time + lookbackMs) return { ...event, time, surfaces };
			const to = Math.min(time + moves.by, movedAt);
			return { ...event, time, surfaces, moves: { at: movedAt, to } };
		});

const anySettings: fc.Arbitrary<Settings> = fc.record({
	ids: fc.oneof(fc.constant(IDS), some(IDS)),
	types: fc.oneof(fc.constant(TYPES), some(TYPES)),
	lookbackFactor: fc.constantFrom(1, 2, 4),
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

export const anyEventsHistory: fc.Arbitrary<EventsHistory> = fc
	.constantFrom(0, 5, 72)
	.chain((lookbackHours) =>
		fc.record({
			lookbackHours: fc.constant(lookbackHours),
			mode: anyMode,
			settings: anySettings,
			activation: anyActivation,
			checkEvery: fc.constantFrom('poll', 'hour'),
			requestsPerPoll: fc.constantFrom(1, 2, 9),
			startDaysBefore: fc.option(fc.constantFrom(2, 80), { freq: 4, nil: undefined }),
			events: fc.array(anyEvent(lookbackHours * HOUR), { minLength: 1, maxLength: 12 }),
			watchesRejected: fc.constantFrom(false, false, true),
			steps: anySteps,
		}),
	);
