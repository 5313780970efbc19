/** A row of a response that reports an error of its own, in place of data or an event. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { errorOf } from '../harness/engine';
import { CONTINUE, hintsOf, itemsWith, jsonOf, type Service, startService } from './service';

const FORMS: Array<[string, (id: IDataObject) => IDataObject]> = [
	['beside null', (id) => ({ ...id, data: null, error: 'quota exceeded' })],
	['without data', (id) => ({ ...id, error: 'quota exceeded', error_type: 'QuotaError' })],
	['as an object', (id) => ({ ...id, data: {}, error: { message: 'quota exceeded' } })],
	['in the data', (id) => ({ ...id, data: { error: 'quota exceeded' } })],
	['in the data, with the ID', (id) => ({ ...id, data: { ...id, error: 'quota exceeded' } })],
];

const ENTITIES = [
	{
		entity: 'prospect',
		idField: 'prospect_id',
		parameters: { prospectIds: '={{ $json.id }}', dataSets: ['profile', 'contacts'] },
		failing: 'prospects/profiles/bulk_enrich',
		kept: 'contacts',
		idsOf: ({ world }: Service) => world.prospectIds(3),
	},
	{
		entity: 'business',
		idField: 'business_id',
		parameters: { businessIds: '={{ $json.id }}', dataSets: ['technologyStack', 'strategy'] },
		failing: 'businesses/technographics/bulk_enrich',
		kept: 'strategy',
		idsOf: ({ world }: Service) => world.businessIds(3),
	},
];

describe.each(ENTITIES)('$entity: enrich', ({ entity, idField, parameters, ...more }) => {
	test.each(FORMS)("an error %s is an error item with the service's words", async (_form, row) => {
		const service = await startService({ people: 20, companies: 20 });
		const ids = more.idsOf(service);
		service.change(
			(answer) => {
				const rows = answer.data as IDataObject[];
				return { ...answer, data: [rows[0], row({ [idField]: ids[1] }), rows[2]] };
			},
			{ when: { to: more.failing } },
		);

		const run = await service.run(
			{ resource: entity, operation: 'enrich', ...parameters } as INodeParameters,
			itemsWith(ids),
			CONTINUE,
		);

		expect([run.linked, run.linkedErrors]).toEqual([[0, 2], [1]]);
		expect(errorOf(run.error[0] ?? { json: {} })).toMatchObject({
			message: expect.stringContaining('reported an error for this row: quota exceeded'),
			reason: expect.stringMatching(/^quota exceeded\.?$/),
			correlation_id: expect.any(String),
			received: { [idField]: ids[1], [more.kept]: expect.any(Object) },
		});
		expect(hintsOf(run).join()).toMatch(
			/(, 1 failed\..*, 6 records| for 6 records; 1 row failed)\./,
		);
		expect(service.log.entries).toHaveLength(2);
	});
});

test('one prospect at a time, an error in place of the data is an error item', async () => {
	const service = await startService({ people: 20 });
	const ids = service.world.prospectIds(3);
	service.change((answer) => ({ ...answer, data: { error: 'quota exceeded' } }), {
		when: { asksFor: ids[1] },
	});

	const run = await service.run(
		{
			resource: 'prospect',
			operation: 'enrich',
			prospectIds: '={{ $json.id }}',
			options: { requests: { requestMode: 'single' } },
		},
		itemsWith(ids),
		CONTINUE,
	);

	expect([run.linked, run.linkedErrors]).toEqual([[0, 2], [1]]);
	expect(jsonOf(run.error)).toMatchObject([{ error: { reason: 'quota exceeded' } }]);
});

test.each([
	{ entity: 'prospect', parameters: { prospectIds: '={{ $json.id }}' }, idField: 'prospect_id' },
	{ entity: 'business', parameters: { businessIds: '={{ $json.id }}' }, idField: 'business_id' },
])(
	'$entity: an error in place of events fails its row',
	async ({ entity, parameters, idField }) => {
		const service = await startService({ people: 20, companies: 20, eventsPerDay: 0 });
		const { world } = service;
		const ids = entity === 'prospect' ? world.prospectIds(3) : world.businessIds(3);
		for (const n of [0, 1, 2])
			world.addEvent(entity === 'prospect' ? { prospect: n } : { business: n });
		service.change((answer) => {
			const events = answer.output_events as IDataObject[];
			return {
				...answer,
				output_events: [
					...events,
					{ [idField]: ids[1], error: 'quota exceeded', error_type: 'Quota' },
				],
			};
		});

		const run = await service.run(
			{ resource: entity, operation: 'getEvents', ...parameters } as INodeParameters,
			itemsWith(ids),
			CONTINUE,
		);

		expect([run.linked, run.linkedErrors]).toEqual([[0, 1, 2], [1]]);
		expect(jsonOf(run.error)).toMatchObject([
			{ error: { reason: 'quota exceeded', error_type: 'Quota' } },
		]);
		expect(service.log.entries).toHaveLength(1);
	},
);
