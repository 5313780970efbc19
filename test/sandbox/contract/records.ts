/** JSON Schemas of the records in answers (contract: "Resources and their fields"). */
import {
	anyListOrNull,
	booleanOrNull,
	each,
	integer,
	integerOrNull,
	list,
	numberOrNull,
	object,
	oneOf,
	orNull,
	record,
	text,
	textOrNull,
	textsOrNull,
	type JsonSchema,
} from './schema';

export const suggestion = record({ query: text, label: text, value: text });

const experience = orNull(
	list(
		object(
			{
				company: record({ name: textOrNull, website: textOrNull }),
				title: record({ levels: list(textOrNull), name: textOrNull }),
				start_date: textOrNull,
				end_date: textOrNull,
				is_primary: booleanOrNull,
			},
			['company', 'title', 'start_date'],
		),
	),
);

const education = orNull(
	list(
		object(
			{
				...each(['degrees', 'majors', 'minors'], textsOrNull),
				school: record({ name: textOrNull }),
				...each(['start_date', 'end_date'], textOrNull),
			},
			['school'],
		),
	),
);

const named = ['first_name', 'last_name', 'full_name', 'country_name', 'region_name', 'city'];
const workplace = ['company_name', 'company_website', 'company_network', 'job_title'];

export const prospect = record({
	prospect_id: text,
	professional_email_hashed: textOrNull,
	...each([...named, ...workplace, 'network', 'job_department', 'business_id'], textOrNull),
	experience,
	...each(['skills', 'interests', 'network_url_array'], textsOrNull),
	...each(['job_department_array', 'job_level_array', 'job_seniority_level'], textsOrNull),
	...each(['job_department_main', 'job_level_main'], textOrNull),
});

/** Bulk variant; the single one leaves out `first_name`, `last_name` and `network_url_array`. */
const profileMembers = {
	...each([...named, ...workplace, 'network', 'age_group', 'gender'], textOrNull),
	experience,
	education,
	...each(['skills', 'interests', 'network_url_array'], textsOrNull),
	job_department: { type: ['object', 'null'] },
	...each(['job_department_array', 'job_level_array'], textsOrNull),
	...each(['job_seniority_level', 'job_department_main', 'job_level_main'], textOrNull),
};
export const BULK_ONLY_PROFILE_MEMBERS = ['first_name', 'last_name', 'network_url_array'];
export const profileBulk = record(profileMembers);
export const profile = record(
	Object.fromEntries(
		Object.entries(profileMembers).filter(([name]) => !BULK_ONLY_PROFILE_MEMBERS.includes(name)),
	),
);

export const contacts = record({
	emails: orNull(list(record({ address: text, type: text }))),
	professions_email: textOrNull,
	professional_email_status: { enum: ['valid', 'invalid', 'catch-all', null] },
	phone_numbers: orNull(list(record({ phone_number: text }))),
	mobile_phone: textOrNull,
});

export const post = record({
	...each(['display_name', 'post_text', 'post_url', 'created_at'], textOrNull),
	...each(['days_since_posted', 'number_of_comments', 'number_of_likes'], integerOrNull),
});

const hierarchy = record({
	business_id: text,
	...each(
		['parent_company_id', 'parent_company_name', 'ultimate_parent_id', 'ultimate_parent_name'],
		textOrNull,
	),
	subsidiaries: orNull(list(record({ id: text, name: text }))),
	organization_tree: orNull(
		list(
			record({
				level: integer,
				companies: list(
					record({ id: text, name: text, parent_id: textOrNull, parent_name: textOrNull }),
				),
			}),
		),
	),
});

const intent = record({
	business_id: text,
	...each(['company_name', 'company_website', 'date_stamp', 'intent_topics'], textOrNull),
	level_of_intent: {
		enum: ['In-Depth Research', 'In Depth Research', 'Active Research', 'Early Research', null],
	},
	topic_count: { type: ['string', 'null'], pattern: '^\\d+ / \\d+$' },
});

export const TRAFFIC_NUMBERS = [
	'accuracy bounced_visits bounce_rate desktop_share direct display_ad mail mobile_bounce_rate',
	'mobile_hits mobile_pages_per_visit mobile_share mobile_users mobile_visits pages_per_visit paid',
	'referral rank search search_organic search_paid social social_organic social_paid time_on_site',
	'unknown_channel users visits',
].flatMap((line) => line.split(' '));

const traffic = record({
	business_id: text,
	...each(TRAFFIC_NUMBERS, numberOrNull),
	...each(['channel', 'device_type', 'target', 'month_period'], textOrNull),
});

export const TECHNOLOGY_LISTS = [
	'testing_and_qa sales prog_langs_and_frameworks productivity_and_operations product_and_design',
	'platform_and_storage operations_software operations_management marketing it_security',
	'it_management hr health_tech finance_and_accounting ecommerce devops_and_development',
	'customer_management computer_networks communications collaboration bi_and_analytics',
].flatMap((line) => line.split(' '));

const technology = record({
	...each(['full_tech_stack', ...TECHNOLOGY_LISTS], textsOrNull),
	full_nested_tech_stack: anyListOrNull,
});

export const WORKFORCE_DEPARTMENTS = [
	'design sales hr operations pr health trades engineering finance customer_service legal media',
	'marketing real_estate education',
].flatMap((line) => line.split(' '));

const workforce = record({
	...each(['profiles_found_per_quarter', 'change_in_roles_divisor'], numberOrNull),
	...each(
		WORKFORCE_DEPARTMENTS.flatMap((name) => [`perc_${name}_roles`, `change_in_${name}_roles`]),
		numberOrNull,
	),
	quarters: textOrNull,
});

const funding = record({
	...each(['domain', 'company_name', 'ipo_size_usd', 'ipo_date', 'acquired_by'], textOrNull),
	...each(['first_funding_round_type', 'first_funding_round_date'], textOrNull),
	...each(['last_funding_round_type', 'last_funding_round_date'], textOrNull),
	...each(['last_funding_round_value_usd', 'latest_funding_increase_in_percents'], textOrNull),
	...each(['number_of_advisors', 'num_of_news', 'number_of_funding_rounds'], integerOrNull),
	number_of_investors_for_first_funding_round: integerOrNull,
	number_of_investors_for_last_funding_round: integerOrNull,
	...each(['first_funding_round_value_usd', 'known_funding_total_value'], numberOrNull),
	investors: textsOrNull,
	is_ipo: booleanOrNull,
	...each(['current_advisors', 'funding_rounds_info'], anyListOrNull),
});

export const RATING_NUMBERS = [
	'experience_negative experience_neutral experience_positive ratings_all_reviews_count',
	'ratings_business_outlook ratings_career_opportunities ratings_ceo_approval',
	'ratings_ceo_approval_count ratings_compensation_benefits ratings_culture_values',
	'ratings_diversity_inclusion ratings_overall ratings_recommend_to_friend',
	'ratings_senior_management ratings_work_life_balance total_reviews_count',
].flatMap((line) => line.split(' '));

const ratings = record({
	...each(['company_name', 'company_city', 'company_country_code', 'company_region'], textOrNull),
	...each(['company_street', 'company_url', 'company_zip_code'], textOrNull),
	...each(RATING_NUMBERS, numberOrNull),
	company_score: orNull(list({ type: 'array' })),
});

const FILING_TEXTS = [
	'form_type form_description accession_number cik company_name ticker link_to_html',
	'link_to_filing_details filed_at',
].flatMap((line) => line.split(' '));

export const FILING_LISTS = {
	businessChallenges: [
		'technological_disruption',
		'company_data_security_breach',
		'company_market_saturation',
		'company_data_security_privacy',
		'company_competition',
		'company_customer_adoption',
	],
	strategy: [
		'target_market',
		'company_value_proposition',
		'company_focus',
		'company_partnerships',
		'company_product_development',
		'company_marketing_sales',
	],
	competitiveLandscape: ['competitive_differentiation', 'key_competitors'],
} as const;

const filing = (lists: readonly string[]) =>
	record({ ...each(FILING_TEXTS, textOrNull), ...each(lists, textsOrNull) });

/** The `data` of the business data sets, by the endpoint's name. */
export const businessData = {
	businessChallenges: filing(FILING_LISTS.businessChallenges),
	companyHierarchy: hierarchy,
	competitiveLandscape: filing(FILING_LISTS.competitiveLandscape),
	employeeRatings: ratings,
	fundingAndAcquisition: funding,
	intent,
	strategy: filing(FILING_LISTS.strategy),
	technologyStack: technology,
	websiteTraffic: traffic,
	workforceTrends: workforce,
} satisfies Record<string, JsonSchema>;
export type BusinessDataSet = keyof typeof businessData;

const event = (idMember: string) =>
	record({
		event_name: text,
		event_time: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T.+[+-]\\d{2}:\\d{2}$' },
		event_id: text,
		[idMember]: text,
		data: { type: 'object' },
	});
export const prospectEvent = event('prospect_id');
export const businessEvent = event('business_id');

export const creditMode = oneOf(['timely', 'endpoints']);
