/** Where the endpoints are that stand by themselves; data sets and events have theirs in their rows. */
export const PATHS = {
	match: '/v1/prospects/match',
	search: '/v1/prospects',
	statistics: '/v1/businesses/stats',
	autocomplete: '/v1/businesses/autocomplete',
	enrollments: '/v1/businesses/events/enrollments',
	credits: '/v1/credits/aggregation',
} as const;
