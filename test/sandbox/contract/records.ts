/** JSON Schemas of the records in answers (contract: "Resources and their fields"). */
import * as is from './schema';
import { words } from './schema';

const experience = is.object({
	company: is.object({ 'name website': is.textOrNull }),
	title: is.object({ levels: is.list(is.textOrNull), name: is.textOrNull }),
	'start_date end_date?': is.textOrNull,
	'is_primary?': is.booleanOrNull,
});

const education = is.object({
	'degrees? majors? minors?': is.textsOrNull,
	school: is.object({ name: is.textOrNull }),
	'start_date? end_date?': is.textOrNull,
});

/** What a search and a profile tell. */
const person = {
	'first_name last_name full_name country_name region_name city network': is.textOrNull,
	'company_name company_website company_network job_title': is.textOrNull,
	experience: is.orNull(is.list(experience)),
	'skills interests network_url_array job_department_array job_level_array': is.textsOrNull,
	'job_department_main job_level_main': is.textOrNull,
};

export const prospect = is.object({
	prospect_id: is.text,
	'professional_email_hashed business_id job_department': is.textOrNull,
	job_seniority_level: is.textsOrNull,
	...person,
});

export const profileBulk = is.object({
	...person,
	'age_group gender job_seniority_level': is.textOrNull,
	education: is.orNull(is.list(education)),
	job_department: is.orNull({ type: 'object' }),
});
/** Without `first_name`, `last_name` and `network_url_array`. */
export const profile = is.object(
	Object.fromEntries(
		Object.entries((profileBulk as { properties: is.Members }).properties).filter(
			([name]) => !/^(first|last)_name$|_url_array$/.test(name),
		),
	),
);

export const contacts = is.object({
	emails: is.orNull(is.list(is.object({ 'address type': is.text }))),
	'professions_email mobile_phone': is.textOrNull,
	professional_email_status: { enum: ['valid', 'invalid', 'catch-all', null] },
	phone_numbers: is.orNull(is.list(is.object({ phone_number: is.text }))),
});

export const post = is.object({
	'display_name post_text post_url created_at': is.textOrNull,
	'days_since_posted number_of_comments number_of_likes': is.integerOrNull,
});

export const TRAFFIC_NUMBERS = [
	'accuracy bounced_visits bounce_rate desktop_share direct display_ad mail mobile_bounce_rate',
	'mobile_hits mobile_pages_per_visit mobile_share mobile_users mobile_visits pages_per_visit paid',
	'referral rank search search_organic search_paid social social_organic social_paid time_on_site',
	'unknown_channel users visits',
].flatMap(words);

export const TECHNOLOGY_LISTS = [
	'testing_and_qa sales prog_langs_and_frameworks productivity_and_operations product_and_design',
	'platform_and_storage operations_software operations_management marketing it_security',
	'it_management hr health_tech finance_and_accounting ecommerce devops_and_development',
	'customer_management computer_networks communications collaboration bi_and_analytics',
].flatMap(words);

export const WORKFORCE_DEPARTMENTS = [
	'design sales hr operations pr health trades engineering finance customer_service legal media',
	'marketing real_estate education',
].flatMap(words);

export const RATING_NUMBERS = [
	'experience_negative experience_neutral experience_positive ratings_all_reviews_count',
	'ratings_business_outlook ratings_career_opportunities ratings_ceo_approval',
	'ratings_ceo_approval_count ratings_compensation_benefits ratings_culture_values',
	'ratings_diversity_inclusion ratings_overall ratings_recommend_to_friend',
	'ratings_senior_management ratings_work_life_balance total_reviews_count',
].flatMap(words);

export const FILING_LISTS = {
	businessChallenges: [
		'technological_disruption company_data_security_breach company_market_saturation',
		'company_data_security_privacy company_competition company_customer_adoption',
	].flatMap(words),
	strategy: [
		'target_market company_value_proposition company_focus company_partnerships',
		'company_product_development company_marketing_sales',
	].flatMap(words),
	competitiveLandscape: words('competitive_differentiation key_competitors'),
};

const filing = (set: keyof typeof FILING_LISTS) =>
	is.object({
		'form_type form_description accession_number cik company_name ticker': is.textOrNull,
		'link_to_html link_to_filing_details filed_at': is.textOrNull,
		[FILING_LISTS[set].join(' ')]: is.textsOrNull,
	});

/** The `data` of the business data sets, by the endpoint's name. */
export const businessData = {
	businessChallenges: filing('businessChallenges'),
	companyHierarchy: is.object({
		business_id: is.text,
		'parent_company_id parent_company_name': is.textOrNull,
		'ultimate_parent_id ultimate_parent_name': is.textOrNull,
		subsidiaries: is.orNull(is.list(is.object({ 'id name': is.text }))),
		organization_tree: is.orNull(
			is.list(
				is.object({
					level: is.integer,
					companies: is.list(
						is.object({ 'id name': is.text, 'parent_id parent_name': is.textOrNull }),
					),
				}),
			),
		),
	}),
	competitiveLandscape: filing('competitiveLandscape'),
	employeeRatings: is.object({
		'company_name company_city company_country_code company_region': is.textOrNull,
		'company_street company_url company_zip_code': is.textOrNull,
		[RATING_NUMBERS.join(' ')]: is.numberOrNull,
		company_score: is.orNull(is.list({ type: 'array' })),
	}),
	fundingAndAcquisition: is.object({
		'domain company_name ipo_size_usd ipo_date acquired_by': is.textOrNull,
		'first_funding_round_type first_funding_round_date': is.textOrNull,
		'last_funding_round_type last_funding_round_date': is.textOrNull,
		'last_funding_round_value_usd latest_funding_increase_in_percents': is.textOrNull,
		'number_of_advisors num_of_news number_of_funding_rounds': is.integerOrNull,
		number_of_investors_for_first_funding_round: is.integerOrNull,
		number_of_investors_for_last_funding_round: is.integerOrNull,
		'first_funding_round_value_usd known_funding_total_value': is.numberOrNull,
		investors: is.textsOrNull,
		is_ipo: is.booleanOrNull,
		'current_advisors funding_rounds_info': is.anyListOrNull,
	}),
	intent: is.object({
		business_id: is.text,
		'company_name company_website date_stamp intent_topics': is.textOrNull,
		level_of_intent: {
			enum: ['In-Depth Research', 'In Depth Research', 'Active Research', 'Early Research', null],
		},
		topic_count: { type: ['string', 'null'], pattern: '^\\d+ / \\d+$' },
	}),
	strategy: filing('strategy'),
	technologyStack: is.object({
		[['full_tech_stack', ...TECHNOLOGY_LISTS].join(' ')]: is.textsOrNull,
		full_nested_tech_stack: is.anyListOrNull,
	}),
	websiteTraffic: is.object({
		business_id: is.text,
		[TRAFFIC_NUMBERS.join(' ')]: is.numberOrNull,
		'channel device_type target month_period': is.textOrNull,
	}),
	workforceTrends: is.object({
		'profiles_found_per_quarter change_in_roles_divisor': is.numberOrNull,
		[WORKFORCE_DEPARTMENTS.map((name) => `perc_${name}_roles change_in_${name}_roles`).join(' ')]:
			is.numberOrNull,
		quarters: is.textOrNull,
	}),
} satisfies Record<string, is.JsonSchema>;
export type BusinessDataSet = keyof typeof businessData;

export const event = (idMember: 'prospect_id' | 'business_id') =>
	is.object({
		[`event_name event_id ${idMember}`]: is.text,
		event_time: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T.+[+-]\\d{2}:\\d{2}$' },
		data: { type: 'object' },
	});
