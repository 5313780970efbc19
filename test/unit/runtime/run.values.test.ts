/** What differs from item to item, and what the options do with the rows. */
import {
	type ReceivedRequest,
	enriched,
	jsonOf,
	nameOf,
	person,
	interceptRequests,
	run,
	serve,
} from './fakeService';

interceptRequests();

const pathsOf = (requests: ReceivedRequest[]) => requests.map(({ path }) => path).sort();

test('data sets may differ from item to item; each takes one request for all who want it', async () => {
	const requests = serve(enriched);
	const items = [
		{ id: person(0), sets: ['profile'] },
		{ id: person(1), sets: 'contacts, profile' },
		{ id: person(2), sets: ['contacts'] },
	];
	const { main } = await run(items, { dataSets: '={{ $json.sets }}' });
	expect(jsonOf(main).map((json) => Object.keys(json))).toEqual([
		['prospect_id', 'profile'],
		['prospect_id', 'contacts', 'profile'],
		['prospect_id', 'contacts'],
	]);
	expect(pathsOf(requests)).toEqual([
		'prospects/contacts_information/bulk_enrich',
		'prospects/profiles/bulk_enrich',
	]);
});

test('a value of one item does not leak into the next', async () => {
	const requests = serve(enriched);
	const items = [
		{ id: person(0), context: { campaign: 'spring' } },
		{ id: person(1), context: null },
		{ id: person(2) },
		{ id: person(3), context: {} },
		{ id: person(4), context: '{ "campaign": "spring" }' },
	];
	await run(items, { options: { requests: { requestContext: '={{ $json.context }}' } } });
	const sent = requests.map(({ body }) => [body.prospect_ids, body.request_context]);
	expect(sent).toHaveLength(2);
	expect(sent).toContainEqual([[person(0), person(4)], { campaign: 'spring' }]);
	expect(sent).toContainEqual([[person(1), person(2), person(3)], undefined]);
});

test('a row with input fields is no error item if the input has a field of that name', async () => {
	serve(enriched);
	const items = [{ id: person(1), row: 5, error: 'old news' }];
	const options = { includeInputFields: true, fields: 'profile.full_name' };
	const { main, error } = await run(items, { options }, { onError: 'continueErrorOutput' });
	expect(jsonOf(main)).toEqual([
		{ ...items[0], prospect_id: person(1), profile: { full_name: nameOf(person(1)) } },
	]);
	expect(error).toEqual([]);
});
