/** Whatever is bad in whatever batch: the bad ones fail, the good ones get their answer, once, in few requests. */
import fc from 'fast-check';
import { answer, ask, at, invalid } from './requests';

const REFUSED = 'The service refused the request (HTTP 422).';

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
			.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: count, maxLength: count })
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
	'by words alone': (ids: string[], bad: Set<string>) =>
		invalid(`${REFUSED} Not accepted: ${ids.filter((id) => bad.has(id)).join(' ')}.`),
};

/** Runs a case and counts how often the service answered for each value. */
async function runCase(
	{ ids, bad, limit }: Case,
	refuse: (ids: string[], bad: Set<string>) => ReturnType<typeof invalid>,
) {
	const answered = new Map<string, number>();
	const run = await ask(
		ids.map((id) => ({ id })),
		(some) => {
			if (some.some((id) => bad.has(id))) return refuse(some, bad);
			for (const id of some) answered.set(id, (answered.get(id) ?? 0) + 1);
			return answer(some);
		},
		{ limit },
	);
	return { run, answered };
}

test.each(Object.entries(refusing))(
	'values refused %s: all good ones are answered once, all bad ones fail',
	async (_how, refuse) => {
		await fc.assert(
			fc.asyncProperty(anyCase, async (given) => {
				const { ids, bad, limit } = given;
				const { run, answered } = await runCase(given, refuse);
				ids.forEach((id, place) => {
					const shown = run.seen[place];
					if (bad.has(id)) expect(shown).toMatch(/^! The service refused/);
					else expect(shown).toBe(`answer ${id}`);
				});
				const good = new Set(ids.filter((id) => !bad.has(id)));
				expect(Object.fromEntries(answered)).toEqual(
					Object.fromEntries([...good].map((id) => [id, 1])),
				);
				const unique = new Set(ids).size;
				const depth = Math.ceil(Math.log2(Math.max(2, limit)));
				expect(run.asked.length).toBeLessThanOrEqual(
					Math.ceil(unique / limit) + 2 * depth * bad.size,
				);
			}),
			{ numRuns: 150 },
		);
	},
);

test('values refused without a word: nobody is answered twice, no bad one passes, and a lone culprit is found', async () => {
	await fc.assert(
		fc.asyncProperty(anyCase, async (given) => {
			const { ids, bad, limit } = given;
			const { run, answered } = await runCase(given, () => invalid(REFUSED));
			expect([...answered.values()].filter((times) => times > 1)).toEqual([]);

			const unique = [...new Set(ids)];
			ids.forEach((id, place) => {
				const from = Math.floor(unique.indexOf(id) / limit) * limit;
				const culprits = unique.slice(from, from + limit).filter((other) => bad.has(other));
				if (bad.has(id)) expect(run.seen[place]).toContain(REFUSED);
				else if (culprits.length < 2) expect(run.seen[place]).toBe(`answer ${id}`);
				else expect([`answer ${id}`, `! ${REFUSED}`]).toContain(headOf(run.seen[place]));
			});
		}),
		{ numRuns: 150 },
	);
});

const headOf = (text = '') => text.split(' It is about')[0];
