/** The sentence that says what a run did. */
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import {
	itemStats,
	reportMessage,
	rowStats,
	runMessages,
	type RunStats,
} from '../../../nodes/BusinessProspectData/run/report';
import type { ReportWording } from '../../../nodes/BusinessProspectData/run/spec';

const ENRICHED: ReportWording = { done: 'enriched' };
const RETURNED: ReportWording = { verb: 'Returned', one: 'event' };
const nothing: RunStats = {
	rows: 0,
	successfulRequests: 0,
	lostResponses: 0,
	duplicates: 0,
	empty: 0,
	unmatched: 0,
	dropped: 0,
	itemsWithoutId: 0,
	skipped: 0,
	failed: 0,
	overLimit: 0,
};

test.each<[Partial<RunStats>, ReportWording, string]>([
	[
		{ rows: 1_000, successfulRequests: 40, duplicates: 12, empty: 37 },
		ENRICHED,
		"1,000 rows: 963 enriched, 37 without data. 40 requests. 12 duplicates weren't sent again.",
	],
	[
		{ rows: 8, successfulRequests: 2, empty: 1, unmatched: 2, dropped: 3 },
		ENRICHED,
		'10 rows: 7 enriched, 1 without data, 2 without a match. 2 requests. 3 rows were left out.',
	],
	[
		{
			rows: 500,
			successfulRequests: 20,
			records: 1_000,
			overLimit: 700,
			overLimitField: 'maxRecordsToPay',
			failed: 1,
		},
		ENRICHED,
		'1,201 rows: 500 enriched, 700 not requested (Max Records to Pay), 1 failed. 20 requests, 1,000 records.',
	],
	[
		{ rows: 5, successfulRequests: 3, records: 14, lookupRecords: 6, failed: 5, unmatched: 2 },
		ENRICHED,
		'12 rows: 5 enriched, 2 without a match, 5 failed. 3 requests, 14 records, 6 of them for lookups.',
	],
	[
		{ rows: 1, successfulRequests: 1, records: 1 },
		ENRICHED,
		'1 row enriched. 1 request, 1 record.',
	],
	[
		{ unmatched: 2, successfulRequests: 1, records: 2, lookupRecords: 2 },
		ENRICHED,
		'2 rows without a match. 1 request, 2 records.',
	],
	[{ records: 0 }, ENRICHED, '0 rows enriched. 0 requests.'],
	[{ itemsWithoutId: 1 }, ENRICHED, '1 row without an ID. 0 requests.'],
	[
		{ failed: 390, lostResponses: 10 },
		ENRICHED,
		'390 rows failed. 0 requests. 10 requests got no usable response and may have been charged.',
	],
	[
		{ rows: 12, successfulRequests: 1, duplicates: 1, itemsWithoutId: 1, failed: 2 },
		RETURNED,
		"Returned 12 events in 1 request; 1 row without an ID; 2 rows failed. 1 duplicate wasn't sent again.",
	],
])('%j', (tally, wording, expected) => {
	expect(reportMessage({ ...nothing, ...tally }, wording)).toBe(expected);
});

test('each row counts once as what it is', () => {
	const failure = (kind: Failure['kind']) => ({ failure: { kind, message: 'No.' } });
	const options = { dropItemsWithoutData: true };
	const row = { json: {} };
	const empty = { json: {}, empty: true };
	const rows = [
		{ row, options },
		{ row: empty, options },
		{ row: empty, options: {} },
		{ row: empty },
		{ row: empty, options, unmatched: true },
		{ row, options, unmatched: true },
		{ row: empty, options: {}, withoutId: true },
		{ row: failure('server'), options },
		{ row: failure('input') },
		{ row: failure('overLimit'), options },
		{ row: empty, options, skipped: true },
	];

	expect(
		rowStats(rows.map((one) => ({ ...one, itemIndex: 0 })) as Parameters<typeof rowStats>[0]),
	).toEqual({
		rows: 4,
		empty: 3,
		unmatched: 2,
		dropped: 2,
		skipped: 1,
		failed: 2,
		overLimit: 1,
		overLimitField: undefined,
	});
});

type SentItems = Parameters<typeof itemStats>[0];

test('inputs of an item that shared a result count once for each key', () => {
	const duplicatesIn = (...inputs: Array<[key: string, duplicate: boolean]>) => {
		const results = inputs.map(([key, duplicate]) => ({ input: { key }, duplicate }));
		const items = [{ entries: results }] as unknown as SentItems;
		return itemStats(items, (input) => ('key' in input ? String(input.key) : '')).duplicates;
	};

	expect(duplicatesIn()).toBe(0);
	expect(duplicatesIn(['a', false], ['b', false])).toBe(0);
	expect(duplicatesIn(['a', true], ['b', false])).toBe(1);
	expect(duplicatesIn(['a', true], ['a', true], ['b', false])).toBe(1);
	expect(duplicatesIn(['a', true], ['a', true], ['b', true])).toBe(2);
});

test('without an ID, the lookup counts in place of the inputs', () => {
	const none = { entries: [] };
	const items = [
		{ ...none, lookup: { id: null, duplicate: true } },
		{ ...none, lookup: { id: null, duplicate: false } },
		{ entries: [{ duplicate: false }], lookup: { id: 'a', duplicate: true } },
		none,
		{ failure: { kind: 'reported', message: 'No.' }, duplicateLookup: true },
		{ failure: { kind: 'input', message: 'No.' } },
	] as unknown as SentItems;

	expect(itemStats(items, () => '')).toEqual({ validItems: 4, itemsWithoutId: 1, duplicates: 2 });
});

describe("an operation's own hints and warnings", () => {
	type Arguments = Parameters<typeof runMessages>;
	const spec = {
		wording: ENRICHED,
		key: () => '',
		hints: (results: readonly unknown[], _run: unknown, items: readonly unknown[]) => [
			`${results.length} results of ${items.length} item`,
		],
		warnings: (results: readonly unknown[]) => [`${results.length} results`],
	};
	const items = [
		{ failure: { kind: 'input', message: 'No.' } },
		{ entries: [{ duplicate: false }, { duplicate: false }] },
	];
	const messages = (own: object) =>
		runMessages(
			{ ...spec, ...own } as unknown as Arguments[0],
			{} as Arguments[1],
			{
				...nothing,
				items,
				lookupHints: ['Lookup.'],
				charges: [],
				prices: {},
			} as unknown as Arguments[2],
			[],
			{ rows: [], hint: 'Known.' },
			[],
			{ hints: ['Ignored.'], warnings: ['Empty.'] },
		);
	const report = '0 rows enriched. 0 requests.';

	test('are about the items that did not fail', () => {
		expect(messages({})).toEqual({
			hints: [report, 'Ignored.', 'Lookup.', '2 results of 1 item', 'Known.'],
			warnings: ['Empty.', '2 results'],
		});
	});

	test('are left out if they cannot be built', () => {
		const fail = () => {
			throw new Error('Not expected.');
		};

		expect(messages({ hints: fail, warnings: fail })).toEqual({
			hints: [report, 'Ignored.', 'Lookup.', 'Known.'],
			warnings: ['Empty.'],
		});
	});
});
