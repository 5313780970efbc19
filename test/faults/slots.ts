/** The places of an operation's parameters into which an expression can put a value, from the node's description. */
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';

const { properties } = new BusinessProspectData().description;

/** One place: a parameter, a member of a collection, one value of a list. */
export interface Slot {
	/** Its path, such as `options.batchSize`. */
	readonly name: string;
	/** What the editor shows there. */
	readonly property: INodeProperties;
	/** What the editor says of it and of the parameters around it. */
	readonly described: string;
	/** The saved parameters with a value, mostly an expression, in this place. */
	readonly filled: (value: string) => INodeParameters;
	/** Parameters under which it shows. */
	readonly shownWith: INodeParameters;
}

const isProperty = (entry: object): entry is INodeProperties => 'type' in entry;

/** A saved value around the value of one of its parts. */
type Around = (value: IDataObject[string]) => IDataObject[string];
type Place = Pick<Slot, 'name' | 'property' | 'described'> & { readonly around: Around };

/** The places within a property. A collection as a whole is none: n8n takes no expression there, nor where it says so. */
function placesIn(property: INodeProperties, name: string, around: Around, above = ''): Place[] {
	const described = `${above} ${property.description ?? ''}`;
	const inside = (
		entries: readonly object[],
		within: (entry: INodeProperties) => Around,
		group?: string,
	) =>
		entries
			.filter(isProperty)
			.flatMap((entry) =>
				placesIn(
					group !== undefined && entry.name === 'value' ? { ...entry, name: group } : entry,
					[name, group, entry.name].filter((part) => part !== undefined).join('.'),
					(value) => around(within(entry)(value)),
					described,
				),
			);
	if (property.noDataExpression) return [];
	switch (property.type) {
		case 'collection':
			return inside(property.options ?? [], (entry) => (value) => ({ [entry.name]: value }));
		case 'fixedCollection':
			return (property.options ?? []).flatMap((group) =>
				'values' in group
					? inside(
							group.values,
							(entry) => (value) => ({ [group.name]: [{ [entry.name]: value }] }),
							// Groups that are things of their own, such as filters.
							property.options?.length === 1 ? undefined : group.name,
						)
					: [],
			);
		case 'resourceLocator':
			return [
				{
					name,
					property,
					described,
					around: (value) => around({ __rl: true, mode: 'value', value }),
				},
			];
		default:
			return [{ name, property, described, around }];
	}
}

/** The parameters that a property shows with, by its display options. */
function shownWith(
	{ displayOptions }: INodeProperties,
	siblings: readonly INodeProperties[],
): INodeParameters {
	const shows = siblings.flatMap(({ name, type }): Array<[string, unknown]> => {
		const [first] = displayOptions?.show?.[name] ?? [];
		return first === undefined ? [] : [[name, type === 'multiOptions' ? [first] : first]];
	});
	return Object.fromEntries(shows) as INodeParameters;
}

/** All places of an operation. */
export function slotsOf(resource: string, operation: string): Slot[] {
	const own = properties.filter(({ displayOptions, name }) => {
		const { show = {} } = displayOptions ?? {};
		return (
			name !== 'operation' &&
			show.resource?.includes(resource) === true &&
			show.operation?.includes(operation) === true
		);
	});
	return own.flatMap((property) =>
		placesIn(property, property.name, (value) => ({ [property.name]: value })).map(
			({ around, ...place }) => ({
				...place,
				shownWith: { resource, operation, ...shownWith(property, own) },
				filled: (value) => around(value) as INodeParameters,
			}),
		),
	);
}

/** Several saved parameters in one; members of the same collection or list come together, else the last counts. */
export const together = (...all: INodeParameters[]): INodeParameters =>
	all.reduce((joined, more) => joinedWith(joined, more) as INodeParameters, {});

function joinedWith(before: unknown, more: unknown): unknown {
	if (Array.isArray(before) && Array.isArray(more)) return [...new Set([...before, ...more])];
	if (!isPlain(before) || !isPlain(more)) return more;
	const members = Object.entries(more).map(([name, value]) => [
		name,
		name in before ? joinedWith(before[name], value) : value,
	]);
	return { ...before, ...Object.fromEntries(members) };
}

const isPlain = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value) && !('__rl' in value);
