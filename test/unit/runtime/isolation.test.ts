/** A request that the service refuses as invalid: who is to blame, what is sent again, and what the user is told. */
import type { ValidationIssue } from '../../../nodes/BusinessProspectData/core/outcome';
import { respond, execute, at, failed, invalid, issueAt, values } from './requests';

const REFUSED = 'The service rejected the request (HTTP 422).';
const refusedValue = (value: string, why: string) =>
	`! The service rejected ${value} (HTTP 422): ${why} Correct or remove it, then run the row again.`;

/** Refuses these values by their index in the request, all of them at once. */
const byIndex =
	(
		bad: string[],
		problem: (index: number) => ValidationIssue = (index) => at('ids', String(index)),
	) =>
	(ids: string[]) => {
		const found = ids.flatMap((id, index) => (bad.includes(id) ? [problem(index)] : []));
		return found.length === 0 ? respond(ids) : invalid(REFUSED, ...found);
	};

/** Refuses a request with one of these values, without a word on which. */
const silently =
	(bad: string[], message: (ids: string[]) => string = () => REFUSED) =>
	(ids: string[]) =>
		ids.some((id) => bad.includes(id)) ? invalid(message(ids)) : respond(ids);

const answersBut = (count: number, bad: Record<string, string>) =>
	values(count).map(({ id }) => bad[id] ?? `data of ${id}`);

describe('the service names the index', () => {
	test.each<[string, (index: number) => ValidationIssue, string]>([
		['under the list', (index) => at('ids', String(index)), 'Not known.'],
		['under the list, without "body"', (index) => issueAt(['ids', String(index)]), 'Not known.'],
		['and a member inside', (index) => at('ids', String(index), 'email'), 'email: Not known.'],
		[
			'and a place further inside',
			(index) => at('ids', String(index), 'network', '0'),
			'network.0: Not known.',
		],
	])('%s: that value fails, the others are sent again once', async (_where, problem, why) => {
		const run = await execute(values(4), byIndex(['v2'], problem));
		expect(run.seen).toEqual(answersBut(4, { v2: refusedValue('v2', why) }));
		expect(run.requests).toEqual([
			['v0', 'v1', 'v2', 'v3'],
			['v0', 'v1', 'v3'],
		]);
	});

	test('the failure has all that the user is to see', async () => {
		const run = await execute(values(2), byIndex(['v1']));
		expect(run.outcomes[1]?.failure).toMatchObject({
			kind: 'invalid',
			status: 422,
			correlationId: 'c-422',
			field: 'prospectIds',
		});
	});

	test('several at once: two requests in all', async () => {
		const run = await execute(values(50), byIndex(['v0', 'v7', 'v49']));
		expect(run.seen).toEqual(
			answersBut(50, {
				v0: refusedValue('v0', 'Not known.'),
				v7: refusedValue('v7', 'Not known.'),
				v49: refusedValue('v49', 'Not known.'),
			}),
		);
		expect(run.requests.map(({ length }) => length)).toEqual([50, 47]);
	});

	test('one after the other: the named values are sent once more, each alone', async () => {
		const run = await execute(values(5), (ids) => {
			const first = ids.findIndex((id) => ['v1', 'v3'].includes(id));
			return first < 0 ? respond(ids) : invalid(REFUSED, at('ids', String(first)));
		});
		expect(run.seen).toEqual(
			answersBut(5, { v1: refusedValue('v1', 'Not known.'), v3: refusedValue('v3', 'Not known.') }),
		);
		expect(run.requests.map(({ length }) => length)).toEqual([5, 4, 3, 1, 1]);
	});

	describe.each<[string, (index: number) => number]>([
		['counted from 1', (index) => index + 1],
		['that is always 0', () => 0],
		['of the value before', (index) => Math.max(index - 1, 0)],
	])('a wrong index, %s', (_, wrong) => {
		test.each([
			[[0]],
			[[1]],
			[[2]],
			[[3, 4]],
			[[7, 30]],
			[[47, 49]],
			[[0, 49]],
			[[10, 11, 12, 13]],
		])('culprits at %j: only they fail, in few requests', async (places) => {
			const bad = places.map((place) => `v${place}`);
			const all = await execute(
				values(50),
				byIndex(bad, (index) => at('ids', String(wrong(index)))),
			);
			const first = await execute(values(50), (ids) => {
				const index = ids.findIndex((id) => bad.includes(id));
				return index < 0 ? respond(ids) : invalid(REFUSED, at('ids', String(wrong(index))));
			});
			for (const run of [all, first]) {
				const failing = run.seen.flatMap((text, place) => (text.startsWith('!') ? [place] : []));
				expect(failing).toEqual(places);
				expect(run.requests.length).toBeLessThanOrEqual(places.length > 2 ? 48 : 30);
			}
		});

		test('one of two values: only it fails', async () => {
			const run = await execute(
				values(2),
				byIndex(['v0'], (index) => at('ids', String(wrong(index)))),
			);
			expect(run.seen[0]).toMatch(/^!/);
			expect(run.seen[1]).toBe('data of v1');
		});
	});

	test('all of them: nothing is left to send', async () => {
		const run = await execute(values(3), byIndex(['v0', 'v1', 'v2']));
		expect(run.seen).toEqual(['v0', 'v1', 'v2'].map((value) => refusedValue(value, 'Not known.')));
		expect(run.requests).toHaveLength(1);
	});

	test('all that is wrong with one value is told at once', async () => {
		const run = await execute(values(2), (ids) =>
			ids.length === 2
				? invalid(
						REFUSED,
						issueAt(['body', 'ids', '0', 'email'], 'No email'),
						issueAt(['body', 'ids', '0', 'network'], 'No address'),
					)
				: respond(ids),
		);
		expect(run.seen[0]).toContain('email: No email.');
		expect(run.seen[0]).toContain('network: No address.');
		expect(run.seen[1]).toBe('data of v1');
	});

	test('its refusal reaches every item that asked for the value', async () => {
		const run = await execute([...values(3), ...values(3)], byIndex(['v1']));
		const once = answersBut(3, { v1: refusedValue('v1', 'Not known.') });
		expect(run.seen).toEqual([...once, ...once]);
	});

	test.each(['3', '50', '-1', '1.5', 'x', ''])(
		'an index that does not exist (%j) blames nobody by chance',
		async (index) => {
			const run = await execute(values(3), (ids) =>
				ids.includes('v2') ? invalid(REFUSED, at('ids', index)) : respond(ids),
			);
			expect(run.seen.slice(0, 2)).toEqual(['data of v0', 'data of v1']);
			expect(run.seen[2]).toContain(REFUSED);
		},
	);

	test('the rest fails for another reason: nothing confirms the name, so all have that failure', async () => {
		const run = await execute(values(3), (ids, nth) =>
			nth === 1 ? byIndex(['v1'])(ids) : failed('forbidden', 403, 'No credits left.'),
		);
		expect(run.seen).toEqual(Array.from({ length: 3 }, () => '! No credits left.'));
	});
});

describe('the service names another member of the request', () => {
	const NAMED = `${REFUSED} request_context`;

	test('all that shares it fails, and nothing more is sent', async () => {
		const asks = [
			...values(150).map((value) => ({ ...value, group: 'bad' })),
			...values(60).map((value) => ({ ...value, group: 'good' })),
		];
		const run = await execute(
			asks,
			(ids, nth) => (nth === 1 ? invalid(NAMED, at('request_context', 'campaign')) : respond(ids)),
			{ oneAtATime: true },
		);
		expect(run.seen.slice(0, 150)).toEqual(values(150).map(() => `! ${NAMED}`));
		expect(run.seen.slice(150)).toEqual(answersBut(60, {}));
		expect(run.requests.map(({ length }) => length)).toEqual([50, 50, 10]);
	});

	test('values that go alone: one request tells it for all', async () => {
		const run = await execute(values(20), () => invalid(NAMED, at('parameters')), {
			maxBatchSize: 1,
			oneAtATime: true,
		});
		expect(run.seen).toEqual(values(20).map(() => `! ${NAMED}`));
		expect(run.requests).toHaveLength(1);
		expect(run.outcomes[0]?.failure?.field).not.toBe('prospectIds');
	});

	test('a value that goes alone and is refused itself takes none with it', async () => {
		const run = await execute(values(3), byIndex(['v0']), { maxBatchSize: 1 });
		expect(run.seen).toEqual(answersBut(3, { v0: refusedValue('v0', 'Not known.') }));
	});
});

describe('the service names nothing', () => {
	test.each([0, 1, 24, 25, 31, 49])('one culprit among 50, at %d, is found', async (place) => {
		const bad = `v${place}`;
		const run = await execute(values(50), silently([bad]));
		expect(run.seen).toEqual(answersBut(50, { [bad]: `! ${REFUSED}` }));
		expect(run.requests.length).toBeLessThanOrEqual(14);
		const answered = run.requests.filter((ids) => !ids.includes(bad)).flat();
		expect(answered).toHaveLength(49);
	});

	test('the value that is sent alone first is the culprit: the rest is sent in one request', async () => {
		const run = await execute(values(50), silently(['v0']));
		expect(run.requests.map(({ length }) => length)).toEqual([50, 1, 1, 48]);
	});

	test.each([
		[[0, 1], 24],
		[[0, 49], 24],
		[[24, 25], 24],
		[[7, 15, 23], 34],
		[[0, 8, 16, 24, 32], 50],
		[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 60],
	])('culprits among 50, at %j, are found with at most %d requests', async (places, most) => {
		const bad = places.map((place) => `v${place}`);
		const run = await execute(values(50), silently(bad));
		const failing = Object.fromEntries(bad.map((id) => [id, `! ${REFUSED}`]));
		expect(run.seen).toEqual(answersBut(50, failing));
		expect(run.requests.length).toBeLessThanOrEqual(most);
	});

	test('naming only the body, or the list as a whole, is the same', async () => {
		for (const location of [['body'], ['body', 'ids'], []]) {
			const run = await execute(values(8), (ids) =>
				ids.includes('v5') ? invalid(REFUSED, issueAt(location)) : respond(ids),
			);
			expect(run.seen).toEqual(answersBut(8, { v5: `! ${REFUSED}` }));
		}
	});

	describe('whatever is sent', () => {
		const ALL_REFUSED = ` The service rejected 50 values without saying which one is invalid. It also rejected 7 of them sent one at a time, so either another parameter is wrong or all of these values are. Check the other parameters first.`;

		test.each<[string, (ids: string[]) => string]>([
			['in the same words', () => REFUSED],
			['in other words each time', (ids) => `${REFUSED} ${ids.join()}.`],
		])('%s: it stops after seven values alone, and says so', async (_, words) => {
			const run = await execute(values(50), (ids) => invalid(words(ids)));
			expect(run.requests.map(({ length }) => length)).toEqual([50, 1, 1, 1, 1, 1, 1, 1]);
			const alone = run.requests.slice(1).flat();
			expect(new Set(alone).size).toBe(7);
			const all = values(50).map(({ id }) => id);
			expect(run.seen).toEqual(
				all.map((id) => `! ${alone.includes(id) ? words([id]) : words(all) + ALL_REFUSED}`),
			);
		});

		test('four requests at once: seven values alone for all of them', async () => {
			const run = await execute(values(200), (ids) => invalid(`${REFUSED} ${ids.join()}.`));
			expect(run.requests.map(({ length }) => length)).toEqual([
				50,
				50,
				50,
				50,
				...Array(7).fill(1),
			]);
			const batchOf = (id = '') => Math.floor(Number(id.slice(1)) / 50);
			const batches = new Set(run.requests.slice(4).map(([id]) => batchOf(id)));
			expect([...batches].sort()).toEqual([0, 1, 2, 3]);
		});

		test('seven values: each is told its own', async () => {
			const run = await execute(values(7), (ids) => invalid(`${REFUSED} ${ids.join()}.`));
			expect(run.seen).toEqual(values(7).map(({ id }) => `! ${REFUSED} ${id}.`));
			expect(run.requests).toHaveLength(8);
		});

		test('in a group of its own: another group is searched', async () => {
			const group = (name: string) => values(50).map(({ id }) => ({ id: name + id, group: name }));
			const run = await execute([...group('bad'), ...group('good')], (ids) =>
				ids.some((id) => id.startsWith('bad') || id === 'goodv3') ? invalid(REFUSED) : respond(ids),
			);
			const failed = run.seen.flatMap((text, place) => (text.startsWith('!') ? [place] : []));
			expect(failed).toEqual([...Array(50).keys(), 53]);
		});

		test('a value alone shows what is refused: nothing more is sent', async () => {
			const run = await execute(values(100), (ids) =>
				ids.length > 1
					? invalid(REFUSED)
					: invalid(`${REFUSED} topics`, at('parameters', 'topics')),
			);
			expect(run.requests.map(({ length }) => length)).toEqual([50, 50, 1]);
			expect(run.seen).toEqual(values(100).map(() => `! ${REFUSED} topics`));
		});
	});

	test('a whole request of culprits is searched when another request was answered', async () => {
		const bad = values(50).map(({ id }) => id);
		const run = await execute(values(100), silently(bad), { oneAtATime: true });
		expect(run.seen).toEqual(
			answersBut(100, Object.fromEntries(bad.map((id) => [id, `! ${REFUSED}`]))),
		);
		expect(run.requests.length).toBeLessThanOrEqual(100);
	});

	test('too many values for one request: smaller requests are answered, nobody is to blame', async () => {
		const run = await execute(values(50), (ids) =>
			ids.length > 20 ? invalid(REFUSED) : respond(ids),
		);
		expect(run.seen).toEqual(answersBut(50, {}));
		expect(run.requests.map(({ length }) => length)).toEqual([50, 1, 13, 13, 13, 10]);
	});

	test('smaller requests that name an index blame that index', async () => {
		const run = await execute(values(8), (ids) => {
			if (ids.length === 8) return invalid(REFUSED);
			return byIndex(['v1', 'v5'])(ids);
		});
		expect(run.seen).toEqual(
			answersBut(8, { v1: refusedValue('v1', 'Not known.'), v5: refusedValue('v5', 'Not known.') }),
		);
	});

	test('what is left when the service has named some is searched', async () => {
		const run = await execute(values(20), (ids) => {
			if (ids.includes('v4')) return byIndex(['v4'])(ids);
			return silently(['v9', 'v11'])(ids);
		});
		expect(run.seen).toEqual(
			answersBut(20, {
				v4: refusedValue('v4', 'Not known.'),
				v9: `! ${REFUSED}`,
				v11: `! ${REFUSED}`,
			}),
		);
	});

	test.each([
		['unauthorized', 401],
		['forbidden', 403],
		['rateLimited', 429],
		['server', 500],
		['stopped', 0],
	] as const)(
		'smaller requests that fail as %s say so, and are not made smaller',
		async (kind, status) => {
			const run = await execute(values(10), (_ids, nth) =>
				nth === 1 ? invalid(REFUSED) : failed(kind, status, 'Something else.'),
			);
			expect(run.requests.map(({ length }) => length)).toEqual([10, 1, 3, 3, 3]);
			expect(run.seen).toEqual(values(10).map(() => '! Something else.'));
		},
	);

	test('one value alone is to blame itself', async () => {
		const run = await execute(values(1), () => invalid(REFUSED));
		expect(run.seen).toEqual([`! ${REFUSED}`]);
		expect(run.requests).toHaveLength(1);
	});

	test('when the first failure ends the run, nothing is sent to find the culprit', async () => {
		const run = await execute(values(50), () => invalid(REFUSED), { stopOnFailure: true });
		expect(run.requests).toHaveLength(1);
		expect(run.seen[0]).toContain('one or more of the 50 values');
	});
});
