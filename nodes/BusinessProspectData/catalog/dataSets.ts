import type { RowField } from '../core/simplify';

/** One data set of prospects or businesses: its option in the editor, its endpoints and its output. */
export interface DataSet {
	/** As workflows save it. */
	readonly value: string;
	readonly name: string;
	readonly description: string;
	/** Its key in the output. */
	readonly key: string;
	/** The endpoint for up to 50 IDs. */
	readonly path: string;
	/** The endpoint for one ID, if there is one. */
	readonly singlePath?: string;
	/** The service returns several rows per ID. */
	readonly multipleRows?: boolean;
	/** Fields that have a value even if the service has no data. */
	readonly contextFields?: readonly string[];
	/** The fields that Simplify keeps, the most useful first: up to 10. */
	readonly fields: readonly RowField[];
	/** Simplify keeps only fields that have a value. */
	readonly onlyWithValue?: boolean;
}

/** The fields of a found prospect that Simplify keeps (contract: Prospect record). */
export const SEARCH_FIELDS: readonly RowField[] = [
	'prospect_id',
	'full_name',
	'job_title',
	'job_department_main',
	'job_level_main',
	'company_name',
	'company_website',
	'business_id',
	'country_name',
	'network',
];

/** What all analyses of annual filings have (contract: Annual-filing analyses). */
const FILING_FIELDS = ['company_name', 'ticker', 'filed_at', 'link_to_html'] as const;

/** The data sets of Prospect: Enrich (contract: from Enrich one prospect's profile to Network posts in bulk). */
export const PROSPECT_DATA_SETS: readonly DataSet[] = [
	{
		value: 'contacts',
		name: 'Contacts',
		description: 'Email addresses and phone numbers',
		key: 'contacts',
		path: '/v1/prospects/contacts_information/bulk_enrich',
		singlePath: '/v1/prospects/contacts_information/enrich',
		fields: [
			{
				name: 'email',
				first: [
					{ path: 'professions_email' },
					{ path: 'emails.address', type: 'current_professional' },
					{ path: 'emails.address', type: 'professional' },
					{ path: 'emails.address' },
				],
			},
			{ name: 'email_status', first: [{ path: 'professional_email_status' }] },
			{ name: 'personal_email', first: [{ path: 'emails.address', type: 'personal' }] },
			'mobile_phone',
			{
				name: 'phone_number',
				first: [{ path: 'phone_numbers.phone_number' }, { path: 'mobile_phone' }],
			},
		],
	},
	{
		value: 'networkPosts',
		name: 'Network Posts',
		description: 'Recent posts on the professional network',
		key: 'network_posts',
		path: '/v1/prospects/network_posts/bulk_enrich',
		multipleRows: true,
		fields: [
			'post_text',
			'created_at',
			'post_url',
			'number_of_likes',
			'number_of_comments',
			'days_since_posted',
			'display_name',
		],
	},
	{
		value: 'profile',
		name: 'Profile',
		description: 'Job, company, experience, education, skills and location',
		key: 'profile',
		path: '/v1/prospects/profiles/bulk_enrich',
		singlePath: '/v1/prospects/profiles/enrich',
		fields: [
			'full_name',
			'job_title',
			'job_department_main',
			'job_level_main',
			'company_name',
			'company_website',
			'country_name',
			'region_name',
			'city',
			'network',
		],
	},
];

/** The data sets of Business: Enrich (contract: Business bulk enrichment). */
export const BUSINESS_DATA_SETS: readonly DataSet[] = [
	{
		value: 'businessChallenges',
		name: 'Business Challenges',
		description: 'Challenges named in annual filings: competition, disruption, data security',
		key: 'business_challenges',
		path: '/v1/businesses/pc_business_challenges_10k/bulk_enrich',
		fields: [
			'company_competition',
			'technological_disruption',
			'company_market_saturation',
			'company_customer_adoption',
			'company_data_security_privacy',
			'company_data_security_breach',
			...FILING_FIELDS,
		],
	},
	{
		value: 'companyHierarchy',
		name: 'Company Hierarchy',
		description: 'Parent, ultimate parent, subsidiaries and the organization tree',
		key: 'company_hierarchy',
		path: '/v1/businesses/company_hierarchies/bulk_enrich',
		fields: [
			'parent_company_name',
			'parent_company_id',
			'ultimate_parent_name',
			'ultimate_parent_id',
			{ name: 'subsidiary_names', joined: { path: 'subsidiaries.name' } },
		],
	},
	{
		value: 'competitiveLandscape',
		name: 'Competitive Landscape',
		description: 'Competitors and differentiation named in annual filings',
		key: 'competitive_landscape',
		path: '/v1/businesses/pc_competitive_landscape_10k/bulk_enrich',
		fields: ['key_competitors', 'competitive_differentiation', ...FILING_FIELDS],
	},
	{
		value: 'employeeRatings',
		name: 'Employee Ratings',
		description: 'How employees rate the company',
		key: 'employee_ratings',
		path: '/v1/businesses/company_ratings_by_employees/bulk_enrich',
		fields: [
			'ratings_overall',
			'total_reviews_count',
			'ratings_recommend_to_friend',
			'ratings_ceo_approval',
			'ratings_business_outlook',
			'ratings_career_opportunities',
			'ratings_compensation_benefits',
			'ratings_culture_values',
			'ratings_work_life_balance',
			'ratings_senior_management',
		],
	},
	{
		value: 'fundingAndAcquisition',
		name: 'Funding and Acquisition',
		description: 'Funding rounds, investors, IPO and acquisition',
		key: 'funding_and_acquisition',
		path: '/v1/businesses/funding_and_acquisition/bulk_enrich',
		fields: [
			'company_name',
			'last_funding_round_type',
			'last_funding_round_date',
			'last_funding_round_value_usd',
			'known_funding_total_value',
			'number_of_funding_rounds',
			{ name: 'investor_names', joined: { path: 'investors' } },
			'is_ipo',
			'ipo_date',
			'acquired_by',
		],
	},
	{
		value: 'intent',
		name: 'Intent',
		description: 'Topics that the company is researching, with scores',
		key: 'intent',
		path: '/v1/businesses/intent/bulk_enrich',
		contextFields: ['company_name', 'company_website', 'date_stamp'],
		fields: [
			'company_name',
			'level_of_intent',
			{ name: 'topic_names', joined: { path: 'intent_topics.topic' } },
			'topic_count',
			'date_stamp',
			'company_website',
			{
				name: 'topics',
				list: 'intent_topics',
				members: { topic: 'topic', score: 'composite_score' },
			},
		],
	},
	{
		value: 'strategy',
		name: 'Strategy',
		description: 'Strategy named in annual filings: markets, focus, partnerships',
		key: 'strategy',
		path: '/v1/businesses/pc_strategy_10k/bulk_enrich',
		fields: [
			'company_focus',
			'company_value_proposition',
			'target_market',
			'company_product_development',
			'company_partnerships',
			'company_marketing_sales',
			...FILING_FIELDS,
		],
	},
	{
		value: 'technologyStack',
		name: 'Technology Stack',
		description: 'Technologies that the company uses, by category',
		key: 'technology_stack',
		path: '/v1/businesses/technographics/bulk_enrich',
		fields: [
			'marketing',
			'sales',
			'customer_management',
			'ecommerce',
			'bi_and_analytics',
			'platform_and_storage',
			'devops_and_development',
			'prog_langs_and_frameworks',
			'it_security',
			'collaboration',
			'communications',
			'productivity_and_operations',
			'finance_and_accounting',
			'hr',
			'operations_management',
			'operations_software',
			'it_management',
			'product_and_design',
			'testing_and_qa',
			'computer_networks',
			'health_tech',
		],
		onlyWithValue: true,
	},
	{
		value: 'websiteTraffic',
		name: 'Website Traffic',
		description: 'Visits, channels and devices of one month',
		key: 'website_traffic',
		path: '/v1/businesses/website_traffic/bulk_enrich',
		contextFields: ['target', 'device_type', 'month_period', 'channel'],
		fields: [
			'visits',
			'users',
			'month_period',
			'rank',
			'pages_per_visit',
			'time_on_site',
			'bounce_rate',
			'search',
			'paid',
			'target',
		],
	},
	{
		value: 'workforceTrends',
		name: 'Workforce Trends',
		description: 'Share and change of roles by department',
		key: 'workforce_trends',
		path: '/v1/businesses/workforce_trends/bulk_enrich',
		fields: [
			'quarters',
			'profiles_found_per_quarter',
			'perc_sales_roles',
			'change_in_sales_roles',
			'perc_marketing_roles',
			'change_in_marketing_roles',
			'perc_engineering_roles',
			'change_in_engineering_roles',
			'perc_customer_service_roles',
			'change_in_customer_service_roles',
		],
	},
];
