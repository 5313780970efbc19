import { normalizeSpaces, plainMarks, trimmer } from '../core/text';
import { type CellKind, isNoContact, isNoName, withoutInvisible } from './cells';

/** Most names are nothing but words, which saves slow pattern matches. */
const WORDS = /^[a-z\d]+(?: [a-z\d]+)*$/i;

const readName = (text: string): string => (WORDS.test(text) ? text : readMarkedName(text));

const readMarkedName = (text: string): string =>
	plainMarks(normalizeSpaces(text).normalize('NFC'))
		.replace(/^=?["“]([^"“”]*)["”]$/, '$1')
		// Spreadsheets mark text with an apostrophe, but `'t Hooft` is a name.
		.replace(/^'(?=\p{Lu})([^']*)'?$/u, '$1')
		.trim();

const TITLES = /^(?:(?:mr|mrs|ms|miss|mx|dr|prof|professor|sir|dame|herr|frau)(?:\.\s*|\s+))+/i;
/** In these spellings only: `Ma` and `Rn` are names. */
const DEGREE =
	/[\s,/|-]{1,3}(?:Ph\.?\s?D|MBA|M\.B\.A|CPA|CFA|PMP|Esq|M\.D|MD|LL\.?M|J\.D|JD|DDS|RN|P\.E|MSc|BSc|SHRM-CP|PHR)\.?$/;
/** An unknown degree, after a first and a last name. */
const UNKNOWN_DEGREE = /,\s?\p{Lu}[\p{Lu}.-]{1,5}$/u;
const GENERATION = /[\s,]{1,2}(?:Jr|Sr)\.?$|\s(?:II|III|IV)$/;
const PRONOUNS = /[\s|,/-]{1,3}(?:she|he|they)\/[a-z/]+$/i;
/** Letters and digits, and what stands between the parts of a name. */
const PLAIN_NAME = /^\p{L}[\p{L}\p{M}\p{N}]*(?:[ '-][\p{L}\p{M}\p{N}]+)*$/u;
/** What may be taken off a plain name. */
const ADDITIONS = [TITLES, DEGREE, GENERATION, /undefined/i];
/** More characters than any of these endings has. */
const MAX_ENDING = 30;

/** An address book has `Carla Castro <carla@acme.example>`. */
const EMAIL_WORD = /^[<(]?[\w.+-]+@[\w.-]+[>)]?$/;

const trimName = trimmer(/[\s*|;:.,-]/, /[\s*|;:,-]/);

/** A person's name without titles, degrees, pronouns, nicknames and pictures, and with the first name first. */
function plainName(text: string): string {
	const words = normalizeSpaces(text).split(' ');
	while (words.length > 1 && EMAIL_WORD.test(words.at(-1) ?? '')) words.pop();
	const plain = readName(words.join(' '))
		.replace(/[(["“][^()[\]"“”]*[)\]"”]/g, ' ')
		.replace(/[\p{Extended_Pictographic}\p{RI}\p{Emoji_Modifier}\ufe0f]\u200d?/gu, '')
		// A formula that joins names may join nothing.
		.replace(/(?<!\S)(?:undefined|n\/a|#[\p{L}\d_/]+[!?]?)(?!\S)/giu, '');
	let name = normalizeSpaces(trimName(plain)).replace(TITLES, '');
	/** Looks at the end of the text only, so that many endings take no time that grows faster than their number. */
	const takeEnd = (pattern: RegExp): string => {
		const [end = ''] = pattern.exec(name.slice(-MAX_ENDING)) ?? [];
		name = name.slice(0, name.length - end.length).trimEnd();
		return end;
	};
	const [main = ''] = name.split(',');
	const isFull = main.includes(' ') && /\p{Ll}/u.test(main);
	const endings = [DEGREE, PRONOUNS, ...(isFull ? [UNKNOWN_DEGREE] : [])];
	for (let end = ' '; end !== ''; ) end = endings.map(takeEnd).join('');
	const generation = takeEnd(GENERATION).replace(',', '').trim();
	const [last = '', first, ...more] = name.split(/ ?, ?/).filter(Boolean);
	const ordered = first === undefined ? last : more.length === 0 ? `${first} ${last}` : name;
	return `${ordered} ${generation}`.trim();
}

/** True for a link, a formula, a placeholder that a template left behind, and text that was cut off. */
const isOtherText = (text: string): boolean =>
	/^=|^\$?\{.*\}$|=\?|…$|\.{3}$/.test(text) ||
	(text.includes('://') && !/\s/.test(text)) ||
	(text.includes('@') && readEmail(text) === text);

const FIRST_NAMES = ['firstname', 'givenname', 'forename', 'given', 'first', 'fname'];
const LAST_NAMES = ['lastname', 'familyname', 'surname', 'family', 'last', 'lname'];

export const PERSON_NAME: CellKind = {
	description: 'not a name',
	maxLength: 300,
	isName: true,
	members: [
		...['fullname', 'displayname', 'contactname', 'name', 'names'],
		(textOf) => `${textOf(...FIRST_NAMES)} ${textOf(...LAST_NAMES)}`.trim(),
		...['contact', 'person', 'user', 'identity', 'emailaddress', ...FIRST_NAMES, ...LAST_NAMES],
	],
	isNothing: isNoName,
	read: (text) => {
		let name = readName(text);
		const isPlain = PLAIN_NAME.test(name) && !ADDITIONS.some((pattern) => pattern.test(name));
		if (isPlain) return name;
		// What was taken off may have hidden more.
		for (let pass = 0; pass < 4; pass++) {
			const plain = readName(plainName(name) || name);
			if (/\p{L}\?/u.test(plain)) return null;
			if (!/\p{L}/u.test(plain) || isOtherText(name) || isOtherText(plain)) return undefined;
			if (plain === name) return plain;
			name = plain;
		}
		return undefined;
	},
};

/** Where people have no company. */
const NO_COMPANY =
	/^(?:self[ -]?employed|freelance(?:r| consultant)?|student|retired|(?:currently )?unemployed|stealth(?: mode)?(?: startup| company)?|independent(?: consultant)?|(?:looking for|open to) work)\.?$/i;

export const COMPANY_NAME: CellKind = {
	description: 'not a name',
	maxLength: 300,
	isName: true,
	members: [
		...['companyname', 'company', 'organizationname', 'organization', 'organizations'],
		...['organisation', 'orgname', 'accountname', 'customername', 'account', 'name'],
	],
	isNothing: (text) => NO_COMPANY.test(text.trim()) || isNoName(text),
	read: (text) => {
		const name = readName(text.replace(/[™℠®©]/g, ' '));
		return isOtherText(name) ? undefined : name;
	},
};

const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+=^_`{}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+=^_`{}~-]+)*$/u;
const DOMAIN =
	/^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z\d-]+)$/iu;

const PLAIN_EMAIL =
	/^(?=.{1,64}@.{1,180}$)[a-z\d]+(?:[._+-][a-z\d]+){0,4}@[a-z\d]+(?:[.-][a-z\d]+){0,4}\.[a-z]{2,20}$/i;

/** Pictures for screens of double resolution have names such as `logo@2x.png`. */
const PICTURE = /\.(?:gif|jpe?g|png|svg|webp)$/i;

export const EMAIL: CellKind = {
	description: 'not an email address',
	maxLength: 320,
	members: [
		...['email', 'emailaddress', 'workemail', 'businessemail', 'primaryemail', 'mail', 'emails'],
		...['emailaddresses', 'address', 'work', 'business', 'home', 'personal', 'other'],
	],
	isNothing: (text) => !/\w@\w/.test(text) && isNoContact(text),
	read: readEmail,
};

/** `URL` also checks that a name that begins with `xn--` stands for another. */
const isDomain = (text: string): boolean => DOMAIN.test(text) && URL.canParse(`https://${text}`);

const withPlainDomain = (address: string): string =>
	address.replace(/@.*/, (domain) => domain.toLowerCase());

/** The first address in the text. Its domain is in lower case. */
function readEmail(text: string): string | undefined {
	// Most cells have nothing else, and need no closer look.
	if (PLAIN_EMAIL.test(text) && !PICTURE.test(text)) return withPlainDomain(text);
	const cell = plainMarks(withoutInvisible(text))
		.replace(/mailto:\/*/gi, ' ')
		.replace(/\S+/g, (word) => (word.includes('://') ? ' ' : word))
		.replace(/%40/g, '@')
		.replace(/\uff20/g, '@');
	// A comma typed instead of the last dot.
	if (/@[^\s@,;]+,\p{L}{2,3}$/u.test(cell.trim())) return undefined;
	// In brackets, an address is whole, whatever stands before it.
	const [, bracketed] =
		/[<([{«]\s*([^\s@<>()[\]{}«»]+@[^\s<>()[\]{}«»]+)\s*[>)\]}»]/.exec(cell) ?? [];
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

/** What forms and signatures write before an address, or instead of another one. */
const BEFORE_EMAIL =
	/^(?:\s*n\/a\s?[,;|])?(?:[\s\p{P}]*(?:(?:e-?mail|mail|address|work|home|private|personal|business|office|contact|to|from|reply-to|m|e)(?=\s*:|\s)[\s.:-]*)+)?/iu;

const trimAroundEmail = trimmer(/['"`=*]/, /['"`*!]/);

function emailIn(word: string): string | undefined {
	const address = trimAroundEmail(word).replace(/(?<!\.)\.$/, '');
	const [local = '', domain = '', ...others] = address.split('@');
	if (others.length > 0 || local.length > 64 || address.length > 254) return undefined;
	if (!LOCAL_PART.test(local) || !isDomain(domain) || PICTURE.test(domain)) return undefined;
	return withPlainDomain(address);
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** A number of which a form has the country's code or the area apart. */
function wholeNumber(country: string, area: string, number: string): string {
	if (number === '' || /^\s*(?:\+|00)/.test(number)) return number;
	const local = digitsOf(number).startsWith(digitsOf(area)) ? number : `${area} ${number}`;
	const isWhole = local.length > 10 && digitsOf(local).startsWith(digitsOf(country));
	return isWhole || !/\d/.test(country) ? local : `+${digitsOf(country)} ${local}`;
}

export const PHONE: CellKind = {
	description: 'not a phone number',
	maxLength: 100,
	members: [
		...['canonicalform', 'numbere164', 'e164', 'freeformnumber'],
		(textOf) => {
			const country = textOf('countrycode', 'phonecountrycode', 'callingcode', 'dialcode');
			const area = textOf('area', 'areacode', 'phoneareacode');
			const number = textOf('number', 'phone', 'phonenumber');
			return wholeNumber(country, area, number || ((country || area) && textOf('value')));
		},
		...['number', 'phone', 'phonenumber', 'mobilephone', 'mobile', 'workphone', 'phones'],
		...['phonenumbers', 'businessphones', 'telephone', 'full', 'work', 'main', 'home', 'other'],
	],
	isNothing: isNoContact,
	read: readPhone,
};

/** Dates, amounts and IP addresses. */
const OTHER_NUMBER =
	/^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4}|-.*|\d{7,}\.\d+|(?:(?:1?\d?\d|2[0-4]\d|25[0-5])(?:\.|$)){4})$/;
const LABEL =
	/(?<![\p{L}\d])(?:whatsapp|signal|tel(?:ephone|efon|éfono)?|phone|ph|mobile?|mob|cell(?:phone)?|office|work|home|direct|main|[tmpwcoh])(?!\p{L})[\s.:=]*/giu;
const EXTENSION =
	/(?<!\p{L})(?:extension|extn?|x|poste|durchwahl|dw)[\s.:=#]*\d{0,7}$|#\s*\d{1,7}$/iu;

/** Two numbers, separated by more than what a number may contain. */
const BETWEEN_NUMBERS =
	/[;,|\n!*«»]|(?<=\d ?)\([a-z]\)|\s(?:or|and|oder|und|ou|et)\s|\s\/\s|\/{2,}|(?<=(?:\d[ .()-]?){7})(?: ?\/? ?(?=\+)|\/(?=[ (]{0,3}(?:\d[ .()-]?){7}))/i;

/** The zero of a national number, which isn't dialed after a country's code. */
const NATIONAL_ZERO =
	/^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[0578]|9[679])\d)0/;
/** The codes of countries whose numbers keep it: Italy, San Marino, Congo, Côte d'Ivoire, Benin and Gabon. */
const ZERO_STAYS: readonly string[] = ['39', '378', '242', '225', '229', '241'];

const trimNumber = trimmer(/[\s'’‘`"“”=<[*«]/, /[\s,;.:'’`"”>\]*»-]/);

/** The digits of the first number, after a plus sign if it begins with the country's code. */
function readPhone(text: string): string | undefined {
	const spaced = withoutInvisible(text.normalize('NFKC')).replace(/[^\S\n]+/g, ' ');
	// Most cells have one number and nothing else.
	const parts = /^\+?[\d ().-]+$/.test(spaced) ? [spaced] : spaced.split(BETWEEN_NUMBERS);
	for (const part of parts) {
		const number = trimNumber(part.replace(/\([\p{L} .]+\)/gu, '').replace(LABEL, ''));
		// Spreadsheet programs that read a number as a decimal.
		const cell = trimNumber(number.replace(EXTENSION, '')).replace(/^(\+?\d{7,})\.0+$/, '$1');
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
