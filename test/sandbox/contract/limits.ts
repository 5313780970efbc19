/** The numbers and values of the contract's sections "Limits" and "Endpoints". */
import { words } from './schema';

export const LIMITS = {
	enrichmentIds: 50,
	matchItems: 50,
	eventIds: 40,
	searchSize: 60_000,
	searchPageSize: 100,
	minScoreAbove: 60,
	firstTrafficMonth: '2017-01',
	eventWindowMonths: 3,
} as const;

/** What the contract leaves open and the sandbox had to choose. */
export const CHOSEN = {
	/** Records per page of a search that names no `page_size`. */
	defaultPageSize: 50,
	/** Suggestions per autocomplete answer; with `semantic_search` twice as many. */
	suggestions: 20,
} as const;

export const AUTOCOMPLETE_FIELDS = [
	'country country_code region_country_code search_category naics_category network_category',
	'company_tech_stack_tech company_tech_stack_categories job_title company_size company_revenue',
	'number_of_locations company_age job_department job_level city_region_country company_name',
	'business_intent_topics city_region',
].flatMap(words);

export const COMPANY_SIZES = words(
	'1-10 11-50 51-200 201-500 501-1000 1001-5000 5001-10000 10001+',
);
export const COMPANY_REVENUES = words(
	'0-500K 500K-1M 1M-5M 5M-10M 10M-25M 25M-75M 75M-200M 200M-500M 500M-1B 1B-10B 10B-100B 100B-1T 1T-10T 10T+',
);

/** The business event types are those that the contract names; its list is open. */
export const EVENT_TYPES = {
	prospect: words('prospect_changed_role prospect_changed_company prospect_job_start_anniversary'),
	business: words('ipo_announcement new_funding_round new_investment new_product new_office'),
} as const;
