/** Requests that the service rejects as invalid: which values fail, which are sent again, and the messages. */
import type { ValidationIssue } from '../../../nodes/BusinessProspectData/core/outcome';
import { findNamedInputs } from '../../../nodes/BusinessProspectData/run/invalidInputs';
import {
	respond,
	execute,
	bodyIssue,
	failed,
	invalid,
	issueAt,
	resultsExcept,
	values,
} from './batchService';

const REJECTED = 'The service rejected the request (HTTP 422).';
const rejectedValue = (value: string) =>
	`! The service rejected ${value} (HTTP 422): Not known. Correct or remove it, then run the row again.`;

/** The failures of these values, when the service names them. */
const namedFailures = (...ids: string[]) =>
	Object.fromEntries(ids.map((id) => [id, rejectedValue(id)]));
/** The same, when it doesn't. */
const unnamedFailures = (ids: string[]) =>
	Object.fromEntries(ids.map((id) => [id, `! ${REJECTED}`]));

const indexIssue = (index: number) => bodyIssue('ids', String(index));

/** Rejects these values by their index, all at once. */
const rejectNamed = (invalidIds: string[]) => (ids: string[]) => {
	const issues = ids.flatMap((id, index) => (invalidIds.includes(id) ? [indexIssue(index)] : []));
	return issues.length === 0 ? respond(ids) : invalid(REJECTED, ...issues);
};

/** Rejects the first of these values by its index. */
const rejectFirst = (invalidIds: string[]) => (ids: string[]) => {
	const index = ids.findIndex((id) => invalidIds.includes(id));
	return index < 0 ? respond(ids) : invalid(REJECTED, indexIssue(index));
};

/** Rejects requests with one of these values without naming it. */
const rejectUnnamed =
	(invalidIds: string[], ...issues: ValidationIssue[]) =>
	(ids: string[]) =>
		ids.some((id) => invalidIds.includes(id)) ? invalid(REJECTED, ...issues) : respond(ids);

const failedPlaces = ({ results }: { results: string[] }) =>
	results.flatMap((result, place) => (result.startsWith('!') ? [place] : []));

describe('an issue names an index', () => {
	test('fails that value, and resends the others once', async () => {
		const run = await execute(values(4), rejectNamed(['v2']));

		expect(run.results).toEqual(resultsExcept(4, namedFailures('v2')));
		expect(run.requests).toEqual([
			['v0', 'v1', 'v2', 'v3'],
			['v0', 'v1', 'v3'],
		]);
		expect(run.outcomes[2]?.failure).toMatchObject({
			kind: 'invalid',
			status: 422,
			correlationId: 'c-422',
			field: 'prospectIds',
		});
	});

	test.each<[string, number, string[], number[]]>([
		['several values in two requests', 50, ['v0', 'v7', 'v49'], [50, 47]],
		['all values in one request', 3, ['v0', 'v1', 'v2'], [3]],
	])('fails %s', async (_name, count, ids, batchSizes) => {
		const run = await execute(values(count), rejectNamed(ids));

		expect(run.results).toEqual(resultsExcept(count, namedFailures(...ids)));
		expect(run.batchSizes).toEqual(batchSizes);
	});

	test('resends values that are named one after the other, each alone', async () => {
		const run = await execute(values(5), rejectFirst(['v1', 'v3']));

		expect(run.results).toEqual(resultsExcept(5, namedFailures('v1', 'v3')));
		expect(run.batchSizes).toEqual([5, 4, 3, 1, 1]);
	});

	test('reports all issues of a value', async () => {
		const issues = [
			issueAt(['body', 'ids', '0', 'email'], 'No email'),
			issueAt(['body', 'ids', '0', 'network'], 'No address'),
		];
		const run = await execute(values(2), rejectUnnamed(['v0'], ...issues));

		expect(run.results[0]).toContain('email: No email. network: No address.');
		expect(run.results[1]).toBe('data of v1');
	});

	test('fails all values with the other failure if the rest fails', async () => {
		const run = await execute(values(3), (ids, requestNumber) =>
			requestNumber === 1 ? rejectNamed(['v1'])(ids) : failed('forbidden', 403, 'No credits left.'),
		);

		expect(run.results).toEqual(Array(3).fill('! No credits left.'));
	});
});

describe('an issue names another member', () => {
	const MESSAGE = `${REJECTED} request_context`;

	test('fails the whole group, and sends no more of its requests', async () => {
		const inputs = [
			...values(150).map((value) => ({ ...value, group: 'invalid' })),
			...values(60).map((value) => ({ ...value, group: 'valid' })),
		];
		const run = await execute(
			inputs,
			(ids, requestNumber) =>
				requestNumber === 1
					? invalid(MESSAGE, bodyIssue('request_context', 'campaign'))
					: respond(ids),
			{ isSequential: true },
		);

		expect(run.results).toEqual([...Array<string>(150).fill(`! ${MESSAGE}`), ...resultsExcept(60)]);
		expect(run.batchSizes).toEqual([50, 50, 10]);
	});

	test('fails all single values after one request', async () => {
		const run = await execute(values(20), () => invalid(MESSAGE, bodyIssue('parameters')), {
			maxBatchSize: 1,
			isSequential: true,
		});

		expect(run.results).toEqual(Array(20).fill(`! ${MESSAGE}`));
		expect(run.requests).toHaveLength(1);
		expect(run.outcomes[0]?.failure?.field).not.toBe('prospectIds');
	});
});

describe('no issue names a value', () => {
	test('sends the rest in one request if the first value is the invalid one', async () => {
		const run = await execute(values(50), rejectUnnamed(['v0']));

		expect(run.batchSizes).toEqual([50, 1, 1, 48]);
	});

	describe('and every request is rejected', () => {
		const explanation = (count: number) =>
			` The service rejected ${count} values without saying which one is invalid. It also rejected 7 of them sent one at a time, so either another parameter is wrong or all of these values are. Check the other parameters first.`;
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
			expect(run.results).toEqual(
				all.map((id) =>
					single.includes(id) ? `! ${messageFor([id])}` : `! ${messageFor(all)}${explanation(50)}`,
				),
			);
		});

		test('sends seven single values for four batches', async () => {
			const run = await execute(values(200), (ids) => invalid(withIds(ids)));

			expect(run.batchSizes).toEqual([50, 50, 50, 50, 1, 1, 1, 1, 1, 1, 1]);
			const batchOf = (id = '') => Math.floor(Number(id.slice(1)) / 50);
			const batches = new Set(run.requests.slice(4).map(([id]) => batchOf(id)));
			expect([...batches].sort()).toEqual([0, 1, 2, 3]);
		});

		test('counts the values of all batches, because the single values are from any of them', async () => {
			const run = await execute(values(52), () => invalid(REJECTED));

			expect(run.batchSizes).toEqual([50, 2, 1, 1, 1, 1, 1, 1, 1]);
			const single = run.requests.slice(2).flat();
			expect(run.results).toEqual(
				values(52).map(({ id }) => `! ${REJECTED}${single.includes(id) ? '' : explanation(52)}`),
			);
		});

		test('gives each of seven values its own message', async () => {
			const run = await execute(values(7), (ids) => invalid(withIds(ids)));

			expect(run.results).toEqual(values(7).map(({ id }) => `! ${withIds([id])}`));
			expect(run.requests).toHaveLength(8);
		});

		test('still searches another group', async () => {
			const group = (name: string) => values(50).map(({ id }) => ({ id: name + id, group: name }));
			const run = await execute([...group('bad'), ...group('good')], (ids) =>
				ids.some((id) => id.startsWith('bad') || id === 'goodv3')
					? invalid(REJECTED)
					: respond(ids),
			);

			expect(failedPlaces(run)).toEqual([...Array(50).keys(), 53]);
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

	test('searches a batch of invalid values if another batch succeeded', async () => {
		const ids = values(50).map(({ id }) => id);
		const run = await execute(values(100), rejectUnnamed(ids), { isSequential: true });

		expect(run.results).toEqual(resultsExcept(100, unnamedFailures(ids)));
		expect(run.requests.length).toBeLessThanOrEqual(100);
	});

	test('fails no value if smaller requests succeed', async () => {
		const run = await execute(values(50), (ids) =>
			ids.length > 20 ? invalid(REJECTED) : respond(ids),
		);

		expect(run.results).toEqual(resultsExcept(50));
		expect(run.batchSizes).toEqual([50, 1, 13, 13, 13, 10]);
	});

	test('fails the values that smaller requests name', async () => {
		const run = await execute(values(8), (ids) =>
			ids.length === 8 ? invalid(REJECTED) : rejectNamed(['v1', 'v5'])(ids),
		);

		expect(run.results).toEqual(resultsExcept(8, namedFailures('v1', 'v5')));
	});

	test('searches the rest after the service has named a value', async () => {
		const run = await execute(values(20), (ids) =>
			ids.includes('v4') ? rejectNamed(['v4'])(ids) : rejectUnnamed(['v9', 'v11'])(ids),
		);

		expect(run.results).toEqual(
			resultsExcept(20, { ...namedFailures('v4'), ...unnamedFailures(['v9', 'v11']) }),
		);
	});

	test.each([
		['unauthorized', 401],
		['forbidden', 403],
		['rateLimited', 429],
		['server', 500],
		['stopped', 0],
	] as const)('does not split smaller requests that fail as %s', async (kind, status) => {
		const run = await execute(values(10), (_ids, requestNumber) =>
			requestNumber === 1 ? invalid(REJECTED) : failed(kind, status, 'Something else.'),
		);

		expect(run.batchSizes).toEqual([10, 1, 3, 3, 3]);
		expect(run.results).toEqual(Array(10).fill('! Something else.'));
	});

	test('fails a single value after one request', async () => {
		const run = await execute(values(1), () => invalid(REJECTED));

		expect(run.results).toEqual([`! ${REJECTED}`]);
		expect(run.requests).toHaveLength(1);
	});

	test('sends nothing more if the first failure stops the run', async () => {
		const run = await execute(values(50), () => invalid(REJECTED), { stopOnFailure: true });

		expect(run.requests).toHaveLength(1);
		expect(run.results[0]).toContain('one or more of the 50 values');
	});
});

describe('a request is too large', () => {
	const MESSAGE = 'The request was too large.';
	const tooLarge = failed('server', 413, MESSAGE);

	test('because of one value: only this value fails, with the same message', async () => {
		const run = await execute(values(50), (ids) => (ids.includes('v20') ? tooLarge : respond(ids)));

		expect(run.results).toEqual(resultsExcept(50, { v20: `! ${MESSAGE}` }));
		expect(run.requests.length).toBeLessThanOrEqual(14);
		expect(run.outcomes[20]?.failure).toMatchObject({ kind: 'server', status: 413 });
	});

	test('and the first failure stops the run: nothing more is sent', async () => {
		const run = await execute(values(50), () => tooLarge, { stopOnFailure: true });

		expect(run.requests).toHaveLength(1);
		expect(run.results).toEqual(Array(50).fill(`! ${MESSAGE}`));
	});
});

describe('findNamedInputs', () => {
	const find = (keys: readonly string[], field: string | undefined, location: string[]) => {
		const issues = [issueAt(location, 'bad')];
		const { failure } = invalid('Rejected.', ...issues);
		const named = findNamedInputs(failure, 'ids', keys, field);
		return named === 'request'
			? named
			: [...named].map(([index, { failure: own }]) => [index, own.message, own.field]);
	};

	test.each<[name: string, keys: string[], field: string | undefined]>([
		['v1', ['v0', 'v1'], 'ids'],
		['this value', ['v0', 'v1'], undefined],
		['this value', ['', ''], 'ids'],
	])('calls the input "%s" with the keys %j and the field %s', (name, keys, field) => {
		expect(find(keys, field, ['body', 'ids', '1'])).toEqual([
			[
				1,
				`The service rejected ${name} (HTTP 422): bad. Correct or remove it, then run the row again.`,
				field,
			],
		]);
	});

	test.each<[location: string[], named: string | never[]]>([
		[['body', 'mode'], 'request'],
		[['body', 'ids'], []],
		[['body', 'ids', '2'], []],
		[['body', 'ids', '1x'], []],
		[['body'], []],
	])('an issue at %j names %j', (location, named) => {
		expect(find(['v0', 'v1'], 'ids', location)).toEqual(named);
	});
});
