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
	/** Fields that contain JSON text; Simplify parses them. */
	readonly jsonTextFields?: readonly string[];
}

/** The data sets of Prospect: Enrich (contract: from Enrich one prospect's profile to Network posts in bulk). */
export const PROSPECT_DATA_SETS: readonly DataSet[] = [
	{
		value: 'contacts',
		name: 'Contacts',
		description: 'Email addresses and phone numbers',
		key: 'contacts',
		path: '/v1/prospects/contacts_information/bulk_enrich',
		singlePath: '/v1/prospects/contacts_information/enrich',
	},
	{
		value: 'networkPosts',
		name: 'Network Posts',
		description: 'Recent posts on the professional network',
		key: 'network_posts',
		path: '/v1/prospects/network_posts/bulk_enrich',
		multipleRows: true,
	},
	{
		value: 'profile',
		name: 'Profile',
		description: 'Job, company, experience, education, skills and location',
		key: 'profile',
		path: '/v1/prospects/profiles/bulk_enrich',
		singlePath: '/v1/prospects/profiles/enrich',
	},
];

const business = (
	value: string,
	name: string,
	description: string,
	key: string,
	segment: string,
	overrides: Partial<DataSet> = {},
): DataSet => ({
	value,
	name,
	description,
	key,
	path: `/v1/businesses/${segment}/bulk_enrich`,
	...overrides,
});

/** The data sets of Business: Enrich (contract: Business bulk enrichment). */
export const BUSINESS_DATA_SETS: readonly DataSet[] = [
	business(
		'businessChallenges',
		'Business Challenges',
		'Challenges named in annual filings: competition, disruption, data security',
		'business_challenges',
		'pc_business_challenges_10k',
	),
	business(
		'companyHierarchy',
		'Company Hierarchy',
		'Parent, ultimate parent, subsidiaries and the organization tree',
		'company_hierarchy',
		'company_hierarchies',
	),
	business(
		'competitiveLandscape',
		'Competitive Landscape',
		'Competitors and differentiation named in annual filings',
		'competitive_landscape',
		'pc_competitive_landscape_10k',
	),
	business(
		'employeeRatings',
		'Employee Ratings',
		'How employees rate the company',
		'employee_ratings',
		'company_ratings_by_employees',
	),
	business(
		'fundingAndAcquisition',
		'Funding and Acquisition',
		'Funding rounds, investors, IPO and acquisition',
		'funding_and_acquisition',
		'funding_and_acquisition',
	),
	business(
		'intent',
		'Intent',
		'Topics that the company is researching, with scores',
		'intent',
		'intent',
		{
			jsonTextFields: ['intent_topics'],
			contextFields: ['company_name', 'company_website', 'date_stamp'],
		},
	),
	business(
		'strategy',
		'Strategy',
		'Strategy named in annual filings: markets, focus, partnerships',
		'strategy',
		'pc_strategy_10k',
	),
	business(
		'technologyStack',
		'Technology Stack',
		'Technologies that the company uses, by category',
		'technology_stack',
		'technographics',
	),
	business(
		'websiteTraffic',
		'Website Traffic',
		'Visits, channels and devices of one month',
		'website_traffic',
		'website_traffic',
		{ contextFields: ['target', 'device_type', 'month_period', 'channel'] },
	),
	business(
		'workforceTrends',
		'Workforce Trends',
		'Share and change of roles by department',
		'workforce_trends',
		'workforce_trends',
	),
];
