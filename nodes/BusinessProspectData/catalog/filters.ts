import type { ValueFormat } from '../core/text';
import {
	BUSINESS_ID_FORMAT,
	type CodeFormat,
	INDUSTRY_CODE_FORMAT,
	PROSPECT_ID_FORMAT,
	REGION_CODE_FORMAT,
} from './service';
import {
	type AutocompleteField,
	COMPANY_REVENUES,
	COMPANY_SIZES,
	JOB_DEPARTMENT_ALIASES,
	JOB_DEPARTMENTS,
	JOB_LEVEL_ALIASES,
	JOB_LEVELS,
} from './filterValues';

/**
 * The settings of each kind of filter; `object` means none. The comments show filters in a request (contract: Fetch prospects,
 * filter rules).
 */
interface FilterSettings {
	/** `{ "value": true }` */
	readonly boolean: object;
	/** `{ "value": "engineer", "include_related_job_titles": true }` */
	readonly jobTitle: { readonly field: AutocompleteField };
	/** `{ "values": ["us", "ca"] }` */
	readonly autocomplete: {
		readonly field: AutocompleteField;
		readonly placeholder: string;
		/** Set if the values are codes. */
		readonly format?: CodeFormat;
	};
	/** `{ "values": ["us", "ca"] }`, but from a list that needs no request. */
	readonly countries: object;
	/** `{ "values": ["1-10", "11-50"] }`. Expressions may also return `aliases`, which stand for the values beside them. */
	readonly enum: {
		readonly values: readonly string[];
		readonly aliases?: Readonly<Record<string, string>>;
	};
	/** `{ "values": ["8f2c…"] }` */
	readonly ids: { readonly format: ValueFormat };
	/** `{ "gte": 12, "lte": 36 }`, or only one of the two. */
	readonly range: object;
}

export type FilterKind = keyof FilterSettings;

export type FilterType<Kind extends FilterKind = FilterKind> = {
	[K in Kind]: { readonly kind: K } & FilterSettings[K];
}[Kind];

export interface Filter<Kind extends FilterKind = FilterKind> {
	/** The filter's name in requests. */
	readonly name: string;
	readonly displayName: string;
	/** Names the value below `displayName`, unless the kind names its fields itself. */
	readonly valueLabel: string;
	readonly description: string;
	readonly type: FilterType<Kind>;
}

const COUNTRIES = { kind: 'countries' } as const;

const REGION = {
	kind: 'autocomplete',
	field: 'region_country_code',
	placeholder: 'e.g. us-tx',
	format: REGION_CODE_FORMAT,
} as const;

const filter = (
	name: string,
	displayName: string,
	valueLabel: string,
	description: string,
	type: FilterType,
): Filter => ({ name, displayName, valueLabel, description, type });

/** The filters of the prospect search (contract: Fetch prospects). */
export const SEARCH_FILTERS: readonly Filter[] = [
	filter('business_id', 'Business IDs', 'IDs', 'Only people at these businesses', {
		kind: 'ids',
		format: BUSINESS_ID_FORMAT,
	}),
	filter(
		'city_region_country',
		'City',
		'City and Region',
		'As the service lists it, such as Miami, FL, US',
		{
			kind: 'autocomplete',
			field: 'city_region_country',
			placeholder: 'e.g. Miami, FL, US',
		},
	),
	filter(
		'company_country_code',
		'Company Country',
		'Countries',
		"Country of the company's headquarters. In the output, country_name is the person's.",
		COUNTRIES,
	),
	filter('company_name', 'Company Name', 'Name', 'Name of the company that the person works for', {
		kind: 'autocomplete',
		field: 'company_name',
		placeholder: 'e.g. Acme, Inc.',
	}),
	filter(
		'company_region_country_code',
		'Company Region',
		'Region',
		"Region of the company's headquarters, as a code such as us-tx",
		REGION,
	),
	filter('company_revenue', 'Company Revenue', 'Revenues', 'Revenue range of the company', {
		kind: 'enum',
		values: COMPANY_REVENUES,
	}),
	filter('company_size', 'Company Size', 'Sizes', 'Number of employees of the company', {
		kind: 'enum',
		values: COMPANY_SIZES,
	}),
	filter(
		'country_code',
		'Person Country',
		'Countries of Residence',
		'Country where the person lives',
		COUNTRIES,
	),
	filter(
		'current_role_months',
		'Months in Current Role',
		'Months',
		'How long the person has been in the current role',
		{ kind: 'range' },
	),
	filter(
		'has_email',
		'Has Email',
		'Yes',
		'Whether to find people with an email address. Turn off to find those without.',
		{ kind: 'boolean' },
	),
	filter(
		'has_phone_number',
		'Has Phone Number',
		'Yes',
		'Whether to find people with a phone number. Turn off to find those without.',
		{ kind: 'boolean' },
	),
	filter('job_department', 'Job Department', 'Departments', "Department of the person's job", {
		kind: 'enum',
		values: JOB_DEPARTMENTS,
		aliases: JOB_DEPARTMENT_ALIASES,
	}),
	filter('job_level', 'Job Level', 'Levels', "Seniority of the person's job", {
		kind: 'enum',
		values: JOB_LEVELS,
		aliases: JOB_LEVEL_ALIASES,
	}),
	filter('job_title', 'Job Title', 'Title', 'The title contains all these words, in any order', {
		kind: 'jobTitle',
		field: 'job_title',
	}),
	filter(
		'naics_category',
		'Company Industry (NAICS Code)',
		'Code',
		'NAICS code, such as 51, 5112 or 511210',
		{
			kind: 'autocomplete',
			field: 'naics_category',
			placeholder: 'e.g. 5112',
			format: INDUSTRY_CODE_FORMAT,
		},
	),
	filter(
		'network_category',
		'Company Industry (Professional Network)',
		'Industry',
		'Industry as the professional network names it, such as software development',
		{
			kind: 'autocomplete',
			field: 'network_category',
			placeholder: 'e.g. software development',
		},
	),
	filter('prospect_id', 'Prospect IDs', 'IDs', 'Only these people', {
		kind: 'ids',
		format: PROSPECT_ID_FORMAT,
	}),
	filter(
		'region_country_code',
		'Person Region',
		'Region of Residence',
		'Region where the person lives, as a code such as us-tx',
		REGION,
	),
	filter(
		'search_category',
		'Company Category (Business Listings)',
		'Category',
		'Category in business listings, such as software company',
		{
			kind: 'autocomplete',
			field: 'search_category',
			placeholder: 'e.g. software company',
		},
	),
	filter(
		'total_experience_months',
		'Months of Experience',
		'Months',
		'Total work experience of the person',
		{
			kind: 'range',
		},
	),
];

/** A statistics request takes at most one of these (contract: Business statistics). */
export const CATEGORY_FILTERS = SEARCH_FILTERS.filter(({ name }) =>
	['naics_category', 'network_category', 'search_category'].includes(name),
);

/** Filters of statistics requests (contract: Business statistics). Additional Filters takes other filters as JSON. */
export const STATISTICS_FILTERS: readonly Filter[] = [
	filter(
		'region_country_code',
		'Company Region',
		'Region',
		'Where the company is, as a code such as us-tx',
		REGION,
	),
	...SEARCH_FILTERS.filter(({ name }) => name === 'company_size'),
	...CATEGORY_FILTERS,
];
