import {
	type IDataObject,
	type INode,
	type INodeParameters,
	NodeOperationError,
	UserError,
} from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { errorOf } from '../harness/engine';
import { MATCH_ERROR_MARKER } from '../sandbox/handlers/prospects';
import { personalEmail } from '../sandbox/world/prospect-data';
import { CONTINUE, hintsOf, jsonOf, type Service, startService } from './service';

const byEmail: INodeParameters = {
	resource: 'prospect',
	operation: 'match',
	email: '={{ $json.email }}',
};

const emailOf = (service: Service, index: number) => personalEmail(service.world.person(index));

async function withEmails(count: number) {
	const service = await startService();
	const items = Array.from({ length: 1_000 }, (_, index) => ({
		index,
		email: emailOf(service, index),
	}))
		.filter(({ email }) => email !== null)
		.slice(0, count)
		.map((item, row) => ({ ...item, row }));
	expect(items).toHaveLength(count);
	return { service, items };
}

test('120 rows take three requests, duplicates are sent once, and rows stay in order', async () => {
	const { service, items } = await withEmails(110);
	const duplicates = items.slice(0, 10).map(({ index, email }, position) => ({
		index,
		email: `  ${email?.toUpperCase()} `,
		row: 110 + position,
	}));

	const run = await service.run(byEmail, [...items, ...duplicates]);

	expect(service.log.count('match')).toMatchObject({ requests: 3, ids: 110, unique: 110 });
	expect(run.linked).toEqual([...items, ...duplicates].map(({ row }) => row));
	expect(jsonOf(run.main)[0]).toEqual({
		prospect_id: service.world.prospectId(items[0]?.index ?? -1),
		matched: true,
		input_email: items[0]?.email,
	});
	expect(jsonOf(run.main).map(({ prospect_id }) => prospect_id)).toEqual(
		[...items, ...duplicates].map(({ index }) => service.world.prospectId(index)),
	);
	expect(hintsOf(run)[0]).toBe(
		"120 rows matched. 3 requests, 110 records. 10 duplicates weren't sent again.",
	);
});

test('a name with other spaces, invisible or half characters is the same person, sent and paid for once', async () => {
	const service = await startService();
	const { fullName, company } = service.world.person(1);
	const spaces = [' ', '\u00a0', '  ', '\u200b ', '\ud83d '];
	const names = spaces.map((space, row) => ({ row, name: fullName.replace(' ', space) }));

	const run = await service.run(
		{
			resource: 'prospect',
			operation: 'match',
			nameFields: 'full',
			fullName: '={{ $json.name }}',
			companyName: service.world.company(company).name,
		},
		names,
	);

	expect(jsonOf(run.main).map(({ matched, input_full_name: name }) => [matched, name])).toEqual(
		names.map(() => [true, fullName]),
	);
	expect(service.log.count('match').ids).toBe(1);
});

test('a name that makes a request too large: only its row fails', async () => {
	const { service, items } = await withEmails(50);
	const name = 'x'.repeat(100_000);
	const rows = items.map((item) => ({ ...item, name: item.row === 20 ? name : 'Ada Diaz' }));
	service.fault({
		when: ({ body }) => JSON.stringify(body).length > name.length,
		times: 'always',
		do: { kind: 'status', status: 413 },
	});

	const run = await service.run(
		{ ...byEmail, nameFields: 'full', fullName: '={{ $json.name }}', companyName: 'Acme' },
		rows,
		CONTINUE,
	);

	expect(run.linkedErrors).toEqual([20]);
	expect(run.main).toHaveLength(49);
	expect(service.log.count('match', { worked: true })).toMatchObject({ ids: 49, unique: 49 });
	expect(errorOf(run.error[0]).message).toMatch(/^The request was too large .* lower Batch Size/);
});

test('a person without a match is a row, a person that fails is an error row', async () => {
	const { service, items } = await withEmails(2);
	const rows = [
		...items,
		{ row: 2, email: 'nobody@nowhere.example' },
		{ row: 3, email: `${MATCH_ERROR_MARKER}@nowhere.example` },
	];

	const run = await service.run(byEmail, rows, CONTINUE);

	expect(run.linked).toEqual([0, 1, 2]);
	expect(jsonOf(run.main)[2]).toMatchObject({ prospect_id: null, matched: false });
	expect(run.linkedErrors).toEqual([3]);
	expect(run.error[0]?.json).toMatchObject({
		error: {
			message: expect.stringMatching(/^The service could not look this person up: /),
			reason: expect.any(String),
			error_type: expect.any(String),
			input: { email: `${MATCH_ERROR_MARKER}@nowhere.example` },
		},
	});
});

test('a hint says that rows without a match keep the ID of their input row', async () => {
	const { service, items } = await withEmails(1);
	const old = service.world.prospectId(999);
	const rows = [
		{ ...items[0], prospect_id: old },
		{ row: 1, email: 'nobody@nowhere.example', prospect_id: old },
		{ row: 2, email: 'noone@nowhere.example', prospect_id: '' },
	];
	const withInput = { ...byEmail, includeInputFields: true };

	const run = await service.run(withInput, rows);
	const without = await service.run(byEmail, rows);

	expect(jsonOf(run.main).map(({ prospect_id }) => prospect_id)).toEqual([
		expect.not.stringMatching(old),
		old,
		null,
	]);
	const hint =
		'1 row without a match keeps its own prospect_id from the input. Before you use the IDs, leave out rows in which matched is false.';
	expect(hintsOf(run)).toContain(hint);
	expect(hintsOf(without)).not.toContain(hint);
});

// Contract: a failed item carries `error` and `error_type`, both strings.
test.each<[string, IDataObject, string, IDataObject]>([
	[
		'only a type',
		{ prospect_id: null, error: '', error_type: 'ProcessingError' },
		'ProcessingError.',
		{ error_type: 'ProcessingError' },
	],
	[
		'an object as its error',
		{ prospect_id: null, error: { message: 'Try another spelling' }, error_type: null },
		'Try another spelling.',
		{ reason: 'Try another spelling.' },
	],
	[
		'an object without a message as its error',
		{ prospect_id: null, error: { line: 4 } },
		'{"line":4}.',
		{ reason: '{"line":4}' },
	],
	[
		'an ID, which was paid for',
		{ error: 'Company not confirmed', error_type: 'PartialMatch' },
		'Company not confirmed (PartialMatch).',
		{
			reason: 'Company not confirmed',
			error_type: 'PartialMatch',
			prospect_id: expect.stringMatching(/^[0-9a-f]{40}$/),
		},
	],
])('a failed item with %s is an error row', async (_case, members, message, facts) => {
	const { service, items } = await withEmails(2);
	service.change((answer) => {
		const { matched_prospects: rows, ...rest } = answer as { matched_prospects: object[] };
		const [first, ...others] = rows;
		return { ...rest, matched_prospects: [{ ...first, ...members }, ...others] };
	});

	const run = await service.run(byEmail, items, CONTINUE);

	expect(run.linked).toEqual([1]);
	const { correlation_id, input, ...error } = errorOf(run.error[0]);
	expect([correlation_id, input]).toEqual([
		service.log.entries[0]?.correlationId,
		expect.objectContaining({ email: items[0]?.email }),
	]);
	expect(error).toEqual({
		message: `The service could not look this person up: ${message} Check this person's details. If they are correct, run the row again later.`,
		...facts,
	});
});

test('Simplify off: each row has the response context of its own request', async () => {
	const { service, items } = await withEmails(6);

	const run = await service.run(
		{ ...byEmail, simplify: false, options: { requests: { batchSize: 2 } } },
		items,
	);

	const requests = service.log.requestsTo('match');
	expect(requests).toHaveLength(3);
	for (const [row, { response_context }] of jsonOf(run.main).entries()) {
		const own = requests.find(({ ids }) => ids.some((id) => id.includes(items[row]?.email ?? '-')));
		expect(response_context).toMatchObject({ correlation_id: own?.correlationId });
	}
});

test.each([['before'], ['after']])(
	'a row that repeats the input of another person belongs to that person (%s it)',
	async (position) => {
		const service = await startService();
		const namesakes = ['Acme', 'Globex'].map((company, row) => ({ row, company }));
		const repeated = position === 'before' ? 1 : 0;
		const success = { correlation_id: 'c-1', request_status: 'success' };
		service.change((answer) => {
			const { matched_prospects: rows } = answer as { matched_prospects: object[] };
			const own = { ...rows[repeated], prospect_id: service.world.prospectId(1) };
			return { response_context: success, matched_prospects: [own, own] };
		});

		const run = await service.run(
			{
				resource: 'prospect',
				operation: 'match',
				nameFields: 'full',
				fullName: 'Ada King',
				companyName: '={{ $json.company }}',
			},
			namesakes,
			CONTINUE,
		);

		expect(run.linked).toEqual([repeated]);
		expect(jsonOf(run.main)[0]).toMatchObject({
			prospect_id: service.world.prospectId(1),
			input_company_name: namesakes[repeated]?.company,
		});
		expect(run.linkedErrors).toEqual([1 - repeated]);
		expect(errorOf(run.error[0]).message).toMatch(/doesn't include this person/);
	},
);

test('a name or a company alone is left out if something else identifies the person', async () => {
	const { service, items } = await withEmails(2);
	const [{ index = 0, email = '' } = {}, other] = items;
	const rows = [
		{ email, name: 'Ada King' },
		{ email, company: 'Acme' },
		{ email },
		{ email: other?.email, name: 'Ada King', company: 'Acme' },
		{ name: 'Ada King' },
		{ company: 'Acme' },
	].map((row, index) => ({ ...row, row: index }));

	const run = await service.run(
		{
			...byEmail,
			nameFields: 'full',
			fullName: '={{ $json.name }}',
			companyName: '={{ $json.company }}',
		},
		rows,
		CONTINUE,
	);

	expect(service.log.requestsTo('match').map(({ body }) => body)).toEqual([
		{
			prospects_to_match: [
				{ email },
				{ email: other?.email, full_name: 'Ada King', company_name: 'Acme' },
			],
		},
	]);
	expect(run.linked).toEqual([0, 1, 2, 3]);
	for (const json of jsonOf(run.main).slice(0, 3)) {
		expect(json).toEqual({
			prospect_id: service.world.prospectId(index),
			matched: true,
			input_email: email,
			input_full_name: null,
			input_company_name: null,
		});
	}
	expect(run.linkedErrors).toEqual([4, 5]);
	expect(hintsOf(run)[0]).toMatch(/, 2 failed\. .* 2 duplicates weren't sent again\.$/);
});

test.each(['before', 'after'])(
	'a row without an ID %s the row with one does not hide the match',
	async (position) => {
		const { service, items } = await withEmails(2);
		service.change((answer) => {
			const { matched_prospects: rows, ...rest } = answer as { matched_prospects: object[] };
			const none = { ...rows[1], prospect_id: null };
			const matched_prospects = position === 'before' ? [none, ...rows] : [...rows, none];
			return { ...rest, matched_prospects };
		});

		const run = await service.run(byEmail, items);

		expect(jsonOf(run.main).map(({ prospect_id }) => prospect_id)).toEqual(
			items.map(({ index }) => service.world.prospectId(index)),
		);
	},
);

test('a row that repeats its input in another form, in the position of the input, is its row', async () => {
	const service = await startService();
	const phones = ['020 7946 0000', '020 7946 0001'].map((phone, row) => ({ row, phone }));
	service.change((answer) => {
		const { matched_prospects: rows, ...rest } = answer as { matched_prospects: IDataObject[] };
		const matched_prospects = rows.map(({ input }, index) => ({
			input: { ...(input as IDataObject), phone_number: `+44207946000${index}` },
			prospect_id: service.world.prospectId(index),
		}));
		return { ...rest, response_context: { request_status: 'success' }, matched_prospects };
	});

	const run = await service.run(
		{ resource: 'prospect', operation: 'match', phoneNumber: '={{ $json.phone }}' },
		phones,
		CONTINUE,
	);

	expect(run.linked).toEqual([0, 1]);
	expect(jsonOf(run.main).map(({ prospect_id }) => prospect_id)).toEqual(
		phones.map((_, index) => service.world.prospectId(index)),
	);
});

// n8n-workflow 1.99 to 2.33.2 lose the cause, by which such an error is recognized.
test.each<[string, Error, string]>([
	[
		'its protection against requests to private networks',
		new UserError('The request was blocked because it resolves to a restricted IP address', {
			description: 'The target 10.0.0.5 is not allowed. Ask your administrator to allowlist it.',
		}),
		'The request was blocked because it resolves to a restricted IP address. The target 10.0.0.5 is not allowed. Ask your administrator to allowlist it.',
	],
	[
		'a credential that was deleted during the run',
		new UserError('Credential with ID "c1" was not found.'),
		'Credential with ID "c1" was not found.',
	],
	[
		'a missing credential',
		new NodeOperationError({ name: 'Prospects' } as INode, 'Credentials not found'),
		'Credentials not found.',
	],
])('a request that n8n does not send, because of %s', async (_reason, error, explanation) => {
	const { service, items } = await withEmails(1);
	const credentialType = Object.assign(new BusinessProspectDataApi(), {
		authenticate: async () => await Promise.reject(error),
	});

	const run = await service.run(byEmail, items, { credentialType, onError: 'continueErrorOutput' });

	expect(errorOf(run.error[0])).toEqual({
		message: `n8n did not send the request: ${explanation} Check the credential, and whether n8n may send requests to its Base URL. Then run these rows again.`,
		code: 'NOT_SENT',
	});
	expect(service.log.entries).toEqual([]);
});
