/** A walk over the whole contract: how each endpoint is reached, what goes out, and what the user sees of every response. */
import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS, type EndpointName, endpointNamed } from '../sandbox/contract/contract';
import { everyNth } from '../size';
import { stopClock } from './clock';
import { jsonOf, type Service, startService } from './service';
import { type Way, WAYS } from './ways';

test('the walk reaches every endpoint of the contract', () => {
	expect(Object.keys(WAYS).sort()).toEqual(ENDPOINTS.map(({ name }) => name).sort());
});

/** Responses that no contract shows. `id` is one that was asked for. */
const oddAnswers = (id: unknown): unknown[] => {
	const rows = (data: unknown) =>
		['prospect_id', 'business_id'].map((member) => ({ [member]: id, data }));
	return [
		...[[], {}, 5, true, [null], [[]], ['x'], { response_context: 'x' }, { status: 5 }],
		{ response_context: { request_status: 5, correlation_id: {} } },
		...[null, 5, 'x', [], [null, 5, 'x', [], {}], { data: { data: 1 } }].map((data) => ({ data })),
		...[null, 5, 'x', [1, 2], { intent_topics: {} }, { intent_topics: 5 }].map((data) => ({
			data: rows(data),
		})),
		...['x', {}, [null, 5], [{ prospect_id: {}, input: 5 }], [{ error: {}, input: {} }]].map(
			(matched_prospects) => ({ matched_prospects }),
		),
		...['x', {}, [null, 5, []], [{ event_id: {} }], rows(5), rows({ event_id: null })].map(
			(output_events) => ({ output_events }),
		),
		...['x', [], { business_categories_per_location: [[1]] }].map((stats) => ({ stats })),
		...['x', {}, [null, 5]].map((aggregations) => ({ aggregations, total_credits: 'x' })),
		...[[{ value: 5, label: {} }], [{ value: {} }]],
		{ data: [], total_results: -1, total_pages: 'x' },
	];
};

let service: Service;
beforeEach(async () => {
	const now = stopClock('2026-11-18T12:00:00Z');
	service = await startService({ now: () => now, eventsPerDay: 2_000 });
});

const itemsOf = ({ items }: Way) => items?.(service.world) ?? [{ row: 0 }];
const walk = async (way: Way, onError: 'stopWorkflow' | 'continueErrorOutput') =>
	await service.run({ ...way.parameters, simplify: false }, itemsOf(way), { onError });

describe.each(Object.entries(WAYS).map(([name, way], turn) => [name, way, turn] as const))(
	'%s',
	(name, way, turn) => {
		test('what is sent, and the rows that come of it', async () => {
			const { method, path } = endpointNamed(name as EndpointName);
			const answers: IDataObject[] = [];
			service.change((answer) => (answers.push(answer), answer), { times: 'always' });

			const run = await walk(way, 'stopWorkflow');

			expect(run.failureText).toBe('');
			const [request, ...others] = service.log.entries;
			expect(others).toEqual([]);
			expect(request).toMatchObject({ endpoint: name, method, path, status: 200, key: 'right' });
			expect(method === 'GET' ? request?.query : request?.body).toEqual(way.sends(service.world));
			const rows = way.rows(answers[0] ?? {}, service.world);
			expect(rows.length).toBeGreaterThan(0);
			expect(jsonOf(run.main)).toEqual(rows);
			const items = itemsOf(way);
			const linkOf = ({ prospect_id, business_id }: IDataObject, at: number) => {
				const own = items.findIndex(({ id }) => id && [prospect_id, business_id].includes(id));
				return own >= 0 ? own : items.length > 1 ? at : 0;
			};
			expect(run.linked).toEqual(rows.map(linkOf));
		});

		test('a miss is no error', async () => {
			service.fault({ times: 'always', do: { kind: 'outcome', request_status: 'miss' } });

			const run = await walk(way, 'continueErrorOutput');

			expect(run.error).toEqual([]);
			expect(jsonOf(run.main)).toMatchObject(way.missed?.(service.world) ?? []);
			expect(service.log.entries).toHaveLength(1);
		});

		test('a response of any shape throws nothing, and every item stays linked', async () => {
			const items = itemsOf(way);
			const numbers = items.map((_, row) => row);
			for (const body of everyNth(8, oddAnswers(items[0]?.id), turn)) {
				const fault = service.fault({ times: 'always', do: { kind: 'status', status: 200, body } });

				const run = await walk(way, 'continueErrorOutput');
				fault.remove();

				const told = JSON.stringify(body);
				expect([told, run.failure, run.task?.error]).toEqual([told, undefined, undefined]);
				for (const { json } of run.main) expect([told, typeof json]).toEqual([told, 'object']);
				const links = [...run.linked, ...run.linkedErrors];
				expect([told, links.filter((row) => !numbers.includes(Number(row)))]).toEqual([told, []]);
				if (way.missed?.(service.world).length === numbers.length && !Array.isArray(body)) {
					expect([told, [...new Set(links)].sort()]).toEqual([told, numbers]);
				}
			}
		});
	},
);
