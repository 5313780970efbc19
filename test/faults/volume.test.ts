/**
 * 100,000 rows in one run: as many requests as there have to be, a linked outcome for every row, and no hang.
 *
 * Seen to fail: without taking out repetitions.
 */
import type { INodeParameters } from 'n8n-workflow';
import type { NodeRun } from '../harness/engine';
import { itemOf, startService, type Service } from '../workflows/service';

const ROWS = 100_000;
jest.setTimeout(300_000);

let service: Service;
beforeEach(async () => {
	service = await startService({ people: 200, companies: 100, eventsPerDay: 0 });
});

const rowsOf = (id: (row: number) => unknown) =>
	Array.from({ length: ROWS }, (_, row) => ({ row, id: id(row) as string }));

const run = async (parameters: INodeParameters, rows: ReturnType<typeof rowsOf>) =>
	await service.run(parameters, rows, {
		// The other Continue mode takes n8n itself seconds for so many rows.
		onError: 'continueRegularOutput',
		expressionAfter: undefined,
	});

/** How many items came, after checking that they are one for each row, in order. */
function countsOf({ main, failure, task }: NodeRun) {
	expect(failure ?? task?.error).toBeUndefined();
	expect(main).toHaveLength(ROWS);
	expect(main.every((item, at) => itemOf(item) === at)).toBe(true);
	const errors = main.filter(({ json }) => json.error !== undefined).length;
	return { errors, requests: service.log.entries.length };
}

const enrich: INodeParameters = {
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.id }}',
};

test('a hundred people again and again, blank and bad ids among them', async () => {
	const kinds = [
		(row: number) => service.world.prospectId(row % 200),
		(row: number) => service.world.prospectId(row % 200).toUpperCase(),
		() => '',
		() => 'no ID at all',
	];
	const rows = rowsOf((row) => kinds[row % kinds.length]?.(row));

	const out = await run(enrich, rows);

	expect(countsOf(out)).toEqual({ errors: 25_000, requests: 2 });
});

test('an id without an expression', async () => {
	const out = await run(
		{ ...enrich, prospectIds: service.world.prospectId(1) },
		rowsOf(() => ''),
	);

	expect(countsOf(out)).toEqual({ errors: 0, requests: 1 });
});

test('one row with 100,000 ids', async () => {
	const ids = Array.from({ length: ROWS }, (_, at) => service.world.prospectId(at % 200));

	const out = await service.run(enrich, [{ id: ids }], { expressionAfter: undefined });

	expect(out.failure).toBeUndefined();
	expect(out.main).toHaveLength(200);
	expect(service.log.entries).toHaveLength(4);
});
