import type { INodeProperties, UserError } from 'n8n-workflow';
import { BUSINESS_ID_FORMAT, PROSPECT_ID_FORMAT } from '../catalog/service';
import { textOf } from '../core/json';
import {
	formatNumber,
	removeInvisible,
	trimInvisible,
	trimmer,
	type ValueFormat,
} from '../core/text';
import { isNothing, MAX_READ_LENGTH } from './cells';
import {
	optionValues,
	type Parameter,
	parameter,
	parameterError,
	type Property,
} from './parameter';
import { type Members, textsOf } from './texts';

/**
 * Expressions may return a list, or text separated by commas or line breaks. Null and undefined mean no option, not the
 * default, so that a blank cell never chooses everything.
 *
 * @param aliases other texts that expressions may return, with the values that they stand for
 */
export const multiOptionsParameter = <const Name extends string>(
	property: Property<Name>,
	aliases: Readonly<Record<string, string>> = {},
): Parameter<Name, string[]> => {
	const values = optionValues(property);
	const options = new Map(
		[...values.map((value) => [value, value] as const), ...Object.entries(aliases)].map(
			([text, value]) => [choiceKey(text), value],
		),
	);
	const rule = `is not one of: ${[...new Set(options.values())].join(', ')}.`;
	const errorOf = (text: string) => parameterError(property, rule, text);
	const readChoice = (text: string) => options.get(choiceKey(text)) ?? bandOf(text, values);
	return {
		name: property.name,
		property,
		read: (raw) => {
			const choices = readTexts(raw, property, /\n/)
				.filter((text) => !isNothing(text))
				.flatMap((text) => readParts(text, readChoice, errorOf));
			return [...new Set(choices)];
		},
	};
};

/**
 * Reads text as one value or, if it is none, as several with commas or semicolons between them. Commas may also separate
 * thousands.
 *
 * @throws UserError that quotes the part that can't be read, or the whole text if none can
 */
export function readParts(
	raw: string,
	read: (part: string) => string | undefined,
	errorOf: (text: string) => UserError,
): string[] {
	if (raw.length > MAX_READ_LENGTH) throw errorOf(raw);
	// Its semicolon separates nothing.
	const text = raw.replace(/&amp;/gi, '&');
	const whole = read(text);
	if (whole !== undefined) return [whole];
	let error: UserError | undefined;
	for (const separator of [/[,;]/, /;|,(?!\d{3}(?!\d))/]) {
		const parts = text.split(separator).map(trimInvisible).filter(Boolean);
		const values = parts.map(read);
		const known = values.filter((value) => value !== undefined);
		if (known.length === parts.length) return known;
		const unknown = parts[values.indexOf(undefined)];
		error ??= errorOf((known.length > 0 ? unknown : undefined) ?? text);
	}
	throw error ?? errorOf(text);
}

/** The same for all spellings of a value: `C_Suite`, `R & D`. */
function choiceKey(text: string): string {
	const lower = text.normalize('NFKC').toLowerCase().trim();
	return /\d/.test(lower) ? lower : lower.replace(/&/g, 'and').replace(/[^\p{L}]/gu, '');
}

const UNITS: Readonly<Record<string, number>> = { k: 1e3, th: 1e3, m: 1e6, b: 1e9, t: 1e12 };
const AMOUNT = '(\\d+(?:\\.\\d+)?)(?:(k|th|m|b|t)(?:ousand|m|n|io|r?illions?)?)?';
const RANGE = new RegExp(`^${AMOUNT}(?:-${AMOUNT}|(\\+))?$`);

/** The bounds of a range of employees or dollars, such as `1,001–5,000 employees` or `$1M - $5M`, or of a single number. */
function rangeOf(text: string): readonly [from: number, to: number] | undefined {
	const plain = text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/\$|\b(?:usd|us|employees?|people|staff|revenue)\b/g, '')
		.replace(/,(?=\d{3}(?!\d))|\.(?=\d{3}(?!\d|\s*[kmbt]))/g, '')
		.replace(/[‐-―−]|\bto\b/g, '-')
		.replace(/\s+/g, '')
		// Spreadsheet programs take `1-10` for a date.
		.replace(/(?<=^\d+-)[a-z]{3}$|^[a-z]{3}(?=-\d)/, (month) =>
			String(new Date(`${month} 1`).getMonth() + 1),
		);
	const [, first, unit, last, lastUnit, isOpen] = RANGE.exec(plain) ?? [];
	if (first === undefined) return undefined;
	// In `1-5M`, the unit belongs to both.
	const from = Number(first) * (UNITS[unit ?? lastUnit ?? ''] ?? 1);
	const to = last === undefined ? from : Number(last) * (UNITS[lastUnit ?? ''] ?? 1);
	// `10-Jan`, but not `51-20`.
	if (from > to && !/-[a-z]{3}$/i.test(text.trim())) return undefined;
	return isOpen ? [from, Infinity] : [Math.min(from, to), Math.max(from, to)];
}

/** The only band that the number or range is in, or that it is up to one at either end: `1000-5000` is `1001-5000`. */
function bandOf(text: string, values: readonly string[]): string | undefined {
	const range = rangeOf(text);
	if (range === undefined) return undefined;
	const [from, to] = range;
	const [band, ...others] = values.filter((value) => {
		const [low, high] = rangeOf(value) ?? [];
		if (low === undefined || high === undefined) return false;
		const isBand = Math.abs(from - low) <= 1 && (to === high || Math.abs(to - high) <= 1);
		return (low <= from && to <= high) || (isBand && from < to);
	});
	return others.length === 0 ? band : undefined;
}

export const noChoiceError = (property: INodeProperties) =>
	parameterError(property, `choose at least one of: ${optionValues(property).join(', ')}.`);

export const idsParameter = <const Name extends string>(
	property: Property<Name>,
	format: ValueFormat,
): Parameter<Name, string[]> => parameter(property, (raw) => readIds(raw, property, format));

/** The first line of a pasted column. */
const HEADER = /^((prospect|person|business|company)[\s_-]?)?ids?$/i;

/** Quotes and brackets around an ID, and what spreadsheets add so that it stays text. */
const trimAroundId = trimmer(/[\s"'“”‘’`<([{=]/, /[\s"'“”‘’`>)\]}.:]/);

/** The IDs of a cell in lower case, as often as they stand there, up to `other`, which is neither an ID nor nothing. */
function readIdCell(raw: unknown, format: ValueFormat): { ids: string[]; other?: unknown } {
	const isId = (text: string) => format.pattern.test(text.toLowerCase());
	if (typeof raw === 'string' && isId(raw)) return { ids: [raw.toLowerCase()] };
	const isSkipped = (text: string) => isNothing(text) || HEADER.test(text);
	const ids: string[] = [];
	const isNoId = (text: string) => idFromCell(text, format) === undefined;
	const members = ['prospectid', 'businessid', 'id'];
	const texts = textsOf(raw, { members, isSingle: true, isNothing: isNoId }).flatMap((text) =>
		typeof text === 'string' ? removeInvisible(text).split(/[,;\n]+/) : text,
	);
	for (const text of texts) {
		if (typeof text !== 'string') return { ids, other: text };
		const parts = text.trim().split(/\s+/).map(trimAroundId);
		const hasId = parts.some(isId);
		if (!hasId && isSkipped(text)) continue;
		for (const part of parts) {
			if (isId(part)) ids.push(part.toLowerCase());
			else if (!isSkipped(part)) return { ids, other: hasId ? part : text.trim() };
		}
	}
	return { ids };
}

/** The first ID of a cell, in lower case. Undefined if the cell says nothing, or anything that is no ID. */
export function idFromCell(value: unknown, format: ValueFormat): string | undefined {
	const { ids, other } = readIdCell(value, format);
	return other === undefined ? ids[0] : undefined;
}

/**
 * Reads IDs from a list, from text separated by commas, semicolons or white space, or from rows that have them. Returns them in
 * lower case, without duplicates. A blank cell gives an empty list.
 *
 * @throws UserError for anything else. For text, it quotes the first word that isn't an ID. If nothing between the same commas,
 *   semicolons or line breaks is an ID, it quotes all of it, such as a name.
 */
export function readIds(raw: unknown, property: INodeProperties, format: ValueFormat): string[] {
	const { ids, other } = readIdCell(raw, format);
	if (other !== undefined) throw idError(other, property, format, ids.length);
	return [...new Set(ids)];
}

function idError(
	other: unknown,
	property: INodeProperties,
	{ description, advice }: ValueFormat,
	countBefore: number,
): UserError {
	const where = countBefore > 0 ? `(number ${formatNumber(countBefore + 1)} in the list) ` : '';
	const bare = trimAroundId(textOf(other).toLowerCase());
	const similar = [BUSINESS_ID_FORMAT, PROSPECT_ID_FORMAT].find(({ pattern }) =>
		pattern.test(bare),
	);
	const sentences = [
		`${where}is not ${description}.`,
		similar && `It looks like ${similar.description.split('.')[0]}.`,
	];
	return parameterError(property, sentences.filter(Boolean).join(' '), other, advice);
}

export const stringListParameter = <const Name extends string>(
	property: Property<Name>,
	separator: RegExp,
): Parameter<Name, string[]> => parameter(property, (raw) => readTexts(raw, property, separator));

/** Of an object, such as a department that a CRM knows, its name. */
const CHOICE: Members = { members: ['name', 'label', 'title'], isSingle: true, isNothing };

function readTexts(raw: unknown, property: INodeProperties, separator: RegExp): string[] {
	return textsOf(raw, CHOICE).flatMap((text) => {
		if (typeof text === 'string') return text.split(separator).map(trimInvisible).filter(Boolean);
		throw parameterError(property, 'must be text or a list of text values.', text);
	});
}
