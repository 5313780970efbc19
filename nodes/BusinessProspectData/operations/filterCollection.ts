import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../api/json';
import { collection, type Parameter, refusal } from '../runtime/parameters';

/** A filter in a request; undefined when nothing is filled in, and then it is not sent. */
export type SentFilter = IDataObject | undefined;

/**
 * The collection Filters, whose value is the `filters` member of the request.
 *
 * @param more further parameters that it shows; what they mean is up to the operation
 */
export function filterCollection(
	filters: ReadonlyArray<Parameter<string, SentFilter>>,
	more: readonly Parameter[] = [],
): Parameter<'filters', IDataObject> {
	const shown = collection('filters', 'Filters', 'Add filter', [...filters, ...more]);
	return {
		...shown,
		read: (raw) => {
			// Text or a list in its place would stand for no filter.
			if (!isObject(raw ?? {}) && raw !== '') {
				throw refusal(shown.property, 'is not a collection of fields.', raw);
			}
			const saved = isObject(raw) ? raw : {};
			const sent = filters.map(({ name, read }): [string, SentFilter] => [name, read(saved[name])]);
			return Object.fromEntries(sent.filter(([, filter]) => filter !== undefined));
		},
	};
}
