/** Get Many with Only New Prospects, as a workflow on a schedule runs it. */
import type { INodeParameters } from 'n8n-workflow';
import { processedCount } from '../harness/deduplication';
import { NODE_ID } from '../harness/workflow';
import { largeTest } from '../size';
import { hintsOf, jsonOf, type Service, startService, EVERYONE } from './service';

const getNew = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'prospect',
	operation: 'getAll',
	...EVERYONE,
	options: { onlyNewProspects: true },
	...more,
});

let workflows = 0;
const inWorkflow = (mode: 'trigger' | 'manual' = 'trigger') => ({
	workflowId: `new-prospects-${workflows}`,
	mode,
});
beforeEach(() => workflows++);

const idsIn = (run: Awaited<ReturnType<Service['run']>>) =>
	jsonOf(run.main).map(({ prospect_id }) => prospect_id);

test('each person is output once, over any number of executions', async () => {
	const service = await startService({ people: 250 });
	const { world } = service;
	for (const index of [7, 180]) world.unlisted.add(index);

	const first = await service.run(getNew(), [{}], inWorkflow());
	const second = await service.run(getNew(), [{}], inWorkflow());
	world.unlisted.clear();
	world.unlisted.add(3);
	const third = await service.run(getNew(), [{}], inWorkflow());
	world.unlisted.clear();
	const fourth = await service.run(getNew(), [{}], inWorkflow());

	expect(first.main).toHaveLength(248);
	expect([second, third, fourth].map(idsIn)).toEqual([
		[],
		[world.prospectId(7), world.prospectId(180)],
		[],
	]);
	expect(hintsOf(third)).toEqual(['Returned 2 rows in 3 requests.']);
});

test('somebody whom several rows find is output once, and rows without the option have everybody', async () => {
	const service = await startService({ people: 5 });
	const each = getNew({ options: { onlyNewProspects: '={{ $json.onlyNew }}' } });

	const run = await service.run(
		each,
		[{ onlyNew: true }, { onlyNew: true }, { onlyNew: false }],
		inWorkflow(),
	);

	expect(idsIn(run)).toEqual([...service.world.prospectIds(5), ...service.world.prospectIds(5)]);
});

test('test runs neither leave out nor remember; nor does a count', async () => {
	const service = await startService({ people: 5 });

	const runs = [
		await service.run(getNew(), [{}], inWorkflow('manual')),
		await service.run(getNew({ countOnly: true }), [{}], inWorkflow()),
		await service.run(getNew({ countOnly: true }), [{}], inWorkflow()),
		await service.run(getNew(), [{}], inWorkflow()),
		await service.run(getNew(), [{}], inWorkflow('manual')),
	];

	expect(runs.map(({ main }) => main.length)).toEqual([5, 1, 1, 5, 5]);
	expect(processedCount(inWorkflow().workflowId, NODE_ID)).toBe(5);
});

test('a page that fails is an error item; those on it are output by the next execution', async () => {
	const service = await startService({ people: 250 });
	service.fault({
		when: { body: (body) => (body as { page: number }).page === 2 },
		do: { kind: 'status', status: 400 },
	});
	const options = { ...inWorkflow(), onError: 'continueErrorOutput' as const };

	const first = await service.run(getNew(), [{}], options);
	const second = await service.run(getNew(), [{}], options);

	expect([first.main.length, first.error.length]).toEqual([150, 1]);
	expect(idsIn(second)).toEqual(service.world.prospectIds(100, 100));
});

test('it works with Fields that leave out the ID, and with Simplify off', async () => {
	const service = await startService({ people: 5 });
	const small = getNew({
		simplify: false,
		options: { onlyNewProspects: true, fields: 'full_name' },
	});

	const first = await service.run(small, [{}], inWorkflow());
	const second = await service.run(small, [{}], inWorkflow());

	expect([first.main.length, second.main.length]).toEqual([5, 0]);
});

largeTest('more people than n8n remembers cause a hint', async () => {
	const service = await startService({ people: 10_001 });

	const run = await service.run(getNew(), [{}], inWorkflow());

	expect(run.main).toHaveLength(10_001);
	expect(hintsOf(run)).toContain(
		'n8n remembers 10,000 people per node, so some of these 10,001 will be returned again. Narrow the filters, or use the Business and Prospect Data Trigger, which remembers larger searches.',
	);
});
