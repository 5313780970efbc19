/** For example, `12,345`. Avoids `toLocaleString`, which slows down n8n's start. */
export const formatNumber = (value: number): string =>
	String(value).replace(/\B(?=(?:\d{3}){1,7}$)/g, ',');

export const pluralize = (count: number, singular: string, plural = `${singular}s`): string =>
	`${formatNumber(count)} ${count === 1 ? singular : plural}`;

/** For example, `Email, Full Name and Company Name`. */
export const joinWords = (words: readonly string[]): string =>
	[words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ');

/** The names in a table of the catalog. */
export const names = (text: string): readonly string[] => text.trim().split(/,\s+/);

export interface ValueFormat {
	/** Tested on the text in lower case. */
	readonly pattern: RegExp;
	/** Continues `"abc" is not …`. */
	readonly description: string;
	/** Not for AI agents. */
	readonly advice?: string;
}

/** True for visible ASCII, which most texts are: it saves slow pattern matches. */
export const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);

/** True if `trimInvisible` would leave nothing. Some CRM exports fill empty cells with zero-width characters. */
export function isBlank(text: string): boolean {
	// Most texts begin with a visible ASCII character, which saves a slow pattern match.
	const code = text.charCodeAt(0);
	return !(code > 0x20 && code < 0x7f) && /^[\s\p{Cf}\p{Cs}\ufffd]*$/u.test(text);
}

/**
 * A lone surrogate is half of a character, left behind where a program truncated text. Parsers may reject a whole request
 * because of one. n8n's default expression engine turns lone surrogates into `\ufffd`.
 */
export const removeLoneSurrogates = (text: string): string =>
	isAscii(text) ? text : text.replace(/[\p{Cs}\ufffd]/gu, '');

/** Removes control characters, because of which services fail. Line breaks and tabs stay. */
const removeControls = (text: string): string => text.replace(/(?!\s)\p{Cc}/gu, '');

export const hasLoneSurrogate = (text: string): boolean => removeLoneSurrogates(text) !== text;

/** Removes a class of characters from both ends. Without the lookbehind, a long run inside the text would take quadratic time. */
export function trimmer(start: RegExp, end = start): (text: string) => string {
	const pattern = new RegExp(`^${start.source}+|(?<!${end.source})${end.source}+$`, 'gu');
	// Most texts begin and end with another character, which saves a slow pattern match. A surrogate is half of one.
	const maybe = new RegExp(`${start.source}|${end.source}|\\p{Cs}`, 'u');
	return (text) => (maybe.test(text.charAt(0) + text.slice(-1)) ? text.replace(pattern, '') : text);
}

const trimUnseen = trimmer(/[\s\p{Cf}]/u);

/** Trims white space and invisible characters. Also removes control characters, lone surrogates and `\ufffd`, even inside. */
export const trimInvisible = (text: string): string =>
	trimUnseen(removeControls(removeLoneSurrogates(text)));

/** The three dots don't count towards `maxLength`. */
export const truncate = (text: string, maxLength: number): string =>
	text.length > maxLength ? `${removeLoneSurrogates(text.slice(0, maxLength))}...` : text;

export const removeInvisible = (text: string): string =>
	isAscii(text) ? text : text.replace(/\p{Cf}/gu, '');

/** Also removes invisible characters, except zero-width joiners and non-joiners, which some scripts need inside words. */
export const normalizeSpaces = (text: string): string =>
	(isAscii(text) ? text : removeControls(text).replace(/(?![\u200c\u200d])\p{Cf}/gu, ''))
		.replace(/\s+/g, ' ')
		.trim();

export const plainHyphens = (text: string): string => text.replace(/[‐‑–]/g, '-');

/** One spelling of the apostrophe and the hyphen, which keyboards and word processors write in several ways. */
export const plainMarks = (text: string): string => plainHyphens(text.replace(/[’‘ʼ`´]/g, "'"));

/** Visible characters in their usual form. Signs such as `™` are left out, which would become letters. */
export const plainCharacters = (text: string): string =>
	normalizeSpaces(removeInvisible(text.replace(/[™℠®©]/g, '').normalize('NFKC')));

/** Letters that have no decomposition into a plain letter and an accent. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
	...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', þ: 'th' },
};

/** Expects lower case. Recomposed, because only the accents of the Latin, Greek and Cyrillic scripts may be missing. */
export const withoutAccents = (text: string): string =>
	text
		.normalize('NFD')
		.replace(/[\u0300-\u036f]/g, '')
		.normalize('NFC')
		.replace(/[ßæœøđðłıþ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);

/** The first sentence, without its full stop, and the rest. Dots inside words and quotes don't end a sentence. */
export function splitFirstSentence(text: string): readonly [first: string, rest: string] {
	const [, first, rest = ''] = /^((?:"[^"]*"|[^".]|\.(?=\S))+)\.(?:\s(.*))?$/s.exec(text) ?? [];
	return first === undefined ? [text, ''] : [first, rest.trimStart()];
}

export const withFullStop = (text: string): string =>
	text === '' || /[.!?]$/.test(text) ? text : `${text}.`;

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const pairsOf = (letters: string): string[] =>
	Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2));

/** The name that shares most pairs of letters with what somebody wrote. Undefined if none is within the other, or shares most. */
export function mostSimilar(written: string, names: Iterable<string>): string | undefined {
	const letters = lettersOf(written);
	const pairs = pairsOf(letters);
	let [best, highest]: [string | undefined, number] = [undefined, 0];
	for (const name of names) {
		const own = lettersOf(name);
		const common = pairsOf(own).filter((pair) => pairs.includes(pair)).length;
		const share = (2 * common) / (own.length + letters.length - 2);
		const [shorter, longer] = own.length < letters.length ? [own, letters] : [letters, own];
		const isWithin = shorter.length > 3 && longer.includes(shorter);
		if ((isWithin || share > 0.5) && share > highest) [best, highest] = [name, share];
	}
	return best;
}

/** For example, ` (did you mean "email"?)`. */
export const didYouMean = (written: string, names: Iterable<string>): string => {
	const name = mostSimilar(written, names);
	return name === undefined ? '' : ` (did you mean "${name}"?)`;
};
