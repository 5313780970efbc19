/** Many rows in one run: the fewest possible requests, a linked item for each row, no hang. */
import type { INodeParameters } from 'n8n-workflow';
import type { NodeRun } from '../harness/engine';
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
