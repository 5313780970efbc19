import type { Rule } from '../runtime/lists';
import type { AutocompleteField } from './autocomplete';
import { BUSINESS_ID, COUNTRY_CODE, INDUSTRY_CODE, PROSPECT_ID, REGION_CODE } from './rules';
import { COMPANY_REVENUES, COMPANY_SIZES, JOB_DEPARTMENTS, JOB_LEVELS } from './vocabularies';

/** How a filter's values are given, and in which form they are sent (contract: Fetch prospects, filter rules). */
export type FilterForm =
	/** `value` true or false. */
	| { readonly kind: 'yesNo' }
	/** `value`, one text found as you type. */
	| { readonly kind: 'title'; readonly field: AutocompleteField }
	/** `values` found as you type. */
	| {
			readonly kind: 'found';
			readonly field: AutocompleteField;
			readonly one: string;
			readonly placeholder: string;
			/** Where the values are codes: they are sent in lower case. */
			readonly rule?: Rule;
	  }
	/** `values` of a fixed list. */
	| { readonly kind: 'vocabulary'; readonly values: readonly string[] }
	/** `values` that are identifiers. */
	| { readonly kind: 'ids'; readonly rule: Rule }
	/** `gte` and `lte`. */
	| { readonly kind: 'range' };

/** A filter of a search or of the statistics. */
export interface Filter {
	/** The contract's name. */
	readonly name: string;
	readonly displayName: string;
	readonly description: string;
	readonly form: FilterForm;
}

const COUNTRY = {
	kind: 'found',
	field: 'country',
	one: 'Country',
	placeholder: 'e.g. us',
	rule: COUNTRY_CODE,
} as const;

const REGION = {
	kind: 'found',
	field: 'region_country_code',
	one: 'Region',
	placeholder: 'e.g. us-tx',
	rule: REGION_CODE,
} as const;

const filter = (
	name: string,
	displayName: string,
	description: string,
	form: FilterForm,
): Filter => ({ name, displayName, description, form });

/** The filters of the prospect search (contract: Fetch prospects). */
export const SEARCH_FILTERS: readonly Filter[] = [
	filter('business_id', 'Business IDs', 'Only people at these businesses', {
		kind: 'ids',
		rule: BUSINESS_ID,
	}),
	filter('city_region_country', 'Cities', 'Where the person lives, such as Austin, Texas, US', {
		kind: 'found',
		field: 'city_region_country',
		one: 'City',
		placeholder: 'e.g. Austin, Texas, US',
	}),
	filter(
		'company_country_code',
		'Company Countries',
		"Country of the company's headquarters, as a two-letter code such as us",
		COUNTRY,
	),
	filter('company_name', 'Company Names', 'Names of companies the person works for', {
		kind: 'found',
		field: 'company_name',
		one: 'Company',
		placeholder: 'e.g. Acme, Inc.',
	}),
	filter(
		'company_region_country_code',
		'Company Regions',
		"Region of the company's headquarters, as a code such as us-tx",
		REGION,
	),
	filter('company_revenue', 'Company Revenue', 'Revenue range of the company', {
		kind: 'vocabulary',
		values: COMPANY_REVENUES,
	}),
	filter('company_size', 'Company Size', 'Number of employees of the company', {
		kind: 'vocabulary',
		values: COMPANY_SIZES,
	}),
	filter(
		'country_code',
		'Countries',
		'Country where the person lives, as a two-letter code such as us',
		COUNTRY,
	),
	filter(
		'current_role_months',
		'Months in Current Role',
		'How long the person has been in the current role',
		{ kind: 'range' },
	),
	filter(
		'has_email',
		'Has Email',
		'Only people with an email address, only those without, or both',
		{ kind: 'yesNo' },
	),
	filter(
		'has_phone_number',
		'Has Phone Number',
		'Only people with a phone number, only those without, or both',
		{ kind: 'yesNo' },
	),
	filter('job_department', 'Job Departments', "Department of the person's job", {
		kind: 'vocabulary',
		values: JOB_DEPARTMENTS,
	}),
	filter('job_level', 'Job Levels', "Seniority of the person's job", {
		kind: 'vocabulary',
		values: JOB_LEVELS,
	}),
	filter('job_title', 'Job Title', 'The title contains all these words, in any order', {
		kind: 'title',
		field: 'job_title',
	}),
	filter(
		'naics_category',
		'NAICS Industries',
		'Industry code of the company with 2, 4 or all digits',
		{
			kind: 'found',
			field: 'naics_category',
			one: 'Industry',
			placeholder: 'e.g. 5112',
			rule: INDUSTRY_CODE,
		},
	),
	filter(
		'network_category',
		'Network Categories',
		'Industry of the company as the professional network names it',
		{
			kind: 'found',
			field: 'network_category',
			one: 'Category',
			placeholder: 'e.g. software development',
		},
	),
	filter('prospect_id', 'Prospect IDs', 'Only these people', { kind: 'ids', rule: PROSPECT_ID }),
	filter(
		'region_country_code',
		'Regions',
		'Region where the person lives, as a code such as us-tx',
		REGION,
	),
	filter(
		'search_category',
		'Search Categories',
		'Category of the company as the search engine names it',
		{
			kind: 'found',
			field: 'search_category',
			one: 'Category',
			placeholder: 'e.g. software company',
		},
	),
	filter(
		'total_experience_months',
		'Months of Experience',
		'How long the person has worked in all',
		{ kind: 'range' },
	),
];

/** Of these a statistics request takes one at most (contract: Business statistics). */
export const CATEGORY_FILTERS = ['search_category', 'network_category', 'naics_category'] as const;

/** The filters that the contract names for statistics; others go through a JSON field. */
export const STATISTICS_FILTERS: readonly Filter[] = [
	filter('region_country_code', 'Regions', 'Where the company is, as a code such as us-tx', REGION),
	...SEARCH_FILTERS.filter(({ name }) => ['company_size', ...CATEGORY_FILTERS].includes(name)),
];
