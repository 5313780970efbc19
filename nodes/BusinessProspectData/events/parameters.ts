import type { EventsSource } from '../catalog/service';
import { isNothing } from '../parameters/cells';
import { multiOptionsParameter, noChoiceError, stringListParameter } from '../parameters/lists';

/** `hiring_in_sales_department` is Hiring in Sales Department. */
const nameOfType = (type: string): string =>
	type
		.split('_')
		.map((word) => (/^(and|in)$/.test(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
		.join(' ');

export const eventTypesParameter = ({ types, moreTypes, hasUnlistedTypes }: EventsSource) =>
	multiOptionsParameter({
		displayName: 'Event Types',
		name: 'eventTypes',
		type: 'multiOptions',
		// n8n's lint accepts only an array literal here.
		default: [...types.map(({ value }) => value)],
		options: [
			...types.map(({ name, value }) => ({ name, value })),
			...moreTypes.map((value) => ({
				name: nameOfType(value),
				value,
				description: 'Your account may not have it',
			})),
		],
		description: `Which events to output${hasUnlistedTypes ? ', besides those of Other Event Types' : ''}. For names, add Enrich after it.`,
	});

const otherTypes = stringListParameter(
	{
		displayName: 'Other Event Types',
		name: 'otherEventTypes',
		type: 'string',
		default: '',
		description: "Event types that aren't in the list, separated by commas. May be empty.",
	},
	/[,;\n]/,
);

export const otherEventTypes = {
	...otherTypes,
	read: (raw: unknown) => otherTypes.read(raw).map((type) => type.replace(/\s+/g, '_')),
};

/** @throws UserError if both lists are empty */
export function chosenTypes(
	source: EventsSource,
	known: readonly string[],
	others: readonly string[],
): string[] {
	// Sorted, so that queries for the same types can share a request.
	const types = [...new Set([...known, ...others.filter((type) => !isNothing(type))])].sort();
	if (types.length === 0) throw noChoiceError(eventTypesParameter(source).property);
	return types;
}
