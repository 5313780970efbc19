import type { INodeProperties } from 'n8n-workflow';
import {
	unwrapLocator,
	optionValues,
	parameter,
	type Parameter,
	type Property,
	parameterError,
} from './parameters';

/**
 * Several of the property's options, each once; from an expression a list or text separated by commas or lines. Null and
 * undefined are no choice rather than the default: a blank cell must not choose everything.
 */
export const choices = <const Name extends string>(
	property: Property<Name>,
): Parameter<Name, string[]> => ({
	name: property.name,
	property,
	read: (raw) => readChoices(raw, property),
});

/** As `choices` reads them. @throws UserError that names the value and the options */
export function readChoices(raw: unknown, property: INodeProperties): string[] {
	const allowed = new Map(optionValues(property).map((value) => [value.toLowerCase(), value]));
	const chosen = readList(raw, property, /[,\n]/).map((value) => {
		const known = allowed.get(value.toLowerCase());
		if (known === undefined) {
			throw parameterError(property, `is not one of: ${[...allowed.values()].join(', ')}.`, value);
		}
		return known;
	});
	return [...new Set(chosen)];
}

/** An error for choices of which there must be one: it names them, for those who cannot see the list. */
export const noChoiceError = (property: INodeProperties) =>
	parameterError(property, `choose at least one of: ${optionValues(property).join(', ')}.`);

/** What a value of the service looks like, in lower case. */
export interface Rule {
	readonly pattern: RegExp;
	/** Continues `"abc" is not …`. */
	readonly description: string;
}

/** Identifiers, each once and in lower case: one, a list, or text separated by commas, semicolons, blanks or lines. */
export const ids = <const Name extends string>(
	property: Property<Name>,
	rule: Rule,
): Parameter<Name, string[]> => parameter(property, (raw) => readIds(raw, property, rule));

/** As `ids` reads them. @throws UserError that names the value and the rule */
export function readIds(raw: unknown, property: INodeProperties, rule: Rule): string[] {
	const found = readList(raw, property, /[,;\s]/).map((value) => value.toLowerCase());
	const wrong = found.find((value) => !rule.pattern.test(value));
	if (wrong !== undefined) throw parameterError(property, `is not ${rule.description}.`, wrong);
	return [...new Set(found)];
}

/**
 * Texts of a saved value, without blanks around them and without empty ones: one text or number, a list (also of lists
 * and of resource locators), or text that is separated by `separator`. @throws UserError when it is anything else
 */
export function readList(raw: unknown, property: INodeProperties, separator: RegExp): string[] {
	const value = unwrapLocator(raw);
	if (value === null || value === undefined) return [];
	if (Array.isArray(value)) return value.flatMap((entry) => readList(entry, property, separator));
	if (typeof value === 'number') return [String(value)];
	if (typeof value !== 'string')
		throw parameterError(property, 'is neither a text nor a list of texts.', value);
	const listed = value.trim().startsWith('[') ? listInText(value) : undefined;
	if (listed !== undefined) return readList(listed, property, separator);
	return value
		.split(separator)
		.map((part) => part.trim())
		.filter((part) => part !== '');
}

/** A list that an expression wrote into text (`["a","b"]`), undefined when the text is none. */
function listInText(value: string): unknown[] | undefined {
	try {
		const parsed: unknown = JSON.parse(value);
		return Array.isArray(parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}
