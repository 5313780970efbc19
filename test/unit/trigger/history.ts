/** Random histories of a trigger: what the service, n8n and its users do to it over days and weeks. */
import fc from 'fast-check';
import type { Death, Mode, N8nStep } from './n8n';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** When the histories start. */
export const BEGIN = Date.UTC(2026, 4, 20, 12);

export const TYPES = ['type-a', 'type-b'] as const;
/** All IDs; the requests of a history take two at a time. */
export const IDS = ['id-0', 'id-1', 'id-2', 'id-3', 'id-4'];

/** An ID that some histories also watch: it has no events, and the service rejects it. */
export const REJECTED_ID = 'id-rejected';

/** An event of the service. Times in milliseconds, by the service's clock. */
export interface SimEvent {
	readonly name: string;
	readonly entity: string;
	readonly time: number;
	readonly surfaces: number;
	/** Responses for several IDs don't name its entity. */
	readonly unassigned: boolean;
	/** From `at` on, the service returns a later time for it. */
	readonly moves?: { readonly at: number; readonly to: number };
}

/** How one poll goes. */
export interface PollPlan {
	/** Indexes of the requests that fail; `all` when the service is down. */
	readonly fails: 'all' | readonly number[];
	/** How many requests the time budget allows. */
	readonly requests: number;
	/** What happens while the second request is pending. */
	readonly during: readonly Step[];
	/** When the process dies, if it does: before or after n8n handles the events of the poll. */
	readonly dies?: Death;
}

export type Step =
	| N8nStep<PollPlan>
	/** The user saves other IDs or types: n8n activates the workflow again. */
	| {
			readonly kind: 'edit';
			readonly ids: readonly string[];
			readonly types: readonly string[];
			/** Multiple of the history's lookback window; the promise holds for the shortest window. */
			readonly lookbackFactor: number;
	  }
	/** Requests with this ID fail; without an ID, they work again. */
	| { readonly kind: 'bad'; readonly id?: string }
	/** The clock of n8n's machine is wrong by `off` from now on. */
	| { readonly kind: 'clock'; readonly off: number };

export interface History {
	readonly mode: Mode;
	readonly lookbackMs: number;
	/** Maximum number of requests per poll. */
	readonly requestsPerPoll: number;
	/** Start From, in days before the first activation. */
	readonly startDaysBefore?: number;
	readonly ids: readonly string[];
	readonly types: readonly string[];
	readonly events: readonly SimEvent[];
	readonly steps: readonly Step[];
	/** Whether it watches `REJECTED_ID`. The service's error then names another ID of the request. */
	readonly misnames: boolean;
}

/** One of the alternatives, by weight. */
export const weighted = <Value>(
	...alternatives: Array<[weight: number, arbitrary: fc.Arbitrary<Value>]>
): fc.Arbitrary<Value> =>
	fc.oneof(...alternatives.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const some = (values: readonly string[]) =>
	fc.subarray([...values], { minLength: 1, maxLength: values.length });

const anyTime = weighted(
	[4, fc.integer({ min: 0, max: 3 * DAY })],
	[2, fc.integer({ min: -6 * DAY, max: 14 * DAY })],
	[1, fc.constantFrom(0, HOUR, DAY)],
);

const anyLag = (lookbackMs: number) =>
	fc.oneof(
		fc.constant(0),
		fc.constant(lookbackMs),
		fc.integer({ min: Math.floor(lookbackMs * 0.99), max: lookbackMs }),
		fc.integer({ min: 0, max: lookbackMs }),
		fc.integer({ min: 0, max: Math.min(lookbackMs, HOUR) }),
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

const anyWait = weighted(
	[4, fc.constant(MINUTE)],
	[3, fc.integer({ min: 1, max: 5 * HOUR })],
	[2, fc.integer({ min: HOUR, max: 30 * HOUR })],
);

const anyDown = fc.constantFrom(0, MINUTE, 3 * HOUR, 7 * DAY);

const anyPlan = (during: fc.Arbitrary<readonly Step[]>): fc.Arbitrary<PollPlan> =>
	fc.record({
		fails: weighted<PollPlan['fails']>(
			[6, fc.constant([])],
			[2, fc.subarray([0, 1, 2])],
			[1, fc.constant('all' as const)],
		),
		requests: weighted([3, fc.constant(9)], [1, fc.nat(2)]),
		during,
		dies: fc.option(fc.constantFrom('before', 'saved', 'started', 'after'), {
			freq: 15,
			nil: undefined,
		}),
	});

const anyEdit: fc.Arbitrary<Step> = fc.record({
	kind: fc.constant('edit' as const),
	ids: fc.oneof(fc.constant(IDS), some(IDS)),
	types: fc.oneof(fc.constant(TYPES), some(TYPES)),
	lookbackFactor: fc.constantFrom(1, 2, 4),
});

const anyChange: fc.Arbitrary<Step> = fc.oneof(
	anyEdit,
	anyEdit,
	fc.record({ kind: fc.constant('reactivate' as const), after: anyDown }),
	fc.record({ kind: fc.constant('restart' as const), after: anyDown }),
	fc.record({
		kind: fc.constant('bad' as const),
		id: fc.constantFrom(undefined, ...IDS),
	}),
	fc.record({
		kind: fc.constant('clock' as const),
		off: fc.oneof(fc.constantFrom(-HOUR, HOUR, HOUR), fc.integer({ min: -HOUR, max: HOUR })),
	}),
	fc.constant({ kind: 'stale' as const }),
);

const anyWaiting = fc.record({ kind: fc.constant('wait' as const), ms: anyWait });
const polling = (plan: fc.Arbitrary<PollPlan>) =>
	fc.record({ kind: fc.constant('poll' as const), plan });

/** What happens during a poll. */
const anyDuring = weighted<readonly Step[]>(
	[5, fc.constant([])],
	[
		1,
		fc.array(fc.oneof(anyWaiting, anyChange, polling(anyPlan(fc.constant([])))), {
			minLength: 1,
			maxLength: 2,
		}),
	],
);

const anyStep = weighted<Step>(
	[60, anyWaiting],
	[120, polling(anyPlan(anyDuring))],
	[30, anyChange],
	[2, fc.constant({ kind: 'rename' as const })],
);

export const anyHistory: fc.Arbitrary<History> = fc
	.record({
		mode: fc.constantFrom<Mode>('live', 'durable', 'scheduled'),
		lookbackMs: fc.constantFrom(0, 5 * HOUR, 72 * HOUR),
	})
	.chain(({ mode, lookbackMs }) =>
		fc.record({
			mode: fc.constant(mode),
			lookbackMs: fc.constant(lookbackMs),
			requestsPerPoll: fc.constantFrom(1, 2, 9),
			startDaysBefore: fc.option(fc.constantFrom(2, 80), { freq: 4, nil: undefined }),
			ids: some(IDS),
			types: some(TYPES),
			events: fc.array(anyEvent(lookbackMs), { minLength: 1, maxLength: 12 }),
			steps: fc.array(anyStep, { minLength: 1, maxLength: 22 }),
			// Generated last, so that it does not change the other members of a seed's histories.
			misnames: fc.constantFrom(false, false, true),
		}),
	);
