import type { IDataObject } from 'n8n-workflow';
import {
	BUSINESS_EVENTS,
	EVENT_FIELDS,
	EVENT_ID_FIELD,
	type EventsSource,
	PROSPECT_EVENTS,
} from '../catalog/service';
import { lazy } from '../core/collections';
import { isEmpty, isObject, type JsonValue, parsedJson } from '../core/json';
import {
	type ColumnSet,
	flat,
	idSet,
	layoutCache,
	MATCH_CHECK,
	memberOf,
	plainSet,
	type Records,
	RESPONSE_CONTEXT,
} from './columns';

const SOURCE = 'event';
const PREFIX = 'event_';
const DETAILS = `${PREFIX}details`;
/** With those of the event itself and the ID, rows have at most 15 columns. */
const MAX_MEMBER_COLUMNS = 10;

const dataOf = memberOf('data');

/**
 * The columns of an event: those of the members that the chosen types are known to have, as many as fit. `event_details` holds
 * all other members. Fields may name any member.
 */
function eventSet(
	{ members }: EventsSource,
	chosen: readonly string[],
	simplify: boolean,
): ColumnSet {
	const shown = [...members]
		.filter(([, types]) => types.some((type) => chosen.includes(type)))
		.map(([name]) => name)
		.slice(0, MAX_MEMBER_COLUMNS);
	const readMember = (name: string) => (event: unknown) => {
		const value = memberOf(name)(dataOf(event));
		return simplify ? flat(value) : value;
	};
	const own = plainSet(SOURCE, [...EVENT_FIELDS, ...(simplify ? [] : ['data']), EVENT_ID_FIELD]);
	const columns = [...EVENT_FIELDS, ...shown.map((name) => PREFIX + name), DETAILS, EVENT_ID_FIELD];
	return {
		source: SOURCE,
		shown: simplify ? columns : own.shown,
		reads: new Map([
			...own.reads,
			...[...members.keys()].map((name) => [PREFIX + name, readMember(name)] as const),
			[DETAILS, (event: unknown) => detailsOf(dataOf(event), shown)],
		]),
		readOther: (name) =>
			name.startsWith(PREFIX) ? readMember(name.slice(PREFIX.length)) : undefined,
		isOfRun: true,
		hasCommonNames: true,
		isOpen: !simplify,
	};
}

/** As JSON text, so that expressions can read it. */
function detailsOf(data: JsonValue, shown: readonly string[]): string | null {
	const left = [...shown, 'event_name', EVENT_ID_FIELD];
	const details = isObject(data)
		? Object.fromEntries(
				Object.entries(data).filter(([name, value]) => !left.includes(name) && !isEmpty(value)),
			)
		: data;
	const hasNone = isObject(details) ? Object.keys(details).length === 0 : isEmpty(details);
	return hasNone ? null : JSON.stringify(details);
}

const KNOWN_EVENTS = lazy(() =>
	[PROSPECT_EVENTS, BUSINESS_EVENTS].map((source) => ({
		entity: source.entity,
		types: new Set<unknown>([...source.types.map(({ value }) => value), ...source.moreTypes]),
		columns: new Set([...eventSet(source, [], true).reads.keys()]),
	})),
);

type KnownEvents = ReturnType<typeof KNOWN_EVENTS>[number];

export const isEventSet = ({ source }: ColumnSet): boolean => source === SOURCE;

/** The events of which the row is one, by its ID and type: a CRM's own `event_name` may be that of a trade fair. */
export const eventsOf = (row: IDataObject): KnownEvents | undefined =>
	isEmpty(row[EVENT_ID_FIELD])
		? undefined
		: KNOWN_EVENTS().find(({ types }) => types.has(row.event_name));

/** True for a column that these nodes wrote about the row's event. */
export function isEventColumn({ columns }: KnownEvents, name: string, cell: unknown): boolean {
	if (name !== 'data') return columns.has(name);
	// A spreadsheet holds objects as JSON text.
	const data = typeof cell === 'string' ? parsedJson(cell) : cell;
	return isObject(data) && Object.hasOwn(data, 'event_name');
}

/**
 * @param matched the columns that say whether an ID was found
 * @param candidatesSet what it may be otherwise
 */
export const eventLayouts = (
	source: EventsSource,
	matched?: ColumnSet,
	candidatesSet?: (simplify: boolean) => ColumnSet,
) =>
	layoutCache((types: readonly string[], simplify: boolean, isLookedUp: boolean) => ({
		sets: [
			...(isLookedUp && matched ? [matched] : []),
			eventSet(source, types, simplify),
			...(isLookedUp && candidatesSet ? [candidatesSet(simplify)] : []),
			idSet(source.entity),
			...(simplify ? [] : [RESPONSE_CONTEXT]),
		],
		hidden: isLookedUp ? [MATCH_CHECK] : [],
	}));

export const eventRecords = (
	{ entity: { idField } }: EventsSource,
	event: IDataObject,
	responseContext: JsonValue,
	id: JsonValue = event[idField],
): Records => ({ event, [idField]: id, responseContext });
