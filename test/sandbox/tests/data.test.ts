import { startSandbox, type Sandbox } from '../sandbox';
import { ask, rowsOf, type Row } from './ask';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: null, people: 1_000, companies: 60 });
});
afterAll(async () => {
	expect(sandbox.log.defects()).toEqual([]);
	await sandbox.close();
});

const status = (body: Record<string, unknown>) =>
	(body.response_context as { request_status: string }).request_status;
const noData = (data: Row['data']) =>
	Object.entries(data ?? {}).every(([name, value]) => name === 'business_id' || value === null);

test('ids and indexes lead to each other, and unknown ids to nothing', () => {
	const { world } = sandbox;
	expect(world.prospectId(999)).toMatch(/^[a-f0-9]{40}$/);
	expect(world.businessId(59)).toMatch(/^[a-f0-9]{32}$/);
	expect(world.prospectIndex(world.prospectId(999))).toBe(999);
	expect(world.businessIndex(world.businessId(59))).toBe(59);
	expect(world.prospectIndex(world.prospectId(1_000))).toBeUndefined();
	expect(world.prospectIndex(world.unknownProspectId())).toBeUndefined();
	expect(world.prospectIndex(`0${world.prospectId(5).slice(1)}`)).toBeUndefined();
	expect(new Set(world.prospectIds(1_000)).size).toBe(1_000);
});

test('two sandboxes know the same people', async () => {
	const other = await startSandbox({ people: 1_000, companies: 60 });
	const body = { prospect_ids: sandbox.world.prospectIds(20) };
	const [one, two] = await Promise.all([
		ask(sandbox, 'profileBulk', body),
		ask(other, 'profileBulk', body),
	]);
	await other.close();
	expect(two.body.data).toEqual(one.body.data);
});

describe('enrichment', () => {
	test('rows stand in the order of the ids, with nulls where there is nothing', async () => {
		const { world } = sandbox;
		const ids = [14, 13, 12].map(world.prospectId).concat(world.unknownProspectId());
		const rows = rowsOf(await ask(sandbox, 'profileBulk', { prospect_ids: ids }));
		expect(rows.map(({ prospect_id }) => prospect_id)).toEqual(ids);
		expect(rows.map(({ data }) => noData(data))).toEqual([false, true, false, true]);
		expect(Object.keys(rows[1]?.data ?? {})).toEqual(
			expect.arrayContaining(Object.keys(rows[0]?.data ?? {})),
		);
	});

	test.each(['profileBulk', 'contactsBulk', 'postsBulk'] as const)(
		'%s of nobody known is a miss',
		async (name) => {
			const ids = [sandbox.world.unknownProspectId(1), sandbox.world.unknownProspectId(2)];
			const answer = await ask(sandbox, name, { prospect_ids: ids });
			expect(status(answer.body)).toBe('miss');
			expect(rowsOf(answer).map(({ prospect_id }) => prospect_id)).toEqual(ids);
			expect(rowsOf(answer).every(({ data }) => noData(data))).toBe(true);
		},
	);

	test('a prospect has one row per post', async () => {
		const ids = [4, 0, 2].map(sandbox.world.prospectId);
		const answer = await ask(sandbox, 'postsBulk', { prospect_ids: ids });
		const [four, none, two] = ids;
		expect(rowsOf(answer).map(({ prospect_id }) => prospect_id)).toEqual([
			...Array.from({ length: 4 }, () => four),
			none,
			two,
			two,
		]);
		expect(answer.body.total_results).toBe(7);
		expect(rowsOf(answer)[0]?.data?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
	});

	test('contacts depend on the person and on the types asked for', async () => {
		const of = async (index: number, types?: string[]) => {
			const parameters = types && { contact_types: types };
			const prospect_id = sandbox.world.prospectId(index);
			const { body } = await ask(sandbox, 'contacts', { prospect_id, parameters });
			const data = body.data as Row;
			return [status(body), data.professions_email !== null, data.mobile_phone !== null];
		};
		expect(await of(1)).toEqual(['success', true, true]);
		expect(await of(1, ['email', 'phone'])).toEqual(['success', true, true]);
		expect(await of(1, ['email'])).toEqual(['success', true, false]);
		expect(await of(1, ['phone'])).toEqual(['success', false, true]);
		expect(await of(7)).toEqual(['success', true, false]);
		expect(await of(8)).toEqual(['success', false, true]);
		expect(await of(9)).toEqual(['miss', false, false]);
		expect(await of(7, ['phone'])).toEqual(['miss', false, false]);
	});

	test('business data sets lack what the table in README.md says', async () => {
		const lacks = {
			technologyStack: 10,
			workforceTrends: 12,
			fundingAndAcquisition: 7,
			employeeRatings: 8,
			businessChallenges: 3,
			strategy: 3,
			competitiveLandscape: 3,
		} as const;
		for (const [name, index] of Object.entries(lacks)) {
			const ids = [0, index].map(sandbox.world.businessId);
			const rows = rowsOf(await ask(sandbox, name as keyof typeof lacks, { business_ids: ids }));
			expect([name, ...rows.map(({ data }) => noData(data))]).toEqual([name, false, true]);
		}
	});

	test('the hierarchy names parents, the root, and daughters', async () => {
		const { world } = sandbox;
		const [root, middle, leaf] = rowsOf(
			await ask(sandbox, 'companyHierarchy', { business_ids: [7, 8, 10].map(world.businessId) }),
		).map(({ data }) => data);
		expect(root).toMatchObject({
			parent_company_id: null,
			ultimate_parent_id: world.businessId(7),
		});
		expect(root?.subsidiaries).toHaveLength(2);
		expect(middle).toMatchObject({ parent_company_id: world.businessId(7) });
		expect(leaf).toMatchObject({
			parent_company_id: world.businessId(8),
			ultimate_parent_id: world.businessId(7),
			subsidiaries: [],
		});
		const tree = leaf?.organization_tree as Array<{ companies: unknown[] }>;
		expect(tree.map(({ companies }) => companies.length)).toEqual([1, 2, 4]);
	});

	test('traffic is of the month asked for', async () => {
		const of = async (month_period: string) =>
			rowsOf(
				await ask(sandbox, 'websiteTraffic', {
					business_ids: sandbox.world.businessIds(1),
					parameters: { month_period },
				}),
			)[0]?.data;
		expect(await of('2020-05')).toMatchObject({ month_period: '2020-05' });
		expect((await of('2020-05'))?.visits).not.toBe((await of('2020-06'))?.visits);
	});
});

describe('intent', () => {
	const of = async (index: number, parameters: object) => {
		const business_ids = [sandbox.world.businessId(index)];
		const answer = await ask(sandbox, 'intent', { business_ids, parameters });
		const data = rowsOf(answer)[0]?.data;
		const topics = JSON.parse(String(data?.intent_topics)) as Array<{
			topic: string;
			composite_score: number;
		}> | null;
		return { data, topics };
	};

	test('without topics: all from the threshold up, and no level', async () => {
		const { data, topics } = await of(1, { min_score: 80 });
		expect(topics?.length).toBeGreaterThan(0);
		expect(topics?.every(({ composite_score }) => composite_score >= 80)).toBe(true);
		expect(data).toMatchObject({ level_of_intent: null, topic_count: `${topics?.length} / 24` });
	});

	test('the level follows from the share of scored topics', async () => {
		const scored = (await of(1, {})).topics?.map(({ topic }) => topic) ?? [];
		const [first = '', second = ''] = scored;
		const unknown = (count: number) => Array.from({ length: count }, (_, n) => `None: ${n}`);
		const level = async (topics: string[]) => {
			const { data } = await of(1, { topics });
			return [data?.level_of_intent, data?.topic_count];
		};
		expect(await level([first, ...unknown(2)])).toEqual(['In-Depth Research', '1 / 3']);
		expect(await level([first, ...unknown(3)])).toEqual(['Active Research', '1 / 4']);
		expect(await level([first, ...unknown(19)])).toEqual(['Active Research', '1 / 20']);
		expect(await level([first, ...unknown(20)])).toEqual(['Early Research', '1 / 21']);
		expect(await level(unknown(2))).toEqual(['Early Research', '0 / 2']);
		expect(await level([`${first};${second}`])).toEqual(['In-Depth Research', '2 / 2']);
	});

	test('a company without data has null topics', async () => {
		expect((await of(11, {})).data).toMatchObject({ intent_topics: null, topic_count: null });
	});
});

test('statistics count companies by category and place', async () => {
	const count = async (filters: object) => (await ask(sandbox, 'stats', { filters })).body;
	const all = await count({});
	expect(all.total_results).toBe(60);
	const { business_categories_per_location: table } = all.stats as {
		business_categories_per_location: Record<string, Record<string, number>>;
	};
	const { total_per_location, ...categories } = table;
	expect(total_per_location?.total).toBe(60);
	const totals = Object.values(categories).map(({ total = 0 }) => total);
	expect(totals.reduce((sum, total) => sum + total, 0)).toBe(60);
	expect(Object.keys(total_per_location ?? {}).join()).toMatch(/California, US/);
	const filter = { type: 'includes', values: ['us-ca'] };
	const inside = (await count({ region_country_code: filter })).total_results;
	const outside = (await count({ region_country_code: { ...filter, negate: true } })).total_results;
	expect(inside).toBe(total_per_location?.['California, US']);
	expect(Number(inside) + Number(outside)).toBe(60);
	expect(status(await count({ company_name: { type: 'includes', values: ['x'] } }))).toBe('miss');
});
