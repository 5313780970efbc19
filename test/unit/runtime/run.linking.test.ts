/** Every output row is linked to the input row it came from: `$('CRM').item` works behind the node. */
import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import {
	CONTINUE_MODES,
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

test('the rows keep the order of the input, whatever order the requests finish in', async () => {
	serve(async (request, nth) => {
		await sleep(100 - 10 * nth);
		return enriched(request);
	});
	const { main, linked } = await run(people(8), {
		options: { requests: { batchSize: 1, maxConcurrentRequests: 8 } },
	});
	expect(linked).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
	expect(jsonOf(main).map((json) => (json.profile as IDataObject).full_name)).toEqual(
		people(8).map(({ id }) => nameOf(id)),
	);
});

test('a response in another order than the request goes to the right rows', async () => {
	serve((request) => {
		const [status, body] = enriched(request);
		return [
			status,
			{ ...(body as IDataObject), data: [...(body as { data: IDataObject[] }).data].reverse() },
		];
	});
	const { main } = await run(people(5));
	expect(jsonOf(main)).toEqual(
		people(5).map(({ id }) => ({ prospect_id: id, profile: profileOf({ full_name: nameOf(id) }) })),
	);
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

test('a search per item: all rows of an item are linked to it', async () => {
	serve(({ body }) => {
		const { country_code: country } = body.filters as { country_code: { values: string[] } };
		const count = country.values[0] === 'us' ? 3 : 1;
		return [
			200,
			{
				total_results: count,
				total_pages: 1,
				data: people(count).map(({ id }) => ({ prospect_id: id, country_name: country.values[0] })),
			},
		];
	});
	const items = [
		{ row: 1, country: 'DE' },
		{ row: 2, country: 'us' },
		{ row: 3, country: 'US' },
	];
	const byValue = { __rl: true, mode: 'value', value: '={{ $json.country }}' };
	const { main, linked } = await run(items, {
		operation: 'getAll',
		filters: { country_code: [{ value: byValue }] },
	});
	expect(jsonOf(main).map((json) => json.country_name)).toEqual([
		'de',
		...['us', 'us', 'us'],
		...['us', 'us', 'us'],
	]);
	expect(linked).toEqual([1, 2, 2, 2, 3, 3, 3]);
});

test('no input items: no request and no output', async () => {
	const requests = serve(enriched);
	const { main, failure } = await run([]);
	expect(main).toEqual([]);
	expect(failure).toBeUndefined();
	expect(requests).toEqual([]);
});
