/** Many rows in one run: the fewest possible requests, a linked item for each row, no hang. */
import type { INodeParameters } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { type NodeRun, runNode } from '../harness/engine';
import { heapInUse } from '../harness/process.cjs';
import { serve } from '../harness/servers';
import { bySize } from '../size';
import { itemOf, startService, type Service } from '../workflows/service';

const ROWS = bySize(2_000, 20_000, 100_000);
jest.setTimeout(300_000);

let service: Service;
beforeEach(async () => {
	service = await startService({ people: 200, companies: 100, eventsPerDay: 0 });
});

const enrich: INodeParameters = {
	resource: 'prospect',
	operation: 'enrich',
	identifyBy: 'prospectId',
	prospectIds: '={{ $json.id }}',
	dataSets: ['profile'],
};

const run = async (parameters: INodeParameters, idOf: (row: number) => string) =>
	await service.run(
		parameters,
		Array.from({ length: ROWS }, (_, row) => ({ row, id: idOf(row) })),
		// With an error output, n8n itself takes seconds for so many rows.
		{ onError: 'continueRegularOutput', expressionAfter: undefined },
	);

/** The numbers of errors and requests, after a check that there is one item per row, in order. */
function countsOf({ main, failure, task }: NodeRun) {
	expect(failure ?? task?.error).toBeUndefined();
	expect(main).toHaveLength(ROWS);
	expect(main.every((item, index) => itemOf(item) === index)).toBe(true);
	const errors = main.filter(({ json }) => json.error !== undefined).length;
	return { errors, requests: service.log.entries.length };
}

test('enriches a hundred people in many rows, with blank and invalid IDs, in two requests', async () => {
	const { world } = service;
	const ids = [
		(row: number) => world.prospectId(row % 200),
		(row: number) => world.prospectId(row % 200).toUpperCase(),
		() => '',
		() => 'no ID at all',
	];

	const result = await run(enrich, (row) => ids[row % ids.length]?.(row) ?? '');

	expect(countsOf(result)).toEqual({ errors: ROWS / 4, requests: 2 });
});

test('enriches a fixed ID once', async () => {
	const result = await run({ ...enrich, prospectIds: service.world.prospectId(1) }, () => '');

	expect(countsOf(result)).toEqual({ errors: 0, requests: 1 });
});

test('enriches one row with many IDs of 200 people in four requests', async () => {
	const ids = Array.from({ length: ROWS }, (_, index) => service.world.prospectId(index % 200));

	const { failure, main } = await service.run(enrich, [{ id: ids }], {
		expressionAfter: undefined,
	});

	expect(failure).toBeUndefined();
	expect(main).toHaveLength(200);
	expect(service.log.entries).toHaveLength(4);
});

// Not where waits are shortened: on a busy machine, collecting garbage takes longer than a shortened timeout.
test('400 searches without the same 10,000 people hold the list of them once', async () => {
	let requests = 0;
	let least = Infinity;
	const baseUrl = 'https://large.example';
	const received = serve(baseUrl, () => {
		// The list is in each body.
		received.length = 0;
		// Garbage may be left, so the lowest of the measurements counts: a list that is held is in all of them.
		if (requests++ % 20 === 0) least = Math.min(least, heapInUse());
		return { body: { response_context: { request_status: 'miss' }, total_results: 0, data: [] } };
	});
	const ids = Array.from({ length: 10_000 }, (_, at) => at.toString(16).padStart(40, '0'));
	const title = { __rl: true, mode: 'value', value: '={{ $json.title }}' };
	/** What is in use while so many rows are searched for, in megabytes. */
	const heapWith = async (rows: number): Promise<number> => {
		least = Infinity;
		requests = 0;
		const run = await runNode({
			node: new BusinessProspectData(),
			credentials: { baseUrl, apiKey: 'key' },
			credentialType: new BusinessProspectDataApi(),
			parameters: {
				resource: 'prospect',
				operation: 'getAll',
				options: { exclude: ids.join(), maxConcurrentRequests: 1 },
				filters: { job_title: [{ value: title }] },
			},
			items: Array.from({ length: rows }, (_, row) => ({ title: `title ${row}` })),
		});
		expect([run.failure, requests]).toEqual([undefined, rows]);
		return least / 1_000_000;
	};

	const few = await heapWith(4);
	const many = await heapWith(400);

	expect(many - few).toBeLessThan(24);
});
