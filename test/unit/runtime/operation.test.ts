/** Operations that send requests for each item. */
import nock from 'nock';
import { BASE_URL, jsonOf, interceptRequests, run } from './fakeService';

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
