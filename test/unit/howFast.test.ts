/** The table of docs/performance.md, which `npm run bench -- --markdown` writes. */
import { sys } from 'typescript';
import { LIMITS } from '../../nodes/BusinessProspectData/catalog/service';
import { SHOWN } from '../bench/readme';

const page = sys.readFile('docs/performance.md') ?? '';
const section = page.split('\n## How fast\n')[1]?.split('\n## ')[0] ?? '';
const rows = section
	.split('\n')
	.filter((line) => line.startsWith('| '))
	.slice(2)
	.map((line) => line.split('|').map((cell) => cell.trim()))
	.map(([, what = '', against = '', measured = '', limit = '']) => ({
		what,
		against,
		measured,
		limit,
	}));
/** The number of `1.02 ×`, `+19 ms CPU` or `= 1,234`. */
const numberIn = (cell: string) => Number(/\d[\d,.]*/.exec(cell)?.[0].replaceAll(',', ''));

test('it has the rows of the benchmark', () => {
	expect(rows.map(({ what }) => what)).toEqual(SHOWN.map(([what]) => what));
	for (const [at, [, against]] of SHOWN.entries()) {
		expect(rows[at]?.against.startsWith(against)).toBe(true);
	}
});

test.each([
	// 5 % of the rows are about somebody who is in another row, too.
	['Enrich 1,000 rows', Math.ceil((1_000 * 0.95) / LIMITS.enrichBatch) * 3],
	['Enrich 10,000 rows', Math.ceil((10_000 * 0.95) / LIMITS.enrichBatch) * 3],
	['Get Many 60,000 rows', 60_000 / LIMITS.pageSize],
	['Trigger, 10,000 IDs', 10_000 / LIMITS.eventsBatch],
])('%s takes %i requests', (what, requests) => {
	const row = rows.find((one) => one.what.startsWith(what) && one.what.endsWith(': requests'));
	expect(numberIn(row?.measured ?? '')).toBe(requests);
	expect(numberIn(row?.limit ?? '')).toBe(requests);
	expect(section).toContain(`${requests} requests`);
});
