/** Operations that ask for each item by itself. */
import nock from 'nock';
import { BASE_URL, jsonOf, people, playTheService, run, serve, success } from './node';

playTheService();

const CONTINUE = { onError: 'continueRegularOutput' } as const;

describe('a value that the service refuses', () => {
	test.each([
		[
			['body', 'enrollment_id'],
			'The service rejected the request (HTTP 422): enrollment_id: Not known. Correct this and try again.',
		],
		[
			['body', 'enrollment_id', 0],
			'The service rejected this value (HTTP 422): Not known. Correct or remove it, then run the row again.',
		],
		[
			['body'],
			'The service rejected the request (HTTP 422): Not known. Correct this and try again.',
		],
	])('%j', async (loc, message) => {
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
});

test('what came before a failure is kept, and the failure comes after it', async () => {
	serve(({ body }) =>
		body.page === 1
			? [
					200,
					{
						response_context: success,
						total_results: 101,
						total_pages: 2,
						data: people(100).map(({ id }) => ({ prospect_id: id })),
					},
				]
			: [403, {}],
	);

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
