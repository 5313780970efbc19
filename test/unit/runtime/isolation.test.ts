/** A request that the service refuses as invalid: who is to blame, what is sent again, and what the user is told. */
import type { Problem } from '../../../nodes/BusinessProspectData/api/outcome';
import { answer, ask, at, failed, invalid, problemAt, values } from './requests';

const REFUSED = 'The service refused the request (HTTP 422).';
const refusedValue = (value: string, why: string) =>
	`! The service refused ${value} (HTTP 422): ${why} Correct it and run the row again.`;

/** Refuses these values by their index in the request, all of them at once. */
const byIndex =
	(bad: string[], problem: (index: number) => Problem = (index) => at('ids', String(index))) =>
	(ids: string[]) => {
		const found = ids.flatMap((id, index) => (bad.includes(id) ? [problem(index)] : []));
		return found.length === 0 ? answer(ids) : invalid(REFUSED, ...found);
	};

/** Refuses a request with one of these values, without a word on which. */
const silently =
	(bad: string[], message: (ids: string[]) => string = () => REFUSED) =>
	(ids: string[]) =>
		ids.some((id) => bad.includes(id)) ? invalid(message(ids)) : answer(ids);

const answersBut = (count: number, bad: Record<string, string>) =>
	values(count).map(({ id }) => bad[id] ?? `answer ${id}`);

describe('the service names the index', () => {
	test.each<[string, (index: number) => Problem, string]>([
		['under the list', (index) => at('ids', String(index)), 'Not known.'],
		['under the list, without "body"', (index) => problemAt(['ids', String(index)]), 'Not known.'],
		['and a member inside', (index) => at('ids', String(index), 'email'), 'email: Not known.'],
		[
			'and a place further inside',
			(index) => at('ids', String(index), 'network', '0'),
			'network.0: Not known.',
		],
	])('%s: that value fails, the others are sent again once', async (_where, problem, why) => {
		const run = await ask(values(4), byIndex(['v2'], problem));
		expect(run.seen).toEqual(answersBut(4, { v2: refusedValue('v2', why) }));
		expect(run.asked).toEqual([
			['v0', 'v1', 'v2', 'v3'],
			['v0', 'v1', 'v3'],
		]);
	});

	test('the failure has all that the user is to see', async () => {
		const run = await ask(values(2), byIndex(['v1']));
		expect(run.outcomes[1]?.failure).toMatchObject({
			kind: 'invalid',
			status: 422,
			correlationId: 'c-422',
			field: 'prospectIds',
		});
	});

	test('several at once: two requests in all', async () => {
		const run = await ask(values(50), byIndex(['v0', 'v7', 'v49']));
		expect(run.seen).toEqual(
			answersBut(50, {
				v0: refusedValue('v0', 'Not known.'),
				v7: refusedValue('v7', 'Not known.'),
				v49: refusedValue('v49', 'Not known.'),
			}),
		);
		expect(run.asked.map(({ length }) => length)).toEqual([50, 47]);
	});

	test('one after the other: the rest is sent until nothing is refused', async () => {
		const run = await ask(values(5), (ids) => {
			const first = ids.findIndex((id) => ['v1', 'v3'].includes(id));
			return first < 0 ? answer(ids) : invalid(REFUSED, at('ids', String(first)));
		});
		expect(run.seen).toEqual(
			answersBut(5, { v1: refusedValue('v1', 'Not known.'), v3: refusedValue('v3', 'Not known.') }),
		);
		expect(run.asked).toHaveLength(3);
	});

	test('all of them: nothing is left to send', async () => {
		const run = await ask(values(3), byIndex(['v0', 'v1', 'v2']));
		expect(run.seen).toEqual(['v0', 'v1', 'v2'].map((value) => refusedValue(value, 'Not known.')));
		expect(run.asked).toHaveLength(1);
	});

	test('all that is wrong with one value is told at once', async () => {
		const run = await ask(values(2), (ids) =>
			ids.length === 2
				? invalid(
						REFUSED,
						problemAt(['body', 'ids', '0', 'email'], 'No email'),
						problemAt(['body', 'ids', '0', 'network'], 'No address'),
					)
				: answer(ids),
		);
		expect(run.seen[0]).toContain('email: No email.');
		expect(run.seen[0]).toContain('network: No address.');
		expect(run.seen[1]).toBe('answer v1');
	});

	test('its refusal reaches every item that asked for the value', async () => {
		const run = await ask([...values(3), ...values(3)], byIndex(['v1']));
		const once = answersBut(3, { v1: refusedValue('v1', 'Not known.') });
		expect(run.seen).toEqual([...once, ...once]);
	});

	test.each(['3', '50', '-1', '1.5', 'x', ''])(
		'an index that does not exist (%j) blames nobody by chance',
		async (index) => {
			const run = await ask(values(3), (ids) =>
				ids.includes('v2') ? invalid(REFUSED, at('ids', index)) : answer(ids),
			);
			expect(run.seen.slice(0, 2)).toEqual(['answer v0', 'answer v1']);
			expect(run.seen[2]).toContain(REFUSED);
		},
	);

	test('the rest fails for another reason: it is told as it is', async () => {
		const run = await ask(values(3), (ids, nth) =>
			nth === 1 ? byIndex(['v1'])(ids) : failed('forbidden', 403, 'No credits left.'),
		);
		expect(run.seen).toEqual([
			'! No credits left.',
			refusedValue('v1', 'Not known.'),
			'! No credits left.',
		]);
	});
});

describe('the service names another member of the request', () => {
	const NAMED = `${REFUSED} request_context`;

	test('all that shares it fails, and nothing more is sent', async () => {
		const asks = [
			...values(150).map((value) => ({ ...value, group: 'bad' })),
			...values(60).map((value) => ({ ...value, group: 'good' })),
		];
		const run = await ask(
			asks,
			(ids, nth) => (nth === 1 ? invalid(NAMED, at('request_context', 'campaign')) : answer(ids)),
			{ oneAtATime: true },
		);
		expect(run.seen.slice(0, 150)).toEqual(values(150).map(() => `! ${NAMED}`));
		expect(run.seen.slice(150)).toEqual(answersBut(60, {}));
		expect(run.asked.map(({ length }) => length)).toEqual([50, 50, 10]);
	});

	test('values that go alone: one request tells it for all', async () => {
		const run = await ask(values(20), () => invalid(NAMED, at('parameters')), {
			limit: 1,
			oneAtATime: true,
		});
		expect(run.seen).toEqual(values(20).map(() => `! ${NAMED}`));
		expect(run.asked).toHaveLength(1);
		expect(run.outcomes[0]?.failure?.field).not.toBe('prospectIds');
	});

	test('a value that goes alone and is refused itself takes none with it', async () => {
		const run = await ask(values(3), byIndex(['v0']), { limit: 1 });
		expect(run.seen).toEqual(answersBut(3, { v0: refusedValue('v0', 'Not known.') }));
	});
});

describe('the service names nothing', () => {
	test.each([0, 1, 24, 25, 31, 49])('one culprit among 50, at %d, is found', async (place) => {
		const bad = `v${place}`;
		const run = await ask(values(50), silently([bad]));
		expect(run.seen).toEqual(answersBut(50, { [bad]: `! ${REFUSED}` }));
		expect(run.asked.length).toBeLessThanOrEqual(13);
		const answered = run.asked.filter((ids) => !ids.includes(bad)).flat();
		expect(answered).toHaveLength(49);
	});

	test('naming only the body, or the list as a whole, is the same', async () => {
		for (const location of [['body'], ['body', 'ids'], []]) {
			const run = await ask(values(8), (ids) =>
				ids.includes('v5') ? invalid(REFUSED, problemAt(location)) : answer(ids),
			);
			expect(run.seen).toEqual(answersBut(8, { v5: `! ${REFUSED}` }));
		}
	});

	test('both halves fail alike: it stops, and says that it does not know which', async () => {
		const run = await ask(values(50), () => invalid(REFUSED));
		expect(run.asked.map(({ length }) => length)).toEqual([50, 25, 25]);
		expect(new Set(run.seen)).toEqual(
			new Set([
				`! ${REFUSED} It is about one or more of the 50 values of this request; the service does not say which.`,
			]),
		);
	});

	test('both halves fail, each in its own words: both culprits are found', async () => {
		const words = (ids: string[]) => `${REFUSED} ${ids.includes('v3') ? 'Three' : 'Forty'}.`;
		const run = await ask(values(50), silently(['v3', 'v40'], words));
		expect(run.seen).toEqual(
			answersBut(50, { v3: `! ${REFUSED} Three.`, v40: `! ${REFUSED} Forty.` }),
		);
	});

	test('halves that name an index in the same words blame that index', async () => {
		const run = await ask(values(8), (ids) => {
			if (ids.length === 8) return invalid(REFUSED);
			return byIndex(['v1', 'v5'])(ids);
		});
		expect(run.seen).toEqual(
			answersBut(8, { v1: refusedValue('v1', 'Not known.'), v5: refusedValue('v5', 'Not known.') }),
		);
	});

	test.each([
		['unauthorized', 401],
		['forbidden', 403],
		['rateLimited', 429],
		['server', 500],
	] as const)('halves that both fail as %s say so', async (kind, status) => {
		const run = await ask(values(10), (_ids, nth) =>
			nth === 1 ? invalid(REFUSED) : failed(kind, status, 'Something else.'),
		);
		expect(run.asked).toHaveLength(3);
		expect(run.seen).toEqual(values(10).map(() => '! Something else.'));
	});

	test('one value alone is to blame itself', async () => {
		const run = await ask(values(1), () => invalid(REFUSED));
		expect(run.seen).toEqual([`! ${REFUSED}`]);
		expect(run.asked).toHaveLength(1);
	});

	test('when the first failure ends the run, nothing is sent to find the culprit', async () => {
		const run = await ask(values(50), () => invalid(REFUSED), { narrows: false });
		expect(run.asked).toHaveLength(1);
		expect(run.seen[0]).toContain('one or more of the 50 values');
	});
});
