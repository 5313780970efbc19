/** What differs from item to item, and what the options do with the rows. */
import { type IDataObject, type INodeParameters, sleep } from 'n8n-workflow';
import {
	type ReceivedRequest,
	enriched,
	jsonOf,
	nameOf,
	profileOf,
	people,
	person,
	interceptRequests,
	run,
	serve,
} from './fakeService';

interceptRequests();

const pathsOf = (requests: ReceivedRequest[]) => requests.map(({ path }) => path).sort();
const idsOf = ({ body }: ReceivedRequest) => body.prospect_ids;

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

test('one person with two contexts is requested in each, with one context once', async () => {
	const requests = serve(enriched);
	const items = ['a', 'b', 'a', 'b'].map((name) => ({ id: person(7), context: { name } }));
	const { main } = await run(items, {
		options: { requests: { requestContext: '={{ $json.context }}' } },
	});
	expect(main).toHaveLength(4);
	expect(requests.map(({ body }) => (body.request_context as IDataObject).name).sort()).toEqual([
		'a',
		'b',
	]);
	expect(requests.map(idsOf)).toEqual([[person(7)], [person(7)]]);
});

test('nothing is sent that the contract does not name', async () => {
	const requests = serve(enriched);
	await run(people(2), {
		dataSets: ['profile', 'contacts', 'networkPosts'],
		options: {
			fields: 'profile',
			includeInputFields: true,
			requests: { maxTries: 2, requestContext: '' },
		},
	});
	expect(requests.map(({ body }) => Object.keys(body))).toEqual([
		['prospect_ids'],
		['prospect_ids'],
		['prospect_ids'],
	]);
});

test.each([
	[1, [1, 1, 1, 1, 1]],
	[2, [2, 2, 1]],
	[50, [5]],
])('Batch Size %d', async (batchSize, sizes) => {
	const requests = serve(enriched);
	const { main } = await run(people(5), { options: { requests: { batchSize } } });
	expect(requests.map((request) => idsOf(request)?.length)).toEqual(sizes);
	expect(main).toHaveLength(5);
});

test('a thousand rows are twenty requests, at most four at once', async () => {
	let underWay = 0;
	let most = 0;
	const requests = serve(async (request) => {
		most = Math.max(most, ++underWay);
		await sleep(5);
		underWay--;
		return enriched(request);
	});
	const { main } = await run(people(1_000));
	expect(main).toHaveLength(1_000);
	expect(requests).toHaveLength(20);
	expect(most).toBe(4);
});

const shapes: Array<[string, INodeParameters, object]> = [
	[
		'as it is',
		{},
		{
			prospect_id: person(1),
			profile: profileOf({ full_name: nameOf(person(1)), job_title: 'CTO' }),
		},
	],
	[
		'some fields',
		{ fields: 'prospect_id, profile.job_title' },
		{ prospect_id: person(1), profile: { job_title: 'CTO' } },
	],
	[
		'fields as a list from an expression',
		{ fields: "={{ ['prospect_id'] }}" },
		{ prospect_id: person(1) },
	],
	[
		'with input fields',
		{ includeInputFields: true, fields: 'profile.job_title' },
		{
			id: person(1),
			row: 5,
			error: 'old news',
			prospect_id: person(1),
			profile: { job_title: 'CTO' },
		},
	],
];

test.each(shapes)('an output row: %s', async (_what, options, expected) => {
	serve(() => [
		200,
		{
			data: [{ prospect_id: person(1), data: { full_name: nameOf(person(1)), job_title: 'CTO' } }],
		},
	]);
	const items = [{ id: person(1), row: 5, error: 'old news' }];
	const { main, error } = await run(items, { options }, { onError: 'continueErrorOutput' });
	expect(jsonOf(main)).toEqual([expected]);
	expect(error).toEqual([]);
});

test('each row gets the fields of its own input row, and its link', async () => {
	serve(enriched);
	const items = [
		{ id: [person(1), person(2)], row: 'a' },
		{ id: person(3), row: 'b' },
	];
	const options = { includeInputFields: true, fields: 'prospect_id' };
	const { main, linked } = await run(items, { options });
	expect(jsonOf(main)).toEqual([
		{ ...items[0], prospect_id: person(1) },
		{ ...items[0], prospect_id: person(2) },
		{ ...items[1], prospect_id: person(3) },
	]);
	expect(linked).toEqual(['a', 'a', 'b']);
});

test('fields may differ from item to item', async () => {
	serve(enriched);
	const items = [
		{ id: person(0), fields: 'prospect_id' },
		{ id: person(1), fields: '' },
	];
	const { main } = await run(items, { options: { fields: '={{ $json.fields }}' } });
	expect(jsonOf(main)).toEqual([
		{ prospect_id: person(0) },
		{ prospect_id: person(1), profile: profileOf({ full_name: 'Person 1' }) },
	]);
});

test('an id whose data set brought nothing is a row without data, unless such rows are dropped', async () => {
	serve(({ body }) => [
		200,
		{
			data: (body.prospect_ids ?? []).map((id) => ({
				prospect_id: id,
				data: id === person(1) ? { full_name: null, skills: [] } : { full_name: nameOf(id) },
			})),
		},
	]);
	const kept = await run(people(3));
	expect(kept.main).toHaveLength(3);
	expect(kept.main[1]?.json.profile).toEqual(profileOf({}));
	const dropped = await run(people(3), { options: { dropItemsWithoutData: true } });
	expect(dropped.linked).toEqual([0, 2]);
});

test('blank ids are rows without data and ask for nothing', async () => {
	const requests = serve(enriched);
	const items = ['', '  ', null, [], undefined].map((id) => ({ id }));
	const { main } = await run(items as IDataObject[], { dataSets: ['profile', 'networkPosts'] });
	expect(jsonOf(main)).toEqual(
		items.map(() => ({ prospect_id: null, network_posts: [], profile: profileOf({}) })),
	);
	expect(requests).toEqual([]);
});
