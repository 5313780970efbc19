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
} as const;

export type Resolution = 'hour' | 'day' | 'month';

/** The longest range of one credits request; days are given as hours, since they differ in length. */
export const CREDIT_RANGES = {
	hour: { hours: 168 },
	day: { hours: 1_440 },
	month: { years: 2 },
} as const;
