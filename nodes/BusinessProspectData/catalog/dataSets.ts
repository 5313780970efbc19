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

/** The data sets of Business: Enrich (contract: Business bulk enrichment). */
export const BUSINESS_DATA_SETS: readonly DataSet[] = [
	{
		value: 'businessChallenges',
		name: 'Business Challenges',
		description: 'Challenges named in annual filings: competition, disruption, data security',
		key: 'business_challenges',
		path: '/v1/businesses/pc_business_challenges_10k/bulk_enrich',
	},
	{
		value: 'companyHierarchy',
		name: 'Company Hierarchy',
		description: 'Parent, ultimate parent, subsidiaries and the organization tree',
		key: 'company_hierarchy',
		path: '/v1/businesses/company_hierarchies/bulk_enrich',
	},
	{
		value: 'competitiveLandscape',
		name: 'Competitive Landscape',
		description: 'Competitors and differentiation named in annual filings',
		key: 'competitive_landscape',
		path: '/v1/businesses/pc_competitive_landscape_10k/bulk_enrich',
	},
	{
		value: 'employeeRatings',
		name: 'Employee Ratings',
		description: 'How employees rate the company',
		key: 'employee_ratings',
		path: '/v1/businesses/company_ratings_by_employees/bulk_enrich',
	},
	{
		value: 'fundingAndAcquisition',
		name: 'Funding and Acquisition',
		description: 'Funding rounds, investors, IPO and acquisition',
		key: 'funding_and_acquisition',
		path: '/v1/businesses/funding_and_acquisition/bulk_enrich',
	},
	{
		value: 'intent',
		name: 'Intent',
		description: 'Topics that the company is researching, with scores',
		key: 'intent',
		path: '/v1/businesses/intent/bulk_enrich',
		jsonTextFields: ['intent_topics'],
		contextFields: ['company_name', 'company_website', 'date_stamp'],
	},
	{
		value: 'strategy',
		name: 'Strategy',
		description: 'Strategy named in annual filings: markets, focus, partnerships',
		key: 'strategy',
		path: '/v1/businesses/pc_strategy_10k/bulk_enrich',
	},
	{
		value: 'technologyStack',
		name: 'Technology Stack',
		description: 'Technologies that the company uses, by category',
		key: 'technology_stack',
		path: '/v1/businesses/technographics/bulk_enrich',
	},
	{
		value: 'websiteTraffic',
		name: 'Website Traffic',
		description: 'Visits, channels and devices of one month',
		key: 'website_traffic',
		path: '/v1/businesses/website_traffic/bulk_enrich',
		contextFields: ['target', 'device_type', 'month_period', 'channel'],
	},
	{
		value: 'workforceTrends',
		name: 'Workforce Trends',
		description: 'Share and change of roles by department',
		key: 'workforce_trends',
		path: '/v1/businesses/workforce_trends/bulk_enrich',
	},
];
