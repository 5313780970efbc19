/**
 * The contract's endpoints as one table: name, method, path, and the JSON Schemas of request and response.
 * Tests can loop over it.
 */
import * as answers from './answers';
import { businessData, type BusinessDataSet } from './records';
import * as requests from './requests';
import type { JsonSchema } from './schema';

export type ProspectEndpoint =
	| 'match'
	| 'search'
	| 'profile'
	| 'profileBulk'
	| 'contacts'
	| 'contactsBulk'
	| 'postsBulk'
	| 'prospectEvents';
export type BusinessEndpoint = BusinessDataSet | 'autocomplete' | 'stats' | 'businessEvents';
export type EndpointName = ProspectEndpoint | BusinessEndpoint | 'deleteEnrollment' | 'credits';

export interface Endpoint {
	readonly name: EndpointName;
	readonly method: 'GET' | 'POST' | 'DELETE';
	/** Path after the base address, with `/v1`. */
	readonly path: string;
	/** Schema of the body; of the query for autocomplete. */
	readonly request: JsonSchema;
	/** Schema of the answer with status 200. */
	readonly answer: JsonSchema;
	/** Member of the request that holds its inputs: ids, match items, one id. */
	readonly inputMember?: string;
	/** Member of the answer that holds its rows; `''` when the answer itself is the list. */
	readonly rows?: string;
}

const post = (
	name: EndpointName,
	path: string,
	request: JsonSchema,
	answer: JsonSchema,
	more: Pick<Endpoint, 'inputMember' | 'rows'> = {},
): Endpoint => ({ name, method: 'POST', path: `/v1/${path}`, request, answer, ...more });

const businessPaths: Record<BusinessDataSet, string> = {
	companyHierarchy: 'company_hierarchies',
	intent: 'intent',
	websiteTraffic: 'website_traffic',
	technologyStack: 'technographics',
	workforceTrends: 'workforce_trends',
	fundingAndAcquisition: 'funding_and_acquisition',
	employeeRatings: 'company_ratings_by_employees',
	businessChallenges: 'pc_business_challenges_10k',
	strategy: 'pc_strategy_10k',
	competitiveLandscape: 'pc_competitive_landscape_10k',
};
const businessBodies: Partial<Record<BusinessDataSet, JsonSchema>> = {
	intent: requests.intentBody,
	websiteTraffic: requests.trafficBody,
};

/** The data sets of "Business bulk enrichment". */
export const BUSINESS_DATA_SETS = Object.keys(businessPaths) as BusinessDataSet[];

const bulk = { inputMember: 'prospect_ids', rows: 'data' };
const one = { inputMember: 'prospect_id' };

/** All endpoints, in the contract's order. */
export const ENDPOINTS: readonly Endpoint[] = [
	{
		name: 'autocomplete',
		method: 'GET',
		path: '/v1/businesses/autocomplete',
		request: requests.autocompleteQuery,
		answer: answers.autocompleteAnswer,
		rows: '',
	},
	post('match', 'prospects/match', requests.matchBody, answers.matchAnswer, {
		inputMember: 'prospects_to_match',
		rows: 'matched_prospects',
	}),
	post('credits', 'credits/aggregation', requests.creditsBody, answers.creditsAnswer, {
		rows: 'aggregations',
	}),
	...BUSINESS_DATA_SETS.map((name) =>
		post(
			name,
			`businesses/${businessPaths[name]}/bulk_enrich`,
			businessBodies[name] ?? requests.plainBusinessBody,
			answers.businessRows(businessData[name]),
			{ inputMember: 'business_ids', rows: 'data' },
		),
	),
	post('search', 'prospects', requests.searchBody, answers.searchAnswer, { rows: 'data' }),
	post('profile', 'prospects/profiles/enrich', requests.profileBody, answers.profileAnswer, one),
	post(
		'profileBulk',
		'prospects/profiles/bulk_enrich',
		requests.profileBulkBody,
		answers.profileBulkAnswer,
		bulk,
	),
	post(
		'contacts',
		'prospects/contacts_information/enrich',
		requests.contactsBody,
		answers.contactsAnswer,
		one,
	),
	post(
		'contactsBulk',
		'prospects/contacts_information/bulk_enrich',
		requests.contactsBulkBody,
		answers.contactsBulkAnswer,
		bulk,
	),
	post(
		'postsBulk',
		'prospects/network_posts/bulk_enrich',
		requests.postsBulkBody,
		answers.postsBulkAnswer,
		bulk,
	),
	post('stats', 'businesses/stats', requests.statsBody, answers.statsAnswer),
	post(
		'prospectEvents',
		'prospects/events',
		requests.prospectEventsBody,
		answers.prospectEventsAnswer,
		{ inputMember: 'prospect_ids', rows: 'output_events' },
	),
	post(
		'businessEvents',
		'businesses/events',
		requests.businessEventsBody,
		answers.businessEventsAnswer,
		{ inputMember: 'business_ids', rows: 'output_events' },
	),
	{
		name: 'deleteEnrollment',
		method: 'DELETE',
		path: '/v1/businesses/events/enrollments',
		request: requests.deleteEnrollmentBody,
		answer: answers.deleteEnrollmentAnswer,
		inputMember: 'enrollment_id',
	},
];

/** The endpoint of that name. */
export function endpointNamed(name: EndpointName): Endpoint {
	const found = ENDPOINTS.find((endpoint) => endpoint.name === name);
	if (!found) throw new Error(`The contract has no endpoint named ${name}`);
	return found;
}

/**
 * The inputs of a request body: ids as they are, those of a search for people by id too, match items as one text each; `[]` for
 * other endpoints.
 */
export function askedFor(endpoint: Endpoint, body: unknown): string[] {
	if (typeof body !== 'object' || body === null) return [];
	const members = body as Record<string, unknown>;
	const { filters } = members as { filters?: { prospect_id?: { values?: string[] } } };
	const inputs: unknown = endpoint.inputMember
		? members[endpoint.inputMember]
		: endpoint.name === 'search' && filters?.prospect_id?.values;
	if (inputs === false) return [];
	if (inputs === undefined || inputs === null) return [];
	return (Array.isArray(inputs) ? inputs : [inputs]).map((item) =>
		typeof item === 'string' ? item : JSON.stringify(item),
	);
}
