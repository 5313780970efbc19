/** Prospect: Enrich. The requests that an item's parameters lead to. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { enriched, people, person, interceptRequests, run, serve } from '../../run/fakeService';

interceptRequests();

const BULK = {
	profile: 'prospects/profiles/bulk_enrich',
	contacts: 'prospects/contacts_information/bulk_enrich',
	networkPosts: 'prospects/network_posts/bulk_enrich',
};
const ALL = [person(0), person(1)];
const ONLY_PHONE = ALL.map((prospect_id) => ({
	path: 'prospects/contacts_information/enrich',
	body: { prospect_id, parameters: { contact_types: ['phone'] } },
}));
const bulk = (path: string, more: IDataObject = {}) => [
	{ path, body: { prospect_ids: ALL, ...more } },
];

const cases: Array<[string, INodeParameters, object[]]> = [
	['Profile by default', {}, bulk(BULK.profile)],
	['both types', { dataSets: ['contacts'], contactTypes: 'both' }, bulk(BULK.contacts)],
	['phone only, in upper case', { dataSets: ['contacts'], contactTypes: 'PHONE' }, ONLY_PHONE],
	[
		'one type of contacts leaves the other data sets in batches',
		{ dataSets: ['profile', 'contacts'], contactTypes: 'phone' },
		[...ONLY_PHONE, ...bulk(BULK.profile)],
	],
	[
		'contact types without contacts have no effect',
		{ dataSets: ['profile'], contactTypes: 'email' },
		bulk(BULK.profile),
	],
	[
		'posts, offline',
		{ dataSets: ['networkPosts'], options: { requests: { offlineMode: true } } },
		bulk(BULK.networkPosts, { parameters: { offline_mode: 'true' } }),
	],
	[
		'posts, not offline: no parameters',
		{ dataSets: ['networkPosts'], options: { requests: { offlineMode: false } } },
		bulk(BULK.networkPosts),
	],
	[
		'offline is for posts only',
		{ dataSets: ['profile'], options: { requests: { offlineMode: true } } },
		bulk(BULK.profile),
	],
	[
		'one per prospect, if there is only the bulk endpoint',
		{ dataSets: ['networkPosts'], options: { requests: { requestMode: 'single' } } },
		ALL.map((id) => ({ path: BULK.networkPosts, body: { prospect_ids: [id] } })),
	],
];

test.each(cases)('%s', async (_case, parameters, expected) => {
	const requests = serve(enriched);
	const { failure } = await run(people(2), parameters);
	expect(failure).toBeUndefined();
	const sorted = (bodies: object[]) => bodies.map((body) => JSON.stringify(body)).sort();
	expect(sorted(requests)).toEqual(sorted(expected));
});

test('one contact type for some items and both for others: only the first are single requests', async () => {
	const requests = serve(enriched);
	const items = [
		{ id: person(0), types: 'email' },
		{ id: person(1), types: 'both' },
		{ id: person(2), types: 'phone' },
		{ id: person(3), types: ['both'] },
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
		'an unknown request mode',
		{ options: { requests: { requestMode: "={{ 'fast' }}" } } },
		'Request Mode: "fast" is not one of: batched, single.',
	],
])('%s fails before a request', async (_case, parameters, message) => {
	const requests = serve(enriched);
	const { failureText } = await run(people(2), parameters);
	expect(failureText).toContain(message);
	expect(requests).toEqual([]);
});
