/** Skip Rows: what was checked before costs nothing again. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { errorOf } from '../harness/engine';
import { stopClock } from './clock';
import { CONTINUE, hintsOf, jsonOf, numbered, startService } from './service';

const NOW = '2026-11-18T12:00:00Z';
beforeEach(() => {
	stopClock(NOW);
});

const SKIP = {
	skipRows: { filledField: '={{ $json.phone }}', lastChecked: '={{ $json.checked_at }}' },
};
const match: INodeParameters = {
	resource: 'prospect',
	operation: 'match',
	email: '={{ $json.email }}',
	options: SKIP,
};

test('a row with a value, or one that was checked, is not sent; it stays in its place', async () => {
	const service = await startService();
	const rows = numbered([
		{ email: 'a@x.example', phone: '+1 512 555 0100', checked_at: '' },
		{ email: 'b@x.example', phone: 'n/a', checked_at: '' },
		{ email: 'c@x.example', phone: '', checked_at: '2026-11-01' },
		{ email: 'd@x.example', phone: '', checked_at: '2026-10-01T09:00:00Z' },
		{ email: 'not an email', phone: '', checked_at: 1_795_000_000 },
		{ email: 'e@x.example', phone: '', checked_at: 'n/a', prospect_id: 'known' },
	]);

	const run = await service.run({ ...match, includeInputFields: true }, rows);

	expect(service.log.requestsTo('match').map(({ body }) => body)).toMatchObject([
		{ prospects_to_match: ['b', 'd', 'e'].map((name) => ({ email: `${name}@x.example` })) },
	]);
	expect(run.linked).toEqual([0, 1, 2, 3, 4, 5]);
	expect(jsonOf(run.main)).toEqual(
		rows.map((row, at) => ({
			prospect_id: null,
			...row,
			matched: [0, 2, 4].includes(at) ? null : false,
			skipped: [0, 2, 4].includes(at),
		})),
	);
	expect(hintsOf(run)[0]).toBe('6 rows: 3 without a match, 3 skipped. 1 request, 3 records.');
});

test('an unchecked box and a list of nothing are no value', async () => {
	const service = await startService();
	const values = [false, 'FALSE', 0, [''], ['n/a', false], true, ['a@x.example'], 'no'];
	const rows = numbered(values.map((value) => ({ value })));
	const skipRows = { filledField: '={{ $json.value }}' };

	const run = await service.run({ ...match, email: 'a@x.example', options: { skipRows } }, rows);

	expect(jsonOf(run.main).map(({ skipped }) => skipped)).toEqual(values.map((_, at) => at >= 5));
});

test('Max Age decides, in days of the calendar', async () => {
	const service = await startService();
	const rows = numbered([
		{ checked_at: '2026-11-17T00:00:01Z' },
		{ checked_at: '2026-11-16T23:59:59Z' },
		{ checked_at: '2026-11-11T12:05:00Z' },
	]);
	const skipRows = { lastChecked: '={{ $json.checked_at }}', maxAge: 2 };

	const run = await service.run({ ...match, email: 'a@x.example', options: { skipRows } }, rows);

	expect(jsonOf(run.main).map(({ skipped }) => skipped)).toEqual([true, false, false]);
});

test('a date that cannot be read, or is in the future, is an error of its row, not a purchase', async () => {
	const service = await startService();
	const rows = numbered([
		{ email: 'a@x.example', checked_at: 'last week' },
		{ email: 'b@x.example', checked_at: '' },
		{ email: 'a@x.example', checked_at: '2099-01-01' },
	]);

	const run = await service.run(match, rows, CONTINUE);

	expect(run.error.map((item) => errorOf(item))).toMatchObject([
		{
			message: expect.stringMatching(/^Last Checked: "last week" is not a date/),
			field: 'lastChecked',
		},
		{
			message:
				'Last Checked: "2099-01-01" is in the future. Correct it, or empty it to have the row checked.',
			field: 'lastChecked',
		},
	]);
	expect(service.log.requestsTo('match')).toHaveLength(1);
	expect(JSON.stringify(service.log.entries.map(({ body }) => body))).not.toContain('a@x.example');
});

test.each([
	{},
	{ includeInputFields: true },
	{ includeInputFields: true, options: { fields: 'profile_full_name' } },
])('what an earlier node skipped, and this one sends, is not skipped: %j', async (more) => {
	const service = await startService();
	const rows = [service.world.prospectId(0), '', service.world.prospectId(1)].map(
		(prospect_id, at) => ({
			prospect_id,
			skipped: at === 0 ? 'TRUE' : true,
		}),
	);
	const enrich: INodeParameters = {
		...{ resource: 'prospect', operation: 'enrich', dataSets: ['profile'] },
		prospectIds: '={{ $json.prospect_id }}',
		...more,
	};

	const run = await service.run(enrich, numbered(rows));

	expect(jsonOf(run.main).map(({ skipped }) => skipped)).toEqual([false, true, false]);
});

const WAYS: Array<[string, INodeParameters]> = [
	['Match', { resource: 'prospect', operation: 'match', email: '={{ $json.email }}' }],
	['Enrich', { resource: 'prospect', operation: 'enrich', prospectIds: '={{ $json.person }}' }],
	[
		'Enrich by details',
		{
			resource: 'prospect',
			operation: 'enrich',
			identifyBy: 'personDetails',
			email: '={{ $json.email }}',
		},
	],
	[
		'Get Events',
		{ resource: 'prospect', operation: 'getEvents', prospectIds: '={{ $json.person }}' },
	],
	['Find', { resource: 'business', operation: 'find', companyName: '={{ $json.company }}' }],
	[
		'Enrich businesses',
		{ resource: 'business', operation: 'enrich', businessIds: '={{ $json.business }}' },
	],
	[
		'Get Events by company',
		{
			...{ resource: 'business', operation: 'getEvents' },
			...{ identifyBy: 'companyName', companyName: '={{ $json.company }}' },
		},
	],
];

describe.each(WAYS)('%s', (_name, parameters) => {
	const itemsOf = ({ world }: Awaited<ReturnType<typeof startService>>, done: boolean) =>
		numbered(
			[0, 1].map(
				(at): IDataObject => ({
					person: world.prospectId(at),
					business: world.businessId(at),
					company: world.company(at).name,
					email: `p${at}@x.example`,
					done: done || at === 0 ? 'yes' : '',
				}),
			),
		);
	const options = { skipRows: { filledField: '={{ $json.done }}' } };

	test('a second run over the same rows sends nothing, and has a row for each', async () => {
		const service = await startService();

		const run = await service.run({ ...parameters, options }, itemsOf(service, true));
		const estimate = await service.run(
			{ ...parameters, options, estimateOnly: true },
			itemsOf(service, true),
		);

		expect(service.log.entries).toEqual([]);
		expect(run.linked).toEqual([0, 1]);
		expect(jsonOf(run.main).map(({ skipped }) => skipped)).toEqual([true, true]);
		expect(hintsOf(run).join()).toMatch(/\b2 (rows )?skipped/);
		const { records } = jsonOf(estimate.main)[0] ?? {};
		expect([undefined, 0]).toContain(records);
		if (records === 0) {
			expect(hintsOf(estimate)[0]).toMatch(/ 2 rows are skipped and not counted\.$/);
		}
	});

	test('rows that are skipped have the columns of the others', async () => {
		const service = await startService({ eventsPerDay: 0 });

		const run = await service.run({ ...parameters, options }, itemsOf(service, false));

		const [skipped, ...others] = jsonOf(run.main);
		expect(skipped?.skipped).toBe(true);
		for (const row of others) {
			expect(row.skipped).toBe(false);
			expect(Object.keys(row)).toEqual(Object.keys(skipped ?? {}));
		}
	});
});

describe('a field that cannot be the one that was meant', () => {
	const rows = numbered([{ email: 'a@x.example' }, { email: 'b@x.example' }]);

	test.each(['email', '=email'])(
		'a name that was typed would skip every row: %s',
		async (typed) => {
			const service = await startService();
			const options = { skipRows: { filledField: typed } };

			const { failureText } = await service.run({ ...match, options }, rows);

			expect(failureText).toBe(
				'Filled Field: "email" is a text, not a field, so every row would be skipped. Drag the field here.',
			);
			expect(service.log.entries).toEqual([]);
		},
	);

	test.each([
		['{{ $json.chekced_at }}', 'chekced_at'],
		['{{ $json["checked at"] }}', 'checked at'],
		['{{ $json.email }}', undefined],
		['{{ $json.fields.checked_at }}', undefined],
		['{{ $json["my fields"]["checked at"] }}', undefined],
	])('%s, in a row without it', async (expression, field) => {
		const service = await startService();
		const skipRows = { filledField: '', lastChecked: `=${expression}` };
		const filled = rows.map((row) => ({ ...row, email: '', network: 'https://a.example/in/b' }));
		const parameters = { ...match, network: '={{ $json.network }}', options: { skipRows } };

		const { hints } = await service.run(parameters, filled);

		const warnings = hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
		expect(warnings.join('\n').includes('No row has the field')).toBe(field !== undefined);
		if (field === undefined) return;
		expect(warnings[0]).toContain(
			`No row has the field "${field}", which Last Checked reads. Check its name. If no row has a value yet, ignore this.`,
		);
	});
});
