/** Any invalid values in any batches: they fail, and each other value has one response, in few requests. */
import fc from 'fast-check';
import { bySize } from '../../size';
import { respond, execute, bodyIssue, invalid } from './batchService';

const REJECTED = 'The service rejected the request (HTTP 422).';

const anyNumber = fc.nat(99);
const anyCase = fc.record({
	numbers: fc.array(anyNumber, { minLength: 1, maxLength: 120 }),
	invalidNumbers: fc.oneof(
		fc.uniqueArray(anyNumber, { maxLength: 3 }),
		fc.uniqueArray(anyNumber, { minLength: 40 }),
		fc.constant(Array.from({ length: 100 }, (_, number) => number)),
	),
	maxBatchSize: fc.integer({ min: 1, max: 50 }),
});

type Reject = (ids: string[], isInvalid: (id: string) => boolean) => ReturnType<typeof invalid>;

const indexIssue = (index: number) => bodyIssue('ids', String(index));
const REJECTIONS: Record<string, Reject> = {
	'all indexes at once': (ids, isInvalid) =>
		invalid(REJECTED, ...ids.flatMap((id, index) => (isInvalid(id) ? [indexIssue(index)] : []))),
	'one index at a time': (ids, isInvalid) =>
		invalid(REJECTED, indexIssue(ids.findIndex(isInvalid))),
	'a message with the values': (ids, isInvalid) =>
		invalid(`${REJECTED} Not accepted: ${ids.filter(isInvalid).join(' ')}.`),
	'the same message': () => invalid(REJECTED),
	'a new message each time': (ids) => invalid(`${REJECTED} ${ids.join()} ${Math.random()}`),
};

/** Upper bound from run/invalidInputs.ts, with the requests before the search. */
function maxRequests(count: number, invalidCount: number, size: number, searches: boolean): number {
	const batches = Math.ceil(count / size);
	const rounds = Math.ceil(Math.log(size) / Math.log(4) - 1e-9);
	if (!searches) return batches + invalidCount;
	const search = Math.min(7, invalidCount + 1) + 4 * invalidCount * rounds;
	return batches + Math.min(search, 7 + 2 * count);
}

test.each(Object.entries(REJECTIONS))(
	'fails only the invalid values that are rejected with %s',
	async (how, reject) => {
		await fc.assert(
			fc.asyncProperty(anyCase, async ({ numbers, invalidNumbers, maxBatchSize }) => {
				const ids = numbers.map((number) => `v${number}`);
				const invalidIds = new Set(
					invalidNumbers.map((number) => `v${number}`).filter((id) => ids.includes(id)),
				);
				const responses = new Map<string, number>();
				const isInvalid = (id: string) => invalidIds.has(id);
				const run = await execute(
					ids.map((id) => ({ id })),
					(sent) => {
						if (sent.some(isInvalid)) return reject(sent, isInvalid);
						for (const id of sent) responses.set(id, (responses.get(id) ?? 0) + 1);
						return respond(sent);
					},
					{ maxBatchSize },
				);
				const unique = new Set(ids);
				const batches = Math.ceil(unique.size / maxBatchSize);
				// Seven invalid single values look like a request that is rejected whatever it contains.
				const looksHopeless =
					!how.includes('index') && responses.size === 0 && invalidIds.size >= 7;
				if (looksHopeless) {
					expect(run.results.filter((text) => !text.startsWith(`! ${REJECTED}`))).toEqual([]);
					expect(run.batchSizes.filter((size) => size === 1).length).toBeGreaterThanOrEqual(7);
					expect(run.requests.length).toBeLessThanOrEqual(batches + 7);
					return;
				}
				// So do seven that are rejected with the same words, even after a success.
				if (run.results.some((text) => text.includes('sent one at a time'))) {
					expect(how).toBe('the same message');
					expect(invalidIds.size).toBeGreaterThanOrEqual(7);
					expect(run.requests.length).toBeLessThanOrEqual(batches + 7);
					ids.forEach((id, index) => {
						const result = run.results[index] ?? '';
						if (responses.has(id)) expect(result).toBe(`data of ${id}`);
						else expect(result).toMatch(/^! The service rejected/);
					});
					expect([...responses].filter(([id, count]) => isInvalid(id) || count > 1)).toEqual([]);
					return;
				}
				ids.forEach((id, index) => {
					expect(run.results[index]).toMatch(
						isInvalid(id) ? /^! The service rejected/ : RegExp(`^data of ${id}$`),
					);
				});
				expect(Object.fromEntries(responses)).toEqual(
					Object.fromEntries([...unique].filter((id) => !isInvalid(id)).map((id) => [id, 1])),
				);
				expect(run.requests.length).toBeLessThanOrEqual(
					maxRequests(unique.size, invalidIds.size, maxBatchSize, !how.includes('index')),
				);
			}),
			{ numRuns: bySize(30, 150) },
		);
	},
);
