import type { INodeProperties } from 'n8n-workflow';
import { EVENT_WINDOW_MONTHS } from '../../catalog/events';
import { DAY_MS, TOO_OLD, windowStart } from '../../events/window';
import { dateTime, readMoment } from '../../runtime/dates';
import type { BatchResult } from '../../runtime/batches';
import type { RunContext } from '../../runtime/spec';
import { parameterError } from '../../runtime/parameters';

export const timestampFrom = dateTime({
	displayName: 'From',
	name: 'timestampFrom',
	type: 'dateTime',
	default: '',
	description: `Only events after this moment; at most ${EVENT_WINDOW_MONTHS} months back. Empty: as far back as the service goes. Without a zone it is in the workflow's time zone.`,
});

export const timestampTo = dateTime({
	displayName: 'To',
	name: 'timestampTo',
	type: 'dateTime',
	default: '',
	description:
		"Only events up to this moment. Empty: up to now. Without a zone it is in the workflow's time zone.",
});

const SECOND_MS = 1_000;

/** A window of time, in ISO 8601 and UTC. */
interface Window {
	readonly from?: string;
	readonly to?: string;
}

/**
 * Reads the window of an item. What lies beyond the service's window is refused where the service has nothing there;
 * a beginning that is only just too early, such as "3 months ago" worked out a moment ago, is moved to its edge.
 *
 * @throws UserError that names the field and the rule
 */
export function readWindow(
	{ timestampFrom: fromRaw, timestampTo: toRaw }: { timestampFrom: unknown; timestampTo: unknown },
	{ now, timezone }: RunContext,
	bounded: boolean,
): Window {
	const read = (raw: unknown, property: INodeProperties) =>
		raw === undefined ? undefined : readMoment(raw, property, timezone).toMillis();
	const from = read(fromRaw, timestampFrom.property);
	const to = read(toRaw, timestampTo.property);
	if (from !== undefined && from >= (to ?? Infinity)) {
		throw parameterError(timestampFrom.property, 'is not before To.', String(fromRaw));
	}
	const edge = windowStart(now);
	if (bounded && from !== undefined && from < edge - DAY_MS) {
		throw parameterError(timestampFrom.property, TOO_OLD, String(fromRaw));
	}
	if (bounded && to !== undefined && to < edge) {
		throw parameterError(timestampTo.property, TOO_OLD, String(toRaw));
	}
	const iso = (ms: number) => new Date(ms).toISOString();
	// Whole seconds, outwards: an expression with `$now` is a little later for every item, and would be a request for each.
	const start = from === undefined ? undefined : Math.floor(from / SECOND_MS) * SECOND_MS;
	return {
		...(start !== undefined && { from: iso(bounded ? Math.max(start, edge) : start) }),
		...(to !== undefined && { to: iso(Math.ceil(to / SECOND_MS) * SECOND_MS) }),
	};
}

/** The hint for a window that the contract says should be shorter, but that is not refused. */
export function longWindowHint(
	answered: ReadonlyArray<BatchResult<Window, unknown>>,
	{ now }: RunContext,
): string[] {
	const edge = new Date(windowStart(now) - DAY_MS).toISOString();
	const long = answered.some(({ input: ask }) =>
		[ask.from, ask.to].some((at) => at !== undefined && at < edge),
	);
	return long
		? [
				`The window goes more than ${EVENT_WINDOW_MONTHS} months back. The service says that it should not: expect no events from before ${edge.slice(0, 10)}.`,
			]
		: [];
}
