/** Every endpoint takes what the contract allows, refuses the rest, and answers in the contract's form. */
import { ENDPOINTS, type EndpointName } from '../contract/contract';
import { startService } from '../../workflows/service';
import { WAYS } from '../../workflows/ways';
import type { Sandbox } from '../sandbox';
import { ask } from './ask';

let sandbox: Sandbox;
beforeEach(async () => {
	// It checks each of its answers against the contract, too.
	sandbox = await startService({ now: () => new Date('2026-11-18T12:00:00Z') });
});

const example = (name: EndpointName) => WAYS[name].sends(sandbox.world);

test.each(ENDPOINTS)(
	'$name answers its example, and refuses unknown and missing members',
	async ({ name, request }) => {
		expect((await ask(sandbox, name)).status).toBe(200);
		expect(sandbox.log.entries.at(-1)).toMatchObject({ status: 200, key: 'right' });

		const unknown = await ask(sandbox, name, { ...example(name), invented: 'x' });
		expect(unknown.locs).toEqual([`${name === 'autocomplete' ? 'query' : 'body'}.invented`]);
		expect(unknown.status).toBe(422);

		for (const member of request.required as string[]) {
			const { locs } = await ask(sandbox, name, { ...example(name), [member]: undefined });
			expect(locs.map((loc) => loc.split('.')[1])).toContain(member);
		}
	},
);

const lists = ENDPOINTS.flatMap(({ name, inputMember = '' }) =>
	inputMember.endsWith('_ids') ? [[name, inputMember] as const] : [],
);
test.each(lists)('%s takes 1 to 50 ids of the right form, 40 for events', async (name, member) => {
	const { world } = sandbox;
	const ids = member === 'prospect_ids' ? world.prospectIds(51) : world.businessIds(51);
	const [one = ''] = ids;
	const most = name.endsWith('Events') ? 40 : 50;
	const send = async (list: unknown) =>
		await ask(sandbox, name, { ...example(name), [member]: list });
	expect((await send(ids.slice(0, most))).status).toBe(200);
	expect((await send(ids.slice(0, most + 1))).locs).toEqual([`body.${member}`]);
	expect((await send([])).locs).toEqual([`body.${member}`]);
	expect((await send([one, one.toUpperCase()])).locs).toEqual([`body.${member}.1`]);
	expect((await send([one, one])).status).toBe(name === 'contactsBulk' ? 422 : 200);
});

const set = (parameters: unknown) => ({ parameters });
const filter = (filters: object) => ({ filters });
const until = (to_date: string, resolution: string) => ({
	...{ from_date: '2025-03-01T00:00:00Z', to_date, resolution },
});
const people = (...items: object[]) => ({ prospects_to_match: items });
const many = (count: number) =>
	people(...Array.from({ length: count }, () => ({ email: 'a@b.c' })));
const any = { type: 'includes', values: [] };

test.each<[EndpointName, allowed: object[], refused: object[]]>([
	['search', [{ page_size: 100 }, { size: 60_000 }, { exclude: null }], [{ page_size: 101 }]],
	['search', [], [{ size: 60_001 }, { page: 0 }, { mode: 'light' }, { exclude: ['abc'] }, set({})]],
	['search', [], [filter({ country: any }), filter({ country_code: { values: ['usa'] } })]],
	[
		'search',
		[],
		[filter({ has_email: { value: 'true' } }), filter({ company_size: { values: ['1-9'] } })],
	],
	[
		'intent',
		[set({ min_score: 61 }), set(null)],
		[set({ min_score: 60 }), set({ min_score: 70.5 })],
	],
	['websiteTraffic', [set({ month_period: '2017-01' })], [set({ month_period: '2016-12' })]],
	['websiteTraffic', [set({ month_period: '2026-10' })], [set({ month_period: '2026-11' })]],
	['technologyStack', [set({})], [set({ topics: [] })]],
	['contacts', [set({ contact_types: ['email'] })], [set({ contact_types: [] })]],
	['contactsBulk', [], [set({ contact_types: ['email'] })]],
	['postsBulk', [set({ offline_mode: 'true' })], [set({ offline_mode: true })]],
	['prospectEvents', [], [{ event_types: [] }, { event_types: ['new_product'] }]],
	['businessEvents', [{ event_types: ['new_mascot'] }], [{ event_types: [] }]],
	['businessEvents', [{ timestamp_from: '2026-02-01' }], [{ timestamp_to: '2026-02-30' }]],
	['businessEvents', [{ timestamp_from: '2026-02-01 00:00:00,5+0200' }], [{ timestamp_to: 'x' }]],
	['businessEvents', [{ request_context: null }], [{ request_context: 'x' }]],
	[
		'stats',
		[filter({ search_category: any })],
		[filter({ search_category: any, naics_category: any })],
	],
	['autocomplete', [{ semantic_search: 'true' }], [{ semantic_search: 'x' }, { field: 'planet' }]],
	['credits', [{ timezone: 'Asia/Kolkata' }], [{ timezone: 'Mars/Base' }]],
	['credits', [{ mode: 'endpoints', resolution: undefined }], [{ resolution: undefined }]],
	['credits', [until('2025-03-08T00:00Z', 'hour')], [until('2025-03-08T00:01Z', 'hour')]],
	['credits', [until('2025-04-30T00:00Z', 'day')], [until('2025-04-30T00:01Z', 'day')]],
	['credits', [until('2027-03-01T00:00Z', 'month')], [until('2027-03-01T00:01Z', 'month')]],
	['match', [many(50)], [many(51), many(0), people({}), people({ email: ' ' })]],
	['match', [people({ full_name: 'A', company_name: 'B' })], [people({ full_name: 'A' })]],
	['match', [], [people({ business_id: 'a'.repeat(32) }), people({ email: 'a', city: 'x' })]],
])('%s takes %j, but not %j', async (name, allowed, refused) => {
	for (const change of [...allowed, ...refused]) {
		const { status } = await ask(sandbox, name, { ...example(name), ...change });
		expect([change, status]).toEqual([change, allowed.includes(change) ? 200 : 422]);
	}
});
