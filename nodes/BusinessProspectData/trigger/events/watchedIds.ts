import { groupBy } from '../../core/collections';
import { DAY_MS } from '../../parameters/dates';
import { FINGERPRINT_LENGTH, fingerprintOf, unpack } from '../checkpointStore';

/** The trigger's memory of an ID. */
export interface WatchedId {
	/** True if the running check has still to query the ID. */
	readonly isOpen: boolean;
	/** Failed queries in a row. */
	readonly failures: number;
	/**
	 * The types whose events are known, and the time since which (in milliseconds): an unknown event dated later has appeared since
	 * the last query. Undefined until the first successful query if the ID has been watched since publishing.
	 */
	readonly recorded?: { readonly since: number; readonly types: readonly string[] } | undefined;
	/** Packed keys of known events (see `remember`). */
	readonly events: string;
}

/** An ID that is watched since publishing: Start From applies. */
export const NEW_ID: WatchedId = { isOpen: true, failures: 0, events: '' };
export const ADDED_ID: WatchedId = { ...NEW_ID, recorded: { since: Infinity, types: [] } };

/** Fingerprints of IDs with their events, by what the IDs have in common. */
export type PackedIds = Readonly<Record<string, string>>;

const SEPARATOR = '|';
const OPEN = 'open';

export function packIds(ids: ReadonlyArray<readonly [id: string, watched: WatchedId]>): PackedIds {
	const groups = groupBy(ids, ([, { isOpen, failures, recorded }]) => {
		const scope = recorded === undefined ? [] : [recorded.since, recorded.types.join()];
		return [isOpen ? OPEN : 'done', failures, ...scope].join(SEPARATOR);
	});
	return Object.fromEntries(
		Array.from(groups, ([key, group]) => [
			key,
			group.map(([id, { events }]) => id + events).join(' '),
		]),
	);
}

export function unpackIds(packed: PackedIds): Map<string, WatchedId> {
	const ids = new Map<string, WatchedId>();
	for (const [key, group] of Object.entries(packed)) {
		const [status, failures, since, types] = key.split(SEPARATOR);
		const shared = {
			isOpen: status === OPEN,
			failures: Number(failures),
			recorded:
				types === undefined
					? undefined
					: { since: Number(since), types: types.split(',').filter(Boolean) },
		};
		for (const entry of group.split(' ')) {
			const events = entry.slice(FINGERPRINT_LENGTH);
			ids.set(entry.slice(0, FINGERPRINT_LENGTH), { ...shared, events });
		}
	}
	return ids;
}

export const hasOpenIds = (packed: PackedIds): boolean =>
	Object.keys(packed).some((key) => key.startsWith(OPEN));

const KEY_LENGTH = 6;
/** In place of a week: the last query received the event. */
const RECEIVED = '.';
const WEEKS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** How long an event that the service no longer returns stays known: it may move its date, or leave an event out once. */
const WEEKS_KEPT = 4;

/** 36 bits: among 100 events of an ID, the odds that a new one counts as known are 1 in 700 million. */
export const eventFingerprint = (key: string): string => fingerprintOf(key).slice(0, KEY_LENGTH);

export const knownEvents = (events: string): Set<string> =>
	new Set(unpack(events, KEY_LENGTH + 1).map((entry) => entry.slice(0, KEY_LENGTH)));

/**
 * Packs the known events of an ID after a query: all that it received, and those that have been missing for three weeks at most.
 * Each is a fingerprint, and the week since which it is missing.
 */
export function remember(events: string, received: ReadonlySet<string>, now: number): string {
	const week = Math.floor(now / (7 * DAY_MS)) % WEEKS.length;
	const missing = unpack(events, KEY_LENGTH + 1).flatMap((entry) => {
		const key = entry.slice(0, KEY_LENGTH);
		if (received.has(key)) return [];
		const since = entry.slice(KEY_LENGTH);
		if (since === RECEIVED) return [key + (WEEKS[week] ?? '')];
		const age = (week - WEEKS.indexOf(since) + WEEKS.length) % WEEKS.length;
		return age < WEEKS_KEPT ? [entry] : [];
	});
	return [...Array.from(received, (key) => key + RECEIVED), ...missing].join('');
}
