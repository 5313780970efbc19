/** One data set of a person or a business: what the editor offers and how it is asked for. */
export interface Enrichment {
	/** As workflows save it. */
	readonly value: string;
	readonly name: string;
	readonly description: string;
	/** Its key in the output. */
	readonly key: string;
	/** For up to 50 at once. */
	readonly path: string;
	/** For one at a time, where the service has that. */
	readonly singlePath?: string;
	/** The service sends several rows for one. */
	readonly several?: boolean;
}

/** What a kind of entity is called in requests and answers. */
export interface Entity {
	readonly id: string;
	readonly ids: string;
}

export const PROSPECT: Entity = { id: 'prospect_id', ids: 'prospect_ids' };

/** The data sets of Prospect: Enrich (contract: Enrich one prospect's profile, and the following). */
export const PROSPECT_ENRICHMENTS: readonly Enrichment[] = [
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
		several: true,
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
