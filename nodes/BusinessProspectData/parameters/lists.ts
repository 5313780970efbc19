import type { INodeProperties, UserError } from 'n8n-workflow';
import { BUSINESS_ID_FORMAT, PROSPECT_ID_FORMAT } from '../catalog/service';
import { formatNumber, isBlank, trimEnds, trimInvisible, type ValueFormat } from '../core/text';
import { isNothing } from './cells';
import {
	isFalseOrNaN,
	optionValues,
	parameter,
	type Parameter,
	parameterError,
	type Property,
	unwrapLocator,
} from './parameter';

/**
 * Expressions may return a list, or text separated by commas or line breaks. Null and undefined mean no option, not the
 * default, so that a blank cell never chooses everything.
 *
 * @param others other values that expressions may return
 */
export const multiOptionsParameter = <const Name extends string>(
	property: Property<Name>,
	others: readonly string[] = [],
): Parameter<Name, string[]> => {
	const options = new Map(
		[...optionValues(property), ...others].map((value) => [value.toLowerCase(), value]),
	);
	const readChoice = (text: string) => {
		const option = options.get(text.toLowerCase());
		if (option !== undefined) return option;
		throw parameterError(property, `is not one of: ${[...options.values()].join(', ')}.`, text);
	};
	return {
		name: property.name,
		property,
		read: (raw) => [...new Set(readTexts(raw, property, /[,\n]/).map(readChoice))],
	};
};

export const noChoiceError = (property: INodeProperties) =>
	parameterError(property, `choose at least one of: ${optionValues(property).join(', ')}.`);

export const idsParameter = <const Name extends string>(
	property: Property<Name>,
	format: ValueFormat,
): Parameter<Name, string[]> => ({
	...parameter(property, (raw) => readIds(raw, property, format)),
	columns: (ids) => [{ displayName: property.displayName, isEmpty: ids.length === 0 }],
});

/** The first line of a pasted column. */
const HEADER = /^((prospect|person|business|company)[\s_-]?)?ids?$/i;

/** Quotes and brackets around an ID, and what spreadsheets add so that it stays text. */
const AROUND_ID = /^[\s\p{Cf}"'“”‘’`<([{=]+|[\s\p{Cf}"'“”‘’`>)\]}.:]+$/gu;

/**
 * Reads IDs from a list, or from text separated by commas, semicolons or white space. Returns them in lower case, without
 * duplicates. A blank cell gives an empty list.
 *
 * @throws UserError for anything else. For text, it quotes the first word that isn't an ID. If nothing between the same commas,
 *   semicolons or line breaks is an ID, it quotes all of it, such as a name.
 */
export function readIds(raw: unknown, property: INodeProperties, format: ValueFormat): string[] {
	const isId = (text: string) => format.pattern.test(text.toLowerCase());
	const isSkipped = (text: string) => isNothing(text) || HEADER.test(text);
	const ids: string[] = [];
	for (const text of readTexts(raw, property, /[,;\n]/, trimEnds)) {
		if (isSkipped(text)) continue;
		const parts = text.split(/\s+/).map((part) => part.replace(AROUND_ID, ''));
		const hasId = parts.some(isId);
		for (const part of parts) {
			if (isId(part)) ids.push(part.toLowerCase());
			else if (!isSkipped(part)) throw idError(hasId ? part : text, property, format, ids.length);
		}
	}
	return [...new Set(ids)];
}

function idError(
	text: string,
	property: INodeProperties,
	{ description, advice }: ValueFormat,
	countBefore: number,
): UserError {
	const where = countBefore > 0 ? `(number ${formatNumber(countBefore + 1)} in the list) ` : '';
	const bare = text.toLowerCase().replace(AROUND_ID, '');
	const similar = [BUSINESS_ID_FORMAT, PROSPECT_ID_FORMAT].find(({ pattern }) =>
		pattern.test(bare),
	);
	const sentences = [
		`${where}is not ${description}.`,
		similar && `It looks like ${similar.description.split('.')[0]}.`,
		advice,
	];
	return parameterError(property, sentences.filter(Boolean).join(' '), text);
}

export const stringListParameter = <const Name extends string>(
	property: Property<Name>,
	separator: RegExp,
): Parameter<Name, string[]> => parameter(property, (raw) => readTexts(raw, property, separator));

function readTexts(
	raw: unknown,
	property: INodeProperties,
	separator: RegExp,
	trim = trimInvisible,
): string[] {
	const value = unwrapLocator(raw);
	if (value === null || value === undefined || isFalseOrNaN(value)) return [];
	if (Array.isArray(value))
		return value.flatMap((entry) => readTexts(entry, property, separator, trim));
	if (typeof value === 'number') return [String(value)];
	if (typeof value !== 'string') {
		throw parameterError(property, 'must be text or a list of text values.', value);
	}
	const list = value.trim().startsWith('[') ? parseList(value) : undefined;
	if (list !== undefined) return readTexts(list, property, separator, trim);
	return value
		.split(separator)
		.map(trim)
		.filter((part) => !isBlank(part));
}

/** Parses a list that an expression turned into text (`["a","b"]`). Undefined for other text. */
function parseList(value: string): unknown[] | undefined {
	try {
		const parsed: unknown = JSON.parse(value);
		return Array.isArray(parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}
