/** Whatever is bad in whatever batch: the bad ones fail, the good ones get their respond, once, in few requests. */
import fc from 'fast-check';
import { respond, execute, at, invalid } from './requests';

const REFUSED = 'The service rejected the request (HTTP 422).';

interface Case {
	ids: string[];
	bad: Set<string>;
	limit: number;
}

const anyCase: fc.Arbitrary<Case> = fc
	.record({
		count: fc.integer({ min: 1, max: 120 }),
		limit: fc.integer({ min: 1, max: 50 }),
		share: fc.constantFrom(0.02, 0.1, 0.5, 1),
		doubles: fc.array(fc.nat(119), { maxLength: 20 }),
	})
	.chain(({ count, limit, share, doubles }) =>
		fc
			.array(fc.noBias(fc.double({ min: 0, max: 1, noNaN: true })), {
				minLength: count,
				maxLength: count,
			})
			.map((chances) => {
				const once = chances.map((_, index) => `v${index}`);
				return {
					ids: [...once, ...doubles.map((index) => `v${index % count}`)],
					bad: new Set(once.filter((_, index) => (chances[index] ?? 1) < share)),
					limit,
				};
			}),
	);

const refusing = {
	'by all their indexes at once': (ids: string[], bad: Set<string>) =>
		invalid(
			REFUSED,
			...ids.flatMap((id, index) => (bad.has(id) ? [at('ids', String(index))] : [])),
		),
	'by one index at a time': (ids: string[], bad: Set<string>) =>
		invalid(REFUSED, at('ids', String(ids.findIndex((id) => bad.has(id))))),
	'by one wrong index at a time': (ids: string[], bad: Set<string>) =>
		invalid(REFUSED, at('ids', String(ids.findIndex((id) => bad.has(id)) + 1))),
	'by words about them': (ids: string[], bad: Set<string>) =>
		invalid(`${REFUSED} Not accepted: ${ids.filter((id) => bad.has(id)).join(' ')}.`),
	'by the same words': () => invalid(REFUSED),
	'by other words each time': (ids: string[]) =>
		invalid(`${REFUSED} ${ids.join()} ${Math.random()}`),
};
const NAMING = 'by all their indexes at once';
/** How often named values are removed from a batch before it is searched. */
const REMOVALS = 3;

/** Runs a case and counts how often the service answered for each value. */
async function runCase(
	{ ids, bad, limit }: Case,
	refuse: (ids: string[], bad: Set<string>) => ReturnType<typeof invalid>,
) {
	const answered = new Map<string, number>();
	const run = await execute(
		ids.map((id) => ({ id })),
		(some) => {
			if (some.some((id) => bad.has(id))) return refuse(some, bad);
			for (const id of some) answered.set(id, (answered.get(id) ?? 0) + 1);
			return respond(some);
		},
		{ maxBatchSize: limit },
	);
	return { run, answered };
}

/** How often the service is asked at most (runtime/invalidInputs.ts), the requests counted that come before the search. */
function mostRequests(values: number, culprits: number, limit: number, searches: boolean): number {
	const batches = Math.ceil(values / limit);
	const rounds = Math.ceil(Math.log(limit) / Math.log(4) - 1e-9);
	if (!searches) return batches + culprits;
	const search = Math.min(7, culprits + 1) + 4 * culprits * rounds;
	return batches + Math.min(search, 7 + 2 * values);
}

test.each(Object.entries(refusing))(
	'values refused %s: all good ones are answered once, all bad ones fail',
	async (how, refuse) => {
		await fc.assert(
			fc.asyncProperty(anyCase, async (given) => {
				const { ids, bad, limit } = given;
				const { run, answered } = await runCase(given, refuse);
				const unique = new Set(ids);
				const batches = Math.ceil(unique.size / limit);
				// Seven culprits, each alone, look like a request that is refused whatever is in it.
				const hopeless = !how.includes('index') && answered.size === 0 && bad.size >= 7;
				if (hopeless) {
					expect(run.seen.filter((text) => !text.startsWith(`! ${REFUSED}`))).toEqual([]);
					const alone = run.requests.filter((sent) => sent.length === 1);
					expect(alone.length).toBeGreaterThanOrEqual(7);
					expect(run.requests.length).toBeLessThanOrEqual(batches + 7);
					return;
				}
				ids.forEach((id, place) => {
					const shown = run.seen[place];
					if (bad.has(id)) expect(shown).toMatch(/^! The service rejected/);
					else expect(shown).toBe(`data of ${id}`);
				});
				expect(Object.fromEntries(answered)).toEqual(
					Object.fromEntries([...unique].filter((id) => !bad.has(id)).map((id) => [id, 1])),
				);
				expect(run.requests.length).toBeLessThanOrEqual(
					mostRequests(unique.size, bad.size, limit, how !== NAMING) +
						(how.includes('at a time') ? REMOVALS * batches : 0),
				);
			}),
			{ numRuns: 150 },
		);
	},
);
