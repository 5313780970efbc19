import { EVENT_FIELDS, EVENT_ID_FIELD, type EventsSource } from '../catalog/service';
import { asText, isEmpty, isObject, type JsonValue } from '../core/json';
import { type ColumnSet, memberOf, plainSet } from './columns';

const PREFIX = 'event_';
const DETAILS = `${PREFIX}details`;

const membersOf = ({ types }: EventsSource, chosen?: readonly string[]): string[] => [
	...new Set(
		types.flatMap(({ value, members = [] }) =>
			chosen === undefined || chosen.includes(value) ? members : [],
		),
	),
];

/** All columns that events may have, whatever the chosen types. */
export const eventColumns = (source: EventsSource): string[] => [
	...EVENT_FIELDS,
	...membersOf(source).map((name) => PREFIX + name),
	DETAILS,
	EVENT_ID_FIELD,
];

/** An event is a record of its own, so that nothing of the input row's event stays. */
export function eventSet(
	source: EventsSource,
	chosen: readonly string[],
	simplify: boolean,
): ColumnSet {
	if (!simplify) {
		return plainSet('event', [...EVENT_FIELDS, 'data', EVENT_ID_FIELD], {
			isOfRun: true,
			isOpen: true,
		});
	}
	const members = membersOf(source, chosen);
	const dataOf = memberOf('data');
	const columns = membersOf(source).map((name): [string, (event: unknown) => JsonValue] => [
		PREFIX + name,
		(event) => memberOf(name)(dataOf(event)),
	]);
	const own = plainSet('event', [...EVENT_FIELDS, EVENT_ID_FIELD]);
	return {
		source: 'event',
		shown: [...EVENT_FIELDS, ...members.map((name) => PREFIX + name), DETAILS, EVENT_ID_FIELD],
		reads: new Map([
			...own.reads,
			...columns,
			[DETAILS, (event: unknown) => detailsOf(dataOf(event), members)],
		]),
		isOfRun: true,
	};
}

/** What the contract doesn't show, as text. */
function detailsOf(data: JsonValue, members: readonly string[]): string | null {
	if (!isObject(data)) return isEmpty(data) ? null : (asText(data) ?? JSON.stringify(data));
	const others = Object.entries(data).filter(
		([name, value]) =>
			!members.includes(name) && !['event_name', EVENT_ID_FIELD].includes(name) && !isEmpty(value),
	);
	const text = others.map(([name, value]) => `${name}: ${asText(value) ?? JSON.stringify(value)}`);
	return text.join('; ') || null;
}
