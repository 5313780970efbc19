/** Turns of one node that meet. */
import type { IDataObject } from 'n8n-workflow';
import type { Watch } from '../../../nodes/BusinessProspectData/events/checkpoint';
import type { Answer } from '../../../nodes/BusinessProspectData/events/selection';
import { createTurns } from '../../../nodes/BusinessProspectData/events/turn';
import { eventOf, idsOf, NOW } from './trigger';

const [A = '', B = ''] = idsOf(2);
const watch: Watch = {
	source: 'prospect',
	ids: [A, B],
	types: ['prospect_changed_role'],
	lookBack: 3_600_000,
};
const NOTHING = { events: [], answered: true };

type Ask = (ids: readonly string[], from: number) => Promise<readonly Answer[]>;

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

test('one that finds another running does nothing, but watching begins', async () => {
	const take = createTurns();
	const state: IDataObject = {};
	let go = () => {};
	const waiting = new Promise<void>((resolve) => {
		go = resolve;
	});
	const asked: string[][] = [];
	const first = take(
		turnOf({}, async (ids) => {
			asked.push([...ids]);
			await waiting;
			return [];
		}),
	);

	expect(await take(turnOf(state, quiet))).toEqual(NOTHING);
	expect(state.checkpoint).toMatchObject({ source: 'prospect', last: NOW });
	const kept = { checkpoint: { mark: true } };
	expect(await take(turnOf(kept, quiet))).toEqual(NOTHING);
	expect(kept).toEqual({ checkpoint: { mark: true } });
	go();
	await first;
	expect(asked).toEqual([[A, B]]);
});

test('one that failed lets the next one through', async () => {
	const take = createTurns();
	const state: IDataObject = {};

	const broken = take(turnOf(state, async () => await Promise.reject(new Error('Broken'))));
	await expect(broken).rejects.toThrow('Broken');

	expect(await take(turnOf(state, failing))).toEqual({ events: [], answered: false });
});

test('asks so many IDs from where the sweep is, and no earlier than the service keeps', async () => {
	const take = createTurns();
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
	const take = createTurns();
	const state: IDataObject = {};

	expect(await take(turnOf(state, quiet, NOW, 1))).toEqual(NOTHING);
	expect(await take(turnOf(state, failing, NOW, 1))).toEqual({ events: [], answered: false });
	expect(await take(turnOf(state, failing, NOW, 1))).toEqual(NOTHING);
});

test('one that asks again what failed and others, and gets no answer, does not', async () => {
	const take = createTurns();
	const three = { ...watch, ids: idsOf(3) };
	const turn = (ask: Ask, most: number) => ({ ...turnOf(state, ask, NOW, most), watch: three });
	const state: IDataObject = {};

	await take(turn(quiet, 1));
	await take(turn(failing, 1));

	expect(await take(turn(failing, 2))).toEqual({ events: [], answered: false });
});

test('one with an answer for some counts as answered', async () => {
	const take = createTurns();

	const result = await take(turnOf({}, async () => [{ id: A }, { id: B, events: [] }]));

	expect(result).toEqual(NOTHING);
});

test('one that starts from the state before events were put out a moment ago does nothing', async () => {
	const take = createTurns();
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
