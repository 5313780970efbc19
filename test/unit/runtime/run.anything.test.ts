/** Whatever rows come in and whatever the service answers: no throw in a Continue mode, and no row is lost. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import nock from 'nock';
import {
	CONTINUE_MODES,
	people,
	person,
	interceptRequests,
	profileOf,
	type FakeResponse,
	run,
	serve,
} from './fakeService';

interceptRequests();

const anyJson = fc.jsonValue({ maxDepth: 4 });
const anyRow = fc.oneof(
	anyJson,
	fc.record(
		{
			prospect_id: fc.oneof(fc.constantFrom(person(0), person(1), person(9)), anyJson),
			input: anyJson,
			data: anyJson,
			error: anyJson,
		},
		{ requiredKeys: [] },
	),
);
const anyBody = fc.oneof(
	anyJson,
	fc.record(
		{
			response_context: fc.oneof(
				anyJson,
				fc.record({ request_status: fc.constantFrom('success', 'miss', 'failure') }),
			),
			data: fc.oneof(anyJson, fc.array(anyRow)),
			matched_prospects: fc.oneof(anyJson, fc.array(anyRow)),
			total_results: anyJson,
			total_pages: fc.oneof(fc.constantFrom(1, 2), anyJson),
			detail: fc.oneof(
				anyJson,
				fc.array(
					fc.record({ loc: fc.array(fc.oneof(fc.nat(3), fc.constant('body'))), msg: anyJson }),
				),
			),
		},
		{ requiredKeys: [] },
	),
);
const anyStatus = fc.constantFrom(200, 200, 200, 200, 400, 404, 422);

const operations: Record<string, INodeParameters> = {
	match: { operation: 'match', email: '={{ $json.id }}@example.com' },
	enrich: { dataSets: ['profile', 'contacts', 'networkPosts'] },
	'enrich one by one': { options: { requests: { requestMode: 'single' } } },
	'enrich, as sent': { simplify: false },
	getAll: { operation: 'getAll', limit: 200 },
	'getAll, count only': { operation: 'getAll', countOnly: true },
};

test.each(Object.entries(operations))('whatever the service answers: %s', async (_name, given) => {
	let reply: FakeResponse = [200, {}];
	serve(() => reply);
	await fc.assert(
		fc.asyncProperty(
			anyStatus,
			anyBody,
			fc.constantFrom(...CONTINUE_MODES),
			async (status, body, onError) => {
				reply = [status, body as IDataObject];
				const { failure, task, main, error } = await run(people(3), given, { onError });
				expect(failure ?? task?.error).toBeUndefined();
				const out = [...main, ...error].map(({ pairedItem }) => JSON.stringify(pairedItem));
				if (given.operation !== 'getAll') {
					expect(out.sort()).toEqual(['{"item":0}', '{"item":1}', '{"item":2}']);
				}
				expect(out.every((link) => /^\{"item":[012]\}$/.test(link))).toBe(true);
			},
		),
		{ numRuns: 40 },
	);
});

const anyInput = fc.array(
	fc.record({
		id: fc.oneof(
			fc.integer({ min: 0, max: 20 }).map(person),
			fc.constantFrom('', ' ', 'oops', null),
			fc.array(fc.integer({ min: 0, max: 20 }).map(person), { maxLength: 3 }),
			anyJson,
		),
	}),
	{ minLength: 1, maxLength: 12 },
);

test('whatever the rows hold: each gives its rows or its error, in order, and nobody is requested twice', async () => {
	await fc.assert(
		fc.asyncProperty(anyInput, fc.constantFrom(...CONTINUE_MODES), async (items, onError) => {
			const requests = serve(({ body }) => [
				200,
				{
					data: (body.prospect_ids ?? []).map((id) => ({ prospect_id: id, data: { network: id } })),
				},
			]);
			const { failure, task, main, error } = await run(items, {}, { onError });
			expect(failure ?? task?.error).toBeUndefined();

			const itemsOf = (output: typeof main) =>
				output.map(({ pairedItem }) => (pairedItem as { item: number }).item);
			const all = [...itemsOf(main), ...itemsOf(error)];
			expect([...new Set(all)].sort((a, b) => a - b)).toEqual([...items.keys()]);
			for (const output of [itemsOf(main), itemsOf(error)]) {
				expect(output).toEqual([...output].sort((a, b) => a - b));
			}
			for (const { json } of main.filter((item) => !item.json.error)) {
				const id = json.prospect_id as string | null;
				expect(json.profile).toEqual(profileOf({ network: id }));
			}
			const requested = requests.flatMap(({ body }) => body.prospect_ids ?? []);
			expect(requested).toEqual([...new Set(requested)]);
			expect(requests.length).toBeLessThanOrEqual(1);
			nock.cleanAll();
		}),
		{ numRuns: 60 },
	);
});
