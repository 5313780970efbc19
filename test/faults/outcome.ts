/** What must come out for one item: its rows, and its error. */
import type { IDataObject } from 'n8n-workflow';
import type { Course, Plan } from './course';
import type { Ending } from './endings';
import type { Said } from './shapes';
import type { Way } from './ways';
import type { Failing } from './words';

export interface ExpectedError {
	readonly words: Failing;
	/** Whether the answer had a correlation ID. */
	readonly correlated: boolean;
	/** All that it holds but the message and the correlation ID. */
	readonly facts: IDataObject;
}

export interface ExpectedItem {
	/** Place among the input items. */
	readonly row: number;
	readonly rows: readonly IDataObject[];
	readonly error?: ExpectedError;
}

/** What the answers that arrived say of each value, by part. */
export type AllSaid = ReadonlyMap<string, ReadonlyMap<number, Said>>;

/** The item of a place, which asks for the value of a number. */
export function expectedItem(
	way: Way,
	{ requests }: Plan,
	{ row, value, mark }: { row: number; value: number; mark: string },
	said: AllSaid,
	course: Course,
	ending: Ending,
): ExpectedItem {
	const { shape } = way;
	const data = new Map<string, unknown>();
	const lost: string[] = [];
	let silent: Exclude<Said, { silent?: undefined }> | undefined;
	for (const { part } of requests.filter(({ values }) => values.includes(value))) {
		const one = said.get(part)?.get(value);
		if (one === undefined) {
			if (course.fails(part, value)) lost.push(part);
			continue;
		}
		if ('data' in one) data.set(part, one.data);
		if (one.silent === undefined) continue;
		silent = one;
		lost.push(part);
		// What nobody gets was paid for all the same.
		if ('rows' in one && one.rows.length > 0 && shape.kind === 'dataSets') {
			data.set(part, { unassigned_rows: one.rows });
		}
	}
	const keepsRows = shape.received === undefined;
	if (lost.length === 0) return { row, rows: shape.rows(mark, data) };

	const received = data.size > 0 ? shape.received?.(mark, data) : undefined;
	const failure =
		silent === undefined ? failureOf(ending, way, course, value) : silenced(silent, way);
	return {
		row,
		rows: keepsRows && data.size > 0 ? shape.rows(mark, data) : [],
		error: {
			...failure,
			facts: {
				...failure.facts,
				...shape.failed?.(lost, data.size > 0),
				...(received !== undefined && { received: received as IDataObject }),
			},
		},
	};
}

/** Errors of the connection have a code in place of a status. */
const CODED: readonly Failing[] = ['unreachable', 'lost', 'timeout'];

function failureOf(
	{ fails }: Ending,
	{ field }: Way,
	{ alone }: Course,
	value: number,
): ExpectedError {
	if (fails === undefined) throw new Error('The fault fails nothing');
	const { words, status, correlated = false } = fails;
	return {
		words,
		correlated,
		facts: {
			...(status !== undefined && { status }),
			...(status === undefined && CODED.includes(words) && { code: expect.any(String) as string }),
			...(alone(value) && field !== undefined && { field }),
		},
	};
}

/** Rows that were paid for and that nobody gets are kept. */
const silenced = (one: Exclude<Said, { silent?: undefined }>, { shape }: Way): ExpectedError => {
	const rows = 'rows' in one && shape.kind === 'matches' ? one.rows : [];
	return {
		words: one.silent,
		correlated: true,
		facts: rows.length > 0 ? { unassigned_rows: [...rows] } : {},
	};
};
