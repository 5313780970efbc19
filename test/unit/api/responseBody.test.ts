/** What a response body says: the error message and validation issues. */
import {
	createRedact,
	parseErrorMessage,
	parseValidationIssues,
} from '../../../nodes/BusinessProspectData/api/responseBody';
import { KEY } from './service';

const unchanged = (text: string) => text;
const issue = (loc: unknown, msg?: unknown) => ({ loc, msg, type: 'x' });
const MANY = ['a', 'b', 'c', 'd', 'e'].map((name) => issue([name], 'bad'));

test.each<[body: unknown, expected: string | undefined]>([
	[{ detail: 'Not found' }, 'Not found.'],
	[{ detail: [issue(['body', 'business_ids', 3], 'bad')] }, 'business_ids.3: bad.'],
	[{ detail: [issue('body', 'bad')] }, 'bad.'],
	[{ detail: [issue(['body', 'page'])] }, 'page.'],
	[{ detail: MANY.slice(0, 3) }, 'a: bad; b: bad; c: bad.'],
	[{ detail: MANY }, 'a: bad; b: bad; c: bad; and 2 more.'],
	[{ detail: { msg: 'bad' } }, 'bad.'],
	[{ detail: [], message: 'bad' }, 'bad.'],
	[{ detail: [null, 7, {}], message: 'bad' }, 'bad.'],
	[{ error: { code: 'INVALID_DATE_RANGE', message: 'From is after to' } }, 'From is after to.'],
	[{ error: { code: 'INVALID_DATE_RANGE' } }, 'INVALID_DATE_RANGE.'],
	[{ error: { code: 'X1' }, message: 'bad' }, 'bad.'],
	[{ error: 'Bad Request', message: 'email is not valid' }, 'email is not valid.'],
	[{ error: 'bad' }, 'bad.'],
	[{ message: ' ', details: 'bad' }, 'bad.'],
	[{ type: 'about:blank', title: 'Bad Request', status: 400 }, 'Bad Request.'],
	[{ errors: [{ code: 'E1', detail: 'no such month' }, { detail: 'bad' }] }, 'no such month; bad.'],
	[
		{ success: false, errors: { month: ['too late', 'odd'], page: 'bad' } },
		'month: too late; odd; page: bad.',
	],
	[{ fault: { faultstring: 'bad', detail: { errorcode: 'E1' } } }, 'E1.'],
	[{ error: 'invalid_request', error_description: 'bad' }, 'bad.'],
	[{ Message: 'bad', statusCode: 400 }, 'bad.'],
	[{ error: { details: { month: 'bad' } }, code: 400 }, 'month: bad.'],
	[{ message: { a: 1 } }, undefined],
	[{ message: '<br>' }, undefined],
	[null, undefined],
	[{ message: 'Is it so?' }, 'Is it so?'],
	[{ message: '  two\n\tlines  ' }, 'two lines.'],
	[{ message: '<!-- a --><p>Out of <b>credits</b></p>' }, 'Out of credits.'],
	[{ message: 'value <= 50, got 60 -> refused' }, 'value <= 50, got 60 -> refused.'],
	[{ message: 'x'.repeat(300) }, `${'x'.repeat(300)}.`],
	[{ message: `x${'😀'.repeat(200)}` }, `x${'😀'.repeat(149)}...`],
])('the error message of %j is %j', (body, expected) => {
	expect(parseErrorMessage(body, unchanged)).toBe(expected);
});

describe('validation issues', () => {
	const expectedIssue = { member: 'ids', index: 3, message: 'bad.' };
	const withoutIndex = { ...expectedIssue, index: undefined };
	/** A body with an issue at a location in the request body. */
	const at = (...loc: unknown[]) => ({ detail: [issue(['body', ...loc], 'bad')] });

	test.each<[status: number, body: unknown, expected: unknown]>([
		[422, at('ids', '3'), [expectedIssue]],
		[400, at('ids', 3), [expectedIssue]],
		[200, at('ids', 3), [expectedIssue]],
		[200, { response_context: { request_status: 'success' }, ...at('ids', 3) }, undefined],
		[200, { detail: 'Done' }, undefined],
		[500, at('ids', 3), [expectedIssue]],
		[404, at('ids', 3), [expectedIssue]],
		[422, { detail: [issue(['ids', 3], 'bad')] }, [expectedIssue]],
		[422, at('ids', '3x'), [withoutIndex]],
		[422, at('ids[6].email'), [{ ...expectedIssue, index: 6, message: 'email: bad.' }]],
		[422, at('ids', 3, 'network', 0), [{ ...expectedIssue, message: 'network.0: bad.' }]],
		[422, at('mode', 'x', 'y'), [{ member: 'mode', message: 'bad.' }]],
		[422, at(), [{ message: 'bad.' }]],
		[422, { detail: [issue(['body', 'ids'])] }, [{ member: 'ids', message: 'not accepted.' }]],
		[400, { detail: 'bad' }, []],
		[422, { detail: ['bad', null] }, []],
		[422, null, []],
		[404, { detail: 'Not Found' }, undefined],
		[200, { detail: null, data: [] }, undefined],
		[500, '<html>', undefined],
	])('%d %j: %j', (status, body, expected) => {
		expect(parseValidationIssues(body, status, unchanged)).toEqual(expected);
	});

	test('name the member as it was sent, so that it can be compared with the request', () => {
		const redact = (text: string) => text.replaceAll('business', '***').replaceAll('1', '***');
		const body = { detail: [issue(['body', 'business_ids', 1], 'business 1 is unknown')] };

		expect(parseValidationIssues(body, 422, redact)).toEqual([
			{ member: 'business_ids', index: 1, message: '*** *** is unknown.' },
		]);
	});
});

describe('the key is redacted', () => {
	const redact = createRedact(KEY);

	test.each([
		{ detail: KEY },
		{ error: { message: KEY } },
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
			expect(JSON.stringify(parseValidationIssues(body, 422, redact))).not.toContain('made');
		}
	});
});
