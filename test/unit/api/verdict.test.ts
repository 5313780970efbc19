/** What an answer means, and whether it is worth asking again. */
import { requestStatus } from '../../../nodes/BusinessProspectData/api/responseContext';
import { interpretResponse } from '../../../nodes/BusinessProspectData/api/responses';
import { enrich, search } from './service';

const verdictOn = (status: number, body: unknown, request = search) =>
	interpretResponse({ status, headers: {}, body }, request, 1_000, (text) => text);

const told = (status: number, body: unknown, request = search) => {
	const { outcome, retry } = verdictOn(status, body, request);
	return [outcome.failure?.kind, retry, outcome.failure?.message];
};

test.each<[status: number, body: unknown, kind: string, retry: string, words: RegExp]>([
	[402, '', 'forbidden', 'no', /no credits left for this request \(HTTP 402\)\. Add credits/],
	[403, { message: 'No credits left' }, 'forbidden', 'no', /no credits left for this request/],
	[403, { message: 'Credit limit' }, 'forbidden', 'no', /no credits left for this request/],
	[403, { message: 'Not accredited' }, 'forbidden', 'no', /not allowed to ask for this/],
	[403, '', 'forbidden', 'no', /not allowed to ask for this \(HTTP 403\)\. Check/],
	[500, { message: 'Credits are down' }, 'server', 'back-off', /service failed \(HTTP 500\): Cre/],
	[502, '', 'server', 'back-off', /service failed \(HTTP 502\)\. Try/],
	[503, '', 'server', 'back-off', /service failed/],
	[501, '', 'server', 'no', /service failed/],
	[300, '', 'redirect', 'no', /redirect \(HTTP 300\)/],
	[399, '', 'redirect', 'no', /redirect/],
	[301, { detail: 'Moved' }, 'redirect', 'no', /redirect \(HTTP 301\)/],
	[307, { detail: [{ loc: ['body', 'ids', 0] }] }, 'redirect', 'no', /redirect \(HTTP 307\)/],
	[418, '', 'server', 'no', /refused the request \(HTTP 418\)\. Check the node's parameters/],
	[199, '', 'server', 'no', /refused the request \(HTTP 199\)/],
	[504, '', 'noAnswer', 'back-off', /no answer in time \(HTTP 504\)\. Try again later\.$/],
	[200, '<p>Hello', 'unreadable', 'no', /was a web page instead of data \(HTTP 200\)\. Check/],
	[200, ' \n<p>Hello', 'unreadable', 'no', /was a web page/],
	[200, 'x<p>Hello', 'unreadable', 'no', /was something that is not whole JSON/],
	[200, '{"a": "<', 'unreadable', 'no', /was something that is not whole JSON/],
	[200, ' \n', 'unreadable', 'no', /sent an empty answer \(HTTP 200\)\. Try/],
	[200, null, 'unreadable', 'no', /sent an empty answer/],
])('HTTP %d with %j is %s', (status, body, kind, retry, words) => {
	expect(told(status, body)).toEqual([kind, retry, expect.stringMatching(words)]);
});

test.each<[status: number, body: unknown, words: RegExp]>([
	[504, '', /HTTP 504\)\. The service may have done and charged the work, so/],
	[200, 'text', /\(HTTP 200\)\. The service may have done and charged the work\. Check/],
	[200, '', /\(HTTP 200\)\. The service may have done and charged the work\. Try/],
])('HTTP %d with %j to a request that costs credits', (status, body, words) => {
	const [, retry, message] = told(status, body, enrich);

	expect(retry).toBe('no');
	expect(message).toMatch(words);
});

test('a validation error keeps what it blames', () => {
	const body = { detail: [{ loc: ['body', 'ids', 3], msg: 'bad', type: 'x' }] };

	expect(verdictOn(422, body).outcome.failure?.issues).toEqual([
		{ member: 'ids', index: 3, message: 'bad.' },
	]);
});

describe('what else a failure stands in the way of', () => {
	const ID = 'a'.repeat(40);
	const words = (text: string) => ({ message: text });
	const at = (index: number) => ({ detail: [{ loc: ['body', 'ids', index], msg: 'bad' }] });

	test.each<
		[status: number, body: unknown, records: string[] | undefined, blocks: string | undefined]
	>([
		[401, words('Unknown key'), [ID], 'everything'],
		[402, words('Pay'), [ID], 'path'],
		[402, words(`Pay for ${ID}`), [ID], 'path'],
		[403, words(`No credits for ${ID}`), [ID], 'path'],
		[403, words('Not in your plan'), [ID], 'path'],
		[403, words('Not in your plan'), undefined, 'path'],
		[403, words('No permission'), ['', ID], 'path'],
		[403, words(`No permission to read ${ID.toUpperCase()}.`), ['b', ID], undefined],
		[403, words('Opted out'), [ID], undefined],
		[403, words('Forbidden'), [ID], 'unproven-path'],
		[403, words('Missing Authentication Token'), [ID], 'unproven-path'],
		[403, words('Opted out'), ['b', ID], 'unproven-path'],
		[403, words('Opted out'), [], 'unproven-path'],
		[403, '', [ID], 'unproven-path'],
		[403, at(3), ['b', ID], undefined],
		[404, words('No such record'), [ID], undefined],
		[404, words('Enrollment not found'), [''], undefined],
		[404, words('This route through the data was not found for the person'), [ID], undefined],
		[404, words('Not Found'), [ID], 'unproven-path'],
		[404, words('Not found.'), [ID], 'unproven-path'],
		[404, words('Cannot POST /v1/prospects'), [ID], 'unproven-path'],
		[404, words('no Route matched with those values'), [ID], 'unproven-path'],
		[404, words('Route POST:/v1/prospects not found'), [ID], 'unproven-path'],
		[404, words('The route v1/prospects could not be found.'), [ID], 'unproven-path'],
		[404, words('No route found for "POST /v1/prospects"'), [ID], 'unproven-path'],
		[404, words('No static resource v1/prospects.'), [ID], 'unproven-path'],
		[404, words('The requested URL was not found on the server. Che'), [ID], 'unproven-path'],
		[404, words('Not Found'), ['b', ID], 'unproven-path'],
		[404, words('Not Found'), undefined, 'unproven-path'],
		[404, words(`${ID} is unknown`), ['b', ID], undefined],
		[404, '<h1>Not Found', [ID], 'unproven-path'],
		[404, at(0), [ID], undefined],
		[302, '', [ID], 'unproven-path'],
		[301, { detail: 'Moved' }, [ID], 'unproven-path'],
		[307, at(0), [ID], 'unproven-path'],
		[422, '', [ID], undefined],
		[500, words('Not Found'), [ID], undefined],
	])('HTTP %d %j to a request for %j: %s', (status, body, records, blocks) => {
		expect(verdictOn(status, body, { ...search, recordIds: records }).blocks).toBe(blocks);
	});

	test('a place in the list is told as a validation error, also with 403', () => {
		expect(verdictOn(403, at(3)).outcome.failure).toMatchObject({
			kind: 'invalid',
			problems: [{ member: 'ids', index: 3 }],
		});
	});
});

test('a 404 on a path that has succeeded does not blame the address', () => {
	const reply = { status: 404, headers: {}, body: '' };
	const { outcome } = interpretResponse(reply, search, 1_000, (text) => text, true);

	expect(outcome.failure?.message).toMatch(
		/^The service does not have what was asked for \(HTTP 404\)\. Other requests to \/v1\/prospects succeeded/,
	);
});

test('data, and nothing where there may be nothing', () => {
	const whole = { retry: 'no', outcome: { value: { data: [] } } };

	expect(verdictOn(200, { data: [] })).toEqual(whole);
	const miss = { response_context: { request_status: 'miss' } };
	expect(verdictOn(404, miss)).toEqual({ retry: 'no', outcome: { value: miss } });
	expect(verdictOn(500, miss).outcome.failure?.kind).toBe('server');
	expect(verdictOn(200, '', { ...search, mayBeEmpty: true })).toEqual({
		retry: 'no',
		outcome: { value: {} },
	});
});

test('a deletion that is answered with 204 succeeded', () => {
	const deletion = { ...search, method: 'DELETE' } as const;

	expect(verdictOn(204, '', deletion)).toEqual({ retry: 'no', outcome: { value: {} } });
	expect(verdictOn(204, undefined, deletion).outcome.failure).toBeUndefined();
	expect(verdictOn(200, '', deletion).outcome.failure?.kind).toBe('unreadable');
	expect(verdictOn(204, '').outcome.failure?.kind).toBe('unreadable');
});

test.each<[body: unknown, status: string | undefined]>([
	[{ response_context: { request_status: 'success' } }, 'success'],
	[{ response_context: { request_status: 'miss' }, status: 'success' }, 'miss'],
	[{ response_context: { request_status: 'miss' }, status: 'failure' }, 'failure'],
	[{ status: 'success' }, 'success'],
	[{ response_context: null, status: 'odd' }, undefined],
	[[], undefined],
	[null, undefined],
])('the status of %j is %s', (body, status) => {
	expect(requestStatus(body)).toBe(status);
});
