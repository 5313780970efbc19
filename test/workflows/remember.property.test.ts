/** Whatever earlier runs asked, a run with Remember In has the rows that it would have without. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createDataTables } from '../harness/dataTables';
import { bySize } from '../size';
import { jsonOf, numbered, startService } from './service';

const COMPANIES = [
	{ name: 'Acme', site: 'https://acme.com', id: 'a' },
	{ name: 'Acme GmbH', site: 'https://acme.de', id: 'b' },
	{ name: 'ACME AG', site: 'acme.ch', id: 'c' },
];
const NAMES = ['Acme', 'ACME', 'acme ', 'Acme GmbH', 'Acme AG', 'Nobody'];
const SITES = ['', 'acme.de', 'https://www.ACME.de/', 'acme.com', 'acme.ch', 'other.example'];

const perhaps = <Value>(...values: Value[]) => fc.constantFrom(...values);
const simplify = fc.boolean();

const byName = {
	identifyBy: 'companyName',
	companyName: '={{ $json.name }}',
	website: '={{ $json.site }}',
};
const RUNS: Record<string, fc.Arbitrary<INodeParameters>> = {
	names: fc.oneof(
		fc
			.record({ simplify })
			.map((more) => ({ resource: 'business', operation: 'find', ...byName, ...more })),
		fc.record({ monthPeriod: perhaps('', '2026-09', '2026-10'), simplify }).map((more) => ({
			...{ resource: 'business', operation: 'enrich', ...byName, ...more },
			dataSets: ['websiteTraffic', 'intent'],
		})),
	),
	people: fc
		.record({
			operation: perhaps('enrich', 'match'),
			byDetails: fc.boolean(),
			simplify,
			dataSets: fc.subarray(['profile', 'emails', 'phoneNumbers', 'networkPosts'], {
				minLength: 1,
			}),
			options: fc.record({ requestMode: perhaps('batched', 'single'), offlineMode: fc.boolean() }),
		})
		.map(({ operation, byDetails, options, ...more }) => ({
			...{ resource: 'prospect', operation, ...more },
			...(byDetails || operation === 'match'
				? { identifyBy: 'personDetails', moreDetails: { network: '={{ $json.url }}' } }
				: { prospectIds: '={{ $json.id }}' }),
			...(operation === 'enrich' && { options }),
		})),
};

/** Without what differs between two equal requests. */
const comparable = (rows: readonly IDataObject[]): unknown =>
	JSON.parse(
		JSON.stringify(rows, (name, value: unknown) => (name === 'response_context' ? null : value)),
	);

test.each(Object.keys(RUNS))('remembered = fresh: %s', async (kind) => {
	const service = await startService();
	const { world } = service;
	const rowsOf: Record<string, fc.Arbitrary<IDataObject>> = {
		names: fc.record({ name: perhaps(...NAMES), site: perhaps(...SITES) }),
		people: fc.nat(4).map((index) => ({
			id: world.prospectId(index),
			url: index === 4 ? 'https://network.example/in/nobody' : world.person(index).network,
		})),
	};
	if (kind === 'names') {
		service.change(
			(_, { query }) =>
				COMPANIES.map(({ name }) => ({ query: query.query, label: name, value: name })),
			{
				when: { to: 'autocomplete' },
				times: 'always',
			},
		);
		service.change(
			(answer, { body }) => {
				const { filters, page_size: size } = body as {
					filters: { company_name: { values: string[] } };
					page_size: number;
				};
				const people = COMPANIES.filter(({ name }) =>
					filters.company_name.values.includes(name),
				).flatMap(({ name, site, id }) =>
					Array.from({ length: 4 }, (_, index) => ({
						...{ prospect_id: `${id}${index}`.padEnd(40, '0'), company_name: name },
						...{ company_website: site, business_id: id.repeat(32) },
					})),
				);
				return { ...answer, total_results: people.length, data: people.slice(0, size) };
			},
			{ when: { to: 'search' }, times: 'always' },
		);
	}
	const run = fc.tuple(
		RUNS[kind] ?? fc.constant({}),
		fc.array(rowsOf[kind] ?? fc.constant({}), { minLength: 1, maxLength: 3 }),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(run, { minLength: 2, maxLength: 3 }), async (runs) => {
			const dataTables = createDataTables();
			for (const [parameters, rows] of runs) {
				const fresh = await service.run(parameters, numbered(rows));
				const remembering = { ...parameters, rememberIn: 'M' };
				const remembered = await service.run(remembering, numbered(rows), { dataTables });
				expect(remembered.failureText + fresh.failureText).toBe('');
				expect(comparable(jsonOf(remembered.main))).toEqual(comparable(jsonOf(fresh.main)));
			}
		}),
		{ numRuns: bySize(4, 40) },
	);
});
