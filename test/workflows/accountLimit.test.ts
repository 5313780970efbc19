/** Max Credits per Month in the credential: what the account has used, by whatever workflow, stops all that may cost credits. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CONTINUE, hintsOf, type Service, startService } from './service';

const ENRICH: INodeParameters = {
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.id }}',
	dataSets: ['profile'],
};

const used = ({ change }: Service, total: unknown) =>
	change((answer) => ({ ...answer, total_credits: total }), {
		when: { to: 'credits' },
		times: 'always',
	});

const limitedTo = ({ url, apiKey }: Service, maxCreditsPerMonth: string) => ({
	credentials: { baseUrl: url, apiKey, maxCreditsPerMonth },
});

const pathsOf = ({ log }: Service) => log.entries.map(({ path }) => path);

test.each<[string, INodeParameters, IDataObject]>([
	['Enrich', ENRICH, {}],
	['Match', { resource: 'prospect', operation: 'match', email: 'a@example.com' }, {}],
	['Get Many', { resource: 'prospect', operation: 'getAll' }, {}],
	['Get Events', { ...ENRICH, operation: 'getEvents' }, {}],
])('%s requests nothing at the limit', async (_, parameters) => {
	const service = await startService();
	used(service, 20_000);
	const rows = [{ id: service.world.prospectId(1) }];

	const run = await service.run(parameters, rows, limitedTo(service, '20000'));

	expect(run.failureText).toContain(
		'20,000 of 20,000 credits of this month are used (Max Credits per Month in the credential)',
	);
	expect(pathsOf(service)).toEqual(['/v1/credits/aggregation']);
});

test('below it, the run pays, and says what is used; the figure is asked for once a minute', async () => {
	const service = await startService();
	used(service, 19_000);
	const rows = service.world.prospectIds(200).map((id) => ({ id }));

	const runs = [];
	for (let time = 0; time < 2; time++) {
		runs.push(await service.run(ENRICH, rows, limitedTo(service, '20000')));
	}

	expect(runs.map(({ main }) => main.length)).toEqual([200, 200]);
	expect(hintsOf(runs[1] ?? { hints: [] })[0]).toContain(
		'The account had used 19,000 of 20,000 credits this month.',
	);
	expect(pathsOf(service).filter((path) => path.includes('credits'))).toHaveLength(1);
	expect(service.log.entries[0]?.body).toMatchObject({ resolution: 'month', timezone: 'UTC' });
});

test.each<[string, (service: Service) => void]>([
	['has no total', (service) => used(service, 'many')],
	[
		'fails',
		({ fault }) =>
			fault({ when: { to: 'credits' }, do: { kind: 'status', status: 403 }, times: 'always' }),
	],
])('if the figure %s, nothing is paid', async (_, prepare) => {
	const service = await startService();
	prepare(service);
	const rows = service.world.prospectIds(200).map((id) => ({ id }));

	const run = await service.run(ENRICH, rows, { ...limitedTo(service, '5'), ...CONTINUE });

	expect(run.error[0]?.json).toMatchObject({
		error: { message: expect.stringContaining('what the account has used is unknown') },
	});
	expect(pathsOf(service)).toEqual(['/v1/credits/aggregation']);
});

test.each<[string, IDataObject]>([
	['is a miss', { response_context: { request_status: 'miss' } }],
	['has no total', { response_context: {}, total_credits: null, aggregations: [] }],
])('a month whose answer %s has used nothing', async (_, answer) => {
	const service = await startService();
	service.change(() => answer, { when: { to: 'credits' } });

	const run = await service.run(
		ENRICH,
		[{ id: service.world.prospectId(1) }],
		limitedTo(service, '5'),
	);

	expect(hintsOf(run)[0]).toContain('The account had used 0 of 5 credits this month.');
});

test('a limit that is reached is about no row, and leaves no other row to keep', async () => {
	const service = await startService();
	used(service, 20_000);
	const rows = [1, 2].map((person) => ({ id: service.world.prospectId(person) }));

	const run = await service.run(ENRICH, rows, limitedTo(service, '20,000'));

	expect(run.failureText).toMatch(/^20,000 of 20,000 credits/);
	expect(run.failureText).not.toContain('other rows');
});

test('without a limit, nothing is asked; with one that can be read in two ways, nothing is paid', async () => {
	const service = await startService();
	const rows = [{ id: service.world.prospectId(1) }];

	await service.run(ENRICH, rows);
	const run = await service.run(ENRICH, rows, limitedTo(service, '1.000'));

	expect(pathsOf(service)).toHaveLength(1);
	expect(run.failureText).toContain('Max Credits per Month is not a whole number');
});

test('Credit Usage, Filter Value and Event Enrollment work at the limit', async () => {
	const service = await startService();
	used(service, 9);

	for (const parameters of [
		{ resource: 'creditUsage', operation: 'get', fromDate: '2026-01-01', toDate: '2026-01-02' },
		{ resource: 'filterValue', operation: 'search', field: 'country', query: 'uni' },
	]) {
		const run = await service.run(parameters, [{}], limitedTo(service, '5'));
		expect(run.failureText).toBe('');
	}
});
