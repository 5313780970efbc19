/** Whole runs in n8n's engine: the rows and their links, both kinds of On Error, and what the output panel says. */
import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
	sleep,
} from 'n8n-workflow';
import nock from 'nock';
import { BusinessProspectData } from '../../../nodes/BusinessProspectData/BusinessProspectData.node';
import { errorOf, type NodeRunOptions } from '../../harness/engine';
import {
	BASE_URL,
	CONTINUE_MODES,
	enriched,
	interceptRequests,
	jsonOf,
	nameOf,
	people,
	person,
	run,
	runWithoutMemory,
	serve,
} from './fakeService';

interceptRequests();

const CONTINUE = { onError: 'continueRegularOutput' } as const;

describe('rows', () => {
	test('one row of many IDs gives many rows, all linked to it; duplicates are copies', async () => {
		const requests = serve(enriched);
		const { main, linked } = await run(
			[
				{ row: 'first', id: [person(1), person(2), person(3)] },
				{ row: 'second', id: `${person(4)}, ${person(2)}` },
				{ row: 'third', id: '' },
				{ row: 'fourth', id: person(1).toUpperCase() },
			],
			{ simplify: false, includeInputFields: false },
		);

		expect(jsonOf(main).map((json) => json.prospect_id)).toEqual([
			...[person(1), person(2), person(3), person(4), person(2), null, person(1)],
		]);
		expect(linked).toEqual(['first', 'first', 'first', 'second', 'second', 'third', 'fourth']);
		expect(requests.map(({ body }) => body.prospect_ids)).toEqual([
			[person(1), person(2), person(3), person(4)],
		]);
		expect(main[6]?.json.profile).toEqual(main[0]?.json.profile);
		expect(main[6]?.json.profile).not.toBe(main[0]?.json.profile);
	});

	test.each(CONTINUE_MODES)(
		'rows, errors and dropped rows mixed keep their links: %s',
		async (onError) => {
			serve(({ body }) => [
				200,
				{
					data: (body.prospect_ids ?? []).map((id) => ({
						prospect_id: id,
						data: { full_name: id === person(3) ? null : nameOf(id) },
					})),
				},
			]);
			const items = [
				{ row: 'a', id: [person(1), person(2)] },
				{ row: 'b', id: 'oops' },
				{ row: 'c', id: [person(3), person(4)] },
				{ row: 'd', id: '' },
				{ row: 'e', id: person(5) },
			];
			const options = { dropRowsWithoutData: true };

			const { linked, linkedErrors } = await run(items, { options }, { onError });

			const isSplit = onError === 'continueErrorOutput';
			expect(linked).toEqual(isSplit ? ['a', 'a', 'c', 'e'] : ['a', 'a', 'b', 'c', 'e']);
			expect(linkedErrors).toEqual(isSplit ? ['b'] : []);
		},
	);

	test('no input items: no request and no output', async () => {
		const requests = serve(enriched);

		expect(await run([])).toMatchObject({ main: [], status: 'success' });
		expect(requests).toEqual([]);
	});

	test('data sets may differ from item to item; each takes one request for all who want it', async () => {
		const requests = serve(enriched);
		const items = [
			{ id: person(0), sets: ['profile'] },
			{ id: person(1), sets: 'contacts, profile' },
			{ id: person(2), sets: ['contacts'] },
		];

		const { main } = await run(items, {
			dataSets: '={{ $json.sets }}',
			simplify: false,
			includeInputFields: false,
		});

		const others = ['prospect_id', 'response_context'];
		expect(jsonOf(main).map((json) => Object.keys(json))).toEqual([
			['profile', ...others],
			['contacts', 'profile', ...others],
			['contacts', ...others],
		]);
		expect(requests.map(({ path }) => path).sort()).toEqual([
			'prospects/contacts_information/bulk_enrich',
			'prospects/profiles/bulk_enrich',
		]);
	});

	test('a row whose input has a field named error is no error item', async () => {
		serve(enriched);
		const items = [{ id: person(1), row: 5, error: 'old news' }];

		const { main, error } = await run(items, {}, { onError: 'continueErrorOutput' });

		expect(jsonOf(main)).toMatchObject([{ ...items[0], profile_full_name: nameOf(person(1)) }]);
		expect(error).toEqual([]);
	});
});

describe('On Error is Continue', () => {
	const EXPRESSION = "={{ $('Nowhere').item.json.id }}";
	const failed = ['profile'];

	/** What no request is sent for. */
	const DISASTERS: Array<
		[
			what: string,
			parameters: INodeParameters,
			more: Partial<NodeRunOptions>,
			message: RegExp,
			details: IDataObject | undefined,
		]
	> = [
		[
			'no key',
			{},
			{ credentials: { baseUrl: BASE_URL, apiKey: '' } },
			/^API Key is empty/,
			{ failed },
		],
		['no credential', {}, { credentials: undefined }, /credential/, { failed }],
		[
			'an expression that cannot be evaluated',
			{ prospectIds: EXPRESSION },
			{},
			/^Prospect IDs: Referenced node doesn't exist/,
			{ field: 'prospectIds' },
		],
		[
			'an option out of bounds',
			{ options: { requests: { maxTries: 21 } } },
			{},
			/^Max Tries: "21" must be at most 20\.$/,
			{ field: 'maxTries' },
		],
		['an unknown operation', { operation: 'invent' }, {}, /"invent"/, undefined],
		['an unknown resource', { resource: 'invent' }, {}, /"invent"/, undefined],
	];

	test.each(
		CONTINUE_MODES.flatMap((onError) => DISASTERS.map((row) => [onError, ...row] as const)),
	)(
		'%s: %s: every row is an error item',
		async (onError, _what, parameters, more, message, details) => {
			const result = await run(people(3), parameters, { onError, ...more });

			expect(result.status).toBe('success');
			expect(result.task?.error).toBeUndefined();
			const isSplit = onError === 'continueErrorOutput';
			const [errors, rows] = isSplit ? [result.error, result.main] : [result.main, result.error];
			expect(rows).toEqual([]);
			expect(errors.map(({ pairedItem }) => pairedItem)).toEqual(
				[0, 1, 2].map((item) => ({ item })),
			);
			for (const { json, error } of errors) {
				expect(error).toBeUndefined();
				expect(Object.keys(json).sort()).toEqual(isSplit ? ['error', 'id', 'row'] : ['error']);
				const { message: text, ...others } = errorOf({ json });
				expect(text).toMatch(message);
				if (details !== undefined) expect(others).toEqual(details);
			}
		},
	);

	test('rows that were fetched are not lost if n8n cannot tell which are new', async () => {
		const { main, hints } = await runWithoutMemory(CONTINUE);

		expect(jsonOf(main)).toMatchObject([{ prospect_id: person(0) }]);
		expect(hints.map(({ message }) => message).join('\n')).toContain(
			'n8n could not tell which rows are new: The database is locked. The output has all of them.',
		);
	});

	test.each([
		['enrollment_id', 'The service rejected the request (HTTP 422): enrollment_id: Not known.'],
		['enrollment_id.0', 'The service rejected this value (HTTP 422): Not known.'],
	])('an operation with one request for each row fails at %s', async (at, message) => {
		const loc = ['body', ...at.split('.')];
		nock(BASE_URL)
			.delete(/.*/)
			.reply(422, { detail: [{ loc, msg: 'Not known' }] });

		const { main } = await run(
			[{}],
			{ resource: 'eventEnrollment', operation: 'delete', enrollmentId: 'en_1' },
			CONTINUE,
		);

		expect(errorOf(main[0])).toEqual({
			message: expect.stringContaining(message),
			field: 'enrollmentId',
			status: 422,
		});
	});

	// n8n's request helper wraps them in different ways.
	test.each<[code: string, message: RegExp]>([
		['ECONNREFUSED', /could not be reached.*Check Base URL/],
		['ENOTFOUND', /No server was found at the address in Base URL.*Check Base URL/],
		['CERT_HAS_EXPIRED', /secure connection.*certificate/],
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
	const WRONG =
		'is not a prospect ID. A prospect ID has 40 characters, 0 to 9 and a to f. Run Match first, then drag prospect_id here, or set Identify By to Person Details.';
	const KEEP =
		'To keep the other rows, set On Error to "Continue (using error output)" in the node\'s settings.';

	test('all items are checked before the first request', async () => {
		const requests = serve(enriched);
		const items = [...people(60), { id: 'oops', row: 60 }, { id: 'worse', row: 61 }];

		const { failureText, main, status } = await run(items);

		expect(status).toBe('error');
		expect(failureText).toBe(`Row 61 of 62: Prospect IDs: "oops" ${WRONG} ${KEEP}`);
		expect([requests, main]).toEqual([[], []]);
	});

	test('the first failure stops further requests; it says how many were answered', async () => {
		const requests = serve((request, nth) =>
			nth < 3 ? enriched(request) : [402, { message: 'Out of credits', correlation_id: 'c-402' }],
		);

		const { failureText, main } = await run(people(10), {
			options: { requests: { batchSize: 1, maxConcurrentRequests: 1 } },
		});

		expect(requests).toHaveLength(3);
		expect(failureText).toBe(
			'Row 3 of 10: The account has no credits left for this request (HTTP 402): Out of credits. Add credits, then try again.' +
				` Before that, 2 requests had succeeded. ${KEEP} Correlation ID: c-402`,
		);
		expect(main).toEqual([]);
	});

	test('a value that the service rejects by its index: that item, and nothing is sent again', async () => {
		const detail = [{ loc: ['body', 'prospect_ids', 3], msg: 'Not known' }];
		const requests = serve(() => [422, { detail }]);

		const { failureText } = await run(people(10));

		expect(requests).toHaveLength(1);
		expect(failureText).toContain(`Row 4 of 10: The service rejected ${person(3)} (HTTP 422): Not`);
	});

	test('a run that cannot tell which rows are new says that its requests had succeeded', async () => {
		const { failureText } = await runWithoutMemory();

		expect(failureText).toBe(
			`The database is locked. Before that, 1 request had succeeded. ${KEEP}`,
		);
	});

	test('no credential: what to do about it', async () => {
		const { failureText } = await run(people(1), {}, { credentials: undefined });

		expect(failureText).toContain('Business and Prospect Data API');
		expect(failureText).not.toMatch(/[a-z] [A-Z][a-z]+ or create/);
	});

	test('a cancelled execution ends the wait for the rate limit', async () => {
		let cancelNow: () => void = () => {};
		const requests = serve(() => {
			void sleep(50).then(() => cancelNow());
			return [429, { retry_after: 200 }];
		});

		const { main } = await run(people(1), {}, { cancelAfter: (cancel) => (cancelNow = cancel) });

		expect(requests).toHaveLength(1);
		expect(main).toEqual([]);
	});
});

describe('the output panel', () => {
	test('warns if no row has an ID', async () => {
		const { hints } = await run([{ id: '' }, { id: null }]);

		expect(hints).toMatchObject([
			{ type: 'warning', message: expect.stringMatching(/Prospect IDs/) },
		]);
	});

	test('says that rows failed, without a warning about the ID field', async () => {
		const { hints } = await run([{ id: 'oops' }], {}, CONTINUE);

		expect(hints).toEqual([{ message: '1 row failed. 0 requests.', location: 'outputPane' }]);
	});

	test("warns of n8n's own Retry On Fail, and only when it is on", async () => {
		serve(enriched);
		const { hints } = await run(people(1), {}, { retryOnFail: true });

		expect(hints).toContainEqual({
			message: expect.stringMatching(/^Retry On Fail is on .*you pay for every row again/),
			type: 'warning',
			location: 'outputPane',
		});
		expect((await run(people(1))).hints).toMatchObject([
			{ message: '1 row enriched. 1 request, 1 record.' },
		]);
	});

	test.each(['Tool', ''])(
		'up to n8n 1.117, tools have none: a node%s gets its rows',
		async (suffix) => {
			serve(enriched);
			const node = new BusinessProspectData();
			const { description, methods } = node;
			const withoutHints = {
				description: { ...description, name: `${description.name}${suffix}` },
				methods,
				async execute(this: IExecuteFunctions) {
					const context = Object.create(this, { addExecutionHints: { value: undefined } });
					return await node.execute.call(context as IExecuteFunctions);
				},
			};

			const { main, hints } = await run(people(2), {}, { node: withoutHints, retryOnFail: true });

			expect(main.map(({ json }) => json.prospect_id)).toEqual([person(0), person(1)]);
			expect(hints).toEqual([]);
		},
	);
});
