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
	rows.forEach((row: IDataObject, place) => {
		const id = byPlace ? ids[place] : idOf(row);
		if (id !== undefined && 'data' in row) found.get(id)?.push(row);
	});
	for (const [id, own] of found) if (own.length > 1) found.set(id, withoutRepetitions(own));
	return found;
}

function withoutRepetitions(rows: readonly IDataObject[]): IDataObject[] {
	const byPrint = new Map<string, IDataObject>();
	for (const row of rows) {
		const print = JSON.stringify(row.data);
		if (!byPrint.has(print)) byPrint.set(print, row);
	}
	return [...byPrint.values()];
}
