import type { IDataObject } from 'n8n-workflow';
import { isEmpty, isObject, parsedJson } from '../core/json';
import { normalizeSpaces } from '../core/text';
import { isFalseOrNaN, type Parameter, type Property, unwrapLocator } from './parameter';

/**
 * What a cell of a CRM or spreadsheet says. `value` is null if it says nothing, or nothing that its field can take; in the second
 * case, `ignored` quotes it.
 */
export interface Cell {
	readonly value: string | null;
	readonly ignored?: string;
}

export interface CellKind {
	/** Continues `Email was ignored in 3 rows: not …`. */
	readonly description: string;
	/** True if people write the text where they have no value. */
	readonly isNothing: (text: string) => boolean;
	/** Undefined if no value of this kind is in the text. */
	readonly read: (text: string) => string | undefined;
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
		ignored === undefined
			? []
			: [{ displayName: property.displayName, text: ignored, rule: kind.description }],
});

export function readCell(raw: unknown, { isNothing, read }: CellKind): Cell {
	let ignored: string | undefined;
	for (const text of textsOf(raw)) {
		if (isNothing(text)) continue;
		// Without the record that it stands for, such as a linked one of Airtable.
		const value = RECORD_ID.test(text) ? undefined : read(decodeEntities(text));
		if (value !== undefined && (value === text || !isNothing(value))) return { value };
		ignored ??= normalizeSpaces(text);
	}
	return { value: null, ...(ignored !== undefined && { ignored }) };
}

/** A list or an object that an expression or a database turned into text is one again. */
export function parsedCell(raw: unknown): unknown {
	const value = unwrapLocator(raw);
	const parsed =
		typeof value === 'string' && /^\s*[[{]/.test(value) ? parsedJson(value) : undefined;
	return typeof parsed === 'object' ? parsed : value;
}

/** The values of the members with this name, which is in lower case and without separators. */
export const membersOf = (row: IDataObject, name: string): unknown[] =>
	Object.keys(row)
		.filter((own) => own.toLowerCase().replace(/[\s_-]/g, '') === name)
		.map((own) => row[own]);

function textsOf(raw: unknown): string[] {
	const value = parsedCell(raw);
	if (value === null || value === undefined || isFalseOrNaN(value)) return [];
	if (Array.isArray(value)) return primaryFirst(value).flatMap(textsOf);
	if (!isObject(value)) return [String(value)];
	const own = ['value', 'name', 'text'].find((name) => !isEmpty(value[name]));
	return own === undefined ? Object.values(value).flatMap(textsOf) : textsOf(value[own]);
}

const primaryFirst = (list: readonly unknown[]): unknown[] => {
	const isPrimary = (entry: unknown) => isObject(entry) && entry.primary === true;
	return [...list.filter(isPrimary), ...list.filter((entry) => !isPrimary(entry))];
};

const RECORD_ID = /^rec[a-zA-Z\d]{14}$/;

const ENTITIES: Readonly<Record<string, string>> = {
	...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', rsquo: "'", ndash: '-' },
	...{ szlig: 'ß', oslash: 'ø', Oslash: 'Ø', aelig: 'æ', AElig: 'Æ' },
};
/** Of entities such as `&eacute;`. */
const ACCENTS: Readonly<Record<string, string>> = {
	...{ grave: '\u0300', acute: '\u0301', circ: '\u0302', tilde: '\u0303', uml: '\u0308' },
	...{ ring: '\u030a', caron: '\u030c', cedil: '\u0327' },
};

/** Of HTML, from which some forms and exports take their text. */
const decodeEntities = (text: string): string =>
	text
		.replace(/&#(?:x([\da-f]{1,5})|(\d{1,6}));/gi, (_, hex?: string, decimal?: string) =>
			String.fromCodePoint(Math.min(0x10ffff, hex ? Number(`0x${hex}`) : Number(decimal))),
		)
		.replace(
			/&([a-z])(grave|acute|circ|tilde|uml|ring|caron|cedil);/gi,
			(_, letter: string, accent: string) => `${letter}${ACCENTS[accent]}`.normalize('NFC'),
		)
		.replace(/&(\w{2,6});/g, (entity, name: string) => ENTITIES[name] ?? entity);

/** Nothing in every cell, whatever the case. */
const NEVER_VALUES = [
	'0',
	'n/a',
	'n.a',
	'nan',
	'nil',
	'not applicable',
	'not available',
	'not provided',
	'not specified',
	'tbd',
	'undefined',
];

/** Nothing where a value can't be a word, but there are people and companies with such names. */
const NAMES_TOO = ['na', 'none', 'null'];

/** Nothing in brackets, and as a contact detail. */
const PLACEHOLDERS = ['blank', 'empty', 'missing', 'no data', 'not found', 'not set', 'unknown'];

/** For example, `#N/A`, `#REF!` and `#DIV/0!`: what spreadsheets show where a formula fails. */
const FORMULA_ERROR = /^#(n\/a|[a-z_]+[!?]|div\/0!)$/;

/** True for a cell that can't hold a name or a contact detail, such as an ID. */
export const isNothing = (text: string): boolean =>
	isOneOf(text, [...NEVER_VALUES, ...NAMES_TOO], PLACEHOLDERS);

export const isNoContact = (text: string): boolean =>
	isOneOf(text, [...NEVER_VALUES, ...NAMES_TOO, ...PLACEHOLDERS]);

/** True for a cell that can't hold a name. */
export const isNoName = (text: string): boolean =>
	isOneOf(text, NEVER_VALUES, [...NAMES_TOO, ...PLACEHOLDERS]);

/** @param placeholders count only in brackets, or repeated: `(none)`, `null null` */
function isOneOf(
	text: string,
	words: readonly string[],
	placeholders: readonly string[] = [],
): boolean {
	// Longer text isn't looked at closely, because it takes time.
	if (text.length > 200) return !/[\p{L}\p{N}]/u.test(text);
	const cell = normalizeSpaces(text.replace(/&nbsp;/gi, ' ').replace(/[\p{Cs}\ufffd]/gu, ''))
		.normalize('NFKC')
		.toLowerCase();
	// Without letters and digits, it is a dash, a question mark, a quote, a dot …
	if (!/[\p{L}\p{N}]/u.test(cell) || FORMULA_ERROR.test(cell)) return true;
	const bare = cell.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
	const [first = '', ...others] = bare.split(' ');
	const isRepeated = others.length > 0 && others.every((word) => word === first);
	const isBracketed = /^[([{<].*[)\]}>]$/.test(cell);
	if (isRepeated) return [...words, ...placeholders, 'object'].includes(first);
	return words.includes(bare) || (isBracketed && placeholders.includes(bare));
}

/** True for a name and a company that may be names, but together are plainly none: `None`, `Unknown`. */
export const areBothNothing = (name: string, company: string): boolean =>
	isNoContact(name) && isNoContact(company);
