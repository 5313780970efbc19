/** Prospect: Get Many and Business: Get Statistics: filters, pages, counts. An empty filter never selects everyone. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { SEARCH_FILTERS } from '../../nodes/BusinessProspectData/catalog/filters';
import { errorOf } from '../harness/engine';
import { processedCount } from '../harness/deduplication';
import { NODE_ID } from '../harness/workflow';
import type { Company } from '../sandbox/world/companies';
import { regionLabel } from '../sandbox/world/vocabulary';
import { largeTest } from '../size';
import {
	CONTINUE,
	EVERYONE,
	failureOf,
	hintsOf,
	jsonOf,
	numbered,
	type Service,
	startService,
} from './service';

const getAll = (parameters: INodeParameters = {}): INodeParameters => ({
	resource: 'prospect',
	operation: 'getAll',
	...parameters,
});
const stats = (parameters: INodeParameters = {}): INodeParameters => ({
	resource: 'business',
	operation: 'getStatistics',
	...parameters,
});

const idsOf = (rows: readonly IDataObject[]) => rows.map(({ prospect_id: id }) => id);
const bodies = ({ log }: Service) => log.requestsTo().map(({ body }) => body as IDataObject);
const filtersIn = (service: Service) => bodies(service).map(({ filters }) => filters);
/** The answers to requests for these pages; without any, to all. */
const pages =
	(...numbers: number[]) =>
	({ body }: { body: unknown }) =>
		numbers.length === 0 || numbers.includes(Number((body as IDataObject).page));
const warningsOf = ({ hints }: Awaited<ReturnType<Service['run']>>) =>
	hintsOf({ hints: hints.filter(({ type }) => type === 'warning') });

const EMPTY = 'is empty. Fill it in, or remove the filter.';
/** The value of a filter from the input row, also as a filter with suggestions has it. */
const VALUE = '={{ $json.value }}';
const locator = (value: string | string[], mode = 'value') => ({ __rl: true, mode, value });
/** Entries of a filter, as the editor saves them. */
const entries = (...values: unknown[]) => values.map((value) => ({ value })) as INodeParameters[];
const listed = (...values: Array<string | string[]>) =>
	entries(...values.map((value) => locator(value, 'list')));

describe('the pages of a search', () => {
	test('Return All returns 1,234 people in 13 requests, in order, without duplicates', async () => {
		const service = await startService({ people: 1_234 });

		const run = await service.run(getAll(EVERYONE), [{ row: 7 }]);

		expect(idsOf(jsonOf(run.main))).toEqual(service.world.prospectIds(1_234));
		expect(bodies(service)).toHaveLength(13);
		expect(new Set(bodies(service).map(({ size }) => size))).toEqual(new Set([60_000]));
		expect(new Set(run.linked)).toEqual(new Set([7]));
		expect(hintsOf(run)).toEqual(['Returned 1,234 rows in 13 requests.']);
	});

	// The service may return an empty last page if `size` ends inside it.
	test.each<[limit: number, startPage: number, size: number, pageSize: number, requests: number]>([
		[1, 1, 1, 1, 1],
		[100, 1, 100, 100, 1],
		[101, 1, 200, 100, 2],
		[250, 3, 500, 100, 3],
		[50, 2, 200, 100, 1],
		// Of the last page, more than the service accepts would be a larger size.
		[500, 600, 60_000, 100, 1],
	])(
		'Limit %i from page %i: whole pages are requested, and the rows are cut',
		async (limit, startPage, size, pageSize, requests) => {
			const service = await startService({ people: 1_000 });
			const isCut = (body: IDataObject) => Number(body.size) < Number(body.page) * pageSize;
			service.change(
				(answer, { body }) => (isCut(body as IDataObject) ? { ...answer, data: [] } : answer),
				{ times: 'always' },
			);

			const run = await service.run(getAll({ limit, options: { startPage } }));

			const from = (startPage - 1) * 100;
			const all = service.world.prospectIds(1_000);
			expect(idsOf(jsonOf(run.main))).toEqual(all.slice(from, from + limit));
			if (run.main.length > 0) expect(hintsOf(run)[0]).toMatch(/\. 1,000 people match\.$/);
			expect(bodies(service)).toMatchObject(
				Array.from({ length: requests }, (_, at) => ({
					size,
					page_size: pageSize,
					page: startPage + at,
				})),
			);
		},
	);

	test.each<[INodeParameters, string]>([
		[{ limit: '={{ "0" }}' }, 'Limit: "0" must be at least 1.'],
		[{ limit: '={{ "60001" }}' }, 'Limit: "60001" must be at most 60000.'],
		[{ options: { startPage: 601 } }, 'Start Page: "601" must be at most 600.'],
	])('%j is refused before anything is sent', async (parameters, message) => {
		const service = await startService();

		const run = await service.run(getAll(parameters));

		expect(run.failureText).toContain(message);
		expect(service.log.entries).toEqual([]);
	});

	test('a page that keeps failing is named, and all others are returned', async () => {
		const service = await startService({ people: 1_234 });
		service.fault({ when: pages(5), times: 'always', do: { kind: 'status', status: 503 } });
		const options = { maxWait: 0 };

		const run = await service.run(getAll({ ...EVERYONE, options }), [{ row: 7 }], CONTINUE);

		const all = service.world.prospectIds(1_234);
		expect(idsOf(jsonOf(run.main))).toEqual([...all.slice(0, 400), ...all.slice(500)]);
		expect(run.linkedErrors).toEqual([7]);
		expect(errorOf(run.error[0])).toMatchObject({
			message: expect.stringMatching(
				/^Page 5 could not be fetched: The service failed \(HTTP 503\).*Start Page 5 under Options/,
			),
			status: 503,
			missing_pages: [5],
			start_page: 5,
		});
	});

	const CHANGED = /^The service returned other people than it had reported, .* some may be missing/;
	const cutTo = (count: number) => (answer: IDataObject) => ({
		...answer,
		data: (answer.data as IDataObject[]).slice(0, count),
	});
	test.each<[string, number[], (answer: IDataObject) => IDataObject, rows: number]>([
		['an empty page', [3], cutTo(0), 400],
		['null instead of a page', [3], (answer) => ({ ...answer, data: null }), 400],
		['a short page', [3], cutTo(60), 460],
		['an empty last page', [5], cutTo(0), 400],
		['a total that falls', [4, 5], (answer) => ({ ...answer, total_results: 497 }), 500],
	])('%s is a warning that some people may be missing', async (_case, numbers, change, rows) => {
		const service = await startService({ people: 500 });
		service.change(change, { when: pages(...numbers), times: 'always' });

		const run = await service.run(getAll(EVERYONE));

		expect(run.failure).toBeUndefined();
		expect(run.main).toHaveLength(rows);
		expect(bodies(service)).toHaveLength(5);
		expect(warningsOf(run)).toEqual([expect.stringMatching(CHANGED)]);
	});

	test('a total that is only the number of rows on its page is no such warning', async () => {
		const service = await startService({ people: 499 });
		service.change(
			(answer) => ({ ...answer, total_results: (answer.data as IDataObject[]).length }),
			{ times: 'always' },
		);

		const run = await service.run(getAll(EVERYONE));

		expect(hintsOf(run)).toEqual(['Returned 499 rows in 5 requests.']);
	});

	test('people who are returned on several pages are output once, and counted once', async () => {
		const service = await startService({ people: 300 });
		const repeated = service.world.prospectIds(2).map((id) => ({ prospect_id: id }));
		service.change(
			(answer) => ({ ...answer, data: [...repeated, ...(answer.data as IDataObject[]).slice(2)] }),
			{ when: pages(2, 3), times: 'always' },
		);

		const run = await service.run(getAll(EVERYONE));

		expect(run.main).toHaveLength(296);
		expect(hintsOf(run).slice(1)).toEqual([expect.stringMatching(CHANGED)]);
	});

	describe('Exclude Prospect IDs', () => {
		// The contract doesn't say whether the service leaves people out before or after it splits the result into pages.
		test.each<[name: string, excluded: number[], totals?: IDataObject]>([
			['on one page', [7, 8]],
			['on every page', [7, 120, 205, 340]],
			['on a whole page', Array.from({ length: 100 }, (_, nth) => 100 + nth)],
			['on every page, without totals', [7, 120, 205], { total_results: null, total_pages: null }],
		])('left out after paging, people %s are not missing', async (_name, excluded, totals = {}) => {
			const service = await startService({ people: 350 });
			const all = service.world.prospectIds(350);
			const exclude = excluded.map((index) => service.world.prospectId(index));
			service.change(
				(answer, { body }) => {
					const from = (Number((body as IDataObject).page) - 1) * 100;
					const ids = all.slice(from, from + 100).filter((id) => !exclude.includes(id));
					const data = ids.map((id) => ({ prospect_id: id }));
					return { ...answer, total_results: 350, total_pages: 4, ...totals, data };
				},
				{ times: 'always' },
			);

			const run = await service.run(getAll({ ...EVERYONE, options: { exclude: exclude.join() } }));

			expect(idsOf(jsonOf(run.main))).toEqual(all.filter((id) => !exclude.includes(id)));
			expect(bodies(service).map((body) => body.exclude)).toEqual(Array(4).fill(exclude));
			expect(hintsOf(run)).toEqual([`Returned ${350 - exclude.length} rows in 4 requests.`]);
		});
	});

	const NO_ANSWER = /^The service's response has neither people nor a total, so it is unknown/;
	const LACKS = /^The service's response lacks the people that it reports/;
	const EXCLUDE_ONE = { options: { exclude: 'a'.repeat(40) } };
	const MISS = { response_context: { request_status: 'miss' } };
	test.each<[string, unknown, RegExp | undefined, INodeParameters?]>([
		['another message', { status: 'maintenance' }, NO_ANSWER],
		['null', { data: null, total_results: null }, NO_ANSWER],
		['no people', { data: [null] }, NO_ANSWER],
		['a list', [], NO_ANSWER],
		['no count', { status: 'maintenance' }, NO_ANSWER, { countOnly: true }],
		['no people, but a total', { data: [], total_results: 400 }, LACKS],
		['no list, but pages', { data: null, total_pages: 26 }, LACKS],
		['a miss', { ...MISS, data: null }, undefined],
		['a total of 0', { total_results: 0 }, undefined],
		['an empty list', { data: [] }, undefined],
		['everybody excluded', { data: [], total_results: 1 }, undefined, EXCLUDE_ONE],
	])(
		'%s as the response: only some mean that no one matches',
		async (_what, body, message, more = {}) => {
			const service = await startService();
			service.fault({ times: 'always', do: { kind: 'status', status: 200, body } });

			const run = await service.run(getAll({ ...EVERYONE, ...more }), [{}], CONTINUE);

			expect(run.main).toEqual([]);
			expect(run.error.map((item) => errorOf(item).message)).toEqual(
				message === undefined ? [] : [expect.stringMatching(message)],
			);
			const isCertain = message === undefined && more !== EXCLUDE_ONE;
			expect(hintsOf(run).join().includes('No one matches.')).toBe(isCertain);
		},
	);

	test.each<[name: string, totals: IDataObject, count: number | null]>([
		['the service says so', {}, 12_345],
		['total_results counts only the row', { total_results: 1, total_pages: 12_345 }, 12_345],
		['total_results is missing', { total_results: null, total_pages: 12_345 }, 12_345],
		['total_pages is missing', { total_results: 12_345, total_pages: null }, 12_345],
		['both are missing', { total_results: null, total_pages: null }, null],
		['an empty result has a page', { total_results: 0, total_pages: 1, data: [] }, 0],
		['only its page says that it is empty', { total_results: null, total_pages: 1, data: [] }, 0],
		['a miss has a page', { ...MISS, total_results: null, total_pages: 1, data: [] }, 0],
		['a miss has no total', { ...MISS, total_results: null, total_pages: null, data: [] }, 0],
	])(
		'Count Only returns the number of people in one request if %s',
		async (_name, totals, total_results) => {
			const service = await startService({ people: 12_345 });
			service.change((answer) => ({ ...answer, ...totals }));

			const run = await service.run(getAll({ countOnly: true }));

			expect(jsonOf(run.main)).toEqual([{ total_results }]);
			expect(bodies(service)).toEqual([
				{ mode: 'full', size: 60_000, page_size: 1, page: 1, filters: {} },
			]);
		},
	);

	largeTest('more than 60,000 matches: a hint says how many are missing', async () => {
		const service = await startService({ people: 100 });
		service.change(
			(answer, { body }) => {
				const first = (Number((body as IDataObject).page) - 1) * 100;
				const data = service.world.prospectIds(100, first).map((id) => ({ prospect_id: id }));
				return { ...answer, total_results: 75_000, data };
			},
			{ times: 'always' },
		);

		const run = await service.run(getAll(EVERYONE), [{}], { expressionAfter: undefined });

		expect(bodies(service)).toHaveLength(600);
		expect(run.main).toHaveLength(60_000);
		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/^75,000 prospects match, .* at most 60,000: 15,000 are missing/),
		);
	});
});

describe('Only New Prospects', () => {
	const getNew = (more: INodeParameters = {}) =>
		getAll({ ...EVERYONE, options: { onlyNewProspects: true }, ...more });
	let workflows = 0;
	const inWorkflow = (mode: 'trigger' | 'manual' = 'trigger') => ({
		workflowId: `new-prospects-${workflows}`,
		mode,
	});
	beforeEach(() => workflows++);

	test('each person is output once, over any number of executions', async () => {
		const service = await startService({ people: 250 });
		const { world } = service;
		for (const index of [7, 180]) world.unlisted.add(index);

		const first = await service.run(getNew(), [{}], inWorkflow());
		const second = await service.run(getNew(), [{}], inWorkflow());
		world.unlisted.clear();
		world.unlisted.add(3);
		const third = await service.run(getNew(), [{}], inWorkflow());
		world.unlisted.clear();
		const fourth = await service.run(getNew(), [{}], inWorkflow());

		expect(first.main).toHaveLength(248);
		expect([second, third, fourth].map(({ main }) => idsOf(jsonOf(main)))).toEqual([
			[],
			[world.prospectId(7), world.prospectId(180)],
			[],
		]);
		expect(hintsOf(third)).toEqual(['Returned 2 rows in 3 requests.']);
	});

	test('test runs neither leave out nor remember; nor does a count', async () => {
		const service = await startService({ people: 5 });

		const runs = [
			await service.run(getNew(), [{}], inWorkflow('manual')),
			await service.run(getNew({ countOnly: true }), [{}], inWorkflow()),
			await service.run(getNew({ countOnly: true }), [{}], inWorkflow()),
			await service.run(getNew(), [{}], inWorkflow()),
			await service.run(getNew(), [{}], inWorkflow('manual')),
		];

		expect(runs.map(({ main }) => main.length)).toEqual([5, 1, 1, 5, 5]);
		expect(processedCount(inWorkflow().workflowId, NODE_ID)).toBe(5);
	});

	test('each input row gets its people once', async () => {
		const service = await startService({ people: 2 });

		const runs = [
			await service.run(getNew(), numbered([{}, {}]), inWorkflow()),
			await service.run(getNew(), numbered([{}, {}]), inWorkflow()),
		];

		expect(runs.map(({ linked }) => linked)).toEqual([[0, 0, 1, 1], []]);
		expect(runs.map((run) => hintsOf(run)[0]?.split(' ')[0])).toEqual(['The', 'Returned']);
	});

	test('people on a page that fails are output by the next execution', async () => {
		const service = await startService({ people: 250 });
		service.fault({ when: pages(2), do: { kind: 'status', status: 400 } });
		const options = { ...inWorkflow(), ...CONTINUE };

		const first = await service.run(getNew(), [{}], options);
		const second = await service.run(getNew(), [{}], options);

		expect([first.main.length, first.error.length]).toEqual([150, 1]);
		expect(idsOf(jsonOf(second.main))).toEqual(service.world.prospectIds(100, 100));
	});

	largeTest('more people than n8n remembers cause a hint', async () => {
		const service = await startService({ people: 10_001 });

		const run = await service.run(getNew(), [{}], inWorkflow());

		expect(run.main).toHaveLength(10_001);
		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/^n8n remembers 10,000 people per node, so some of these 10,001 will/),
		);
	});
});

describe('the filters of Get Many', () => {
	test('several empty filters are named together, and with Stop Workflow they end the run before any request', async () => {
		const service = await startService();
		const filters = {
			company_size: entries(VALUE),
			job_level: entries(VALUE),
			job_title: entries(locator(VALUE)),
			// As the editor saves one that was added and not filled in.
			country_code: [{}],
		};

		const run = await service.run(getAll({ filters }), [{}], CONTINUE);
		const { company_size } = filters;
		const stopped = await service.run(getAll({ filters: { company_size } }), [
			{ value: '1-10' },
			{},
		]);

		expect(run.error.map(failureOf)).toEqual([
			{
				message:
					'Company Size, Person Country, Job Level and Job Title are empty. Fill them in, or remove the filters.',
				field: 'company_size',
			},
		]);
		expect(stopped.failureText).toContain(`Row 2 of 2: Company Size ${EMPTY} To keep`);
		expect(service.log.entries).toEqual([]);
	});

	test.each([
		['no filter', {}],
		['a filter whose name n8n does not know, and drops', { filters: { jobLevel: ['cxo'] } }],
		['all filters by an expression, which n8n drops', { filters: '={{ ({ job_level: "cxo" }) }}' }],
	])('Return All with %s is refused', async (_case, parameters) => {
		const service = await startService({ people: 5 });

		const run = await service.run(getAll({ returnAll: true, ...parameters } as INodeParameters));

		expect(run.failureText).toBe('Return All: add a filter, or turn it off and set Limit.');
		expect(service.log.entries).toEqual([]);
	});

	test('Ignore Empty Filters leaves them out, and a hint names the numbers of rows; invalid values still fail', async () => {
		const service = await startService();
		const filters = {
			company_size: entries('={{ $json.size }}'),
			job_level: entries('={{ $json.level }}'),
		};
		const rows = [
			{ size: '1-10', level: 'director' },
			{ size: '1-10', level: '' },
			{ size: null, level: 'director' },
			{ size: '12-99', level: '' },
			{},
		];
		const options = { ignoreEmptyFilters: true };
		const parameters = getAll({ filters, limit: 1, options });

		const run = await service.run(parameters, rows as IDataObject[], CONTINUE);

		expect(filtersIn(service)).toEqual([
			{ company_size: { values: ['1-10'] }, job_level: { values: ['director'] } },
			{ company_size: { values: ['1-10'] } },
			{ job_level: { values: ['director'] } },
			{},
		]);
		expect(run.error.map(failureOf)).toEqual([
			{
				message: expect.stringMatching(/^Company Size: "12-99" is not one of/),
				field: 'company_size',
			},
		]);
		expect(hintsOf(run)).toContain(
			'Empty filters were ignored for 3 rows. No filter was set for 1 of 4 rows, so everyone matches.',
		);
	});

	test('each is sent in the form that the contract defines', async () => {
		const service = await startService();
		const company = service.world.businessId(1);
		const person = service.world.prospectId(1);
		const title = { value: locator('Head of Sales, EMEA'), include_related_job_titles: true };

		const run = await service.run(
			getAll({
				filters: {
					has_email: entries(true),
					has_phone_number: entries(false),
					job_title: [title],
					job_level: entries(['director', 'cxo']),
					job_department: entries(['sales']),
					business_id: entries(company),
					prospect_id: entries(`=${person}`),
					country_code: listed('US', 'de'),
					region_country_code: listed('us-tx'),
					city_region_country: listed('Austin, Texas, US'),
					company_country_code: listed('gb'),
					company_region_country_code: listed('gb-lnd, us-ca'),
					company_size: entries(['11-50', '10001+']),
					company_revenue: entries(['1M-5M']),
					search_category: listed('Hotels, motels'),
					network_category: listed('software development'),
					naics_category: listed('5112', '51'),
					company_name: listed('Acme, Inc.', ['Globex', 'Initech']),
					total_experience_months: [{ gte: 60, lte: 60 }],
					current_role_months: [{ gte: '={{ null }}', lte: 6 }],
				},
			}),
		);

		expect(run.failure).toBeUndefined();
		const [filters = {}] = filtersIn(service);
		expect(Object.keys(filters as IDataObject).sort()).toEqual(
			SEARCH_FILTERS.map(({ name }) => name).sort(),
		);
	});

	test('the hint begins with how to get one result instead of one per row', async () => {
		const service = await startService({ people: 5 });

		const run = await service.run(stats({ output: 'summary' }), [{}, {}, {}]);

		expect(run.main).toHaveLength(3);
		expect(hintsOf(run)[0]).toMatch(
			/^The same result comes 3 times, once for each input row: .* turn on Execute Once in the node's settings\. Returned 3 rows in 1 request\./,
		);
	});

	test.each<[string, INodeParameters, RegExp[]]>([
		[
			'a filter without a match',
			{ filters: { country_code: listed('aq') } },
			[/^No one matches\. /],
		],
		['no filter', {}, [/^No filter was set, so everyone matches\.$/]],
		['a switch as it was added', { filters: { has_email: [{}] } }, []],
		['one title', { filters: { job_title: entries(locator('Head of Sales')) } }, [/^No one/]],
		[
			'several titles',
			{ filters: { job_title: entries(locator('CTO, Head of Sales')) } },
			[/^Job Title takes one title.*Include Related/],
		],
		['a page after the last', { filters: { has_email: [{}] }, options: { startPage: 3 } }, []],
		['a count of no one', { filters: { country_code: listed('aq') }, countOnly: true }, []],
	])('a hint says what may be wrong: %s', async (_case, parameters, hints) => {
		const service = await startService({ people: 5 });

		const run = await service.run(getAll(parameters));

		expect(hintsOf(run).slice(1)).toEqual(
			hints.map((hint) => expect.stringMatching(hint) as string),
		);
	});
});

describe('Get Statistics', () => {
	const companiesOf = ({ world }: Service): Company[] =>
		Array.from({ length: world.companies }, (_, index) => world.company(index));
	const US = { country_code: { type: 'includes', values: ['us'], negate: true } };

	test('by default one row per category and location, without totals', async () => {
		const service = await startService({ companies: 300 });

		const run = await service.run(stats(), [{ row: 7 }]);

		const counts = new Map<string, number>();
		for (const { industry, place } of companiesOf(service)) {
			const key = JSON.stringify([industry.search, regionLabel(place)]);
			counts.set(key, (counts.get(key) ?? 0) + 1);
		}
		const rows = jsonOf(run.main);
		expect(
			new Map(rows.map((row) => [JSON.stringify([row.category, row.location]), row.count])),
		).toEqual(counts);
		expect(new Set(rows.map((row) => Object.keys(row).join()))).toEqual(
			new Set(['category,location,count']),
		);
		expect(rows.reduce((sum, { count }) => sum + Number(count), 0)).toBe(300);
		expect(new Set(run.linked)).toEqual(new Set([7]));
		expect(hintsOf(run)).toContain('No filter was set, so every company matches.');
	});

	test('Summary: each row has its own filters, and equal ones share a response, which stays as it is', async () => {
		const service = await startService({ companies: 300 });
		const sizes = ['1-10', '11-50', '1-10', 'wrong'];

		const run = await service.run(
			stats({ filters: { company_size: entries('={{ $json.size }}') }, output: 'summary' }),
			numbered(sizes.map((size) => ({ size }))),
			CONTINUE,
		);

		expect([run.linked, run.linkedErrors]).toEqual([[0, 1, 2], [3]]);
		const count = (size: string) => companiesOf(service).filter((one) => one.size === size).length;
		expect(jsonOf(run.main).map(({ total_results: total }) => total)).toEqual(
			sizes.slice(0, 3).map(count),
		);
		expect(run.main[0]?.json).toMatchObject({
			response_context: { correlation_id: service.log.entries[0]?.correlationId },
			entity_id: null,
			stats: { revenue_per_category: expect.any(Object) },
		});
		expect(Object.keys(run.main[0]?.json ?? {}).at(-1)).toBe('response_context');
		expect(hintsOf(run)[0]).toBe(
			"Returned 3 rows in 2 requests; 1 row failed. 1 duplicate wasn't sent again.",
		);
	});

	const FORM = '"country_code" is not a filter of the form { "type": "includes"';
	const NO_JSON = 'is not a JSON object such as';
	test.each<[string, string]>([
		['{ country_code: us }', '"{ country_code: us }" is not valid JSON.'],
		['["us"]', `"["us"]" ${NO_JSON}`],
		...[
			null,
			{ type: 'includes', values: 'us' },
			{ type: 5, values: ['us'] },
			{ type: 'includes', values: ['us'], negate: 'true' },
			{ type: 'includes', values: ['us'], exclude: true },
		].map((filter): [string, string] => [
			JSON.stringify({ company_age: US.country_code, country_code: filter }),
			FORM,
		]),
	])('the additional filters %s fail before any request', async (additionalFilters, rule) => {
		const service = await startService();

		const run = await service.run(stats({ options: { additionalFilters } }));

		expect(run.failureText).toContain(`Additional Filters: ${rule}`);
		expect(service.log.entries).toEqual([]);
	});

	const ADDITIONAL = 'additionalFilters';
	test.each<[INodeParameters, unknown, string, string]>([
		[{ filters: { company_size: [{ match: 'exclude' }] } }, '', 'Company Size', 'company_size'],
		[{ options: { additionalFilters: '{}' } }, '', 'Additional Filters', ADDITIONAL],
		[{ options: { additionalFilters: VALUE } }, undefined, 'Additional Filters', ADDITIONAL],
		[
			{ options: { additionalFilters: '{ "naics": { "type": "includes", "values": [" "] } }' } },
			...(['', 'naics in Additional Filters', ADDITIONAL] as const),
		],
	])('%j (%j) do not count all companies: %s is empty', async (parameters, value, name, field) => {
		const service = await startService();

		const run = await service.run(stats(parameters), [{ value }] as IDataObject[], CONTINUE);

		expect(run.error.map(failureOf)).toEqual([{ message: `${name} ${EMPTY}`, field }]);
		expect(service.log.entries).toEqual([]);
	});

	test('filters by two categories fail before anything is sent; one without a value does not count', async () => {
		const service = await startService();
		const search_category = listed('Custom Software');
		const naics_category = listed('54');
		const other = JSON.stringify({ search_category: { type: 'includes', values: ['x'] } });

		for (const parameters of [
			{ filters: { naics_category, search_category } },
			{ filters: { naics_category, network_category: listed('retail') } },
			{ filters: { naics_category }, options: { additionalFilters: other } },
		]) {
			const run = await service.run(stats(parameters));
			expect(run.failureText).toMatch(
				/^Filters: Company .* and Company .* can't be combined\. Use only one of them/,
			);
		}
		expect(service.log.entries).toEqual([]);

		const filters = { search_category, naics_category: [{ match: 'exclude' }] };
		await service.run(stats({ filters, options: { ignoreEmptyFilters: true } }));
		expect(service.log.entries).toHaveLength(1);
	});

	test('a selection without companies: the empty response, or no rows, and a hint', async () => {
		const service = await startService();
		const filters = { search_category: listed('Nothing Such') };

		const summary = await service.run(stats({ filters, output: 'summary' }));
		const rows = await service.run(stats({ filters }));

		expect(jsonOf(summary.main)).toMatchObject([
			{ total_results: 0, response_context: { request_status: 'miss' } },
		]);
		expect(rows.main).toEqual([]);
		for (const run of [summary, rows]) {
			expect(hintsOf(run)).toContainEqual(
				expect.stringMatching(/^No company was counted\. .*Filter Value: Search/),
			);
		}
	});

	test.each<[string, unknown]>([
		['another object', { message: 'Down for maintenance', correlation_id: 'c-1' }],
		['a list', [{ message: 'Down for maintenance' }]],
	])('a response that is %s is an error, not a count of 0', async (_case, body) => {
		const service = await startService();
		service.fault({ times: 'always', do: { kind: 'status', status: 200, body } });

		const run = await service.run(stats(), [{}], CONTINUE);

		expect(run.main).toEqual([]);
		expect(errorOf(run.error[0])).toMatchObject({
			message: expect.stringMatching(/^The service's response has neither statistics nor a total/),
			...(!Array.isArray(body) && { correlation_id: 'c-1' }),
		});
		expect(hintsOf(run).join()).not.toContain('No company was counted');
	});

	test.each([null, [], { business_categories_per_location: { Retail: 5 } }])(
		'stats that are %j are no rows, and no error',
		async (value) => {
			const service = await startService();
			service.change((answer) => ({ ...answer, stats: value }), { times: 'always' });

			const summary = await service.run(stats({ output: 'summary' }));
			const rows = await service.run(stats());

			expect([summary.main[0]?.json.stats, rows.main, rows.failureText]).toEqual([value, [], '']);
		},
	);
});
