/** JSON Schemas of the answers with status 200 (contract: "Common conventions" and "Endpoints"). */
import { MATCH_MEMBERS } from './requests';
import {
	businessEvent,
	contacts,
	creditMode,
	post,
	profile,
	profileBulk,
	prospect,
	prospectEvent,
	suggestion,
} from './records';
import {
	each,
	integer,
	list,
	object,
	oneOf,
	record,
	text,
	textOrNull,
	type JsonSchema,
} from './schema';

const status = oneOf(['success', 'miss', 'failure']);

export const responseContext = record({
	correlation_id: text,
	request_status: status,
	time_took_in_seconds: { type: 'number', minimum: 0 },
});

const entityId: JsonSchema = { type: ['string', 'null'], pattern: '^[a-f0-9]{32}$' };

/** Most answers: the given members, and those that they share (contract: "Common conventions"). */
export const envelope = (members: Record<string, JsonSchema>) =>
	record({
		response_context: responseContext,
		total_results: integer,
		entity_id: entityId,
		...members,
	});

export const prospectRows = (data: JsonSchema) =>
	envelope({ data: list(record({ prospect_id: text, data })) });
export const businessRows = (data: JsonSchema) =>
	envelope({ data: list(record({ business_id: text, data })) });

export const autocompleteAnswer = list(suggestion);

export const matchAnswer = envelope({
	total_matches: { type: 'integer', minimum: 0 },
	matched_prospects: list(
		object(
			{
				input: record(each(MATCH_MEMBERS, textOrNull)),
				prospect_id: textOrNull,
				error: text,
				error_type: text,
			},
			['input', 'prospect_id'],
		),
	),
});

export const searchAnswer = envelope({
	total_pages: integer,
	page: integer,
	data: list(prospect),
});

export const profileAnswer = envelope({ data: profile });
export const profileBulkAnswer = prospectRows(profileBulk);
export const contactsAnswer = envelope({ data: contacts });
export const contactsBulkAnswer = prospectRows(contacts);
export const postsBulkAnswer = prospectRows(post);

const counts: JsonSchema = { type: 'object', additionalProperties: integer };
export const statsAnswer = envelope({
	stats: record({
		business_categories_per_location: { type: 'object', additionalProperties: counts },
		revenue_per_category: { type: 'object' },
		number_of_employees_per_category: { type: 'object' },
	}),
});

export const prospectEventsAnswer = envelope({ output_events: list(prospectEvent) });
export const businessEventsAnswer = envelope({ output_events: list(businessEvent) });

export const deleteEnrollmentAnswer = record({ response_context: responseContext, status });

export const creditsAnswer = object(
	{
		response_context: responseContext,
		from_date: text,
		to_date: text,
		mode: creditMode,
		resolution: oneOf(['hour', 'day', 'month']),
		timezone: text,
		total_credits: integer,
		aggregations: { type: 'array', items: { type: 'object' } },
	},
	['response_context', 'from_date', 'to_date', 'mode', 'timezone', 'total_credits', 'aggregations'],
);
