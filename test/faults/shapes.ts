/**
 * What has to come out of what the service sent, written down apart from the package: whose a row is (by what it bears,
 * never by its place where it bears anything), and which output rows follow.
 */
import type { IDataObject } from 'n8n-workflow';
import type { LogEntry } from '../sandbox/log';
import { kept, simplified, simplifiedEvent } from '../workflows/simplified';

/**
/**
 * What an answer says of a value; or why it says nothing: the value is left out (`leftOut` of a person to match, `idLeftOut`),
 * there are rows that do not say whose they are (`nobodys`), or there are no rows at all (`noData`). `rows` are those that
 * nobody gets. Of a page that `lacks` rows, or that `repeats` another, the rows that are its own are kept.
 */
export type Said =
	| { readonly data: unknown; readonly silent?: undefined }
	| {
			readonly silent: 'leftOut' | 'idLeftOut' | 'nobodys' | 'noData';
			readonly rows: readonly IDataObject[];
	  }
	| { readonly silent: 'lacks' | 'repeats'; readonly data: unknown };

export interface Shape {
	readonly kind:
		| 'dataSets'
		| 'records'
		| 'matches'
		| 'events'
		| 'pages'
		| 'parts'
		| 'suggestions'
		| 'answer'
		| 'status';
	/** Whether a value may have any number of rows in the request that is hit, so that a place says nothing. */
	readonly several?: boolean;
	/** What an answer says of each value that the request asked for, by its mark. */
	readonly read: (
		answer: unknown,
		asked: readonly string[],
		request: LogEntry,
		/** Whether the same was asked before, and no answer came. */
		again: boolean,
	) => Map<string, Said>;
	/** What is said of a value in the end, by part, once all parts are known. */
	readonly together?: (parts: ReadonlyMap<string, Said>) => Map<string, Said>;
	/** The output rows of a value, from what was said of it in each part. */
	readonly rows: (mark: string, parts: ReadonlyMap<string, unknown>) => IDataObject[];
	/** Where another part failed: what is kept in the error item. Without it the rows are put out before the error item. */
	readonly received?: (mark: string, parts: ReadonlyMap<string, unknown>) => unknown;
	/** What the error says of the parts that failed; `some` tells whether others came. */
	readonly failed?: (parts: readonly string[], some: boolean) => IDataObject;
	/** How many rows an item must have, unless an error or a hint is about it. */
	readonly owed?: (mark: string) => number;
	/** The hints about rows that are missing or came again, from what was said of each value by part. */
	readonly hints?: (values: ReadonlyArray<ReadonlyMap<string, unknown>>) => RegExp[];
	/** Parts that are only asked for when this one has been answered. */
	readonly opens?: (part: string) => boolean;
}

export type Row = IDataObject;

const isRow = (value: unknown): value is Row =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
/** A list of rows; one row in its place is a list of one. */
export const rowsIn = (value: unknown): Row[] =>
	(Array.isArray(value) ? value : [value]).filter(isRow);
export const member = (answer: unknown, name: string): unknown =>
	isRow(answer) ? answer[name] : undefined;
const missed = (answer: unknown): boolean =>
	member(member(answer, 'response_context'), 'request_status') === 'miss';
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Whose the rows are: each row once, by its id; without any id those of the only one that was asked for, or, where
 * `inPlace` says that each has one row, by place.
 */
function byId(
	rows: readonly Row[],
	ids: readonly string[],
	idOf: (row: Row) => unknown,
	inPlace: boolean,
) {
	const without = rows.filter((row) => typeof idOf(row) !== 'string');
	const none = without.length === rows.length;
	const only = none && ids.length === 1;
	const byPlace = none && inPlace && rows.length === ids.length;
	return {
		of: (id: string, place: number): Row[] => {
			if (byPlace) return rows.slice(place, place + 1);
			const own = only ? rows : rows.filter((row) => idOf(row) === id);
			return own.filter((row, at) => own.findIndex((other) => same(row, other)) === at);
		},
		nobodys: only || byPlace ? [] : without,
	};
}

const hasData = (data: unknown): boolean => {
	if (Array.isArray(data)) return data.some(hasData);
	if (isRow(data)) return Object.values(data).some(hasData);
	return data !== null && data !== undefined && data !== '';
};

/** Enrichments: one row for each id, with a key for each data set; posts keep all their rows. */
export const dataSets = (idMember: string, keys: Readonly<Record<string, string>>): Shape => {
	return {
		kind: 'dataSets',
		several: 'postsBulk' in keys,
		read(answer, asked, { endpoint }) {
			const data = member(answer, 'data');
			const rows = rowsIn(data).filter((one) => 'data' in one);
			const several = endpoint === 'postsBulk';
			const idOf = (one: Row) => one[idMember] ?? member(one.data, idMember);
			const whose = byId(rows, asked, idOf, !several);
			const nobodys = whose.nobodys.filter(hasData);
			const foreign = rows.filter((one) => {
				const id = idOf(one);
				return typeof id === 'string' && !asked.includes(id) && hasData(one.data);
			});
			return new Map(
				asked.map((mark, place): [string, Said] => {
					if (data === null && !missed(answer)) return [mark, { silent: 'noData', rows: [] }];
					const own = whose.of(mark, place).map((one) => one.data);
					if (own.length === 0 && nobodys.length > 0) {
						return [mark, { silent: 'nobodys', rows: nobodys }];
					}
					// Who has no posts has no rows.
					if (own.length === 0 && !several && !missed(answer)) {
						return [mark, { silent: 'idLeftOut', rows: foreign }];
					}
					const filled = own.filter(hasData);
					if (several) return [mark, { data: filled }];
					return [mark, { data: filled[0] ?? own[0] ?? null }];
				}),
			);
		},
		rows: (mark, parts) => [rowOf(idMember, keys, simplified)(mark, parts)],
		received: rowOf(idMember, keys, kept),
		failed: (parts) => ({ failed: parts.map((part) => keys[part] ?? part) }),
	};
};

/** Enrichments through the endpoints for one: a record each. */
export const records = (idMember: string, keys: Readonly<Record<string, string>>): Shape => {
	return {
		kind: 'records',
		read: (sent, asked) =>
			new Map(asked.map((mark) => [mark, { data: member(sent, 'data') ?? null }])),
		rows: (mark, said) => [rowOf(idMember, keys, simplified)(mark, said)],
		received: rowOf(idMember, keys, kept),
		failed: (parts) => ({ failed: parts.map((part) => keys[part] ?? part) }),
	};
};

const rowOf =
	(
		idMember: string,
		keys: Readonly<Record<string, string>>,
		shown: (key: string, data: unknown) => unknown,
	) =>
	(mark: string, said: ReadonlyMap<string, unknown>): Row => ({
		[idMember]: mark,
		...Object.fromEntries(
			[...said].map(([part, data]) => {
				const key = keys[part] ?? part;
				const whole = isRow(data) && 'unassigned_rows' in data;
				return [key, (whole ? data : shown(key, data)) as Row];
			}),
		),
	});

const MEMBERS = 'business_id full_name company_name email phone_number network'.split(' ');
const details = (input: unknown): Row =>
	Object.fromEntries(MEMBERS.map((name) => [name, member(input, name) ?? null])) as Row;

/** Match: one row for each person, found by the input that it repeats, by its place where it repeats none. */
export const matches: Shape = {
	kind: 'matches',
	read(answer, asked, { body }) {
		const rows = rowsIn(member(answer, 'matched_prospects'));
		const inputs = rowsIn(member(body, 'prospects_to_match')).map(details);
		const others = rows.filter(
			(row) => !inputs.some((input) => same(details(row.input), input)) && isRow(row.input),
		);
		return new Map(
			asked.map((mark, at): [string, Said] => {
				const input = inputs[at];
				const own = rows.find((row) => same(details(row.input), input));
				const place =
					rows.length === inputs.length && !isRow(rows[at]?.input) ? rows[at] : undefined;
				const found = own ?? place;
				if (found === undefined && !missed(answer))
					return [mark, { silent: 'leftOut', rows: others }];
				const id = found?.prospect_id ?? null;
				const sent = Object.entries(input ?? {}).filter(([, detail]) => detail !== null);
				const row = { prospect_id: id, matched: id !== null, ...Object.fromEntries(sent) };
				return [mark, { data: row }];
			}),
		);
	},
	rows: (_, parts) => [...parts.values()] as Row[],
};

/** Events: a row for each, at whose it is; none is no failure. */
export const events = (idMember: string): Shape => ({
	kind: 'events',
	several: true,
	read(answer, asked) {
		const rows = rowsIn(member(answer, 'output_events'));
		const whose = byId(rows, asked, (row) => row[idMember], false);
		return new Map(
			asked.map((mark, place): [string, Said] => {
				const own = whose.of(mark, place);
				if (own.length === 0 && whose.nobodys.length > 0) {
					return [mark, { silent: 'nobodys', rows: [] }];
				}
				const shown = own.map((event) => ({
					event_id: null,
					[idMember]: null,
					...simplifiedEvent(event),
				}));
				return [mark, { data: shown }];
			}),
		);
	},
	rows: (_, parts) => [...parts.values()].flat() as Row[],
});

const points = (parts: ReadonlyMap<string, unknown>): Row[] =>
	[...parts.values()].flatMap((answer) => rowsIn(member(answer, 'aggregations')));

/** A range in parts: their points in order; none when a part is missing, since they would be taken for all. */
export const parts: Shape = {
	kind: 'parts',
	read: (answer, asked) => new Map(asked.map((mark) => [mark, { data: answer }])),
	rows: (_, said) => points(said),
	received: (_, said) => {
		const credits = [...said.values()].map((answer) => Number(member(answer, 'total_credits')));
		return expect.objectContaining({
			aggregations: points(said),
			total_credits: credits.reduce((sum, one) => sum + one, 0),
		}) as unknown;
	},
};

/** Suggestions: each a row. */
export const suggestions: Shape = {
	kind: 'suggestions',
	read: (answer, asked) => {
		const rows = rowsIn(answer).filter((row) => 'value' in row);
		return new Map(asked.map((mark) => [mark, { data: rows }]));
	},
	rows: (_, said) => [...said.values()].flat() as Row[],
};

/** The answer as it was sent. */
export const answer: Shape = {
	kind: 'answer',
	read: (sent, asked) => new Map(asked.map((mark) => [mark, { data: sent }])),
	rows: (_, said) => [...said.values()] as Row[],
};

/** What became of a deletion. A miss after a try whose answer was lost means that it is gone. */
export const status: Shape = {
	kind: 'status',
	read(sent, asked, _request, again) {
		const status = (member(sent, 'status') ?? 'success') as string;
		const missed = status === 'miss';
		const row = {
			deleted: !missed || again,
			status,
			...(missed && {
				message: again
					? (expect.stringMatching(/^The enrollment was probably deleted: /) as string)
					: 'There is no enrollment with this ID.',
			}),
		};
		return new Map(asked.map((mark) => [mark, { data: row }]));
	},
	rows: (mark, said) => [...said.values()].map((row) => ({ enrollment_id: mark, ...(row as Row) })),
};
