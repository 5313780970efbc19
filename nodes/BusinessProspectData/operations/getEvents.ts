import type { IExecuteFunctions } from 'n8n-workflow';
import { textOf } from '../api/json';
import { number } from '../api/outcome';
import { EVENT_WINDOW_MONTHS, type EventSource } from '../catalog/events';
import { LIMITS } from '../catalog/limits';
import { type EventsAnswer, type EventsAsk, queryEvents } from '../events/query';
import { batchSize, options } from '../runtime/options';
import type { Answered } from '../runtime/batches';
import type { ItemRow, Selected, Setting } from '../runtime/operation';
import { type Row, rowsOf } from '../runtime/output';
import { flag } from '../runtime/parameters';
import { DAY_MS, windowStart } from '../events/window';

/** How many events n8n remembers for one node; the oldest are forgotten first. */
const REMEMBERED = 10_000;

export const eventOptions = options(
	batchSize(LIMITS.events),
	flag({
		displayName: 'Only New Events',
		name: 'onlyNewEvents',
		type: 'boolean',
		default: false,
		description: `Whether to leave out events that this node has put out before. n8n remembers the last ${number(REMEMBERED)}; test runs neither remember nor leave out.`,
	}),
);

/** What both Get Events operations have in common. */
export const eventBatches = (source: EventSource) => ({
	group: ({ types, from, to, requestContext }: EventsAsk) =>
		JSON.stringify([types, from, to, requestContext]),
	key: ({ id }: EventsAsk) => id,
	limit: () => LIMITS.events,
	list: () => source.entity.ids,
	send: async (client: Parameters<typeof queryEvents>[0], asks: readonly EventsAsk[]) =>
		await queryEvents(client, source, asks),
	wording: { verb: 'Returned', one: 'event', many: 'events' },
	select: onlyNew,
});

/** One row for each event; an id that failed gives one error row. */
export const eventRows = (
	answered: ReadonlyArray<Answered<EventsAsk, EventsAnswer>>,
	{ simplify }: { readonly simplify: boolean },
): Row[] =>
	answered.flatMap(({ outcome }) =>
		rowsOf(outcome, ({ events, responseContext }) =>
			events.map((event) => ({
				json: simplify ? event : { ...event, response_context: responseContext },
			})),
		),
	);

/** A window that the contract says should be shorter, but that is not refused. */
export function longWindow(
	answered: ReadonlyArray<Answered<EventsAsk, EventsAnswer>>,
	{ now }: Setting,
): string[] {
	const edge = new Date(windowStart(now) - DAY_MS).toISOString();
	const long = answered.some(({ ask }) =>
		[ask.from, ask.to].some((at) => at !== undefined && at < edge),
	);
	return long
		? [
				`The window goes more than ${EVENT_WINDOW_MONTHS} months back. The service says that it should not: expect no events from before ${edge.slice(0, 10)}.`,
			]
		: [];
}

type EventOptions = ReturnType<(typeof eventOptions)['read']>;
type EventRow = ItemRow<EventOptions>;

/**
 * With Only New Events, leaves out what n8n's deduplication store has seen of this node, and what comes twice in this
 * run. It is recorded now, after all requests: a run that stopped before has recorded nothing.
 */
async function onlyNew(
	context: IExecuteFunctions,
	rows: readonly EventRow[],
): Promise<Selected<EventOptions>> {
	const keyOf = ({ row, options: own }: EventRow) =>
		row.failure === undefined && own?.onlyNewEvents
			? (textOf(row.json.event_id) ?? JSON.stringify({ ...row.json, response_context: undefined }))
			: undefined;
	const keys = [...new Set(rows.map(keyOf).filter((key) => key !== undefined))];
	if (keys.length === 0 || context.getMode() === 'manual') return { rows };
	const { new: fresh } = await context.helpers.checkProcessedAndRecord(keys, 'node', {
		mode: 'entries',
		maxEntries: REMEMBERED,
	});
	const left = new Set<unknown>(fresh);
	const kept = rows.filter((row) => {
		const key = keyOf(row);
		return key === undefined || left.delete(key);
	});
	if (keys.length <= REMEMBERED) return { rows: kept };
	return {
		rows: kept,
		hint: `n8n remembers ${number(REMEMBERED)} events of a node; of these ${number(keys.length)} some will come again. Choose a later From, or split the IDs over several nodes.`,
	};
}
