import { AUTOCOMPLETE_FIELDS, SEMANTIC_FIELD } from '../../catalog/autocomplete';
import { perItem } from '../../runtime/operation';
import { options } from '../../runtime/options';
import { choice, flag, text } from '../../runtime/parameters';
import { autocomplete } from '../../methods/autocomplete';

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
	description: "Part of the value to find. Empty: the service's first suggestions.",
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
	input: (values) => ({
		field: values.field,
		query: values.query,
		semantic: values.semanticSearch && values.field === SEMANTIC_FIELD,
	}),
	send: autocomplete,
	rows: (found) => found.map((json) => ({ json })),
	wording: { verb: 'Found', one: 'value' },
});
