/** JSON Schemas of the requests, as the contract's section "Endpoints" gives them. */
import {
	AUTOCOMPLETE_FIELDS,
	COMPANY_REVENUES,
	COMPANY_SIZES,
	LIMITS,
	PROSPECT_EVENT_TYPES,
} from './limits';
import {
	body,
	booleanValue,
	businessId,
	dateOrDateTime,
	dateTime,
	integer,
	list,
	object,
	oneOf,
	orNull,
	parameters,
	prospectId,
	text,
	textOrNull,
	type JsonSchema,
} from './schema';

const upTo = (most: number): JsonSchema => ({ minItems: 1, maxItems: most });
const prospectIds = (rules: JsonSchema = {}) =>
	list(prospectId, { ...upTo(LIMITS.enrichmentIds), ...rules });

/** Query members arrive as text. */
export const autocompleteQuery = object(
	{
		field: oneOf(AUTOCOMPLETE_FIELDS),
		query: text,
		semantic_search: oneOf(['true', 'false']),
	},
	['field'],
);

export const MATCH_MEMBERS = [
	'business_id',
	'full_name',
	'company_name',
	'email',
	'phone_number',
	'network',
] as const;

export const matchBody = body(
	{
		prospects_to_match: list(
			object({
				business_id: orNull(businessId),
				full_name: textOrNull,
				company_name: textOrNull,
				email: textOrNull,
				phone_number: textOrNull,
				network: textOrNull,
			}),
			upTo(LIMITS.matchItems),
		),
	},
	['prospects_to_match'],
);

const values = (items: JsonSchema = text) => object({ values: list(items) }, ['values']);
const yesNo = object({ value: booleanValue }, ['value']);
const months = object({ gte: integer, lte: integer }, [], { minProperties: 1 });
const countryCode: JsonSchema = { type: 'string', pattern: '^[A-Za-z]{2}$' };
const regionCode: JsonSchema = { type: 'string', pattern: '^[A-Za-z]{2}-[A-Za-z0-9]{1,3}$' };

/** The filters of "Fetch prospects", each in the form that its table gives. */
export const searchFilters = {
	has_email: yesNo,
	has_phone_number: yesNo,
	job_title: object({ value: text, include_related_job_titles: booleanValue }, ['value']),
	job_level: values(),
	job_department: values(),
	business_id: values(businessId),
	prospect_id: values(prospectId),
	country_code: values(countryCode),
	region_country_code: values(regionCode),
	city_region_country: values(),
	company_country_code: values(countryCode),
	company_region_country_code: values(regionCode),
	company_size: values(oneOf(COMPANY_SIZES)),
	company_revenue: values(oneOf(COMPANY_REVENUES)),
	search_category: values(),
	network_category: values(),
	naics_category: values({ type: 'string', pattern: '^\\d{2}(\\d{2}(\\d{1,2})?)?$' }),
	company_name: values(),
	total_experience_months: months,
	current_role_months: months,
};
export type SearchFilter = keyof typeof searchFilters;

export const searchBody = body({
	mode: oneOf(['full']),
	size: { type: 'integer', minimum: 1, maximum: LIMITS.searchSize },
	page_size: { type: 'integer', minimum: 1, maximum: LIMITS.searchPageSize },
	page: { type: 'integer', minimum: 1 },
	filters: object(searchFilters),
	exclude: orNull(list(prospectId)),
	next_cursor: textOrNull,
});

export const profileBody = body({ prospect_id: prospectId, parameters: parameters() }, [
	'prospect_id',
]);

export const profileBulkBody = body({ prospect_ids: prospectIds(), parameters: parameters() }, [
	'prospect_ids',
]);

export const contactsBody = body(
	{
		prospect_id: prospectId,
		parameters: parameters({ contact_types: list(oneOf(['email', 'phone']), { minItems: 1 }) }),
	},
	['prospect_id'],
);

export const contactsBulkBody = body(
	{ prospect_ids: prospectIds({ uniqueItems: true }), parameters: parameters() },
	['prospect_ids'],
);

export const postsBulkBody = body(
	{ prospect_ids: prospectIds(), parameters: parameters({ offline_mode: oneOf(['true']) }) },
	['prospect_ids'],
);

const businessBulkBody = (members: Record<string, JsonSchema> = {}) =>
	body(
		{
			business_ids: list(businessId, upTo(LIMITS.enrichmentIds)),
			parameters: parameters(members),
		},
		['business_ids'],
	);

export const plainBusinessBody = businessBulkBody();
export const intentBody = businessBulkBody({
	topics: list(text),
	min_score: { type: 'integer', exclusiveMinimum: LIMITS.minScoreAbove },
});
export const trafficBody = businessBulkBody({
	month_period: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' },
});

const statsFilter = object({ type: text, values: { type: 'array' }, negate: booleanValue }, [
	'type',
	'values',
]);

/** The list of business filters is open: any name is taken, each in the one form. */
export const statsBody = body({ filters: { type: 'object', additionalProperties: statsFilter } }, [
	'filters',
]);

const eventsBody = (idsMember: string, id: JsonSchema, eventType: JsonSchema) =>
	body(
		{
			event_types: list(eventType, { minItems: 1 }),
			[idsMember]: list(id, upTo(LIMITS.eventIds)),
			timestamp_from: dateOrDateTime,
			timestamp_to: dateOrDateTime,
			entity_type: oneOf(['business', 'prospect']),
		},
		['event_types', idsMember],
	);

export const prospectEventsBody = eventsBody(
	'prospect_ids',
	prospectId,
	oneOf(PROSPECT_EVENT_TYPES),
);
export const businessEventsBody = eventsBody('business_ids', businessId, text);

export const deleteEnrollmentBody = body({ enrollment_id: text }, ['enrollment_id']);

export const creditsBody = body(
	{
		from_date: dateTime,
		to_date: dateTime,
		mode: oneOf(['timely', 'endpoints']),
		resolution: oneOf(['hour', 'day', 'month']),
		timezone: text,
	},
	['from_date', 'to_date', 'mode'],
);
