import type { IDataObject } from 'n8n-workflow';
import { isEmpty, isObject, type JsonValue } from '../core/json';
import { didYouMean } from '../core/text';
import { isNoName, isNothing } from '../parameters/cells';
import { type FillColumn, fillColumnsError } from '../parameters/fillColumns';
import { ENTITIES, isAbout } from './about';
import { CANDIDATES, type ColumnSet, type Layout, MATCH_CHECK, RESPONSE_CONTEXT } from './columns';
import { cutCell, type DataRow, inputName, put } from './row';

/** They say something about rows that aren't filled, or about the whole response. */
const NEVER_FILL: readonly string[] = [CANDIDATES.source, RESPONSE_CONTEXT.source];

const mayFill = ({ source }: ColumnSet): boolean => !NEVER_FILL.includes(source);

/** The columns that may fill others, the most useful first. */
export function fillingColumns({ sets }: Pick<Layout, 'sets'>): string[] {
	const own = sets.filter(mayFill);
	const names = [
		...own.flatMap(({ shown }) => shown),
		...own.flatMap(({ reads }) => [...reads.keys()]),
	];
	return [...new Set(names)];
}

/** @throws UserError for a column that can't be filled, before anything is paid */
export function checkFillColumns(fills: readonly FillColumn[], layout: Layout): void {
	for (const { yourColumn, value } of fills) {
		if (yourColumn === '') {
			throw fillColumnsError('enter a name in Your Column, such as email, or remove the column.');
		}
		if (layout.owners.has(yourColumn) || ENTITIES.some((one) => isAbout(one, yourColumn, null))) {
			throw fillColumnsError(
				'is written by this node itself. In Your Column, enter a column of your own, such as email.',
				yourColumn,
			);
		}
		if (value === '') {
			throw fillColumnsError('has no Value. Choose one from the list.', yourColumn);
		}
		// The list is made only for the message, because this check runs for each row.
		const isOffered = layout.sets.some(
			(set) => mayFill(set) && (set.reads.has(value) || set.shown.includes(value)),
		);
		if (!isOffered) {
			const columns = fillingColumns(layout);
			throw fillColumnsError(
				`is not a column of these rows${didYouMean(value, columns)}. In Value, choose one of: ${columns.join(', ')}.`,
				value,
			);
		}
	}
}

/** Whether the person found is probably another than the one who was meant. */
export function isDoubtful({ records }: Pick<DataRow, 'records'>): boolean {
	const check = records[MATCH_CHECK.source];
	return isObject(check) && check.match_check === 'differs';
}

/** Whether a cell has no value. Where a number, or true or false, was found, 0 and false are values. */
function isUnfilled(cell: JsonValue, newValue: JsonValue, isNone = isNothing): boolean {
	if (isEmpty(cell)) return true;
	if (typeof cell === 'object')
		return Array.isArray(cell) && cell.every((one) => isUnfilled(one, '', isNone));
	if (typeof cell !== 'string' && typeof cell === typeof newValue) return Number.isNaN(cell);
	return cell === false || (typeof cell !== 'boolean' && isNone(String(cell)));
}

/**
 * Adds the columns of Fill Columns to `included`, the part of the input row that is output. An input column never loses its value
 * to nothing.
 */
export function withFilledColumns(
	row: DataRow,
	{ owners }: Layout,
	fills: readonly FillColumn[],
	input: IDataObject,
	included: IDataObject,
): IDataObject {
	if (fills.length === 0) return included;
	const isFound = ['found', 'empty'].includes(row.state ?? 'found') && !isDoubtful(row);
	const filled = { ...included };
	for (const { yourColumn, value, ifFilled } of fills) {
		const name = inputName(yourColumn, input) ?? yourColumn;
		const from = [filled, input].find((each) => Object.hasOwn(each, name));
		const mine = from?.[name];
		const owner = owners.get(value);
		const record = owner && row.records[owner.set.source];
		const newValue = isFound && record !== undefined ? cutCell(owner?.read(record)) : null;
		const isNeeded = ifFilled === 'replaceIfFound' || isUnfilled(mine, newValue);
		if (isNeeded && !isUnfilled(newValue, newValue, isNoName)) put(filled, name, newValue);
		else if (from !== undefined) put(filled, name, mine);
	}
	return filled;
}
