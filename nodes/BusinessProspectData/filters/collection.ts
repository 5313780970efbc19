import { type IDataObject, type INodeProperties, UserError } from 'n8n-workflow';
import { isObject, type JsonValue } from '../core/json';
import { formatNumber, joinWords, pluralize } from '../core/text';
import {
	addedOption,
	byDisplayName,
	type Parameter,
	parameterError,
	type Property,
} from '../parameters/parameter';
import { type Advice, aboutRun } from '../core/outcome';

export interface RequestFilter extends IDataObject {
	values?: string[];
}

/** Filters are saved as lists of entries, so that the editor keeps a filter that is still empty. */
export interface FilterDefinition {
	/** The filter as a single property, for reading values and naming the filter in errors. */
	readonly property: INodeProperties;
	/** The fields of an entry in the editor. */
	readonly fields: INodeProperties[];
	/**
	 * Returns undefined if the entries have no value.
	 *
	 * @throws UserError that names the filter or one of its fields
	 */
	readonly read: (entries: readonly IDataObject[]) => RequestFilter | undefined;
}

/** The filters of one item, or of the trigger. */
export interface Filters {
	/** The request's `filters`. */
	readonly byName: IDataObject;
	/** Filters that were added to the node but have no value, perhaps only for this item. */
	readonly empty: ReadonlyArray<Pick<INodeProperties, 'displayName' | 'name'>>;
}

export const ignoreEmptyFilters = addedOption({
	displayName: 'Ignore Empty Filters',
	name: 'ignoreEmptyFilters',
	description: 'Whether to leave out empty filters. Otherwise, the row fails.',
});

export function filterCollection(
	filters: readonly FilterDefinition[],
): Parameter<'filters', Filters> {
	const property: Property<'filters'> = {
		displayName: 'Filters',
		name: 'filters',
		type: 'fixedCollection',
		placeholder: 'Add filter',
		builderHint: {
			propertyHint:
				'Each filter is a list, as in job_level: [{ value: ["director"] }]. Filter Value: Search finds the exact values.',
		},
		default: {},
		typeOptions: { multipleValues: true },
		options: byDisplayName(
			filters.map(({ property: { displayName, name }, fields }) => ({
				displayName,
				name,
				values: fields,
			})),
		),
	};
	return {
		name: property.name,
		property,
		read: (raw) => {
			// An expression for the whole collection may have no value for an item, which must not mean "no filters".
			if (!isObject(raw)) {
				throw parameterError(property, 'must be an object with one field per filter.', raw);
			}
			const byName: IDataObject = {};
			const empty: INodeProperties[] = [];
			for (const filter of filters) {
				const { name } = filter.property;
				if (!Object.hasOwn(raw, name)) continue;
				const value = filter.read(entriesOf(raw[name]));
				if (value === undefined) empty.push(filter.property);
				else byName[name] = value;
			}
			return { byName, empty };
		},
	};
}

/** Hand-written workflows may have values instead of entries. An object with a `mode` is a resource locator, which is a value. */
const entriesOf = (saved: JsonValue): IDataObject[] =>
	[saved].flat().map((entry) => (isObject(entry) && !('mode' in entry) ? entry : { value: entry }));

/**
 * By default, an empty filter is an error, because leaving it out would match more than intended. For AI agents, empty filters
 * are left out, unless all are: models leave unused filters empty.
 *
 * @throws UserError that names the empty filters
 */
export function requestFilters(
	{ byName, empty }: Filters,
	options: { readonly ignoreEmptyFilters: boolean },
	{ isTool }: { readonly isTool: boolean },
): IDataObject {
	if (!options.ignoreEmptyFilters && !isTool) rejectEmptyFilters(empty);
	const [first] = empty;
	if (isTool && first !== undefined && isUnfiltered(byName)) {
		// A model may have misspelled its arguments, and would take the rows for an answer.
		const names = empty.map(({ displayName }) => displayName).join(', ');
		const message = `All filters are empty, so everything would match. Fill in at least one: ${names}.`;
		throw new UserError(message, { extra: { field: first.name } });
	}
	return byName;
}

/** @throws UserError that names the empty filters, if there are any */
export function rejectEmptyFilters(empty: Filters['empty']): void {
	const [first, ...others] = empty;
	if (first === undefined) return;
	const names = joinWords(empty.map(({ displayName }) => displayName));
	const message =
		others.length === 0
			? `${names} is empty. Fill it in, or remove the filter.`
			: `${names} are empty. Fill them in, or remove the filters.`;
	throw new UserError(message, { extra: { field: first.name } });
}

export const isUnfiltered = (filters: IDataObject): boolean => Object.keys(filters).length === 0;

/**
 * Models leave unused filters empty, so a tool says nothing of these.
 *
 * @param everything who or what matches without a filter, such as `everyone`
 */
export function filtersAdvice(
	all: readonly Filters[],
	everything: string,
	{ isTool }: { readonly isTool: boolean },
): Advice[] {
	const ignored = isTool ? 0 : all.filter(({ empty }) => empty.length > 0).length;
	const unfiltered = all.filter(({ byName }) => isUnfiltered(byName)).length;
	const rows =
		unfiltered < all.length
			? ` for ${formatNumber(unfiltered)} of ${pluralize(all.length, 'row')}`
			: '';
	const sentences = [
		ignored > 0 && `Empty filters were ignored for ${pluralize(ignored, 'row')}.`,
		unfiltered > 0 && `No filter was set${rows}, so ${everything} matches.`,
	].filter((sentence) => sentence !== false);
	return [{ rows: Math.max(ignored, unfiltered), message: sentences.join(' ') }];
}

/** @param what such as `No one matches.` */
export function nothingMatches(what: string): Advice {
	const forAgent = `${what} Filters accept only the service's exact values.`;
	return aboutRun(
		`${forAgent} Choose them from the list, or find them with Filter Value: Search.`,
		forAgent,
	);
}
