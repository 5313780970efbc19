import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isEmpty, isObject } from '../../core/json';
import type { FilterForm } from '../../catalog/filters';
import { readChoices, readIds } from '../../runtime/lists';
import { readNumber, readText, parameterError } from '../../runtime/parameters';
import type { FilterValue } from './collection';
import { readAutocompleteValues } from './autocompleteValues';

/**
 * What a filter's saved value is in the request: `{ value }`, `{ values }`, or `{ gte, lte }` (contract: Fetch prospects,
 * filter rules).
 *
 * @throws UserError that names the filter, the value and the rule
 */
export function readFilter(raw: unknown, form: FilterForm, property: INodeProperties): FilterValue {
	switch (form.kind) {
		case 'yesNo': {
			const answer = readText(raw, property).toLowerCase();
			if (answer === 'any') return 'any';
			if (answer === '') return undefined;
			if (['yes', 'true', 'no', 'false'].includes(answer)) {
				return { value: ['yes', 'true'].includes(answer) };
			}
			throw parameterError(property, 'is none of: any, yes, no.', raw);
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

const among = (values: readonly string[]): FilterValue =>
	values.length === 0 ? undefined : { values: [...new Set(values)] };

function codesOrTexts(
	raw: unknown,
	{ rule }: Extract<FilterForm, { kind: 'found' }>,
	property: INodeProperties,
): string[] {
	// Codes have no commas in them, so a comma separates; elsewhere only a line break does.
	if (rule === undefined) return readAutocompleteValues(raw, property, /\n/);
	return readAutocompleteValues(raw, property, /[,\n]/).map((value) => {
		const code = value.toLowerCase();
		if (!rule.pattern.test(code))
			throw parameterError(property, `is not ${rule.description}.`, value);
		return code;
	});
}

function range(raw: unknown, property: INodeProperties): FilterValue {
	if (!isObject(raw))
		throw parameterError(property, 'is not a range with a least and a most.', raw);
	const bound = (key: string) => {
		const value = raw[key];
		return isEmpty(value)
			? {}
			: { [key]: readNumber(value, { ...property, typeOptions: { minValue: 0 } }) };
	};
	const bounds: IDataObject = { ...bound('gte'), ...bound('lte') };
	if (Number(bounds.gte) > Number(bounds.lte)) {
		throw parameterError(property, `has a least (${bounds.gte}) above its most (${bounds.lte}).`);
	}
	return Object.keys(bounds).length === 0 ? undefined : bounds;
}
