import type { IDataObject } from 'n8n-workflow';
import { isEmpty, isObject, parsedJson } from '../core/json';
import { normalizeSpaces, plainHyphens, trimmer } from '../core/text';
import {
	type IgnoredCell,
	isFalseOrNaN,
	type Parameter,
	type Property,
	unwrapLocator,
} from './parameter';

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

/** A value in parts, each with the names that it may have. `join` gets empty text for a part that is missing. */
interface Parts {
	readonly parts: ReadonlyArray<readonly string[]>;
	readonly join: (...texts: string[]) => string;
}

export interface CellKind {
	/** Continues `Email was ignored in 3 rows: not …`. */
	readonly description: string;
	/** Longer text is no such value. */
	readonly maxLength: number;
	/** What stands between several values, of which each may have that length. */
	readonly separator?: RegExp;
	/** Names in words. In an object or a list, a number is none, but an ID. */
	readonly isName?: boolean;
	/** What objects call such a value, best first. Without case, spaces, `_` and `-`. */
	readonly members: ReadonlyArray<string | Parts>;
	/** True if people write the text where they have no value. */
	readonly isNothing: (text: string) => boolean;
	/** Undefined if no value of this kind is in the text. */
	readonly read: (text: string) => string | undefined;
	/** What is left of letters that were lost, in text that can't be read. */
	readonly lostLetters?: RegExp;
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

/** Between the addresses or numbers of a cell. */
export const SEVERAL = /[\n;|]/;

/** Removes the invisible characters inside, too: addresses and numbers have none. */
export const withoutInvisible = (text: string): string =>
	plainHyphens(text.replace(/\p{Cf}/gu, '').replace(/&nbsp;/gi, ' '));

/** A longer text is a page or a file, not a cell. */
const MAX_CELL_LENGTH = 10_000;

export function readCell(raw: unknown, kind: CellKind): Cell {
	let ignored: Cell['ignored'];
	for (const found of textsOf(raw, kind)) {
		const cell = isObject(found) ? withoutMember(found, kind) : readText(found, kind);
		if (cell.value !== null) return cell;
		ignored ??= cell.ignored;
	}
	return { value: null, ...(ignored && { ignored }) };
}

const withoutMember = (found: IDataObject, { description: rule }: CellKind): Cell => {
	const text = `{ ${Object.keys(found).join(', ')} }`;
	return { value: null, ignored: { rule, text, advice: 'Drag in the member that has it.' } };
};

/** Where a file was read in another encoding than its own. */
const LOST_LETTER = /[\p{Cs}\ufffd]/u;
const LOST_LETTERS = {
	rule: 'letters were lost',
	advice: "The file isn't UTF-8: choose its encoding in the node that reads it.",
};

function readText(raw: string, kind: CellKind): Cell {
	const { isNothing, read, maxLength, separator, description, lostLetters } = kind;
	const ignoredAs = (text: string, more: Partial<IgnoredCell> = {}): Cell => ({
		value: null,
		ignored: { rule: description, text: normalizeSpaces(text), ...more },
	});
	if (raw.length > MAX_CELL_LENGTH) return ignoredAs(raw.slice(0, MAX_CELL_LENGTH));
	const whole = plainText(raw, kind);
	if (isNothing(whole) || isHeader(whole, kind)) return { value: null };
	if (LOST_LETTER.test(whole)) return ignoredAs(whole, LOST_LETTERS);
	const texts = separator && whole.length > maxLength ? whole.split(separator) : [whole];
	for (const text of texts) {
		// Without the record that it stands for, such as a linked one of Airtable.
		const value = text.length > maxLength || RECORD_ID.test(text) ? undefined : read(text);
		if (value === undefined || (value !== text && isNothing(value))) continue;
		return { value, ...(value !== text && { text }) };
	}
	return ignoredAs(whole, lostLetters?.test(whole) ? LOST_LETTERS : {});
}

/** A list or an object that an expression or a database turned into text is one again. */
export function parsedCell(raw: unknown): unknown {
	const value = unwrapLocator(raw);
	if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
	const parsed = parsedJson(value);
	return typeof parsed === 'object' ? parsed : value;
}

const keyOf = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** The values of an object by the names of its members, without case, spaces, `_` and `-`. */
export const membersOf = (object: IDataObject): ReadonlyMap<string, unknown> =>
	new Map(Object.keys(object).map((name) => [keyOf(name), object[name]]));

/** What objects of forms, lists and other nodes call any value. Form answers have the question beside them. */
const ANSWER = 'answer';
const VALUES = ['value', 'values', 'text', 'plaintext', 'properties', 'fields', 'data', 'json'];

/** Objects in each other. */
const MAX_DEPTH = 3;

/** The texts that may be the value, best first, and objects that have no member for it. */
function textsOf(
	raw: unknown,
	kind: CellKind,
	depth = 0,
	isPart = false,
): Array<string | IDataObject> {
	const value = typeof raw === 'string' && raw.length > MAX_CELL_LENGTH ? raw : parsedCell(raw);
	if (value === null || value === undefined || isFalseOrNaN(value)) return [];
	if (Array.isArray(value)) {
		return primaryFirst(value.flat(Infinity)).flatMap((entry) => textsOf(entry, kind, depth, true));
	}
	if (!isObject(value))
		return kind.isName && isPart && typeof value === 'number' ? [] : [String(value)];
	if (isEmpty(value)) return [];
	if (depth === MAX_DEPTH) return [value];
	const members = membersOf(value);
	const textsIn = (names: readonly string[]) =>
		names
			.filter((name) => members.has(name))
			.flatMap((name) => textsOf(members.get(name), kind, depth + 1, true));
	// `{ type: 'email', email: … }`, as forms and databases have it.
	const own = typeof value.type === 'string' ? [keyOf(value.type)] : [];
	const names = [ANSWER, ...own, ...kind.members, ...VALUES];
	const isKnown = names.some((name) => typeof name === 'string' && members.has(name));
	if (!isKnown) return [value];
	return names.flatMap((name) => {
		if (typeof name === 'string') return textsIn([name]);
		const isText = (text: string | IDataObject) =>
			typeof text === 'string' && !kind.isNothing(text);
		const joined = name.join(...name.parts.map((part) => String(textsIn(part).find(isText) ?? '')));
		return joined === '' ? [] : [joined];
	});
}

/** Of a list, too, that a primary value comes before the others. */
function primaryFirst(list: readonly unknown[]): unknown[] {
	const isPrimary = (entry: unknown): boolean => {
		if (!isObject(entry)) return false;
		const members = membersOf(entry);
		return (
			['primary', 'isprimary'].some((name) => String(members.get(name)) === 'true') ||
			isPrimary(members.get('metadata'))
		);
	};
	return [...list.filter(isPrimary), ...list.filter((entry) => !isPrimary(entry))];
}

/** The header of a file, read as a row: it names the field. */
function isHeader(text: string, { members }: CellKind): boolean {
	if (text.length > 40) return false;
	const names = members.flatMap((member) => (typeof member === 'string' ? member : []));
	const key = keyOf(text);
	return names.some(
		(name) => key === name || (key.startsWith(name) && names.includes(key.slice(name.length))),
	);
}

const RECORD_ID = /^rec[a-zA-Z\d]{14}$/;

/** Without what forms, mail programs and web pages have around it. */
const plainText = (text: string, kind: CellKind): string =>
	/[&<]|=\?/.test(text) ? withoutTags(decodeEntities(decodeWords(text)), kind) : text;

/** Words of mail headers (RFC 2047), such as `=?UTF-8?Q?Jos=C3=A9?=`. */
const decodeWords = (text: string): string =>
	text
		.replace(/\?=\s+=\?/g, '?==?')
		.replace(
			/=\?([\w-]+)\?([bq])\?([^?]*)\?=/gi,
			(word, charset: string, encoding: string, body: string) => {
				const quoted = () =>
					body
						.replace(/_/g, ' ')
						.replace(/=([\da-f]{2})/gi, (_, hex: string) =>
							String.fromCharCode(Number(`0x${hex}`)),
						);
				try {
					const bytes = /b/i.test(encoding) ? atob(body) : quoted();
					return new TextDecoder(charset).decode(
						Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
					);
				} catch {
					return word;
				}
			},
		);

const TAGS =
	/^(?:a|abbr|b|big|br|center|div|em|font|h[1-6]|hr|i|img|li|ol|p|pre|s|small|span|strong|su[bp]|t(?:able|body|d|foot|h|head|r)|u|ul)$/i;

/** Of HTML. An address may be in a link only. */
const withoutTags = (text: string, { isName }: CellKind): string =>
	text.replace(/<\/?([a-z][a-z\d]*)(?=[\s/>])([^<>]*)>/gi, (tag, name: string, inside: string) => {
		if (!TAGS.test(name)) return tag;
		const [, link = ''] = /\shref\s?=\s?["']?([^"'\s]+)/i.exec(inside) ?? [];
		return isName ? ' ' : `\n${link}\n`;
	});

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

/** What spreadsheets show where a formula fails or isn't ready, in any language: `#DIV/0!`, `#¿NOMBRE?`, `#NV`, `#GETTING_DATA`. */
const FORMULA_ERROR =
	/^#[¡¿]?(?:\p{L}[\p{L}\d_/ ]*[!?]|[\p{Lu}\p{Lo}][\p{Lu}\p{Lo}\d_/]*)$|^Err:\d{3}$|^Loading\.{3}$/u;

/** True for a cell that can't hold a name or a contact detail, such as an ID. */
export const isNothing = (text: string): boolean =>
	isOneOf(text, [...NEVER_VALUES, ...NAMES_TOO], PLACEHOLDERS);

export const isNoContact = (text: string): boolean =>
	isOneOf(text, [...NEVER_VALUES, ...NAMES_TOO, ...PLACEHOLDERS]);

/** True for a cell that can't hold a name. */
export const isNoName = (text: string): boolean =>
	isOneOf(text, NEVER_VALUES, [...NAMES_TOO, ...PLACEHOLDERS]);

const trimMarks = trimmer(/[^\p{L}\p{N}]/u);

/** @param placeholders count only in brackets, or repeated: `(none)`, `null null` */
function isOneOf(
	text: string,
	words: readonly string[],
	placeholders: readonly string[] = [],
): boolean {
	// Longer text isn't looked at closely, because it takes time.
	if (text.length > 200) return !/[\p{L}\p{N}]/u.test(text);
	const shown = normalizeSpaces(
		text.replace(/&nbsp;/gi, ' ').replace(/[\p{Cs}\ufffd]/gu, ''),
	).normalize('NFKC');
	// Without letters and digits, it is a dash, a question mark, a quote, a dot …
	if (!/[\p{L}\p{N}]/u.test(shown) || FORMULA_ERROR.test(shown)) return true;
	const cell = shown.toLowerCase();
	const bare = trimMarks(cell);
	const [first = '', ...others] = bare.split(' ');
	const isRepeated = others.length > 0 && others.every((word) => word === first);
	const isBracketed = /^[([{<].*[)\]}>]$/.test(cell);
	if (isRepeated) return [...words, ...placeholders, 'object'].includes(first);
	return words.includes(bare) || (isBracketed && placeholders.includes(bare));
}

/** True for a name and a company that may be names, but together are plainly none: `None`, `Unknown`. */
export const areBothNothing = (name: string, company: string): boolean =>
	isNoContact(name) && isNoContact(company);
