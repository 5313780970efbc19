import { startSandbox, type SandboxOptions } from '../sandbox';
import { ask, rowsOf, type Answer } from './ask';

const DAY = 86_400_000;
const START = Date.parse('2026-03-20T12:00:00Z');

/** A sandbox whose clock stands still until it is moved. */
async function withClock(options: SandboxOptions = {}) {
	const clock = { time: START };
	const sandbox = await startSandbox({
		rateLimit: null,
		people: 30,
		companies: 10,
		now: () => new Date(clock.time),
		...options,
	});
	return { sandbox, clock };
}

const ids = (answer: Answer) => rowsOf(answer, 'output_events').map(({ event_id }) => event_id);
test('the clock is in the header Date of every answer', async () => {
	const { sandbox, clock } = await withClock();
	const dates: unknown[] = [];
	for (const fault of [undefined, { kind: 'drip', pieces: 2, everyMs: 1 } as const]) {
		clock.time += DAY;
		if (fault !== undefined) sandbox.fault({ do: fault });
		dates.push((await ask(sandbox, 'autocomplete')).headers.get('date'));
	}
	await sandbox.close();
	expect(dates).toEqual(['Sat, 21 Mar 2026 12:00:00 GMT', 'Sun, 22 Mar 2026 12:00:00 GMT']);
});

const TYPES = {
	event_types: [
		'prospect_changed_role',
		'prospect_changed_company',
		'prospect_job_start_anniversary',
	],
};

describe('events', () => {
	test('keep happening, and each stays once it can be seen', async () => {
		const { sandbox, clock } = await withClock({ eventsPerDay: 100 });
		const body = { ...TYPES, prospect_ids: sandbox.world.prospectIds(30) };
		const before = ids(await ask(sandbox, 'prospectEvents', body));
		clock.time += 2 * 3_600_000;
		const after = ids(await ask(sandbox, 'prospectEvents', body));
		await sandbox.close();
		expect(new Set(after).size).toBe(after.length);
		const left = before.filter((id) => !after.includes(id));
		expect(left.length).toBeLessThan(before.length / 100);
		const fresh = after.filter((id) => !before.includes(id));
		expect(fresh.length).toBeGreaterThan(0);
		expect(fresh.length).toBeLessThan(50);
	});

	test('surface late: some of those seen first now are older than a day', async () => {
		const { sandbox, clock } = await withClock({ eventsPerDay: 200 });
		const seen = () => sandbox.world.surfacedEvents({ kind: 'prospect' });
		const before = new Set(seen().map(({ event_id }) => event_id));
		clock.time += DAY;
		const late = seen().filter(
			({ event_id, time }) => !before.has(event_id) && time <= START - DAY,
		);
		const events = seen();
		await sandbox.close();
		expect(late.length).toBeGreaterThan(0);
		expect(events.every(({ time, surfacesAt }) => surfacesAt > time)).toBe(true);
		expect(events.every(({ time, surfacesAt }) => surfacesAt - time <= 2 * DAY)).toBe(true);
	});

	test('the endpoint gives what the world lists', async () => {
		const { sandbox } = await withClock();
		const body = { ...TYPES, prospect_ids: sandbox.world.prospectIds(30) };
		const answer = await ask(sandbox, 'prospectEvents', body);
		const all = sandbox.world.surfacedEvents({ kind: 'prospect' });
		await sandbox.close();
		expect(ids(answer)).toEqual(all.map(({ event_id }) => event_id));
		const oldest = Math.min(...all.map(({ time }) => time));
		expect(oldest).toBeGreaterThanOrEqual(Date.parse('2025-12-20T12:00:00Z'));
		expect(oldest).toBeLessThan(Date.parse('2025-12-25T12:00:00Z'));
	});

	test('types, ids and both ends of the time are honoured, the first one exclusive', async () => {
		const { sandbox } = await withClock({ eventsPerDay: 0 });
		const { world } = sandbox;
		const at = (offset: number) => new Date(START - DAY + offset);
		const plant = (offset: number, event_name = 'new_investment', business = 1) =>
			world.addEvent({ business, event_name, time: at(offset) }).event_id;
		const [first, second, third] = [plant(0), plant(1), plant(2)];
		const other = plant(1, 'new_mascot');
		const elsewhere = plant(1, 'new_investment', 2);
		const find = async (change: object) => {
			const body = {
				event_types: ['new_investment'],
				business_ids: [world.businessId(1)],
				...change,
			};
			return ids(await ask(sandbox, 'businessEvents', body)).sort();
		};
		expect(await find({})).toEqual([first, second, third].sort());
		expect(await find({ timestamp_from: at(0).toISOString() })).toEqual([second, third].sort());
		expect(await find({ timestamp_to: at(1).toISOString() })).toEqual([first, second].sort());
		expect(await find({ timestamp_from: '2026-03-19T14:00:00.000+02:00' })).toHaveLength(2);
		expect(await find({ timestamp_to: '2026-03-19' })).toEqual([]);
		expect(await find({ event_types: ['new_mascot'] })).toEqual([other]);
		expect(await find({ business_ids: [world.businessId(2)] })).toEqual([elsewhere]);
		await sandbox.close();
	});

	test('an event of the very moment of timestamp_from is left out, one of timestamp_to is not', async () => {
		const { sandbox } = await withClock();
		const [event] = sandbox.world.surfacedEvents({ kind: 'prospect' }).slice(3);
		const moment = new Date(event?.time ?? 0).toISOString();
		const body = { ...TYPES, prospect_ids: [event?.entityId] };
		const after = await ask(sandbox, 'prospectEvents', { ...body, timestamp_from: moment });
		const upTo = await ask(sandbox, 'prospectEvents', { ...body, timestamp_to: moment });
		await sandbox.close();
		expect(ids(after)).not.toContain(event?.event_id);
		expect(ids(upTo)).toContain(event?.event_id);
	});

	test('a planted event waits for its moment and leaves with the window', async () => {
		const { sandbox, clock } = await withClock({ eventsPerDay: 0 });
		const { world } = sandbox;
		const body = { ...TYPES, prospect_ids: [world.prospectId(2)] };
		world.addEvent({ prospect: world.prospectId(2), surfacesAt: new Date(START + 1000) });
		const seen = async () => {
			const answer = await ask(sandbox, 'prospectEvents', body);
			return [answer.body.total_results, rowsOf(answer, 'output_events').length];
		};
		expect(await seen()).toEqual([0, 0]);
		clock.time += 1000;
		expect(await seen()).toEqual([1, 1]);
		clock.time = Date.parse('2026-06-20T12:00:01Z');
		expect(await seen()).toEqual([0, 0]);
		await sandbox.close();
	});

	test('a job change names both companies', async () => {
		const { sandbox } = await withClock({ eventsPerDay: 0 });
		const { world } = sandbox;
		world.addEvent({ prospect: 4, data: { current_job_title: 'Owner' } });
		const body = { ...TYPES, prospect_ids: [world.prospectId(4)] };
		const [event] = rowsOf(await ask(sandbox, 'prospectEvents', body), 'output_events');
		await sandbox.close();
		expect(Object.keys(event?.data ?? {})).toEqual([
			'event_name',
			'current_company_name',
			'current_company_id',
			'current_job_title',
			'previous_company_name',
			'previous_company_id',
			'previous_job_title',
		]);
		expect(event?.data?.current_job_title).toBe('Owner');
		expect(event?.data?.current_company_id).not.toBe(event?.data?.previous_company_id);
		expect(event?.event_time).toBe('2026-03-20T12:00:00.000+00:00');
	});
});

interface Point {
	timestamp: string;
	hour: string;
	date: string;
	credits: number;
}

describe('credits', () => {
	const credits = async (change: object) => {
		const { sandbox } = await withClock();
		const { body } = await ask(sandbox, 'credits', {
			from_date: '2025-03-29T00:00:00Z',
			to_date: '2025-03-31T00:00:00Z',
			mode: 'timely',
			resolution: 'hour',
			...change,
		});
		await sandbox.close();
		return { body, total: body.total_credits, points: body.aggregations as Point[] };
	};

	test('points are the buckets of the time zone, and add up', async () => {
		const { points, total } = await credits({ resolution: 'day', timezone: 'Asia/Kolkata' });
		expect(points.map(({ date, timestamp }) => [date, timestamp])).toEqual([
			['2025-03-29', '2025-03-29T00:00:00+05:30'],
			['2025-03-30', '2025-03-30T00:00:00+05:30'],
			['2025-03-31', '2025-03-31T00:00:00+05:30'],
		]);
		expect(points.reduce((sum, point) => sum + point.credits, 0)).toBe(total);
	});

	test('a clock change makes a day of 23 hours, and one of 25', async () => {
		const spring = await credits({
			timezone: 'Europe/Paris',
			from_date: '2025-03-30T00:00:00+01:00',
			to_date: '2025-03-31T00:00:00+02:00',
		});
		expect(spring.points).toHaveLength(23);
		expect(spring.points.slice(1, 3).map(({ hour }) => hour)).toEqual(['01:00', '03:00']);
		const autumn = await credits({
			timezone: 'Europe/Paris',
			from_date: '2025-10-26T00:00:00+02:00',
			to_date: '2025-10-27T00:00:00+01:00',
		});
		expect(autumn.points).toHaveLength(25);
		expect(new Set(autumn.points.map(({ timestamp }) => timestamp)).size).toBe(25);
	});

	test('a split range has the same credits as the whole', async () => {
		const whole = await credits({});
		const first = await credits({ to_date: '2025-03-29T13:30:00Z' });
		const second = await credits({ from_date: '2025-03-29T13:30:00Z' });
		expect(Number(first.total) + Number(second.total)).toBe(whole.total);
		const byMonth = await credits({ resolution: 'month' });
		expect(byMonth).toMatchObject({ total: whole.total, points: [{ date: '2025-03-01' }] });
		const endpoints = await credits({ mode: 'endpoints', resolution: undefined });
		expect(endpoints.total).toBe(whole.total);
		expect(endpoints.body).not.toHaveProperty('resolution');
	});
});
