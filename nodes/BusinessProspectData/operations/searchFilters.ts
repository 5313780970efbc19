import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isObject } from '../api/json';
import { type FilterForm, SEARCH_FILTERS, type SearchFilter } from '../catalog/filters';
import { readChoices, readIds } from '../runtime/lists';
import {
	collected,
	collection,
	flag,
	parameter,
	type Parameter,
	readNumber,
	readText,
	refusal,
} from '../runtime/parameters';
import { filterProperty } from './filterProperties';
import { readFound } from './foundValues';

/** The request form of a filter (contract: Fetch prospects, filter rules); undefined when nothing is filled in. */
type Sent = IDataObject | undefined;

const relatedTitles = flag({
	displayName: 'Include Related Job Titles',
	name: 'include_related_job_titles',
	type: 'boolean',
	default: false,
	description: 'Whether to also find titles related to Job Title',
});

/** The Filters collection of the prospect search; its value is the `filters` member of the request. */
export function searchFilters(): Parameter<'filters', IDataObject> {
	const parts = SEARCH_FILTERS.map(filterParameter);
	const shown = collection('filters', 'Filters', 'Add filter', [...parts, relatedTitles]);
	return {
		...shown,
		read: (raw) => {
			const saved = collected(raw, shown.property);
			const sent = parts.map((part): [string, Sent] => [part.name, part.read(saved[part.name])]);
			const filters = Object.fromEntries(sent.filter(([, value]) => value !== undefined));
			if (filters.job_title !== undefined && relatedTitles.read(saved[relatedTitles.name])) {
				filters.job_title = { ...filters.job_title, include_related_job_titles: true };
			}
			return filters;
		},
	};
}

const filterParameter = ({ name, displayName, description, form }: SearchFilter) =>
	parameter<string, Sent>(
		{ displayName, name, description, ...filterProperty(form, name) },
		(raw, property) => readFilter(raw, form, property),
	);

/** What a filter's saved value is in the request; undefined when nothing is filled in. Throws what is wrong with it. */
export function readFilter(raw: unknown, form: FilterForm, property: INodeProperties): Sent {
	switch (form.kind) {
		case 'yesNo': {
			const answer = readText(raw, property).toLowerCase();
			if (['any', ''].includes(answer)) return undefined;
			if (['yes', 'true', 'no', 'false'].includes(answer)) {
				return { value: ['yes', 'true'].includes(answer) };
			}
			throw refusal(property, 'is none of: any, yes, no.', raw);
		}
		case 'title': {
			const value = readText(raw, property);
			return value === '' ? undefined : { value };
		}
		case 'found':
			return among(codesOrTexts(raw, form, property));
		case 'vocabulary':
			return among(readChoices(raw, property));
		case 'ids':
			return among(readIds(raw, property, form.rule));
		case 'range':
			return range(raw, property);
	}
}

const among = (values: readonly string[]): Sent =>
	values.length === 0 ? undefined : { values: [...new Set(values)] };

function codesOrTexts(
	raw: unknown,
	{ codes, rule }: Extract<FilterForm, { kind: 'found' }>,
	property: INodeProperties,
): string[] {
	const values = readFound(raw, property, codes ? /[,\n]/ : /\n/);
	if (rule === undefined) return values;
	return values.map((value) => {
		const code = value.toLowerCase();
		if (!rule.pattern.test(code)) throw refusal(property, `is not ${rule.description}.`, value);
		return code;
	});
}

function range(raw: unknown, property: INodeProperties): Sent {
	if (!isObject(raw)) throw refusal(property, 'is not a range with a least and a most.', raw);
	const bound = (key: string) => {
		const value = raw[key];
		return value === undefined || value === null || value === ''
			? {}
			: { [key]: readNumber(value, { ...property, typeOptions: { minValue: 0 } }) };
	};
	const bounds: IDataObject = { ...bound('gte'), ...bound('lte') };
	if (Number(bounds.gte) > Number(bounds.lte)) {
		throw refusal(property, `has a least (${bounds.gte}) above its most (${bounds.lte}).`);
	}
	return Object.keys(bounds).length === 0 ? undefined : bounds;
}
