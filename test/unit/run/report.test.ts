/** The sentence that says what a run did. */
import { reportMessage, type RunStats } from '../../../nodes/BusinessProspectData/run/report';
import type { ReportWording } from '../../../nodes/BusinessProspectData/run/spec';

const ENRICHED: ReportWording = { done: 'enriched' };
const RETURNED: ReportWording = { verb: 'Returned', one: 'event' };
const WITHOUT_ID = { rows: 'without an ID', advice: 'Check.' };

const nothing: RunStats = {
	states: {},
	blank: new Map(),
	dropped: 0,
	duplicates: 0,
	successfulRequests: 0,
	lostResponses: 0,
};

test.each<[Partial<RunStats>, ReportWording, string]>([
	[
		{ states: { found: 963, empty: 37 }, successfulRequests: 40, duplicates: 12 },
		ENRICHED,
		"1,000 rows: 963 enriched, 37 without data. 40 requests. 12 duplicates weren't sent again.",
	],
	[
		{ states: { found: 7, empty: 1, unmatched: 2 }, successfulRequests: 2, dropped: 3 },
		ENRICHED,
		'10 rows: 7 enriched, 1 without data, 2 without a match. 2 requests. 3 rows were left out.',
	],
	[
		{ states: { found: 500, overLimit: 700, failed: 1 }, successfulRequests: 20, records: 1_000 },
		ENRICHED,
		'1,201 rows: 500 enriched, 700 not requested (Max Records to Pay), 1 failed. 20 requests, 1,000 records.',
	],
	[
		{ states: { found: 5, failed: 5 }, successfulRequests: 3, records: 14, lookupRecords: 6 },
		ENRICHED,
		'10 rows: 5 enriched, 5 failed. 3 requests, 14 records, 6 of them for lookups.',
	],
	[
		{ states: { unmatched: 2 }, successfulRequests: 1, records: 2, lookupRecords: 2 },
		ENRICHED,
		'2 rows without a match. 1 request, 2 records.',
	],
	[{ records: 0 }, ENRICHED, '0 rows enriched. 0 requests.'],
	[
		{ states: { blank: 1 }, blank: new Map([[WITHOUT_ID, 1]]) },
		ENRICHED,
		'1 row without an ID. 0 requests.',
	],
	[
		{ states: { failed: 390 }, lostResponses: 10 },
		ENRICHED,
		'390 rows failed. 0 requests. 10 requests got no usable response and may have been charged.',
	],
	[
		{ states: { found: 12, failed: 2 }, blank: new Map([[WITHOUT_ID, 1]]), successfulRequests: 1 },
		RETURNED,
		'Returned 12 events in 1 request; 1 row without an ID; 2 rows failed.',
	],
])('%j', (stats, wording, expected) => {
	expect(reportMessage({ ...nothing, ...stats }, wording)).toBe(expected);
});
