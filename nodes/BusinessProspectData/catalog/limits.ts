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

/** The longest range of one credits request; in hours rather than days, which differ in length. */
export const CREDIT_RANGES = {
	hour: { words: '7 days', hours: 168, years: 0 },
	day: { words: '60 days', hours: 1_440, years: 0 },
	month: { words: '2 years', hours: 0, years: 2 },
} as const;
