/** Prospect: Enrich. Which requests the choices of an item make. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { enriched, people, person, playTheService, run, serve } from '../runtime/node';

playTheService();

const BULK = {
	profile: 'prospects/profiles/bulk_enrich',
	contacts: 'prospects/contacts_information/bulk_enrich',
	networkPosts: 'prospects/network_posts/bulk_enrich',
};
const ALL = [person(0), person(1)];
const each = (path: string, more: IDataObject = {}) =>
	ALL.map((prospect_id) => ({ path, body: { prospect_id, ...more } }));
const together = (path: string, more: IDataObject = {}) => [
	{ path, body: { prospect_ids: ALL, ...more } },
];

const CONTACTS_ALONE = 'prospects/contacts_information/enrich';

const choices: Array<[string, INodeParameters, object[]]> = [
	['Profile by default', {}, together(BULK.profile)],
	['Contacts, both types by default', { dataSets: ['contacts'] }, together(BULK.contacts)],
	[
		'both types in the other order',
		{ dataSets: ['contacts'], contactTypes: ['phone', 'email'] },
		together(BULK.contacts),
	],
	[
		'email only: one prospect at a time',
		{ dataSets: ['contacts'], contactTypes: ['email'] },
		each(CONTACTS_ALONE, { parameters: { contact_types: ['email'] } }),
	],
	[
		'phone only, named twice',
		{ dataSets: ['contacts'], contactTypes: ['phone', 'phone'] },
		each(CONTACTS_ALONE, { parameters: { contact_types: ['phone'] } }),
	],
	[
		'one type of contacts leaves the other data sets in batches',
		{ dataSets: ['profile', 'contacts'], contactTypes: ['phone'] },
		[
			...each(CONTACTS_ALONE, { parameters: { contact_types: ['phone'] } }),
			...together(BULK.profile),
		],
	],
	[
		'contact types without contacts mean nothing',
		{ dataSets: ['profile'], contactTypes: ['email'] },
		together(BULK.profile),
	],
	['posts', { dataSets: ['networkPosts'] }, together(BULK.networkPosts)],
	[
		'posts, offline',
		{ dataSets: ['networkPosts'], options: { offlineMode: true } },
		together(BULK.networkPosts, { parameters: { offline_mode: 'true' } }),
	],
	[
		'posts, not offline: nothing is sent',
		{ dataSets: ['networkPosts'], options: { offlineMode: false } },
		together(BULK.networkPosts),
	],
	[
		'offline is for posts only',
		{ dataSets: ['profile'], options: { offlineMode: true } },
		together(BULK.profile),
	],
	['one per prospect', { options: { requestMode: 'single' } }, each('prospects/profiles/enrich')],
	[
		'one per prospect, where there is only the endpoint for many',
		{ dataSets: ['networkPosts'], options: { requestMode: 'single' } },
		ALL.map((id) => ({ path: BULK.networkPosts, body: { prospect_ids: [id] } })),
	],
	[
		'a context',
		{ options: { requestContext: '{ "campaign": "spring" }' } },
		together(BULK.profile, { request_context: { campaign: 'spring' } }),
	],
];

test.each(choices)('%s', async (_what, parameters, expected) => {
	const requests = serve(enriched);
	const { failure } = await run(people(2), parameters);
	expect(failure).toBeUndefined();
	const sorted = (all: object[]) => all.map((one) => JSON.stringify(one)).sort();
	expect(sorted(requests)).toEqual(sorted(expected));
});

test('one type for one item and both for another: only the first goes alone', async () => {
	const requests = serve(enriched);
	const items = [
		{ id: person(0), types: 'email' },
		{ id: person(1), types: ['email', 'phone'] },
		{ id: person(2), types: 'phone' },
		{ id: person(3), types: '["phone","email"]' },
	];
	await run(items, { dataSets: ['contacts'], contactTypes: '={{ $json.types }}' });
	expect(requests.map(({ body }) => body.prospect_ids ?? body.prospect_id)).toHaveLength(3);
	expect(requests.map(({ body }) => body)).toContainEqual({
		prospect_ids: [person(1), person(3)],
	});
});

test.each<[string, INodeParameters, string]>([
	['no data set', { dataSets: [] }, 'Parameter "Data Sets" is required.'],
	['no data set from an expression', { dataSets: '={{ [] }}' }, 'Data Sets: '],
	['an unknown data set', { dataSets: '={{ ["salary"] }}' }, 'Data Sets: "salary" is not one of: '],
	['no contact type', { dataSets: ['contacts'], contactTypes: '={{ [] }}' }, 'Contact Types: '],
	[
		'an unknown contact type',
		{ dataSets: ['contacts'], contactTypes: '={{ "fax" }}' },
		'Contact Types: "fax" is not one of: email, phone.',
	],
	[
		'an unknown request mode',
		{ options: { requestMode: "={{ 'fast' }}" } },
		'Request Mode: "fast" is not one of: batched, single.',
	],
])('%s is refused before a request', async (_what, parameters, words) => {
	const requests = serve(enriched);
	const { failure } = await run(people(2), parameters);
	expect(failure?.message).toContain(words);
	expect(requests).toEqual([]);
});
