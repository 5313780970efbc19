import { getOrCreate } from '../core/collections';
import { type ColumnSet, type Layout, layoutOf } from './columns';

/** Layouts of one operation. Made once for equal parameters, because every row needs one. */
export function layoutCache<Key extends readonly unknown[]>(
	setsOf: (...key: Key) => {
		readonly sets: readonly ColumnSet[];
		readonly hidden?: readonly ColumnSet[];
	},
): (...key: Key) => Layout {
	const layouts = new Map<string, Layout>();
	return (...key) =>
		getOrCreate(layouts, JSON.stringify(key), () => {
			const { sets, hidden } = setsOf(...key);
			return layoutOf(sets, hidden);
		});
}
