/** Fields whose values the autocomplete endpoint finds (contract: Autocomplete). */
export const AUTOCOMPLETE_FIELDS = [
	'business_intent_topics',
	'city_region',
	'city_region_country',
	'company_age',
	'company_name',
	'company_revenue',
	'company_size',
	'company_tech_stack_categories',
	'company_tech_stack_tech',
	'country',
	'country_code',
	'job_department',
	'job_level',
	'job_title',
	'naics_category',
	'network_category',
	'number_of_locations',
	'region_country_code',
	'search_category',
] as const;

export type AutocompleteField = (typeof AUTOCOMPLETE_FIELDS)[number];

export const AUTOCOMPLETE_PATH = '/v1/businesses/autocomplete';

/** The one field for which semantic search is recommended. */
export const SEMANTIC_FIELD: AutocompleteField = 'business_intent_topics';
