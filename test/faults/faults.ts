/** The faults, each with what happens to the request that it affects. */
import type { IDataObject } from 'n8n-workflow';
import type { Fault as Action, RowChange } from '../sandbox/faults/kinds';
import { bySize } from '../size';
import {
	anyOf,
	type ExpectedFailure,
	type ExpectedOutcome,
	failsAfterRetries,
	failsAtOnce,
	failure,
	fault,
	type Fault,
	isKind,
	mayHaveBeenProcessed,
	mayHaveBeenProcessedOnce,
	ONCE,
	type Scope,
	succeeds,
	succeedsOnRetry,
} from './expectedOutcomes';
import type { Message } from './messages';
import {
	isBeforeLastPage,
	isFirstPage,
	isFullPage,
	isLaterPage,
	isPage,
	PAGE_FAULTS,
	refetchesPage,
} from './pageFaults';
import type { Scenario } from './scenarios';
import { UNICODE_TEXT } from './unicodeText';

/** Seconds that the service asks to wait. */
const WAIT = 7;

/** The sandbox's own error bodies have a correlation ID. */
const CORRELATED = { hasCorrelationId: true };
const FIRST = { about: 'first' } as const;
const SLOW = { isSlow: true };
/** A large response. */
const megabytes = bySize(12, 60);

/** A date by a clock that is years behind. */
const at = (seconds: number): string => new Date(Date.UTC(2022, 0, 1, 0, 0, seconds)).toUTCString();

const status =
	(code: number, more: { body?: unknown; headers?: Record<string, string> } = {}) =>
	(): Action => ({ kind: 'status', status: code, ...more });

const tooMany =
	(location: 'header' | 'date' | 'body' | 'nowhere', retryAfter = WAIT) =>
	(): Action => ({ kind: 'tooMany', retryAfter, in: location });

/** An endpoint that the user chose may have done something before it failed. */
const failsAtOnceIfCustom =
	(code: number, otherwise: () => ExpectedOutcome) =>
	(scenario: Scenario): ExpectedOutcome =>
		isCustomCall(scenario) && scenario.paid
			? failsAtOnce(failure('failedOnce', code, CORRELATED))()
			: otherwise();

/** The service failed before it processed the request. */
const serverError = (code: number): Fault[] => [
	fault(`HTTP ${code}, once`, status(code), failsAtOnceIfCustom(code, succeedsOnRetry()), ONCE),
	fault(
		`HTTP ${code}, always`,
		status(code),
		failsAtOnceIfCustom(code, failsAfterRetries(failure('failed', code, CORRELATED))),
	),
];

/** A proxy did not reach the service. */
const unreachable = (code: number): Fault[] => [
	fault(`HTTP ${code}, once`, status(code), succeedsOnRetry(), ONCE),
	fault(
		`HTTP ${code}, always`,
		status(code),
		failsAfterRetries(failure('unreachable', code, CORRELATED)),
	),
];

/** No response, or half of one. The service may have processed the request. */
const noResponse = (name: string, action: Fault['action'], message: Message): Fault[] => [
	fault(`${name}, once`, action, mayHaveBeenProcessedOnce(failure(message)), ONCE),
	fault(`${name}, always`, action, mayHaveBeenProcessed(failure(message))),
];

const gatewayTimeout = (code: number): Fault[] => {
	const expected = failure('gateway', code, CORRELATED);
	return [
		fault(`HTTP ${code}, once`, status(code), mayHaveBeenProcessedOnce(expected), ONCE),
		fault(`HTTP ${code}, always`, status(code), mayHaveBeenProcessed(expected)),
	];
};

/** A retry would have the same response. */
const finalStatus = (
	code: number,
	message: Message,
	scope: Scope,
	name = `HTTP ${code}`,
	body?: unknown,
): Fault => {
	const hasCorrelationId = body === undefined && message !== 'redirect';
	const action = status(code, body === undefined ? {} : { body });
	return fault(name, action, (scenario) =>
		failsAtOnce(
			failure(message, code, {
				scope: scopeIn(scenario, scope),
				hasCorrelationId,
				...(typeof body === 'object' && keepsBody(scenario)),
			}),
		)(),
	);
};

const isCustomCall = isKind('customCall');
/** The user chose the path of a custom call: only a wrong key or the rate limit is about other requests to it. */
const scopeIn = (scenario: Scenario, scope: Scope): Scope =>
	isCustomCall(scenario) && scope !== 'everything' ? 'request' : scope;

const redirect = (code: number): Fault => ({
	...finalStatus(code, 'redirect', 'unprovenEndpoint', `HTTP ${code} to another origin`),
	action: ({ otherOrigin }) => ({
		kind: 'redirect',
		to: `${otherOrigin}/v1/prospects`,
		status: code,
	}),
});

/** A failure that is about one record where `isRecord` says so, and elsewhere about the path. */
const recordFailure = (
	name: string,
	code: 403 | 404,
	bodyFor: (mark: string) => unknown,
	isRecord: (scenario: Scenario) => boolean,
	options: Partial<Fault> = {},
): Fault =>
	fault(
		`HTTP ${code} ${name}`,
		({ marks: [mark = ''] }) => {
			const body = bodyFor(mark);
			return { kind: 'status', status: code, ...(body !== undefined && { body }) };
		},
		(scenario) => {
			const hasCorrelationId = bodyFor('') === undefined;
			const fails = (message: Message, scope: Scope) =>
				failsAtOnce(
					failure(message, code, {
						scope,
						hasCorrelationId,
						...(typeof bodyFor('') === 'object' && keepsBody(scenario)),
					}),
				)();
			if (!isRecord(scenario)) {
				const notFound = isCustomCall(scenario) ? 'nothingAtPath' : 'wrongPath';
				return fails(code === 404 ? notFound : 'permission', scopeIn(scenario, 'unprovenEndpoint'));
			}
			// In a batch, the service's text names the record, and the others are sent without it.
			if (!requestsOneRecord(scenario)) return fails('invalid', 'namedValues');
			return fails(code === 404 ? 'noSuchRecord' : 'accessDenied', 'request');
		},
		options,
	);

/** The error of a custom call keeps the JSON body of the response. */
const keepsBody = (scenario: Scenario): Partial<ExpectedFailure> =>
	isCustomCall(scenario) ? { facts: { response: expect.any(Object) as IDataObject } } : {};

const invalid = (
	name: string,
	scope: Scope,
	how: Omit<Extract<Action, { kind: 'invalid' }>, 'kind' | 'ids'>,
	about?: Fault['about'],
	reportedIndex?: (index: number) => number,
): Fault => {
	const { status: code = 422 } = how;
	return fault(
		`HTTP ${code} ${name}${about === undefined ? '' : `, ${about}`}`,
		({ marks }) => ({ kind: 'invalid', ids: marks, ...how }),
		(scenario) =>
			failsAtOnce(
				failure('invalid', code, {
					scope,
					reportedIndex,
					...keepsBody(scenario),
				}),
			)(),
		{ about },
	);
};

/** A wrong index: the invalid values are found as if the service named none. */
const wrongIndex = (
	name: string,
	about: Fault['about'],
	how: { countsFrom: number } | { position: number },
	reportedIndex: (index: number) => number,
): Fault => invalid(`naming ${name}`, 'unnamedValues', how, about, reportedIndex);

const hasRows = isKind(
	'dataSets',
	'matches',
	'companies',
	'companiesOfPeople',
	'events',
	'pages',
	'dateRanges',
	'autocomplete',
);
const hasRowIds = isKind(
	...(['dataSets', 'matches', 'companies', 'companiesOfPeople', 'events', 'pages'] as const),
);
const isMatch = isKind('matches');
const reportsRowErrors = isKind('dataSets', 'matches', 'events');
const requestsOneRecord = isKind('records', 'deletion');
const requestsRecords = isKind('records', 'deletion', 'dataSets', 'matches', 'events');
/** Responses with one row per value. */
const hasOneRowEach = (scenario: Scenario) =>
	isKind('matches', 'companiesOfPeople')(scenario) ||
	(isKind('dataSets')(scenario) && !scenario.response.multipleRows);
const always = () => true;
const never = () => false;
const isNotAutocomplete = (scenario: Scenario) => !isKind('autocomplete')(scenario);

const rows = (
	name: string,
	how: RowChange,
	changesResponse: Fault['changesResponse'],
	options: Partial<Fault> = {},
): Fault =>
	fault(`rows: ${name}`, () => ({ kind: 'rows', how }), succeeds, { changesResponse, ...options });

/** Adds a member with Unicode text to every data object. */
function withNotes(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withNotes);
	if (typeof value !== 'object' || value === null) return value;
	const members = Object.entries(value).map(([key, inner]) => [
		key,
		['input', 'response_context'].includes(key) ? inner : withNotes(inner),
	]);
	return { ...Object.fromEntries(members), note: UNICODE_TEXT };
}
const ADD_NOTES: Action = { kind: 'change', with: withNotes };

export const FAULTS: readonly Fault[] = [
	fault('connection refused, once', 'refuse', succeedsOnRetry(), ONCE),
	fault('connection refused, always', 'refuse', failsAfterRetries(failure('unreachable'))),
	...noResponse('connection reset before processing', () => ({ kind: 'drop' }), 'lost'),
	...noResponse('connection reset after processing', () => ({ kind: 'dropAfterWork' }), 'lost'),
	...noResponse('connection reset within the response', () => ({ kind: 'dropMidway' }), 'lost'),
	...noResponse('no response', 'hang', 'timeout').map((one) => ({ ...one, ...SLOW })),
	// Not retried: it took ten times the timeout.
	fault(
		'a response without an end',
		() => ({ kind: 'drip', endless: true, everyMs: 50 }),
		failsAtOnce(failure('unfinished')),
		{ ...SLOW, isEndless: true },
	),
	fault('slow response', () => ({ kind: 'drip', pieces: 20, everyMs: 1_000 }), succeeds),

	...[500, 502, 503].flatMap((code) => serverError(code)),
	fault(
		'HTTP 503 with Retry-After, once',
		status(503, { headers: { 'retry-after': `${WAIT}` } }),
		failsAtOnceIfCustom(503, succeedsOnRetry(WAIT * 1000)),
		ONCE,
	),
	...gatewayTimeout(408),
	fault('HTTP 520, always', status(520), mayHaveBeenProcessed(failure('lost', 520, CORRELATED))),
	...unreachable(521),
	...gatewayTimeout(504),
	fault('HTTP 429, Retry-After in seconds', tooMany('header'), succeedsOnRetry(WAIT * 1000), ONCE),
	// A date has no fractions of a second.
	fault(
		'HTTP 429, Retry-After as a date',
		tooMany('date'),
		succeedsOnRetry((WAIT - 1) * 1000),
		ONCE,
	),
	fault(
		"HTTP 429, Retry-After by the service's clock",
		status(429, { headers: { date: at(0), 'retry-after': at(WAIT) } }),
		succeedsOnRetry(WAIT * 1000),
		ONCE,
	),
	fault(
		'HTTP 429, X-RateLimit-Reset in milliseconds',
		status(429, { headers: { date: at(0), 'x-ratelimit-reset': `${Date.parse(at(WAIT))}` } }),
		succeedsOnRetry(WAIT * 1000),
		ONCE,
	),
	fault('HTTP 429, retry_after in the body', tooMany('body'), succeedsOnRetry(WAIT * 1000), ONCE),
	fault('HTTP 429, no requested wait', tooMany('nowhere'), succeedsOnRetry(), ONCE),
	fault(
		'HTTP 429, always',
		tooMany('header'),
		failsAfterRetries(
			failure('rateLimited', 429, { scope: 'everything', ...CORRELATED }),
			WAIT * 1000,
		),
	),
	fault(
		'HTTP 429, longer than Max Wait',
		tooMany('header', 3_600),
		failsAtOnce(failure('rateLimited', 429, { scope: 'everything', ...CORRELATED })),
	),

	finalStatus(401, 'unauthorized', 'everything'),
	finalStatus(402, 'credits', 'endpoint'),
	finalStatus(403, 'credits', 'endpoint', 'HTTP 403, credits'),
	finalStatus(403, 'permission', 'unprovenEndpoint', 'HTTP 403, permission', {
		message: 'This plan has no contacts',
	}),
	...[{}, FIRST].map((options: Partial<Fault>) =>
		recordFailure(
			`about the record${options.about ? ', first' : ''}`,
			404,
			() => ({ detail: 'No such record' }),
			requestsOneRecord,
			options,
		),
	),
	recordFailure('about the route', 404, () => undefined, never),
	recordFailure(
		'naming the record, first',
		404,
		(mark) => ({ detail: `${mark} is unknown` }),
		requestsRecords,
		FIRST,
	),
	recordFailure(
		'naming the record, first',
		403,
		(mark) => ({ message: `${mark} opted out` }),
		requestsRecords,
		FIRST,
	),
	recordFailure('as a web page, first', 404, () => '<h1>Not Found</h1>', never, FIRST),
	finalStatus(413, 'tooLarge', 'unnamedValues'),
	...[302, 303, 307, 308].map(redirect),

	invalid('naming the index as text', 'namedValues', { names: 'index', indexAs: 'text' }),
	invalid('naming the index as a number', 'namedValues', { names: 'index', indexAs: 'number' }),
	invalid('naming the index', 'namedValues', { names: 'index', status: 400 }),
	invalid('naming the index', 'namedValues', { names: 'index' }, 'two'),
	...([undefined, 'two', 'two apart', 'all', 'everything'] as const).map((about) =>
		invalid('naming the list', 'unnamedValues', { names: 'list' }, about),
	),
	...(['two', 'two apart', 'all', 'everything'] as const).map((about) =>
		invalid(
			'with a new text each time',
			'unnamedValues',
			{ names: 'text', requestId: true },
			about,
		),
	),
	...([undefined, 'earlier', 'two', 'two apart'] as const).flatMap((about) => [
		wrongIndex('the next index', about, { countsFrom: 1 }, (index) => index + 1),
		wrongIndex('the previous index', about, { countsFrom: -1 }, (index) => index - 1),
		wrongIndex('an index beyond the request', about, { position: 1_000 }, () => 1_000),
		wrongIndex('always the first index', about, { position: 0 }, () => 0),
	]),
	invalid('naming another member', 'group', { names: 'member', member: 'request_context.item' }),
	invalid('with a text', 'unnamedValues', { names: 'text' }),
	invalid('naming nothing', 'unnamedValues', { names: 'nothing' }),

	fault(
		'request_status failure',
		() => ({ kind: 'outcome', request_status: 'failure' }),
		failsAtOnce(failure('reported', 200, CORRELATED)),
	),
	fault('request_status miss', () => ({ kind: 'outcome', request_status: 'miss' }), succeeds, {
		replacement: ({ name, rows: list }) => ({
			response_context: {
				request_status: 'miss',
				correlation_id: expect.any(String) as string,
				time_took_in_seconds: expect.any(Number) as number,
			},
			...(name === 'deleteEnrollment'
				? { status: 'miss' }
				: { total_results: 0, [list || 'data']: list ? [] : null, entity_id: null }),
		}),
		leavesValuesOut: (scenario) => isBeforeLastPage(scenario) && !isFirstPage(scenario),
		...refetchesPage(isLaterPage),
	}),
	fault(
		'empty response',
		() => ({ kind: 'empty' }),
		// Contract: "No events in the period gives an empty response."
		(scenario) =>
			isKind('events', 'customCall')(scenario) ? succeeds() : failsAtOnce(failure('empty', 200))(),
		{ replacement: () => ({}) },
	),
	fault(
		'HTTP 204',
		status(204, { body: '' }),
		(scenario) =>
			isKind('deletion', 'events', 'customCall')(scenario)
				? succeeds()
				: failsAtOnce(failure('empty', 204))(),
		{ replacement: () => ({}) },
	),
	fault('web page', () => ({ kind: 'html' }), failsAtOnce(failure('webPage', 200))),
	fault(
		'truncated JSON',
		() => ({ kind: 'cutJson' }),
		(scenario) =>
			failsAtOnce(
				failure('invalidJson', 200, {
					...(isCustomCall(scenario) && { facts: { response: expect.any(String) as string } }),
				}),
			)(),
	),

	rows('null', 'null', always, {
		// The list is the whole response of autocomplete.
		outcome: (scenario) =>
			isNotAutocomplete(scenario) ? succeeds() : failsAtOnce(failure('empty', 200))(),
		leavesValuesOut: anyOf(
			isKind('dataSets', 'matches', 'companies', 'companiesOfPeople'),
			isBeforeLastPage,
		),
		...refetchesPage(isPage),
	}),
	rows('an object instead of the list', 'object', hasRows, {
		leavesValuesOut: anyOf(hasOneRowEach, isBeforeLastPage),
		...refetchesPage(isPage),
	}),
	// The page on which the limit ends has more rows than it needs.
	rows('the last is missing', 'shorter', hasRows, {
		leavesValuesOut: anyOf(
			hasOneRowEach,
			(scenario) => isFullPage(scenario) && isBeforeLastPage(scenario),
		),
		...refetchesPage(isFullPage),
	}),
	rows('one too many', 'longer', hasRows, { requestsEachAlone: isKind('events') }),
	rows('in another order', 'reordered', hasRows),
	rows('a foreign ID', 'foreign', hasRowIds, {
		leavesValuesOut: (scenario) => hasOneRowEach(scenario) && !isMatch(scenario),
		requestsEachAlone: isKind('events'),
	}),
	rows('each twice', 'doubled', hasRows),
	// Assigned by position unless a value may have several rows. Events are free, so they are requested again.
	rows('without IDs', 'withoutIds', hasRowIds, {
		leavesValuesOut: ({ response }) =>
			response.kind !== 'events' && (response.multipleRows ?? false),
		requestsEachAlone: isKind('events'),
	}),
	rows('one without data', 'withoutData', hasRows),
	rows('one with an error', 'withError', reportsRowErrors, { leavesValuesOut: reportsRowErrors }),
	rows('without input', 'withoutInput', isMatch),
	rows('a foreign input', 'otherInput', isMatch, { leavesValuesOut: isMatch }),
	...PAGE_FAULTS,
	fault('total_results null', () => ({ kind: 'totalNull' }), succeeds, {
		changesResponse: isNotAutocomplete,
	}),
	fault('numbers as text', () => ({ kind: 'numbersAsText' }), succeeds, {
		changesResponse: isNotAutocomplete,
	}),
	fault('Unicode text', () => ADD_NOTES, succeeds, { changesResponse: always }),
	fault(
		'Unicode text in pieces',
		() => [ADD_NOTES, { kind: 'drip', pieces: 100, everyMs: 25 }],
		succeeds,
		{ changesResponse: always, ...SLOW },
	),
	fault('gzip', () => ({ kind: 'gzip' }), succeeds),
	fault(`${megabytes} MB`, () => ({ kind: 'huge', megabytes }), succeeds, SLOW),
	fault(
		`${megabytes} MB, zipped`,
		() => ({ kind: 'huge', megabytes, zipped: true }),
		succeeds,
		SLOW,
	),
];
