/**
 * An answer about one record fails that record. A request is not sent any more only where it would meet the same: without
 * credits, and on a path on which nothing has succeeded in this run.
 */
import type { INodeParameters } from 'n8n-workflow';
import { errorOf } from '../harness/engine';
import type { Fault } from '../sandbox/faults/kinds';
import { CONTINUE, itemsWith, jsonOf, type Service, startService } from './service';

const remove: INodeParameters = {
	resource: 'eventEnrollment',
	operation: 'delete',
	enrollmentId: '={{ $json.id }}',
};
const emails: INodeParameters = {
	resource: 'prospect',
	operation: 'enrich',
	prospectIds: '={{ $json.id }}',
	dataSets: ['contacts'],
	contactTypes: 'email',
};
const profiles: INodeParameters = {
	...emails,
	dataSets: ['profile'],
	options: { requests: { batchSize: 1 } },
};

const status = (code: number, body?: unknown): Fault => ({
	kind: 'status',
	status: code,
	...(body !== undefined && { body }),
});
const enrollments = ({ world }: Service, count: number) =>
	itemsWith(Array.from({ length: count }, (_, n) => world.enrollmentId(n)));

const run = async (
	service: Service,
	parameters: INodeParameters,
	items: ReturnType<typeof itemsWith>,
) => await service.run(parameters, items, CONTINUE);

describe.each([1, 4])('%i at once', (maxConcurrentRequests) => {
	const options = { requests: { maxConcurrentRequests } };
	const oneByOne = { requests: { maxConcurrentRequests, batchSize: 1 } };
	const first = (count: number) => Array.from({ length: count }, (_, row) => row);

	test.each<[string, INodeParameters, number, failing: number[], code: number, text: string]>([
		['six deletions, the first unknown', remove, 6, [0], 404, 'Enrollment not found'],
		['six deletions, the first refused', remove, 6, [0], 403, "This one is somebody else's"],
		['deletions, five gone already', remove, 8, first(5), 404, 'Enrollment not found'],
		['people one at a time, the first unknown', emails, 30, [0], 404, 'No such prospect'],
		['people one at a time, one unknown', emails, 30, [14], 404, 'No such prospect'],
		['people, many unknown, each named', emails, 30, first(20), 404, 'There is no <ID>'],
		['people, the first 8 unknown', emails, 30, first(8), 404, 'No such record'],
		['people, the first 8 refused', emails, 30, first(8), 403, 'This person opted out'],
		['one at a time through the endpoint for many', profiles, 6, [0], 404, 'No such prospect'],
	])('%s: all others are sent and succeed', async (_, parameters, count, failing, code, text) => {
		const service = await startService({ enrollments: count });
		const items =
			parameters === remove
				? enrollments(service, count)
				: itemsWith(service.world.prospectIds(count));
		const explanationOf = (row: number) => text.replace('<ID>', items[row]?.id ?? '');
		for (const row of failing) {
			const answer = status(code, { detail: explanationOf(row) });
			service.fault({ when: { asksFor: items[row]?.id }, times: 'always', do: answer });
		}

		const { main, error, linked, linkedErrors } = await run(
			service,
			{ ...parameters, options: parameters === profiles ? oneByOne : options },
			items,
		);

		expect(service.log.entries).toHaveLength(count);
		const others = first(count).filter((row) => !failing.includes(row));
		expect([linked, linkedErrors]).toEqual([others, failing]);
		expect(jsonOf(main).every(({ deleted = true }) => deleted === true)).toBe(true);
		expect(error.map(errorOf)).toMatchObject(
			failing.map((row) => ({
				status: code,
				message: expect.stringContaining(`(HTTP ${code}): ${explanationOf(row)}`),
			})),
		);
		expect(JSON.stringify(error)).not.toContain('does not know the address');
	});

	test.each<[what: string, body: unknown]>([
		['a web page', '<h1>Not Found</h1>'],
		['nothing', ''],
		['the explanation of FastAPI', { detail: 'Not Found' }],
		['the explanation of Nest', { message: 'Cannot DELETE /v2/v1/businesses/events/enrollments' }],
		['the explanation of a gateway', { message: 'no Route matched with those values' }],
	])('a wrong path that answers with %s: a handful of 100', async (_, body) => {
		const service = await startService();
		const items = enrollments(service, 100);
		service.fault({ times: 'always', do: status(404, body) });

		const { error } = await run(service, { ...remove, options }, items);

		expect(service.log.entries.length).toBeLessThanOrEqual(4 + maxConcurrentRequests);
		expect(error).toHaveLength(100);
		for (const item of error) {
			expect(errorOf(item).message).toMatch(/\(HTTP 404\).*[Cc]heck Base URL in the credential/);
		}
	});

	test('a redirect with explanation is one request, not a validation error', async () => {
		const service = await startService();
		const items = itemsWith(service.world.prospectIds(8));
		service.fault({ times: 'always', do: status(301, { detail: 'Moved' }) });

		const { error } = await run(
			service,
			{ ...profiles, options: { requests: { ...options.requests, batchSize: 8 } } },
			items,
		);

		expect(service.log.entries).toHaveLength(1);
		expect(error.map((item) => errorOf(item).message)).toEqual(
			items.map(() =>
				expect.stringMatching(/^The address in Base URL redirects to another one \(HTTP 301\)/),
			),
		);
	});

	test.each<[code: number, body: unknown]>([
		[402, { message: 'Pay' }],
		[403, { message: 'No credits left' }],
	])('%i %j is about credits: nothing more is sent on the path', async (code, body) => {
		const service = await startService();
		const items = itemsWith(service.world.prospectIds(30));
		service.fault({ when: { nth: 10 }, do: status(code, body) });

		const { main, error } = await run(service, { ...emails, options }, items);

		const sent = service.log.entries.length;
		expect(sent).toBeLessThan(10 + maxConcurrentRequests);
		expect([main.length, error.length]).toEqual([sent - 1, 30 - sent + 1]);
	});

	test.each([['Not in your plan'], ['You have no permission to read contacts']])(
		'403 "%s" before anything succeeded is about the account: nothing more is sent on the path',
		async (message) => {
			const service = await startService();
			const items = itemsWith(service.world.prospectIds(30));
			service.fault({ times: 'always', do: status(403, { message }) });

			const { error } = await run(service, { ...emails, options }, items);

			expect(service.log.entries.length).toBeLessThanOrEqual(maxConcurrentRequests);
			expect(error).toHaveLength(30);
		},
	);

	test.each<[what: string, fault: Fault]>([
		['403 about a plan', status(403, { message: 'Your plan does not include this prospect' })],
		['403 about permission', status(403, { message: 'No permission to access this prospect' })],
		['404 without a word', status(404, '')],
		['403 without a word', status(403, '')],
		['a redirect', { kind: 'redirect', to: 'https://elsewhere.example/' }],
	])('%s in the middle of what succeeds fails one row', async (_, fault) => {
		const service = await startService();
		const items = itemsWith(service.world.prospectIds(30));
		service.fault({ when: { nth: 10 }, do: fault });

		const { main } = await run(service, { ...emails, options }, items);

		expect(service.log.entries).toHaveLength(30);
		expect(main).toHaveLength(29);
	});
});

test('batches on a path that is unknown: one request', async () => {
	const service = await startService();
	const items = itemsWith(service.world.prospectIds(200));
	service.fault({ times: 'always', do: status(404, { detail: 'Not Found' }) });
	const options = { requests: { batchSize: 10, maxConcurrentRequests: 1 } };

	const { error } = await run(service, { ...profiles, options }, items);

	expect(service.log.entries).toHaveLength(1);
	expect(errorOf(error[199]).message).toMatch(
		/does not know the address \/v1\/prospects\/profiles\/bulk_enrich \(HTTP 404\): Not Found\. Check Base URL/,
	);
});

test.each([403, 404])(
	'a %i that names one person of a batch: only this person fails',
	async (code) => {
		const service = await startService();
		const items = itemsWith(service.world.prospectIds(30));
		const { id } = items[0] ?? { id: '' };
		const answer = status(code, { detail: `${id} is unknown` });
		service.fault({ when: { asksFor: id }, times: 'always', do: answer });
		const options = { requests: { batchSize: 10, maxConcurrentRequests: 1 } };

		const { main, error } = await run(service, { ...profiles, options }, items);

		expect(service.log.entries).toHaveLength(4);
		expect([main.length, error.length]).toEqual([29, 1]);
		expect(errorOf(error[0])).toMatchObject({ field: 'prospectIds', status: code });
		expect(errorOf(error[0]).message).toContain(`rejected ${id} (HTTP ${code}): ${id} is unknown.`);
	},
);

test('a 403 about permission in the middle of batches that succeed fails one batch, which is not split', async () => {
	const service = await startService();
	const items = itemsWith(service.world.prospectIds(50));
	service.fault({ when: { nth: 3 }, do: status(403, { message: 'No permission for a prospect' }) });
	const options = { requests: { batchSize: 10, maxConcurrentRequests: 1 } };

	const { main, error } = await run(service, { ...profiles, options }, items);

	expect(service.log.entries).toHaveLength(5);
	expect([main.length, error.length]).toEqual([40, 10]);
});

test.each([
	['a batch', ['Bob', 'Eva', 'Poi']],
	['one person', ['Ann']],
])(
	'a 403 whose explanation has a name inside a word is not about this person: %s',
	async (_, names) => {
		const service = await startService();
		const body = { message: 'Your plan cannot use this endpoint' };
		service.fault({ times: 'always', do: status(403, body) });
		const people: INodeParameters = {
			resource: 'prospect',
			operation: 'match',
			nameFields: 'full',
			fullName: '={{ $json.id }}',
			companyName: 'Acme',
		};

		const { error } = await run(service, people, itemsWith(names));

		expect(service.log.entries).toHaveLength(1);
		expect(error.map((item) => errorOf(item).message)).toEqual(
			names.map(() => expect.stringMatching(/^The account is not allowed to make this request/)),
		);
	},
);

test.each<[what: string, body: unknown]>([
	['nothing', ''],
	['a web page', '<h1>Not Found</h1>'],
	['the explanation of FastAPI', { detail: 'Not Found' }],
])('the first of 12 is answered at once with %s, the others succeed later', async (_, body) => {
	const service = await startService();
	const items = itemsWith(service.world.prospectIds(12));
	service.fault({ when: { nth: 1 }, do: status(404, body) });
	service.fault({ times: 3, do: { kind: 'delay', ms: 200 } });
	const options = { requests: { maxConcurrentRequests: 4 } };

	const { main, error } = await run(service, { ...emails, options }, items);

	expect(service.log.entries).toHaveLength(12);
	expect([main.length, error.length]).toEqual([11, 1]);
});
