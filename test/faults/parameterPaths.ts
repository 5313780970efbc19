/** The parameters of an operation that can contain an expression, from the node's description. */
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';

const { properties } = new BusinessProspectData().description;

/** A parameter, a member of a collection, or one value of a list. */
export interface ParameterPath {
	/** For example `options.fields`. */
	readonly path: string;
	readonly property: INodeProperties;
	/** The descriptions of the parameter and of those around it. */
	readonly description: string;
	/** The saved parameters with a value, usually an expression, at this path. */
	readonly withValue: (value: string) => INodeParameters;
	/** Parameters that make the editor show this one. */
	readonly shownWith: INodeParameters;
}

const isProperty = (entry: object): entry is INodeProperties => 'type' in entry;

/** Wraps the value of a member in that of its parameter. */
type Wrap = (value: IDataObject[string]) => IDataObject[string];
type Path = Pick<ParameterPath, 'path' | 'property' | 'description'> & { readonly wrap: Wrap };

/** The paths in a property. n8n takes no expression for a whole collection, nor where `noDataExpression` is set. */
function pathsIn(property: INodeProperties, path: string, wrap: Wrap, outer = ''): Path[] {
	const description = `${outer} ${property.description ?? ''}`;
	const inside = (
		entries: readonly object[],
		wrapMember: (entry: INodeProperties) => Wrap,
		group?: string,
	) =>
		entries
			.filter(isProperty)
			.flatMap((entry) =>
				pathsIn(
					group !== undefined && entry.name === 'value' ? { ...entry, name: group } : entry,
					[path, group, entry.name].filter((part) => part !== undefined).join('.'),
					(value) => wrap(wrapMember(entry)(value)),
					description,
				),
			);
	if (property.noDataExpression || property.type === 'notice') return [];
	switch (property.type) {
		case 'collection':
			return inside(property.options ?? [], (entry) => (value) => ({ [entry.name]: value }));
		case 'fixedCollection':
			return (property.options ?? []).flatMap((group) =>
				'values' in group
					? inside(
							group.values,
							({ name }) =>
								(value) => ({ [group.name]: [{ [name]: value }] }),
							// With several groups, as in Filters, each one is a parameter of its own.
							property.options?.length === 1 ? undefined : group.name,
						)
					: [],
			);
		case 'resourceLocator': {
			const locator: Wrap = (value) => wrap({ __rl: true, mode: 'value', value });
			return [{ path, property, description, wrap: locator }];
		}
		default:
			return [{ path, property, description, wrap }];
	}
}

/** The parameters that a property's display options ask for; those of a member of a collection name them with a slash. */
function shownWith(
	{ displayOptions }: INodeProperties,
	siblings: readonly INodeProperties[],
): INodeParameters {
	const shows = siblings.flatMap(({ name, type }): Array<[string, unknown]> => {
		const { show = {} } = displayOptions ?? {};
		const [first] = show[name] ?? show[`/${name}`] ?? [];
		return first === undefined ? [] : [[name, type === 'multiOptions' ? [first] : first]];
	});
	return Object.fromEntries(shows) as INodeParameters;
}

export function parameterPathsOf(resource: string, operation: string): ParameterPath[] {
	const own = properties.filter(({ displayOptions, name }) => {
		const { show = {} } = displayOptions ?? {};
		return (
			name !== 'operation' &&
			show.resource?.includes(resource) === true &&
			show.operation?.includes(operation) === true
		);
	});
	return own.flatMap((property) =>
		pathsIn(property, property.name, (value) => ({ [property.name]: value })).map(
			({ wrap, ...path }) => ({
				...path,
				shownWith: {
					resource,
					operation,
					...shownWith(property, own),
					...shownWith(path.property, own),
				},
				withValue: (value) => wrap(value) as INodeParameters,
			}),
		),
	);
}

/** Merges saved parameters. Collections and lists are joined; of other values, the last one counts. */
export const mergeParameters = (...all: INodeParameters[]): INodeParameters =>
	all.reduce((merged, more) => merge(merged, more) as INodeParameters, {});

function merge(before: unknown, more: unknown): unknown {
	if (Array.isArray(before) && Array.isArray(more)) return [...new Set([...before, ...more])];
	if (!isCollection(before) || !isCollection(more)) return more;
	const members = Object.entries(more).map(([name, value]) => [
		name,
		name in before ? merge(before[name], value) : value,
	]);
	return { ...before, ...Object.fromEntries(members) };
}

const isCollection = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value) && !('__rl' in value);
