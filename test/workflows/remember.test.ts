/** Remember In: what is paid for once comes from n8n's data table afterwards. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createDataTables } from '../harness/dataTables';
import { hintsOf, jsonOf, type Service, startService } from './service';

const ENRICH: INodeParameters = {
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.id }}',
	dataSets: ['profile', 'contacts'],
	rememberIn: 'Paid results',
};

const BY_DETAILS: INodeParameters = {
	...ENRICH,
	identifyBy: 'personDetails',
	prospectIds: '',
	network: '={{ $json.url }}',
	email: '={{ $json.mail }}',
};

const idsOf = ({ world }: Service, count: number) =>
	world.prospectIds(count).map((id, row) => ({ id, row }));

const OPERATIONS: Array<[string, INodeParameters, (service: Service) => IDataObject[]]> = [
	['Prospect: Enrich by ID', ENRICH, (service) => idsOf(service, 60)],
	[
		'Prospect: Enrich by details',
		BY_DETAILS,
		({ world }) => [
			{ url: world.person(1).network },
			{ mail: 'nobody@nowhere.example' },
			{ url: world.person(2).network },
		],
	],
	[
		'Match',
		{ resource: 'prospect', operation: 'match', network: '={{ $json.url }}', rememberIn: 'M' },
		({ world }) => [{ url: world.person(1).network }, { url: 'https://network.example/in/nobody' }],
	],
	[
		'Business: Enrich by name',
		{
			resource: 'business',
			operation: 'enrich',
			identifyBy: 'companyName',
			companyName: '={{ $json.name }}',
			dataSets: ['fundingAndAcquisition', 'websiteTraffic'],
			rememberIn: 'B',
		},
		({ world }) => [
			{ name: world.company(world.person(1).company).name },
			{ name: 'Nobody knows this company' },
		],
	],
	[
		'Find by work email',
		{
			resource: 'business',
			operation: 'find',
			identifyBy: 'workEmail',
			workEmail: '={{ $json.mail }}',
			rememberIn: 'F',
		},
		({ world }) => [
			{ mail: `${world.person(1).mailbox}@${world.company(world.person(1).company).domain}` },
		],
	],
];

test.each(OPERATIONS)(
	'%s: the second run has the same rows and sends nothing',
	async (_, parameters, rowsOf) => {
		const service = await startService();
		const dataTables = createDataTables();
		const rows = rowsOf(service);
		const first = await service.run(parameters, rows, { dataTables });
		const requests = service.log.entries.length;

		const second = await service.run(parameters, rows, { dataTables });

		expect(first.failureText).toBe('');
		expect(jsonOf(second.main)).toEqual(jsonOf(first.main));
		expect(requests).toBeGreaterThan(0);
		expect(service.log.entries).toHaveLength(requests);
		expect(hintsOf(second)[0]).toMatch(/\d+ remembered, 0 bought, 0 requests/);
	},
);
