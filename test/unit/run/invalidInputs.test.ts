/** Requests that the service rejects as invalid: which values fail, which are sent again, and the messages. */
import {
	respond,
	execute,
	bodyIssue,
	failed,
	invalid,
	resultsExcept,
	values,
} from './batchService';

const REJECTED = 'The service rejected the request (HTTP 422).';

/** The failures of these values, when the service names them. */
const named = (...ids: string[]) =>
	Object.fromEntries(
		ids.map((id) => [
			id,
			`! The service rejected ${id} (HTTP 422): Not known. Correct or remove it, then run the row again.`,
		]),
	);
const indexIssue = (index: number) => bodyIssue('ids', String(index));

/** Rejects these values by their index, all at once. */
const rejectNamed = (invalidIds: string[]) => (ids: string[]) => {
	const issues = ids.flatMap((id, index) => (invalidIds.includes(id) ? [indexIssue(index)] : []));
	return issues.length === 0 ? respond(ids) : invalid(REJECTED, ...issues);
};

describe('an issue names an index', () => {
	test('fails that value, and resends the others once', async () => {
		const run = await execute(values(4), rejectNamed(['v2']));

		expect(run.results).toEqual(resultsExcept(4, named('v2')));
		expect(run.requests).toEqual([
			['v0', 'v1', 'v2', 'v3'],
			['v0', 'v1', 'v3'],
		]);
		expect(run.failures[2]).toMatchObject({
			kind: 'invalid',
			status: 422,
			correlationId: 'c-422',
			field: 'prospectIds',
		});
	});

	test('resends the others as long as it names another value', async () => {
		const run = await execute(values(5), (ids) =>
			rejectNamed([ids.find((id) => ['v1', 'v3'].includes(id)) ?? ''])(ids),
		);

		expect(run.results).toEqual(resultsExcept(5, named('v1', 'v3')));
		expect(run.batchSizes).toEqual([5, 4, 3]);
	});

	test.each([[['2']], [['1x']], [[]]])(
		'of no value of the request (%j): it is searched',
		async (at) => {
			const run = await execute(values(2), (ids) =>
				ids.includes('v1') ? invalid(REJECTED, bodyIssue('ids', ...at)) : respond(ids),
			);

			expect(run.results).toEqual(resultsExcept(2, { v1: `! ${REJECTED}` }));
		},
	);
});

test('an issue names another member: the whole group fails, and no more of its requests are sent', async () => {
	const message = `${REJECTED} parameters`;
	const group = (name: string, count: number) =>
		values(count).map((value) => ({ ...value, group: name }));

	const run = await execute(
		[...group('invalid', 150), ...group('valid', 60)],
		(ids, requestNumber) =>
			requestNumber === 1 ? invalid(message, bodyIssue('parameters', 'topics')) : respond(ids),
		{ isSequential: true },
	);

	expect(run.results).toEqual([...Array<string>(150).fill(`! ${message}`), ...resultsExcept(60)]);
	expect(run.batchSizes).toEqual([50, 50, 10]);
	expect(run.failures[0]?.field).not.toBe('prospectIds');
});

describe('no issue names a value', () => {
	describe('and every request is rejected', () => {
		const withIds = (ids: string[]) => `${REJECTED} ${ids.join()}.`;

		test.each<[string, (ids: string[]) => string]>([
			['the same message', () => REJECTED],
			['a new message each time', withIds],
		])('with %s: stops after seven single values, and says so', async (_name, messageFor) => {
			const run = await execute(values(50), (ids) => invalid(messageFor(ids)));

			expect(run.batchSizes).toEqual([50, 1, 1, 1, 1, 1, 1, 1]);
			const single = run.requests.slice(1).flat();
			expect(new Set(single).size).toBe(7);
			const all = values(50).map(({ id }) => id);
			const explanation =
				'The service rejected 50 values without saying which one is invalid. It also rejected 7 of them sent one at a time, so either another parameter is wrong or all of these values are. Check the other parameters first.';
			expect(run.results).toEqual(
				all.map((id) =>
					single.includes(id) ? `! ${messageFor([id])}` : `! ${messageFor(all)} ${explanation}`,
				),
			);
		});

		test('sends seven single values of all batches', async () => {
			const run = await execute(values(152), (ids) => invalid(withIds(ids)));

			expect(run.batchSizes.slice(4)).toEqual([1, 1, 1, 1, 1, 1, 1]);
			expect(run.results[1]).toContain('rejected 152 values');
			const batches = run.requests
				.slice(4)
				.map(([id = '']) => Math.floor(Number(id.slice(1)) / 50));
			expect(new Set(batches).size).toBeGreaterThanOrEqual(3);
		});

		test('stops after one single value that shows another member to be invalid', async () => {
			const run = await execute(values(100), (ids) =>
				ids.length > 1
					? invalid(REJECTED)
					: invalid(`${REJECTED} topics`, bodyIssue('parameters', 'topics')),
			);

			expect(run.batchSizes).toEqual([50, 50, 1]);
			expect(run.results).toEqual(Array(100).fill(`! ${REJECTED} topics`));
		});
	});

	test('fails no value if smaller requests succeed', async () => {
		const run = await execute(values(50), (ids) =>
			ids.length > 20 ? invalid(REJECTED) : respond(ids),
		);

		expect(run.results).toEqual(resultsExcept(50));
		expect(run.batchSizes).toEqual([50, 1, 13, 13, 13, 10]);
	});

	test('sends nothing more if the first failure stops the run', async () => {
		const run = await execute(values(50), () => invalid(REJECTED), { stopOnFailure: true });

		expect(run.requests).toHaveLength(1);
		expect(run.results[0]).toContain('one or more of the 50 values');
	});
});

describe.each([
	['forbidden', 403],
	['notFound', 404],
	['server', 400],
	['server', 410],
	['server', 500],
] as const)('a value that is refused as %s (%d), without saying which', (kind, status) => {
	const refuse = (invalidIds: string[]) => (ids: string[]) =>
		ids.some((id) => invalidIds.includes(id)) ? failed(kind, status, 'No.') : respond(ids);

	test('fails alone if another request succeeds', async () => {
		const run = await execute(values(60), refuse(['v7']));

		expect(run.results).toEqual(resultsExcept(60, { v7: '! No.' }));
		expect(run.requests.length).toBeLessThanOrEqual(16);
	});

	test('is not searched if no request succeeds, or the first failure stops the run', async () => {
		const run = await execute(values(60), () => failed(kind, status, 'No.'));
		const stopped = await execute(values(60), refuse(['v7']), { stopOnFailure: true });

		expect([run.batchSizes, stopped.batchSizes]).toEqual([
			[50, 10],
			[50, 10],
		]);
	});
});

test('a request is too large because of one value: only this value fails, with the same message', async () => {
	const tooLarge = failed('server', 413, 'The request was too large.');
	const send = (ids: string[]) => (ids.includes('v20') ? tooLarge : respond(ids));
	const message = `! ${tooLarge.failure.message}`;

	const run = await execute(values(50), send);
	const stopped = await execute(values(50), send, { stopOnFailure: true });

	expect(run.results).toEqual(resultsExcept(50, { v20: message }));
	expect(run.requests.length).toBeLessThanOrEqual(14);
	expect(run.failures[20]).toMatchObject({ kind: 'server', status: 413 });
	expect(stopped.requests).toHaveLength(1);
	expect(stopped.results).toEqual(Array(50).fill(message));
});
