/** The faults, each with the rows that it may harm. */
import type { Fault as Action, RowChange } from '../sandbox/faults/kinds';
import { SANDBOX_KEY } from '../sandbox/sandbox';
import type { Scenario } from './scenarios';

/**
 * Which rows may fail:
 *
 * - `nothing`: none, since a retry helps, or the response has all that is needed.
 * - `targets`: those that the fault is about.
 * - `one`: at most one, in scenarios with a row for each record; otherwise as `unanswered`.
 * - `unanswered`: those without a response that is as usual.
 */
export type Harm = 'nothing' | 'targets' | 'one' | 'unanswered';

/** The rows that a fault is about; those of one request, unless they are of all requests. */
export type About = 'one' | 'two' | 'two apart' | 'a whole request' | 'every request';

export interface Fault {
	readonly name: string;
	/** `marks` are those of the rows that the fault is about. */
	readonly action: (marks: readonly string[]) => Action | Action[];
	readonly harms: Harm | ((scenario: Scenario) => Harm);
	readonly about?: About;
	/** Whether only the first request is affected. */
	readonly once?: boolean;
	/** Whether harmed rows may have less data instead of failing: the response doesn't show that data is missing. */
	readonly mayLackData?: (scenario: Scenario) => boolean;
	/** The part of the scenarios to which it applies, if it means something else elsewhere. */
	readonly only?: (scenario: Scenario) => boolean;
	/** Whether a request waits until its timeout, so that it must be short. */
	readonly timesOut?: boolean;
	/** Whether it is tried in every scenario, in each sample. */
	readonly isInEverySample?: boolean;
}

type More = Partial<Omit<Fault, 'name' | 'action' | 'harms'>>;

const fault = (
	name: string,
	action: Action | Fault['action'],
	harms: Fault['harms'],
	more: More = {},
): Fault => ({
	name,
	action: typeof action === 'function' ? action : () => action,
	harms,
	...more,
});

const ONCE = { once: true };
const anywhere = () => true;
const isBulk = ({ isBulk = false }: Scenario) => isBulk;
/** Whether the rows of a response have IDs that were requested. */
const refersToIds = (scenario: Scenario) =>
	isBulk(scenario) && scenario.oneRowEach && scenario.to !== 'match';
const isSearch = ({ page }: Scenario) => page !== undefined;

/** Only where each record must have one row, a response shows that one is missing. */
const MISSING: More = {
	mayLackData: (scenario) =>
		!(isBulk(scenario) && scenario.oneRowEach && scenario.to !== 'postsBulk'),
};

const status = (code: number, more: { body?: unknown } = {}): Action => ({
	kind: 'status',
	status: code,
	...more,
});

/** A second request can't cost anything: it is sent. */
const retried = (name: string, action: Action): Fault[] => [
	fault(`${name}, once`, action, 'nothing', ONCE),
	fault(`${name}, always`, action, 'unanswered'),
];

/** A second deletion finds nothing, so the row says that the first one may have deleted it. */
const isDeletion = ({ to }: Scenario) => to === 'deleteEnrollment';

/** A second request might be charged as well: it is sent only where nothing is. */
const lost = (name: string, action: Action, more: More = {}): Fault[] => [
	fault(
		`${name}, once`,
		action,
		(scenario) => (scenario.paid ? 'unanswered' : isDeletion(scenario) ? 'targets' : 'nothing'),
		{ ...ONCE, mayLackData: isDeletion, ...more },
	),
	fault(`${name}, always`, action, 'unanswered', more),
];

/** An endpoint that the user chose may have done something before it failed. */
const failed = (code: number): Fault[] =>
	retried(`HTTP ${code}`, status(code)).map((one) => ({
		...one,
		harms: ({ to, paid }) => (one.once && !(to === 'stats' && paid) ? 'nothing' : 'unanswered'),
	}));

const final = (name: string, action: Action | Fault['action'], more?: More) =>
	fault(name, action, 'unanswered', more);

const invalid = (
	name: string,
	how: Omit<Extract<Action, { kind: 'invalid' }>, 'kind' | 'ids'>,
	...abouts: About[]
): Fault[] =>
	abouts.map((about) =>
		fault(`HTTP 422 ${name}, ${about}`, (ids) => ({ kind: 'invalid', ids, ...how }), 'targets', {
			about,
		}),
	);

const rows = (name: string, how: RowChange, harms: Fault['harms'], more?: More): Fault =>
	fault(`rows: ${name}`, { kind: 'rows', how }, harms, {
		mayLackData: anywhere,
		...more,
	});

const changed = (change: (body: unknown) => unknown): Action => ({ kind: 'change', with: change });

const page = (change: (body: { data: object[] }) => object): Action =>
	changed((body) => ({ ...(body as object), ...change(body as { data: object[] }) }));

const SEARCH = { mayLackData: anywhere, only: isSearch };
const total = (count: number) =>
	page(() => ({ total_results: count, total_pages: Math.ceil(count / 100) }));

function numbersAsText(value: unknown): unknown {
	if (typeof value === 'number') return String(value);
	if (Array.isArray(value)) return value.map(numbersAsText);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [name, numbersAsText(member)]),
	);
}

export const FAULTS: readonly Fault[] = [
	rows(
		'in another order',
		'reordered',
		// The limit of a search may then end before other people.
		(scenario) => (isSearch(scenario) ? 'unanswered' : 'nothing'),
		{ isInEverySample: true },
	),

	...lost('connection closed before processing', { kind: 'drop' }),
	...lost('connection closed after processing', { kind: 'dropAfterWork' }),
	...lost('connection closed within the response', { kind: 'dropMidway' }),
	...lost('no response', { kind: 'hang' }, { timesOut: true }),
	fault('a response in many pieces', { kind: 'drip', pieces: 1_000, everyMs: 1_000 }, 'nothing'),
	fault('a delay', { kind: 'delay', ms: 5_000 }, 'nothing'),

	...[500, 502, 503].flatMap(failed),
	...retried('HTTP 521', status(521)),
	...[408, 504, 520].flatMap((code) => lost(`HTTP ${code}`, status(code))),
	...retried('HTTP 429', { kind: 'tooMany', retryAfter: 7 }),
	final('HTTP 429, longer than Max Wait', { kind: 'tooMany', retryAfter: 3_600 }),

	final('HTTP 401', status(401, { body: { message: `No account has the key ${SANDBOX_KEY}.` } })),
	final('HTTP 402', status(402)),
	final('HTTP 403, credits', status(403)),
	final('HTTP 403, permission', status(403, { body: { message: 'This plan has no contacts' } })),
	final('HTTP 403 naming the record', ([mark]) =>
		status(403, { body: { message: `${mark} opted out` } }),
	),
	final('HTTP 404 naming the record', ([mark]) =>
		status(404, { body: { detail: `${mark} is unknown` } }),
	),
	final('HTTP 404', status(404)),
	final('HTTP 404 with a web page', status(404, { body: '<h1>Not Found</h1>' })),
	final('HTTP 413', status(413)),
	final('HTTP 302', { kind: 'redirect', to: 'http://127.0.0.1:1/', status: 302 }),
	final('HTTP 307', { kind: 'redirect', to: 'http://127.0.0.1:1/', status: 307 }),

	...invalid('naming the index', { names: 'index' }, 'one', 'two'),
	...invalid(
		'naming the list',
		{ names: 'list' },
		'one',
		'two apart',
		'a whole request',
		'every request',
	),
	...invalid('with a new text each time', { names: 'text', requestId: true }, 'two', 'two apart'),
	...invalid('naming nothing', { names: 'nothing' }, 'one'),
	final('HTTP 422 naming another member', {
		kind: 'invalid',
		names: 'member',
		member: 'filters.item',
	}),

	final('request_status failure', { kind: 'outcome', request_status: 'failure' }),
	final(
		'request_status miss',
		{ kind: 'outcome', request_status: 'miss' },
		{ mayLackData: anywhere },
	),
	final('an empty response', { kind: 'empty' }, { mayLackData: anywhere }),
	final('HTTP 204', status(204, { body: '' }), { mayLackData: anywhere }),
	final('a web page', { kind: 'html' }),
	final('truncated JSON', { kind: 'cutJson' }),

	rows('null', 'null', 'unanswered', MISSING),
	rows('an object instead of the list', 'object', 'unanswered', MISSING),
	rows('none', 'none', 'unanswered', MISSING),
	rows('the last is missing', 'shorter', 'one', { ...MISSING, isInEverySample: true }),
	rows('one too many', 'longer', 'nothing', { only: isBulk }),
	rows('a foreign ID', 'foreign', 'one', { ...MISSING, only: refersToIds }),
	rows('each twice', 'doubled', 'nothing', {
		only: (scenario) => isBulk(scenario) || isSearch(scenario),
	}),
	rows('without IDs', 'withoutIds', 'unanswered'),
	rows('one without data', 'withoutData', 'one', { only: isBulk }),
	rows('one with an error', 'withError', 'one', {
		only: (scenario) => isBulk(scenario) && scenario.to !== 'search',
		mayLackData: () => false,
	}),
	rows('without input', 'withoutInput', 'nothing'),
	rows('a foreign input', 'otherInput', 'one', { ...MISSING, only: ({ to }) => to === 'match' }),

	...[1, 2].map((number) =>
		final(`page: rows of page ${number}`, { kind: 'otherPage', page: number }, SEARCH),
	),
	final(
		'page: one row',
		page(({ data }) => ({ data: data.slice(0, 1) })),
		SEARCH,
	),
	final('total: lower', total(150), SEARCH),
	final('total: higher', total(450), SEARCH),
	final('total: none', { kind: 'totalNull' }, { mayLackData: anywhere }),

	fault('numbers as text', changed(numbersAsText), 'nothing'),
];
