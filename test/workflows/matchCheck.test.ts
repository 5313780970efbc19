/** Prospect: Enrich by person details. Whether the profile that came is that of the person who was meant. */
import type { INodeParameters } from 'n8n-workflow';
import { hintsOf, jsonOf, numbered, type Service, startService } from './service';

const enrich = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'prospect',
	operation: 'enrich',
	identifyBy: 'personDetails',
	email: '={{ $json.email }}',
	network: '={{ $json.url }}',
	nameFields: 'full',
	fullName: '={{ $json.name }}',
	companyName: '={{ $json.company }}',
	...more,
});

const NOBODY = 'nobody@nowhere.example';
const CHECK = ['matched', 'match_check', 'match_differs_in'];

const checksOf = ({ main }: Awaited<ReturnType<Service['run']>>) =>
	jsonOf(main).map((json) => CHECK.map((name) => json[name]));

function rowsOf({ world }: Service) {
	const { fullName, network: url, company: index } = world.person(1);
	const { name: company } = world.company(index);
	const [first = '', last = ''] = fullName.split(' ');
	return numbered([
		{ url, name: `${last.toUpperCase()}, ${first}`, company: `${company}, Inc.` },
		{ url, name: `${first[0]}. ${last}` },
		{ url, name: fullName, company: 'Globex' },
		{ url, name: 'Xu Qiwei', company: 'Globex' },
		{ url, name: 'Xu Qiwei', company },
		{ url, name: 'Xu Qiwei' },
		{ url },
		{ email: NOBODY, name: fullName, company: 'Globex' },
		{},
	]);
}

const EXPECTED = [
	[true, 'agrees', null],
	[true, 'agrees', null],
	[true, 'unknown', null],
	[true, 'differs', 'name, company'],
	[true, 'differs', 'name'],
	[true, 'differs', 'name'],
	[true, 'unknown', null],
	[false, null, null],
	[false, null, null],
];

test.each([true, false])('compares what each row says, Simplify %s', async (simplify) => {
	const service = await startService();

	const run = await service.run(
		enrich({ dataSets: ['contacts', 'profile'], simplify }),
		rowsOf(service),
	);

	expect(run.failure).toBeUndefined();
	expect(checksOf(run)).toEqual(EXPECTED);
	expect(hintsOf(run).at(-1)).toBe(
		'3 rows may be about another person: match_check is "differs" there. Check them before you use the data.',
	);
	for (const { json } of run.main) {
		const names = Object.keys(json);
		const start = names.indexOf('matched');
		expect(names.slice(start, start + 4)).toEqual([...CHECK, 'prospect_id']);
	}
	expect(service.log.count('profileBulk').requests).toBe(1);
});

test.each<[string, INodeParameters]>([
	['without Profile', { dataSets: ['contacts'] }],
	['by prospect ID', { identifyBy: 'prospectId', prospectIds: '={{ $json.id }}' }],
	['in Get Events', { operation: 'getEvents' }],
])('no row is compared %s', async (_case, parameters) => {
	const service = await startService({ eventsPerDay: 500 });
	const rows = rowsOf(service).map((row) => ({ ...row, id: service.world.prospectId(1) }));

	const run = await service.run(enrich(parameters), rows);

	expect(run.failure).toBeUndefined();
	expect(run.main.length).toBeGreaterThan(0);
	for (const { json } of run.main) expect(json).not.toHaveProperty('match_check');
});

test("an earlier run's check does not stay in the row", async () => {
	const service = await startService();
	const old = { match_check: 'differs', match_differs_in: 'name' };
	const rows = rowsOf(service).map((row) => ({ ...row, ...old }));

	const run = await service.run(enrich({ includeInputFields: true }), rows);

	expect(checksOf(run)).toEqual(EXPECTED);
});

test('a row that Skip Rows leaves out keeps its check', async () => {
	const service = await startService();
	const old = { matched: true, match_check: 'agrees', match_differs_in: null };
	const rows = rowsOf(service).map((row) => ({ ...row, ...old, done: 'yes' }));
	const options = { skipRows: { filledField: '={{ $json.done }}' } };

	const run = await service.run(enrich({ includeInputFields: true, options }), rows);

	expect(service.log.entries).toEqual([]);
	expect(hintsOf(run)).toEqual(['9 rows skipped. 0 requests.']);
	expect(checksOf(run)).toEqual(rows.map(() => [null, 'agrees', null]));
});

test('Fields can name the check', async () => {
	const service = await startService();
	const fields = 'match_check, match_differs_in';

	const run = await service.run(enrich({ options: { fields } }), rowsOf(service).slice(3, 4));
	const withoutProfile = await service.run(
		enrich({ dataSets: ['contacts'], options: { fields } }),
		rowsOf(service).slice(3, 4),
	);

	expect(jsonOf(run.main)).toEqual([
		{
			match_check: 'differs',
			match_differs_in: 'name, company',
			prospect_id: service.world.prospectId(1),
		},
	]);
	expect(withoutProfile.failureText).toContain('"match_check" is not a field of these rows.');
});

test('a profile without data cannot be compared', async () => {
	const service = await startService();
	const data = { prospect_id: service.world.prospectId(1), data: null };
	service.change((answer) => ('data' in answer ? { ...answer, data: [data] } : answer), {
		times: 'always',
	});

	const run = await service.run(enrich(), rowsOf(service).slice(0, 1));

	expect(checksOf(run)).toEqual([[true, 'unknown', null]]);
});
