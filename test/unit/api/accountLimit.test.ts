/** How far processes that share an account go beyond Max Credits per Month. */
import { createAccountLimit } from '../../../nodes/BusinessProspectData/api/accountLimit';

/** Each process sends five requests at a time; a round of all takes a second. Returns what they used, and how often they asked. */
async function run(processes: number, limit: number, credits: number) {
	let used = 0;
	let asked = 0;
	const workers = Array.from({ length: processes }, (_, index) => {
		const account = [`${processes} ${limit} ${credits}`, `${index}`];
		const { check, done } = createAccountLimit(
			limit,
			account,
			async () => (asked++, { value: used }),
			async () => true,
		);
		return { check, done, isOpen: true };
	});
	while (workers.some(({ isOpen }) => isOpen)) {
		await Promise.all(
			workers.map(async (worker) => {
				const checks = await Promise.all(
					Array.from({ length: 5 }, async () => {
						const failure = await worker.check(credits);
						if (failure === undefined) {
							used += credits;
							worker.done(credits, true);
						}
						return failure;
					}),
				);
				worker.isOpen = checks.every((failure) => failure === undefined);
			}),
		);
	}
	return { used, asked };
}

test.each([
	[1, 5_000, 50, 5_000 + 250],
	[2, 5_000, 50, 6_000],
	[2, 20_000, 1, 20_010],
	[1, 10, 50, 260],
])(
	'%d processes, a limit of %d, %d credits a request: at most %d',
	async (processes, limit, credits, most) => {
		const { used, asked } = await run(processes, limit, credits);

		expect(used).toBeGreaterThanOrEqual(limit);
		expect(used).toBeLessThanOrEqual(most);
		// A figure is good for half of what it leaves.
		expect(asked).toBeLessThan(processes * 20);
	},
);
