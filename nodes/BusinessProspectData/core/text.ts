/** Renders a whole number for people: `12,345`. Avoids `toLocaleString`, which slows down n8n's start. */
export const formatNumber = (value: number): string =>
	String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** Renders a count with its noun: `1 request`, `12,345 requests`. */
export const pluralize = (count: number, singular: string, plural = `${singular}s`): string =>
	`${formatNumber(count)} ${count === 1 ? singular : plural}`;

/** Format of one of the service's IDs or codes. */
export interface ValueFormat {
	/** Tested on the text in lower case. */
	readonly pattern: RegExp;
	/** Continues `"abc" is not …`. */
	readonly description: string;
	/** Says where to get such a value. */
	readonly advice?: string;
}

/** True for the code of a visible ASCII character. Nearly all texts begin and end with one, which saves a slow pattern match. */
const isVisibleAscii = (code: number): boolean => code > 0x20 && code < 0x7f;

/** True for text of which `trimInvisible` leaves nothing. Some CRM exports fill empty cells with zero-width characters. */
export const isBlank = (text: string): boolean =>
	!isVisibleAscii(text.charCodeAt(0)) && /^[\s\p{Cf}\p{Cs}\ufffd]*$/u.test(text);

/**
 * The text without lone surrogates, which are halves of characters, and without `\ufffd`, into which n8n's default expression
 * engine turns them. Programs that cut texts leave halves behind, and parsers may reject a whole request because of one.
 */
const removeLoneSurrogates = (text: string): string => text.replace(/[\p{Cs}\ufffd]/gu, '');

/**
 * The text without white space and invisible characters at its ends, and without lone surrogates and `\ufffd` anywhere; empty
 * for blank text. Text parameters and lists of texts are read through this function.
 */
export function trimInvisible(text: string): string {
	const wellFormed = removeLoneSurrogates(text);
	return isVisibleAscii(wellFormed.charCodeAt(0)) &&
		isVisibleAscii(wellFormed.charCodeAt(wellFormed.length - 1))
		? wellFormed
		: // The lookbehind allows only one attempt per run of white space: even long runs inside the text take little time.
			wellFormed.replace(/^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu, '');
}

/** The text or, if it is longer than `maxLength`, its beginning of that length and `...`. Never cuts a character in half. */
export const truncate = (text: string, maxLength: number): string =>
	text.length > maxLength ? `${removeLoneSurrogates(text.slice(0, maxLength))}...` : text;

/** The text without invisible characters (Unicode category Cf). Keeps white space. */
export const removeInvisible = (text: string): string => text.replace(/\p{Cf}/gu, '');

/**
 * Trims a text, removes invisible characters, and replaces each run of white space with one space: copied text often needs all
 * of this. Keeps joiners, which some scripts need inside words.
 */
export const normalizeSpaces = (text: string): string =>
	text
		.replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
		.replace(/\s+/g, ' ')
		.trim();

/** Adds a full stop, unless the text is empty or already ends with `.`, `!` or `?`. */
export const withFullStop = (text: string): string =>
	text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
