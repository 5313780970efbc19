/** Faults of a search's pages: missing or repeated rows, and totals that change from page to page. */
import type { Fault as Action } from '../sandbox/faults/kinds';
import { anyOf, fault, type Fault, isKind, ONCE, succeeds } from './expectedOutcomes';
import type { Scenario } from './scenarios';

export const isPage = isKind('pages');
export const isFirstPage = ({ page }: Scenario) => page === 'first';
/** The page with the last person, which may be shorter than it should be. */
const isLastPage = ({ page, exhaustsSearch }: Scenario) =>
	page === 'last' && exhaustsSearch === true;
export const isBeforeLastPage = (scenario: Scenario) => isPage(scenario) && !isLastPage(scenario);
/** A page of which the search needs every row. */
export const isFullPage = (scenario: Scenario) =>
	isPage(scenario) && (scenario.page !== 'last' || isLastPage(scenario));
export const isLaterPage = (scenario: Scenario) => isPage(scenario) && !isFirstPage(scenario);
const isPageNumber = (number: number) => (scenario: Scenario) =>
	isPage(scenario) && scenario.nth === number - 1;

/** A search of people by company name or by ID: the first page only, requested once. */
const isFind = isKind('companies', 'companiesOfPeople');
const isFindOfPeople = isKind('companiesOfPeople');
const isSearch = anyOf(isPage, isFind);

/** The affected page is requested once more. */
export const refetchesPage = (
	applies: (scenario: Scenario) => boolean,
): Pick<Fault, 'refetches'> => ({
	refetches: (scenario) => (applies(scenario) ? [`search ${scenario.nth + 1}`] : []),
});

const pageFaults = (name: string, action: Action, options: Partial<Fault>): Fault[] => [
	fault(`${name}, once`, () => action, succeeds, {
		...options,
		// Only defective pages of Get Many are requested again.
		leavesValuesOut: (scenario) => isFind(scenario) && options.leavesValuesOut?.(scenario) === true,
		...ONCE,
	}),
	fault(`${name}, always`, () => action, succeeds, options),
];

const changeSearch = (change: (response: { data?: unknown }) => object): Action => ({
	kind: 'change',
	with: (response, { endpoint }) =>
		endpoint === 'search' ? { ...(response as object), ...change(response as object) } : response,
});

const shortPage = (
	name: string,
	rows: (data: unknown) => unknown,
	leavesCompanyOut: boolean,
): Fault[] =>
	pageFaults(
		name,
		changeSearch(({ data }) => ({ data: rows(data) })),
		{
			changesResponse: isSearch,
			leavesValuesOut: (scenario) =>
				isBeforeLastPage(scenario) ||
				isFindOfPeople(scenario) ||
				(isFind(scenario) && leavesCompanyOut),
			...refetchesPage(isPage),
		},
	);

/**
 * A page with the rows of another one, except for `keeps` of its own. Both pages are requested once more. On a last page
 * that isn't full, people may appear again.
 */
function repeatedPage(
	number: number,
	affects: (scenario: Scenario) => boolean,
	keeps?: number,
): Fault[] {
	const fails = (scenario: Scenario) =>
		affects(scenario) && (keeps === undefined || isBeforeLastPage(scenario));
	return pageFaults(
		keeps === undefined
			? `page: rows of page ${number}`
			: `page: ${keeps} own ${keeps === 1 ? 'row' : 'rows'}, others of page ${number}`,
		{ kind: 'otherPage', page: number, keeps },
		{
			// The second page of Find is empty, since its size allows one page.
			changesResponse: (scenario) =>
				affects(scenario) || (isFind(scenario) && number === 2 && (keeps ?? 0) < 3),
			leavesValuesOut: (scenario) =>
				fails(scenario) ||
				(isFind(scenario) && number === 2 && keeps === undefined) ||
				(isFindOfPeople(scenario) && number === 2 && (keeps ?? 0) < 3),
			refetches: (scenario) =>
				fails(scenario) ? [`search ${number}`, `search ${scenario.nth + 1}`] : [],
		},
	);
}

/** Up to a tenth of repeated rows is normal: data may change during a search. */
const repeatedTenth = (number: number, changesResponse: Fault['changesResponse']): Fault =>
	fault(
		`page: 90 own rows, others of page ${number}`,
		() => ({ kind: 'otherPage', page: number, keeps: 90 }),
		succeeds,
		{ changesResponse },
	);

const totals = (total: number): Action =>
	changeSearch(() => ({ total_results: total, total_pages: Math.ceil(total / 100) }));
const announcesMissingPages = (scenario: Scenario) =>
	isFirstPage(scenario) && scenario.exhaustsSearch === true;

export const PAGE_FAULTS: readonly Fault[] = [
	...shortPage('page: empty', () => [], true),
	...shortPage('page: one row', (data) => [data].flat().slice(0, 1), false),
	...repeatedPage(1, isLaterPage),
	...repeatedPage(2, anyOf(isFirstPage, isPageNumber(3))),
	...repeatedPage(1, isLaterPage, 1),
	...repeatedPage(2, anyOf(isFirstPage, isPageNumber(3)), 1),
	...repeatedPage(1, isLaterPage, 40),
	...repeatedPage(1, isPageNumber(2), 89),
	repeatedTenth(1, isPageNumber(2)),
	repeatedTenth(2, isFirstPage),
	// The other pages have the true total, so it grows or shrinks from one page to the next.
	// Each page counts its own rows.
	fault(
		'total: of each page alone',
		() => changeSearch(({ data }) => ({ total_results: [data].flat().length })),
		succeeds,
		{ changesResponse: anyOf(isPage, isKind('companies')) },
	),
	fault('total: lower on one page', () => totals(150), succeeds, { changesResponse: isSearch }),
	fault('total: higher on one page, once', () => totals(450), succeeds, {
		...ONCE,
		changesResponse: isSearch,
		refetches: (scenario) => {
			if (isLastPage(scenario)) return ['search 3'];
			return announcesMissingPages(scenario) ? ['search 4', 'search 5'] : [];
		},
	}),
	// By its own total, the last page is not the last one, so it has failed.
	fault('total: higher on one page, always', () => totals(450), succeeds, {
		changesResponse: isSearch,
		leavesValuesOut: isLastPage,
		refetches: (scenario) => [
			...(isLastPage(scenario) ? ['search 3'] : []),
			...(anyOf(isLastPage, announcesMissingPages)(scenario) ? ['search 4', 'search 5'] : []),
		],
	}),
];
