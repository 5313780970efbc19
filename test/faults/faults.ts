/** The faults, each with what comes of the request that it hits. */
import type { Fault as Kind, RowChange } from '../sandbox/faults/kinds';
import {
	again,
	answered,
	either,
	failing,
	failure,
	type Fault,
	of,
	ONCE,
	type Place,
	type Reach,
	refused,
	row,
	unsure,
	unsureOnce,
} from './endings';
import { A_PAGE, BEFORE_LAST, FIRST_PAGE, FULL_PAGE, lacking, PAGE_FAULTS } from './pageFaults';
import { EVERY_KIND_OF_TEXT } from './texts';
import type { Way } from './ways';
import type { Failing } from './words';

/** Seconds that the service asks to wait. */
const WAIT = 7;

type Does = Fault['does'];
/** The usual body of an error has a correlation ID. */
const CORRELATED = { correlated: true };

/** Seconds after a moment that is long past. */
const at = (seconds: number): string => new Date(Date.UTC(2022, 0, 1, 0, 0, seconds)).toUTCString();

const status =
	(code: number, more: { body?: unknown; headers?: Record<string, string> } = {}) =>
	(): Kind => ({ kind: 'status', status: code, ...more });

/** No answer, or half of one. */
const unanswered = (name: string, does: Does, words: Failing): Fault[] => [
	row(`${name}, once`, does, unsureOnce(failure(words)), ONCE),
	row(`${name}, for good`, does, unsure(failure(words))),
];

/** The service failed and did nothing. */
const down = (code: number): Fault[] => [
	row(`HTTP ${code}, once`, status(code), again(), ONCE),
	row(`HTTP ${code}, for good`, status(code), failing(failure('failed', code, CORRELATED))),
];

const tooMany =
	(where: 'header' | 'date' | 'body' | 'nowhere', retryAfter = WAIT) =>
	(): Kind => ({ kind: 'tooMany', retryAfter, in: where });

/** An answer that another try would not change. */
const final = (
	code: number,
	words: Failing,
	reach: Reach,
	name = `HTTP ${code}`,
	body?: unknown,
): Fault => {
	const correlated = body === undefined && words !== 'redirect';
	const does = status(code, body === undefined ? {} : { body });
	return row(name, does, refused(failure(words, code, { reach, correlated })));
};

/** A failure of one request that may be about one record: `words` say so. Else it is about the path. */
const ofRecord = (
	name: string,
	code: 403 | 404,
	body: (mark: string) => unknown,
	isRecord: (way: Way) => boolean,
	more: Partial<Fault> = {},
): Fault =>
	row(
		`HTTP ${code} ${name}`,
		({ marks: [mark = ''] }) => {
			const said = body(mark);
			return { kind: 'status', status: code, ...(said !== undefined && { body: said }) };
		},
		(way) => {
			const [record, path] =
				code === 404 ? (['record', 'address'] as const) : (['withheld', 'permission'] as const);
			const correlated = body('') === undefined;
			if (!isRecord(way)) return refused(failure(path, code, { reach: 'unproven', correlated }))();
			// In a batch it is known which record is meant, and the others are sent without it.
			return ONE_RECORD(way)
				? refused(failure(record, code, { correlated }))()
				: refused(failure('refused', code, { reach: 'values', correlated }))();
		},
		more,
	);

const redirect = (code: number): Fault => ({
	...final(code, 'redirect', 'unproven', `HTTP ${code} to another origin`),
	does: ({ elsewhere }: Place) => ({
		kind: 'redirect',
		to: `${elsewhere}/v1/prospects`,
		status: code,
	}),
});

const invalid = (
	name: string,
	reach: Reach,
	how: Omit<Extract<Kind, { kind: 'invalid' }>, 'kind' | 'ids'>,
	against?: Fault['against'],
): Fault => {
	const { status: code = 422 } = how;
	return {
		name: `HTTP ${code} ${name}`,
		does: ({ marks }) => ({ kind: 'invalid', ids: marks, ...how }),
		against,
		ends: refused(failure('refused', code, { reach })),
	};
};

/** A wrong index: the values that are refused have to be found as if the service named none. */
const misnaming = (
	name: string,
	namedFor: (index: number) => number,
	how: { countsFrom: number } | { position: number },
	against: Fault['against'],
): Fault => ({
	...invalid(
		`naming ${name}${against === undefined ? '' : `, against ${against}`}`,
		'unnamed',
		how,
		against,
	),
	ends: refused(failure('refused', 422, { reach: 'unnamed', namedFor })),
});

/** Answers with rows, and those of them whose rows bear what they are about. */
const LISTS = of('dataSets', 'matches', 'events', 'pages', 'parts', 'suggestions');
const WITH_IDS = of('dataSets', 'matches', 'events', 'pages');
const MATCHES = of('matches');
/** Requests that name one record, and those that name any. */
const ONE_RECORD = of('records', 'status');
const RECORDS = of('records', 'status', 'dataSets', 'matches', 'events');
const FIRST = { against: 'first' } as const;
/** Answers in which each value has a row of its own, in the request that is hit. */
const ROW_EACH = (way: Way) => MATCHES(way) || (of('dataSets')(way) && !way.shape.several);
const ALL = () => true;
const ALL_BUT_SUGGESTIONS = (way: Way) => !of('suggestions')(way);

/** Rows that are not as they should be. */
const rows = (
	name: string,
	how: RowChange,
	changes: Fault['changes'],
	more: Partial<Fault> = {},
): Fault => row(`rows: ${name}`, () => ({ kind: 'rows', how }), answered, { changes, ...more });

/** Puts a member with every kind of text into every object of the answer that is data. */
function noted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(noted);
	if (typeof value !== 'object' || value === null) return value;
	const aside = ['input', 'response_context'];
	const members = Object.entries(value).map(([key, inside]) => [
		key,
		aside.includes(key) ? inside : noted(inside),
	]);
	return { ...Object.fromEntries(members), note: EVERY_KIND_OF_TEXT };
}
const NOTED: Kind = { kind: 'change', with: noted };

export const FAULTS: readonly Fault[] = [
	row('connection refused, once', 'refused', again(), ONCE),
	row('connection refused, for good', 'refused', failing(failure('unreachable'))),
	...unanswered('connection reset before the work', () => ({ kind: 'drop' }), 'lost'),
	...unanswered('connection reset before the answer', () => ({ kind: 'dropAfterWork' }), 'lost'),
	...unanswered('connection reset amid the answer', () => ({ kind: 'dropMidway' }), 'lost'),
	...unanswered('no answer', 'hang', 'timeout'),
	row('the answer drips', () => ({ kind: 'drip', pieces: 20, everyMs: 1_000 }), answered),

	...[500, 502, 503].flatMap(down),
	row(
		'HTTP 503 with Retry-After, once',
		status(503, { headers: { 'retry-after': `${WAIT}` } }),
		again(WAIT * 1000),
		ONCE,
	),
	row('HTTP 408, once', status(408), unsureOnce(failure('gateway', 408, CORRELATED)), ONCE),
	row('HTTP 408, for good', status(408), unsure(failure('gateway', 408, CORRELATED))),
	row('HTTP 520, for good', status(520), unsure(failure('lost', 520, CORRELATED))),
	row('HTTP 521, once', status(521), again(), ONCE),
	row('HTTP 521, for good', status(521), failing(failure('unreachable', 521, CORRELATED))),
	row('HTTP 504, once', status(504), unsureOnce(failure('gateway', 504, CORRELATED)), ONCE),
	row('HTTP 504, for good', status(504), unsure(failure('gateway', 504, CORRELATED))),
	row('HTTP 429, Retry-After in seconds', tooMany('header'), again(WAIT * 1000), ONCE),
	// A date has no fractions of a second.
	row('HTTP 429, Retry-After as a date', tooMany('date'), again((WAIT - 1) * 1000), ONCE),
	row(
		'HTTP 429, Retry-After by a clock of its own',
		status(429, { headers: { date: at(0), 'retry-after': at(WAIT) } }),
		again(WAIT * 1000),
		ONCE,
	),
	row(
		'HTTP 429, X-RateLimit-Reset in milliseconds',
		status(429, { headers: { date: at(0), 'x-ratelimit-reset': `${Date.parse(at(WAIT))}` } }),
		again(WAIT * 1000),
		ONCE,
	),
	row('HTTP 429, retry_after in the body', tooMany('body'), again(WAIT * 1000), ONCE),
	row('HTTP 429, no wait told', tooMany('nowhere'), again(), ONCE),
	row(
		'HTTP 429, for good',
		tooMany('header'),
		failing(failure('limited', 429, CORRELATED), WAIT * 1000),
	),
	row(
		'HTTP 429, for longer than Max Wait',
		tooMany('header', 3_600),
		refused(failure('limited', 429, { reach: 'everything', ...CORRELATED })),
	),

	final(401, 'key', 'everything'),
	final(402, 'credits', 'endpoint'),
	final(403, 'credits', 'endpoint', 'HTTP 403, credits'),
	final(403, 'permission', 'endpoint', 'HTTP 403, permission', {
		message: 'This plan has no contacts',
	}),
	ofRecord('in words', 404, () => ({ detail: 'No such record' }), ONE_RECORD),
	ofRecord('in words, to the first', 404, () => ({ detail: 'No such record' }), ONE_RECORD, FIRST),
	ofRecord(
		'in the words for an unknown route',
		404,
		() => undefined,
		() => false,
	),
	ofRecord(
		'naming it, to the first',
		404,
		(mark) => ({ detail: `${mark} is unknown` }),
		RECORDS,
		FIRST,
	),
	ofRecord(
		'naming it, to the first',
		403,
		(mark) => ({ message: `${mark} opted out` }),
		RECORDS,
		FIRST,
	),
	ofRecord(
		'in a web page, to the first',
		404,
		() => '<h1>Not Found</h1>',
		() => false,
		FIRST,
	),
	final(413, 'large', 'request'),
	...[302, 303, 307, 308].map(redirect),

	invalid('naming the index as text', 'values', { names: 'index', indexAs: 'text' }),
	invalid('naming the index as a number', 'values', { names: 'index', indexAs: 'number' }),
	invalid('naming the index', 'values', { names: 'index', status: 400 }),
	invalid('naming two indexes', 'values', { names: 'index' }, 'two'),
	invalid('naming the list', 'unnamed', { names: 'list' }),
	invalid('naming the list, for two values', 'unnamed', { names: 'list' }, 'two'),
	invalid('naming the list, for two values apart', 'unnamed', { names: 'list' }, 'two apart'),
	invalid('naming the list, for all values of a request', 'unnamed', { names: 'list' }, 'all'),
	invalid('naming the list, whatever is sent', 'unnamed', { names: 'list' }, 'everything'),
	...(['two', 'two apart', 'all', 'everything'] as const).map((against) =>
		invalid(
			`in other words each time, for ${against}`,
			'unnamed',
			{ names: 'text', requestId: true },
			against,
		),
	),
	...([undefined, 'apart', 'two', 'two apart'] as const).flatMap((against) => [
		misnaming('the index of the value behind', (index) => index + 1, { countsFrom: 1 }, against),
		misnaming('the index of the value before', (index) => index - 1, { countsFrom: -1 }, against),
		misnaming('an index beyond the request', () => 1_000, { position: 1_000 }, against),
		misnaming('the first index each time', () => 0, { position: 0 }, against),
	]),
	invalid('naming another member', 'group', { names: 'member', member: 'parameters.topics' }),
	invalid('with a text', 'unnamed', { names: 'text' }),
	invalid('naming nothing', 'unnamed', { names: 'nothing' }),

	row(
		'request_status failure',
		() => ({ kind: 'outcome', request_status: 'failure' }),
		refused(failure('reported', 200, CORRELATED)),
	),
	row('request_status miss', () => ({ kind: 'outcome', request_status: 'miss' }), answered, {
		instead: ({ name, rows: list }) => ({
			response_context: {
				request_status: 'miss',
				correlation_id: expect.any(String) as string,
				time_took_in_seconds: expect.any(Number) as number,
			},
			...(name === 'deleteEnrollment'
				? { status: 'miss' }
				: { total_results: 0, [list || 'data']: list ? [] : null, entity_id: null }),
		}),
		silences: (way) => BEFORE_LAST(way) && !FIRST_PAGE(way),
		...lacking((way) => A_PAGE(way) && !FIRST_PAGE(way)),
	}),
	row(
		'an empty answer',
		() => ({ kind: 'empty' }),
		// Contract: "No events in the period gives an empty response."
		(way) => (of('events')(way) ? answered() : refused(failure('empty', 200))()),
		{ instead: () => ({}) },
	),
	row(
		'HTTP 204',
		status(204, { body: '' }),
		// To a deletion it is a success; the contract says of events that there may be nothing.
		(way) => (of('status', 'events')(way) ? answered() : refused(failure('empty', 204))()),
		{ instead: () => ({}) },
	),
	row('a web page', () => ({ kind: 'html' }), refused(failure('page', 200))),
	row('JSON cut off', () => ({ kind: 'cutJson' }), refused(failure('cut', 200))),

	rows('null in their place', 'null', ALL, {
		// Without an envelope, that is no answer at all.
		ends: (way) => (of('suggestions')(way) ? refused(failure('empty', 200))() : answered()),
		silences: either(of('dataSets', 'matches'), BEFORE_LAST),
		...lacking(A_PAGE),
	}),
	rows('one object in place of the list', 'object', LISTS, {
		silences: either(ROW_EACH, BEFORE_LAST),
		...lacking(A_PAGE),
	}),
	// A page within which the limit ends has more rows than it needs.
	rows('the last is missing', 'shorter', LISTS, {
		silences: either(ROW_EACH, (way) => FULL_PAGE(way) && BEFORE_LAST(way)),
		...lacking(FULL_PAGE),
	}),
	rows('one too many', 'longer', LISTS),
	rows('in another order', 'reordered', LISTS),
	rows("somebody else's id", 'foreign', WITH_IDS, {
		silences: (way) => ROW_EACH(way) && !MATCHES(way),
	}),
	rows('each twice', 'doubled', LISTS),
	// They go by place then, unless there may be any number of rows for a value. Events are free to ask for again.
	rows('without ids', 'withoutIds', WITH_IDS, {
		silences: ({ shape }) => shape.kind !== 'events' && (shape.several ?? false),
		separates: of('events'),
	}),
	rows('one without data', 'withoutData', LISTS),
	rows('without the input', 'withoutInput', MATCHES),
	rows("somebody else's input", 'otherInput', MATCHES, { silences: MATCHES }),
	...PAGE_FAULTS,
	row('total_results null', () => ({ kind: 'totalNull' }), answered, {
		changes: ALL_BUT_SUGGESTIONS,
	}),
	row('numbers as text', () => ({ kind: 'numbersAsText' }), answered, {
		changes: ALL_BUT_SUGGESTIONS,
	}),
	row('UTF-8 of every kind', () => NOTED, answered, { changes: ALL }),
	row(
		'UTF-8 of every kind, cut anywhere',
		() => [NOTED, { kind: 'drip', pieces: 100, everyMs: 25 }],
		answered,
		{ changes: ALL },
	),
	row('gzip', () => ({ kind: 'gzip' }), answered),
	row('60 MB', () => ({ kind: 'huge', megabytes: 60 }), answered),
	row('60 MB, zipped', () => ({ kind: 'huge', megabytes: 60, zipped: true }), answered),
];
