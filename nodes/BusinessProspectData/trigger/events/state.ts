import type { IDataObject } from 'n8n-workflow';
import { asText, isObject } from '../../core/json';
import type { Failure } from '../../core/outcome';
import { eventKey, type EventsResult, timeOf } from '../../events/query';
import { DAY_MS } from '../../parameters/dates';
import { fingerprintOf } from '../checkpointStore';
import {
	isReportDue,
	type PlanOptions,
	type PollCheckpoint,
	type PollResult,
	type ReceivedRow,
	REPORTED_FAILURES,
} from '../runner';
import {
	ADDED_ID,
	eventFingerprint,
	hasOpenIds,
	knownEvents,
	NEW_ID,
	type PackedIds,
	packIds,
	remember,
	unpackIds,
	type WatchedId,
} from './watchedIds';

export interface EventsWatch {
	readonly entityType: 'prospect' | 'business';
	readonly ids: readonly string[];
	readonly types: readonly string[];
	/** How old an event may be when the service first shows it. */
	readonly lookBackDays: number;
	/** In milliseconds. The first check after publishing also outputs events since then. */
	readonly startFrom?: number | undefined;
}

/**
 * What the trigger remembers between polls, as plain JSON. An event is new if no earlier query of its ID and type received it,
 * whatever its date: the service may show an event weeks after its date, or before it.
 */
export interface EventsCheckpoint extends PollCheckpoint {
	readonly entityType: EventsWatch['entityType'];
	/** Fingerprint of the settings that `watched` fits. */
	readonly scopeKey: string;
	readonly lookBackDays: number;
	readonly watched: PackedIds;
	/** When IDs that keep failing were last reported. */
	readonly reportedAt?: number | undefined;
}

/** The query of a poll. */
export interface EventsJob {
	readonly ids: readonly string[];
	readonly types: readonly string[];
	readonly lookBackDays: number;
	/** The time since which to fetch events, and the time of planning, in milliseconds. */
	readonly from: number;
	readonly now: number;
}

/** The result of a query for an ID. */
export interface IdResult extends Partial<EventsResult> {
	readonly id: string;
	readonly hasFailed?: boolean;
}

export interface FetchedEvents {
	/** Leaves out IDs that the check must still query. */
	readonly results: readonly IdResult[];
	readonly failure?: Failure | undefined;
}

export interface SelectedEvents extends PollResult {
	/** IDs that have failed in several checks in a row, if they are to be reported now. */
	readonly failingIds: readonly string[];
	/** True until the first check has recorded something, unless Start From says which events are new. */
	readonly inFirstCheck: boolean;
}

/** How polls for events run (see `createRunner`). */
export const eventsState = {
	open: openEventsCheckpoint,
	hasMore: ({ watched }: EventsCheckpoint) => hasOpenIds(watched),
	plan: planEvents,
	select: selectEvents,
};

function openEventsCheckpoint(saved: unknown, watch: EventsWatch): EventsCheckpoint {
	const { entityType, ids, types, lookBackDays } = watch;
	const scopeKey = fingerprintOf(JSON.stringify([ids, types, lookBackDays]));
	const isSameTrigger = isObject(saved) && saved.entityType === entityType;
	// An earlier version of the trigger saved no key. What the service has now is then known.
	const own = isSameTrigger && hasScopeKey(saved) ? saved : undefined;
	if (own?.scopeKey === scopeKey) return own;
	const before = unpackIds(own?.watched ?? {});
	const isLonger = lookBackDays > (own?.lookBackDays ?? 0);
	const watched = ids.map((id): [string, WatchedId] => {
		const fingerprint = fingerprintOf(id);
		const known = before.get(fingerprint) ?? (isSameTrigger ? ADDED_ID : NEW_ID);
		const { recorded } = known;
		if (recorded === undefined) return [fingerprint, known];
		const covers = !isLonger && types.every((type) => recorded.types.includes(type));
		const kept = recorded.types.filter((type) => types.includes(type));
		// An ID or type that an edit adds is queried at once; everything else when it is due.
		const isOpen = known.isOpen || !covers;
		return [fingerprint, { ...known, isOpen, recorded: { ...recorded, types: kept } }];
	});
	return { ...own, entityType, scopeKey, lookBackDays, watched: packIds(watched) };
}

const hasScopeKey = (saved: object): saved is EventsCheckpoint =>
	'scopeKey' in saved && typeof saved.scopeKey === 'string';

/** Continues the check, or starts a new one. */
function planEvents(
	checkpoint: EventsCheckpoint,
	maxIds: number,
	watch: EventsWatch,
	{ now, startsCheck }: PlanOptions,
): { readonly checkpoint: EventsCheckpoint; readonly job: EventsJob } {
	const { types, lookBackDays, startFrom = Infinity } = watch;
	const all = unpackIds(checkpoint.watched);
	const isOpen = (id: string) => startsCheck || all.get(fingerprintOf(id))?.isOpen === true;
	const open = watch.ids.filter(isOpen);
	const isNew = [...all.values()].some(({ recorded }) => recorded === undefined);
	const ids = open.slice(0, maxIds);
	// What appeared since the last query of an ID, however long ago that was.
	const since = ids.reduce(
		(first, id) => Math.min(first, all.get(fingerprintOf(id))?.recorded?.since ?? Infinity),
		isNew ? startFrom : Infinity,
	);
	return {
		checkpoint: {
			...checkpoint,
			watched: startsCheck ? packIds(reopened(all)) : checkpoint.watched,
			startedAt: open.length === all.size ? now : checkpoint.startedAt,
		},
		job: {
			ids,
			types,
			lookBackDays,
			from: Math.min(lookBackStart(now, lookBackDays), since),
			now,
		},
	};
}

/** A whole day, so that what is remembered of the IDs of a check is written once. */
const lookBackStart = (now: number, days: number): number =>
	Math.floor(now / DAY_MS - days) * DAY_MS;

const reopened = (all: ReadonlyMap<string, WatchedId>) =>
	Array.from(all, ([id, watched]): [string, WatchedId] => [id, { ...watched, isOpen: true }]);

/** Limits what is remembered to some 1.4 MB. At least this many events of each ID stay known. */
const MAX_EVENTS = 200_000;
const MIN_EVENTS_PER_ID = 20;

/** Selects the new events of watched IDs, oldest first, and advances the checkpoint. */
function selectEvents(
	checkpoint: EventsCheckpoint,
	job: EventsJob,
	{ results, failure }: FetchedEvents,
	watch: EventsWatch,
	now: number,
): { readonly checkpoint: EventsCheckpoint; readonly result: SelectedEvents } {
	const { startFrom = Infinity } = watch;
	const all = unpackIds(checkpoint.watched);
	const maxEvents = Math.max(MIN_EVENTS_PER_ID, Math.floor(MAX_EVENTS / all.size));
	// An edit during the poll added something that the poll didn't query.
	const isOutdated =
		watch.lookBackDays > job.lookBackDays || watch.types.some((type) => !job.types.includes(type));
	const types = job.types.filter((type) => watch.types.includes(type));
	const selected: Array<ReceivedRow & { readonly time: number }> = [];
	const failing: string[] = [];
	for (const { id, events = [], responseContext, hasFailed = false } of results) {
		const fingerprint = fingerprintOf(id);
		const before = all.get(fingerprint);
		// An edit removed the ID during the poll.
		if (before === undefined) continue;
		if (hasFailed) {
			const failures = before.failures + 1;
			if (failures >= REPORTED_FAILURES) failing.push(id);
			all.set(fingerprint, { ...before, isOpen: false, failures });
			continue;
		}
		const known = knownEvents(before.events);
		const times = new Map<string, number>();
		for (const row of events) {
			const key = eventFingerprint(eventKey(id, row));
			const time = timeOf(row, now);
			times.set(key, time);
			if (!known.has(key) && isNew(before, row, time))
				selected.push({ time, row, responseContext });
		}
		const newest = [...times].sort(([, a], [, b]) => b - a).slice(0, maxEvents);
		const [, oldest = job.now] = newest.at(-1) ?? [];
		const start = lookBackStart(job.now, job.lookBackDays);
		all.set(fingerprint, {
			isOpen: isOutdated,
			failures: 0,
			recorded: {
				types,
				// Beyond the limit, older events are forgotten, and never count as new.
				since: newest.length < times.size ? Math.max(oldest, start) : start,
			},
			events: remember(before.events, new Set(newest.map(([key]) => key)), now),
		});
	}
	selected.sort((a, b) => a.time - b.time);

	function isNew({ recorded }: WatchedId, row: IDataObject, time: number): boolean {
		if (recorded === undefined) return time >= startFrom;
		const type = asText(row.event_name) ?? '';
		// The clock may have been ahead at the last query.
		const since = recorded.since > job.now ? job.from : recorded.since;
		return (
			time >= since &&
			// An event of an unknown type came because of the types that were queried.
			(recorded.types.includes(type) || (recorded.types.length > 0 && !job.types.includes(type)))
		);
	}

	const watched = [...all.values()];
	const failed = failure !== undefined && !results.some(({ hasFailed }) => hasFailed !== true);
	const repeats = failed && watched.every(({ isOpen, failures }) => !isOpen && failures > 0);
	const reports = !failed && failing.length > 0 && isReportDue(checkpoint.reportedAt, now);
	return {
		checkpoint: {
			...checkpoint,
			watched: packIds(repeats ? reopened(all) : [...all]),
			...(reports && { reportedAt: now }),
		},
		result: {
			rows: selected,
			failed,
			failingIds: reports ? failing : [],
			inFirstCheck:
				startFrom === Infinity && watched.every(({ recorded }) => recorded === undefined),
		},
	};
}
