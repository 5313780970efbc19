import {
	isAscii,
	normalizeSpaces,
	plainHyphens,
	removeInvisible,
	removeLoneSurrogates,
	trimmer,
} from '../core/text';
import { withoutMarkup } from './markup';
import type { IgnoredCell, Parameter, Property } from './parameter';
import { keyOf, type Members, textsOf } from './texts';

/**
 * What a cell of a CRM, form or spreadsheet says. `value` is null if it says nothing, or nothing that its field can take; in the
 * second case, `ignored` quotes it.
 */
export interface Cell {
	readonly value: string | null;
	/** The text that the value was taken from, if that is another. */
	readonly text?: string;
	readonly ignored?: Omit<IgnoredCell, 'displayName'>;
}

export interface CellKind extends Members {
	/** Continues `Email was ignored in 3 rows: not …`. */
	readonly description: string;
	/** Longer text is no such value. */
	readonly maxLength: number;
	/** Undefined if no value of this kind is in the text, null if letters of it were lost. */
	readonly read: (text: string) => string | undefined | null;
}

/** Never throws: whether a row can do without the cell depends on its other cells. A list gives its first value. */
export const cellParameter = <const Name extends string>(
	property: Property<Name>,
	kind: CellKind,
): Parameter<Name, Cell> => ({
	name: property.name,
	property,
	read: (raw) => readCell(raw, kind),
	ignoredCells: ({ ignored }) =>
		ignored === undefined ? [] : [{ displayName: property.displayName, ...ignored }],
});

/** Removes the invisible characters inside, too: addresses and numbers have none. */
export const withoutInvisible = (text: string): string =>
	plainHyphens(removeInvisible(text).replace(/&nbsp;/gi, ' '));

/** A longer text is a page or a file, not a cell. */
export const MAX_READ_LENGTH = 10_000;

export function readCell(raw: unknown, kind: CellKind): Cell {
	let ignored: Cell['ignored'];
	const isPlain =
		typeof raw === 'number' || (typeof raw === 'string' && raw.length > MAX_READ_LENGTH);
	for (const found of isPlain ? [String(raw)] : textsOf(raw, kind)) {
		const names = String(typeof found === 'object' ? Object.keys(found) : found);
		const rule = `${kind.description} but an object or ID, so drag in the right member`;
		const cell = typeof found === 'string' ? readText(found, kind) : ignoredAs(names, rule);
		if (cell.value !== null) return cell;
		ignored ??= cell.ignored;
	}
	return { value: null, ...(ignored && { ignored }) };
}

const ignoredAs = (text: string, rule: string): Cell => ({
	value: null,
	ignored: { rule, text: normalizeSpaces(text) },
});

const LOST_LETTERS =
	'letters were lost because the file was read in another encoding (choose its own in the node that reads it)';
/** Also UTF-8 that was read as Latin-1: `JosÃ©`. */
const LOST_LETTER =
	/[\p{Cs}\ufffd]|[ÂÃÄÅÐÑ][\u0080-\u009f¡-¿‚ƒ„†‡ˆ‰‹˜™›Ÿ]|Ã[–—“”•]|Â\u00a0|\p{Ll}Ã\u00a0|â€/u;

function readText(raw: string, kind: CellKind): Cell {
	const { isName = false, isNothing, read, maxLength, description } = kind;
	if (raw.length > MAX_READ_LENGTH) return ignoredAs(raw.slice(0, maxLength), description);
	const whole = withoutMarkup(raw, !isName);
	if (isNothing(whole) || isHeader(whole, kind)) return { value: null };
	// A template's, such as `%COMPANY%`.
	const bare = trimMarks(whole);
	if (bare !== whole && isHeader(bare, kind)) return ignoredAs(whole, description);
	if (!isAscii(whole) && LOST_LETTER.test(whole)) return ignoredAs(whole, LOST_LETTERS);
	// A cell may have several addresses or numbers.
	const isOne = isName || whole.length <= maxLength;
	for (const text of isOne ? [whole] : whole.split(/[\n;|]| \/ /)) {
		const value = text.length > maxLength || RECORD_ID.test(text) ? undefined : read(text);
		if (value === null) return ignoredAs(whole, LOST_LETTERS);
		if (value === undefined || withoutMarkup(value, !isName) !== value) continue;
		if (value !== text && (isNothing(value) || isHeader(trimMarks(value), kind))) continue;
		return { value, ...(value !== text && { text }) };
	}
	return ignoredAs(whole, description);
}

/** The header of a file, read as a row: it names the field. */
function isHeader(text: string, { members }: CellKind): boolean {
	const key = text.length > 40 ? '' : keyOf(text);
	const ends = (name: string) => key === name || members.includes(key.slice(name.length));
	return members.some((name) => typeof name === 'string' && key.startsWith(name) && ends(name));
}

/** Record IDs of Airtable, Salesforce and databases. Without the record, they say nothing. */
const RECORD_ID =
	/^(?:rec[a-z\d]{14}|00(?=\d*[a-z])[a-z\d]{13}(?:[a-z\d]{3})?|[\da-f]{24,40}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Nothing in every cell, whatever the case. */
const NEVER_VALUES = [
	...['0', 'n/a', 'n.a', 'nan', 'nil', 'not applicable', 'not available', 'not provided'],
	...['not specified', 'tbd', 'undefined'],
];

/** Words for nothing that are also names of people and companies. */
const NAMES_TOO = ['na', 'none', 'null'];

/** What a box that is ticked, or isn't, is in text. */
const BOOLEANS = ['true', 'false'];

/** Nothing in brackets, and as a contact detail. */
const PLACEHOLDERS = ['blank', 'empty', 'missing', 'no data', 'not found', 'not set', 'unknown'];

/** What spreadsheets show for a formula that failed or isn't ready, in any language: `#DIV/0!`, `#¿NOMBRE?`, `#NV`. */
const FORMULA_ERROR =
	/^#[¡¿]?(?:\p{L}[\p{L}\d_/]*[!?]|[\p{Lu}\p{Lo}][\p{Lu}\p{Lo}\d_/]*)$|^Err:\d{3}$|^Loading\.{3}$/u;

/** True for a cell that can't hold a name or a contact detail, such as an ID. */
export const isNothing = oneOf([...NEVER_VALUES, ...NAMES_TOO], PLACEHOLDERS);

export const isNoContact = oneOf([...NEVER_VALUES, ...NAMES_TOO, ...PLACEHOLDERS]);

/** True for a cell that can't hold a name. */
export const isNoName = oneOf([...NEVER_VALUES, ...BOOLEANS], [...NAMES_TOO, ...PLACEHOLDERS]);

const trimMarks = trimmer(/[^\p{L}\p{N}]/u);

/** @param inBrackets placeholders that count only in brackets, or repeated: `(none)`, `null null` */
function oneOf(words: readonly string[], inBrackets: readonly string[] = []) {
	const alone = new Set(words);
	const bracketed = new Set(inBrackets);
	const repeated = new Set([...words, ...inBrackets, 'object']);
	// Most texts begin like none of them, which saves a closer look.
	const maybe = new RegExp(`^(?:$|[^a-z\\d]|${[...repeated].join('|')}|err|loading)|[^ -~]`, 'i');
	return (text: string): boolean => {
		if (!maybe.test(text)) return false;
		// Longer text isn't looked at closely, because it takes time.
		if (text.length > 200) return !/[\p{L}\p{N}]/u.test(text);
		const plain = removeLoneSurrogates(text.replace(/&nbsp;/gi, ' '));
		const shown = normalizeSpaces(plain).normalize('NFKC');
		const list = shown.split(' ');
		// Without letters and digits, it is a dash, a question mark, a quote, a dot …
		if (list.every((word) => !/[\p{L}\p{N}]/u.test(word) || FORMULA_ERROR.test(word))) return true;
		const cell = shown.toLowerCase();
		const bare = trimMarks(cell);
		if (alone.has(bare)) return true;
		const [first = '', ...others] = bare.split(/ (?:\p{P} )?/u);
		if (others.length > 0 && others.every((word) => word === first)) return repeated.has(first);
		return bracketed.has(bare) && /^[([{<].*[)\]}>]$/.test(cell);
	};
}

/** True for a name and a company that may be names, but together are plainly none: `None`, `Unknown`. */
export const areBothNothing = (name: string, company: string): boolean =>
	isNoContact(name) && isNoContact(company);
