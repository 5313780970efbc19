import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isEmpty } from '../core/json';
import { COUNTRIES_METHOD } from '../catalog/countries';
import { type Filter, type FilterKind, type FilterType, SEARCH_FILTERS } from '../catalog/filters';
import { type CodeFormat, COUNTRY_CODE_FORMAT } from '../catalog/service';
import { isNothing } from '../parameters/cells';
import {
	idsParameter,
	multiOptionsParameter,
	readParts,
	stringListParameter,
} from '../parameters/lists';
import {
	booleanParameter,
	integerParameter,
	isFalseOrNaN,
	parameterError,
	stringParameter,
	unwrapLocator,
} from '../parameters/parameter';
import { autocompleteValueProperty } from './autocomplete';
import { filterCollection, type FilterDefinition, type RequestFilter } from './collection';

/** Absent members default to the filter's value label and description, and to the name `value`. */
type Field = Pick<INodeProperties, 'type' | 'default'> & Partial<INodeProperties>;

interface KindBehavior<Kind extends FilterKind> {
	readonly fields: (type: FilterType<Kind>, name: string) => [Field, ...Field[]];
	/** @param entry without its blank values */
	readonly read: (
		entry: IDataObject,
		type: FilterType<Kind>,
		property: INodeProperties,
	) => RequestFilter | undefined;
}

const relatedTitles = booleanParameter({
	displayName: 'Include Related Job Titles',
	name: 'include_related_job_titles',
	type: 'boolean',
	default: false,
	description: 'Whether to also find titles related to Title',
});

const KIND_BEHAVIORS: { readonly [Kind in FilterKind]: KindBehavior<Kind> } = {
	boolean: {
		fields: () => [{ type: 'boolean', default: true }],
		read: ({ value: raw }, _type, property) => {
			// Unlike `booleanParameter`, accepts yes and no, which spreadsheets and AI agents use. Empty means "not set".
			if (raw === undefined || Number.isNaN(raw)) return undefined;
			const [only, ...others] = [raw].flat();
			// `stringParameter` reads `false` as empty text.
			const isFalse = only === false && others.length === 0;
			const value = isFalse ? 'false' : stringParameter(property).read(raw).toLowerCase();
			if (isNothing(value) && value !== '0') return undefined;
			if (['yes', 'true', 'y', 't', '1', 'on'].includes(value)) return { value: true };
			if (['no', 'false', 'n', 'f', '0', 'off'].includes(value)) return { value: false };
			throw parameterError(property, 'is not one of: true, false, yes, no.', raw);
		},
	},
	jobTitle: {
		fields: ({ field }) => [
			{
				...autocompleteValueProperty(field, 'e.g. marketing manager'),
				hint: 'Takes one title. Include Related Job Titles also finds similar ones.',
			},
			relatedTitles.property,
		],
		read: ({ value: raw, include_related_job_titles: flag }, _type, property) => {
			const value = stringParameter(property).read(raw);
			if (isNothing(value)) return undefined;
			return { value, ...(relatedTitles.read(flag) && { include_related_job_titles: true }) };
		},
	},
	autocomplete: {
		fields: ({ field, placeholder }) => [autocompleteValueProperty(field, placeholder)],
		read: ({ value }, { format }, property) => valuesFilter(readCodes(value, format, property)),
	},
	countries: {
		fields: () => [
			{
				type: 'multiOptions',
				default: [],
				typeOptions: { loadOptionsMethod: COUNTRIES_METHOD },
			},
		],
		read: ({ value }, _type, property) =>
			valuesFilter(readCodes(value, COUNTRY_CODE_FORMAT, property)),
	},
	enum: {
		fields: ({ values }) => [
			{
				type: 'multiOptions',
				default: [],
				options: values.map((value) => ({
					name: value.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
					value,
				})),
			},
		],
		read: ({ value }, { aliases }, property) =>
			valuesFilter(multiOptionsParameter(property, aliases).read(value)),
	},
	ids: {
		fields: (_type, name) => [
			{ type: 'string', default: '', placeholder: `e.g. {{ $json.${name} }}` },
		],
		read: ({ value }, { format }, property) =>
			valuesFilter(idsParameter(property, format).read(value)),
	},
	range: {
		fields: () => [bound('gte', 'At Least', 12), bound('lte', 'At Most', 36)],
		read: (entry, _type, property) => {
			const bounds: RequestFilter = {};
			for (const name of ['gte', 'lte']) {
				const raw = entry[name];
				if (raw === undefined || isFalseOrNaN(raw)) continue;
				bounds[name] = integerParameter(property).read(raw);
			}
			if (Number(bounds.gte) > Number(bounds.lte)) {
				throw parameterError(
					property,
					`At Least (${bounds.gte}) is greater than At Most (${bounds.lte}).`,
				);
			}
			return Object.keys(bounds).length === 0 ? undefined : bounds;
		},
	},
};

/** All range filters in the contract are in months. The default is empty, because 0 would be a bound. */
const bound = (name: string, displayName: string, example: number): Field => ({
	displayName,
	name,
	type: 'number',
	default: '',
	placeholder: `e.g. ${example}`,
	description: 'Leave empty for no bound',
	typeOptions: { minValue: 0 },
});

/** Any text is a value if there is no format. */
function readCodes(
	raw: unknown,
	format: CodeFormat | undefined,
	property: INodeProperties,
): string[] {
	const texts = stringListParameter(property, /\n/)
		.read(raw)
		.filter((text) => !isNothing(text));
	if (format === undefined) return texts;
	const errorOf = (text: string) =>
		parameterError(property, `is not ${format.description}`, text, format.advice);
	return texts.flatMap((text) => {
		if (format.isOther?.(text)) throw errorOf(text);
		return readParts(text, format.parse, errorOf);
	});
}

const valuesFilter = (values: readonly string[]): RequestFilter | undefined =>
	values.length === 0 ? undefined : { values: [...new Set(values)] };

const withoutBlanks = (entry: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(entry).filter(([, value]) => !isEmpty(unwrapLocator(value))));

/** `read` returns the filter as requests contain it (contract: Fetch prospects, filter rules). */
export const filterDefinition = <Kind extends FilterKind>({
	name,
	displayName,
	valueLabel,
	description,
	type,
}: Filter<Kind>): FilterDefinition => {
	const behavior = KIND_BEHAVIORS[type.kind];
	const fields = behavior.fields(type, name);
	const complete = (field: Field): INodeProperties => ({
		displayName: valueLabel,
		name: 'value',
		description,
		...field,
	});
	const property = { ...complete(fields[0]), displayName, name };
	return {
		property,
		fields: fields.map(complete),
		read: (entries) => {
			const filters = entries.flatMap((entry): RequestFilter[] => {
				const filter = behavior.read(withoutBlanks(entry), type, property);
				return filter === undefined ? [] : [filter];
			});
			const [first, second] = filters;
			if (second === undefined) return first;
			if (second.values === undefined) {
				throw parameterError(property, 'is in Filters more than once. Keep one of them.');
			}
			return valuesFilter(filters.flatMap(({ values = [] }) => values));
		},
	};
};

export const searchFilters = filterCollection(SEARCH_FILTERS.map(filterDefinition));
