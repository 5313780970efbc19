import type { IDataObject } from 'n8n-workflow';
import { MAYBE_CHARGED } from '../../api/responseRules';
import { asText, isEmpty, isObject } from '../../core/json';
import type { Failure } from '../../core/outcome';
import { formatNumber } from '../../core/text';

/** Bulk response rows, grouped by entity ID. */
interface BulkRows {
	/** The rows of each requested ID. */
	readonly byId: ReadonlyMap<string, IDataObject[]>;
	/** Rows with data but without an ID, which could belong to any requested ID. */
	readonly unassigned: readonly IDataObject[];
	/** Rows with data and an ID that wasn't requested. */
	readonly unexpected: readonly IDataObject[];
}

/**
 * Groups the rows `{ <idField>, data }` of a bulk response (contract: Bulk business row, Bulk prospect row).
 *
 * If no row has an ID, the rows belong to the only requested ID, or are assigned by position. Exact duplicates are
 * removed. Also accepts a single object instead of the list, and data that isn't wrapped in a row.
 *
 * @param multipleRows true if an ID may have several rows, so that positions mean nothing
 */
export function groupBulkRows(
	data: unknown,
	idField: string,
	ids: readonly string[],
	multipleRows: boolean,
): BulkRows {
	const list: unknown[] = Array.isArray(data) ? data : [data];
	const rows = list.map((row) => {
		if (!isObject(row)) return {};
		return 'data' in row ? row : { [idField]: row[idField], data: row };
	});
	const idOf = (row: IDataObject) => {
		const inside = isObject(row.data) ? row.data[idField] : undefined;
		return (asText(row[idField]) ?? asText(inside))?.trim().toLowerCase();
	};
	const noneHasId = rows.every((row) => idOf(row) === undefined);
	const byPosition = noneHasId && !multipleRows && rows.length === ids.length;
	const [onlyId] = noneHasId && ids.length === 1 ? ids : [];

	const byId = new Map<string, IDataObject[]>(ids.map((id) => [id, []]));
	const unassigned: IDataObject[] = [];
	const unexpected: IDataObject[] = [];
	rows.forEach((row: IDataObject, index) => {
		if (!('data' in row)) return;
		const id = onlyId ?? (byPosition ? ids[index] : idOf(row));
		const own = byId.get(id ?? '');
		if (own !== undefined) own.push(row);
		else if (!isEmpty(row.data)) (id === undefined ? unassigned : unexpected).push(row);
	});
	for (const [id, own] of byId) if (own.length > 1) byId.set(id, withoutDuplicates(own));
	return { byId, unassigned, unexpected };
}

/** The failure of an ID without a row if the response has rows without an ID. */
export function unassignedRowsFailure(count: number): Failure {
	const rows =
		count === 1
			? '1 row of the response has no ID, so it is unclear which of your rows it belongs to.'
			: `${formatNumber(count)} rows of the response have no ID, so it is unclear which of your rows they belong to.`;
	return {
		kind: 'unreadable',
		message: `${rows} ${MAYBE_CHARGED} To avoid this, set Batch Size to 1 under Options > Requests.`,
	};
}

function withoutDuplicates(rows: readonly IDataObject[]): IDataObject[] {
	const byJson = new Map<string, IDataObject>();
	for (const row of rows) {
		const json = JSON.stringify(row.data);
		if (!byJson.has(json)) byJson.set(json, row);
	}
	return [...byJson.values()];
}
