/** Checks of a watched search: which pages they request, whom they output, what they log. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	MAX_REMEMBERED_PEOPLE,
	searchState,
} from '../../../nodes/BusinessProspectData/trigger/search/state';
import type { FakeResponse } from '../api/service';
import {
	idsOf,
	polled,
	polledValues,
	pollError,
	searchResponse,
	triggerWith,
	UNAUTHORIZED,
	useFakeClock,
} from './trigger';

useFakeClock();

/** After a failed check, the next one comes within an hour. */
const passHour = () => jest.setSystemTime(Date.now() + 3_600_000);

const FILTERS = { country_code: [{ value: 'us' }] };
const [PEOPLE, LATER] = [idsOf(250), idsOf(260).slice(250)];

/** A trigger on a search of these people, with what the service responds instead of a page. */
function searchTrigger(options: INodeParameters = {}, count = 250) {
	const service = {
		people: idsOf(count),
		/** Responses by page. */
		instead: {} as Record<number, FakeResponse>,
		after: 0,
	};
	const parameters: INodeParameters = { triggerOn: 'newProspect', filters: FILTERS, options };
	const trigger = triggerWith(parameters, ({ body }) => ({
		...(service.instead[Number(body.page)] ?? searchResponse(body, service.people)),
		after: service.after,
	}));
	return { ...trigger, service, parameters };
}

describe('the first check', () => {
	interface Case {
		/** Which totals pages report: none, or the number of the page's rows; by default right ones. */
		readonly totals?: 'none' | 'ofPage';
		/** What happens after a page was read for the first time. */
		readonly after?: Record<number, (people: string[]) => unknown>;
		/** Rows that page 2 has at first. */
		readonly rows?: number;
	}
	const leave = (from: number, count: number) => (people: string[]) => people.splice(from, count);
	const join = (people: string[]) => people.push(...LATER.slice(5));
	const moveToEnd = (people: string[]) => people.push(...people.splice(5, 1));

	test.each<[sweeps: number, what: string, Case]>([
		[1, 'nothing changes', {}],
		[2, 'pages report no totals', { totals: 'none' }],
		[2, 'totals count the rows of a page', { totals: 'ofPage' }],
		[2, 'someone leaves page 1', { after: { 1: leave(5, 1) } }],
		[2, 'five leave page 1, and later five join', { after: { 1: leave(10, 5), 2: join } }],
		[2, 'someone moves from page 1 to the end', { after: { 1: moveToEnd } }],
		[2, 'page 2 lacks rows', { rows: 60 }],
	])('reads all pages %i times if %s, and outputs no one', async (sweeps, _what, own) => {
		const people = [...PEOPLE];
		const read = new Set<number>();
		const options = { maxConcurrentRequests: 1 };
		const parameters = { triggerOn: 'newProspect', filters: FILTERS, options };
		const trigger = triggerWith(parameters, ({ body: { page, page_size } }) => {
			const number = Number(page);
			const { data, ...totals } = searchResponse({ page, page_size }, people).body;
			const isFirst = !read.has(number);
			read.add(number);
			const rows = isFirst && number === 2 ? data.slice(0, own.rows) : data;
			if (isFirst) own.after?.[number]?.(people);
			const reported = { none: {}, ofPage: { ...totals, total_results: rows.length } };
			return {
				status: 200,
				body: { ...(own.totals === undefined ? totals : reported[own.totals]), data: rows },
			};
		});
		const context = trigger.context();

		expect(await polled(context)).toBeNull();
		expect(trigger.pages()).toEqual(Array(sweeps).fill([1, 2, 3]).flat());
		for (let check = 0; check < 3; check++) expect(await polled(context)).toBeNull();
		const [later = ''] = LATER;
		people.splice(50, 0, later);
		expect(await polledValues(context, 'prospect_id')).toEqual([later]);
	});

	test('with a page that is too short is repeated until it has found as many as the service reports', async () => {
		const { context, service, log } = searchTrigger();
		const { body } = searchResponse({ page: 2, page_size: 100 }, PEOPLE);
		const own = context();
		service.instead = { 2: { status: 200, body: { ...body, data: body.data.slice(0, 60) } } };

		expect(await polled(own)).toBeNull();
		passHour();
		expect(await pollError(own)).toContain(
			'The service reports 40 people more than its pages hold',
		);
		service.instead = {};
		passHour();
		expect(await polled(own)).toBeNull();
		expect(log.info).toEqual([expect.stringContaining('250 people match')]);
	});

	test("sends the filters, pages of one size, and reports to n8n's log", async () => {
		const { context, requests, log } = searchTrigger({}, 150);

		await polled(context());

		const filters = { country_code: { values: ['us'] } };
		const own = { mode: 'full', size: 60_000, page_size: 100, filters };
		expect(requests.map(({ body }) => body)).toEqual([1, 2].map((page) => ({ ...own, page })));
		expect(log.info).toEqual([
			"Watch: 150 people match the filters now and won't be output. From now on, people who match for the first time are.",
		]);
		expect([jest.getTimerCount(), log.warning]).toEqual([0, []]);
	});

	test('continues at a page that failed until it works, then reads all again, and says so meanwhile', async () => {
		const { service, pages, log, ...trigger } = searchTrigger();
		const context = trigger.context();
		service.instead = { 2: UNAUTHORIZED };

		expect(await polled(context)).toBeNull();
		passHour();
		expect(await pollError(context)).toMatch(
			/API key.* The first check is not complete yet, so no one is output, and people who start to match meanwhile count as known\. The next checks continue it\.$/,
		);
		service.instead = {};
		passHour();
		expect(await polled(context)).toBeNull();

		expect(pages()).toEqual([1, 2, 3, 2, 2, 3, 1, 2, 3]);
		expect(log.warning[0]).toContain('Watch: Page 2 of the search failed. The service did not');
		service.people = [...LATER, ...service.people];
		expect(await polled(context)).toHaveLength(10);
	});
});

describe('later checks', () => {
	const REJECTED = { status: 422, body: { detail: 'No such page' } };
	const LIMITED = { status: 429, headers: { 'retry-after': '3600' }, body: {} };

	/** 1,000 people match; a check requests up to two pages. */
	async function watching(instead: Record<number, FakeResponse> = {}) {
		const trigger = searchTrigger({ requestsPerPoll: 2 }, 1_000);
		const context = trigger.context();
		await polled(context);
		trigger.service.instead = instead;
		const before = trigger.requests.length;
		return { ...trigger, context, pages: () => trigger.pages(before) };
	}

	test.each<[what: string, instead: Record<number, FakeResponse>, pages: number[]]>([
		['after the last one', {}, [1, 2, 3, 4, 5, 6]],
		['after page 2 if it fails', { 2: UNAUTHORIZED }, [1, 2, 3, 4, 5, 6]],
		['after page 3, which is left out, if it fails first', { 3: UNAUTHORIZED }, [1, 2, 3, 4, 5]],
		['at page 1 if it fails', { 1: UNAUTHORIZED }, [1, 1, 1]],
		['at page 1 if page 3 is rejected: fewer match', { 3: REJECTED }, [1, 2, 3, 1, 2]],
		['at page 2 if it hits the rate limit', { 2: LIMITED }, [1, 2, 2, 2]],
		['at page 3 if it hits the rate limit', { 3: LIMITED }, [1, 2, 3, 3]],
	])('continue %s', async (_what, instead, expected) => {
		const { context, pages } = await watching(instead);

		for (let check = 0; check < 3; check++) {
			passHour();
			await polled(context).catch(() => null);
		}

		expect(pages()).toEqual(expected);
	});

	test('continue at a failed page without totals: nothing is known of those after it', async () => {
		const { context, service, pages } = await watching();
		const { data } = searchResponse({ page: 1, page_size: 100 }, PEOPLE).body;
		service.instead = { 1: { status: 200, body: { data } }, 2: UNAUTHORIZED };

		await polled(context);
		await pollError(context);

		expect(pages()).toEqual([1, 2, 2]);
	});

	test('in which a page fails for the third time in a row are a failed execution, once a day', async () => {
		const { service, log, ...trigger } = searchTrigger({}, 450);
		const context = trigger.context();
		await polled(context);
		service.instead = { 2: UNAUTHORIZED };
		for (let check = 0; check < 5; check++) {
			await polled(context);
			passHour();
		}

		expect(log.execution).toEqual([
			expect.stringMatching(/^Page 2 of the search failed in three checks in a row\. The service/),
		]);
		expect(log.warning).toHaveLength(5);
	});

	test('fail if their first page fails; a failed page among others is only logged', async () => {
		const { service, log, ...trigger } = searchTrigger({}, 450);
		const context = trigger.context();
		await polled(context);
		service.people.push(...idsOf(451).slice(450));
		service.instead = { 2: UNAUTHORIZED, 4: UNAUTHORIZED };
		expect(await polled(context)).toHaveLength(1);
		expect(log.warning).toEqual([
			expect.stringContaining('Watch: Pages 2, 4 of the search failed. '),
		]);

		service.instead = { 1: UNAUTHORIZED };
		expect(await pollError(context)).toMatch(
			/No one is missed: the next checks continue the search\.$/,
		);
		expect(log.warning).toHaveLength(2);
	});

	test('that run out of time are continued by the next ones', async () => {
		const options = { maxConcurrentRequests: 1 };
		const { context, service, pages, log } = searchTrigger(options);
		const durable = () => context({ budgetMs: 36_000 });
		await polled(durable());
		service.people = idsOf(350);
		service.after = 10_000;

		const outputs = [];
		for (let check = 0; check < 3; check++) {
			outputs.push((await polled(durable()))?.length);
			jest.setSystemTime(Date.now() + 60_000);
		}

		// Requests start within 18 seconds.
		expect(pages(3)).toEqual([1, 2, 3, 4, 1, 2]);
		expect(outputs).toEqual([undefined, 100, undefined]);
		expect(log.warning).toEqual([]);
	});

	test('output once, in the order of the pages, who is on two of them', async () => {
		const { service, ...trigger } = searchTrigger();
		const context = trigger.context();
		await polled(context);
		const [first = '', second = ''] = LATER;
		const all = service.people;
		service.people = [first, ...all.slice(0, 150), second, ...all.slice(150, 200), first];

		expect(await polledValues(context, 'prospect_id')).toEqual([first, second]);
	});
});

describe('too many matches', () => {
	const NARROW = 'Narrow Filters, for example by Person Country, Company Size or Job Level';

	test.each([
		['activate', 5_001, {}, `5,000. ${NARROW}, or raise Max Prospects (at most 20,000).`],
		['create', 5_001, {}, '5,000.'],
		['update', 20_001, { maxProspects: 20_000 }, `20,000. ${NARROW}.`],
	] as const)('fail an activation of the kind %s', async (activation, count, options, end) => {
		const { context, requests } = searchTrigger(options, count);
		const message = `The filters match ${count.toLocaleString('en')} people, but Max Prospects allows ${end}`;

		expect(await pollError(context({ activation }))).toContain(message);
		expect(requests).toHaveLength(1);
	});

	test.each(['init', 'leadershipChange'] as const)(
		'are only logged at an activation of the kind %s; later checks fail until fewer match',
		async (activation) => {
			const { context, service, log } = searchTrigger({ maxProspects: 249 });
			const own = context({ activation });

			expect(await polled(own)).toBeNull();
			expect(log.warning).toHaveLength(1);
			passHour();
			expect(await pollError(own)).toContain('Max Prospects allows 249');
			passHour();
			service.people = PEOPLE.slice(1);
			expect(await polled(own)).toBeNull();
			// Later, more may match.
			service.people = PEOPLE;
			expect(await polledValues(own, 'prospect_id')).toEqual(PEOPLE.slice(0, 1));
		},
	);

	test('are known by the page count if the total counts the rows of a page', async () => {
		const { context, service } = searchTrigger({ maxProspects: 200 });
		const { body } = searchResponse({ page: 1, page_size: 100 }, PEOPLE);
		service.instead = { 1: { status: 200, body: { ...body, total_results: 100 } } };

		expect(await pollError(context())).toContain('The filters match 201 people');
	});

	test('beyond 20,000 stop the trigger until there are fewer', async () => {
		const { context, service } = searchTrigger();
		const own = context();
		await polled(own);
		service.people = idsOf(20_001);
		expect(await pollError(own)).toBe(
			`The filters match 20,001 people now, but the trigger can watch at most 20,000. ${NARROW}. Everyone who matches the new filters then counts as known: to get the people that were added meanwhile, run Prospect: Get Many.`,
		);
		service.people = idsOf(251);
		passHour();

		expect(await polledValues(own, 'prospect_id')).toEqual(LATER.slice(0, 1));
	});
});

describe('the state', () => {
	const { open, plan, select } = searchState;
	const OPTIONS = { now: 0, startsCheck: true };
	const watch = {
		filters: { country_code: { values: ['us', 'gb'] }, job_level: { values: ['vp'] } },
	};

	/** The state after a sweep with these rows. */
	function after(saved: unknown, rows: readonly IDataObject[], nextPage = Infinity) {
		const { checkpoint, job } = plan(open(saved), 60, watch, OPTIONS);
		const part = {
			rows: rows.map((row) => ({ row, responseContext: undefined })),
			received: true,
			nextPage,
			total: rows.length,
		};
		const selected = select(checkpoint, job, part, watch, OPTIONS.now);
		return { ...selected, added: selected.result.rows.map(({ row }) => row) };
	}
	const { checkpoint: saved } = after(undefined, [{ prospect_id: 'a' }]);

	test.each<[what: string, filters: IDataObject, isSame: boolean]>([
		['the same', watch.filters, true],
		[
			'in another order',
			{ job_level: { values: ['vp'] }, country_code: { values: ['gb', 'us'] } },
			true,
		],
		['with a value less', { ...watch.filters, country_code: { values: ['us'] } }, false],
		['with a value under another name', { ...watch.filters, job_level: { value: 'vp' } }, false],
		['with one more', { ...watch.filters, has_email: { value: true } }, false],
	])('is of a search whose filters are %s', (_what, filters, isSame) => {
		expect(plan(open(saved), 60, { filters }, OPTIONS).job).toMatchObject({
			startsSearch: !isSame,
			maxPages: isSame ? 60 : 200,
		});
	});

	test('of watched IDs is replaced', () => {
		expect(plan(open({ entityType: 'prospect' }), 60, watch, OPTIONS).job.startsSearch).toBe(true);
	});

	test('ignores a check during which the filters were edited', () => {
		const { job } = plan(saved, 60, watch, OPTIONS);
		const part = { rows: [], received: true, nextPage: 7 };

		expect(select(saved, job, part, { filters: {} }, OPTIONS.now).checkpoint).toBe(saved);
	});

	test('covers 20,000 people', () => {
		const pagesAfter = (nextPage: number) =>
			plan(after(saved, [], nextPage).checkpoint, 5, watch, OPTIONS).job;

		expect(pagesAfter(199)).toMatchObject({ startPage: 199, maxPages: 2 });
		expect(pagesAfter(201)).toMatchObject({ startPage: 1, maxPages: 5 });
	});

	test('knows people without an ID by their data', () => {
		const known = after(saved, [{ full_name: 'A' }]).checkpoint;

		expect(after(known, [{ full_name: 'A' }, { full_name: 'B' }]).added).toEqual([
			{ full_name: 'B' },
		]);
	});

	test('forgets those beyond the maximum who were found longest ago, and stays small', () => {
		const rowsOf = (...names: string[]) => names.map((name) => ({ prospect_id: name }));
		const fillers = Array.from({ length: MAX_REMEMBERED_PEOPLE - 2 }, (_, index) => `${index}`);
		const full = after(undefined, rowsOf('stays', 'left', ...fillers)).checkpoint;

		const { checkpoint, added } = after(full, rowsOf('stays', 'new'));

		expect(added).toEqual(rowsOf('new'));
		expect(after(checkpoint, rowsOf('left', 'stays', 'new')).added).toEqual(rowsOf('left'));
		expect(JSON.stringify(checkpoint).length).toBeLessThan(250_000);
	});
});
