/** Fields whose values the autocomplete endpoint finds (contract: Autocomplete). */
export const AUTOCOMPLETE_FIELDS = [
	{ value: 'business_intent_topics', name: 'Business Intent Topic' },
	{ value: 'city_region', name: 'City and Region' },
	{ value: 'city_region_country', name: 'City, Region and Country' },
	{ value: 'company_age', name: 'Company Age (Years)' },
	{ value: 'company_name', name: 'Company Name' },
	{ value: 'company_revenue', name: 'Company Revenue' },
	{ value: 'company_size', name: 'Company Size' },
	{ value: 'country', name: 'Country' },
	{ value: 'country_code', name: 'Country Code' },
	{ value: 'job_department', name: 'Job Department' },
	{ value: 'job_level', name: 'Job Level' },
	{ value: 'job_title', name: 'Job Title' },
	{ value: 'naics_category', name: 'NAICS Industry' },
	{ value: 'network_category', name: 'Network Category' },
	{ value: 'number_of_locations', name: 'Number of Locations' },
	{ value: 'region_country_code', name: 'Region' },
	{ value: 'search_category', name: 'Search Category' },
	{ value: 'company_tech_stack_tech', name: 'Technology' },
	{ value: 'company_tech_stack_categories', name: 'Technology Category' },
] as const;

export type AutocompleteField = (typeof AUTOCOMPLETE_FIELDS)[number]['value'];

/** The one field for which semantic search is recommended (contract: Autocomplete). */
export const SEMANTIC_FIELD: AutocompleteField = 'business_intent_topics';
