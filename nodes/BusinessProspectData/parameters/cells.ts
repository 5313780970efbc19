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
	isCell: true,
	ignoredCells: ({ ignored }) =>
		ignored === undefined
			? []
			: [{ displayName: property.displayName, text: ignored, rule: kind.description }],
});

export function readCell(raw: unknown, { isNothing, read }: CellKind): Cell {
	let ignored: string | undefined;
	for (const text of textsOf(raw)) {
		if (isNothing(text)) continue;
		const value = read(text);
		if (value !== undefined && (value === text || !isNothing(value))) return { value };
		ignored ??= normalizeSpaces(text);
	}
	return { value: null, ...(ignored !== undefined && { ignored }) };
}

function textsOf(raw: unknown): string[] {
	const value = unwrapLocator(raw);
	if (value === null || value === undefined || isFalseOrNaN(value)) return [];
	if (Array.isArray(value)) return value.flatMap(textsOf);
	if (typeof value === 'string') return [value];
	// `JSON.stringify` returns undefined for a function.
	return [String(typeof value === 'object' ? JSON.stringify(value) : value)];
}

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

const readName = (text: string): string =>
	normalizeSpaces(text.replace(/[\p{Cs}\ufffd]/gu, '')).normalize('NFC');

/** True for a link, and for a placeholder that a template left behind. */
const isOtherText = (text: string): boolean =>
	/^(?:\S*:\/\/\S+|\{.*\})$/.test(text) || (text.includes('@') && readEmail(text) === text);

export const PERSON_NAME: CellKind = {
	description: 'not a name',
	isNothing: isNoName,
	read: (text) => {
		// A formula that joins names may join nothing; an address book has `Carla Castro <carla@acme.example>`.
		const name = readName(text)
			.replace(/(?<=\S)(?:\s[<(]?[\w.+-]+@[\w.-]+\.[a-z]{2,}[>)]?)+$/i, '')
			.replace(/(?<!\S)(?:undefined|#?n\/a)(?!\S)/gi, '')
			.trim();
		return /\p{L}/u.test(name) && !isOtherText(name) ? normalizeSpaces(name) : undefined;
	},
};

export const COMPANY_NAME: CellKind = {
	description: 'not a name',
	isNothing: isNoName,
	read: (text) => {
		const name = readName(text);
		return isOtherText(name) ? undefined : name;
	},
};

/** Removes the invisible characters inside, too: addresses and numbers have none. */
const withoutInvisible = (text: string): string =>
	text.replace(/[\p{Cf}\p{Cs}\ufffd]/gu, '').replace(/&nbsp;/gi, ' ');

/** A cell of more characters is a note or a page, not an address or a number. */
const MAX_LENGTH = 2_000;

const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+=^_`{}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+=^_`{}~-]+)*$/u;
const DOMAIN =
	/^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z\d-]+)$/iu;

const PLAIN_EMAIL = /^[a-z\d]+(?:[._+-][a-z\d]+){0,4}@[a-z\d]+(?:[.-][a-z\d]+){0,4}\.[a-z]{2,6}$/;

/** Pictures for screens of double resolution have names such as `logo@2x.png`. */
const PICTURE = /\.(?:gif|jpe?g|png|svg|webp)$/i;

export const EMAIL: CellKind = {
	description: 'not an email address',
	isNothing: (text) => !/\w@\w/.test(text) && isNoContact(text),
	read: readEmail,
};

/** `URL` also checks that a name that begins with `xn--` stands for another. */
const isDomain = (text: string): boolean => DOMAIN.test(text) && URL.canParse(`https://${text}`);

/** The first address in the text. Its domain is in lower case. */
function readEmail(text: string): string | undefined {
	if (text.length > MAX_LENGTH) return undefined;
	// Most cells have nothing else, and need no closer look.
	if (PLAIN_EMAIL.test(text) && !PICTURE.test(text)) return text;
	const cell = withoutInvisible(text)
		.replace(/mailto:\/*/gi, ' ')
		.replace(/\S+:\/\/\S+/g, ' ')
		.replace(/%40/g, '@')
		.replace(/\uff20/g, '@');
	// A comma typed instead of the last dot.
	if (/@[^\s@,;]+,\p{L}{2,3}$/u.test(cell.trim())) return undefined;
	for (const word of cell.split(/[\s,;:|/\\?<>()[\]{}"“”„«»]+/)) {
		const address = word.replace(/^['’‘`=*]+|['’‘`*!]+$/g, '').replace(/(?<!\.)\.$/, '');
		const [local = '', domain = '', ...others] = address.split('@');
		if (others.length > 0 || local.length > 64 || address.length > 254) continue;
		if (!LOCAL_PART.test(local) || !isDomain(domain) || PICTURE.test(domain)) continue;
		return `${local}@${domain.toLowerCase()}`;
	}
	return undefined;
}

export const PHONE: CellKind = {
	description: 'not a phone number',
	isNothing: isNoContact,
	read: readPhone,
};

/** Dates, amounts and IP addresses. */
const OTHER_NUMBER =
	/^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4}|-.*|\d{7,}\.\d+|(?:(?:1?\d?\d|2[0-4]\d|25[0-5])(?:\.|$)){4})$/;
const LABEL =
	/^(?:(?:tel(?:ephone|efon|éfono)?|phone|ph|mobile?|mob|cell(?:phone)?|office|work|home|direct|main|[tmpwcoh])\b[\s.:=]*)+/i;
const EXTENSION =
	/[\s,;.]*(?<!\p{L})(?:extension|extn?|x|poste|durchwahl|dw)[\s.:=#]*\d{0,7}$|\s*#\s*\d{1,7}$/iu;

/** Two numbers, separated by more than what a number may contain. */
const BETWEEN_NUMBERS =
	/[;,|\n]|\s(?:or|and|oder|und|ou|et)\s|\s\/\s|\/{2,}|(?<=(?:\d[ .()-]?){7})(?:\s*\/?\s*(?=\+)|\/(?=[ (]*(?:\d[ .()-]?){7}))/i;

/** The digits of the first number, after a plus sign if it begins with the country's code. */
function readPhone(text: string): string | undefined {
	if (text.length > MAX_LENGTH) return undefined;
	for (const part of withoutInvisible(text).normalize('NFKC').split(BETWEEN_NUMBERS)) {
		const cell = part
			.replace(/^[\s'’‘`"“”=<[]+|[\s'’`"”>\]]+$/g, '')
			.replace(LABEL, '')
			.replace(/\(\s*[\p{L} .]+\)/gu, '')
			.trim()
			.replace(EXTENSION, '')
			// Spreadsheet programs that read a number as a decimal.
			.replace(/^(\+?\d{7,})\.0+$/, '$1');
		const plain = cell
			// The zero of a national number, which isn't dialed after a country's code.
			.replace(/^(\(?(?:\+|00)[\d\s).-]+)\(0\)/, '$1')
			.replace(/[\s()./·‐-―−-]/g, '')
			.replace(/^00(?=[1-9]\d{7})/, '+');
		if (OTHER_NUMBER.test(cell) || /^\+?(\d)\1*$/.test(plain)) continue;
		if (/^\+?\d{7,15}$/.test(plain)) return plain;
	}
	return undefined;
}

export interface WebAddress {
	/** In lower case, without `www.`. */
	readonly host: string;
	/** Empty, or `:` and the number. */
	readonly port: string;
	/** Begins with a slash. */
	readonly path: string;
	readonly query: URLSearchParams;
}

const SCHEME = /^(?:https?[:;]?[\\/]+|https?:|\/\/)+/i;

/** @param word text without white space; the scheme may be missing, or mistyped */
export function parseWebAddress(word: string): WebAddress | undefined {
	const rest = word.replace(SCHEME, '');
	// Another scheme, or an email address, which would parse as a user name at a host.
	if (/^[a-z][a-z\d+-]*:(?!\d)/i.test(rest) || /^[^/?#\\]*@/.test(rest)) return undefined;
	if (!URL.canParse(`https://${rest}`)) return undefined;
	const { hostname, port, pathname, searchParams } = new URL(`https://${rest}`);
	const host = hostname.replace(/^www\./, '').replace(/\.$/, '');
	if (!/^(?:[a-z\d_-]+\.)+[a-z][a-z\d-]+$/.test(host)) return undefined;
	const isDefault = port === '' || port === '80';
	return { host, port: isDefault ? '' : `:${port}`, path: pathname, query: searchParams };
}

/** Removes what may follow an address in text. A path may end with a bracket that it opens. */
const trimAddress = (text: string): string =>
	text.replace(text.includes('(') ? /[\]}*.,;:!]+$/ : /[)\]}*.,;:!]+$/, '');

/** The words of a cell that may be web addresses, without quotes and brackets around them. */
const addressWords = (text: string): string[] =>
	text.length > MAX_LENGTH
		? []
		: withoutInvisible(text)
				.replace(/\]\(/g, ' ')
				.split(/[\s<>"'`“”„«»|]+|[,;](?=\s|$|https?:|www\.|[\w-]+(?:\.[\w-]+)+)/i)
				// Text that was cut off.
				.filter((word) => !/…|\.{3}$/.test(word))
				.map((word) =>
					trimAddress(word.replace(/^[([{=*]+/, '').replace(/^[a-z]+:(?=https?:)/i, '')),
				);

export const PROFILE_URL: CellKind = {
	description: 'not the address of a profile',
	isNothing: isNoContact,
	read: (text) => {
		for (const word of addressWords(text)) {
			const address = parseWebAddress(word);
			if (address === undefined) continue;
			const { host, port, path, query } = address;
			const segments = path.split('/').map(encodeSegment).map(trimAddress).filter(Boolean);
			if (!segments.some((segment) => /[a-z\d]/i.test(segment))) continue;
			// Of the query, only an ID says whose profile it is.
			const id = query.get('id');
			return `https://${host}${port}/${segments.join('/')}${
				id ? `?id=${encodeURIComponent(id)}` : ''
			}`;
		}
		return undefined;
	},
};

/** Encodes equal segments equally, whatever was encoded before. */
function encodeSegment(segment: string): string {
	// A percent sign that encodes nothing.
	const encoded = segment.replace(/%(?![\da-f]{2})/gi, '%25');
	try {
		return encodeURIComponent(decodeURIComponent(encoded).normalize('NFC')).replace(
			/%(?:24|26|2B|2C|3A|3B|3D|40)/g,
			decodeURIComponent,
		);
	} catch {
		// Bytes in another encoding than UTF-8.
		return encoded.replace(/%[\da-f]{2}/gi, (code) => code.toUpperCase());
	}
}

export const WEBSITE: CellKind = {
	description: 'not a web address',
	isNothing: isNoContact,
	read: (text) => {
		const word = addressWords(text).find((text) => parseWebAddress(text) !== undefined);
		// Without a scheme that is mistyped.
		return word === undefined || /^https?:\/\/\w/i.test(word) ? word : word.replace(SCHEME, '');
	},
};
