/** The service's own explanation, as a person gets to read it. */
import {
	parseValidationIssues,
	parseErrorMessage,
} from '../../../nodes/BusinessProspectData/api/errorMessage';

const asItIs = (text: string) => text;
const words = (body: unknown) => parseErrorMessage(body, asItIs);
const problem = (loc: unknown, msg?: unknown) => ({ loc, msg, type: 'x' });

describe('the explanation', () => {
	test.each<[body: unknown, expected: string | undefined]>([
		[{ detail: 'Not found' }, 'Not found.'],
		[{ detail: [problem(['body', 'business_ids', 3], 'bad')] }, 'business_ids.3: bad.'],
		[{ detail: [problem(['query', 'field'], 'missing')] }, 'query.field: missing.'],
		[{ detail: [problem([], 'bad')] }, 'bad.'],
		[{ detail: [problem(['body'], 'bad')] }, 'bad.'],
		[{ detail: [problem(undefined, 'bad')] }, 'bad.'],
		[{ detail: [problem('body', 'bad')] }, 'bad.'],
		[{ detail: [problem(['body', 'page'])] }, 'page.'],
		[{ detail: [problem(['body', 'a'], 'x'), problem(['body', 'b'], 'y')] }, 'a: x; b: y.'],
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
		expect(words(body)).toBe(expected);
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
		expect(words({ message })).toBe(expected);
	});

	test('is cut when it is long, and says so', () => {
		const said = words({ message: 'word '.repeat(500) }) ?? '';

		expect(said.length).toBeLessThan(320);
		expect(said).toMatch(/^word word.* \.\.\.$/);
		expect(words({ message: 'x'.repeat(300) })).toBe(`${'x'.repeat(300)}.`);
	});

	test('names the first three of many problems, and how many more there are', () => {
		const many = ['a', 'b', 'c', 'd', 'e'].map((name) => problem([name], 'bad'));

		expect(words({ detail: many.slice(0, 3) })).toBe('a: bad; b: bad; c: bad.');
		expect(words({ detail: many })).toBe('a: bad; b: bad; c: bad; and 2 more.');
	});
});

describe('the problems of a validation error', () => {
	const one = { member: 'ids', index: 3, message: 'bad.' };

	test.each<[status: number, body: unknown, expected: unknown]>([
		[422, { detail: [problem(['body', 'ids', 3], 'bad')] }, [one]],
		[422, { detail: [problem(['body', 'ids', '3'], 'bad')] }, [one]],
		[400, { detail: [problem(['body', 'ids', 3], 'bad')] }, [one]],
		[200, { detail: [problem(['body', 'ids', 3], 'bad')] }, [one]],
		[500, { detail: [problem(['body', 'ids', 3], 'bad')] }, [one]],
		[404, { detail: [problem(['body', 'ids', 3], 'bad')] }, [one]],
		[422, { detail: [problem(['ids', 3], 'bad')] }, [one]],
		[422, { detail: [problem(['body', 'ids', '3x'], 'bad')] }, [{ ...one, index: undefined }]],
		[422, { detail: [problem(['body', 'ids', 'x3'], 'bad')] }, [{ ...one, index: undefined }]],
		[422, { detail: [problem(['body', 'ids', 12], 'bad')] }, [{ ...one, index: 12 }]],
		[422, { detail: [problem(['body', 'ids[6]'], 'bad')] }, [{ ...one, index: 6 }]],
		[
			422,
			{ detail: [problem(['body', 'ids[6].email'], 'bad')] },
			[{ ...one, index: 6, message: 'email: bad.' }],
		],
		[
			422,
			{ detail: [problem(['body', 'ids', 3, 'network', 0], 'bad')] },
			[{ ...one, message: 'network.0: bad.' }],
		],
		[
			422,
			{ detail: [problem(['body', 'mode', 'x', 'y'], 'bad')] },
			[{ member: 'mode', message: 'bad.' }],
		],
		[422, { detail: [problem(['body'], 'bad')] }, [{ message: 'bad.' }]],
		[422, { detail: [problem([], 'bad')] }, [{ message: 'bad.' }]],
		[422, { detail: [problem('ids', 'bad')] }, [{ message: 'bad.' }]],
		[422, { detail: [problem(['body', 'ids'])] }, [{ member: 'ids', message: 'not accepted.' }]],
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
		expect(parseValidationIssues(body, status, asItIs)).toEqual(expected);
	});
});

test('what is masked is masked before it is cut', () => {
	const mask = (text: string) => text.replaceAll('secret', '***');
	const body = {
		detail: [problem(['body', 'ids', 0, 'secret'], `${'x'.repeat(285)} secret`)],
	};

	expect(parseErrorMessage(body, mask)).not.toMatch(/secr/);
	expect(JSON.stringify(parseValidationIssues(body, 422, mask))).not.toMatch(/secr/);
});

test('what is compared with the request is not masked, though a secret may be part of it', () => {
	const mask = (text: string) => text.replaceAll('business', '***').replaceAll('1', '***');
	const body = { detail: [problem(['body', 'business_ids', 1], 'business 1 is unknown')] };

	expect(parseValidationIssues(body, 422, mask)).toEqual([
		{ member: 'business_ids', index: 1, message: '*** *** is unknown.' },
	]);
});
