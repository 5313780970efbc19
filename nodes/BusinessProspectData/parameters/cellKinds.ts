import { normalizeSpaces, plainHyphens, plainMarks, removeLoneSurrogates } from '../core/text';
import { type CellKind, isNoContact, isNoName } from './cells';

const readName = (text: string): string =>
	plainMarks(normalizeSpaces(removeLoneSurrogates(text)).normalize('NFC')).replace(
		/^["“]([^"“”]*)["”]$/,
		'$1',
	);

const TITLE = /^(?:mr|mrs|ms|miss|mx|dr|prof|professor|sir|dame|herr|frau)(?:\.\s*|\s+)/i;
/** In these spellings only: `Ma` and `Rn` are names. */
const DEGREE =
	/(?:\s*[,/|-]\s*|\s+)(?:Ph\.?\s?D|MBA|M\.B\.A|CPA|CFA|PMP|Esq|M\.D|MD|LL\.?M|J\.D|JD|DDS|RN|P\.E|MSc|BSc|SHRM-CP|PHR)\.?$/;

/** An unknown degree, or `Jr.`, which only follows a first and a last name. */
const AFTER_NAME = /,(?:\s*\p{Lu}[\p{Lu}.-]{1,5}|(\s*(?:Jr|Sr)\.?))$/u;
const isFullName = (text: string): boolean => text.includes(' ') && /\p{Ll}/u.test(text);

/** A person's name without titles, degrees, pronouns, nicknames and pictures, and with the first name first. */
function plainName(text: string): string {
	let name = normalizeSpaces(
		text
			.replace(/[(["“][^)\]"”]*[)\]"”]|[\s|,/-]+(?:she|he|they)\/[a-z/]+$/gi, ' ')
			.replace(/\p{Extended_Pictographic}\u200d?|[\p{RI}\p{EMod}\ufe0f]/gu, '')
			.replace(/^[\s*|;:.,-]+|[\s*|;:,-]+$/g, ''),
	);
	for (let longer = ''; longer !== name; ) {
		longer = name;
		name = name.replace(TITLE, '').replace(DEGREE, '');
		const [end = '', suffix = ''] = AFTER_NAME.exec(name) ?? [];
		if (end && isFullName(name.slice(0, -end.length))) name = name.slice(0, -end.length) + suffix;
	}
	const [last = '', first, ...more] = name
		.split(',')
		.map((part) => part.trim())
		.filter(Boolean);
	return first === undefined ? last : more.length === 0 ? `${first} ${last}` : name;
}

/** True for a link, and for a placeholder that a template left behind. */
const isOtherText = (text: string): boolean =>
	/^(?:\S*:\/\/\S+|\{.*\})$/.test(text) || (text.includes('@') && readEmail(text) === text);

export const PERSON_NAME: CellKind = {
	description: 'not a name',
	isNothing: isNoName,
	read: (text) => {
		// An address book has `Carla Castro <carla@acme.example>`.
		const name = readName(text)
			.replace(/(?<=\S)(?:\s[<(]?[\w.+-]+@[\w.-]+\.[a-z]{2,}[>)]?)+$/i, '')
			.trim();
		// A formula that joins names may join nothing.
		const plain = normalizeSpaces(
			(plainName(name) || name).replace(/(?<!\S)(?:undefined|#?n\/a)(?!\S)/gi, ''),
		);
		if (!/\p{L}/u.test(plain) || isOtherText(name) || isOtherText(plain)) return undefined;
		// What was taken off may have hidden more.
		return plain === text ? plain : PERSON_NAME.read(plain);
	},
};

/** Where people have no company. */
const NO_COMPANY =
	/^(?:self[ -]?employed|freelance(?:r| consultant)?|student|retired|(?:currently )?unemployed|stealth(?: mode)?(?: startup| company)?|independent(?: consultant)?|(?:looking for|open to) work)\.?$/i;

export const COMPANY_NAME: CellKind = {
	description: 'not a name',
	isNothing: (text) => NO_COMPANY.test(text.trim()) || isNoName(text),
	read: (text) => {
		const name = readName(text);
		return isOtherText(name) ? undefined : name;
	},
};

/** Removes the invisible characters inside, too: addresses and numbers have none. */
const withoutInvisible = (text: string): string =>
	plainHyphens(text.replace(/[\p{Cf}\p{Cs}\ufffd]/gu, '').replace(/&nbsp;/gi, ' '));

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
	const cell = plainMarks(withoutInvisible(text))
		.replace(/mailto:\/*/gi, ' ')
		.replace(/\S+:\/\/\S+/g, ' ')
		.replace(/%40/g, '@')
		.replace(/\uff20/g, '@');
	// A comma typed instead of the last dot.
	if (/@[^\s@,;]+,\p{L}{2,3}$/u.test(cell.trim())) return undefined;
	// In brackets, an address is whole, whatever stands before it.
	const [, bracketed] =
		/[<([{«]\s*([^\s<>()[\]{}«»]+@[^\s<>()[\]{}«»]+)\s*[>)\]}»]/.exec(cell) ?? [];
	const lines = bracketed === undefined ? cell.split('\n') : [bracketed];
	for (const line of lines) {
		for (const word of line.replace(BEFORE_EMAIL, '').split(/[\s,;:|/\\?<>()[\]{}“”„«»]+/)) {
			const address = emailIn(word);
			if (address !== undefined) return address;
			// `anna smith@acme.example` isn't the address of Smith, but half of Anna Smith's.
			if (/[\p{L}\p{N}]/u.test(word) && !word.includes('@')) break;
		}
	}
	return undefined;
}

/** What forms and signatures write before an address. */
const BEFORE_EMAIL =
	/^[\s\p{P}]*(?:(?:e-?mail|mail|address|work|home|private|personal|business|office|contact|to|from|reply-to|m|e)(?=\s*:|\s)[\s.:-]*)+/iu;

function emailIn(word: string): string | undefined {
	const address = word.replace(/^['"`=*]+|['"`*!]+$/g, '').replace(/(?<!\.)\.$/, '');
	const [local = '', domain = '', ...others] = address.split('@');
	if (others.length > 0 || local.length > 64 || address.length > 254) return undefined;
	if (!LOCAL_PART.test(local) || !isDomain(domain) || PICTURE.test(domain)) return undefined;
	return `${local}@${domain.toLowerCase()}`;
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
	/^(?:(?:whatsapp|signal|tel(?:ephone|efon|éfono)?|phone|ph|mobile?|mob|cell(?:phone)?|office|work|home|direct|main|[tmpwcoh])\b[\s.:=]*)+/i;
const EXTENSION =
	/[\s,;.]*(?<!\p{L})(?:extension|extn?|x|poste|durchwahl|dw)[\s.:=#]*\d{0,7}$|\s*#\s*\d{1,7}$/iu;

/** Two numbers, separated by more than what a number may contain. */
const BETWEEN_NUMBERS =
	/[;,|\n!*«»]|(?<=\d\s*)\([a-z]\)|\s(?:or|and|oder|und|ou|et)\s|\s\/\s|\/{2,}|(?<=(?:\d[ .()-]?){7})(?:\s*\/?\s*(?=\+)|\/(?=[ (]*(?:\d[ .()-]?){7}))/i;

/** The zero of a national number, which isn't dialed after a country's code. */
const NATIONAL_ZERO =
	/^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[0578]|9[679])\d)0/;
/** The codes of countries whose numbers keep it: Italy, San Marino, Congo, Côte d'Ivoire, Benin and Gabon. */
const ZERO_STAYS: readonly string[] = ['39', '378', '242', '225', '229', '241'];

/** The digits of the first number, after a plus sign if it begins with the country's code. */
function readPhone(text: string): string | undefined {
	if (text.length > MAX_LENGTH) return undefined;
	for (const part of withoutInvisible(text).normalize('NFKC').split(BETWEEN_NUMBERS)) {
		const cell = part
			.replace(/^[\s'’‘`"“”=<[*«]+|[\s'’`"”>\]*»]+$/g, '')
			.replace(/\(\s*[\p{L} .]+\)/gu, '')
			.trim()
			.replace(LABEL, '')
			.trim()
			.replace(EXTENSION, '')
			// Spreadsheet programs that read a number as a decimal.
			.replace(/^(\+?\d{7,})\.0+$/, '$1');
		const plain = cell
			.replace(/[\s()./·‐-―−-]/g, '')
			.replace(/^\+?00(?=[1-9]\d{6})/, '+')
			.replace(NATIONAL_ZERO, (start, code: string) =>
				ZERO_STAYS.includes(code) ? start : `+${code}`,
			);
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
				.replace(/\]\(|\](?=[?#])/g, ' ')
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
		const words = addressWords(text);
		for (const [index, word] of words.entries()) {
			const address = parseWebAddress(word);
			if (address === undefined) continue;
			// `/in/anna smith` isn't Anna's page.
			const rest = text.slice(text.indexOf(word) + word.length);
			const next = parseWebAddress(words[index + 1] ?? '');
			if (/^\s[\p{L}\p{N}]/u.test(rest) && next === undefined) continue;
			const { port, path, query } = address;
			// The same page for phones, or in the language of a country.
			const host = address.host.replace(/^(?:m|mobile|[a-z]{2})\.(?=[^.]+\.[^.]+)/, '');
			const segments = path.split('/').map(encodeSegment).map(trimAddress).filter(Boolean);
			if (!segments.some((segment) => /[a-z\d]/i.test(segment))) continue;
			// Of the query, only an ID says whose profile it is.
			const [name, id] = [...query].find(([key]) => /^(?:id|user|uid|profile)$/i.test(key)) ?? [];
			return `https://${host}${port}/${segments.join('/')}${
				id ? `?${name}=${encodeURIComponent(id)}` : ''
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
		return encodeURIComponent(decodeURIComponent(encoded).normalize('NFC').trim()).replace(
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
