/** The rows of a run: which input row each comes from, and what may differ from one input row to the next. */
import nock from 'nock';
import {
	BASE_URL,
	CONTINUE_MODES,
	enriched,
	jsonOf,
	nameOf,
	person,
	interceptRequests,
	run,
	serve,
} from './fakeService';

interceptRequests();

test('one row of many ids gives many rows, all linked to it', async () => {
	const requests = serve(enriched);
	const items = [
		{ row: 'first', id: [person(1), person(2), person(3)] },
		{ row: 'second', id: `${person(4)}, ${person(2)}` },
		{ row: 'third', id: '' },
		{ row: 'fourth', id: person(1).toUpperCase() },
	];
	const { main, linked } = await run(items);
	expect(jsonOf(main).map((json) => json.prospect_id)).toEqual([
		person(1),
		person(2),
		person(3),
		person(4),
		person(2),
		null,
		person(1),
	]);
	expect(linked).toEqual(['first', 'first', 'first', 'second', 'second', 'third', 'fourth']);
	expect(requests.map(({ body }) => body.prospect_ids)).toEqual([
		[person(1), person(2), person(3), person(4)],
	]);
});

test.each(CONTINUE_MODES)(
	'rows, errors and dropped rows mixed keep their links: %s',
	async (onError) => {
		serve(({ body }) => [
			200,
			{
				data: (body.prospect_ids ?? []).map((id) => ({
					prospect_id: id,
					data: id === person(3) ? { full_name: null, skills: [] } : { full_name: nameOf(id) },
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
		const { linked, linkedErrors, main } = await run(
			items,
			{ options: { dropItemsWithoutData: true } },
			{ onError },
		);
		if (onError === 'continueErrorOutput') {
			expect(linked).toEqual(['a', 'a', 'c', 'e']);
			expect(linkedErrors).toEqual(['b']);
		} else {
			expect(linked).toEqual(['a', 'a', 'b', 'c', 'e']);
			expect(main[2]?.json.error).toMatchObject({ message: expect.stringContaining('"oops"') });
		}
	},
);

test('no input items: no request and no output', async () => {
	const requests = serve(enriched);
	const { main, failure } = await run([]);
	expect(main).toEqual([]);
	expect(failure).toBeUndefined();
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
	expect(jsonOf(main).map((json) => Object.keys(json))).toEqual([
		['profile', 'prospect_id', 'response_context'],
		['contacts', 'profile', 'prospect_id', 'response_context'],
		['contacts', 'prospect_id', 'response_context'],
	]);
	expect(requests.map(({ path }) => path).sort()).toEqual([
		'prospects/contacts_information/bulk_enrich',
		'prospects/profiles/bulk_enrich',
	]);
});

test('a row with input fields is no error item if the input has a field of that name', async () => {
	serve(enriched);
	const items = [{ id: person(1), row: 5, error: 'old news' }];
	const options = { fields: 'profile.full_name' };
	const { main, error } = await run(items, { options }, { onError: 'continueErrorOutput' });
	expect(jsonOf(main)).toEqual([
		{ ...items[0], prospect_id: person(1), profile_full_name: nameOf(person(1)) },
	]);
	expect(error).toEqual([]);
});

const REQUEST = 'The service rejected the request (HTTP 422):';

test.each([
	[['body', 'enrollment_id'], `${REQUEST} enrollment_id: Not known. Correct this and try again.`],
	[
		['body', 'enrollment_id', 0],
		'The service rejected this value (HTTP 422): Not known. Correct or remove it, then run the row again.',
	],
	[['body'], `${REQUEST} Not known. Correct this and try again.`],
])(
	'an operation with one request for each row reports a rejected value: issue at %j',
	async (loc, message) => {
		nock(BASE_URL)
			.delete(/.*/)
			.reply(422, { detail: [{ loc, msg: 'Not known' }] });

		const { main } = await run(
			[{}],
			{ resource: 'eventEnrollment', operation: 'delete', enrollmentId: 'en_1' },
			{ onError: 'continueRegularOutput' },
		);

		expect(jsonOf(main)).toEqual([{ error: { message, field: 'enrollmentId', status: 422 } }]);
	},
);
