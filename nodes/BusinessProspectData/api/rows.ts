import type { IDataObject } from 'n8n-workflow';
import { isObject, textOf } from './json';

/**
 * The rows `{ <idMember>, data }` of a bulk answer, by the id that they bear (contract: Bulk business row, Bulk
 * prospect row). Rows bear their place only where no row bears an id; rows for other ids are left out, and so are exact
 * repetitions. One object instead of the list, or the data without its row around it, is read as well.
 */
export function rowsById(
	data: unknown,
	idMember: string,
	ids: readonly string[],
): Map<string, IDataObject[]> {
	const list: unknown[] = Array.isArray(data) ? data : [data];
	const rows = list.map((row) => {
		if (!isObject(row)) return {};
		return 'data' in row ? row : { [idMember]: row[idMember], data: row };
	});
	const idOf = (row: IDataObject) => {
		const inside = isObject(row.data) ? row.data[idMember] : undefined;
		return (textOf(row[idMember]) ?? textOf(inside))?.trim().toLowerCase();
	};
	const byPlace = rows.length === ids.length && rows.every((row) => idOf(row) === undefined);

	const found = new Map<string, IDataObject[]>(ids.map((id) => [id, []]));
	const seen = new Set<string>();
	rows.forEach((row: IDataObject, place) => {
		const id = byPlace ? ids[place] : idOf(row);
		const own = id === undefined ? undefined : found.get(id);
		const print = JSON.stringify([id, row.data]);
		if (own === undefined || !('data' in row) || seen.has(print)) return;
		seen.add(print);
		own.push(row);
	});
	return found;
}
