/** Random histories of a watched search: who enters and leaves it, and what n8n, its users and the service do meanwhile. */
import fc from 'fast-check';
import { DAY, HOUR, MINUTE, weighted } from './history';
import type { Death, Mode, N8nStep } from './n8n';

/** Everybody; the pages of a history have two rows. */
export const PEOPLE = Array.from({ length: 16 }, (_, person) => person);
export const PAGE_SIZE = 2;

/** Filters. Everybody matches `all`; every other person matches `even`. */
export const SEARCHES = ['all', 'even'] as const;
export type Search = (typeof SEARCHES)[number];
export const isMatch = (search: Search, person: number): boolean =>
	search === 'all' || person % 2 === 0;

/** A response with a page that lacks its last row, or that has the rows of the page before. */
export interface Defect {
	readonly page: number;
	readonly kind: 'short' | 'repeated';
}

/** How one poll goes. */
export interface SearchPlan {
	/** Indexes of the requests that fail; `all` when the service is down. */
	readonly fails: 'all' | readonly number[];
	/** How many requests the time budget allows. */
	readonly requests: number;
	readonly defect?: Defect | undefined;
	/** What happens while requests are pending: `at` is the index of the first one. */
	readonly during: readonly SearchStep[];
	readonly at: number;
	/** True if each of the steps happens during another request. */
	readonly apart: boolean;
	readonly dies?: Death | undefined;
}

export type SearchStep =
	| N8nStep<SearchPlan>
	/** At `place`, 0 for the first and 1 for the last. Someone who is there already moves. */
	| { readonly kind: 'enter'; readonly person: number; readonly place: number }
	| { readonly kind: 'leave'; readonly person: number }
	/** The user saves other filters: n8n activates the workflow again. */
	| { readonly kind: 'edit'; readonly search: Search }
	/** Requests for this page fail; without a page, they work again. */
	| { readonly kind: 'bad'; readonly page?: number | undefined };

export interface SearchHistory {
	readonly mode: Mode;
	/** Maximum number of pages per poll. */
	readonly maxPages: number;
	readonly maxPeople: number;
	/** How the polls of activations go. */
	readonly activation: SearchPlan;
	readonly search: Search;
	/** Who matches at the start. */
	readonly start: readonly number[];
	/**
	 * Which totals the service reports: right ones, none, one that is too large or, without a page count, too small; or the number of
	 * the page's rows, with the right page count.
	 */
	readonly totals: 'right' | 'none' | 'large' | 'small' | 'ofPage';
	readonly steps: readonly SearchStep[];
	/** Whether the service rejects pages after the last one. */
	readonly rejects: boolean;
}

const anyWait = fc.record({
	kind: fc.constant('wait' as const),
	ms: weighted([4, fc.constant(MINUTE)], [2, fc.integer({ min: 1, max: 30 * HOUR })]),
});

const anyDown = fc.constantFrom(0, MINUTE, 7 * DAY);
/** What passes while a poll is running, which takes minutes at most. */
const anyMoment = fc.constantFrom(0, MINUTE, 5 * MINUTE);

const anyMove = weighted<SearchStep>(
	[
		4,
		fc.record({
			kind: fc.constant('enter' as const),
			person: fc.constantFrom(...PEOPLE),
			place: fc.constantFrom(0, 0.5, 1),
		}),
	],
	[
		2,
		fc.record({
			kind: fc.constant('leave' as const),
			person: fc.constantFrom(...PEOPLE),
		}),
	],
);

const anyEdit: fc.Arbitrary<SearchStep> = fc.record({
	kind: fc.constant('edit' as const),
	search: fc.constantFrom(...SEARCHES),
});

const anyChange = (after: fc.Arbitrary<number>): fc.Arbitrary<SearchStep> =>
	fc.oneof(
		anyEdit,
		anyEdit,
		fc.record({ kind: fc.constant('reactivate' as const), after }),
		fc.record({ kind: fc.constant('restart' as const), after }),
		fc.record({
			kind: fc.constant('bad' as const),
			page: fc.constantFrom(undefined, undefined, 1, 2, 3),
		}),
		fc.constant({ kind: 'stale' as const }),
	);

const anyStepDuringPoll: fc.Arbitrary<SearchStep> = fc.oneof(
	anyMove,
	anyMove,
	fc.record({ kind: fc.constant('wait' as const), ms: anyMoment }),
	anyChange(anyMoment),
);

/** A value in one of several cases. */
const seldom = <Value>(value: fc.Arbitrary<Value>, cases: number) =>
	weighted<Value | undefined>([cases - 1, fc.constant(undefined)], [1, value]);

const anyDefect = fc.record({
	page: fc.integer({ min: 1, max: 4 }),
	kind: fc.constantFrom('short' as const, 'repeated' as const),
});

const anyPlan = (during: fc.Arbitrary<readonly SearchStep[]>): fc.Arbitrary<SearchPlan> =>
	fc.record({
		fails: weighted<SearchPlan['fails']>(
			[6, fc.constant([])],
			[2, fc.subarray([0, 1, 2, 3])],
			[1, fc.constant('all')],
		),
		requests: weighted([3, fc.constant(99)], [1, fc.nat(4)]),
		defect: seldom(anyDefect, 6),
		during,
		at: fc.constantFrom(1, 1, 2, 3),
		apart: fc.boolean(),
		dies: seldom(fc.constantFrom('before', 'saved', 'started', 'after'), 12),
	});

const polling = (plan: fc.Arbitrary<SearchPlan>) =>
	fc.record({ kind: fc.constant('poll' as const), plan });

/** What happens during a poll. */
const anyDuring = weighted<readonly SearchStep[]>(
	[4, fc.constant([])],
	[
		1,
		fc.array(weighted<SearchStep>([4, anyStepDuringPoll], [1, polling(anyPlan(fc.constant([])))]), {
			minLength: 1,
			maxLength: 2,
		}),
	],
);

const anyStep = weighted<SearchStep>(
	[30, anyWait],
	[70, anyMove],
	[100, polling(anyPlan(anyDuring))],
	[20, anyChange(anyDown)],
	[1, fc.constant({ kind: 'rename' as const })],
);

/** Somebody leaves, the user saves other filters and these again, and then somebody comes back, who is new now. */
const anyDetour: fc.Arbitrary<SearchStep[]> = fc.constantFrom(...PEOPLE).map((person) => [
	{ kind: 'leave', person },
	{ kind: 'edit', search: 'even' },
	{ kind: 'edit', search: 'all' },
	{ kind: 'enter', person, place: 0 },
]);

export const QUIET: SearchPlan = { fails: [], requests: 99, during: [], at: 1, apart: false };

const WHOLE: SearchStep = { kind: 'poll', plan: QUIET };

/** Somebody comes, and the user saves wider filters, which may match too many people, and then the ones from before again. */
const anyUndoneEdit: fc.Arbitrary<SearchStep[]> = fc
	.constantFrom(...PEOPLE.filter((person) => isMatch('even', person)))
	.map((person) => [
		{ kind: 'edit', search: 'even' },
		...[WHOLE, WHOLE, WHOLE],
		{ kind: 'enter', person, place: 0 },
		{ kind: 'edit', search: 'all' },
		{ kind: 'edit', search: 'even' },
	]);

/** A page keeps failing during the first check of a search. */
const anyFailingPage: fc.Arbitrary<SearchStep[]> = fc
	.constantFrom(2, 3)
	.map((page) => [
		{ kind: 'bad', page },
		{ kind: 'edit', search: 'even' },
		{ kind: 'edit', search: 'all' },
		...[WHOLE, WHOLE, WHOLE, WHOLE],
		{ kind: 'bad' },
	]);

/** At the start, those with low numbers are on the first pages. */
const anyLoss: fc.Arbitrary<SearchStep> = fc.record({
	kind: fc.constant('leave' as const),
	person: fc.constantFrom(...PEOPLE.slice(0, 6)),
});

/** The requests of a first check are the count, the pages, and page 1 again. */
const anyActivation: fc.Arbitrary<SearchPlan> = fc.record({
	fails: fc.constant([]),
	requests: fc.constantFrom(99, 99, 2),
	defect: seldom(anyDefect, 4),
	// Nothing that activates the workflow again, which would go on for ever.
	during: weighted<readonly SearchStep[]>(
		[1, fc.constant([])],
		[2, fc.array(fc.oneof(anyMove, anyLoss), { minLength: 1, maxLength: 4 })],
	),
	at: fc.constantFrom(2, 2, 3, 4),
	apart: fc.boolean(),
});

export const anySearchHistory: fc.Arbitrary<SearchHistory> = fc.record({
	mode: fc.constantFrom<Mode>('live', 'durable', 'scheduled'),
	maxPages: fc.constantFrom(1, 2, 9),
	maxPeople: fc.constantFrom(99, 99, 99, 99, 5),
	activation: anyActivation,
	search: fc.constantFrom(...SEARCHES),
	start: weighted(
		[1, fc.subarray(PEOPLE, { maxLength: 8 })],
		[1, fc.subarray(PEOPLE, { minLength: 4, maxLength: 8 })],
	),
	totals: weighted<SearchHistory['totals']>(
		[3, fc.constant('right')],
		[1, fc.constant('ofPage')],
		[1, fc.constantFrom('none', 'large', 'small')],
	),
	steps: fc
		.array(
			weighted(
				[60, anyStep.map((step) => [step])],
				[1, fc.oneof(anyDetour, anyUndoneEdit, anyFailingPage)],
			),
			{ minLength: 1, maxLength: 36 },
		)
		.map((steps) => steps.flat()),
	// Generated last, so that it does not change the other members of a seed's histories.
	rejects: fc.boolean(),
});
