/** A walk over the whole contract: how each endpoint is reached, what goes out, and what the user sees of every answer. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { pricesOf } from '../harness/prices';
import { ENDPOINTS, endpointNamed } from '../sandbox/contract/contract';
import { everyNth } from '../size';
import { stopClock } from './clock';
import { jsonOf, type Service, startService } from './service';
import { OTHER_WAYS, type Way, WAYS } from './ways';

const ALL_WAYS = [...ENDPOINTS.map(({ name }) => [name, WAYS[name]] as const), ...OTHER_WAYS];
const operationOf = ({ parameters }: Way) => String(parameters.operation);

test('the walk reaches every endpoint of the contract', () => {
	expect(Object.keys(WAYS).sort()).toEqual(ENDPOINTS.map(({ name }) => name).sort());
});

/** Answers that no contract shows. `id` is one that was asked for. */
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
let answers: IDataObject[];

beforeEach(async () => {
	const now = stopClock('2026-11-18T12:00:00Z');
	service = await startService({ now: () => now, eventsPerDay: 2_000 });
	answers = [];
});

/** Keeps what the service sends. */
const listen = () =>
	service.change(
		(answer) => {
			answers.push(answer);
			return answer;
		},
		{ times: 'always' },
	);

const walk = async ({ parameters, items }: Way, onError: 'stopWorkflow' | 'continueErrorOutput') =>
	await service.run(parameters, items?.(service.world) ?? [{ row: 0 }], { onError });

const rowNumbers = ({ items }: Way) => (items?.(service.world) ?? [{}]).map((_, row) => row);

describe.each(ALL_WAYS.map(([name, way], turn) => [name, operationOf(way), way, turn] as const))(
	'%s through %s',
	(name, _operation, way, turn) => {
		const { method, path } = endpointNamed(name);

		test('what is sent, and the rows that come of it', async () => {
			listen();

			const run = await walk(way, 'stopWorkflow');

			expect(run.failure).toBeUndefined();
			const [request, ...others] = service.log.entries;
			expect(others).toEqual([]);
			expect(request).toMatchObject({ endpoint: name, method, path, status: 200, key: 'right' });
			expect(method === 'GET' ? request?.query : request?.body).toEqual(way.sends(service.world));
			const rows = way.rows(answers[0] ?? {}, service.world);
			expect(rows.length).toBeGreaterThan(0);
			expect(jsonOf(run.main)).toEqual(rows);
			const items = way.items?.(service.world) ?? [{}];
			const linkOf = ({ prospect_id, business_id }: IDataObject, at: number) => {
				const own = items.findIndex(({ id }) => id && [prospect_id, business_id].includes(id));
				return own >= 0 ? own : items.length > 1 ? at : 0;
			};
			expect(run.linked).toEqual(rows.map(linkOf));
		});

		test('prices, limits and Skip Rows that do not apply change nothing', async () => {
			listen();
			const { url, apiKey } = service;
			const { options } = way.parameters;
			const parameters = {
				...way.parameters,
				maxRecordsToPay: 1_000,
				maxCreditsToPay: 2_000,
				options: { ...(options as INodeParameters), skipRows: { filledField: '' } },
			};

			const run = await service.run(parameters, way.items?.(service.world) ?? [{ row: 0 }], {
				credentials: { baseUrl: url, apiKey, prices: pricesOf(2) },
			});

			expect(run.failure).toBeUndefined();
			const [request] = service.log.entries;
			expect(method === 'GET' ? request?.query : request?.body).toEqual(way.sends(service.world));
			const rows = jsonOf(run.main).map(({ skipped, ...row }) => {
				expect([undefined, false]).toContain(skipped);
				return row;
			});
			expect(rows).toEqual(way.rows(answers[0] ?? {}, service.world));
		});

		test('a miss is no error', async () => {
			service.fault({ times: 'always', do: { kind: 'outcome', request_status: 'miss' } });

			const run = await walk(way, 'continueErrorOutput');

			expect(run.error).toEqual([]);
			expect(jsonOf(run.main)).toEqual(way.missed?.(service.world) ?? []);
			expect(service.log.entries).toHaveLength(1);
		});

		test('an answer of any shape throws nothing, and every item stays linked', async () => {
			const rows = rowNumbers(way);
			const [{ id } = { id: null }] = way.items?.(service.world) ?? [{}];
			for (const body of everyNth(4, oddAnswers(id), turn)) {
				const fault = service.fault({ times: 'always', do: { kind: 'status', status: 200, body } });

				const run = await walk(way, 'continueErrorOutput');
				fault.remove();

				const told = JSON.stringify(body);
				expect([told, run.failure, run.task?.error]).toEqual([told, undefined, undefined]);
				for (const { json } of run.main) expect([told, typeof json]).toEqual([told, 'object']);
				const links = [...run.linked, ...run.linkedErrors];
				expect([told, links.filter((row) => !rows.includes(Number(row)))]).toEqual([told, []]);
				if (way.missed?.(service.world).length === rows.length && !Array.isArray(body)) {
					expect([told, [...new Set(links)].sort()]).toEqual([told, rows]);
				}
			}
		});
	},
);
