import type { EventsSource } from '../catalog/events';
import { multiOptionsParameter, noChoiceError, stringListParameter } from '../runtime/lists';

/** The parameter Event Types: the known types of a source, all selected by default. */
export const eventTypes = ({ types, hasUnlistedTypes }: EventsSource) =>
	multiOptionsParameter({
		displayName: 'Event Types',
		name: 'eventTypes',
		type: 'multiOptions',
		// n8n's lint accepts only an array literal here.
		default: [...types.map(({ value }) => value)],
		options: types.map(({ name, value }) => ({ name, value })),
		description: `Which events to return${hasUnlistedTypes ? ', besides those of Other Event Types' : ''}`,
	});

export const otherEventTypes = stringListParameter(
	{
		displayName: 'Other Event Types',
		name: 'otherEventTypes',
		type: 'string',
		default: '',
		description:
			"Names of event types that aren't in the list above, separated by commas. Leave empty if the list is enough.",
	},
	/[,;\s]/,
);

/** The selected event types, without duplicates. @throws UserError if there are none */
export function chosenTypes(
	source: EventsSource,
	known: readonly string[],
	others: readonly string[],
): string[] {
	// Sorted, so that the same types make the same request.
	const types = [...new Set([...known, ...others])].sort();
	if (types.length === 0) throw noChoiceError(eventTypes(source).property);
	return types;
}
