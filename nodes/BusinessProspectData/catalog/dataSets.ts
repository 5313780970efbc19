import type { RowField } from '../core/json';

export interface DataSet {
	/** The option's value, which saved workflows contain. */
	readonly value: string;
	readonly name: string;
	readonly description: string;
	/** The column with Simplify off. Otherwise, with an underscore, the prefix of the columns. */
	readonly outputField: string;
	/** Left out of the members' names in columns. By default, `outputField`. */
	readonly repeatedWord?: string;
	/** The endpoint for up to 50 IDs. */
	readonly path: string;
	/** The endpoint for one ID. */
	readonly singlePath?: string;
	/** The columns of the parts that a request may fetch alone, by the value of Contact Types. */
	readonly parts?: Readonly<Record<string, readonly string[]>>;
	/** True if the service may return several rows per ID. */
	readonly multipleRows?: boolean;
	/** Fields that have a value even if the service has no data. */
	readonly alwaysFilledFields?: readonly string[];
	/** The fields that Simplify keeps, at most ten (n8n's guidelines), the most useful first. */
	readonly fields: readonly RowField[];
	/** Every other member that the contract shows. */
	readonly members: readonly string[];
}

const CURRENT_EMAIL = [
	{ path: 'professions_email' },
	{ path: 'emails.address', type: 'current_professional' },
];

/**
 * The data sets of Prospect: Enrich (contract: "Enrich one prospect's profile" to "Network posts in bulk"), in the order in which
 * rows have them.
 */
export const PROSPECT_DATA_SETS: readonly DataSet[] = [
	{
		value: 'profile',
		name: 'Profile',
		description: 'Job, company, experience, education, skills and location',
		outputField: 'profile',
		path: '/v1/prospects/profiles/bulk_enrich',
		singlePath: '/v1/prospects/profiles/enrich',
		fields: [
			'full_name',
			'job_title',
			'company_name',
			'first_name',
			'last_name',
			'job_level_main',
			'company_website',
			'country_name',
			'city',
			'network',
		],
		members: [
			...['region_name', 'network_url_array', 'age_group', 'gender', 'experience', 'education'],
			...['skills', 'interests', 'company_network', 'job_department', 'job_department_array'],
			...['job_department_main', 'job_seniority_level', 'job_level_array'],
		],
	},
	{
		value: 'contacts',
		name: 'Contacts',
		description: 'Email addresses and phone numbers',
		outputField: 'contacts',
		path: '/v1/prospects/contacts_information/bulk_enrich',
		singlePath: '/v1/prospects/contacts_information/enrich',
		parts: {
			email: [
				...['email', 'email_status', 'personal_email'],
				...['emails', 'professions_email', 'professional_email_status'],
			],
			phone: ['mobile_phone', 'phone_number', 'phone_numbers'],
		},
		members: ['emails', 'professions_email', 'professional_email_status', 'phone_numbers'],
		fields: [
			{
				name: 'email',
				first: [
					...CURRENT_EMAIL,
					{ path: 'emails.address', type: 'professional' },
					{ path: 'emails.address' },
				],
			},
			// `professional_email_status` is about the current professional address only.
			{
				name: 'email_status',
				first: [{ path: 'professional_email_status' }],
				onlyWith: CURRENT_EMAIL,
			},
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
		outputField: 'posts',
		path: '/v1/prospects/network_posts/bulk_enrich',
		repeatedWord: 'post',
		multipleRows: true,
		// Of the newest post, besides the number of posts.
		fields: ['count', 'post_text', 'created_at', 'post_url'],
		members: ['number_of_likes', 'number_of_comments', 'days_since_posted', 'display_name'],
	},
];
