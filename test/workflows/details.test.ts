/** Prospect: Enrich and Get Events for people of whom the details are known, not the IDs. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { errorOf } from '../harness/engine';
import { MATCH_ERROR_MARKER } from '../sandbox/handlers/prospects';
import { eventRecord } from '../sandbox/world/events';
import { CONTINUE, hintsOf, itemOf, jsonOf, numbered, type Service, startService } from './service';
import { flat, simplifiedEvent } from './simplified';

const byDetails = (operation: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'prospect',
	operation,
	identifyBy: 'personDetails',
	network: '={{ $json.url }}',
	email: '={{ $json.email }}',
	...more,
});
const enrich = (more?: INodeParameters) => byDetails('enrich', more);
const getEvents = (more?: INodeParameters) => byDetails('getEvents', more);

const NOBODY = 'nobody@nowhere.example';
const FAILING = `${MATCH_ERROR_MARKER}@nowhere.example`;

const itemsOf = ({ world }: Service, ...people: number[]) =>
	people.map((person, row) => ({ row, url: world.person(person).network }));

const endpoints = ({ log }: Service) => log.entries.map(({ endpoint }) => endpoint);

const counts = ({ log }: Service) =>
	Object.fromEntries(
		(['match', 'profileBulk', 'contactsBulk', 'prospectEvents'] as const).map((name) => [
			name,
			log.count(name).requests,
		]),
	);

test('250 rows, 200 different people and two data sets: 4 requests match them, 2 × 4 enrich the 180 matched', async () => {
	const service = await startService({ people: 200 });
	const items = Array.from({ length: 250 }, (_, row) => {
		const person = (row * 7) % 200;
		const known = person % 10 !== 3;
		const { network } = service.world.person(person);
		return { row, person, known, url: known ? network : `https://nowhere.example/in/x-${person}` };
	});

	const run = await service.run(enrich({ dataSets: ['profile', 'contacts'] }), items);

	expect(run.failure).toBeUndefined();
	const matched = new Set(items.flatMap(({ known, person }) => (known ? [person] : []))).size;
	expect(matched).toBe(180);
	expect(service.log.count('match')).toMatchObject({ requests: 4, ids: 200, unique: 200 });
	for (const name of ['profileBulk', 'contactsBulk'] as const) {
		expect(service.log.count(name)).toEqual({ requests: 4, ids: 180, unique: 180, repeated: [] });
	}
	expect(service.log.entries).toHaveLength(4 + 2 * 4);
	expect(run.main).toHaveLength(250);
	expect(run.linked).toEqual(items.map(({ row }) => row));
	expect(run.main.map(itemOf)).toEqual(items.map(({ row }) => row));
	expect(jsonOf(run.main).map(({ prospect_id, matched: found }) => [prospect_id, found])).toEqual(
		items.map(({ person, known }) => [known ? service.world.prospectId(person) : null, known]),
	);
	const unmatched = items.filter(({ known }) => !known).length;
	expect(hintsOf(run)).toEqual([
		expect.stringMatching(
			new RegExp(
				`^250 rows: .*, ${unmatched} without a match\\. 12 requests, 560 records, 200 of them for lookups\\. 50 duplicates weren't sent again\\.$`,
			),
		),
		"Email was empty in all 250 rows. Check the column's name.",
	]);
});

test('a row says whether there is a match; without one all its data is null', async () => {
	const service = await startService();
	const [item] = itemsOf(service, 1);
	const byId = await service.run(
		{
			resource: 'prospect',
			operation: 'enrich',
			prospectIds: service.world.prospectId(1),
			dataSets: ['profile', 'networkPosts'],
		},
		[{}],
	);

	const run = await service.run(
		enrich({ dataSets: ['profile', 'networkPosts'] }),
		numbered([{ ...item }, { email: NOBODY }]),
	);

	const [{ prospect_id, ...data } = {}] = jsonOf(byId.main);
	expect(data).not.toHaveProperty('matched');
	expect(jsonOf(run.main)).toEqual([
		{ prospect_id, matched: true, match_check: 'unknown', match_differs_in: null, ...data },
		{
			prospect_id: null,
			matched: false,
			match_check: null,
			match_differs_in: null,
			...flat('profile', null),
			network_posts: [],
		},
	]);
	expect(Object.keys(run.main[0]?.json ?? {})).toEqual([
		...Object.keys(flat('profile', null)),
		...['network_posts', 'matched', 'match_check', 'match_differs_in', 'prospect_id'],
	]);
	expect(run.linked).toEqual([0, 1]);
});

test('if no one matches, nothing more is sent', async () => {
	const service = await startService();

	const run = await service.run(
		enrich({ rowsWithoutMatch: 'drop' }),
		numbered([{ email: NOBODY }, { email: NOBODY.toUpperCase() }, { email: `x${NOBODY}` }]),
	);

	expect(endpoints(service)).toEqual(['match']);
	expect(run.main).toEqual([]);
	expect(hintsOf(run)[0]).toBe(
		"3 rows without a match. 1 request, 2 records. 1 duplicate wasn't sent again. 3 rows were left out.",
	);
});

test('two rows that match the same person are paid for once', async () => {
	const service = await startService();
	const { network, networkById } = service.world.person(1);

	const run = await service.run(
		enrich({ dataSets: ['profile', 'contacts'] }),
		numbered([{ url: network }, { url: networkById }]),
	);

	expect(service.log.count('match')).toMatchObject({ requests: 1, ids: 2 });
	expect(service.log.count('profileBulk')).toMatchObject({ requests: 1, ids: 1 });
	expect(service.log.count('contactsBulk')).toMatchObject({ requests: 1, ids: 1 });
	const [first, second] = jsonOf(run.main);
	expect(first).toEqual(second);
	expect(hintsOf(run)[0]).toContain("1 duplicate wasn't sent again");
});

test('invalid details and wrong settings fail before any request', async () => {
	const service = await startService();
	const rows = numbered([{}, { email: NOBODY, types: 'fax' }, { email: NOBODY }]);
	const parameters = enrich({
		companyName: "={{ $json.row === 0 ? 'Acme' : '' }}",
		dataSets: ['contacts'],
		contactTypes: "={{ $json.types ?? 'both' }}",
	});

	const stopped = await service.run(parameters, rows);
	expect(stopped.failureText).toMatch(/^Row 1 of 3: Last Name is empty\. /);
	expect(service.log.entries).toEqual([]);

	const run = await service.run(parameters, rows, CONTINUE);
	expect(run.linkedErrors).toEqual([0, 1]);
	expect(run.error.map(errorOf)).toEqual([
		{ message: expect.stringMatching(/^Last Name is empty/), field: 'lastName' },
		{
			message: expect.stringMatching(/^Contact Types: "fax" is not one of/),
			field: 'contactTypes',
		},
	]);
	expect(run.linked).toEqual([2]);
	expect(endpoints(service)).toEqual(['match']);
});

describe('a person who could not be looked up', () => {
	const rowsOf = (service: Service) => {
		const [first, last] = itemsOf(service, 1, 2);
		return numbered([{ ...first }, { email: FAILING }, { ...last }]);
	};

	test('is an error item, and the others are enriched', async () => {
		const service = await startService();

		const run = await service.run(enrich(), rowsOf(service), CONTINUE);

		expect(run.linked).toEqual([0, 2]);
		expect(run.linkedErrors).toEqual([1]);
		expect(errorOf(run.error[0])).toEqual({
			message: expect.stringMatching(/^The service could not look this person up: /),
			correlation_id: service.log.entries[0]?.correlationId,
			reason: expect.any(String),
			error_type: expect.any(String),
			input: expect.objectContaining({ email: FAILING }),
		});
		expect(service.log.count('profileBulk')).toMatchObject({ requests: 1, ids: 2 });
	});

	test('stops the run before anything is enriched', async () => {
		const service = await startService();

		const run = await service.run(enrich(), rowsOf(service));

		expect(run.failureText).toMatch(
			/^Row 2 of 3: The service could not look this person up: .* Before that, 1 request had succeeded\./,
		);
		expect(endpoints(service)).toEqual(['match']);
	});
});

test('a person whose data set fails keeps the prospect ID, which was paid for', async () => {
	const service = await startService();
	service.fault({
		when: { to: 'profileBulk' },
		times: 'always',
		do: { kind: 'status', status: 402, body: { message: 'No credits.' } },
	});

	const run = await service.run(enrich(), itemsOf(service, 1), CONTINUE);

	expect(errorOf(run.error[0])).toEqual({
		message: expect.stringMatching(/no credits left/),
		status: 402,
		failed: ['profile'],
		received: { prospect_id: service.world.prospectId(1), matched: true },
	});
});

test('a run that is cancelled while people are matched sends nothing more', async () => {
	const service = await startService();

	const run = await service.run(enrich(), itemsOf(service, 1, 2), service.cancelAt(1));

	expect(run.main).toEqual([]);
	expect(endpoints(service)).toEqual(['match']);
});

test.each([
	[undefined, { match: 2, prospectEvents: 3 }],
	[40, { match: 2, prospectEvents: 3 }],
	[30, { match: 4, prospectEvents: 4 }],
])('Batch Size %p holds for both steps of Get Events', async (batchSize, expected) => {
	const service = await startService();
	const items = itemsOf(service, ...Array.from({ length: 100 }, (_, person) => person));

	await service.run(
		getEvents({ options: { requests: batchSize === undefined ? {} : { batchSize } } }),
		items,
	);

	expect(counts(service)).toMatchObject(expected);
});

test('the request context goes along with both steps', async () => {
	const service = await startService();
	const items = itemsOf(service, 1, 2, 3);

	await service.run(
		enrich({
			options: { requests: { requestContext: '={{ { list: $json.row === 1 ? "b" : "a" } }}' } },
		}),
		items,
	);

	const sent = service.log.entries.map(({ endpoint, ids, body }) => [
		endpoint,
		ids.length,
		(body as IDataObject).request_context,
	]);
	for (const endpoint of ['match', 'profileBulk']) {
		expect(sent).toContainEqual([endpoint, 2, { list: 'a' }]);
		expect(sent).toContainEqual([endpoint, 1, { list: 'b' }]);
	}
	expect(sent).toHaveLength(4);
});

test('one contact type: people are matched together, and enriched one at a time', async () => {
	const service = await startService();

	const run = await service.run(
		enrich({ dataSets: ['contacts'], contactTypes: 'email' }),
		itemsOf(service, 1, 2, 3),
	);

	expect(endpoints(service)).toEqual(['match', 'contacts', 'contacts', 'contacts']);
	expect(run.linked).toEqual([0, 1, 2]);
});

describe('Get Events', () => {
	const start = async () => {
		const service = await startService({ eventsPerDay: 0 });
		const event = simplifiedEvent(eventRecord(service.world.addEvent({ prospect: 1 })));
		return { service, event };
	};

	test('rows of events, and a row for a person without a match', async () => {
		const { service, event } = await start();
		const [item, quiet] = itemsOf(service, 1, 2);
		const eventTypes = ['prospect_changed_company', 'prospect_changed_role'];

		const run = await service.run(
			getEvents({ eventTypes }),
			numbered([{ email: NOBODY }, { ...item }, { ...quiet }]),
		);

		const [, query] = service.log.entries;
		expect(query?.body).toMatchObject({ event_types: eventTypes });
		const { prospect_id } = event as IDataObject;
		expect(jsonOf(run.main)).toEqual([
			{ event_name: null, event_time: null, prospect_id: null, matched: false, event_id: null },
			{ ...event, prospect_id, matched: true },
		]);
		const keys = Object.keys(run.main[1]?.json ?? {});
		expect(keys.slice(0, 4)).toEqual(['event_name', 'event_time', 'matched', 'prospect_id']);
		expect(run.linked).toEqual([0, 1]);
		expect(hintsOf(run)[0]).toBe(
			'Returned 1 event in 2 requests for 5 records; 1 row without a match.',
		);
	});

	test('rows without a match can be dropped', async () => {
		const { service, event } = await start();

		const run = await service.run(
			getEvents({ rowsWithoutMatch: 'drop', options: { onlyNewEvents: true } }),
			numbered([{ email: NOBODY }, ...itemsOf(service, 1)]),
			{ mode: 'trigger' },
		);

		expect(jsonOf(run.main)).toEqual([{ ...event, matched: true }]);
	});
});

describe('Fields', () => {
	test('can name matched, which rows of prospect IDs do not have', async () => {
		const service = await startService();
		const fields = { options: { fields: 'matched, profile.job_title' } };

		const run = await service.run(
			enrich(fields),
			numbered([...itemsOf(service, 1), { email: NOBODY }]),
		);
		const byId = await service.run(
			{
				resource: 'prospect',
				operation: 'enrich',
				prospectIds: service.world.prospectId(1),
				...fields,
			},
			[{}],
		);

		expect(jsonOf(run.main)).toEqual([
			{
				prospect_id: service.world.prospectId(1),
				matched: true,
				profile_job_title: expect.any(String),
			},
			{ prospect_id: null, matched: false, profile_job_title: null },
		]);
		expect(byId.failureText).toContain(
			'Fields: "matched" is not a field of these rows. They have: profile, prospect_id. ',
		);
		const unknown = await service.run(enrich({ options: { fields: 'found' } }), [
			{ email: NOBODY },
		]);
		expect(unknown.failureText).toContain(
			'They have: profile, matched, match_check, match_differs_in, prospect_id. ',
		);
	});

	test('of events that only people without a match lack are not missing', async () => {
		const service = await startService({ eventsPerDay: 0 });

		const run = await service.run(getEvents({ options: { fields: 'current_job_title' } }), [
			{ row: 0, email: NOBODY },
		]);

		expect(jsonOf(run.main)).toEqual([
			{ current_job_title: null, prospect_id: null, event_id: null },
		]);
		expect(hintsOf(run)).toEqual([
			'Returned 0 events in 1 request for 1 record; 1 row without a match.',
		]);
	});
});

test.each([
	['keep', 3],
	['drop', 0],
	["={{ $json.row === 0 ? 'drop' : 'keep' }}", 2],
])(
	'with Rows Without a Match %p, %d of three rows without a person are kept',
	async (rowsWithoutMatch, count) => {
		const service = await startService();
		const rows = [{ email: NOBODY }, { email: 'n/a' }, { email: `other.${NOBODY}` }];

		const enriched = await service.run(enrich({ rowsWithoutMatch }), numbered(rows));
		const matched = await service.run(
			{ resource: 'prospect', operation: 'match', email: '={{ $json.email }}', rowsWithoutMatch },
			numbered(rows),
		);

		expect([enriched, matched].map(({ main }) => main.length)).toEqual([count, count]);
		for (const run of [enriched, matched]) {
			expect(hintsOf(run)[0]?.includes('left out')).toBe(count < 3);
		}
	},
);

test('Simplify off and Include Input Fields', async () => {
	const service = await startService();
	const [item] = itemsOf(service, 1);

	const run = await service.run(
		enrich({ simplify: false, includeInputFields: true }),
		numbered([
			{ ...item, matched: 'x' },
			{ email: NOBODY, prospect_id: 'old' },
		]),
	);

	expect(jsonOf(run.main)).toEqual([
		{
			...item,
			prospect_id: service.world.prospectId(1),
			matched: true,
			match_check: 'unknown',
			match_differs_in: null,
			profile: expect.objectContaining({ skills: expect.anything() }),
			response_context: { profile: expect.objectContaining({ request_status: 'success' }) },
		},
		{
			row: 1,
			email: NOBODY,
			prospect_id: 'old',
			matched: false,
			match_check: null,
			match_differs_in: null,
			profile: null,
		},
	]);
});

test('details left over in a node that is set back to Prospect ID are not used', async () => {
	const service = await startService();

	const run = await service.run(
		enrich({ identifyBy: 'prospectId', prospectIds: '={{ $json.id }}' }),
		[{ row: 0, id: service.world.prospectId(1), email: NOBODY }],
	);

	expect(endpoints(service)).toEqual(['profileBulk']);
	expect(jsonOf(run.main)[0]).not.toHaveProperty('matched');
});

describe('what the service returns for a person', () => {
	const matchWith = (service: Service, ...ids: string[]) =>
		service.change(
			(answer) => ({
				...answer,
				matched_prospects: ids.map((id) => ({ prospect_id: id })),
			}),
			{ when: { to: 'match' } },
		);

	test('is no ID: its row fails, and nothing more is requested', async () => {
		const service = await startService();
		matchWith(service, 'abc');

		const run = await service.run(enrich(), [{ url: service.world.person(1).network }], CONTINUE);

		expect(errorOf(run.error[0])?.message).toMatch(
			/^The service returned "abc" for this row, which is not a prospect ID\. A prospect ID has 40 characters, 0 to 9 and a to f\. Nothing more was requested for it\. Run the row again later\./,
		);
		expect(endpoints(service)).toEqual(['match']);
	});

	test('is no ID: with Stop Workflow, nothing is requested for the other rows either', async () => {
		const service = await startService();
		matchWith(service, 'abc', service.world.prospectId(2));

		const run = await service.run(enrich(), itemsOf(service, 1, 2));

		expect(run.failureText).toMatch(/which is not a prospect ID/);
		expect(endpoints(service)).toEqual(['match']);
	});

	test('is an ID in capitals, with spaces: the row has it as it was requested', async () => {
		const service = await startService();
		matchWith(service, ` ${service.world.prospectId(1).toUpperCase()} `);

		const run = await service.run(enrich(), [{ url: service.world.person(1).network }]);

		expect(run.main[0]?.json.prospect_id).toBe(service.world.prospectId(1));
	});

	test('a cell with only an invisible character is blank: nothing is requested', async () => {
		const service = await startService();

		await service.run(enrich(), [{ email: '\u200b' }], CONTINUE);

		expect(service.log.entries).toEqual([]);
	});
});
