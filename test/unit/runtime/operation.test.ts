/** Operations that send requests for each item. */
import nock from 'nock';
import { BASE_URL, jsonOf, people, interceptRequests, run, serve, success } from './fakeService';

interceptRequests();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const REQUEST = 'The service rejected the request (HTTP 422):';

test.each([
	[['body', 'enrollment_id'], `${REQUEST} enrollment_id: Not known. Correct this and try again.`],
	[
		['body', 'enrollment_id', 0],
		'The service rejected this value (HTTP 422): Not known. Correct or remove it, then run the row again.',
	],
	[['body'], `${REQUEST} Not known. Correct this and try again.`],
])('reports a rejected value: issue at %j', async (loc, message) => {
	nock(BASE_URL)
		.delete(/.*/)
		.reply(422, { detail: [{ loc, msg: 'Not known' }] });

	const { main } = await run(
		[{}],
		{ resource: 'eventEnrollment', operation: 'delete', enrollmentId: 'en_1' },
		CONTINUE,
	);

	expect(jsonOf(main)).toEqual([{ error: { message, field: 'enrollmentId', status: 422 } }]);
});

test('outputs the rows before a failure, then the error', async () => {
	const data = people(100).map(({ id }) => ({ prospect_id: id }));
	const page = { response_context: success, total_results: 101, total_pages: 2, data };
	serve(({ body }) => (body.page === 1 ? [200, page] : [403, {}]));

	const { main } = await run(
		[{}],
		{ resource: 'prospect', operation: 'getAll', returnAll: true },
		CONTINUE,
	);

	expect(jsonOf(main)).toEqual([
		...people(100).map(({ id }) => expect.objectContaining({ prospect_id: id }) as object),
		{
			error: {
				message: expect.stringMatching(/^Page 2 could not be fetched: The account is not allowed/),
				status: 403,
				missing_pages: [2],
				start_page: 2,
			},
		},
	]);
});
