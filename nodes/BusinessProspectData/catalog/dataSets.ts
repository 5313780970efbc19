import { type ComputedField, firstOf, type RowField, textOf, valuesAt } from '../core/json';
import { names } from '../core/text';
import { first, ofType } from './computedFields';
import { CONTACT_CREDITS } from './service';

type ContactType = 'email' | 'phone';

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
	/** Requests only these types of contact details, which only the endpoint for one ID takes. */
	readonly contactTypes?: readonly ContactType[];
	/** True if the service may return several rows per ID. */
	readonly multipleRows?: boolean;
	/** Fields that have a value even if the service has no data. */
	readonly alwaysFilledFields?: readonly string[];
	/** The fields that Simplify keeps, at most ten (n8n's guidelines), the most useful first. */
	readonly fields: readonly RowField[];
	/** Every other member that the contract shows. */
	readonly members: readonly RowField[];
}

/** Names the profile by an identifier, not by the person's name. */
const IS_IDENTIFIER = /\/(?=[^/]*\p{Lu})[^/]+\/?$|\/[^/-]{25,}\/?$/u;

const PROFILE_URL: ComputedField = {
	name: 'network',
	from: ['network', 'network_url_array'],
	read: (record) => {
		const urls = ['network', 'network_url_array'].flatMap((member) => valuesAt(record, member));
		return firstOf(urls.filter((url) => !IS_IDENTIFIER.test(textOf(url)))) ?? firstOf(urls);
	},
};

const PROFILE: DataSet = {
	value: 'profile',
	name: 'Profile',
	description: 'Job, company, experience, education, skills and location',
	outputField: 'profile',
	path: '/v1/prospects/profiles/bulk_enrich',
	singlePath: '/v1/prospects/profiles/enrich',
	fields: [
		...names(`
			full_name, job_title, company_name, first_name, last_name, job_level_main,
			company_website, country_name, city
		`),
		PROFILE_URL,
	],
	members: names(`
		region_name, network_url_array, age_group, gender, experience, education, skills,
		interests, company_network, job_department, job_department_array, job_department_main,
		job_seniority_level, job_level_array
	`),
};

const CURRENT = 'current_professional';
const OTHER = 'professional';

/** A work address, the current one if there is one. The status is about that one only. */
const workEmail = (name: string, member: 'address' | 'type' | 'status'): ComputedField => ({
	name,
	from: ['professions_email', 'emails', 'professional_email_status'],
	read: (record) => {
		const of = (type: string) => firstOf(valuesAt(record, 'emails.address', type));
		const current = firstOf([record.professions_email]) ?? of(CURRENT);
		const address = current ?? of(OTHER);
		if (member === 'address' || address === undefined) return address;
		if (member === 'type') return current === undefined ? OTHER : CURRENT;
		return current === undefined ? null : record.professional_email_status;
	},
});

const EMAIL_COLUMNS = {
	members: ['emails', 'professions_email', 'professional_email_status'],
	fields: [
		workEmail('email', 'address'),
		workEmail('email_status', 'status'),
		workEmail('email_type', 'type'),
		ofType('personal_email', 'emails.address', 'personal'),
	],
};

const PHONE_COLUMNS = {
	members: ['phone_numbers'],
	fields: ['mobile_phone', first('phone_number', 'phone_numbers.phone_number', 'mobile_phone')],
};

/** Emails and Phone Numbers together, which the service returns if a request doesn't say which. */
export const CONTACTS: DataSet = {
	value: 'contacts',
	name: 'Emails and Phone Numbers',
	description: 'Email addresses and phone numbers',
	outputField: 'contacts',
	path: '/v1/prospects/contacts_information/bulk_enrich',
	singlePath: '/v1/prospects/contacts_information/enrich',
	members: [...EMAIL_COLUMNS.members, ...PHONE_COLUMNS.members],
	fields: [...EMAIL_COLUMNS.fields, ...PHONE_COLUMNS.fields],
};

const EMAILS: DataSet = {
	...CONTACTS,
	value: 'emails',
	name: 'Emails',
	description: `Work and personal emails. Alone: ${CONTACT_CREDITS.email} credits and 1 request each. With Phone Numbers: in batches, price not published.`,
	contactTypes: ['email'],
	...EMAIL_COLUMNS,
};

const PHONE_NUMBERS: DataSet = {
	...CONTACTS,
	value: 'phoneNumbers',
	name: 'Phone Numbers',
	description: `Mobile and other numbers. Alone: ${CONTACT_CREDITS.phone} credits and 1 request each. With Emails: in batches, price not published.`,
	contactTypes: ['phone'],
	...PHONE_COLUMNS,
};

const NETWORK_POSTS: DataSet = {
	value: 'networkPosts',
	name: 'Network Posts',
	description: 'Recent posts on the professional network',
	outputField: 'posts',
	path: '/v1/prospects/network_posts/bulk_enrich',
	repeatedWord: 'post',
	multipleRows: true,
	// The number of posts, then fields of the newest one.
	fields: ['count', 'post_text', 'created_at', 'post_url'],
	members: ['number_of_likes', 'number_of_comments', 'days_since_posted', 'display_name'],
};

/**
 * The data sets that Prospect: Enrich requests (contract: "Enrich one prospect's profile" to "Network posts in bulk"), in the order
 * in which rows have them.
 */
export const REQUESTED_DATA_SETS: readonly DataSet[] = [
	PROFILE,
	CONTACTS,
	EMAILS,
	PHONE_NUMBERS,
	NETWORK_POSTS,
];

/** Credits for each ID. Undefined if the price isn't published. */
export function priceOf({ path, contactTypes = [] }: DataSet, single: boolean): number | undefined {
	if (path !== CONTACTS.path || !single) return undefined;
	const [type] = contactTypes;
	return CONTACT_CREDITS[type ?? 'both'];
}

/**
 * What decides the data set's answer about an ID, in Remember In. Readable, so that people find a person's rows. The endpoint for
 * one ID may send other members.
 */
export function answerKey(
	{ value, singlePath, contactTypes }: DataSet,
	id: string,
	{
		single = false,
		...parameters
	}: { readonly single?: boolean; readonly [name: string]: unknown } = {},
): string {
	const isSingle = single && singlePath !== undefined && contactTypes === undefined;
	const more = JSON.stringify({
		...(contactTypes !== undefined && { contact_types: contactTypes }),
		...parameters,
		...(isSingle && { single }),
	});
	return `${value} ${id}${more === '{}' ? '' : ` ${more}`}`;
}

/** The keys of both endpoints. */
export const answerKeys = (dataSet: DataSet, id: string): string[] => [
	...new Set([false, true].map((single) => answerKey(dataSet, id, { single }))),
];

/** The data sets that people choose from. */
export const PROSPECT_DATA_SETS = REQUESTED_DATA_SETS.filter((one) => one !== CONTACTS);

/** The data sets that rows may have: Emails and Phone Numbers are columns of Contacts. */
export const PROSPECT_RECORDS = REQUESTED_DATA_SETS.filter((one) => one.contactTypes === undefined);
