/** The made-up data: what README.md says of it, and what the answers select. */
import { startService } from '../../workflows/service';
import type { Sandbox } from '../sandbox';
import { ask, type Row } from './ask';

const START = Date.parse('2026-03-20T12:00:00Z');
const DAY = 86_400_000;
let time = START;
let sandbox: Sandbox;
beforeEach(async () => {
	time = START;
	const now = () => new Date(time);
	sandbox = await startService({ people: 234, companies: 40, eventsPerDay: 200, now });
});

const isEmpty = ({ data }: Row) =>
	Object.entries(data ?? {}).every(([name, value]) => name === 'business_id' || value === null);

test('rows are in the order of the ids, with nulls where there is nothing', async () => {
	const { world } = sandbox;
	const ids = [14, 13, 12].map(world.prospectId).concat('f'.repeat(40));
	const { rows } = await ask(sandbox, 'profileBulk', { prospect_ids: ids });
	expect(rows.map((row) => [row.prospect_id, isEmpty(row)])).toEqual(
		ids.map((id, at) => [id, at % 2 === 1]),
	);
	const posts = await ask(sandbox, 'postsBulk', { prospect_ids: [4, 0].map(world.prospectId) });
	expect(posts.rows.map(isEmpty)).toEqual([false, false, false, false, true]);
	const missed = await ask(sandbox, 'contactsBulk', { prospect_ids: ids.slice(3) });
	expect(missed.body).toMatchObject({ response_context: { request_status: 'miss' } });
});

test('events surface late or ahead of their date, stay, and leave with the window of three months', async () => {
	const { world } = sandbox;
	const seen = () =>
		(['prospect', 'business'] as const).flatMap((kind) => world.surfacedEvents({ kind }));
	const before = new Set(seen().map(({ event_id }) => event_id));
	const planted = world.addEvent({ prospect: 2, surfacesAt: new Date(START + DAY) });
	expect(seen()).not.toContain(planted);
	time += DAY;
	const fresh = seen().filter(({ event_id }) => !before.has(event_id));
	expect(fresh).toContain(planted);
	expect(new Date(planted.time).toISOString()).toBe('2026-03-01T00:00:00.000Z');

	/** How late the events of a type were seen after their date, in days, and whether all are dated by the month. */
	const timing = (type: RegExp) => {
		const own = fresh.filter(({ event_name }) => type.test(event_name));
		expect(own.length).toBeGreaterThan(10);
		const late = own.map((event) => (event.surfacesAt - event.time) / DAY);
		const byMonth = own.every((event) => new Date(event.time).getUTCDate() === 1);
		expect(own.every((event) => event.time % DAY === 0)).toBe(true);
		return { from: Math.min(...late), to: Math.max(...late), byMonth };
	};
	const [moves, anniversaries, news] = [timing(/changed/), timing(/anniv/), timing(/^new|^ipo/)];
	expect(moves.byMonth && moves.from >= 3 && moves.to > 20 && moves.to < 76).toBe(true);
	expect(anniversaries.from < -7 && anniversaries.from >= -14 && anniversaries.to <= 0).toBe(true);
	expect(!news.byMonth && news.from >= 0 && news.to > 5 && news.to < 11).toBe(true);

	time = Date.parse('2026-06-01T00:00:01Z');
	expect(seen()).not.toContain(planted);
});

test('events are of the ids, the types and the time asked for, the first moment exclusive', async () => {
	const { world } = sandbox;
	const plant = (offset: number, event_name = 'new_deal', business = 1) =>
		world.addEvent({ business, event_name, time: new Date(START - DAY + offset) }).event_id;
	const [first, second, third] = [plant(0), plant(1), plant(2)];
	const [other, elsewhere] = [plant(1, 'new_mascot'), plant(1, 'new_deal', 2)];
	const find = async (change: object) => {
		const body = { event_types: ['new_deal'], business_ids: [world.businessId(1)], ...change };
		const { rows } = await ask(sandbox, 'businessEvents', body);
		return rows.map(({ event_id }) => event_id);
	};
	expect(await find({})).toEqual([third, second, first]);
	expect(await find({ timestamp_from: '2026-03-19T14:00:00.000+02:00' })).toEqual([third, second]);
	expect(await find({ timestamp_to: '2026-03-19T12:00:00.001' })).toEqual([second, first]);
	expect(await find({ timestamp_to: '2026-03-19' })).toEqual([]);
	expect(await find({ event_types: ['new_mascot'] })).toEqual([other]);
	expect(await find({ business_ids: [world.businessId(2)] })).toEqual([elsewhere]);
});
