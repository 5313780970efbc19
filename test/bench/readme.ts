const BY_HAND = 'by hand with fetch';
const JSON_TWICE = 'JSON there and back of input and output rows';

/** The lines of the full form that docs/performance.md shows: what, and the beginning of against what. */
export const SHOWN: ReadonlyArray<readonly [what: string, against: string]> = [
	['Enrich 1,000 rows, 3 data sets: requests', 'unique IDs ÷ 50 × 3'],
	['Enrich 1,000 rows, 3 data sets: times faster', 'one request for each row, in sequence'],
	['Enrich 1,000 rows, 3 data sets', BY_HAND],
	['Enrich 10,000 rows, 3 data sets: requests', 'unique IDs ÷ 50 × 3'],
	['Enrich 10,000 rows, 3 data sets', BY_HAND],
	['Get Many 60,000 rows: requests', 'rows ÷ 100'],
	['Get Many 60,000 rows', BY_HAND],
	['Get Many 60,000 rows', "by hand with n8n's helper"],
	['Get Many 60,000 rows: memory', BY_HAND],
	['Trigger, 10,000 IDs: requests', 'IDs ÷ 40'],
	['Trigger, 10,000 IDs', BY_HAND],
	['Own CPU of Enrich, 100,000 rows', JSON_TWICE],
	['Own CPU of Match, 100,000 rows', JSON_TWICE],
	['Growth of Enrich: CPU per row at 100,000', 'CPU per row at 1,000'],
	['Growth of Match: CPU per row at 100,000', 'CPU per row at 1,000'],
	["Enrich 10,000 rows in n8n's engine, one expression", 'a node that only reads it'],
	['1,000 requests at 200 a minute, limit in headers', 'the shortest that the limit allows'],
	['Loading both nodes and the credential', 'loading an empty node'],
	['Package as npm installs it', ''],
];
