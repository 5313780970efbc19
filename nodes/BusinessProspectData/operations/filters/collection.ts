import { type IDataObject, type INodeProperties, UserError } from 'n8n-workflow';
import { isEmpty, isObject } from '../../core/json';
import { pluralize, formatNumber } from '../../core/text';
import type { RunContext } from '../../runtime/spec';
import { collection, flag, type Parameter, parameterError } from '../../runtime/parameters';

/** A filter as a request takes it, `any` when it is set but restricts nothing, undefined when it has no value. */
export type FilterValue = IDataObject | 'any' | undefined;

/** The filters of one item. */
export interface Filters {
	/** As a request takes them, by name. */
	readonly sent: IDataObject;
	/** Filters that are in the node but have no value for this item. */
	readonly empty: ReadonlyArray<Pick<INodeProperties, 'displayName' | 'name'>>;
}

export const ignoreEmptyFilters = flag({
	displayName: 'Ignore Empty Filters',
	name: 'ignoreEmptyFilters',
	type: 'boolean',
	default: false,
	description:
		'Whether to leave out filters that are empty for a row. Off, such a row fails, so that a blank cell never selects everything.',
});

/**
 * The collection Filters.
 *
 * @param more further parameters that it shows; what they mean is up to the operation
 */
export function filterCollection(
	filters: ReadonlyArray<Parameter<string, FilterValue>>,
	more: readonly Parameter[] = [],
): Parameter<'filters', Filters> {
	const shown = collection('filters', 'Filters', 'Add filter', [...filters, ...more]);
	return {
		...shown,
		read: (raw) => {
			// Text or a list in its place would stand for no filter.
			if (!isObject(raw ?? {}) && raw !== '') {
				throw parameterError(shown.property, 'is not a collection of fields.', raw);
			}
			const saved = isObject(raw) ? raw : {};
			const sent: IDataObject = {};
			const empty: INodeProperties[] = [];
			for (const { name, property, read } of filters) {
				if (!Object.hasOwn(saved, name)) continue;
				const value = isEmpty(saved[name]) ? undefined : read(saved[name]);
				if (value === undefined) empty.push(property);
				else if (value !== 'any') sent[name] = value;
			}
			return { sent, empty };
		},
	};
}

/**
 * The `filters` member of an item's request. An AI model leaves a filter empty when it doesn't need it.
 *
 * @throws UserError that names the empty filters, unless they are ignored: without them, the request would be wider
 */
export function filtersToSend(
	{ sent, empty }: Filters,
	options: { readonly ignoreEmptyFilters: boolean },
	{ isTool: tool }: RunContext,
): IDataObject {
	const [first] = empty;
	if (first === undefined || options.ignoreEmptyFilters || tool) return sent;
	const names = empty.map(({ displayName }) => displayName);
	const last = names.pop();
	const message =
		names.length === 0
			? `${last} is empty for this row. Fill it in, or remove the filter.`
			: `${names.join(', ')} and ${last} are empty for this row. Fill them in, or remove the filters.`;
	throw new UserError(message, { extra: { field: first.name } });
}

/**
 * The hint on filters that were ignored because they were empty.
 *
 * @param all the filters of the items whose requests were sent
 * @param everything what matches without any filter
 */
export function ignoredFiltersHint(all: readonly Filters[], everything: string): string[] {
	const ignored = all.filter(({ empty }) => empty.length > 0);
	if (ignored.length === 0) return [];
	const hint = `Empty filters were ignored for ${pluralize(ignored.length, 'row')}.`;
	const bare = ignored.filter(({ sent }) => Object.keys(sent).length === 0).length;
	if (bare === 0) return [hint];
	return [
		`${hint} For ${formatNumber(bare)} of them no filter was left, so ${everything} matched.`,
	];
}
