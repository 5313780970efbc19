/** What an output item and an error item hold. */
import type { IDataObject } from 'n8n-workflow';
import type { FailureDetails, Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import {
	errorItem,
	messageItem,
	outputItems,
	recordOutput,
	rowsWithFailure,
	type SharedFields,
} from '../../../nodes/BusinessProspectData/run/output';

const ROW: IDataObject = {
	prospect_id: 'p1',
	profile: {
		job_title: 'CTO',
		company: { name: 'Acme, Inc.', website: 'https://acme.example' },
		experience: [{ title: { name: 'CTO' }, start_date: '2020-01' }, { title: null }],
	},
	network_posts: [
		{ post_text: 'Hello', number_of_likes: 3 },
		{ post_text: 'Again', number_of_likes: 0 },
	],
	contacts: null,
	score: 0,
};

const options = (fields: string[], includeInputFields = false) => ({ fields, includeInputFields });

/** The output item of one row. */
function dataItem(
	json: IDataObject,
	input: IDataObject,
	own: ReturnType<typeof options>,
	requiredFields: string[],
) {
	const rows = [{ row: { json }, itemIndex: 0, options: own }];
	const [output] = outputItems(rows, [{ json: input }], { requiredFields }, false);
	if (output === undefined) throw new Error('No output');
	return output;
}

test.each<[string, string[], object]>([
	['none are named: all of them', [], ROW],
	['one', ['prospect_id'], { prospect_id: 'p1' }],
	['in the order they are named', ['score', 'prospect_id'], { score: 0, prospect_id: 'p1' }],
	['inside', ['profile.job_title'], { profile: { job_title: 'CTO' } }],
	[
		'several inside of one',
		['profile.job_title', 'prospect_id', 'profile.company.name'],
		{ profile: { job_title: 'CTO', company: { name: 'Acme, Inc.' } }, prospect_id: 'p1' },
	],
	[
		'a whole and a part of it: the whole',
		['profile.job_title', 'profile'],
		{ profile: ROW.profile },
	],
	[
		'through a list',
		['network_posts.post_text'],
		{ network_posts: [{ post_text: 'Hello' }, { post_text: 'Again' }] },
	],
	[
		'through a list that is not whole',
		['profile.experience.title.name'],
		{ profile: { experience: [{ title: { name: 'CTO' } }, { title: null }] } },
	],
	['inside of what has no data', ['contacts.emails', 'score'], { contacts: null, score: 0 }],
	['that do not exist: null', ['salary', 'profile.salary'], { salary: null, profile: {} }],
	[
		'that every object has',
		['constructor', 'profile.toString'],
		{ constructor: null, profile: {} },
	],
	['named twice', ['score', 'score'], { score: 0 }],
])('fields %s', (_what, fields, expected) => {
	const { json } = dataItem(ROW, { row: 1 }, options(fields), []);
	expect(json).toEqual(expected);
	expect(Object.keys(json)).toEqual(Object.keys(expected));
});

test.each<[string, string[], string[]]>([
	['comes last where it is not named', ['score'], ['score', 'prospect_id']],
	['stays in its place where it is named', ['prospect_id', 'score'], ['prospect_id', 'score']],
])('what identifies a row %s', (_what, fields, names) => {
	const { json } = dataItem(ROW, {}, options(fields), ['prospect_id', 'event_id']);
	expect(Object.keys(json)).toEqual(names);
});

test.each<[string, IDataObject, string[], string[]]>([
	['the result first', {}, ['prospect_id', 'score'], ['prospect_id', 'score', 'email', 'crm_id']],
	['its ID last', {}, ['score'], ['score', 'prospect_id', 'email', 'crm_id']],
	[
		'an ID that the input has where the input has it',
		{ prospect_id: 'p0' },
		['score'],
		['score', 'email', 'crm_id', 'prospect_id'],
	],
])('with input fields: %s', (_what, id, fields, names) => {
	const input = { email: 'old@example.com', score: 99, crm_id: 5, ...id };
	const before = { ...input };
	const { json } = dataItem(ROW, input, options(fields, true), ['prospect_id']);
	expect(json).toEqual({ email: 'old@example.com', score: 0, crm_id: 5, prospect_id: 'p1' });
	expect(Object.keys(json)).toEqual(names);
	expect(input).toStrictEqual(before);
});

test.each<[string, string[], Array<string | null>, object[]]>([
	['empty in all rows', [], [null, ''], [{ a: 1 }, { a: 1 }]],
	[
		'filled in one row',
		[],
		[null, 'x'],
		[
			{ a: 1, note: null },
			{ a: 1, note: 'x' },
		],
	],
	['named in Fields', ['note'], [null, null], [{ note: null }, { note: null }]],
])('a field that a run may lack, %s', (_what, fields, notes, expected) => {
	const rows = notes.map((note, itemIndex) => ({
		row: { json: { a: 1, note } },
		itemIndex,
		options: options(fields),
	}));
	const items = outputItems(rows, [], { optionalFields: ['note'] }, false);
	expect(items.map(({ json }) => json)).toEqual(expected);
});

const FAILURE: Failure = {
	kind: 'forbidden',
	message: 'No credits left.',
	field: 'prospectIds',
	status: 402,
	correlationId: 'c-1',
	issues: [{ member: 'ids', message: 'internal' }],
	details: { missing_pages: [3] },
};

test.each<[string, Failure, IDataObject | undefined, object]>([
	[
		'all that is known',
		FAILURE,
		{ prospect_id: 'p1', profile: { age: 5 } },
		{
			field: 'prospectIds',
			status: 402,
			correlation_id: 'c-1',
			missing_pages: [3],
			received: { prospect_id: 'p1', profile: { age: 5 } },
		},
	],
	['a field', { kind: 'input', message: 'No.', field: 'email' }, undefined, { field: 'email' }],
	['nothing', { kind: 'input', message: 'No.' }, undefined, {}],
])('an error item: %s', (_what, failure, received, details) => {
	const item = errorItem(failure, 4, received);
	expect(item).toStrictEqual({
		json: { error: { message: failure.message, ...details } },
		pairedItem: { item: 4 },
	});
	expect('error' in item).toBe(false);
	expect(Object.keys(item.json.error as IDataObject)[0]).toBe('message');
});

describe('members with the names of prototype members', () => {
	const text = '{"constructor":{"prototype":1},"__proto__":{"a":2}}';
	const data = JSON.parse(text) as IDataObject;

	test('are in the fields that Fields names', () => {
		const { json } = dataItem({ data }, {}, options(['data']), []);
		expect(JSON.stringify(json)).toBe(`{"data":${text}}`);
	});
	test('are in error items', () => {
		const failure: Failure = { kind: 'input', message: 'No.', details: { data } };
		const { json } = errorItem(failure, 0, data);
		expect(JSON.stringify(json)).toBe(
			`{"error":{"message":"No.","data":${text},"received":${text}}}`,
		);
	});
	test('are in the response context', () => {
		const { json } = recordOutput({}, () => ({}), data, false);
		expect(JSON.stringify(json)).toBe(`{"response_context":${text}}`);
	});
});

describe('the input row has what an earlier node or run fetched', () => {
	const together = [['email', 'status'], ['phone']];
	const fieldsOfId = {
		idField: 'id',
		fields: new Set(['email', 'status', 'phone', 'contacts', 'other', 'posts']),
	};
	const outputOf = (json: IDataObject, shared: SharedFields | undefined, input: IDataObject) => {
		const row = {
			row: { json, ...(shared && { shared }) },
			itemIndex: 0,
			options: options([], true),
		};
		const rules = { keepsInputFields: true, fieldsOfId };
		return outputItems([row], [{ json: input }], rules, false)[0]?.json;
	};

	test.each<[what: string, row: IDataObject, expected: IDataObject]>([
		['nothing has changed: empty fields keep the old value', { email: 'a', phone: null }, {}],
		['one has changed: the others of its group are replaced', { email: 'b' }, { status: null }],
		['one is new: the others stay', { phone: '2' }, {}],
		['the ID is written in another way', { id: 'p1' }, {}],
		['a sheet has stored it in another form', { email: ' A' }, {}],
		['the ID has changed: all are replaced', { id: 'p2' }, { email: null, status: null }],
	])('%s', (_what, changed, expected) => {
		const input = { id: ' P1', email: 'a', status: 'valid', phone: null, own: 1 };
		const json = { id: 'p1', email: null, status: null, phone: null, ...changed };
		const output = outputOf(json, { together }, input);
		expect(output).toEqual({
			...input,
			id: 'p1',
			...changed,
			email: json.email ?? 'a',
			...expected,
		});
	});

	test('one of several IDs, and the input row does not say whose values it has', () => {
		const input = { email: null, status: null, phone: '1' };
		const json = { id: 'p1', phone: null };
		expect(outputOf(json, { together }, input)).toMatchObject({ phone: '1' });
		const shared = { together, severalIds: true };
		expect(outputOf(json, shared, input)).toMatchObject({ phone: null });
	});

	test('another ID: what other nodes fetched for the old one is replaced too', () => {
		const input = { id: 'p1', posts: ['a'], own: 1 };
		expect(outputOf({ id: 'p2' }, undefined, input)).toEqual({ id: 'p2', posts: null, own: 1 });
		expect(outputOf({ id: 'P1' }, undefined, input)).toEqual({ ...input, id: 'P1' });
		expect(outputOf({ id: null }, undefined, input)).toEqual(input);
	});

	test('fields that Fields leaves out are outdated too', () => {
		const input = { email: 'a', status: 'valid', phone: '1' };
		const output = outputOf({ email: 'b' }, { together }, input);
		expect(output).toEqual({ email: 'b', status: null, phone: '1' });
	});

	test.each([
		[
			'the same ID: the objects are completed',
			'p1',
			{ email: 'a@example.com', status: 'valid', phone: '1', both: 'new' },
		],
		[
			'another ID: the objects are replaced',
			'p2',
			{ email: null, status: null, phone: '1', both: 'new' },
		],
	])('objects, %s', (_what, id, contacts) => {
		const old = { email: 'a@example.com', status: 'valid', phone: null, both: 'old' };
		const input = { id: 'p1', contacts: old, other: { a: 1 } };
		const row = { email: null, status: null, phone: '1', both: 'new' };
		const json = { id, contacts: row, other: { b: null, c: 2 } };
		const shared = { together: [], nested: { contacts: together } };

		expect(outputOf(json, shared, input)).toEqual({ id, contacts, other: { b: null, c: 2 } });
		expect(input.contacts.phone).toBeNull();
	});
});

test('the error of an earlier run does not stay beside a result; a column of that name does', () => {
	const own = options([], true);
	const old = dataItem({ a: 1 }, { error: { message: 'No.' }, b: 2 }, own, []);
	expect(old).toEqual({ json: { a: 1, b: 2 }, pairedItem: { item: 0 } });
	const ownError = dataItem({ error: null }, { error: { message: 'No.' } }, own, []);
	expect(ownError.json).toEqual({ error: null });
	for (const error of ['Timeout', { message: 500 }]) {
		expect(dataItem({ a: 1 }, { error }, own, []).json).toEqual({ a: 1, error });
	}
});

test('a field and a field inside it can both be named', () => {
	const json = { contacts: { email: 'a@example.com' }, list: [1] };
	const allFields = () => ({
		contacts: { email: 'other', emails: [{ address: 'b@example.com', type: 'x' }], extra: 1 },
		list: [1],
	});
	const fields = ['contacts', 'contacts.emails.address', 'list', 'list.a', 'none', 'none.a'];
	const row = { row: { json, allFields }, itemIndex: 0, options: options(fields) };

	expect(outputItems([row], [], {}, false)[0]?.json).toEqual({
		contacts: { email: 'a@example.com', emails: [{ address: 'b@example.com' }] },
		list: [1],
		none: null,
	});
});

test('with several rows, dates of other nodes in the input fields are copied as text', () => {
	const date = new Date('2026-05-31T09:00:00Z');
	const row = { row: { json: {} }, itemIndex: 0, options: options([], true) };
	const [, later] = outputItems([row, row], [{ json: { date } }], {}, false);
	expect(later?.json).toEqual({ date: date.toISOString() });
});

test('the types keep a detail from taking the place of another member', () => {
	const details: FailureDetails[] = [
		{ code: 'ENOTFOUND' },
		// @ts-expect-error: a detail must not have this name
		{ message: 'Hidden' },
		// @ts-expect-error: a detail must not have this name
		{ field: 'email' },
		// @ts-expect-error: a detail must not have this name
		{ status: 500 },
		// @ts-expect-error: a detail must not have this name
		{ correlation_id: 'c-2' },
	];
	expect(details).toHaveLength(5);
});

test('the rows of an outcome: what was received, then why there is no more', () => {
	const rows = (json: IDataObject) => [{ json }, { json }];
	const row = { json: { a: 1 } };

	expect(rowsWithFailure({ value: row.json }, rows)).toEqual([row, row]);
	expect(rowsWithFailure({ value: row.json, failure: FAILURE }, rows)).toEqual([
		row,
		row,
		{ failure: FAILURE },
	]);
	expect(rowsWithFailure({ failure: FAILURE }, rows)).toEqual([{ failure: FAILURE }]);
});

test('a message for an AI agent is linked to the first item', () => {
	expect(messageItem('Nothing found.')).toEqual({
		json: { message: 'Nothing found.' },
		pairedItem: { item: 0 },
	});
});
