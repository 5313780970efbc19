/**
 * The expected output for a response, written independently of the package: whose each row is (by its ID, never by its
 * position if any row has an ID), and which output rows follow.
 */
import type { IDataObject } from 'n8n-workflow';
import type { LogEntry } from '../sandbox/log';
import { flat, kept, simplifiedEvent } from '../workflows/simplified';

/**
 * What a response says of a value, or why it says nothing: it leaves out the person or the ID, has rows without an ID
 * (`unassigned`), has no rows at all (`noData`), or reports an error of the row (`rowError`). `rows` are those that no value gets. A page with missing or repeated
 * rows keeps its other rows.
 */
export type PartResult =
	| { readonly data: unknown; readonly problem?: undefined }
	| {
			readonly problem:
				| 'personMissing'
				| 'companyUnknown'
				| 'idMissing'
				| 'unassigned'
				| 'noData'
				| 'rowError';
			readonly rows: readonly IDataObject[];
			/** The value's own rows, if it may lack others. */
			readonly data?: unknown;
	  }
	| { readonly problem: 'missingRows' | 'repeatedRows'; readonly data: unknown };

export interface ResponseModel {
	readonly kind:
		| 'dataSets'
		| 'records'
		| 'matches'
		| 'companies'
		| 'companiesOfPeople'
		| 'events'
		| 'pages'
		| 'dateRanges'
		| 'autocomplete'
		| 'wholeResponse'
		| 'customCall'
		| 'deletion';
	/** Whether a value may have any number of rows in the affected request, so that a position says nothing. */
	readonly multipleRows?: boolean;
	/** What a response says of each requested value, by mark. */
	readonly read: (
		response: unknown,
		marks: readonly string[],
		request: LogEntry,
		/** Whether an equal request had no response before. */
		isRetry: boolean,
	) => Map<string, PartResult>;
	/** The final results of a value, by part, from those of all its parts. */
	readonly combine?: (parts: ReadonlyMap<string, PartResult>) => Map<string, PartResult>;
	/** The output rows of a value, from the data of each part. */
	readonly rows: (mark: string, parts: ReadonlyMap<string, unknown>) => IDataObject[];
	/** What the error item keeps if another part failed. Without it, the rows are output before the error item. */
	readonly received?: (mark: string, parts: ReadonlyMap<string, unknown>) => unknown;
	/** What the error says of the failed parts. */
	readonly failureFacts?: (failedParts: readonly string[], hasData: boolean) => IDataObject;
	/** How many rows an item must have without an error or a hint. */
	readonly minRows?: (mark: string) => number;
	/** The hints about missing or duplicate rows, from the data of each value by part. */
	readonly hints?: (values: ReadonlyArray<ReadonlyMap<string, unknown>>) => RegExp[];
	/** Whether later parts are only requested after a response to this one. */
	readonly announcesPages?: (part: string) => boolean;
}

export type Row = IDataObject;

const isRow = (value: unknown): value is Row =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
/** A list of rows. A single row counts as a list of one. */
export const rowsIn = (value: unknown): Row[] =>
	(Array.isArray(value) ? value : [value]).filter(isRow);
export const member = (value: unknown, name: string): unknown =>
	isRow(value) ? value[name] : undefined;
const isMiss = (response: unknown): boolean =>
	member(member(response, 'response_context'), 'request_status') === 'miss';
const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The same result for every value. */
const forEach = (marks: readonly string[], data: unknown) =>
	new Map(marks.map((mark): [string, PartResult] => [mark, { data }]));

/**
 * Assigns each row once, by its ID. If no row has one, the rows belong to the only value, or each to the value at its
 * position if `byPosition` allows that.
 */
function assignRows(
	rows: readonly Row[],
	ids: readonly string[],
	idOf: (row: Row) => unknown,
	byPosition: boolean,
) {
	const withoutId = rows.filter((row) => typeof idOf(row) !== 'string');
	const noneHasId = withoutId.length === rows.length;
	const isOnly = noneHasId && ids.length === 1;
	const usesPosition = noneHasId && byPosition && rows.length === ids.length;
	return {
		rowsOf: (id: string, position: number): Row[] => {
			if (usesPosition) return rows.slice(position, position + 1);
			const own = isOnly ? rows : rows.filter((row) => idOf(row) === id);
			return own.filter((row, at) => own.findIndex((other) => isEqual(row, other)) === at);
		},
		unassigned: isOnly || usesPosition ? [] : withoutId,
	};
}

const hasError = (row: Row): boolean => 'error' in row;

const hasData = (data: unknown): boolean => {
	if (Array.isArray(data)) return data.some(hasData);
	if (isRow(data)) return Object.values(data).some(hasData);
	return data !== null && data !== undefined && data !== '';
};

/** A row with the ID and a member for each data set; `keys` are the members by part. */
const enrichmentRow = (idMember: string, keys: Readonly<Record<string, string>>) => {
	const rowWith =
		(outputOf: (key: string, data: unknown) => unknown) =>
		(mark: string, parts: ReadonlyMap<string, unknown>): Row => ({
			[idMember]: mark,
			...Object.fromEntries(
				[...parts].map(([part, data]) => {
					const key = keys[part] ?? part;
					const isIncomplete = isRow(data) && ('unassigned_rows' in data || 'rows' in data);
					return [key, (isIncomplete ? data : outputOf(key, data)) as Row];
				}),
			),
		});
	const row = (mark: string, parts: ReadonlyMap<string, unknown>): Row => ({
		...(Object.assign(
			{},
			...[...parts].map(([part, data]) => flat(keys[part] ?? part, data)),
		) as Row),
		[idMember]: mark,
	});
	return {
		rows: (mark: string, parts: ReadonlyMap<string, unknown>) => [row(mark, parts)],
		received: rowWith(kept),
		failureFacts: (failedParts: readonly string[]) => ({
			failed: failedParts.map((part) => keys[part] ?? part),
		}),
	};
};

/** The rows of a response that no value gets: only the first failed value keeps them. */
function keptOnce() {
	let isFirst = true;
	return (rows: readonly Row[]): Row[] => {
		const kept = isFirst ? [...rows] : [];
		isFirst = false;
		return kept;
	};
}

/** Bulk enrichments: one row per ID. Posts may have any number. */
export const dataSets = (
	idMember: string,
	keys: Readonly<Record<string, string>>,
): ResponseModel => ({
	kind: 'dataSets',
	multipleRows: 'postsBulk' in keys,
	read(response, marks, { endpoint }) {
		const data = member(response, 'data');
		const rows = rowsIn(data).filter((one) => 'data' in one || hasError(one));
		const multipleRows = endpoint === 'postsBulk';
		const idOf = (one: Row) => one[idMember] ?? member(one.data, idMember);
		const assigned = assignRows(rows, marks, idOf, !multipleRows);
		const unassigned = assigned.unassigned.filter(hasData);
		const foreign = rows.filter((one) => {
			const id = idOf(one);
			return typeof id === 'string' && !marks.includes(id) && hasData(one.data);
		});
		const once = keptOnce();
		const resultOf = (mark: string, position: number): PartResult => {
			if (data === null && !isMiss(response)) return { problem: 'noData', rows: [] };
			const ownRows = assigned.rowsOf(mark, position);
			if (ownRows.some(hasError)) return { problem: 'rowError', rows: [] };
			const own = ownRows.map((one) => one.data);
			// Of several rows, any may be the value's own.
			if ((own.length === 0 || multipleRows) && unassigned.length > 0) {
				const data = own.filter(hasData);
				return {
					problem: 'unassigned',
					rows: once([...unassigned, ...foreign]),
					...(data.length > 0 && { data }),
				};
			}
			// A person without posts has no rows.
			const mayHaveNone = foreign.length === 0 && (multipleRows || isMiss(response));
			if (own.length === 0 && !mayHaveNone) return { problem: 'idMissing', rows: once(foreign) };
			const filled = own.filter(hasData);
			return { data: multipleRows ? filled : (filled[0] ?? own[0] ?? null) };
		};
		return new Map(marks.map((mark, position) => [mark, resultOf(mark, position)]));
	},
	...enrichmentRow(idMember, keys),
});

/** Enrichments of one ID per request. */
export const records = (
	idMember: string,
	keys: Readonly<Record<string, string>>,
): ResponseModel => ({
	kind: 'records',
	read: (response, marks) => forEach(marks, member(response, 'data') ?? null),
	...enrichmentRow(idMember, keys),
});

const DETAILS = 'business_id full_name company_name email phone_number network'.split(' ');
const detailsOf = (input: unknown): Row =>
	Object.fromEntries(DETAILS.map((name) => [name, member(input, name) ?? null])) as Row;

/** Match: one row per person, found by its `input`, or by position if it has none. */
export const matches: ResponseModel = {
	kind: 'matches',
	read(response, marks, { body }) {
		const rows = rowsIn(member(response, 'matched_prospects'));
		const inputs = rowsIn(member(body, 'prospects_to_match')).map(detailsOf);
		const foreign = rows.filter(
			(row) => isRow(row.input) && !inputs.some((input) => isEqual(detailsOf(row.input), input)),
		);
		const once = keptOnce();
		const resultOf = (position: number): PartResult => {
			const input = inputs[position];
			const byInput = rows.find((row) => isEqual(detailsOf(row.input), input));
			const atPosition = rows.length === inputs.length ? rows[position] : undefined;
			const found = byInput ?? (isRow(atPosition?.input) ? undefined : atPosition);
			if (found === undefined && !isMiss(response)) {
				return { problem: 'personMissing', rows: once(foreign) };
			}
			if (found !== undefined && hasError(found)) return { problem: 'rowError', rows: [found] };
			const id = found?.prospect_id ?? null;
			const details = Object.entries(input ?? {}).filter(([, detail]) => detail !== null);
			const repeated = details.map(([name, detail]) => [`input_${name}`, detail]);
			return {
				data: { prospect_id: id, matched: id !== null, ...Object.fromEntries(repeated) },
			};
		};
		return new Map(marks.map((mark, position) => [mark, resultOf(position)]));
	},
	rows: (_, parts) => [...parts.values()] as Row[],
};

/** Companies to choose from. */
const listed = (candidates: readonly Row[]): Row => ({
	candidate_names: candidates
		.map(({ company_name, company_website }) => `${company_name} (${company_website})`)
		.join('; '),
	candidate_ids: candidates.map(({ business_id }) => business_id).join('; '),
});

/** Find: one row per name, from the people that the search returns. */
export const companies: ResponseModel = {
	kind: 'companies',
	read(response, marks, { body }) {
		const people = rowsIn(member(response, 'data'));
		const [name] = member(member(member(body, 'filters'), 'company_name'), 'values') as string[];
		const hasNone = isMiss(response) || Number(member(response, 'total_results') ?? NaN) === 0;
		if (people.length === 0 && !hasNone) {
			return new Map(marks.map((mark) => [mark, { problem: 'companyUnknown', rows: [] }]));
		}
		const resultOf = (): PartResult => {
			const known = people.flatMap(({ business_id, company_name, company_website }): Row[] =>
				business_id === undefined ? [] : [{ business_id, company_name, company_website }],
			);
			const candidates = known.filter(
				(one, at) => known.findIndex((other) => isEqual(one, other)) === at,
			);
			const fitting = candidates.filter((one) => one.company_name === name);
			const [company] = fitting.length === 1 ? fitting : [];
			const row = {
				found_name: company?.company_name ?? null,
				found_website: company?.company_website ?? null,
				found: company !== undefined,
				input_company_name: name,
				business_id: company?.business_id ?? null,
			};
			return { data: company || candidates.length === 0 ? row : { ...row, ...listed(candidates) } };
		};
		return new Map(marks.map((mark) => [mark, resultOf()]));
	},
	rows: (_, parts) => [...parts.values()] as Row[],
};

/** Find by prospect ID: the company in the person's row. A person without a row is not found if all rows are of others. */
export const companiesOfPeople: ResponseModel = {
	kind: 'companiesOfPeople',
	multipleRows: true,
	read(response, marks) {
		const people = rowsIn(member(response, 'data'));
		const total = Number(member(response, 'total_results') ?? NaN);
		const pages = Number(member(response, 'total_pages') ?? 0);
		const isIncomplete =
			people.some(({ prospect_id }) => !marks.includes(prospect_id as string)) ||
			total > people.length ||
			(people.length === 0 && !isMiss(response) && !(total === 0 || pages === 0));
		const resultOf = (mark: string): PartResult => {
			const own = people.find(({ prospect_id }) => prospect_id === mark);
			if (own === undefined && isIncomplete) return { problem: 'companyUnknown', rows: [] };
			const { business_id = null, company_name = null, company_website = null } = own ?? {};
			const found = business_id !== null;
			const company = {
				found_name: found ? company_name : null,
				found_website: found ? company_website : null,
			};
			return { data: { ...company, found, prospect_id: mark, business_id } };
		};
		return new Map(marks.map((mark) => [mark, resultOf(mark)]));
	},
	rows: (_, parts) => [...parts.values()] as Row[],
};

/** Events: one row each. An ID may have none. */
export const events = (idMember: string): ResponseModel => ({
	kind: 'events',
	multipleRows: true,
	read(response, marks) {
		const rows = rowsIn(member(response, 'output_events'));
		// A request for one ID has only its events, and an event of another ID may be anyone's.
		const idOf = ({ [idMember]: id }: Row) =>
			marks.length > 1 && marks.includes(id as string) ? id : undefined;
		const { rowsOf, unassigned } = assignRows(rows, marks, idOf, false);
		const resultOf = (mark: string, position: number): PartResult => {
			// An event is output once, even if it comes again with another ID.
			const contentOf = (row: Row) => ({ ...row, [idMember]: null });
			const own = rowsOf(mark, position).filter(
				(row, at, all) =>
					all.findIndex((other) => isEqual(contentOf(other), contentOf(row))) === at,
			);
			if (own.some(hasError)) return { problem: 'rowError', rows: [] };
			const isUnknown = own.length === 0 && unassigned.length > 0;
			if (isUnknown) return { problem: 'unassigned', rows: [] };
			const rowOf = (event: Row) => ({
				event_id: null,
				[idMember]: null,
				...simplifiedEvent(event),
			});
			return { data: own.map(rowOf) };
		};
		return new Map(marks.map((mark, position) => [mark, resultOf(mark, position)]));
	},
	rows: (_, parts) => [...parts.values()].flat() as Row[],
});

const pointsIn = (parts: ReadonlyMap<string, unknown>): Row[] =>
	[...parts.values()].flatMap((response) => rowsIn(member(response, 'aggregations')));

/** A date range in several requests: its points in order, or none if a request failed. */
export const dateRanges: ResponseModel = {
	kind: 'dateRanges',
	read: (response, marks) => forEach(marks, response),
	rows: (_, parts) => pointsIn(parts),
	received: (_, parts) => {
		const credits = [...parts.values()].map((one) => Number(member(one, 'total_credits')));
		return expect.objectContaining({
			aggregations: pointsIn(parts),
			total_credits: credits.reduce((sum, one) => sum + one, 0),
		}) as unknown;
	},
};

/** Autocomplete: one row per suggestion. */
export const autocomplete: ResponseModel = {
	kind: 'autocomplete',
	read: (response, marks) =>
		forEach(
			marks,
			rowsIn(response).filter((row) => 'value' in row),
		),
	rows: (_, parts) => [...parts.values()].flat() as Row[],
};

/** The response is the row. */
export const wholeResponse: ResponseModel = {
	kind: 'wholeResponse',
	read: (response, marks) => forEach(marks, response),
	rows: (_, parts) => [...parts.values()] as Row[],
};

/** A custom API call: the response is the row, and an empty one says so. */
export const customCall: ResponseModel = {
	kind: 'customCall',
	read: (response, marks) => forEach(marks, response),
	rows: (_, parts) =>
		[...parts.values()].map((response) =>
			Object.keys(response as Row).length > 0
				? (response as Row)
				: { message: 'The request succeeded. The response is empty.' },
		),
};

/** A deletion. A miss after an attempt without a response means that the attempt probably succeeded. */
export const deletion: ResponseModel = {
	kind: 'deletion',
	read(response, marks, _request, isRetry) {
		const status = (member(response, 'status') ?? 'success') as string;
		const message = isRetry
			? (expect.stringMatching(/^The enrollment was probably deleted: /) as string)
			: 'There is no enrollment with this ID.';
		const missed = status === 'miss';
		return forEach(marks, { deleted: !missed || isRetry, status, ...(missed && { message }) });
	},
	rows: (mark, parts) =>
		[...parts.values()].map((row) => ({ enrollment_id: mark, ...(row as Row) })),
};

/** The steps that find an ID: the endpoint, and the field that says whether there is one. */
const IDENTIFYING = {
	match: { model: matches, idMember: 'prospect_id', idsMember: 'prospect_ids', flag: 'matched' },
	search: { model: companies, idMember: 'business_id', idsMember: 'business_ids', flag: 'found' },
} as const;

/** Whether a result of such a step has an ID. */
export const isIdentified = (data: unknown): boolean =>
	Object.values(IDENTIFYING).some(({ flag }) => member(data, flag) === true);

/**
 * People or companies whose ID is found first: the data of those with one, and whether there is one. The fault affects
 * `step`; `dataPart` is the endpoint of the other step.
 */
export const afterIdentifying = (
	endpoint: keyof typeof IDENTIFYING,
	model: ResponseModel,
	dataPart: string,
	step: keyof typeof IDENTIFYING | 'data',
): ResponseModel => {
	const { model: own, idMember, idsMember, flag } = IDENTIFYING[endpoint];
	const isOwn = (part: string) => part.split(' ')[0] === endpoint;
	const dataOf = (parts: ReadonlyMap<string, unknown>) =>
		new Map([...parts].filter(([part]) => !isOwn(part)));
	const identityOf = (parts: ReadonlyMap<string, unknown>) => {
		const [, found] = [...parts].find(([part]) => isOwn(part)) ?? [];
		const id = (member(found, idMember) ?? null) as string | null;
		const { candidate_names, candidate_ids } = isRow(found) ? found : {};
		return {
			id: id ?? '',
			fields: {
				[idMember]: id,
				[flag]: id !== null,
				...(candidate_ids !== undefined && { candidate_names, candidate_ids }),
			},
		};
	};
	const { kind, multipleRows } = step === endpoint ? own : model;
	return {
		kind,
		multipleRows,
		read(response, marks, request, isRetry) {
			if (request.endpoint === endpoint) return own.read(response, marks, request, isRetry);
			const ids = member(request.body, idsMember) as string[];
			const results = model.read(response, ids, request, isRetry);
			return new Map(
				marks.flatMap((mark, at): Array<[string, PartResult]> => {
					const result = results.get(ids[at] ?? '');
					return result === undefined ? [] : [[mark, result]];
				}),
			);
		},
		rows(_, parts) {
			const { id, fields } = identityOf(parts);
			if (id !== '') return model.rows(id, dataOf(parts)).map((row) => ({ ...row, ...fields }));
			return model.kind === 'events'
				? [{ event_name: null, event_time: null, event_id: null, ...fields }]
				: [{ ...model.rows('', new Map([[dataPart, null]]))[0], ...fields }];
		},
		received: (_, parts) => {
			const { id, fields } = identityOf(parts);
			return { ...(model.received?.(id, dataOf(parts)) as Row), ...fields };
		},
		failureFacts: (failedParts, hasData) =>
			failedParts.some(isOwn) ? {} : (model.failureFacts?.(failedParts, hasData) ?? {}),
	};
};
