/** How each endpoint is reached through the node: the parameters, what is sent, and the rows of the response, with Simplify off. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BUSINESS_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/businessDataSets';
import { PROSPECT_RECORDS } from '../../nodes/BusinessProspectData/catalog/dataSets';
import type { EndpointName } from '../sandbox/contract/contract';
import type { BusinessDataSet } from '../sandbox/contract/records';
import type { World } from '../sandbox/world/world';
import { itemsWith } from './service';

/** The way to an endpoint through the node. */
export interface Way {
	readonly parameters: INodeParameters;
	/** Input items; without them a single empty one. */
	readonly items?: (world: World) => IDataObject[];
	/** The body that goes out, or the query of a GET. */
	readonly sends: (world: World) => object;
	/** The rows that the response becomes. */
	readonly rows: (answer: IDataObject, world: World) => IDataObject[];
	/** What is in the rows when the service has nothing; those of a plain list are none. */
	readonly missed?: (world: World) => object[];
}

const listOf = (value: unknown) => value as IDataObject[];

const INDEXES = [2, 1];
const people = (world: World) => INDEXES.map((index) => world.prospectId(index));
const companies = (world: World) => INDEXES.map((index) => world.businessId(index));

const NOT_IN_THE_US = { country_code: { type: 'includes', values: ['us'], negate: true } };

interface Given {
	/** Further parameters. */
	readonly set?: INodeParameters;
	/** What goes out for them. */
	readonly sent?: object;
}

const KINDS = {
	people: { resource: 'prospect', field: 'prospectIds', id: 'prospect_id', ids: people },
	companies: { resource: 'business', field: 'businessIds', id: 'business_id', ids: companies },
};

/** A data set of several people or companies, all of them in one request. */
function bulk(
	kind: keyof typeof KINDS,
	dataSet: string,
	{ set, sent }: Given = {},
	dataOf = (data: IDataObject[], id: string, idField: string): unknown =>
		data.find((row) => row[idField] === id)?.data,
): Way {
	const { resource, field, id: idField, ids } = KINDS[kind];
	const { outputField: key = '' } =
		[...PROSPECT_RECORDS, ...BUSINESS_DATA_SETS].find(({ value }) => value === dataSet) ?? {};
	return {
		parameters: {
			...{ resource, operation: 'enrich', [field]: '={{ $json.id }}', dataSets: [dataSet], ...set },
		},
		items: (world) => itemsWith(ids(world)),
		sends: (world) => ({ [`${idField}s`]: ids(world), ...sent }),
		rows: ({ data, response_context: context }, world) =>
			ids(world).map((id) => ({
				[key]: dataOf(listOf(data), id, idField) as IDataObject,
				[idField]: id,
				response_context: { [key]: context },
			})),
		missed: (world) => ids(world).map((id) => ({ [idField]: id, [key]: null })),
	};
}

/** A data set of one person, through the endpoint for one. */
const alone = (dataSet: 'profile' | 'contacts', set: INodeParameters, sent: object = {}): Way => ({
	...bulk('people', dataSet, { set }),
	items: (world) => itemsWith([world.prospectId(2)]),
	sends: (world) => ({ prospect_id: world.prospectId(2), ...sent }),
	rows: ({ data, response_context: context }, world) => [
		{ [dataSet]: data, prospect_id: world.prospectId(2), response_context: { [dataSet]: context } },
	],
	missed: (world) => [{ prospect_id: world.prospectId(2), [dataSet]: null }],
});

const events = (
	kind: keyof typeof KINDS,
	eventTypes: string[],
	otherEventTypes: string[] = [],
): Way => {
	const { resource, field, id: idField, ids } = KINDS[kind];
	return {
		parameters: {
			...{ resource, operation: 'getEvents', [field]: '={{ $json.id }}', eventTypes },
			timestampFrom: '2026-10-01T00:00:00',
			options: { otherEventTypes: otherEventTypes.join(), timestampTo: '2026-11-01T00:00:00Z' },
		},
		items: (world) => itemsWith(ids(world)),
		sends: (world) => ({
			event_types: [...eventTypes, ...otherEventTypes],
			[`${idField}s`]: ids(world),
			timestamp_from: '2026-10-01T00:00:00.000Z',
			timestamp_to: '2026-11-01T00:00:00.000Z',
		}),
		rows: ({ output_events, response_context }) =>
			listOf(output_events).map((event) => ({ ...event, response_context })),
	};
};

/** The data sets that take parameters. */
const GIVEN: Partial<Record<string, Given>> = {
	intent: {
		set: {
			intentTopics: { values: [{ value: 'Sales: Lead Scoring' }] },
			options: { minScore: '70' },
		},
		sent: { parameters: { topics: ['Sales: Lead Scoring'], min_score: 70 } },
	},
	networkPosts: {
		set: { options: { offlineMode: true } },
		sent: { parameters: { offline_mode: 'true' } },
	},
	websiteTraffic: {
		set: { monthPeriod: '2026-09' },
		sent: { parameters: { month_period: '2026-09' } },
	},
};

export const WAYS: Record<EndpointName, Way> = {
	...(Object.fromEntries(
		BUSINESS_DATA_SETS.map(({ value }) => [value, bulk('companies', value, GIVEN[value])]),
	) as Record<BusinessDataSet, Way>),
	profile: alone('profile', { options: { requestMode: 'single' } }),
	profileBulk: bulk('people', 'profile'),
	contacts: alone(
		'contacts',
		{ dataSets: ['emails'] },
		{ parameters: { contact_types: ['email'] } },
	),
	contactsBulk: bulk('people', 'contacts', { set: { dataSets: ['emails', 'phoneNumbers'] } }),
	postsBulk: bulk('people', 'networkPosts', GIVEN.networkPosts, (data, id) =>
		data.filter(({ prospect_id }) => prospect_id === id).map((row) => row.data),
	),
	prospectEvents: events('people', ['prospect_changed_role']),
	businessEvents: events('companies', ['new_investment'], ['new_partnership']),
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
			email: '={{ $json.email }}',
			fullName: '={{ $json.name }}',
			companyName: '={{ $json.company }}',
			moreDetails: {
				phoneNumber: '={{ $json.phone }}',
				network: '={{ $json.url }}',
				businessId: '={{ $json.business }}',
			},
		},
		items: (world) => [
			{ row: 0, url: world.person(4).network },
			{ row: 1, email: 'a@nowhere.example', phone: '+1 512 555 0100', business: 'A'.repeat(32) },
			{ row: 2, name: world.person(5).fullName, company: world.company(5).name },
		],
		sends: (world) => ({
			prospects_to_match: [
				{ network: world.person(4).network },
				{ email: 'a@nowhere.example', phone_number: '+15125550100', business_id: 'a'.repeat(32) },
				{ full_name: world.person(5).fullName, company_name: world.company(5).name },
			],
		}),
		rows: ({ matched_prospects, response_context }) =>
			listOf(matched_prospects).map(({ prospect_id, input }) => ({
				...{ matched: prospect_id !== null, input, prospect_id, response_context },
			})),
		missed: () => Array<object>(3).fill({ matched: false, prospect_id: null }),
	},
	search: {
		parameters: {
			resource: 'prospect',
			operation: 'getAll',
			limit: 5,
			filters: { has_email: [{ value: true }] },
		},
		sends: () => ({
			...{ mode: 'full', size: 5, page_size: 5, page: 1 },
			filters: { has_email: { value: true } },
		}),
		rows: ({ data, response_context }) =>
			listOf(data).map((person) => ({ ...person, response_context })),
	},
	credits: {
		parameters: {
			resource: 'creditUsage',
			operation: 'get',
			fromDate: '2026-10-01T00:00:00',
			toDate: '2026-10-04T00:00:00',
			output: 'summary',
			options: { timezone: 'Europe/Berlin' },
		},
		sends: () => ({
			from_date: '2026-09-30T22:00:00.000Z',
			to_date: '2026-10-03T22:00:00.000Z',
			mode: 'timely',
			resolution: 'day',
			timezone: 'Europe/Berlin',
		}),
		rows: (answer) => [answer],
		missed: () => [{ aggregations: [] }],
	},
	stats: {
		parameters: {
			resource: 'business',
			operation: 'getStatistics',
			filters: { company_size: [{ value: ['11-50', '51-200'] }] },
			options: { additionalFilters: JSON.stringify(NOT_IN_THE_US) },
			output: 'summary',
		},
		sends: () => ({
			filters: {
				company_size: { type: 'includes', values: ['11-50', '51-200'] },
				...NOT_IN_THE_US,
			},
		}),
		rows: (answer) => [answer],
		missed: () => [{ total_results: 0 }],
	},
	deleteEnrollment: {
		parameters: {
			resource: 'eventEnrollment',
			operation: 'delete',
			enrollmentId: '={{ $json.id }}',
		},
		items: (world) => itemsWith([world.enrollmentId(3)]),
		sends: (world) => ({
			enrollment_id: world.enrollmentId(3),
		}),
		rows: (_, world) => [
			{ enrollment_id: world.enrollmentId(3), deleted: true, status: 'success', message: null },
		],
		missed: (world) => [{ enrollment_id: world.enrollmentId(3), deleted: false, status: 'miss' }],
	},
};

/** A way to an operation. */
export function wayTo(name: string): Way {
	const found = Object.values(WAYS).find(
		({ parameters: { resource, operation } }) => name === `${resource}/${operation}`,
	);
	if (found === undefined) throw new Error(`There is no way to ${name}.`);
	return found;
}
