import {
	type IDataObject,
	type INodeProperties,
	type INodePropertyOptions,
	UserError,
} from 'n8n-workflow';
import { isObject } from '../core/json';
import { hasLoneSurrogate, isBlank, trimInvisible, truncate } from '../core/text';
import { typedValues } from '../core/casts';

export interface Parameter<Name extends string = string, Value = unknown> {
	readonly name: Name;
	readonly property: INodeProperties;
	/**
	 * @param isMapped true if the value comes from an expression
	 * @throws UserError for an invalid value. The error names the field and the rule.
	 */
	readonly read: (raw: unknown, isMapped?: boolean) => Value;
	/** Whether a space is put between two expressions that follow each other: the editor puts none between fields dragged in. */
	readonly isSpaced?: boolean;
	/** The row's cells that have text, but none that their field can take. */
	ignoredCells?(value: Value): readonly IgnoredCell[];
}

export interface IgnoredCell {
	readonly displayName: string;
	readonly text: string;
	/** For example, `not an email address`. */
	readonly rule: string;
}

export type ValuesOf<Parameters extends readonly Parameter[]> = {
	readonly [P in Parameters[number] as P['name']]: P extends Parameter<string, infer Value>
		? Value
		: never;
};

export type Property<Name extends string> = INodeProperties & { readonly name: Name };

type OptionsProperty<Name extends string, Value extends string> = Omit<
	Property<Name>,
	'options'
> & {
	readonly options: Array<INodePropertyOptions & { readonly value: Value }>;
};

const MAX_SHOWN = 80;

/**
 * For example, `Prospect IDs: "abc" is not …` or, without a value, `From is empty.` or `Data Sets: choose …`
 *
 * @param editorAdvice what only people in the editor can follow, or what names a tool that an AI agent may not have
 */
export function parameterError(
	field: Pick<INodeProperties, 'displayName' | 'name'>,
	rule: string,
	value?: unknown,
	editorAdvice?: string,
): UserError {
	const isPlain = typeof value === 'string' || typeof value === 'number';
	// `JSON.stringify` returns undefined for a function.
	const shown = String(isPlain ? value : JSON.stringify(value));
	const subject =
		value !== undefined
			? `: "${truncate(shown, MAX_SHOWN)}"`
			: /^(is|contains) /.test(rule)
				? ''
				: ':';
	const message = `${field.displayName}${subject} ${rule}`;
	const extra = { field: field.name };
	return editorAdvice === undefined
		? new UserError(message, { extra })
		: new UserError(`${message} ${editorAdvice}`, { extra: { ...extra, forAgent: message } });
}

export const isBlankCell = (cell: unknown): boolean =>
	cell === undefined || cell === null || (typeof cell === 'string' && isBlank(cell));

/** Null and undefined are read as the property's default. */
export const parameter = <const Name extends string, Value>(
	property: Property<Name>,
	read: (raw: unknown, property: INodeProperties) => Value,
): Parameter<Name, Value> => ({
	name: property.name,
	property,
	read: (raw) => read(raw ?? property.default, property),
});

export const stringParameter = <const Name extends string>(
	property: Property<Name>,
): Parameter<Name, string> => parameter(property, readText);

/** Text that addresses a record, so that half of a character can't be left out of it. */
export const addressParameter = <const Name extends string>(
	property: Property<Name>,
): Parameter<Name, string> =>
	parameter(property, (raw) => {
		const text = readText(raw, property);
		const value = unwrapLocator(raw);
		if (typeof value !== 'string' || isBlank(value) || !hasLoneSurrogate(value)) return text;
		throw parameterError(
			property,
			'contains half of a character, probably because text was cut off. Correct it.',
		);
	});

/** Some CRMs and expressions return `false` or NaN for a blank cell. */
export const isFalseOrNaN = (value: unknown): boolean => value === false || Number.isNaN(value);

/** Expressions may return a number or boolean, or a list of one value, such as a linked record. */
function readText(raw: unknown, property: INodeProperties): string {
	const value = unwrapLocator(raw) ?? '';
	if (Array.isArray(value) && value.length < 2) return readText(value[0], property);
	if (isFalseOrNaN(value)) return '';
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (typeof value !== 'string') throw parameterError(property, 'must be text.', value);
	return trimInvisible(value);
}

/** Expressions may return a boolean as text. Empty text is false. */
export const booleanParameter = <const Name extends string>(
	property: Property<Name>,
): Parameter<Name, boolean> =>
	parameter(property, (raw) => {
		const value = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
		if (value === true || value === 'true') return true;
		if (value === false || value === 'false' || value === '') return false;
		throw parameterError(property, 'is neither true nor false.', raw);
	});

/** An option in a collection: adding it means wanting it, so the editor adds it turned on. Off if it isn't added, or is blank. */
export const addedOption = <const Name extends string>(
	property: Omit<Property<Name>, 'type' | 'default'>,
): Parameter<Name, boolean> => {
	const { read, ...option } = booleanParameter({ ...property, type: 'boolean', default: true });
	return { ...option, read: (raw) => read(raw ?? false) };
};

/** Expressions may return a number as text. */
export const integerParameter = <const Name extends string>(
	property: Property<Name>,
): Parameter<Name, number> =>
	parameter(property, (raw) => {
		const { minValue = -Infinity, maxValue = Infinity } = property.typeOptions ?? {};
		const text = typeof raw === 'string' ? trimInvisible(raw) : undefined;
		// `1.000` and `1,000` are a thousand or one, depending on the country.
		if (text !== undefined && /^\d{1,3}([.,]\d{3})+$/.test(text)) {
			throw parameterError(property, 'can be read in two ways. Enter digits only.', raw);
		}
		const value = text === undefined ? raw : text === '' ? undefined : Number(text);
		if (typeof value !== 'number' || !Number.isInteger(value)) {
			throw parameterError(property, 'is not a whole number.', raw);
		}
		if (value < minValue) throw parameterError(property, `must be at least ${minValue}.`, raw);
		if (value > maxValue) throw parameterError(property, `must be at most ${maxValue}.`, raw);
		return value;
	});

/** Expressions may return an option in upper or lower case. */
export const optionsParameter = <const Name extends string, Value extends string>(
	property: OptionsProperty<Name, Value>,
): Parameter<Name, Value> =>
	parameter(property, (raw) => {
		const text = readText(raw, property);
		const option = property.options.find(({ value }) => value.toLowerCase() === text.toLowerCase());
		if (option === undefined) {
			throw parameterError(property, `is not one of: ${optionValues(property).join(', ')}.`, text);
		}
		return option.value;
	});

export const optionValues = (property: INodeProperties): string[] =>
	(property.options ?? []).flatMap((option) => ('value' in option ? [String(option.value)] : []));

/** The value of a saved resource locator; any other value unchanged. */
export const unwrapLocator = (raw: unknown): unknown =>
	isObject(raw) && 'mode' in raw && 'value' in raw ? raw.value : raw;

/** Undefined if the field or the object is empty. */
export const jsonParameter = <const Name extends string>(
	property: Property<Name>,
): Parameter<Name, IDataObject | undefined> =>
	parameter(property, (raw) => {
		if (typeof raw === 'string' && isBlank(raw)) return undefined;
		const value = typeof raw === 'string' ? parseJson(raw, property) : raw;
		if (!isObject(value)) {
			throw parameterError(property, 'is not a JSON object such as { "key": "value" }.', raw);
		}
		return Object.keys(value).length === 0 ? undefined : value;
	});

function parseJson(text: string, property: INodeProperties): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw parameterError(property, 'is not valid JSON.', text);
	}
}

export const collectionParameter = <
	const Name extends string,
	const Parts extends readonly Parameter[],
>(
	name: Name,
	displayName: string,
	placeholder: string,
	parts: Parts,
): Parameter<Name, ValuesOf<Parts>> => ({
	ignoredCells: (values: Readonly<Record<string, unknown>>) =>
		parts.flatMap((part: Parameter) => part.ignoredCells?.(values[part.name]) ?? []),
	...parameter(
		{
			displayName,
			name,
			type: 'collection',
			placeholder,
			default: {},
			options: byDisplayName(parts.map((part) => part.property)),
		},
		(raw) => {
			const saved = isObject(raw) ? raw : {};
			// `read` gets null if the parameter was added but has no value for this item, and undefined if it wasn't added.
			const values: Record<string, unknown> = {};
			for (const { name: part, read } of parts) {
				values[part] = read(Object.hasOwn(saved, part) ? (saved[part] ?? null) : undefined);
			}
			return typedValues(values);
		},
	),
});

/** Avoids `localeCompare`, which slows down n8n's start. */
export const byDisplayName = <
	Entry extends { readonly name: string; readonly displayName?: string },
>(
	entries: readonly Entry[],
): Entry[] => {
	const nameOf = ({ name, displayName = name }: Entry) => displayName.toLowerCase();
	return [...entries].sort((a, b) => Number(nameOf(a) > nameOf(b)) - Number(nameOf(a) < nameOf(b)));
};
