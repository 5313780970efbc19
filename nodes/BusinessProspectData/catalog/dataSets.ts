import { nameOf, type RowField } from '../core/json';

export interface DataSet {
	/** The option's value, which saved workflows contain. */
	readonly value: string;
	readonly name: string;
	readonly description: string;
	readonly outputField: string;
	/** The endpoint for up to 50 IDs. */
	readonly path: string;
	/** The endpoint for one ID. */
	readonly singlePath?: string;
	/** Raw and simplified fields of the parts that a request may fetch alone, as Contact Types allows. Absent if there are none. */
	readonly parts?: ReadonlyArray<readonly string[]>;
	/** True if the service may return several rows per ID. */
	readonly multipleRows?: boolean;
	/** Fields that have a value even if the service has no data. */
	readonly alwaysFilledFields?: readonly string[];
	/** The fields that Simplify keeps, at most ten (n8n's guidelines), the most useful first. */
	readonly fields: readonly RowField[];
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
		value: 'contacts',
		name: 'Contacts',
		description: 'Email addresses and phone numbers',
		outputField: 'contacts',
		path: '/v1/prospects/contacts_information/bulk_enrich',
		singlePath: '/v1/prospects/contacts_information/enrich',
		parts: [
			['emails', 'professions_email', 'professional_email_status'],
			['email', 'email_status', 'personal_email'],
			['phone_numbers', 'mobile_phone', 'phone_number'],
		],
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
	},
	{
		value: 'networkPosts',
		name: 'Network Posts',
		description: 'Recent posts on the professional network',
		outputField: 'network_posts',
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
];

/** The names that the fields of data sets have in rows, simplified or not. */
export const rowFieldsOf = (dataSets: readonly DataSet[]): string[] =>
	dataSets.flatMap(({ outputField, fields }) => [
		outputField,
		...fields.map((field) => `${outputField}_${nameOf(field)}`),
	]);
