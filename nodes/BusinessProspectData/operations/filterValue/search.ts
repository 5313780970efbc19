import { SEARCH_FILTERS } from '../../catalog/filters';
import {
	AUTOCOMPLETE_FIELDS,
	type AutocompleteField,
	SEMANTIC_FIELD,
} from '../../catalog/filterValues';
import { autocomplete } from '../../filters/autocomplete';
import { openRow } from '../../fields/row';
import { perItem } from '../../run/operation';
import { includeInputFields, operationOptions } from '../../parameters/options';
import { booleanParameter, optionsParameter, stringParameter } from '../../parameters/parameter';
import { aboutRun } from '../../core/outcome';

function usageOf(field: AutocompleteField): string | undefined {
	const names = SEARCH_FILTERS.filter(({ type }) => 'field' in type && type.field === field).map(
		({ displayName }) => displayName,
	);
	return names.length === 0 ? OTHER_USES[field] : `For the filter ${names.join(' or ')}`;
}

const OTHER_USES: { readonly [Field in AutocompleteField]?: string } = {
	business_intent_topics: 'For Intent Topics in Business: Enrich',
	country_code: 'Finds countries by code, such as us. To search by name, choose Country.',
};

const field = optionsParameter({
	displayName: 'Field',
	name: 'field',
	type: 'options',
	default: 'job_title',
	required: true,
	options: AUTOCOMPLETE_FIELDS.map(({ name, value }) => {
		const description = usageOf(value);
		return { name, value, ...(description !== undefined && { description }) };
	}),
	description: 'The filter to find values for',
});

const query = stringParameter({
	displayName: 'Text',
	name: 'query',
	type: 'string',
	default: '',
	placeholder: 'e.g. market',
	description: "Part of the value to find. Leave empty for the service's first suggestions.",
});

const semanticSearch = booleanParameter({
	displayName: 'Semantic Search',
	name: 'semanticSearch',
	type: 'boolean',
	default: true,
	displayOptions: { show: { field: [SEMANTIC_FIELD] } },
	description: 'Whether to also find topics that are close in meaning',
});

/** See contract: Autocomplete. */
export const search = perItem({
	resource: 'filterValue',
	value: 'search',
	name: 'Search',
	action: 'Search filter values',
	description:
		'Find the exact values that filters and intent topics accept. Use it before Get Many when you only know part of a value.',
	parameters: [field, query, semanticSearch],
	options: operationOptions('e.g. label, value', [includeInputFields]),
	input: (values) => ({
		field: values.field,
		query: values.query,
		semantic: values.semanticSearch && values.field === SEMANTIC_FIELD,
	}),
	send: autocomplete,
	rows: (suggestions) => suggestions.map((json) => openRow(json)),
	wording: { verb: 'Found', one: 'value' },
	advice: (results) =>
		results.some(({ outcome: { value } }) => value?.length === 0)
			? [aboutRun('Where nothing was found, try a shorter part of the value.')]
			: [],
});
