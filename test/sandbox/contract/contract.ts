/** The contract's endpoints as data (contract: "Endpoints"). Tests can loop over them. */
import {
	AUTOCOMPLETE_FIELDS,
	COMPANY_REVENUES,
	COMPANY_SIZES,
	EVENT_TYPES,
	LIMITS,
} from './limits';
import * as records from './records';
import { businessData, type BusinessDataSet } from './records';
import * as is from './schema';
import { ids, words } from './schema';

export type EndpointName =
	| BusinessDataSet
	| ('autocomplete' | 'match' | 'search' | 'stats' | 'credits' | 'deleteEnrollment')
	| ('profile' | 'profileBulk' | 'contacts' | 'contactsBulk' | 'postsBulk')
	| ('prospectEvents' | 'businessEvents');

export interface Endpoint {
	readonly name: EndpointName;
	readonly method: 'GET' | 'POST' | 'DELETE';
	/** Path after the base address, with `/v1`. */
	readonly path: string;
	/** Schema of the body; of the query for autocomplete. */
	readonly request: is.JsonSchema;
	/** Schema of the answer with status 200. */
	readonly answer: is.JsonSchema;
	/** Member of the request that holds its inputs: ids, match items, one id. */
	readonly inputMember?: string;
	/** Member of the answer that holds its rows; `''` when the answer itself is the list. */
	readonly rows?: string;
}

const status = is.oneOf('success miss failure');
const response_context = is.object({
	correlation_id: is.text,
	request_status: status,
	time_took_in_seconds: { type: 'number', minimum: 0 },
});

/** Most answers: the given members, and those that they share (contract: "Common conventions"). */
const envelope = (members: is.Members) =>
	is.object({
		response_context,
		total_results: is.integer,
		entity_id: is.orNull(ids.business_id),
		...members,
	});

const body = (members: is.Members) =>
	is.object({ ...members, 'request_context?': is.orNull({ type: 'object' }) });

const endpoint = (
	name: EndpointName,
	path: string,
	request: is.JsonSchema,
	answer: is.JsonSchema,
	more: Partial<Endpoint> = {},
): Endpoint => ({ name, method: 'POST', path: `/v1/${path}`, request, answer, ...more });

type Entity = 'prospect' | 'business';

const idList = (entity: Entity, maxItems: number, rules: is.JsonSchema = {}): is.Members => ({
	[`${entity}_ids`]: is.list(ids[`${entity}_id`], { minItems: 1, maxItems, ...rules }),
});
const parameters = (members: is.Members): is.Members => ({
	'parameters?': is.orNull(is.object(members)),
});

/** An enrichment of several ids. `given` are the members of `parameters`. */
const bulk = (
	name: EndpointName,
	path: string,
	entity: Entity,
	data: is.JsonSchema,
	given: is.Members = {},
	rules?: is.JsonSchema,
): Endpoint =>
	endpoint(
		name,
		`${path}/bulk_enrich`,
		body({ ...idList(entity, LIMITS.enrichmentIds, rules), ...parameters(given) }),
		envelope({ data: is.list(is.object({ [`${entity}_id`]: is.text, data })) }),
		{ inputMember: `${entity}_ids`, rows: 'data' },
	);

/** An enrichment of one prospect. */
const single = (name: EndpointName, path: string, data: is.JsonSchema, given: is.Members = {}) =>
	endpoint(
		name,
		`${path}/enrich`,
		body({ prospect_id: ids.prospect_id, ...parameters(given) }),
		envelope({ data }),
		{ inputMember: 'prospect_id' },
	);

const events = (entity: Entity, path: string, eventType: is.JsonSchema): Endpoint =>
	endpoint(
		`${entity}Events`,
		path,
		body({
			event_types: is.list(eventType, { minItems: 1 }),
			...idList(entity, LIMITS.eventIds),
			'timestamp_from? timestamp_to?': is.dateOrDateTime,
			'entity_type?': is.oneOf('business prospect'),
		}),
		envelope({ output_events: is.list(records.event(`${entity}_id`)) }),
		{ inputMember: `${entity}_ids`, rows: 'output_events' },
	);

/** The business data sets: the path segment, and the members of `parameters`. */
const BUSINESS: Readonly<Record<BusinessDataSet, [path: string, parameters?: is.Members]>> = {
	companyHierarchy: ['company_hierarchies'],
	intent: [
		'intent',
		{
			'topics?': is.list(is.text),
			'min_score?': { type: 'integer', exclusiveMinimum: LIMITS.minScoreAbove },
		},
	],
	websiteTraffic: [
		'website_traffic',
		{ 'month_period?': { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' } },
	],
	technologyStack: ['technographics'],
	workforceTrends: ['workforce_trends'],
	fundingAndAcquisition: ['funding_and_acquisition'],
	employeeRatings: ['company_ratings_by_employees'],
	businessChallenges: ['pc_business_challenges_10k'],
	strategy: ['pc_strategy_10k'],
	competitiveLandscape: ['pc_competitive_landscape_10k'],
};
export const BUSINESS_DATA_SETS = Object.keys(BUSINESS) as BusinessDataSet[];

export const MATCH_MEMBERS = words('business_id full_name company_name email phone_number network');

const values = (items: is.JsonSchema = is.text) => is.object({ values: is.list(items) });
const yesNo = is.object({ value: is.booleanValue });
const months = is.object({ 'gte? lte?': is.integer }, { minProperties: 1 });
const countryCode = values({ type: 'string', pattern: '^[A-Za-z]{2}$' });
const regionCode = values({ type: 'string', pattern: '^[A-Za-z]{2}-[A-Za-z0-9]{1,3}$' });

/** The filters of "Fetch prospects", each in the form that its table gives. */
export const searchFilters = {
	has_email: yesNo,
	has_phone_number: yesNo,
	job_title: is.object({ value: is.text, 'include_related_job_titles?': is.booleanValue }),
	job_level: values(),
	job_department: values(),
	business_id: values(ids.business_id),
	prospect_id: values(ids.prospect_id),
	country_code: countryCode,
	region_country_code: regionCode,
	city_region_country: values(),
	company_country_code: countryCode,
	company_region_country_code: regionCode,
	company_size: values({ enum: COMPANY_SIZES }),
	company_revenue: values({ enum: COMPANY_REVENUES }),
	search_category: values(),
	network_category: values(),
	naics_category: values({ type: 'string', pattern: '^\\d{2}(\\d{2}(\\d{1,2})?)?$' }),
	company_name: values(),
	total_experience_months: months,
	current_role_months: months,
};
export type SearchFilter = keyof typeof searchFilters;

const upTo = (maximum: number): is.JsonSchema => ({ type: 'integer', minimum: 1, maximum });

/** All endpoints, in the contract's order. */
export const ENDPOINTS: readonly Endpoint[] = [
	endpoint(
		'autocomplete',
		'businesses/autocomplete',
		is.object({
			field: { enum: AUTOCOMPLETE_FIELDS },
			'query?': is.text,
			// Query members arrive as text.
			'semantic_search?': is.oneOf('true false'),
		}),
		is.list(is.object({ 'query label value': is.text })),
		{ method: 'GET', rows: '' },
	),
	endpoint(
		'match',
		'prospects/match',
		body({
			prospects_to_match: is.list(
				is.object({
					'full_name? company_name? email? phone_number? network?': is.textOrNull,
					'business_id?': is.orNull(ids.business_id),
				}),
				{ minItems: 1, maxItems: LIMITS.matchItems },
			),
		}),
		envelope({
			total_matches: { type: 'integer', minimum: 0 },
			matched_prospects: is.list(
				is.object({
					input: is.object({ [MATCH_MEMBERS.join(' ')]: is.textOrNull }),
					prospect_id: is.textOrNull,
					'error? error_type?': is.text,
				}),
			),
		}),
		{ inputMember: 'prospects_to_match', rows: 'matched_prospects' },
	),
	endpoint(
		'credits',
		'credits/aggregation',
		body({
			'from_date to_date': is.dateTime,
			mode: is.oneOf('timely endpoints'),
			'resolution?': is.oneOf('hour day month'),
			'timezone?': is.text,
		}),
		is.object({
			response_context,
			'from_date to_date mode resolution? timezone': is.text,
			total_credits: is.integer,
			aggregations: is.list({ type: 'object' }),
		}),
		{ rows: 'aggregations' },
	),
	...BUSINESS_DATA_SETS.map((name) => {
		const [path, given] = BUSINESS[name];
		return bulk(name, `businesses/${path}`, 'business', businessData[name], given);
	}),
	endpoint(
		'search',
		'prospects',
		body({
			'mode?': is.oneOf('full'),
			'size?': upTo(LIMITS.searchSize),
			'page_size?': upTo(LIMITS.searchPageSize),
			'page?': { type: 'integer', minimum: 1 },
			'filters?': is.object(searchFilters, { required: [] }),
			'exclude?': is.orNull(is.list(ids.prospect_id)),
			'next_cursor?': is.textOrNull,
		}),
		envelope({ 'total_pages page': is.integer, data: is.list(records.prospect) }),
		{ rows: 'data' },
	),
	single('profile', 'prospects/profiles', records.profile),
	bulk('profileBulk', 'prospects/profiles', 'prospect', records.profileBulk),
	single('contacts', 'prospects/contacts_information', records.contacts, {
		'contact_types?': is.list(is.oneOf('email phone'), { minItems: 1 }),
	}),
	bulk(
		'contactsBulk',
		'prospects/contacts_information',
		'prospect',
		records.contacts,
		{},
		{ uniqueItems: true },
	),
	bulk('postsBulk', 'prospects/network_posts', 'prospect', records.post, {
		'offline_mode?': is.oneOf('true'),
	}),
	endpoint(
		'stats',
		'businesses/stats',
		// The list of business filters is open: any name is taken, each in the one form.
		body({
			filters: {
				type: 'object',
				additionalProperties: is.object({
					type: is.text,
					values: is.list({}),
					'negate?': is.booleanValue,
				}),
			},
		}),
		envelope({
			stats: is.object({
				business_categories_per_location: { type: 'object' },
				'revenue_per_category number_of_employees_per_category': { type: 'object' },
			}),
		}),
	),
	events('prospect', 'prospects/events', { enum: EVENT_TYPES.prospect }),
	events('business', 'businesses/events', is.text),
	endpoint(
		'deleteEnrollment',
		'businesses/events/enrollments',
		body({ enrollment_id: is.text }),
		is.object({ response_context, status }),
		{ method: 'DELETE', inputMember: 'enrollment_id' },
	),
];

export function endpointNamed(name: EndpointName): Endpoint {
	const found = ENDPOINTS.find((one) => one.name === name);
	if (!found) throw new Error(`The contract has no endpoint named ${name}`);
	return found;
}

/** The inputs of a request: ids as they are, also those that a search filters by, match items as one text each. */
export function askedFor({ inputMember, name }: Endpoint, request: unknown): string[] {
	const members = (request ?? {}) as Record<string, unknown>;
	const { filters } = members as { filters?: { prospect_id?: { values?: string[] } } };
	const inputs = inputMember
		? members[inputMember]
		: name === 'search'
			? filters?.prospect_id?.values
			: undefined;
	return [inputs ?? []]
		.flat()
		.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}
