import type { RowField } from '../core/json';
import { names, type ValueFormat } from '../core/text';
import { parseCountry } from './countries';

// In comments, "contract" means the service's API documentation: "contract: Limits" refers to its section "Limits".

// Formats of IDs (contract: Common conventions).
export const PROSPECT_ID_FORMAT: ValueFormat = {
	pattern: /^[a-f0-9]{40}$/,
	description: 'a prospect ID. A prospect ID has 40 characters, 0 to 9 and a to f',
	advice: 'Run Match first, then drag prospect_id here.',
};

export const BUSINESS_ID_FORMAT: ValueFormat = {
	pattern: /^[a-f0-9]{32}$/,
	description: 'a business ID. A business ID has 32 characters, 0 to 9 and a to f',
	advice: 'Run Business: Find first, then drag business_id here.',
};

export interface EntityFields {
	readonly idField: string;
	readonly idsField: string;
	readonly idFormat: ValueFormat;
	/** The word for one of them in messages. */
	readonly noun: string;
}

export const PROSPECT: EntityFields = {
	idField: 'prospect_id',
	idsField: 'prospect_ids',
	idFormat: PROSPECT_ID_FORMAT,
	noun: 'person',
};
export const BUSINESS: EntityFields = {
	idField: 'business_id',
	idsField: 'business_ids',
	idFormat: BUSINESS_ID_FORMAT,
	noun: 'company',
};

/** The fields of a found prospect that Simplify keeps (contract: Prospect record). */
export const PROSPECT_RECORD_FIELDS: readonly RowField[] = names(`
	first_name, last_name, job_title, company_name, company_website, job_level_main,
	country_name, network, business_id, prospect_id
`);

/** Every other member of a found prospect. */
export const PROSPECT_RECORD_MEMBERS = names(`
	full_name, professional_email_hashed, region_name, city, experience, skills, interests,
	company_network, job_department, job_department_array, job_department_main,
	job_seniority_level, job_level_array, network_url_array
`);

export const PATHS = {
	match: '/v1/prospects/match',
	search: '/v1/prospects',
	statistics: '/v1/businesses/stats',
	autocomplete: '/v1/businesses/autocomplete',
	enrollments: '/v1/businesses/events/enrollments',
	credits: '/v1/credits/aggregation',
} as const;

/** The service's limits (contract: Limits). */
export const LIMITS = {
	/** People in one Match request (`prospects_to_match`). */
	matchBatch: 50,
	/** IDs in one bulk enrichment request (`prospect_ids` or `business_ids`). */
	enrichBatch: 50,
	eventsBatch: 40,
	/** Records on all pages of a search. */
	searchSize: 60_000,
	pageSize: 100,
	/** Intent Minimum Score must be above this number. */
	minScoreAbove: 60,
	/** The earliest month with website traffic data. */
	trafficFrom: '2017-01',
} as const;

/** Credits per prospect for contacts that are requested one prospect at a time (contract: Limits). */
export const CONTACT_CREDITS = { email: 2, phone: 5, both: 5 } as const;

export type CreditResolution = 'hour' | 'day' | 'month';

/**
 * Maximum range of one credits request by resolution (contract: Limits, aggregation range). Counted in hours because days differ
 * in length when clocks change. 17,520 hours are two years without a leap day.
 */
export const MAX_CREDIT_RANGES = {
	hour: { label: '7 days', hours: 168 },
	day: { label: '60 days', hours: 1_440 },
	month: { label: '2 years', hours: 17_520 },
} as const;

/**
 * Maximum range with Group By Endpoint: the limit of `month`, the resolution that requests in this mode send. Counted in calendar
 * years (UTC), because this range can't be split: exactly two years must be accepted even with a leap day.
 */
export const MAX_ENDPOINT_MODE_RANGE = { label: '2 years', duration: { years: 2 } } as const;

/** How a filter reads codes (contract: Fetch prospects). */
export interface CodeFormat {
	/** Undefined for text that is no code. */
	readonly parse: (text: string) => string | undefined;
	/** Continues `"abc" is not …`. */
	readonly description: string;
	/** Not for AI agents. */
	readonly advice: string;
	/** Whether text that is no list of codes looks like one: `Lebanon, PA` is a town. */
	readonly isOther?: (text: string) => boolean;
}

export const COUNTRY_CODE_FORMAT: CodeFormat = {
	parse: parseCountry,
	isOther: (text) => /^\p{L}{3}[^,]*,\s*[a-z]{2}$/iu.test(text) && parseCountry(text) === undefined,
	description: 'a country. Enter its two-letter code such as us, or its English name.',
	advice: 'Or pick it from the list.',
};

/** The service has no code for a region without its country. */
export const REGION_CODE_FORMAT: CodeFormat = {
	parse: (text) => {
		const [, country = '', region = ''] = /^([a-z]{2})[-_ ]([a-z0-9]{1,3})$/i.exec(text) ?? [];
		const code = parseCountry(country);
		return code && `${code}-${region.toLowerCase()}`;
	},
	description: 'a region code (ISO 3166-2) such as us-tx.',
	advice: 'Pick the region from the list.',
};

/** The full codes of the contract's "2, 4 or full digits" have 5 or 6. */
export const INDUSTRY_CODE_FORMAT: CodeFormat = {
	parse: (text) => (/^\d{2}(\d{2}\d{0,2})?$/.test(text) ? text : undefined),
	description: 'an industry code of 2, 4, 5 or 6 digits such as 5112.',
	advice: 'Pick the industry from the list.',
};

interface EventType {
	readonly value: string;
	readonly name: string;
}

/** The events of people or of businesses (contract: Events). */
export interface EventsSource {
	readonly entity: EntityFields;
	readonly path: string;
	readonly types: readonly EventType[];
	/** Types that the contract doesn't list. */
	readonly moreTypes: readonly string[];
	/** True if the service may have other types, too. */
	readonly hasUnlistedTypes: boolean;
	/** The known members of `data` with the types that have them, the most useful first. */
	readonly members: ReadonlyMap<string, readonly string[]>;
}

const membersOf = (
	...groups: ReadonlyArray<readonly [members: readonly string[], types: readonly string[]]>
): ReadonlyMap<string, readonly string[]> =>
	new Map(groups.flatMap(([members, types]) => members.map((member) => [member, types] as const)));

export const PROSPECT_EVENTS: EventsSource = {
	entity: PROSPECT,
	path: '/v1/prospects/events',
	types: [
		{ value: 'prospect_changed_company', name: 'Changed Company' },
		{ value: 'prospect_changed_role', name: 'Changed Role' },
		{ value: 'prospect_job_start_anniversary', name: 'Job Start Anniversary' },
	],
	moreTypes: [],
	hasUnlistedTypes: false,
	members: membersOf(
		[
			names(`
				current_company_name, current_job_title, current_company_id,
				previous_company_name, previous_job_title, previous_company_id
			`),
			['prospect_changed_company', 'prospect_changed_role'],
		],
		[
			names(`
				full_name, years_at_company, company_name, job_title, job_anniversary_date,
				network_url
			`),
			['prospect_job_start_anniversary'],
		],
	),
};

const HIRING_DEPARTMENTS = names(`
	creative, education, engineering, finance, health, human_resources, legal, marketing,
	operations, professional_service, sales, support, trade, unknown
`).map((department) => `${department}_department`);

const SIZE_DEPARTMENTS = [
	...['engineering', 'sales', 'marketing', 'operations', 'customer_service'].map(
		(department) => `${department}_department`,
	),
	'all_departments',
];

const NEWS_TYPES = ['new_office', 'new_product', 'new_investment'];

export const BUSINESS_EVENTS: EventsSource = {
	entity: BUSINESS,
	path: '/v1/businesses/events',
	types: [
		{ value: 'ipo_announcement', name: 'IPO Announcement' },
		{ value: 'new_funding_round', name: 'New Funding Round' },
		{ value: 'new_investment', name: 'New Investment' },
		{ value: 'new_office', name: 'New Office' },
		{ value: 'new_product', name: 'New Product' },
	],
	moreTypes: [
		...names(`
			company_award, cost_cutting, employee_joined_company, lawsuits_and_legal_issues,
			merger_and_acquisitions, new_partnership, closing_office, outages_and_security_breaches
		`),
		...HIRING_DEPARTMENTS.map((department) => `hiring_in_${department}`),
		...SIZE_DEPARTMENTS.map((department) => `increase_in_${department}`),
		...SIZE_DEPARTMENTS.map((department) => `decrease_in_${department}`),
	],
	hasUnlistedTypes: true,
	members: membersOf(
		[['title', 'snippet'], NEWS_TYPES],
		[['link'], ['new_funding_round', ...NEWS_TYPES]],
		[['amount_raised'], ['new_funding_round']],
		[['investment_amount', 'investment_amount_currency'], ['new_investment']],
		[['offer_amount'], ['ipo_announcement']],
		[['founding_stage'], ['new_funding_round']],
		[['investment_target'], ['new_investment']],
		[['product_name'], ['new_product']],
		[['office_location'], ['new_office']],
		[['ticker'], ['ipo_announcement']],
		[['lead_investor', 'investors', 'founding_date'], ['new_funding_round']],
		[['investment_type', 'investment_date'], ['new_investment']],
		[['product_description'], ['new_product']],
		[['purpose_of_new_office', 'number_of_employees'], ['new_office']],
		[
			names(`
				company_name, status, ipo_date, stock_exchange, price_per_share,
				number_of_shares
			`),
			['ipo_announcement'],
		],
	),
};

/** The fields of an event, besides its own ID, the entity's ID and `data` (contract: Event records). */
export const EVENT_FIELDS = ['event_name', 'event_time'] as const;

export const EVENT_ID_FIELD = 'event_id';

/** How far back the service keeps events (contract: Limits). */
export const EVENT_WINDOW_MONTHS = 3;

/** The same in days that hold in every month: three calendar months have 89 days or more. */
export const EVENT_WINDOW_DAYS = 88;
