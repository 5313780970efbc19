import {
	deepCopy,
	type IBinaryKeyData,
	type IDataObject,
	type INodeExecutionData,
} from 'n8n-workflow';
import { isEmpty, isObject, type JsonValue, textOf } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';
import { getOrCreate } from '../core/collections';
import { isNothing } from '../parameters/cells';
import type { OutputOptions } from '../parameters/options';
import { optionsParameter } from '../parameters/parameter';

/** An output row: its data, or a failure with any data that was received anyway. */
export type Row = DataRow | { readonly failure: Failure; readonly received?: IDataObject };

export interface DataRow {
	/** The fields to output if Fields is empty or ignored. */
	readonly json: IDataObject;
	/** Files, which are added to those of the input row. */
	readonly binary?: IBinaryKeyData;
	/** Returns every field that Fields can name. Absent if `json` has them all. Rows may share the result's nested objects. */
	readonly allFields?: () => IDataObject;
	/** True if the row is output whole, whatever Fields says. */
	readonly ignoresFields?: boolean;
	readonly shared?: SharedFields;
	/** With Include Input Fields, these fields replace those of the input row even if they are empty: an earlier run's are outdated. */
	readonly replacedFields?: readonly string[];
	/** True if the row has no data, for example because the service found no match. */
	readonly empty?: boolean;
	/** True if the row may be about another person than the one who was meant. */
	readonly doubtful?: boolean;
	/** True if the row is left out, although its item succeeded. */
	readonly dropped?: boolean;
	/** Identifies the row's record for Only New Events and Only New Prospects. */
	readonly dedupeKey?: string;
	readonly failure?: undefined;
}

/** With Include Input Fields, how a row goes together with an input row that an earlier node or run has filled. */
export interface SharedFields {
	/** Fields whose values belong together: if one of them has changed, an empty one replaces that of the input row too. */
	readonly together: ReadonlyArray<readonly string[]>;
	/** Objects that are merged if the ID is the same, because they may have been fetched in parts: the fields inside that belong together. */
	readonly nested?: Readonly<Record<string, SharedFields['together']>>;
	/** True if the input row names several IDs, so that values without an ID may be another's. */
	readonly severalIds?: boolean;
}

/** Fields that are about the person or business of an ID, such as those of the data sets. */
export interface FieldsOfId {
	readonly idField: string;
	readonly fields: ReadonlySet<string>;
}

export interface ItemRow<Options> {
	readonly row: Row;
	readonly itemIndex: number;
	/** Always present in a row without a failure. */
	readonly options?: Options;
	/** True if the item sent nothing because its ID, or all its details, are blank. */
	readonly withoutId?: boolean;
	/** True if the item's details have no match, or several. */
	readonly unmatched?: boolean;
	/** True if Skip Rows left the item out of the requests. */
	readonly skipped?: boolean;
}

/** The fields that say whether a row's ID was found (contract: Match prospects, Fetch prospects). */
export const MATCHED_FIELDS = ['matched', 'found'];

/** The row of an item that Skip Rows left out: nothing is known of it. */
export function skippedRow(row: Row): Row {
	if (row.failure !== undefined) return row;
	const { json, allFields } = row;
	const names = MATCHED_FIELDS.filter((name) => Object.hasOwn(json, name));
	const unknown = Object.fromEntries(names.map((name) => [name, null]));
	const withoutResult = (fields: IDataObject) => ({ ...fields, ...unknown, skipped: true });
	return {
		json: withoutResult(json),
		replacedFields: names,
		...(allFields && { allFields: () => withoutResult(allFields()) }),
	};
}

/** A sheet may store it as text. */
const isTrue = (value: JsonValue): boolean => /^true$/i.test(String(value));

export const isDropped = (
	{ dropped, empty }: DataRow,
	options: Pick<OutputOptions, 'dropItemsWithoutData'> | undefined,
): boolean => dropped === true || (empty === true && options?.dropItemsWithoutData === true);

export const rowsWithFailure = <Value>(
	{ value, failure }: Outcome<Value>,
	rows: (value: Value) => Row[],
): Row[] =>
	failure === undefined ? rows(value) : [...(value === undefined ? [] : rows(value)), { failure }];

/**
 * The option Fields can name simplified and raw fields, whether `simplify` is true or false. The context is copied, because all
 * rows of a response share it.
 */
export function recordOutput(
	simplified: IDataObject,
	raw: () => IDataObject,
	responseContext: JsonValue,
	simplify: boolean,
): Required<Pick<DataRow, 'json' | 'allFields'>> {
	const rawRow = () => ({ ...raw(), response_context: structuredClone(responseContext) });
	return {
		json: simplify ? simplified : rawRow(),
		allFields: () => ({ ...simplified, ...rawRow() }),
	};
}

/** As in `OperationSpec`. */
interface FieldRules {
	readonly keepsInputFields?: boolean | undefined;
	readonly fieldsOfId?: FieldsOfId | undefined;
	/** Names of fields. */
	readonly requiredFields?: readonly string[] | undefined;
	/** Names of fields. */
	readonly optionalFields?: readonly string[] | undefined;
}

const without = (json: IDataObject, names: readonly string[]): IDataObject =>
	Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));

/** The fields that the rows have, without their values. */
const columnsOf = (rows: ReadonlyArray<ItemRow<OutputOptions>>): IDataObject =>
	Object.fromEntries(
		rows.flatMap(({ row }) =>
			row.failure === undefined ? Object.keys(row.json).map((name) => [name, null]) : [],
		),
	);

export function outputItems(
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
	inputItems: readonly INodeExecutionData[],
	{ keepsInputFields = false, fieldsOfId, requiredFields = [], optionalFields = [] }: FieldRules,
	isTool: boolean,
): INodeExecutionData[] {
	const unusedFields = optionalFields.filter((name) =>
		rows.every(({ row }) => row.failure !== undefined || isEmpty(row.json[name])),
	);
	const skippedBefore = ({ itemIndex }: ItemRow<OutputOptions>) =>
		isTrue(inputItems[itemIndex]?.json.skipped);
	const someSkipped = rows.some(
		(one) => one.skipped || (one.options?.skipRows !== undefined && skippedBefore(one)),
	);
	const columns = someSkipped ? columnsOf(rows.filter(({ skipped }) => !skipped)) : {};
	// Even if Fields doesn't name it: otherwise, a row would keep what an earlier node says.
	const required = someSkipped ? [...requiredFields, 'skipped'] : requiredFields;
	return rows.flatMap((one, index) => {
		const { row, itemIndex, options, withoutId, skipped } = one;
		if (row.failure !== undefined) return [errorItem(row.failure, itemIndex, row.received)];
		if (options === undefined || isDropped(row, options)) return [];
		// If no row is left, an agent gets the report of the run, which says that the ID is missing.
		if (withoutId && isTool) return [];
		const input = inputItems[itemIndex] ?? { json: {} };
		// Each further row of an item gets a copy of the input fields, so that changing one row doesn't change the others.
		const isLaterRow = rows[index - 1]?.itemIndex === itemIndex;
		// Not `structuredClone`: it would turn Luxon dates, which other nodes may output, into plain objects.
		const inputOfRow =
			options.includeInputFields && isLaterRow ? { ...input, json: deepCopy(input.json) } : input;
		let shown = row;
		// All rows of a run have the same fields.
		if (someSkipped) {
			// What an earlier node skipped no longer counts as skipped, unless this one sent nothing either.
			const stillSkipped = withoutId === true && skippedBefore(one);
			const json = skipped ? { ...columns, ...row.json } : { ...row.json, skipped: stillSkipped };
			shown = { ...row, json };
		}
		if (unusedFields.length > 0) shown = { ...shown, json: without(shown.json, unusedFields) };
		// Found for the input row, but not about it: an event, or a person of a search.
		const isOwnRecord = !keepsInputFields && !skipped && row.empty !== true;
		// Otherwise, a row would keep what an earlier run says of its match.
		const ofMatch = options.includeInputFields
			? MATCHED_FIELDS.filter((name) => Object.hasOwn(input.json, name))
			: [];
		const rules = {
			itemIndex,
			options,
			required: ofMatch.length > 0 ? [...required, ...ofMatch] : required,
			isOwnRecord,
			fieldsOfId,
		};
		return [dataItem(shown, inputOfRow, rules)];
	});
}

function dataItem(
	dataRow: DataRow,
	input: INodeExecutionData,
	{
		itemIndex,
		options: { fields, includeInputFields },
		required,
		isOwnRecord,
		fieldsOfId,
	}: {
		readonly itemIndex: number;
		readonly options: OutputOptions;
		readonly required: readonly string[];
		readonly isOwnRecord: boolean;
		readonly fieldsOfId: FieldsOfId | undefined;
	},
): INodeExecutionData {
	const { json, binary, allFields, ignoresFields } = dataRow;
	const unlisted = required.filter((name) => !fields.includes(name));
	let row = json;
	if (fields.length > 0 && !ignoresFields) {
		const picked = pickFields(json, allFields?.() ?? json, [...fields, ...unlisted]);
		// Null for a named field that only other rows have, so that all rows have the same fields.
		const named = fields.map((path) => [path.split('.')[0], null]);
		row = structuredClone({ ...Object.fromEntries(named), ...picked });
	}
	const inputFiles = includeInputFields ? input.binary : undefined;
	// The same object if nothing is added, as n8n's own nodes output it.
	const files = binary && inputFiles ? { ...inputFiles, ...binary } : (binary ?? inputFiles);
	const merged = () => {
		const rules = isOwnRecord ? { replacedFields: Object.keys(row) } : dataRow;
		return mergeFields(withoutOldError(input.json), row, unlisted, rules, fieldsOfId);
	};
	return {
		json: includeInputFields ? merged() : row,
		...(files !== undefined && { binary: files }),
		pairedItem: { item: itemIndex },
	};
}

/** Puts the row's fields first, except those of `idFields` that the input has too: they are long and mean nothing to people. */
function mergeFields(
	input: IDataObject,
	row: IDataObject,
	idFields: readonly string[] = [],
	{ shared, replacedFields = [] }: Pick<DataRow, 'shared' | 'replacedFields'> = {},
	fieldsOfId?: FieldsOfId,
): IDataObject {
	const knownOf = (name: string) => (Object.hasOwn(input, name) ? input[name] : undefined);
	const isOther =
		fieldsOfId !== undefined &&
		isAboutOther(knownOf(fieldsOfId.idField), row[fieldsOfId.idField], shared);
	const hasChanged = (name: string) => areDifferent(knownOf(name), row[name]);
	// Looked at only where the rows overlap, because every row of a run comes here.
	const isOutdated = (name: string): boolean => {
		if (replacedFields.includes(name)) return true;
		if (fieldsOfId?.fields.has(name) === false) return false;
		const isTogether = (names: readonly string[]) => names.includes(name) && names.some(hasChanged);
		return isOther || shared?.together.some(isTogether) === true;
	};
	const merged = (name: string): JsonValue => {
		const value = row[name];
		const known = knownOf(name);
		if (isEmpty(known)) return value;
		const together = isOther ? undefined : shared?.nested?.[name];
		if (together !== undefined && isObject(known) && isObject(value)) {
			return mergeFields(known, value, [], { shared: { together } });
		}
		return isEmpty(value) && !isOutdated(name) ? known : value;
	};
	// Loops, because they take half the time of copying with `...`, and every row needs one.
	const result: IDataObject = {};
	for (const name of Object.keys(row)) {
		if (!idFields.includes(name) || !Object.hasOwn(input, name)) put(result, name, merged(name));
	}
	for (const name of Object.keys(input)) {
		if (Object.hasOwn(result, name)) continue;
		if (Object.hasOwn(row, name)) put(result, name, merged(name));
		else put(result, name, isOutdated(name) ? null : input[name]);
	}
	return result;
}

/** Assigning `__proto__` would change the object instead of adding a field. */
function put(target: IDataObject, name: string, value: JsonValue): void {
	if (name !== '__proto__') target[name] = value;
	else
		Object.defineProperty(target, name, {
			value,
			enumerable: true,
			writable: true,
			configurable: true,
		});
}

/** True if the input row's values are, or may be, about another ID than the row's. */
function isAboutOther(known: JsonValue, id: JsonValue, shared: SharedFields | undefined): boolean {
	if (isEmpty(id)) return false;
	const knownId = textOf(known);
	return isNothing(knownId) ? shared?.severalIds === true : areDifferent(knownId, id);
}

/** Also false if a sheet has only stored a value in another form: `+1 555 0100` as a number, `true` as TRUE, a list as text. */
const areDifferent = (known: JsonValue, value: JsonValue): boolean =>
	known !== value && !isEmpty(known) && !isEmpty(value) && comparable(known) !== comparable(value);

const comparable = (value: JsonValue): string =>
	(typeof value === 'object' ? JSON.stringify(value) : String(value))
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

/** In an input row, an `error` with the form of this node's errors is probably from an earlier node or run. */
function withoutOldError(input: IDataObject): IDataObject {
	const { error, ...others } = input;
	return isObject(error) && typeof error.message === 'string' ? others : input;
}

/**
 * If `json` had other keys besides `error`, n8n might send the item to the success branch. If `error` were next to `json`, n8n
 * would keep only the message.
 */
export function errorItem(
	failure: Failure,
	itemIndex: number,
	received?: IDataObject,
): INodeExecutionData {
	const { message, field, status, correlationId, details } = failure;
	const error = {
		message,
		...(field !== undefined && { field }),
		...(status !== undefined && { status }),
		...(correlationId !== undefined && { correlation_id: correlationId }),
		...structuredClone(details),
		...(received !== undefined && { received: structuredClone(received) }),
	};
	return { json: { error }, pairedItem: { item: itemIndex } };
}

export const messageItem = (message: string): INodeExecutionData => ({
	json: { message },
	pairedItem: { item: 0 },
});

/**
 * A path without dots takes its value from `json` if `json` has the field, so that the value is the same as without Fields. All
 * other paths take theirs from `allFields`, because `json` may lack what is inside a field. If `paths` has both a field and paths
 * inside it, the field's own value wins.
 */
function pickFields(
	json: IDataObject,
	allFields: IDataObject,
	paths: readonly string[],
): IDataObject {
	// For each top-level field, the rest of its paths; '' stands for the whole field.
	const byKey = new Map<string, string[]>();
	for (const path of paths) {
		const [key = '', ...rest] = path.split('.');
		getOrCreate(byKey, key, (): string[] => []).push(rest.join('.'));
	}
	const picked = [...byKey].flatMap(([key, rest]) => {
		const whole = rest.includes('');
		const source = whole && Object.hasOwn(json, key) ? json : allFields;
		if (!Object.hasOwn(source, key)) return [];
		const inside = rest.filter((path) => path !== '');
		if (!whole) return [[key, pickInside(source[key], inside)]];
		// For Fields such as `contacts, contacts.emails`, if the simplified `contacts` lacks `emails`.
		const value = source[key];
		const more = isObject(value) ? pickInside(allFields[key], inside) : undefined;
		return [[key, isObject(value) && isObject(more) ? { ...more, ...value } : value]];
	});
	return Object.fromEntries(picked);
}

function pickInside(value: unknown, paths: readonly string[]): unknown {
	if (Array.isArray(value)) return value.map((entry) => pickInside(entry, paths));
	return isObject(value) ? pickFields(value, value, paths) : value;
}

/** The parameter Output, with the options `rows` and Summary. Summary returns the whole result as one row. */
export function outputParameter(
	rows: { readonly name: string; readonly value: string; readonly description: string },
	summary: string,
) {
	// A variable, because n8n's lint would report `rows.value` as a missing default.
	const { value: initial } = rows;
	return optionsParameter({
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: initial,
		options: [rows, { name: 'Summary', value: 'summary', description: summary }],
		description: 'What to return',
	});
}

/** Puts `response_context` last, so that people see the data first. */
export const summaryRow = ({ response_context: context, ...members }: IDataObject): IDataObject =>
	context === undefined ? members : { ...members, response_context: context };
