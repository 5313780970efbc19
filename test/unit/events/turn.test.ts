/** Turns of one node that meet. */
import type { IDataObject } from 'n8n-workflow';
import type { Checkpoint, Watch } from '../../../nodes/BusinessProspectData/trigger/checkpoint';
import { fingerprintOf, unpack } from '../../../nodes/BusinessProspectData/trigger/fingerprints';
import type { IdResult } from '../../../nodes/BusinessProspectData/trigger/selection';
import { createPollRunner } from '../../../nodes/BusinessProspectData/trigger/pollRun';
import { eventOf, idsOf, NOW } from './trigger';

const [A = '', B = '', C = ''] = idsOf(3);
const watch: Watch = {
	source: 'prospect',
	ids: [A, B],
	types: ['prospect_changed_role'],
	lookbackMs: 3_600_000,
};
const NOTHING = { events: [], answered: true };

type Ask = (ids: readonly string[], from: number) => Promise<readonly IdResult[]>;

const turnOf = (state: IDataObject, ask: Ask, at = NOW, most = 100) => ({
	key: 'node',
	state,
	watch,
	most,
	now: () => at,
	ask,
});

const quiet: Ask = async (ids) => ids.map((id) => ({ id, events: [] }));
const failing: Ask = async (ids) => ids.map((id) => ({ id }));

/** A turn that is under way until `go` is called. */
function underWay(take: ReturnType<typeof createPollRunner>, state: IDataObject = {}) {
	let go = () => {};
	const waiting = new Promise<void>((resolve) => {
		go = resolve;
	});
	const asked: string[][] = [];
	const result = take(
		turnOf(state, async (ids, from) => {
			asked.push([...ids]);
			await waiting;
			return await quiet(ids, from);
		}),
	);
	return { asked, result, go: () => go() };
}

test('one that finds another running does nothing, but watching begins', async () => {
	const take = createPollRunner();
	const { asked, result, go } = underWay(take);
	const state: IDataObject = {};

	expect(await take(turnOf(state, quiet))).toEqual(NOTHING);
	expect(state.checkpoint).toMatchObject({ source: 'prospect', last: NOW });
	const kept = structuredClone(state);
	expect(await take(turnOf(state, quiet, NOW + 60_000))).toEqual(NOTHING);
	expect(state).toEqual(kept);
	go();
	await result;
	expect(asked).toEqual([[A, B]]);
});

describe('what is added', () => {
	const more = { ...watch, ids: [...watch.ids, C], types: [...watch.types, 'new'] };
	const at = NOW + 60_000;
	/** From when on what was added counts. */
	const floorsIn = ({ checkpoint }: IDataObject) => {
		const { watched, types } = checkpoint as unknown as Checkpoint;
		const floor = Object.keys(watched).find((key) =>
			unpack(watched[key] ?? '').includes(fingerprintOf(C)),
		);
		return [Number(floor), types.new];
	};
	const adding = (state: IDataObject, time = at) => ({
		...turnOf(state, quiet, time),
		watch: more,
	});

	test('while a turn is running counts from then on, and the running turn keeps it', async () => {
		const take = createPollRunner();
		const running: IDataObject = {};
		const { result, go } = underWay(take, running);
		const state: IDataObject = {};

		expect(await take(adding(state))).toEqual(NOTHING);
		expect(floorsIn(state)).toEqual([at, at]);
		go();
		await result;

		expect(floorsIn(running)).toEqual([at, at]);
		await take(adding(state, at + 60_000));
		expect(floorsIn(state)).toEqual([at, at]);
	});

	test('counts from when it was added anew, where n8n still knows it from before', async () => {
		const take = createPollRunner();
		const state: IDataObject = {};
		await take({ ...turnOf(state, quiet), watch: more });
		const saved = structuredClone(state);
		const { result, go } = underWay(take, state);

		expect(await take(adding(saved))).toEqual(NOTHING);
		go();
		await result;

		expect(floorsIn(saved)).toEqual([at, at]);
	});

	test('a moment after events were put out counts from then on', async () => {
		const take = createPollRunner();
		const state: IDataObject = {};
		await take(turnOf(state, quiet));
		const behind = structuredClone(state);
		const event = eventOf(A, 'e1', 1);
		const answering: Ask = async () => [{ id: A, events: [event] }];
		expect((await take(turnOf(state, answering, at))).events).toEqual([event]);

		expect(await take(adding(behind, at + 1_000))).toEqual(NOTHING);

		expect(floorsIn(behind)).toEqual([at + 1_000, at + 1_000]);
		await take(adding(behind, at + 60_000));
		expect(floorsIn(behind)).toEqual([at + 1_000, at + 1_000]);
	});

	test('is not asked for by a turn that began before, but by the next, which ends the sweep', async () => {
		const take = createPollRunner();
		const { asked, result, go } = underWay(take);
		const state: IDataObject = {};
		await take(adding(state));
		go();
		await result;
		const next: string[][] = [];

		await take({
			...adding(state),
			ask: async (ids, from) => {
				next.push([...ids]);
				return await quiet(ids, from);
			},
		});

		expect([asked, next]).toEqual([[[A, B]], [[C]]]);
		expect(state.checkpoint).toMatchObject({ last: NOW });
	});
});

test('one that failed lets the next one through', async () => {
	const take = createPollRunner();
	const state: IDataObject = {};

	const broken = take(turnOf(state, async () => await Promise.reject(new Error('Broken'))));
	await expect(broken).rejects.toThrow('Broken');

	expect(await take(turnOf(state, failing))).toEqual({ events: [], answered: false });
});

test('asks so many IDs from where the sweep is, and no earlier than the service keeps', async () => {
	const take = createPollRunner();
	const asked: Array<[ids: readonly string[], from: number]> = [];
	const noting: Ask = async (ids, from) => {
		asked.push([ids, from]);
		return await quiet(ids, from);
	};
	const state: IDataObject = {};

	await take(turnOf(state, noting, NOW, 1));
	const later = Date.UTC(2026, 10, 20, 12);
	await take(turnOf(state, noting, later, 1));

	expect(asked).toEqual([
		[[A], NOW],
		[[B], Date.UTC(2026, 7, 20, 12)],
	]);
});

test('one that asks again what failed counts as answered when others were in the same sweep', async () => {
	const take = createPollRunner();
	const state: IDataObject = {};

	expect(await take(turnOf(state, quiet, NOW, 1))).toEqual(NOTHING);
	expect(await take(turnOf(state, failing, NOW, 1))).toEqual({ events: [], answered: false });
	expect(await take(turnOf(state, failing, NOW, 1))).toEqual(NOTHING);
});

test('one that asks again what failed and others, and gets no answer, does not', async () => {
	const take = createPollRunner();
	const three = { ...watch, ids: idsOf(3) };
	const turn = (ask: Ask, most: number) => ({ ...turnOf(state, ask, NOW, most), watch: three });
	const state: IDataObject = {};

	await take(turn(quiet, 1));
	await take(turn(failing, 1));

	expect(await take(turn(failing, 2))).toEqual({ events: [], answered: false });
});

test('one with an answer for some counts as answered', async () => {
	const take = createPollRunner();

	const result = await take(turnOf({}, async () => [{ id: A }, { id: B, events: [] }]));

	expect(result).toEqual(NOTHING);
});

test('one that starts from the state before events were put out a moment ago does nothing', async () => {
	const take = createPollRunner();
	const state: IDataObject = {};
	await take(turnOf(state, quiet));
	const committed = structuredClone(state);
	const event = eventOf(A, 'e1', 1);
	const answering: Ask = async () => [{ id: A, events: [event] }];

	expect((await take(turnOf(state, answering, NOW + 60_000))).events).toEqual([event]);
	const behind = structuredClone(committed);
	expect(await take(turnOf(behind, answering, NOW + 61_000))).toEqual(NOTHING);
	expect(behind).toEqual(committed);
	expect((await take(turnOf(behind, answering, NOW + 75_000))).events).toEqual([event]);
});
