/** One poll of a trigger that watches a search: its requests, its log, its errors. */
import type { IDataObject } from 'n8n-workflow';
import {
	idsOf,
	poll,
	polled,
	polledValues,
	rejected,
	triggerWith,
	UNAUTHORIZED,
	useFakeClock,
} from './trigger';

useFakeClock();

const SEARCH = { triggerOn: 'newProspect', filters: { country_code: [{ value: 'us' }] } };

/** A service with so many people, at most 100 on a page. */
const serviceOf = (count: () => number) => (body: IDataObject) => {
	const { page, page_size: size } = body as { page: number; page_size: number };
	const rows = idsOf(count())
		.slice((page - 1) * size, page * size)
		.map((prospect_id) => ({ prospect_id, last_name: prospect_id.slice(-3) }));
	return {
		status: 200,
		body: { total_results: count(), total_pages: Math.ceil(count() / size), data: rows },
	};
};

/** A trigger that watches a search of so many people, and the service's answers that replace others. */
function searchTrigger(options: IDataObject = {}) {
	let count = 150;
	const answers = {
		fails: false,
		failingPages: [] as unknown[],
		failure: UNAUTHORIZED,
		after: 0,
	};
	const respond = serviceOf(() => count);
	const trigger = triggerWith({ ...SEARCH, options }, ({ body }) => {
		if (answers.fails || answers.failingPages.includes(body.page)) return answers.failure;
		return { ...respond(body), after: answers.after };
	});
	const pages = (from = 0) => trigger.requests.slice(from).map(({ body }) => body.page);
	return { ...trigger, answers, pages, grow: (to: number) => (count = to) };
}

const KNOWN =
	"Watch: 150 people match the filters now and won't be output. From now on, people who match for the first time are.";

test('the requests have the filters, all pages the same size, and no limit below that of the service', async () => {
	const trigger = searchTrigger({ requests: { requestContext: '{"team":"x"}' } });

	await polled(trigger.context());

	const body = {
		mode: 'full',
		size: 60_000,
		filters: { country_code: { values: ['us'] } },
		request_context: { team: 'x' },
	};
	expect(trigger.requests.map((request) => request.body)).toEqual([
		{ ...body, page: 1, page_size: 1 },
		{ ...body, page: 1, page_size: 100 },
		{ ...body, page: 2, page_size: 100 },
		{ ...body, page: 1, page_size: 100 },
	]);
	expect(jest.getTimerCount()).toBe(0);
});

test("n8n's log says when the first check is complete, and when the search outgrows Max Prospects", async () => {
	const trigger = searchTrigger({ maxProspects: 151 });
	const context = trigger.context();

	await polled(context);
	trigger.grow(151);
	expect(await polledValues(context, 'last_name')).toEqual(['096']);
	expect([trigger.infos, trigger.warnings]).toEqual([[KNOWN], []]);

	trigger.grow(152);
	expect(await polledValues(context, 'last_name')).toEqual(['097']);
	expect(trigger.warnings).toHaveLength(1);
	await polled(context);
	expect([trigger.infos, trigger.warnings]).toEqual([
		[KNOWN],
		[
			'Watch: The filters match 152 people now, more than Max Prospects (151). The trigger goes on up to 20,000. To send fewer requests, narrow Filters.',
		],
	]);
});

test('the log of the first check of a search that one person matches', async () => {
	const trigger = searchTrigger();
	trigger.grow(1);

	await polled(trigger.context());

	expect(trigger.infos[0]).toContain('Watch: 1 person matches the filters now');
});

test('people whose output n8n dropped, with the state, are output again', async () => {
	const trigger = searchTrigger();
	await polled(trigger.context());
	const saved = structuredClone(trigger.state);
	trigger.grow(151);
	expect(await polledValues(trigger.context(), 'last_name')).toEqual(['096']);

	Object.assign(trigger.state, saved);
	jest.setSystemTime(Date.now() + 60_000);

	expect(await polledValues(trigger.context(), 'last_name')).toEqual(['096']);
});

test('Fetch Test Event outputs ten people even if the service ignores the page size', async () => {
	const respond = serviceOf(() => 150);
	const trigger = triggerWith(SEARCH, ({ body }) => respond({ ...body, page_size: 100 }));

	expect(await polled(trigger.context({ mode: 'manual' }))).toHaveLength(10);
});

test('Fetch Test Event says that people are missing if the service reports some but sends none', async () => {
	const trigger = triggerWith(SEARCH, () => ({
		status: 200,
		body: { total_results: 150, total_pages: 15, data: [] },
	}));

	expect((await rejected(poll(trigger.context({ mode: 'manual' })))).message).toMatch(
		/^The service sent 0 of 10 rows/,
	);
});

describe('a failing service', () => {
	const MESSAGE =
		'The service did not accept the API key (HTTP 401). Check API Key, and Tenant if you use one, in the credential.';

	test('is only logged at an activation, and throws from the next poll on', async () => {
		const trigger = searchTrigger();
		const context = trigger.context();
		trigger.answers.fails = true;

		expect(await polled(context)).toBeNull();
		expect(trigger.warnings).toEqual([`Watch: ${MESSAGE}`]);
		expect((await rejected(poll(context))).message).toBe(
			`${MESSAGE} The first check is not complete yet, so no one is output, and people who start to match meanwhile count as known. The next checks continue it.`,
		);
		trigger.answers.fails = false;
		await polled(context);
		trigger.answers.fails = true;
		expect((await rejected(poll(context))).message).toBe(
			`${MESSAGE} No one is missed: the next checks continue the search.`,
		);
	});

	test('is only logged when other pages were received, except in the first check', async () => {
		const trigger = searchTrigger();
		const context = trigger.context();
		trigger.answers.failingPages = [2];
		const warning = `Watch: Page 2 of the search failed or lacked rows. ${MESSAGE}`;

		await polled(context);
		expect((await rejected(poll(context))).message).toContain(MESSAGE);
		trigger.answers.failingPages = [];
		await polled(context);
		trigger.answers.failingPages = [2];
		expect(await polled(context)).toBeNull();

		expect(trigger.infos).toEqual([KNOWN]);
		expect(trigger.warnings).toEqual([warning, warning, warning]);
	});
});

test("n8n's log names all pages that failed", async () => {
	const trigger = searchTrigger();
	await polled(trigger.context());
	trigger.grow(450);
	trigger.answers.failingPages = [2, 4, 5];

	await polled(trigger.context());

	expect(trigger.warnings[0]).toMatch(
		/^Watch: Pages 2, 4-5 of the search failed or lacked rows\. /,
	);
});

test('a page that the service rejects because the search has become shorter fails no check', async () => {
	const trigger = searchTrigger({ requests: { requestsPerPoll: 2 } });
	const context = trigger.context();
	await polled(context);
	trigger.grow(250);
	expect(await polled(context)).toHaveLength(50);
	trigger.answers.failingPages = [3];
	trigger.answers.failure = { status: 422, body: { detail: 'No such page' } };

	expect(await polled(context)).toBeNull();
	await polled(context);

	expect(trigger.pages().slice(-3)).toEqual([3, 1, 2]);
});

test('the first check ends after three sweeps even if a page fails in each', async () => {
	const trigger = searchTrigger();
	const context = trigger.context();
	trigger.answers.failingPages = [2];

	await polled(context);
	expect((await rejected(poll(context))).message).toContain('The first check is not complete yet');
	expect(await polled(context)).toBeNull();
	expect(trigger.infos).toEqual([
		"Watch: At least 100 people match the filters now and won't be output. From now on, people who match for the first time are. Pages of the search failed or lacked rows: people on them may be output, too, once the pages work.",
	]);
	trigger.answers.failingPages = [];
	expect(await polledValues(context, 'last_name')).toHaveLength(50);
});

describe('too many matches', () => {
	const options = { maxProspects: 149 };

	test("don't stop Fetch Test Event of a search that the trigger is watching already", async () => {
		const trigger = searchTrigger({ maxProspects: 150 });
		await polled(trigger.context());
		trigger.grow(151);

		expect(await polled(trigger.context({ mode: 'manual' }))).toHaveLength(10);
	});

	test('of edited filters leave the saved state as it was', async () => {
		const { state, context } = searchTrigger();
		await polled(context());
		const saved = structuredClone(state);
		const filters = { country_code: [{ value: 'gb' }] };
		const respond = serviceOf(() => 150);
		const parameters = { ...SEARCH, filters, options };
		const edited = triggerWith(parameters, ({ body }) => respond(body), state);

		expect((await rejected(poll(edited.context()))).message).toContain('Max Prospects allows 149');
		expect(state).toEqual(saved);
	});

	test.each(['activate', 'create', 'update'] as const)(
		'throw at an activation of the kind %s: its user sees the error',
		async (activation) => {
			const trigger = searchTrigger(options);

			expect((await rejected(poll(trigger.context({ activation })))).message).toContain(
				'Max Prospects allows 149',
			);
			expect(trigger.requests).toHaveLength(1);
		},
	);

	test.each(['init', 'leadershipChange'] as const)(
		'are only logged at an activation of the kind %s, and throw from the next poll on',
		async (activation) => {
			const trigger = searchTrigger(options);
			const context = trigger.context({ activation });

			expect(await polled(context)).toBeNull();
			expect(trigger.warnings).toHaveLength(1);
			expect((await rejected(poll(context))).message).toContain('Max Prospects allows 149');
		},
	);
});

test('a check that gets its credential too late does nothing', async () => {
	const trigger = searchTrigger();
	const slow = trigger.context({ budgetMs: 36_000, credentialMs: 18_001 });

	expect(await polled(slow)).toBeNull();
	expect([trigger.requests, trigger.warnings]).toEqual([[], []]);
});

test('a search without totals that has more than 20,000 people starts again once it has fewer', async () => {
	let count = 20_001;
	const respond = serviceOf(() => count);
	const trigger = triggerWith(SEARCH, ({ body }) => ({
		status: 200,
		body: { data: respond(body).body.data },
	}));
	const context = trigger.context();

	await polled(context);
	expect((await rejected(poll(context))).message).toContain('more than 20,000 people now');
	count = 50;
	expect(await polled(context)).toBeNull();

	expect(trigger.requests.at(-1)?.body.page).toBe(1);
});

test('a check that runs out of time is continued by the next one', async () => {
	const trigger = searchTrigger({ requests: { maxConcurrentRequests: 1 } });
	await polled(trigger.context({ budgetMs: 36_000 }));
	trigger.grow(350);
	trigger.answers.after = 10_000;
	const before = trigger.requests.length;

	const outputs = [];
	for (let check = 0; check < 3; check++) {
		outputs.push((await polled(trigger.context({ budgetMs: 36_000 })))?.length);
		jest.setSystemTime(Date.now() + 60_000);
	}

	// Requests start within 18 seconds.
	expect(trigger.pages(before)).toEqual([1, 2, 3, 4, 1, 2]);
	expect(outputs).toEqual([50, 150, undefined]);
	expect(trigger.warnings).toEqual([]);
});
