// First: what loads n8n-workflow afterwards gets a virtual clock.
import { startClock } from '../../faults/clock';
import { ROW_CHANGES, type Fault } from '../faults/kinds';
import { startSandbox, type Sandbox } from '../sandbox';
import { ask, rowsOf } from './ask';

let sandbox: Sandbox;
const HOUR = 3_600_000;
beforeAll(async () => {
	startClock('2026-03-20T12:00:00Z');
	sandbox = await startSandbox({ rateLimit: null });
});
afterEach(() => {
	expect(sandbox.log.defects()).toEqual([]);
	sandbox.clear();
});
afterAll(async () => await sandbox.close());

const last = () => sandbox.log.entries.at(-1);

const MATCHED = 'matched_prospects';

/** The answer of an endpoint's example under the fault. */
async function under(fault: Fault, name: Parameters<typeof ask>[1] = 'profileBulk') {
	sandbox.fault({ do: fault });
	return await ask(sandbox, name);
}

describe('changed rows', () => {
	test.each(ROW_CHANGES)('%s', async (how) => {
		const rows = rowsOf(await ask(sandbox, 'profileBulk'));
		const [first, second, third] = rows;
		const data = rowsOf(await under({ kind: 'rows', how }));
		const foreign = expect.not.stringMatching(first?.prospect_id ?? '') as unknown;
		const withoutId = ({ data: own }: { data: unknown }) => ({ data: own });
		const expected: Record<string, unknown> = {
			null: null,
			object: first,
			none: [],
			shorter: [first, second],
			longer: [...rows, { ...third, prospect_id: expect.stringMatching(/^[a-f0-9]{40}$/) }],
			reordered: [third, second, first],
			foreign: [{ ...first, prospect_id: foreign }, second, third],
			doubled: [first, first, second, second, third, third],
			withoutIds: rows.map(withoutId),
			withoutData: [{ ...first, data: null }, second, third],
			withoutInput: rows,
			otherInput: rows,
		};
		expect(data).toEqual(expected[how]);
		if (how === 'longer') expect(data[3]?.prospect_id).not.toBe(third?.prospect_id);
		expect(last()).toMatchObject({ status: 200, worked: true, faults: ['rows'] });
	});

	test('in the list of each endpoint, whatever its name', async () => {
		expect((await under({ kind: 'rows', how: 'null' }, 'match')).body.matched_prospects).toBeNull();
		expect(
			(await under({ kind: 'rows', how: 'null' }, 'businessEvents')).body.output_events,
		).toBeNull();
		expect((await under({ kind: 'rows', how: 'shorter' }, 'autocomplete')).body).toHaveLength(1);
		expect((await under({ kind: 'rows', how: 'null' }, 'profile')).body.data).toBeNull();
		expect((await under({ kind: 'rows', how: 'null' }, 'stats')).body.stats).toBeNull();
	});

	test('the input that a match row repeats', async () => {
		const rows = rowsOf(await ask(sandbox, 'match'), MATCHED);
		const other = rowsOf(await under({ kind: 'rows', how: 'otherInput' }, 'match'), MATCHED);
		expect(other[0]?.input).toEqual({
			business_id: null,
			full_name: null,
			company_name: null,
			email: 'somebody.else@elsewhere.example',
			phone_number: null,
			network: null,
		});
		expect(other[0]?.prospect_id).toBe(rows[0]?.prospect_id);
		expect(other[1]).toEqual(rows[1]);
		const without = rowsOf(await under({ kind: 'rows', how: 'withoutInput' }, 'match'), MATCHED);
		expect(without).toEqual(rows.map(({ prospect_id }) => ({ prospect_id })));
	});

	test('the rows of another page', async () => {
		const page = async (number: number) =>
			await ask(sandbox, 'search', { mode: 'full', page_size: 10, page: number });
		const second = rowsOf(await page(2));
		sandbox.fault({ do: { kind: 'otherPage', page: 2 } });

		const answer = await page(5);

		expect(rowsOf(answer)).toEqual(second);
		expect(answer.body).toMatchObject({ page: 5, total_results: 1_000 });
		const others = await under({ kind: 'otherPage', page: 2 });
		expect(others.body.data).toEqual((await ask(sandbox, 'profileBulk')).body.data);
	});

	test('some rows of another page', async () => {
		const page = async (number: number) =>
			rowsOf(await ask(sandbox, 'search', { mode: 'full', page_size: 10, page: number }));
		const [second, fifth] = [await page(2), await page(5)];
		const kept = async (keeps: number) => {
			sandbox.fault({ do: { kind: 'otherPage', page: 2, keeps } });
			return await page(5);
		};

		expect(await kept(3)).toEqual([...second.slice(0, 7), ...fifth.slice(7)]);
		expect(await kept(10)).toEqual(fifth);
		expect(await kept(11)).toEqual(fifth);
	});

	test('totals, numbers, anything', async () => {
		expect((await under({ kind: 'totalNull' }, 'search')).body).toMatchObject({
			total_results: null,
			data: [expect.anything(), expect.anything()],
		});
		expect((await under({ kind: 'numbersAsText' }, 'search')).body).toMatchObject({
			total_results: '800',
			page: '1',
		});
		const list = await under({ kind: 'totalNull' }, 'autocomplete');
		expect(list.body).toEqual((await ask(sandbox, 'autocomplete')).body);
		const changed = await under({
			kind: 'change',
			with: (answer, request) => ({ ...(answer as object), count: request.ids.length }),
		});
		expect(changed.body).toMatchObject({ count: 3, total_results: 3 });
	});
});

describe('how the answer travels', () => {
	test('drip, gzip and huge bring the same body', async () => {
		const { data } = (await ask(sandbox, 'profileBulk')).body;
		const started = Date.now();
		const dripped = await under({ kind: 'drip', pieces: 5, everyMs: HOUR });
		expect(Date.now() - started).toBeGreaterThanOrEqual(4 * HOUR - 4);
		expect([dripped.status, dripped.body.data]).toEqual([200, data]);
		expect(last()?.status).toBe(200);
		const zipped = await under({ kind: 'gzip' });
		expect([zipped.headers.get('content-encoding'), zipped.body.data]).toEqual(['gzip', data]);
		const huge = await under({ kind: 'huge', megabytes: 3 });
		expect(huge.text.length).toBeGreaterThan(3_000_000);
		expect(huge.body.data).toEqual(data);
		const packed = await under({ kind: 'huge', megabytes: 3, zipped: true });
		expect(packed.headers.get('content-encoding')).toBe('gzip');
		expect(Number(packed.headers.get('content-length'))).toBeLessThan(100_000);
		expect(packed.text.length).toBeGreaterThan(3_000_000);
		expect(packed.body.data).toEqual(data);
	});

	test('cutJson is a whole HTTP answer with half the JSON', async () => {
		const answer = await under({ kind: 'cutJson' });
		expect(answer.status).toBe(200);
		expect(Object.keys(answer.body)).toEqual(['unparsed']);
		expect(answer.text.length).toBeGreaterThan(100);
	});
});
