/** Every output row is linked to the input row it came from: `$('CRM').item` works behind the node. */
import {
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
