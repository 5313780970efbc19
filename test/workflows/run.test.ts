/** Whole runs: the rows and their links, and both kinds of On Error. */
import { DataDeduplicationService } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { errorOf, type NodeRunOptions } from '../harness/engine';
import { hintsOf, itemsWith, jsonOf, type Service, startService, withInputFields } from './service';

afterEach(() => jest.restoreAllMocks());

const ENRICH: INodeParameters = {
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.id }}',
	dataSets: ['profile'],
};
const people = ({ world }: Service, count: number) => itemsWith(world.prospectIds(count));

test('one row of many IDs gives many rows, all linked to it', async () => {
	const service = await startService();
	const [one = '', two = '', three = '', four = ''] = service.world.prospectIds(4);
	const ids = [[one, two, three], `${four}, ${two}`, '', one.toUpperCase()];

	const { main, linked } = await service.run(
		ENRICH,
		ids.map((id, row) => ({ row, id })),
	);

	expect(jsonOf(main).map(({ prospect_id: id }) => id)).toEqual([
		...[one, two, three, four, two, null, one],
	]);
	expect(linked).toEqual([0, 0, 0, 1, 1, 2, 3]);
	expect(service.log.entries.map((request) => request.ids)).toEqual([[one, two, three, four]]);
});

describe('On Error is Continue', () => {
	/** What no request is sent for. */
	const DISASTERS: Array<
		[what: string, INodeParameters, more: Partial<NodeRunOptions>, message: RegExp]
	> = [
		['no key', {}, { credentials: { baseUrl: 'https://x.example' } }, /^API Key is empty/],
		['no credential', {}, { credentials: undefined }, /Check that a .* credential is selected/],
		[
			'an expression that cannot be evaluated',
			{ prospectIds: "={{ $('Nowhere').item.json.id }}" },
			{},
			/^Prospect IDs: Referenced node doesn't exist/,
		],
		[
			'an option out of bounds',
			{ options: { maxConcurrentRequests: 51 } },
			{},
			/^Max Concurrent Requests: "51"/,
		],
		['an unknown operation', { operation: 'invent' }, {}, /"invent"/],
	];
	const MODES = ['continueRegularOutput', 'continueErrorOutput'] as const;

	test.each(MODES.flatMap((onError) => DISASTERS.map((row) => [onError, ...row] as const)))(
		'%s: %s: every row is an error item',
		async (onError, _what, parameters, more, message) => {
			const service = await startService();
			const node = withInputFields({ ...ENRICH, ...parameters });

			const run = await service.run(node, people(service, 3), { onError, ...more });

			expect([run.status, run.task?.error]).toEqual(['success', undefined]);
			const isSplit = onError === 'continueErrorOutput';
			const [errors, rows] = isSplit ? [run.error, run.main] : [run.main, run.error];
			expect(rows).toEqual([]);
			expect(errors.map(({ pairedItem }) => pairedItem)).toEqual(
				[0, 1, 2].map((item) => ({ item })),
			);
			for (const item of errors) {
				expect(Object.keys(item.json).sort()).toEqual(isSplit ? ['error', 'id', 'row'] : ['error']);
				expect(errorOf(item).message).toMatch(message);
			}
			expect(service.log.entries).toEqual([]);
		},
	);

	test('rows that were fetched are not lost if n8n cannot tell which are new', async () => {
		const service = await startService({ people: 1 });
		jest.spyOn(DataDeduplicationService, 'getInstance').mockImplementation(() => {
			throw new Error('The database is locked.');
		});
		const options = { onlyNewProspects: true };
		const search = { resource: 'prospect', operation: 'getAll', options };

		const run = await service.run(search, [{}], { mode: 'trigger', onError: MODES[0] });

		expect(jsonOf(run.main)).toMatchObject([{ prospect_id: service.world.prospectId(0) }]);
		expect(hintsOf(run).join()).toContain(
			'n8n could not tell which rows are new: The database is locked. The output has all of them.',
		);
	});

	// n8n's request helper wraps them in different ways.
	test.each([
		['ECONNREFUSED', /could not be reached.*Check Base URL/, '1 row failed. 1 request.'],
		[
			'ECONNRESET',
			/connection was lost.*may have.*charged.*credit usage/,
			'1 row failed. 1 request. 1 request got no usable response and may have been charged.',
		],
	])('a connection that fails with %s', async (code, message, report) => {
		const service = await startService();
		service.fault({ do: { kind: 'drop' } });
		if (code === 'ECONNREFUSED') await service.close();
		const node = { ...ENRICH, options: { maxWait: 0 } };

		const run = await service.run(node, people(service, 1), { onError: MODES[0] });

		expect(errorOf(run.main[0])).toMatchObject({ message: expect.stringMatching(message), code });
		expect(hintsOf(run)[0]).toBe(report);
	});
});

test('with Stop Workflow, the first failure stops further requests; it says how many were answered', async () => {
	const service = await startService();
	const body = { message: 'Out of credits', correlation_id: 'c-402' };
	let requests = 0;
	service.fault({ when: () => ++requests === 3, do: { kind: 'status', status: 402, body } });
	const options = { batchSize: 1, maxConcurrentRequests: 1 };

	const { failureText } = await service.run({ ...ENRICH, options }, people(service, 10));

	expect(service.log.entries).toHaveLength(3);
	expect(failureText).toBe(
		"The account has no credits left for this request, or may not make it now (HTTP 402): Out of credits. Check the account's credits and status on the service's account page, then try again. Before that, 2 requests had succeeded. To keep the other rows, set On Error to \"Continue (using error output)\" in the node's settings. Correlation ID: c-402",
	);
});
