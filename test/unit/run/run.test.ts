/** Whole runs in n8n's engine: the rows and their links, both kinds of On Error, and what the output panel says. */
import type { INodeParameters } from 'n8n-workflow';
import nock from 'nock';
import { errorOf, type NodeRunOptions } from '../../harness/engine';
import {
	BASE_URL,
	CONTINUE_MODES,
	enriched,
	interceptRequests,
	jsonOf,
	people,
	person,
	run,
	runWithoutMemory,
	serve,
} from './fakeService';

interceptRequests();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const KEEP =
	'To keep the other rows, set On Error to "Continue (using error output)" in the node\'s settings.';

test('one row of many IDs gives many rows, all linked to it; duplicates are copies', async () => {
	const requests = serve(enriched);
	const items = [
		{ row: 'first', id: [person(1), person(2), person(3)] },
		{ row: 'second', id: `${person(4)}, ${person(2)}` },
		{ row: 'third', id: '' },
		{ row: 'fourth', id: person(1).toUpperCase() },
	];

	const { main, linked } = await run(items, {
		simplify: false,
		options: { includeInputFields: false },
	});

	const ids = [person(1), person(2), person(3), person(4), person(2), null, person(1)];
	expect(jsonOf(main).map((json) => json.prospect_id)).toEqual(ids);
	expect(linked).toEqual(['first', 'first', 'first', 'second', 'second', 'third', 'fourth']);
	expect(requests.map(({ body }) => body.prospect_ids)).toEqual([[1, 2, 3, 4].map(person)]);
	expect(main[6]?.json.profile).toEqual(main[0]?.json.profile);
	expect(main[6]?.json.profile).not.toBe(main[0]?.json.profile);
});

describe('On Error is Continue', () => {
	/** What no request is sent for. */
	const DISASTERS: Array<
		[what: string, INodeParameters, more: Partial<NodeRunOptions>, message: RegExp]
	> = [
		['no key', {}, { credentials: { baseUrl: BASE_URL, apiKey: '' } }, /^API Key is empty/],
		['no credential', {}, { credentials: undefined }, /credential/],
		[
			'an expression that cannot be evaluated',
			{ prospectIds: "={{ $('Nowhere').item.json.id }}" },
			{},
			/^Prospect IDs: Referenced node doesn't exist/,
		],
		[
			'an option out of bounds',
			{ options: { requests: { maxTries: 21 } } },
			{},
			/^Max Tries: "21"/,
		],
		['an unknown operation', { operation: 'invent' }, {}, /"invent"/],
	];

	test.each(
		CONTINUE_MODES.flatMap((onError) => DISASTERS.map((row) => [onError, ...row] as const)),
	)('%s: %s: every row is an error item', async (onError, _what, parameters, more, message) => {
		const result = await run(people(3), parameters, { onError, ...more });

		expect([result.status, result.task?.error]).toEqual(['success', undefined]);
		const isSplit = onError === 'continueErrorOutput';
		const [errors, rows] = isSplit ? [result.error, result.main] : [result.main, result.error];
		expect(rows).toEqual([]);
		expect(errors.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		for (const item of errors) {
			expect(Object.keys(item.json).sort()).toEqual(isSplit ? ['error', 'id', 'row'] : ['error']);
			expect(errorOf(item).message).toMatch(message);
		}
	});

	test('rows that were fetched are not lost if n8n cannot tell which are new', async () => {
		const { main, hints } = await runWithoutMemory(CONTINUE);

		expect(jsonOf(main)).toMatchObject([{ prospect_id: person(0) }]);
		expect(hints.map(({ message }) => message).join('\n')).toContain(
			'n8n could not tell which rows are new: The database is locked. The output has all of them.',
		);
	});

	// n8n's request helper wraps them in different ways.
	test.each([
		['ECONNREFUSED', /could not be reached.*Check Base URL/],
		['ECONNRESET', /connection was lost.*may have.*charged.*credit usage/],
	])('a connection that fails with %s', async (code, message) => {
		const lost = Object.assign(new Error(`connect ${code} sandbox-key`), { code });
		nock(BASE_URL).post(/.*/).replyWithError(lost);

		const { main } = await run(people(1), { options: { requests: { maxTries: 1 } } }, CONTINUE);

		expect(errorOf(main[0])).toMatchObject({ message: expect.stringMatching(message), code });
		expect(JSON.stringify(main)).not.toContain('sandbox-key');
	});
});

describe('On Error is Stop Workflow', () => {
	test('all items are checked before the first request', async () => {
		const requests = serve(enriched);
		const items = [...people(60), { id: 'oops', row: 60 }, { id: 'worse', row: 61 }];

		const { failureText, main } = await run(items);

		expect(failureText).toMatch(/^Row 61 of 62: Prospect IDs: "oops" is not a prospect ID\. /);
		expect(failureText).toContain(KEEP);
		expect([requests, main]).toEqual([[], []]);
	});

	test('the first failure stops further requests; it says how many were answered', async () => {
		const requests = serve((request, nth) =>
			nth < 3 ? enriched(request) : [402, { message: 'Out of credits', correlation_id: 'c-402' }],
		);
		const options = { requests: { batchSize: 1, maxConcurrentRequests: 1 } };

		const { failureText } = await run(people(10), { options });

		expect(requests).toHaveLength(3);
		expect(failureText).toBe(
			`Row 3 of 10: The account has no credits left for this request, or may not make it now (HTTP 402): Out of credits. Check the account's credits and status on the service's account page, then try again. Before that, 2 requests had succeeded. ${KEEP} Correlation ID: c-402`,
		);
	});
});

test('the output panel has a report, and a warning if Retry On Fail is on', async () => {
	serve(enriched);
	const report = { message: '1 row enriched. 1 request, 1 record.', location: 'outputPane' };

	expect((await run(people(1))).hints).toEqual([report]);
	expect((await run(people(1), {}, { retryOnFail: true })).hints).toEqual([
		report,
		{
			message: expect.stringMatching(/^Retry On Fail is on .*you pay for every row again/),
			type: 'warning',
			location: 'outputPane',
		},
	]);
});
