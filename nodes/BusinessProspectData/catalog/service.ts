/** The resources of the node, as workflows save them and as the editor shows them. */
export const RESOURCES = [
	{ value: 'business', name: 'Business' },
	{ value: 'creditUsage', name: 'Credit Usage' },
	{ value: 'eventEnrollment', name: 'Event Enrollment' },
	{ value: 'filterValue', name: 'Filter Value' },
	{ value: 'prospect', name: 'Prospect' },
] as const;

/** The members of requests and responses that hold one ID of a kind of entity, and a list of them. */
export interface Entity {
	readonly id: string;
	readonly ids: string;
}

export const PROSPECT: Entity = { id: 'prospect_id', ids: 'prospect_ids' };
export const BUSINESS: Entity = { id: 'business_id', ids: 'business_ids' };

/** The endpoints that are used by one operation; those of data sets and events are in their tables. */
export const PATHS = {
	match: '/v1/prospects/match',
	search: '/v1/prospects',
	statistics: '/v1/businesses/stats',
	autocomplete: '/v1/businesses/autocomplete',
	enrollments: '/v1/businesses/events/enrollments',
	credits: '/v1/credits/aggregation',
} as const;

/** Bounds of the service (contract: Limits). */
export const LIMITS = {
	/** `prospects_to_match`, `prospect_ids` and `business_ids` of one request. */
	match: 50,
	enrich: 50,
	/** `prospect_ids` and `business_ids` of one events request. */
	events: 40,
	/** Records of a search over all its pages, and of one page. */
	searchSize: 60_000,
	pageSize: 100,
	/** A minimum intent score must be greater. */
	minScore: 60,
	/** The first month of website traffic. */
	trafficFrom: '2017-01',
} as const;

/** The length of one point of the credit aggregation. */
export type Resolution = 'hour' | 'day' | 'month';

/**
 * Longest range of one credits request by resolution, counted in UTC (contract: Limits, aggregation range). `hours` bounds
 * the parts of a split range: hours, because days differ in length, and 730 days, because no two years are shorter.
 */
export const MAX_CREDIT_RANGES = {
	hour: { label: '7 days', longest: { hours: 168 }, hours: 168 },
	day: { label: '60 days', longest: { hours: 1_440 }, hours: 1_440 },
	month: { label: '2 years', longest: { years: 2 }, hours: 17_520 },
} as const;

/** The form of an ID or a code of the service, in lower case. */
export interface Rule {
	readonly pattern: RegExp;
	/** Continues `"abc" is not …`. */
	readonly description: string;
}

/** IDs (contract: Common conventions). */
export const PROSPECT_ID: Rule = {
	pattern: /^[a-f0-9]{40}$/,
	description: 'a prospect ID. A prospect ID has 40 characters, 0 to 9 and a to f',
};

export const BUSINESS_ID: Rule = {
	pattern: /^[a-f0-9]{32}$/,
	description: 'a business ID. A business ID has 32 characters, 0 to 9 and a to f',
};

/** Codes that filters take (contract: Fetch prospects). */
export const COUNTRY_CODE: Rule = {
	pattern: /^[a-z]{2}$/,
	description: 'a two-letter country code such as us. Pick the country from the list',
};

export const REGION_CODE: Rule = {
	pattern: /^[a-z]{2}-[a-z0-9]{1,3}$/,
	description: 'a region code (ISO 3166-2) such as us-tx. Pick the region from the list',
};

export const INDUSTRY_CODE: Rule = {
	pattern: /^\d{2}(\d{2}\d{0,2})?$/,
	description: 'an industry code of 2, 4 or all digits. Pick the industry from the list',
};
