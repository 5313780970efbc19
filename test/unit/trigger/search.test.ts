/** The state of a watched search: whose people are known, and which pages are fetched. */
import type { IDataObject } from 'n8n-workflow';
import {
	fingerprintOf,
	pack,
	unpack,
} from '../../../nodes/BusinessProspectData/trigger/fingerprints';
import {
	isWatchingSearch,
	MAX_PEOPLE,
	MAX_REMEMBERED_PEOPLE,
	openSearchCheckpoint,
	planSearch,
	type SearchCheckpoint,
	selectPeople,
	type SweepPart,
} from '../../../nodes/BusinessProspectData/trigger/search/state';

const watch = {
	filters: { country_code: { values: ['us', 'gb'] }, job_level: { values: ['vp'] } },
};

const rowsOf = (...rows: IDataObject[]) => rows.map((row) => ({ row, responseContext: undefined }));
const received = (names: readonly string[], pages: Partial<SweepPart> = {}): SweepPart => ({
	rows: rowsOf(...names.map((name) => ({ prospect_id: name }))),
	firstPageStatus: 'received',
	partial: false,
	changed: false,
	total: names.length,
	...pages,
});
const withoutPages = (first: SweepPart['firstPageStatus']): SweepPart => ({
	rows: [],
	firstPageStatus: first,
	partial: false,
	changed: false,
});

/** The state after a poll, and whom it output. */
function polled(state: SearchCheckpoint, pages: SweepPart, maxPages = 60) {
	const { checkpoint: planned, job } = planSearch(state, maxPages);
	const { checkpoint = state, result } = selectPeople(planned, job, pages);
	const names = result.rows.map(({ row }) => row.prospect_id);
	return { ...result, checkpoint, job, names };
}

/** The state after these polls. */
const after = (...polls: SweepPart[]): SearchCheckpoint =>
	polls.reduce(
		(state, pages) => polled(state, pages).checkpoint,
		openSearchCheckpoint(undefined, watch),
	);

const knownIn = ({ known }: SearchCheckpoint, ...names: string[]) =>
	names.filter((name) => unpack(known).includes(fingerprintOf(name)));

describe('the first check', () => {
	test.each<[what: string, pages: SweepPart]>([
		['a page failed', received(['a'], { partial: true, total: 1 })],
		['pages changed meanwhile', received(['a'], { changed: true })],
		['fewer people were found than match', received(['a'], { total: 2 })],
		['no total is reported', received(['a'], { total: undefined })],
		['pages are left', received(['a'], { resumeAt: 2, total: 1 })],
		['the search is too large', withoutPages('tooMany')],
		['the service failed', withoutPages('failed')],
		['the time ran out', withoutPages('postponed')],
	])('goes on when %s', (_what, pages) => {
		const { checkpoint: state, baselineSize } = polled(
			openSearchCheckpoint(undefined, watch),
			pages,
		);

		expect(baselineSize).toBeUndefined();
		expect(polled(state, received(['b'], { total: 2 })).names).toEqual([]);
	});

	test.each([[9], [undefined]])(
		'ends after three complete sweeps if the total, %p, is never reached',
		(total) => {
			const sweep = received(['a'], { total });

			expect(after(sweep, sweep).baselineSweeps).toBe(2);
			expect(after(sweep, sweep, sweep).baselineSweeps).toBeUndefined();
		},
	);

	test('goes through all pages a second time, at once, if they changed during the first sweep', () => {
		const changed = received(['a'], { changed: true });
		const opened = openSearchCheckpoint(undefined, watch);
		const failed = received(['a'], { changed: true, partial: true });

		expect(polled(opened, changed).continues).toBe(true);
		expect(polled(after(changed), changed)).toMatchObject({ continues: false, baselineSize: 1 });
		expect(polled(opened, received(['a'], { total: 2 })).continues).toBe(false);
		expect(polled(opened, failed).continues).toBe(false);
		expect(polled(after(failed), failed).continues).toBe(false);
		expect(polled(after(received(['a'])), changed).continues).toBe(false);
	});

	test('is partial if it ends because the last page that can be watched fails', () => {
		const sweep = received(['a'], { total: 2 });
		const failed = withoutPages('failed');
		const state = after(sweep, sweep, received(['a'], { total: 2, resumeAt: 200 }), failed);

		expect(polled(state, failed)).toMatchObject({ baselineSize: 1, isBaselinePartial: true });
	});

	test('is partial if its last sweep skipped a page in an earlier poll', () => {
		const sweep = received(['a'], { total: 9 });
		const failed = withoutPages('failed');
		const state = after(sweep, sweep, received(['a'], { resumeAt: 2 }), failed, failed);

		expect(polled(state, received([]))).toMatchObject({ baselineSize: 1, isBaselinePartial: true });
	});

	test('compares with the largest total of the sweep', () => {
		const state = after(received(['a'], { resumeAt: 2, total: 2 }), received([], { total: 1 }));

		expect(state.baselineSweeps).toBe(1);
	});

	test('counts whom a sweep found, over all its polls', () => {
		const state = after(received(['a'], { resumeAt: 2, total: 2 }), received(['b'], { total: 2 }));

		expect(state.baselineSweeps).toBeUndefined();
	});

	test('does not count somebody known from an earlier sweep, who may have left', () => {
		const left = received(['left', 'b'], { total: 3 });
		const state = after(left, received(['b'], { total: 2 }));

		expect(state.baselineSweeps).toBe(2);
		expect(polled(state, received(['b', 'c'])).names).toEqual([]);
	});

	test('counts the matches only before its first page; sweeps are numbered', () => {
		const incomplete = received(['a'], { total: 9 });
		const jobs = [
			polled(after(received(['a'], { resumeAt: 3 })), received([])).job,
			polled(after(incomplete, incomplete), received([])).job,
			polled(after(withoutPages('tooMany')), received([])).job,
		];

		expect(jobs).toMatchObject([
			{ sweepNumber: 1, startPage: 3, maxPages: 198, startsBaseline: false },
			{ sweepNumber: 3, startPage: 1, maxPages: 200, startsBaseline: false },
			{ sweepNumber: 1, startPage: 1, maxPages: 200, startsBaseline: true },
		]);
	});
});

describe('a sweep', () => {
	const first = received(['a']);
	const pageOf = (...polls: SweepPart[]) => planSearch(after(first, ...polls), 5).job.startPage;

	test.each<[what: string, polls: SweepPart[], startPage: number]>([
		['continues after the pages received', [received(['b'], { resumeAt: 6 })], 6],
		['starts over after the last page', [received(['b'], { resumeAt: 6 }), received(['c'])], 1],
		['waits while the service fails', [withoutPages('failed'), withoutPages('failed')], 1],
		['waits while there is no time', [received([], { resumeAt: 6 }), withoutPages('postponed')], 6],
		['tries a failed page again', [received([], { resumeAt: 6 }), withoutPages('failed')], 6],
		[
			'skips a page that failed twice in a row',
			[received([], { resumeAt: 6 }), withoutPages('failed'), withoutPages('failed')],
			7,
		],
		[
			'tries the page after a skipped one twice, too',
			[
				received([], { resumeAt: 6 }),
				withoutPages('failed'),
				withoutPages('failed'),
				withoutPages('failed'),
			],
			7,
		],
		[
			'tries the last page that it covers after it skipped the one before',
			[received([], { resumeAt: 199 }), withoutPages('failed'), withoutPages('failed')],
			200,
		],
		[
			'starts over when the search is too large',
			[received([], { resumeAt: 6 }), withoutPages('tooMany')],
			1,
		],
	])('%s', (_what, polls, startPage) => {
		expect(pageOf(...polls)).toBe(startPage);
	});

	test('ends when the page that it skips is the last one that it covers', () => {
		const failed = withoutPages('failed');
		const state = after(first, received([], { resumeAt: 200 }), failed, failed);

		expect(state.sweep).toBeUndefined();
	});

	test('of the first check that skipped a page counts, and is followed by another', () => {
		const failed = withoutPages('failed');
		const state = after(received(['a'], { resumeAt: 2, total: 1 }), failed, failed, received([]));

		expect(state.baselineSweeps).toBe(1);
	});

	test(`covers ${MAX_PEOPLE} people`, () => {
		const jobAt = (resumeAt: number) =>
			planSearch(after(first, received([], { resumeAt })), 5).job.maxPages;

		expect([196, 199, 200, 201].map(jobAt)).toEqual([5, 2, 1, 0]);
	});

	test('drops the pages of a poll during which the filters were edited, even if back', () => {
		const { checkpoint: state, job } = planSearch(after(first), 60);
		const other = openSearchCheckpoint(state, { filters: {} });
		const back = openSearchCheckpoint(planSearch(other, 60).checkpoint, watch);

		const nobody = { rows: [], succeeded: true, inBaseline: true, continues: false };
		expect([other, back].map((edited) => selectPeople(edited, job, received(['b'])))).toEqual([
			{ result: nobody, checkpoint: other },
			{ result: nobody, checkpoint: back },
		]);
		const later = selectPeople(planSearch(back, 60).checkpoint, job, received(['b']));
		expect(later.result.rows).toEqual([]);
	});
});

describe('people', () => {
	test('who leave and come back, or whom a sweep misses, are not output again', () => {
		const state = after(received(['a', 'b']), received(['a']), received(['a']));

		expect(polled(state, received(['b', 'a'])).names).toEqual([]);
	});

	test('come once even if two pages have them, in the order of the pages', () => {
		const state = after(received(['a']));

		expect(polled(state, received(['c', 'b', 'c', 'a'])).names).toEqual(['c', 'b']);
	});

	test('without an ID differ by their data', () => {
		const nameless = (name: string) => ({ ...received([]), rows: rowsOf({ full_name: name }) });
		const state = after(nameless('A'));

		expect(polled(state, nameless('B')).rows).toEqual(rowsOf({ full_name: 'B' }));
		expect(polled(state, nameless('A')).names).toEqual([]);
	});

	test('beyond the maximum are forgotten: those who were found longest ago', () => {
		const fillers = Array.from(
			{ length: MAX_REMEMBERED_PEOPLE - 2 },
			(_, index) => `filler ${index}`,
		);
		const full = after(received(['stays', 'left', ...fillers]));

		const { checkpoint: state, names } = polled(full, received(['stays', 'new']));

		expect(names).toEqual(['new']);
		expect(knownIn(state, 'left', 'stays', 'new')).toEqual(['stays', 'new']);
		expect(unpack(state.known)).toHaveLength(MAX_REMEMBERED_PEOPLE);
		expect(JSON.stringify(planSearch(state, 1).checkpoint).length).toBeLessThan(250_000);
	});
});

describe('a saved state', () => {
	const saved = after(received(['a']));

	test.each<[what: string, filters: IDataObject, isSame: boolean]>([
		['the same filters', watch.filters, true],
		[
			'the same filters in another order',
			{ job_level: { values: ['vp'] }, country_code: { values: ['gb', 'us'] } },
			true,
		],
		['one value less', { ...watch.filters, country_code: { values: ['us'] } }, false],
		['another value', { ...watch.filters, job_level: { values: ['cxo'] } }, false],
		['a value under another filter', { ...watch.filters, job_level: { value: 'vp' } }, false],
		['a filter more', { ...watch.filters, has_email: { value: true } }, false],
		['no filters', {}, false],
	])('with %s', (_what, filters, isSame) => {
		const opened = openSearchCheckpoint(saved, { filters });

		expect(isWatchingSearch(saved, { filters })).toBe(isSame);
		expect([opened === saved, opened.baselineSweeps === undefined]).toEqual([isSame, isSame]);
		expect(opened.known === '').toBe(!isSame);
	});

	test.each<[what: string, broken: unknown]>([
		['nothing', undefined],
		['of watched IDs', { source: 'prospect', watched: {}, types: {}, seen: {}, earliestFrom: 1 }],
		['without known people', { ...saved, known: undefined }],
		['with another kind of sweep', { ...saved, sweep: 'first' }],
		['with a broken sweep', { ...saved, sweep: { number: 1, nextPage: 'a', found: 0 } }],
		['without what its sweep found', { ...saved, sweep: { number: 1, nextPage: 1 } }],
		['with a broken total', { ...saved, sweep: { number: 1, nextPage: 1, found: 0, total: 'a' } }],
		['with a broken first check', { ...saved, baselineSweeps: 'a' }],
		['with a broken counter', { ...saved, sweeps: null }],
	])('that is unreadable (%s) is replaced', (_what, broken) => {
		expect(isWatchingSearch(broken, watch)).toBe(false);
		expect(openSearchCheckpoint(broken, watch)).toEqual({
			searchKey: saved.searchKey,
			known: '',
			sweeps: 0,
			baselineSweeps: 0,
		});
	});

	test('that came from JSON continues its sweep', () => {
		const { checkpoint: state } = polled(saved, received(['b'], { resumeAt: 4, total: undefined }));
		const copy: unknown = JSON.parse(JSON.stringify(state));

		expect(isWatchingSearch(copy, watch)).toBe(true);
		expect(planSearch(openSearchCheckpoint(copy, watch), 2).job.startPage).toBe(4);
		expect(knownIn(openSearchCheckpoint(copy, watch), 'a', 'b')).toEqual(['a', 'b']);
		expect(pack(unpack(state.known))).toBe(state.known);
	});
});
