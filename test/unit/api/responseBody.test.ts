/** What a response body says: the error message, validation issues, the request status. */
import {
	createRedact,
	parseValidationIssues,
	parseErrorMessage,
	reportedStatus,
} from '../../../nodes/BusinessProspectData/api/responseBody';
import { KEY } from './service';

const unchanged = (text: string) => text;
const messageOf = (body: unknown) => parseErrorMessage(body, unchanged);
const issue = (loc: unknown, msg?: unknown) => ({ loc, msg, type: 'x' });

describe('the error message', () => {
	test.each<[body: unknown, expected: string | undefined]>([
		[{ detail: 'Not found' }, 'Not found.'],
		[{ detail: [issue(['body', 'business_ids', 3], 'bad')] }, 'business_ids.3: bad.'],
		[{ detail: [issue(['query', 'field'], 'missing')] }, 'query.field: missing.'],
		[{ detail: [issue([], 'bad')] }, 'bad.'],
		[{ detail: [issue(['body'], 'bad')] }, 'bad.'],
		[{ detail: [issue(undefined, 'bad')] }, 'bad.'],
		[{ detail: [issue('body', 'bad')] }, 'bad.'],
		[{ detail: [issue(['body', 'page'])] }, 'page.'],
		[{ detail: [issue(['body', 'a'], 'x'), issue(['body', 'b'], 'y')] }, 'a: x; b: y.'],
		[{ detail: ['first', 'second'] }, 'first; second.'],
		[{ detail: { msg: 'bad' } }, 'bad.'],
		[{ detail: { message: 'bad' } }, 'bad.'],
		[{ detail: [], message: 'bad' }, 'bad.'],
		[{ detail: null, message: 'bad' }, 'bad.'],
		[{ detail: [null, 7, {}], message: 'bad' }, '7.'],
		[
			{ error: { code: 'INVALID_DATE_RANGE', message: 'From is after to', details: {} } },
			'From is after to.',
		],
		[{ error: { code: 'INVALID_DATE_RANGE' } }, 'INVALID_DATE_RANGE.'],
		[{ error: { code: 'X1' }, message: 'bad' }, 'bad.'],
		[{ error: 'bad' }, 'bad.'],
		[{ error: 'Bad Request', message: 'email is not valid' }, 'email is not valid.'],
		[{ message: 'bad' }, 'bad.'],
		[{ message: ' ', details: 'bad' }, 'bad.'],
		[{ details: 'bad' }, 'bad.'],
		[{ message: { a: 1 } }, undefined],
		[{}, undefined],
		[{ message: '' }, undefined],
		[{ message: ' \n' }, undefined],
		[{ message: '<br>' }, undefined],
		['plain text', undefined],
		['<html>', undefined],
		[null, undefined],
		[undefined, undefined],
		[[{ message: 'bad' }], undefined],
	])('of %j is %j', (body, expected) => {
		expect(messageOf(body)).toBe(expected);
	});

	test.each<[message: string, expected: string]>([
		['Is it so?', 'Is it so?'],
		['Stop!', 'Stop!'],
		['Done.', 'Done.'],
		['  two\n\tlines  ', 'two lines.'],
		['<p>Out of <b>credits</b></p>', 'Out of credits.'],
		['<!-- a --><br/>Late', 'Late.'],
		['first<br>second', 'first second.'],
		[
			'from_date must be < to_date and the range > 0',
			'from_date must be < to_date and the range > 0.',
		],
		['value <= 50, got 60 -> refused', 'value <= 50, got 60 -> refused.'],
	])('%j reads %j', (message, expected) => {
		expect(messageOf({ message })).toBe(expected);
	});

	test('is truncated', () => {
		const message = messageOf({ message: 'word '.repeat(500) }) ?? '';

		expect(message.length).toBeLessThan(320);
		expect(message).toMatch(/^word word.* \.\.\.$/);
		expect(messageOf({ message: 'x'.repeat(300) })).toBe(`${'x'.repeat(300)}.`);
		expect(messageOf({ message: `x${'😀'.repeat(200)}` })).toBe(`x${'😀'.repeat(149)}...`);
	});

	test('lists three issues and counts the others', () => {
		const many = ['a', 'b', 'c', 'd', 'e'].map((name) => issue([name], 'bad'));

		expect(messageOf({ detail: many.slice(0, 3) })).toBe('a: bad; b: bad; c: bad.');
		expect(messageOf({ detail: many })).toBe('a: bad; b: bad; c: bad; and 2 more.');
	});
});

describe('validation issues', () => {
	const expectedIssue = { member: 'ids', index: 3, message: 'bad.' };
	/** A body with an issue at a location in the request body. */
	const at = (...loc: unknown[]) => ({ detail: [issue(['body', ...loc], 'bad')] });
	const withoutIndex = { ...expectedIssue, index: undefined };

	test.each<[status: number, body: unknown, expected: unknown]>([
		[422, at('ids', 3), [expectedIssue]],
		[422, at('ids', '3'), [expectedIssue]],
		[400, at('ids', 3), [expectedIssue]],
		[200, at('ids', 3), [expectedIssue]],
		[200, { response_context: { request_status: 'success' }, ...at('ids', 3) }, undefined],
		[200, { detail: '' }, undefined],
		[200, { detail: 'Done' }, undefined],
		[200, { detail: [] }, undefined],
		[500, at('ids', 3), [expectedIssue]],
		[404, at('ids', 3), [expectedIssue]],
		[422, { detail: [issue(['ids', 3], 'bad')] }, [expectedIssue]],
		[422, at('ids', '3x'), [withoutIndex]],
		[422, at('ids', 'x3'), [withoutIndex]],
		[422, at('ids', 12), [{ ...expectedIssue, index: 12 }]],
		[422, at('ids[6]'), [{ ...expectedIssue, index: 6 }]],
		[422, at('ids[6].email'), [{ ...expectedIssue, index: 6, message: 'email: bad.' }]],
		[422, at('ids', 3, 'network', 0), [{ ...expectedIssue, message: 'network.0: bad.' }]],
		[422, at('mode', 'x', 'y'), [{ member: 'mode', message: 'bad.' }]],
		[422, at(), [{ message: 'bad.' }]],
		[422, { detail: [issue([], 'bad')] }, [{ message: 'bad.' }]],
		[422, { detail: [issue('ids', 'bad')] }, [{ message: 'bad.' }]],
		[422, { detail: [issue(['body', 'ids'])] }, [{ member: 'ids', message: 'not accepted.' }]],
		[422, { detail: 'bad' }, []],
		[400, { detail: 'bad' }, []],
		[422, { detail: ['bad', null] }, []],
		[422, { detail: [] }, []],
		[422, { message: 'bad' }, []],
		[422, '', []],
		[422, null, []],
		[404, { detail: 'Not Found' }, undefined],
		[405, { detail: 'Method Not Allowed' }, undefined],
		[500, { detail: 'Internal Server Error' }, undefined],
		[503, { detail: 'busy' }, undefined],
		[200, { detail: null, data: [] }, undefined],
		[200, { data: [] }, undefined],
		[200, [], undefined],
		[400, { message: 'bad' }, undefined],
		[500, '<html>', undefined],
	])('%d %j: %j', (status, body, expected) => {
		expect(parseValidationIssues(body, status, unchanged)).toEqual(expected);
	});
});

describe('the key is redacted', () => {
	const redact = createRedact(KEY);

	test.each([
		{ detail: KEY },
		{ details: KEY },
		{ error: { message: KEY } },
		{ error: { code: KEY } },
		{ message: `${KEY.slice(0, 9)}<b>${KEY}` },
	])('in the message of %j', (body) => {
		expect(parseErrorMessage(body, redact)).toContain('***');
		expect(parseErrorMessage(body, redact)).not.toContain(KEY);
	});

	test('before the text is truncated', () => {
		for (let length = 300 - KEY.length; length <= 300; length++) {
			const text = `${'x'.repeat(length)}${KEY} and more`;
			const body = { detail: [issue(['body', 'ids', 0, KEY], text)] };

			expect(parseErrorMessage({ message: text }, redact)).not.toContain(KEY.slice(0, 4));
			expect(parseErrorMessage(body, redact)).not.toContain(KEY.slice(0, 4));
			expect(JSON.stringify(parseValidationIssues(body, 422, redact))).not.toContain('made');
		}
	});

	test('if it is encoded as in a URL', () => {
		expect(createRedact('a+/b=')('a+/b= and api_key=a%2B%2Fb%3D&x=1')).toBe(
			'*** and api_key=***&x=1',
		);
	});
});

test('the request member is not redacted, so that it can be compared with the request', () => {
	const redact = (text: string) => text.replaceAll('business', '***').replaceAll('1', '***');
	const body = { detail: [issue(['body', 'business_ids', 1], 'business 1 is unknown')] };

	expect(parseValidationIssues(body, 422, redact)).toEqual([
		{ member: 'business_ids', index: 1, message: '*** *** is unknown.' },
	]);
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
	expect(reportedStatus(body)).toBe(status);
});
