import { names } from '../core/text';

/** Fields whose values the autocomplete endpoint finds (contract: Autocomplete). */
export const AUTOCOMPLETE_FIELDS = [
	{ value: 'business_intent_topics', name: 'Business Intent Topic' },
	{ value: 'city_region', name: 'City and Region' },
	{ value: 'city_region_country', name: 'City, Region and Country' },
	{ value: 'company_age', name: 'Company Age (Years)' },
	{ value: 'search_category', name: 'Company Category (Search Engine)' },
	{ value: 'naics_category', name: 'Company Industry (NAICS Code)' },
	{ value: 'network_category', name: 'Company Industry (Professional Network)' },
	{ value: 'company_name', name: 'Company Name' },
	{ value: 'company_revenue', name: 'Company Revenue' },
	{ value: 'company_size', name: 'Company Size' },
	{ value: 'country', name: 'Country' },
	{ value: 'country_code', name: 'Country Code' },
	{ value: 'job_department', name: 'Job Department' },
	{ value: 'job_level', name: 'Job Level' },
	{ value: 'job_title', name: 'Job Title' },
	{ value: 'number_of_locations', name: 'Number of Locations' },
	{ value: 'region_country_code', name: 'Region' },
	{ value: 'company_tech_stack_tech', name: 'Technology' },
	{ value: 'company_tech_stack_categories', name: 'Technology Category' },
] as const;

export type AutocompleteField = (typeof AUTOCOMPLETE_FIELDS)[number]['value'];

/** The one field for which semantic search is recommended (contract: Autocomplete). */
export const SEMANTIC_FIELD: AutocompleteField = 'business_intent_topics';

// Fixed lists of values that filters accept (contract: Prospect profile data; Fetch prospects, filters).

export const JOB_LEVELS = names(`
	advisor, board member, c-suite, director, founder, freelancer, junior, manager, non-managerial,
	owner, partner, president, senior manager, senior non-managerial, vice president
`);

/** The service also takes the values that stand for themselves. */
export const JOB_LEVEL_ALIASES = { cxo: 'cxo', senior: 'senior', vp: 'vp', 'c-level': 'c-suite' };

export const JOB_DEPARTMENTS = names(`
	administration, c-suite, creative, customer success, data, design, education, engineering,
	finance, healthcare, human resources, IT, legal, logistics, manufacturing, marketing,
	operations, partnerships, procurement, product, public service, R&D, real estate, retail,
	sales, security, strategy, support, trade
`);

export const JOB_DEPARTMENT_ALIASES = {
	hr: 'human resources',
	'c-level': 'c-suite',
	'information technology': 'IT',
	'research and development': 'R&D',
};

export const COMPANY_SIZES = names(
	'1-10, 11-50, 51-200, 201-500, 501-1000, 1001-5000, 5001-10000, 10001+',
);

export const COMPANY_REVENUES = names(`
	0-500K, 500K-1M, 1M-5M, 5M-10M, 10M-25M, 25M-75M, 75M-200M, 200M-500M, 500M-1B, 1B-10B,
	10B-100B, 100B-1T, 1T-10T, 10T+
`);
