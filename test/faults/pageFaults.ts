/** The faults of a search's pages: rows that are missing or repeated, and totals that change from page to page. */
import type { Fault as Kind } from '../sandbox/faults/kinds';
import { answered, either, type Fault, of, ONCE, row } from './endings';
import type { Way } from './ways';

export const A_PAGE = of('pages');
export const FIRST_PAGE = ({ page }: Way) => page === 'first';
/** The page that has the last person: it may have fewer rows than it should. */
const LAST_PAGE = ({ page, everyone }: Way) => page === 'last' && everyone === true;
export const BEFORE_LAST = (way: Way) => A_PAGE(way) && !LAST_PAGE(way);
/** A page of which the search needs every row. */
export const FULL_PAGE = (way: Way) => A_PAGE(way) && (way.page !== 'last' || LAST_PAGE(way));

const LATER_PAGE = (way: Way) => A_PAGE(way) && !FIRST_PAGE(way);
const isPage = (number: number) => (way: Way) => A_PAGE(way) && way.nth === number - 1;
const SECOND_PAGE = isPage(2);

/** The page that is hit lacks rows: it is requested once more. */
export const lacking = (fits: (way: Way) => boolean): Pick<Fault, 'again'> => ({
	again: (way) => (fits(way) ? [`search ${way.nth + 1}`] : []),
});

/** A page of the search that is not as it should be, once and for good. */
const page = (name: string, does: Kind, more: Partial<Fault>): Fault[] => [
	row(`${name}, once`, () => does, answered, { ...more, silences: undefined, ...ONCE }),
	row(`${name}, for good`, () => does, answered, more),
];

const ofSearch = (change: (answer: { data?: unknown }) => object): Kind => ({
	kind: 'change',
	with: (answer, { endpoint }) =>
		endpoint === 'search' ? { ...(answer as object), ...change(answer as object) } : answer,
});

/** Too few rows. */
const short = (name: string, rows: (data: unknown) => unknown): Fault[] =>
	page(
		name,
		ofSearch(({ data }) => ({ data: rows(data) })),
		{
			changes: A_PAGE,
			silences: BEFORE_LAST,
			...lacking(A_PAGE),
		},
	);

/**
 * The rows of another page, or so many of them that only `keeps` of its own stay: both pages are requested once more. On a
 * last page that isn't full, people may come again.
 */
function repeating(number: number, hit: (way: Way) => boolean, keeps?: number): Fault[] {
	const fails = (way: Way) => hit(way) && (keeps === undefined || BEFORE_LAST(way));
	return page(
		keeps === undefined
			? `page: that of ${number}`
			: `page: ${keeps} ${keeps === 1 ? 'row' : 'rows'}, others of ${number}`,
		{ kind: 'otherPage', page: number, keeps },
		{
			changes: hit,
			silences: fails,
			again: (way) => (fails(way) ? [`search ${number}`, `search ${way.nth + 1}`] : []),
		},
	);
}

const totals = (total: number): Kind =>
	ofSearch(() => ({ total_results: total, total_pages: Math.ceil(total / 100) }));
/** The first page announces pages that there aren't. */
const WHOLE_FROM_FIRST = (way: Way) => FIRST_PAGE(way) && way.everyone === true;

export const PAGE_FAULTS: readonly Fault[] = [
	...short('page: empty', () => []),
	...short('page: one row', (data) => [data].flat().slice(0, 1)),
	...repeating(1, LATER_PAGE),
	...repeating(2, either(FIRST_PAGE, isPage(3))),
	...repeating(1, LATER_PAGE, 1),
	...repeating(2, either(FIRST_PAGE, isPage(3)), 1),
	...repeating(1, LATER_PAGE, 40),
	...repeating(1, SECOND_PAGE, 89),
	// At most a tenth: that happens when data change during a search.
	row('page: 90 rows, others of 1', () => ({ kind: 'otherPage', page: 1, keeps: 90 }), answered, {
		changes: SECOND_PAGE,
	}),
	row('page: 90 rows, others of 2', () => ({ kind: 'otherPage', page: 2, keeps: 90 }), answered, {
		changes: FIRST_PAGE,
	}),
	// The other pages have the true totals: the total grows from this page to the next, or shrinks.
	row('total: lower on one page', () => totals(150), answered, { changes: A_PAGE }),
	row('total: higher on one page, once', () => totals(450), answered, {
		...ONCE,
		changes: A_PAGE,
		again: (way) => {
			if (LAST_PAGE(way)) return ['search 3'];
			return WHOLE_FROM_FIRST(way) ? ['search 4', 'search 5'] : [];
		},
	}),
	// By its own total, the last page is none: it has failed.
	row('total: higher on one page, for good', () => totals(450), answered, {
		changes: A_PAGE,
		silences: LAST_PAGE,
		again: (way) => {
			const beyond = either(LAST_PAGE, WHOLE_FROM_FIRST)(way) ? ['search 4', 'search 5'] : [];
			return LAST_PAGE(way) ? ['search 3', ...beyond] : beyond;
		},
	}),
];
