import type { EventSource } from '../catalog/events';
import { choices, noChoiceError, readList } from '../runtime/lists';
import { parameter } from '../runtime/parameters';

/** The known types of a source, all chosen by default. */
export const eventTypes = ({ types, open }: EventSource) =>
	choices({
		displayName: 'Event Types',
		name: 'eventTypes',
		type: 'multiOptions',
		default: [...types.map(({ value }) => value)],
		options: types.map(({ name, value }) => ({ name, value })),
		description: `Which events to return${open ? '; the service knows more types than these' : ''}`,
	});

export const otherEventTypes = parameter(
	{
		displayName: 'Other Event Types',
		name: 'otherEventTypes',
		type: 'string',
		default: '',
		placeholder: 'e.g. new_product, new_office',
		description:
			'Names of event types that are not in the list above but written like these, separated by commas. Empty: none.',
	},
	(raw, property) => readList(raw, property, /[,\s]/),
);

/** The event types of an item, each once. @throws UserError when there is none */
export function chosenTypes(
	source: EventSource,
	chosen: readonly string[],
	others: readonly string[],
): string[] {
	// In order, so that the same types are the same request.
	const types = [...new Set([...chosen, ...others])].sort();
	if (types.length === 0) throw noChoiceError(eventTypes(source).property);
	return types;
}
