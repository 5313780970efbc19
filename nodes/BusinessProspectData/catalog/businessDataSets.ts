import { names } from '../core/text';
import { first, joined, number, numberIn, ofHighest } from './computedFields';
import type { DataSet } from './dataSets';

/** Fields that Simplify keeps for every analysis of annual filings (contract: Annual-filing analyses). */
const FILING_FIELDS = ['ticker', 'filed_at', 'link_to_html'] as const;

/** Other members of every analysis. */
const FILING_MEMBERS = [
	...['form_type', 'form_description', 'accession_number', 'cik', 'link_to_filing_details'],
] as const;

/** Departments of Workforce Trends that Simplify leaves out. */
const DEPARTMENTS = names(`
	design, hr, operations, pr, health, trades, finance, legal, media, real_estate, education
`);

/** The data sets of Business: Enrich (contract: Business bulk enrichment). */
export const BUSINESS_DATA_SETS: readonly DataSet[] = [
	{
		value: 'businessChallenges',
		name: 'Business Challenges',
		description: 'Challenges named in annual filings: competition, disruption, data security',
		outputField: 'challenges',
		path: '/v1/businesses/pc_business_challenges_10k/bulk_enrich',
		fields: [
			...names(`
				company_name, company_competition, technological_disruption,
				company_market_saturation, company_customer_adoption, company_data_security_privacy,
				company_data_security_breach
			`),
			...FILING_FIELDS,
		],
		members: [...FILING_MEMBERS],
	},
	{
		value: 'companyHierarchy',
		name: 'Company Hierarchy',
		description: 'Parent, ultimate parent, subsidiaries and the organization tree',
		outputField: 'hierarchy',
		path: '/v1/businesses/company_hierarchies/bulk_enrich',
		fields: [
			...names(`
				parent_company_name, parent_company_id, ultimate_parent_name, ultimate_parent_id
			`),
			joined('subsidiary_names', 'subsidiaries.name'),
		],
		members: ['business_id', 'subsidiaries', 'organization_tree'],
	},
	{
		value: 'competitiveLandscape',
		name: 'Competitive Landscape',
		description: 'Competitors and differentiation named in annual filings',
		outputField: 'landscape',
		path: '/v1/businesses/pc_competitive_landscape_10k/bulk_enrich',
		fields: ['company_name', 'key_competitors', 'competitive_differentiation', ...FILING_FIELDS],
		members: [...FILING_MEMBERS],
	},
	{
		value: 'employeeRatings',
		name: 'Employee Ratings',
		description: 'How employees rate the company',
		outputField: 'ratings',
		path: '/v1/businesses/company_ratings_by_employees/bulk_enrich',
		fields: names(`
			company_name, ratings_overall, total_reviews_count, ratings_recommend_to_friend,
			ratings_ceo_approval, ratings_business_outlook, ratings_career_opportunities,
			ratings_compensation_benefits, ratings_culture_values, ratings_work_life_balance
		`),
		members: names(`
			ratings_senior_management, company_city, company_country_code, company_region,
			company_street, company_url, company_zip_code, experience_negative,
			experience_neutral, experience_positive, ratings_all_reviews_count,
			ratings_ceo_approval_count, ratings_diversity_inclusion, company_score
		`),
	},
	{
		value: 'fundingAndAcquisition',
		name: 'Funding and Acquisition',
		description: 'Funding rounds, investors, IPO and acquisition',
		outputField: 'funding',
		path: '/v1/businesses/funding_and_acquisition/bulk_enrich',
		fields: [
			'company_name',
			'last_funding_round_type',
			'last_funding_round_date',
			number('last_funding_round_value_usd'),
			'known_funding_total_value',
			'number_of_funding_rounds',
			joined('investor_names', 'investors'),
			'is_ipo',
			'ipo_date',
			'acquired_by',
		],
		members: [
			...['domain', 'investors', 'number_of_advisors', 'num_of_news', 'current_advisors'],
			number('ipo_size_usd'),
			...names(`
				number_of_investors_for_first_funding_round, first_funding_round_value_usd,
				first_funding_round_type, first_funding_round_date
			`),
			number('latest_funding_increase_in_percents'),
			'number_of_investors_for_last_funding_round',
			'funding_rounds_info',
		],
	},
	{
		value: 'intent',
		name: 'Intent',
		description: 'Topics that the company is researching, with scores',
		outputField: 'intent',
		path: '/v1/businesses/intent/bulk_enrich',
		// Contract: Intent data.
		alwaysFilledFields: ['company_name', 'company_website', 'date_stamp'],
		fields: [
			'company_name',
			first('level', 'level_of_intent'),
			ofHighest('top_topic', 'intent_topics', 'composite_score', 'topic'),
			ofHighest('top_score', 'intent_topics', 'composite_score', 'composite_score'),
			numberIn('topic_count', 'topic_count', /^\s*(\d+)/),
			numberIn('topics_evaluated', 'topic_count', /\/\s*(\d+)/),
			'date_stamp',
			'company_website',
		],
		members: ['business_id', 'intent_topics', joined('topic_names', 'intent_topics.topic')],
	},
	{
		value: 'strategy',
		name: 'Strategy',
		description: 'Strategy described in annual filings: markets, focus, partnerships',
		outputField: 'strategy',
		path: '/v1/businesses/pc_strategy_10k/bulk_enrich',
		fields: [
			...names(`
				company_name, company_focus, company_value_proposition, target_market,
				company_product_development, company_partnerships, company_marketing_sales
			`),
			...FILING_FIELDS,
		],
		members: [...FILING_MEMBERS],
	},
	{
		value: 'technologyStack',
		name: 'Technology Stack',
		description: 'Technologies that the company uses, by category',
		outputField: 'tech',
		path: '/v1/businesses/technographics/bulk_enrich',
		fields: names(`
			marketing, sales, customer_management, ecommerce, bi_and_analytics,
			platform_and_storage, devops_and_development, prog_langs_and_frameworks, it_security
		`),
		members: names(`
			testing_and_qa, productivity_and_operations, product_and_design,
			operations_software, operations_management, it_management, hr, health_tech,
			finance_and_accounting, computer_networks, communications, collaboration,
			full_tech_stack, full_nested_tech_stack
		`),
	},
	{
		value: 'websiteTraffic',
		name: 'Website Traffic',
		description: 'Visits, channels and devices of one month',
		outputField: 'traffic',
		path: '/v1/businesses/website_traffic/bulk_enrich',
		// They have values even if all numbers are null (contract: Business bulk enrichment).
		alwaysFilledFields: ['target', 'device_type', 'month_period', 'channel'],
		fields: names(`
			target, month_period, visits, users, rank, pages_per_visit, time_on_site,
			bounce_rate, search, paid
		`),
		members: names(`
			business_id, accuracy, bounced_visits, channel, desktop_share, device_type, direct,
			display_ad, mail, mobile_bounce_rate, mobile_hits, mobile_pages_per_visit,
			mobile_share, mobile_users, mobile_visits, referral, search_organic, search_paid,
			social, social_organic, social_paid, unknown_channel
		`),
	},
	{
		value: 'workforceTrends',
		name: 'Workforce Trends',
		description: 'Share and change of roles by department',
		outputField: 'workforce',
		path: '/v1/businesses/workforce_trends/bulk_enrich',
		fields: names(`
			quarters, profiles_found_per_quarter, perc_sales_roles, change_in_sales_roles,
			perc_marketing_roles, change_in_marketing_roles, perc_engineering_roles,
			change_in_engineering_roles, perc_customer_service_roles,
			change_in_customer_service_roles
		`),
		members: [
			'change_in_roles_divisor',
			...DEPARTMENTS.flatMap((name) => [`perc_${name}_roles`, `change_in_${name}_roles`]),
		],
	},
];
