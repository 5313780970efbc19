import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../api/json';
import { parameter, readJson, refusal } from '../../runtime/parameters';

/** Filters that the contract does not name: which there are is open, but not their form (contract: Business statistics). */
export const additionalFilters = parameter(
	{
		displayName: 'Additional Filters',
		name: 'additionalFilters',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "country_code": { "type": "includes", "values": ["us"] } }',
		description: 'Further business filters as a JSON object, in the form of the service',
	},
	(raw, property): IDataObject => {
		const filters = readJson(raw, property) ?? {};
		const wrong = Object.keys(filters).find((name) => !isFilter(filters[name]));
		if (wrong === undefined) return filters;
		throw refusal(
			property,
			'is not a filter of the form { "type": "includes", "values": ["us"], "negate": true }; "negate" may be left out.',
			wrong,
		);
	},
);

const isFilter = (form: unknown): boolean =>
	isObject(form) &&
	typeof form.type === 'string' &&
	Array.isArray(form.values) &&
	['undefined', 'boolean'].includes(typeof form.negate) &&
	Object.keys(form).every((key) => ['type', 'values', 'negate'].includes(key));
