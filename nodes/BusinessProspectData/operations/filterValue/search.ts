import type { IDataObject } from 'n8n-workflow';
import { isObject, objectsIn, textOf } from '../../api/json';
import type { Outcome } from '../../api/outcome';
import { AUTOCOMPLETE_FIELDS, AUTOCOMPLETE_PATH, SEMANTIC_FIELD } from '../../catalog/autocomplete';
import { perItem } from '../../runtime/operation';
import { options } from '../../runtime/options';
import { choice, flag, text } from '../../runtime/parameters';

const field = choice({
	displayName: 'Field',
	name: 'field',
	type: 'options',
	default: 'job_title',
	required: true,
	options: AUTOCOMPLETE_FIELDS.map(({ name, value }) => ({ name, value })),
	description: 'The filter whose values to find',
});

const query = text({
	displayName: 'Text',
	name: 'query',
	type: 'string',
	default: '',
	placeholder: 'e.g. market',
	description: 'Part of the value to find',
});

const semanticSearch = flag({
	displayName: 'Semantic Search',
	name: 'semanticSearch',
	type: 'boolean',
	default: true,
	displayOptions: { show: { field: [SEMANTIC_FIELD] } },
	description: 'Whether to also find topics that are close in meaning',
});

/** A row for each suggestion (contract: Autocomplete). Its requests have no body, so they take no Request Context. */
export const search = perItem({
	resource: 'filterValue',
	value: 'search',
	name: 'Search',
	action: 'Search filter values',
	description:
		'Find the values that filters and intent topics take, to build filters in a workflow',
	parameters: [field, query, semanticSearch],
	options: options(),
	ask: (values) => ({
		field: values.field,
		query: values.query,
		...(values.field === SEMANTIC_FIELD && values.semanticSearch && { semantic_search: true }),
	}),
	send: async (client, asked): Promise<Outcome<IDataObject[]>> => {
		const { value, failure } = await client.send({
			method: 'GET',
			path: AUTOCOMPLETE_PATH,
			query: asked,
			free: true,
		});
		if (failure !== undefined) return { failure };
		// An object in place of the list is a suggestion, or says that there is none.
		const isNone = isObject(value) && textOf(value.value) === undefined;
		return { value: isNone ? [] : objectsIn(value) };
	},
	rows: (suggestions) => suggestions.map((json) => ({ json })),
	wording: { verb: 'Found', one: 'value', many: 'values' },
});
