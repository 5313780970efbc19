/** Whatever the service answers: no throw in a Continue mode, and no row is lost. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { bySize } from '../../size';
import {
	CONTINUE_MODES,
	people,
	person,
	interceptRequests,
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
		{ numRuns: bySize(10, 40) },
	);
});
