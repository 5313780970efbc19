/** Searches whose pages differ from what the service announces. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Fault } from '../sandbox/faults/kinds';
import type { FaultRule } from '../sandbox/faults/rules';
import { CONTINUE, hintsOf, jsonOf, type Service, startService, EVERYONE } from './service';

const search = (parameters: INodeParameters = {}): INodeParameters => ({
	resource: 'prospect',
	operation: 'getAll',
	...parameters,
});
const ALL = search({ ...EVERYONE });
const idsOf = (rows: readonly IDataObject[]) => rows.map(({ prospect_id }) => prospect_id);
const bodies = (service: Service) =>
	service.log.requestsTo().map(({ body }) => body as IDataObject);
const requestedPages = (service: Service) =>
	bodies(service)
		.map(({ page }) => Number(page))
		.sort((a, b) => a - b);
const isPage =
	(...pages: number[]): NonNullable<FaultRule['when']> =>
	({ body }) =>
		pages.includes(Number((body as IDataObject).page));
const change = (changeAnswer: (answer: IDataObject) => IDataObject): Fault => ({
	kind: 'change',
	with: (answer) => changeAnswer(answer as IDataObject),
});
const rowsIn = ({ data }: IDataObject) => data as IDataObject[];

const EMPTY: Fault = { kind: 'rows', how: 'none' };
/** IDs of people whom the search may leave out. */
const excluded = (count: number) =>
	Array.from({ length: count }, (_, n) => n.toString(16).padStart(40, '0')).join();
const SHORT = change((answer) => ({ ...answer, data: rowsIn(answer).slice(0, 60) }));
const REPEAT: Fault = { kind: 'otherPage', page: 2 };

describe('a page before the last', () => {
	test.each<
		[name: string, faults: Fault | Fault[], message: RegExp, requested: number[], kept: number]
	>([
		['that is empty', EMPTY, /sent 0 of 100 rows/, [1, 2, 3, 3, 4, 5], 0],
		[
			'that has null instead of rows',
			{ kind: 'rows', how: 'null' },
			/sent 0 of/,
			[1, 2, 3, 3, 4, 5],
			0,
		],
		['that is short', SHORT, /sent 60 of 100 rows/, [1, 2, 3, 3, 4, 5], 60],
		['that lacks one row', { kind: 'rows', how: 'shorter' }, /99 of/, [1, 2, 3, 3, 4, 5], 99],
		['that repeats another', REPEAT, /All rows were already on page 2/, [1, 2, 2, 3, 3, 4, 5], 0],
		[
			'that repeats another in another order',
			[REPEAT, { kind: 'rows', how: 'reordered' }],
			/All rows were already on page 2/,
			[1, 2, 2, 3, 3, 4, 5],
			0,
		],
	])(
		'%s is requested once more, then it has failed',
		async (_case, faults, message, requested, kept) => {
			const service = await startService({ people: 500 });
			service.fault({ when: isPage(3), times: 'always', do: faults });

			const run = await service.run(ALL, [{ row: 7 }], CONTINUE);

			const all = service.world.prospectIds(500);
			expect(idsOf(jsonOf(run.main))).toEqual([...all.slice(0, 200 + kept), ...all.slice(300)]);
			expect(run.linkedErrors).toEqual([7]);
			const error = JSON.stringify(run.error[0]?.json);
			expect(error).toMatch(/Page 3 is incomplete: .*Start Page 3 under Options/);
			expect(error).toMatch(message);
			expect(error).toContain('"missing_pages":[3],"start_page":3');
			expect(requestedPages(service)).toEqual(requested);
			expect(hintsOf(run).join()).not.toMatch(/more than once/);
		},
	);

	test('that fails when it is requested once more has failed for that reason', async () => {
		const service = await startService({ people: 500 });
		service.fault({ when: isPage(3), do: SHORT });
		service.fault({ when: isPage(3), do: { kind: 'status', status: 403 } });

		const run = await service.run(ALL, [{}], CONTINUE);

		const all = service.world.prospectIds(500);
		expect(idsOf(jsonOf(run.main))).toEqual([...all.slice(0, 260), ...all.slice(300)]);
		expect(JSON.stringify(run.error[0]?.json)).toMatch(/Page 3 is incomplete: .*HTTP 403/);
	});

	test.each<[name: string, parameters: INodeParameters, page: number]>([
		['the first of all', ALL, 1],
		['the first of a limit below 100', search({ limit: 80 }), 1],
		['the last of a limit, with more people after it', search({ limit: 250 }), 3],
		['the first from Start Page on', search({ limit: 300, options: { startPage: 2 } }), 2],
	])('has also failed if it is %s', async (_case, parameters, page) => {
		const service = await startService({ people: 500 });
		service.fault({ when: isPage(page), times: 'always', do: EMPTY });

		const run = await service.run(parameters, [{}], CONTINUE);

		expect(JSON.stringify(run.error)).toContain(`Page ${page} is incomplete: `);
		expect(JSON.stringify(run.error)).toContain(`Start Page ${page} under`);
	});

	test('of which total_results is null counts by total_pages', async () => {
		const service = await startService({ people: 500 });
		const untold: Fault = { kind: 'totalNull' };
		service.fault({ when: isPage(3), times: 'always', do: [untold, EMPTY] });
		service.fault({ times: 'always', do: untold });

		const run = await service.run(ALL, [{}], CONTINUE);

		expect(run.main).toHaveLength(400);
		expect(JSON.stringify(run.error)).toContain('Page 3 is incomplete');
	});

	test('of a service that always returns the same page ends a search without totals', async () => {
		const service = await startService({ people: 500 });
		service.fault({
			times: 'always',
			do: [
				{ kind: 'otherPage', page: 1 },
				change((answer) => ({ ...answer, total_results: null, total_pages: null })),
			],
		});

		const run = await service.run(ALL, [{}], CONTINUE);

		expect(idsOf(jsonOf(run.main))).toEqual(service.world.prospectIds(100));
		expect(JSON.stringify(run.error)).toMatch(/Page 2 and all after it could not be fetched/);
		expect(requestedPages(service)).toEqual([1, 1, 2, 2]);
	});
});

describe('no failure is', () => {
	test.each<[name: string, faults: Fault, rows: number, fewer: number]>([
		['an empty last page', EMPTY, 400, 99],
		['a short last page', SHORT, 460, 39],
	])('%s: a warning says how many rows are missing', async (_case, faults, rows, fewer) => {
		const service = await startService({ people: 499 });
		service.fault({ when: isPage(5), times: 'always', do: faults });

		const run = await service.run(ALL);

		expect(run.failure).toBeUndefined();
		expect(run.main).toHaveLength(rows);
		expect(requestedPages(service)).toEqual([1, 2, 3, 4, 5, 5]);
		expect(run.hints.slice(1)).toEqual([
			expect.objectContaining({
				type: 'warning',
				message: expect.stringMatching(new RegExp(`^The service returned ${fewer} fewer rows`)),
			}),
		]);
	});

	test('a few repeated people on each page: a warning says how many others are missing', async () => {
		const service = await startService({ people: 500 });
		const first: IDataObject[] = [];
		service.change(
			(answer, { body }) => {
				const { data, ...rest } = answer as { data: IDataObject[] };
				const { page } = body as { page: number };
				if (page === 1) first.push(...data);
				const repeated = page === 1 ? [] : first.slice(page * 9, page * 9 + 9);
				return { ...rest, data: [...repeated, ...data.slice(repeated.length)] };
			},
			{ times: 'always' },
		);

		const run = await service.run(ALL);

		expect(run.main).toHaveLength(464);
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(/^Returned 464 rows/),
			expect.stringMatching(/^36 people were returned more than once/),
			expect.stringMatching(/^The service returned 36 fewer rows than it reported/),
		]);
	});

	test('a person on three pages: a hint counts one person', async () => {
		const service = await startService({ people: 300 });
		const [first] = service.world.prospectIds(1);
		service.change(
			(answer) => ({ ...answer, data: [{ prospect_id: first }, ...rowsIn(answer).slice(1)] }),
			{ when: isPage(2, 3), times: 'always' },
		);

		const run = await service.run(ALL);

		expect(run.main).toHaveLength(298);
		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/^1 person was returned more than once/),
		);
	});

	test('that pages are smaller than requested, if all rows arrive', async () => {
		const service = await startService({ people: 500 });
		service.change(
			(answer, { body }) => {
				const from = (Number((body as IDataObject).page) - 1) * 50;
				const data = service.world.prospectIds(500).slice(from, from + 50);
				const rows = data.map((id) => ({ prospect_id: id }));
				return { ...answer, data: rows, total_pages: 10 };
			},
			{ times: 'always' },
		);

		const run = await service.run(ALL);

		expect(run.failure).toBeUndefined();
		expect(run.main).toHaveLength(500);
		expect(service.log.requestsTo()).toHaveLength(10);
	});
});

describe('the node requests whole pages and cuts the rows', () => {
	test.each<[limit: number, startPage: number, size: number, requests: number]>([
		[1, 1, 1, 1],
		[100, 1, 100, 1],
		[150, 1, 200, 2],
		[101, 1, 200, 2],
		[99, 1, 99, 1],
		[250, 3, 500, 3],
		[50, 2, 200, 1],
	])('Limit %i from page %i', async (limit, startPage, size, requests) => {
		const service = await startService({ people: 1_000, cutPage: 'empty' });

		const run = await service.run(search({ limit, options: { startPage } }));

		expect(run.failure).toBeUndefined();
		const from = (startPage - 1) * 100;
		expect(idsOf(jsonOf(run.main))).toEqual(service.world.prospectIds(limit, from));
		expect(bodies(service)).toHaveLength(requests);
		expect(new Set(bodies(service).map((body) => body.size))).toEqual(new Set([size]));
	});
});

test('every page excludes the excluded people', async () => {
	const service = await startService({ people: 500 });
	const { world } = service;
	const exclude = [3, 120, 340, 341].map((n) => world.prospectId(n));

	const run = await service.run(search({ ...EVERYONE, exclude: exclude.join() }));

	expect(idsOf(jsonOf(run.main))).toEqual(
		world.prospectIds(500).filter((id) => !exclude.includes(id)),
	);
	expect(bodies(service).map((body) => body.exclude)).toEqual(Array(5).fill(exclude));
});

describe('on a service that leaves out excluded people after paging', () => {
	/** Everyone counts in the totals; each page lacks the excluded people among its rows. */
	async function startFiltering(
		excluded: readonly number[],
		totals?: IDataObject,
		rowsOfPage: Readonly<Record<number, number>> = {},
	) {
		const service = await startService({ people: 350 });
		const all = service.world.prospectIds(350);
		const exclude = excluded.map((index) => service.world.prospectId(index));
		service.change(
			(answer, { body }) => {
				const { page } = body as { page: number };
				const rows = all.slice((page - 1) * 100, page * 100).filter((id) => !exclude.includes(id));
				const data = rows.slice(0, rowsOfPage[page]).map((id) => ({ prospect_id: id }));
				return { ...answer, total_results: 350, total_pages: 4, ...totals, data };
			},
			{ times: 'always' },
		);
		return { service, exclude: exclude.join(), left: all.filter((id) => !exclude.includes(id)) };
	}

	test.each<[name: string, excluded: number[], totals: IDataObject]>([
		['on one page', [7, 8], {}],
		['on every page', [7, 120, 205, 340], {}],
		['on a whole page', Array.from({ length: 100 }, (_, nth) => 100 + nth), {}],
		['on every page, without totals', [7, 120, 205], { total_results: null, total_pages: null }],
	])('the rows of people %s are not missing', async (_name, excluded, totals) => {
		const { service, exclude, left } = await startFiltering(excluded, totals);

		const run = await service.run(search({ ...EVERYONE, exclude }));

		expect(run.failure).toBeUndefined();
		expect(idsOf(jsonOf(run.main))).toEqual(left);
		expect(requestedPages(service)).toEqual([1, 2, 3, 4]);
		expect(hintsOf(run)).toEqual([`Returned ${left.length} rows in 4 requests.`]);
	});

	test('further missing rows count as before', async () => {
		const { service, exclude } = await startFiltering([7, 120], {}, { 3: 99 });

		const run = await service.run(search({ ...EVERYONE, exclude }), [{}], CONTINUE);

		expect(JSON.stringify(run.error)).toContain('Page 3 is incomplete: ');
		expect(requestedPages(service)).toEqual([1, 2, 3, 3, 4]);
	});

	test('a last page with further missing rows causes a warning without the excluded people', async () => {
		const { service, exclude } = await startFiltering([7, 120], {}, { 4: 45 });

		const run = await service.run(search({ ...EVERYONE, exclude }));

		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/^The service returned 5 fewer rows than it reported/),
		);
	});
});

test('with Simplify off, each row has the context of its own page', async () => {
	const service = await startService({ people: 350 });

	const run = await service.run(search({ ...EVERYONE, simplify: false }));

	const contextOf = new Map(
		service.log
			.requestsTo()
			.map(({ body, correlationId }) => [Number((body as IDataObject).page), correlationId]),
	);
	const expected = Array.from({ length: 350 }, (_, at) => contextOf.get(Math.floor(at / 100) + 1));
	const contexts = jsonOf(run.main).map((row) => row.response_context as IDataObject);
	expect(new Set(contextOf.values()).size).toBe(4);
	expect(contexts.map((context) => context.correlation_id)).toEqual(expected);
});

test.each<[string, IDataObject, number]>([
	['pages, but no total', { data: [], total_results: null, total_pages: 26 }, 0],
	['pages, but no list', { data: null, total_results: null, total_pages: 26 }, 0],
	['a total', { data: null, total_results: 400, total_pages: 4 }, 0],
	['more people than were excluded', { data: null, total_results: 400, total_pages: 4 }, 300],
])(
	'an empty first page that reports %s is a failure, not an empty result',
	async (_what, body, count) => {
		const service = await startService();
		service.fault({ do: change((answer) => ({ ...answer, ...body })), times: 'always' });

		const run = await service.run({ ...ALL, exclude: excluded(count) }, [{}], CONTINUE);

		expect(jsonOf(run.error)).toMatchObject([
			{
				error: {
					message: expect.stringMatching(
						/^Pages? 1.* incomplete: The service sent 0 of \d+ rows, even after a second/,
					),
				},
			},
		]);
		expect(hintsOf(run).join()).not.toContain('No one matches');
	},
);

test('an empty first page is no failure if everybody may have been excluded', async () => {
	const service = await startService();
	const body = { data: [], total_results: 3, total_pages: 1 };
	service.fault({ do: change((answer) => ({ ...answer, ...body })), times: 'always' });

	const run = await service.run({ ...ALL, exclude: excluded(3) }, [{}], CONTINUE);

	expect(run.error).toEqual([]);
});
