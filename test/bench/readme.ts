const HAND_WRITTEN = 'hand-written, with fetch';
const JSON_ROUND_TRIP = 'JSON round trip of input and output rows';

/** The lines of the full form that docs/performance.md shows: what, and the beginning of against what. */
export const SHOWN: ReadonlyArray<readonly [what: string, against: string]> = [
	['Enrich 1,000 rows, 3 data sets: requests', 'unique IDs ÷ 50 × 3'],
	['Enrich 1,000 rows, 3 data sets: times faster', 'one request for each row, in sequence'],
	['Enrich 1,000 rows, 3 data sets', HAND_WRITTEN],
	['Enrich 10,000 rows, 3 data sets: requests', 'unique IDs ÷ 50 × 3'],
	['Enrich 10,000 rows, 3 data sets', HAND_WRITTEN],
	['Get Many 60,000 rows: requests', 'rows ÷ 100'],
	['Get Many 60,000 rows', HAND_WRITTEN],
	['Get Many 60,000 rows', "hand-written, with n8n's helper"],
	['Get Many 60,000 rows: memory', HAND_WRITTEN],
	['Own CPU of Enrich, 100,000 rows', JSON_ROUND_TRIP],
	['Own CPU of Match, 100,000 rows', JSON_ROUND_TRIP],
	['Growth of Enrich: CPU per row at 100,000', 'CPU per row at 1,000'],
	['Growth of Match: CPU per row at 100,000', 'CPU per row at 1,000'],
	['1,000 requests at 200 a minute, limit in headers', 'the shortest that the limit allows'],
	['Loading both nodes and the credential', 'loading an empty node'],
	['Package as npm installs it', ''],
];
