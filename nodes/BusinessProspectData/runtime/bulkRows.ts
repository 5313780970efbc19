import type { IDataObject } from 'n8n-workflow';
import { isEmpty, isObject, asText } from '../core/json';
import { pluralize } from '../core/text';
import type { Failure } from '../core/outcome';
import { CHARGED } from '../api/errorMessage';

/** Whose the rows of a bulk answer are. */
export interface BulkRows {
	/** The rows of each id that was asked for. */
	readonly byId: ReadonlyMap<string, IDataObject[]>;
	/** Rows with data that bear no id, where it is unknown for which of those asked for they are. */
	readonly unassigned: readonly IDataObject[];
	/** Rows with data that bear an ID that was not asked for. */
	readonly unexpected: readonly IDataObject[];
}

/**
 * The rows `{ <idMember>, data }` of a bulk answer, by the id that they bear (contract: Bulk business row, Bulk
 * prospect row). Where no row bears an id, they are those of the only id asked for, or go by their place; exact repetitions
 * are left out. One object instead of the list, or the data without its row around it,
 * is read as well.
 *
 * @param several whether an id may have several rows, so that a place says nothing
 */
export function groupBulkRows(
	data: unknown,
	idMember: string,
	ids: readonly string[],
	several: boolean,
): BulkRows {
	const list: unknown[] = Array.isArray(data) ? data : [data];
	const rows = list.map((row) => {
		if (!isObject(row)) return {};
		return 'data' in row ? row : { [idMember]: row[idMember], data: row };
	});
	const idOf = (row: IDataObject) => {
		const inside = isObject(row.data) ? row.data[idMember] : undefined;
		return (asText(row[idMember]) ?? asText(inside))?.trim().toLowerCase();
	};
	const without = rows.every((row) => idOf(row) === undefined);
	const byPlace = without && !several && rows.length === ids.length;
	const [only] = without && ids.length === 1 ? ids : [];

	const byId = new Map<string, IDataObject[]>(ids.map((id) => [id, []]));
	const nobodys: IDataObject[] = [];
	const foreign: IDataObject[] = [];
	rows.forEach((row: IDataObject, place) => {
		if (!('data' in row)) return;
		const id = only ?? (byPlace ? ids[place] : idOf(row));
		const own = byId.get(id ?? '');
		if (own !== undefined) own.push(row);
		else if (!isEmpty(row.data)) (id === undefined ? nobodys : foreign).push(row);
	});
	for (const [id, own] of byId) if (own.length > 1) byId.set(id, withoutRepetitions(own));
	return { byId, unassigned: nobodys, unexpected: foreign };
}

/** The failure of an id without a row, where rows do not say whose they are. */
export function unassignedRowsFailure(count: number): Failure {
	const [does, they] = count === 1 ? ['does', 'it is'] : ['do', 'they are'];
	return {
		kind: 'unreadable',
		message: `${pluralize(count, 'row')} of the answer ${does} not say whose ${they}, and no other is for this ID. ${CHARGED} Ask for one ID in a request (Batch Size 1 under Options, where there is that option): what comes then can only be its own.`,
	};
}

function withoutRepetitions(rows: readonly IDataObject[]): IDataObject[] {
	const byPrint = new Map<string, IDataObject>();
	for (const row of rows) {
		const print = JSON.stringify(row.data);
		if (!byPrint.has(print)) byPrint.set(print, row);
	}
	return [...byPrint.values()];
}
