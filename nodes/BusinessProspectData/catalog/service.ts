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
	/** Intent scores must be above it. */
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
	hour: { words: '7 days', longest: { hours: 168 }, hours: 168 },
	day: { words: '60 days', longest: { hours: 1_440 }, hours: 1_440 },
	month: { words: '2 years', longest: { years: 2 }, hours: 17_520 },
} as const;
