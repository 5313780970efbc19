/** How each endpoint is reached through the node: the parameters, what is sent, and the rows that come of the response. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BUSINESS_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/businessDataSets';
import type { EndpointName } from '../sandbox/contract/contract';
import type { BusinessDataSet } from '../sandbox/contract/records';
import type { World } from '../sandbox/world/world';
import { itemsWith } from './service';
import { flat, simplified, simplifiedEvent, simplifiedPerson } from './simplified';

/** The way to an endpoint through the node. */
export interface Way {
	readonly parameters: INodeParameters;
	/** Input items; without them a single empty one. */
	readonly items?: (world: World) => IDataObject[];
	/** The body that goes out, or the query of a GET. */
	readonly sends: (world: World) => object;
	/** The rows that the answer becomes. */
	readonly rows: (answer: IDataObject, world: World) => IDataObject[];
	/** The rows when the service has nothing; those of a plain list are none. */
	readonly missed?: (world: World) => object[];
}

const listOf = (value: unknown) => value as IDataObject[];

const PEOPLE = [2, 1];
const people = (world: World) => PEOPLE.map((index) => world.prospectId(index));
const companies = (world: World) => PEOPLE.map((index) => world.businessId(index));

const NOT_FOUND = { found_name: null, found_website: null, found: false, business_id: null };

/** A data set of people, all of them in one request. */
const personal = (dataSet: string, key: string): Way => ({
	parameters: {
		resource: 'prospect',
		operation: 'enrich',
		prospectIds: '={{ $json.id }}',
		dataSets: [dataSet],
	},
	items: (world) => itemsWith(people(world)),
	sends: (world) => ({ prospect_ids: people(world) }),
	rows: ({ data }) =>
		listOf(data).map(({ prospect_id, data: own }) => ({
			prospect_id,
			...flat(key, own),
		})),
	missed: (world) =>
		people(world).map((prospect_id) => ({
			prospect_id,
			...flat(key, null),
		})),
});

/** A data set of one person, through the endpoint for one. */
const alone = (
	dataSet: string,
	key: string,
	more: INodeParameters,
	parameters: object = {},
): Way => ({
	parameters: {
		resource: 'prospect',
		operation: 'enrich',
		prospectIds: '={{ $json.id }}',
		dataSets: [dataSet],
		...more,
	},
	items: (world) => itemsWith([world.prospectId(2)]),
	sends: (world) => ({ prospect_id: world.prospectId(2), ...parameters }),
	rows: ({ data }, world) => [{ prospect_id: world.prospectId(2), ...flat(key, data) }],
	missed: (world) => [{ prospect_id: world.prospectId(2), ...flat(key, null) }],
});

const corporate = (
	dataSet: string,
	key: string,
	given: { set?: INodeParameters; sent?: object } = {},
): Way => ({
	parameters: {
		resource: 'business',
		operation: 'enrich',
		businessIds: '={{ $json.id }}',
		dataSets: [dataSet],
		...given.set,
	},
	items: (world) => itemsWith(companies(world)),
	sends: (world) => ({ business_ids: companies(world), ...given.sent }),
	rows: ({ data }) =>
		listOf(data).map(({ business_id, data: own }) => ({
			business_id,
			...flat(key, own),
		})),
	missed: (world) =>
		companies(world).map((business_id) => ({
			business_id,
			...flat(key, null),
		})),
});

const topic = (value: string) => ({ value: { __rl: true, mode: 'list', value } });

/** Parameters of the data sets that take some, and what goes out for them. */
const GIVEN: Partial<Record<string, { set: INodeParameters; sent: object }>> = {
	intent: {
		set: { intentTopics: { values: [topic('Sales: Lead Scoring')] }, minScore: '70' },
		sent: { parameters: { topics: ['Sales: Lead Scoring'], min_score: 70 } },
	},
	websiteTraffic: {
		set: { monthPeriod: '2026-09' },
		sent: { parameters: { month_period: '2026-09' } },
	},
};
const CORPORATE = Object.fromEntries(
	BUSINESS_DATA_SETS.map(({ value, outputField }) => [
		value,
		corporate(value, outputField, GIVEN[value]),
	]),
) as Record<BusinessDataSet, Way>;

export const WAYS: Record<EndpointName, Way> = {
	autocomplete: {
		parameters: {
			resource: 'filterValue',
			operation: 'search',
			field: 'business_intent_topics',
			query: 'lead',
		},
		sends: () => ({ field: 'business_intent_topics', query: 'lead', semantic_search: 'true' }),
		rows: (answer) => listOf(answer),
	},
	match: {
		parameters: {
			resource: 'prospect',
			operation: 'match',
			network: '={{ $json.url }}',
			email: '={{ $json.email }}',
			phoneNumber: '={{ $json.phone }}',
			nameFields: 'full',
			fullName: '={{ $json.name }}',
			companyName: '={{ $json.company }}',
			businessId: '={{ $json.business }}',
			options: { requests: { requestContext: '{ "campaign": "spring" }' } },
		},
		items: (world) => [
			{ row: 0, url: world.person(4).network },
			{
				row: 1,
				email: 'nobody@nowhere.example',
				phone: '+1 512 555 0100',
				business: 'A'.repeat(32),
			},
			{
				row: 2,
				name: world.person(5).fullName,
				company: world.company(world.person(5).company).name,
			},
		],
		sends: (world) => ({
			prospects_to_match: [
				{ network: world.person(4).network },
				{
					email: 'nobody@nowhere.example',
					phone_number: '+15125550100',
					business_id: 'a'.repeat(32),
				},
				{
					full_name: world.person(5).fullName,
					company_name: world.company(world.person(5).company).name,
				},
			],
			request_context: { campaign: 'spring' },
		}),
		rows: ({ matched_prospects }) =>
			listOf(matched_prospects).map(({ prospect_id, input }) => ({
				prospect_id,
				matched: prospect_id !== null,
				...Object.fromEntries(
					Object.entries(input as IDataObject).map(([name, detail]) => [`input_${name}`, detail]),
				),
			})),
		missed: (world) =>
			[
				{ input_network: world.person(4).network },
				{ input_email: 'nobody@nowhere.example' },
				{},
			].map(
				(details) =>
					expect.objectContaining({ prospect_id: null, matched: false, ...details }) as object,
			),
	},
	credits: {
		parameters: {
			resource: 'creditUsage',
			operation: 'get',
			fromDate: '2026-10-01T00:00:00',
			toDate: '2026-10-04T00:00:00',
			timezone: 'Europe/Berlin',
			output: 'summary',
		},
		sends: () => ({
			from_date: '2026-09-30T22:00:00.000Z',
			to_date: '2026-10-03T22:00:00.000Z',
			mode: 'timely',
			resolution: 'day',
			timezone: 'Europe/Berlin',
		}),
		rows: (answer) => [answer],
		missed: () => [expect.objectContaining({ aggregations: [] })],
	},
	...CORPORATE,
	search: {
		parameters: {
			resource: 'prospect',
			operation: 'getAll',
			limit: 5,
			filters: { has_email: [{ value: true }] },
		},
		sends: () => ({
			mode: 'full',
			size: 5,
			page_size: 5,
			page: 1,
			filters: { has_email: { value: true } },
		}),
		rows: ({ data }) => listOf(data).map(simplifiedPerson),
	},
	profile: alone('profile', 'profile', { options: { requests: { requestMode: 'single' } } }),
	profileBulk: personal('profile', 'profile'),
	contacts: alone(
		'contacts',
		'contacts',
		{ contactTypes: 'email' },
		{ parameters: { contact_types: ['email'] } },
	),
	contactsBulk: personal('contacts', 'contacts'),
	postsBulk: {
		...personal('networkPosts', 'network_posts'),
		rows: ({ data }, world) =>
			people(world).map((prospect_id) => ({
				prospect_id,
				network_posts: listOf(data)
					.filter((row) => row.prospect_id === prospect_id)
					.map((row) => simplified('network_posts', row.data) as IDataObject),
			})),
		missed: (world) => people(world).map((prospect_id) => ({ prospect_id, network_posts: [] })),
	},
	stats: {
		parameters: {
			resource: 'business',
			operation: 'getStatistics',
			filters: { company_size: [{ value: ['11-50', '51-200'] }] },
			output: 'summary',
		},
		sends: () => ({ filters: { company_size: { type: 'includes', values: ['11-50', '51-200'] } } }),
		rows: (answer) => [answer],
		missed: () => [expect.objectContaining({ total_results: 0 })],
	},
	prospectEvents: {
		parameters: {
			resource: 'prospect',
			operation: 'getEvents',
			prospectIds: '={{ $json.id }}',
			eventTypes: ['prospect_changed_role'],
			timestampFrom: '2026-10-01T00:00:00',
			timestampTo: '2026-11-01T00:00:00Z',
		},
		items: (world) => itemsWith(people(world)),
		sends: (world) => ({
			event_types: ['prospect_changed_role'],
			prospect_ids: people(world),
			timestamp_from: '2026-10-01T00:00:00.000Z',
			timestamp_to: '2026-11-01T00:00:00.000Z',
		}),
		rows: ({ output_events }) => listOf(output_events).map(simplifiedEvent),
	},
	businessEvents: {
		parameters: {
			resource: 'business',
			operation: 'getEvents',
			businessIds: '={{ $json.id }}',
			eventTypes: ['new_investment'],
			otherEventTypes: 'new_partnership',
			timestampFrom: '2026-10-01T00:00:00',
			timestampTo: '2026-11-01T00:00:00Z',
		},
		items: (world) => itemsWith(companies(world)),
		sends: (world) => ({
			event_types: ['new_investment', 'new_partnership'],
			business_ids: companies(world),
			timestamp_from: '2026-10-01T00:00:00.000Z',
			timestamp_to: '2026-11-01T00:00:00.000Z',
		}),
		rows: ({ output_events }) => listOf(output_events).map(simplifiedEvent),
	},
	deleteEnrollment: {
		parameters: {
			resource: 'eventEnrollment',
			operation: 'delete',
			enrollmentId: '={{ $json.id }}',
			options: { requests: { requestContext: '{ "campaign": "spring" }' } },
		},
		items: (world) => itemsWith([world.enrollmentId(3)]),
		sends: (world) => ({
			enrollment_id: world.enrollmentId(3),
			request_context: { campaign: 'spring' },
		}),
		rows: (_, world) => [
			{ enrollment_id: world.enrollmentId(3), deleted: true, status: 'success' },
		],
		missed: (world) => [
			{
				enrollment_id: world.enrollmentId(3),
				deleted: false,
				status: 'miss',
				message: 'There is no enrollment with this ID.',
			},
		],
	},
};

/** Further ways to endpoints that several operations share. */
export const OTHER_WAYS: ReadonlyArray<readonly [EndpointName, Way]> = [
	[
		'search',
		{
			parameters: {
				resource: 'business',
				operation: 'find',
				companyName: '={{ $json.name }}',
				website: '={{ $json.site }}',
				options: { requests: { lookUpSpellings: false } },
			},
			items: (world) => {
				const { name, domain } = world.company(world.person(4).company);
				return [
					{ row: 0, name, site: domain },
					{ row: 1, name, site: 'elsewhere.example' },
				];
			},
			sends: (world) => {
				const { name } = world.company(world.person(4).company);
				return {
					mode: 'full',
					size: 10,
					page_size: 10,
					page: 1,
					filters: { company_name: { values: [name, name.toLowerCase(), name.toUpperCase()] } },
				};
			},
			rows: ({ data }, world) => {
				const [{ business_id, company_name, company_website } = {}] = listOf(data);
				const { domain } = world.company(world.person(4).company);
				return [
					{
						found_name: company_name,
						found_website: company_website,
						found: true,
						candidate_names: null,
						candidate_ids: null,
						input_company_name: company_name,
						input_website: domain,
						business_id,
					},
					{
						...NOT_FOUND,
						candidate_names: `${String(company_name)} (${String(company_website)})`,
						candidate_ids: business_id,
						input_company_name: company_name,
						input_website: 'elsewhere.example',
					},
				];
			},
			missed: (world) => {
				const { name, domain } = world.company(world.person(4).company);
				return [domain, 'elsewhere.example'].map((website) => ({
					...NOT_FOUND,
					input_company_name: name,
					input_website: website,
				}));
			},
		},
	],
];

/** A way to an operation. */
export function wayTo(name: string): Way {
	const found = [...Object.values(WAYS), ...OTHER_WAYS.map(([, way]) => way)].find(
		({ parameters: { resource, operation } }) => name === `${resource}/${operation}`,
	);
	if (found === undefined) throw new Error(`There is no way to ${name}.`);
	return found;
}
