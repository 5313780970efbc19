/** The first check of a watched search whose pages change, or lack rows, while they are fetched. */
import type { IDataObject } from 'n8n-workflow';
import { idsOf, polled, polledValues, triggerWith, useFakeClock } from './trigger';

useFakeClock();

const PEOPLE = idsOf(250);
const LATER = idsOf(260).slice(250);
const CHECKS_AFTER = 4;

/** Which totals a page reports: those of the search, or the number of its own rows as the row total. */
type Totals = 'exact' | 'ofPage';

interface Request {
	readonly page: number;
	/** How often this page has been requested before. */
	readonly before: number;
}

/** A trigger on a search of 250 people; `respond` may change `people` after a page, or what the page has. */
function firstCheck(
	totals: Totals,
	respond: (request: Request, rows: readonly string[], people: string[]) => readonly string[],
) {
	const people = [...PEOPLE];
	const requested: number[] = [];
	const options = { requests: { maxConcurrentRequests: 1 } };
	const filters = { country_code: [{ value: 'us' }] };
	const trigger = triggerWith({ triggerOn: 'newProspect', filters, options }, ({ body }) => {
		const { page, page_size: size } = body as { page: number; page_size: number };
		const total = people.length;
		let rows: readonly string[] = people.slice((page - 1) * size, page * size);
		if (size > 1) {
			const before = requested.filter((earlier) => earlier === page).length;
			requested.push(page);
			rows = respond({ page, before }, rows, people);
		}
		return {
			status: 200,
			body: {
				total_results: totals === 'exact' ? total : rows.length,
				total_pages: Math.ceil(total / size),
				data: rows.map((prospect_id): IDataObject => ({ prospect_id })),
			},
			after: 1_000,
		};
	});
	const context = trigger.context();
	/** Runs checks that output nobody, and one that outputs who came. Returns the pages that each requested. */
	async function run(activation = context) {
		const pages: number[][] = [];
		for (const check of [activation, ...Array<typeof context>(CHECKS_AFTER).fill(context)]) {
			const before = requested.length;
			expect(await polled(check)).toBeNull();
			pages.push(requested.slice(before));
		}
		const [later = ''] = LATER;
		people.splice(50, 0, later);
		expect(await polledValues(context, 'prospect_id')).toEqual([later]);
		return pages;
	}
	return { run, trigger };
}

const remove = (people: string[], ids: readonly string[]) =>
	people.splice(0, people.length, ...people.filter((id) => !ids.includes(id)));

/** Whether a page is requested for the first time. */
const isFirst = ({ page, before }: Request, number: number) => page === number && before === 0;

test('of a search that does not change requests page 1 again, after the others', async () => {
	const { run } = firstCheck('exact', (_request, rows) => rows);

	expect((await run())[0]).toEqual([1, 2, 3, 1]);
});

test('totals that count only the rows of a page do not hide whom page 2 lacks after someone left page 1', async () => {
	const { run } = firstCheck('ofPage', (request, rows, people) => {
		if (isFirst(request, 1)) remove(people, PEOPLE.slice(5, 6));
		return rows;
	});

	expect((await run())[0]).toEqual([1, 2, 3, 1, 2, 3]);
});

test.each([['exact' as const], ['ofPage' as const]])(
	'takes another check if page 2 twice lacks rows, with totals: %s',
	async (totals) => {
		const { run, trigger } = firstCheck(totals, ({ page, before }, rows) =>
			page === 2 && before < 2 ? rows.slice(0, 60) : rows,
		);

		expect((await run())[0]).toEqual([1, 2, 3, 2]);
		expect(trigger.warnings[0]).toContain('The service sent 60 of 100 rows');
	},
);

test('takes another check if the last page has no rows twice, and totals count only the rows of a page', async () => {
	const { run } = firstCheck('ofPage', ({ page, before }, rows) =>
		page === 3 && before < 2 ? [] : rows,
	);

	await run();
});

test.each([
	['at once', 1, [1, 2, 3, 1]],
	['one after the other', 2, [1, 2, 3]],
])('five leave page 1 and five join at the end %s', async (_when, joinAfter, firstSweep) => {
	const { run } = firstCheck('exact', (request, rows, people) => {
		if (isFirst(request, 1)) remove(people, PEOPLE.slice(10, 15));
		if (isFirst(request, joinAfter)) people.push(...LATER.slice(5));
		return rows;
	});

	expect((await run())[0]).toEqual([...firstSweep, 1, 2, 3]);
});

test('someone moves from page 1 to the end, and back', async () => {
	const { run } = firstCheck('exact', (request, rows, people) => {
		if (isFirst(request, 1)) people.push(...people.splice(5, 1));
		if (isFirst(request, 2)) people.splice(5, 0, ...people.splice(-1));
		return rows;
	});

	expect((await run())[0]).toEqual([1, 2, 3, 1, 2, 3]);
});

test('that takes several polls goes through the pages a second time', async () => {
	const { run, trigger } = firstCheck('exact', (request, rows, people) => {
		// Neither a total nor page 1 shows it.
		if (isFirst(request, 2)) {
			remove(people, PEOPLE.slice(150, 151));
			people.push(...LATER.slice(5, 6));
		}
		return rows;
	});
	const short = trigger.context({ budgetMs: 5_000 });

	expect((await run(short)).slice(0, 2)).toEqual([
		[1, 2],
		[3, 1, 2, 3],
	]);
});
