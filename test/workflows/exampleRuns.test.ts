/** The workflows of examples/, run in n8n's engine. */
import type { IDataObject } from 'n8n-workflow';
import { mobilePhone, professionalEmail } from '../sandbox/world/prospect-data';
import { CRM_TABLES, type Example, readExample, startExamples } from './example';
import { jsonOf, startService } from './service';

const FAILED = 'Rows that failed';
const CONTACTS = 'Practice contacts';
const LIST: [string, string] = ['list-building', 'When clicking ‘Execute workflow’'];
const CRM: [string, string] = ['crm-enrichment', 'Every Monday at 6'];
const PLAY: [string, string] = ['job-change-play', 'Every morning at 7'];

async function start() {
	const service = await startService({ eventsPerDay: 0 });
	const examples = startExamples(service);
	return {
		...service,
		...examples,
		runNode: service.run,
		/** The log has this run's requests only. */
		async run(...options: Parameters<typeof examples.run>) {
			service.log.clear();
			const result = await examples.run(...options);
			expect(result.failure).toBe('');
			return result;
		},
		/** What the service knows of a person. */
		truthOf(index: number) {
			const person = service.world.person(index);
			const company = service.world.company(person.company);
			const email = professionalEmail(person, company);
			const names = { company: company.name, companyId: company.id };
			return { ...person, ...names, email, phone: mobilePhone(person) };
		},
	};
}

const contact = (id: string, values: IDataObject) => ({
	contact_id: id,
	...{ full_name: null, company_name: null, email: null, phone: null, profile_url: null },
	...{ job_title: null, prospect_id: null, work_company: null, work_email: null },
	match_check: null,
	...values,
});

test.each([
	[...CRM, 'Enrich contacts', 10],
	['account-list', 'Every day at 6', 'Enrich accounts', 44],
	['intent-scoring', 'Every Tuesday at 6', 'Get intent', 44],
])(
	'%s: practice rows come back, and a second run pays nothing',
	async (id, trigger, paid, count) => {
		const { run, log } = await start();
		await run(id, 'Fill practice table');

		const first = await run(id, trigger);
		const second = await run(id, trigger);

		expect(first.rows('Write to CRM')).toHaveLength(count);
		expect(first.rows(FAILED)).toEqual([]);
		expect(second.rows('Write to CRM')).toEqual(first.rows('Write to CRM'));
		expect(second.hints(paid)).toContain('0 bought, 0 requests');
		expect(log.entries).toEqual([]);
	},
);

describe('crm-enrichment', () => {
	test('a row that the CRM refuses holds up no other, and costs nothing in the next run', async () => {
		const { run, log, table, surroundings, truthOf } = await start();
		await run('crm-enrichment', 'Fill practice table');
		const rows = Array.from({ length: 100 }, (_, index) => {
			const { fullName, company, id } = truthOf(index);
			return { ...contact(id, { full_name: fullName, company_name: company }), id: index + 1 };
		});
		table(CONTACTS).splice(0, 10, ...rows);
		surroundings.refuses = ({ contact_id: id }) => id === rows[20]?.contact_id;

		const first = await run(...CRM);

		const bought = (['match', 'profileBulk', 'contactsBulk'] as const).map(
			(endpoint) => log.count(endpoint).ids,
		);
		expect(bought).toEqual([100, 100, 100]);
		expect(first.rows('Write to CRM')).toHaveLength(99);
		expect(first.rows(FAILED)).toMatchObject([{ contact_id: rows[20]?.contact_id, error: {} }]);

		surroundings.refuses = () => false;
		const second = await run(...CRM);
		expect(log.entries).toEqual([]);
		expect(second.rows('Write to CRM')).toHaveLength(100);
	});

	test('nothing found empties nothing, and of someone else nothing is taken over', async () => {
		const { run, table, truthOf } = await start();
		await run('crm-enrichment', 'Fill practice table');
		const [known, other] = [truthOf(62), truthOf(63)];
		const own = { job_title: 'Owner', phone: '+49 30 1234567' };
		const rows = [
			contact('known', { email: known.email, phone: own.phone }),
			contact('nobody', { email: 'nobody@nowhere.example', ...own, work_email: 'w@x.example' }),
			contact('other', { full_name: 'Zoe Zimmer', email: other.email, ...own }),
			contact('blank', { full_name: 'Only A Name' }),
		];
		table(CONTACTS).splice(0, 10, ...rows.map((row, at) => ({ ...row, id: at + 1 })));

		await run(...CRM);

		const found = { prospect_id: known.id, work_company: known.company, work_email: known.email };
		expect(table(CONTACTS)).toMatchObject([
			{ ...rows[0], job_title: known.position.title, ...found, match_check: 'unknown' },
			rows[1],
			{ ...rows[2], prospect_id: '', work_company: '', work_email: '', match_check: 'differs' },
			{ ...rows[3], phone: null, match_check: null },
		]);
	});
});

/** The row of a CRM in which the expressions find the values. */
function rowWith(expressions: Map<string, string>, values: IDataObject): IDataObject {
	const row: IDataObject = {};
	for (const [field, expression] of expressions) {
		const paths = [...expression.matchAll(/\$json\.(\S+) /g)].map(([, path = '']) => path);
		const value = values[field] ?? null;
		const parts = paths.length > 1 ? String(value ?? '').split(' ') : [value];
		paths.forEach((path, index) => {
			const names = path.replaceAll('[', '.').replaceAll(']', '').split('.');
			const last = names.pop() ?? '';
			let place = row;
			for (const name of names) place = (place[name] ??= {}) as IDataObject;
			place[last] = parts[index] ?? null;
		});
	}
	return row;
}

/** The example as a person has it after replacing its table nodes and changing the fields of From your CRM. */
function withCrm(example: Example, expressions: Map<string, string>): Example {
	const nodes = structuredClone(example.nodes);
	for (const node of nodes) {
		if (node.name === 'Read CRM') Object.assign(node, { type: 'n8n-nodes-base.manualTrigger' });
		if (node.name === 'Write to CRM') Object.assign(node, { type: 'n8n-nodes-base.noOp' });
		if (node.name !== 'From your CRM') continue;
		const { assignments } = node.parameters.assignments as { assignments: IDataObject[] };
		for (const field of assignments) field.value = `=${expressions.get(String(field.name)) ?? ''}`;
	}
	return { ...example, nodes };
}

const [contactTable = [], accountTable = []] = CRM_TABLES;
const crmsOf = ([[, ...crms] = [], ...fields]: string[][]) =>
	crms.map((name, at) => ({
		name,
		expressions: new Map(fields.map(([field = '', ...cells]) => [field, cells[at] ?? ''])),
	}));

describe.each(crmsOf(contactTable))('contacts of $name', ({ expressions }) => {
	test('a week later, only what is new is paid for, and IDs come back as they were', async () => {
		const { run, log, surroundings, truthOf } = await start();
		const example = withCrm(readExample('crm-enrichment'), expressions);
		const crm = Array.from({ length: 12 }, (_, index) => {
			const { fullName, company, email, network } = truthOf(index);
			const details = [{ email }, { profile_url: network }, {}][index % 3];
			const id = `90071992547409${93_001 + index}`;
			return { crm_id: id, full_name: fullName, company_name: company, ...details };
		});
		const give = (rows: IDataObject[]) => {
			surroundings.triggered = rows.map((row) => rowWith(expressions, row));
		};

		give(crm);
		const first = await run('crm-enrichment', 'Read CRM', { example });
		const written = first.rows('Write to CRM');
		expect(written.map(({ contact_id: id }) => id)).toEqual(crm.map(({ crm_id: id }) => id));
		expect(written.filter(({ prospect_id: id }) => id).length).toBe(12);

		const found = new Map(written.map((row) => [row.contact_id, row]));
		const week = crm.slice(5).map((row) => ({
			...row,
			...(({ job_title: title, phone, prospect_id: id, work_company: at, work_email: email }) => ({
				...{ job_title: title, phone, prospect_id: id },
				...{ profile_company_name: at, contacts_email: email },
			}))(found.get(row.crm_id) ?? {}),
		}));
		const added = truthOf(70);
		give([...week, { crm_id: 'new', email: added.email }]);
		const second = await run('crm-enrichment', 'Read CRM', { example });
		expect(second.rows('Write to CRM')).toHaveLength(8);
		expect(log.idsAskedFor('profileBulk')).toEqual([added.id]);
		expect(log.count('match').ids).toBe(1);
	});
});

test.each(crmsOf(accountTable))('accounts of $name are found', async ({ expressions }) => {
	const { run, log, surroundings, world } = await start();
	const example = withCrm(readExample('account-list'), expressions);
	surroundings.triggered = [1, 2, 3].map((index) => {
		const { name, website } = world.company(world.person(index).company);
		return rowWith(expressions, { crm_id: `A${index}`, company_name: name, website });
	});

	const first = await run('account-list', 'Read CRM', { example });
	await run('account-list', 'Read CRM', { example });

	expect(first.rows('Write to CRM')).toMatchObject(
		[1, 2, 3].map((index) => ({
			account_id: `A${index}`,
			business_id: world.company(world.person(index).company).id,
		})),
	);
	expect(log.entries).toEqual([]);
});

test('list-building: each run adds the next people, and a person whom the CRM refused costs nothing later', async () => {
	const { run, log, table, surroundings } = await start();
	let refused: unknown;
	surroundings.refuses = ({ contact_id: id }) => (refused ??= id) === id;

	const first = await run(...LIST);
	expect(log.entries.map(({ endpoint }) => endpoint)).toEqual(['search', 'contactsBulk']);
	expect(first.rows('Add to CRM')).toHaveLength(24);
	expect(first.rows(FAILED)).toMatchObject([{ contact_id: refused }]);

	surroundings.refuses = () => false;
	const second = await run(...LIST);
	expect(second.rows('Add to CRM')[0]).toMatchObject({ contact_id: refused });
	expect(log.idsAskedFor('contactsBulk')).not.toContain(refused);
	const ids = table(CONTACTS).map(({ prospect_id: id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids).toHaveLength(30);
});

test('account-list and intent-scoring write figures of the account', async () => {
	const { run, table } = await start();
	await run('account-list', 'Fill practice table');
	await run('account-list', 'Every day at 6');
	await run('intent-scoring', 'Every Tuesday at 6');

	const rows = table('Practice accounts');
	expect(rows[0]).toMatchObject({
		business_id: expect.stringMatching(/^[a-f0-9]{32}$/),
		last_funding_round: expect.stringContaining('series'),
		funding_total_usd: expect.any(Number),
		topics: expect.stringContaining('Data Management: '),
	});
	expect(new Set(rows.map(({ tier }) => tier))).toEqual(new Set(['A', 'B', '']));
	for (const { score, tier } of rows) expect(Number(score) > 0).toBe(tier !== '');
});

test('new-prospects: who is new is added once, also without contact details', async () => {
	const { run, log, surroundings, fault } = await start();
	await run('new-prospects', 'Create practice table');
	const found = (await run(...LIST)).rows('Find prospects');
	const fresh = ['a', 'b'].map((digit) => ({ ...found[0], prospect_id: digit.repeat(40) }));
	fault({ when: { to: 'contactsBulk' }, times: 1, do: { kind: 'status', status: 402 } });
	surroundings.triggered = [...found.slice(0, 3), ...fresh];

	const first = await run('new-prospects', 'New prospects');
	expect(log.idsAskedFor('contactsBulk')).toEqual(fresh.map(({ prospect_id: id }) => id));
	expect(first.rows('Add to CRM')).toMatchObject(
		fresh.map(({ prospect_id: id }) => ({
			...{ prospect_id: id, job_title: found[0]?.job_title, email: null },
		})),
	);
	const second = await run('new-prospects', 'New prospects');
	expect(second.rows('Add to CRM')).toEqual([]);
});

/** In UTC, such as `Nov 2026`. */
const monthOf = (time: number) => new Date(time).toUTCString().slice(8, 16);

describe('job-change-alert', () => {
	async function startWatching() {
		const service = await start();
		const { run, surroundings, world } = service;
		await run('job-change-alert', 'Fill practice table');
		return {
			...service,
			/** Someone's new job. Returns its month, as the service dates it. */
			move(prospect: number, type: 'company' | 'role', data: IDataObject) {
				const event_name = `prospect_changed_${type}`;
				return monthOf(world.addEvent({ prospect, event_name, data }).time);
			},
			/** The messages of a day. */
			async tell() {
				await run('job-change-alert', 'Every morning at 7');
				return surroundings.sent.splice(0);
			},
		};
	}
	const BOLT = { current_company_name: 'Bolt', current_job_title: 'CTO' };

	test('a line for each job, once, with the month that the service gives it', async () => {
		const { tell, move, truthOf } = await startWatching();
		const [moved, promoted] = [truthOf(3), truthOf(4)];
		expect(await tell()).toEqual([]);

		const data = { ...BOLT, previous_company_name: 'Acme' };
		const month = move(3, 'company', data);
		move(3, 'role', data);
		move(4, 'role', { ...BOLT, current_company_name: promoted.company });
		expect(await tell()).toEqual([
			[
				`${moved.fullName} left Acme and is now CTO at Bolt (${month})`,
				`${promoted.fullName} is now CTO at ${promoted.company} (${month})`,
			].join('\n'),
		]);
		expect(await tell()).toEqual([]);

		// The same move may appear as a role days later.
		move(3, 'role', { ...BOLT, previous_company_name: null });
		expect(await tell()).toEqual([]);
	});

	test('of a contact who is added, what is known already is not told, but what comes later', async () => {
		const { tell, move, truthOf, table } = await startWatching();
		const added = table(CONTACTS).splice(5, 2);
		await tell();
		move(5, 'company', BOLT);
		table(CONTACTS).push(...added);
		expect(await tell()).toEqual([]);

		const month = move(5, 'company', { ...BOLT, current_company_name: 'Core' });
		move(6, 'company', BOLT);
		const [message = ''] = await tell();
		expect(message.split('\n')).toEqual([
			`${truthOf(5).fullName} left ${truthOf(5).company} and is now CTO at Core (${month})`,
			expect.stringContaining(truthOf(6).fullName),
		]);
	});

	test('a contact who could not be checked is named, and not watched yet', async () => {
		const { tell, move, world, refuseIds } = await startWatching();
		move(7, 'company', BOLT);
		const fault = refuseIds([world.prospectId(7)]);
		expect(await tell()).toEqual([
			expect.stringMatching(/^1 of your contacts could not be checked: .+HTTP 422/),
		]);

		fault.remove();
		expect(await tell()).toEqual([]);
		move(7, 'company', { ...BOLT, current_company_name: 'Core' });
		expect(await tell()).toEqual([expect.stringContaining('CTO at Core')]);
	});
});

test('job-change-play: only what a person approves is written, once', async () => {
	const { run, table, world, truthOf } = await start();
	await run('job-change-play', 'Fill practice table');
	const { fullName, company, companyId, email, id } = truthOf(3);
	const isColleague = (index: number) => index !== 3 && truthOf(index).companyId === companyId;
	const colleague = truthOf(
		Array.from({ length: 200 }, (_, index) => index).findIndex(isColleague),
	);
	const data = {
		...{ current_company_name: 'Harbor', current_job_title: 'Owner' },
		...{ previous_company_name: company, previous_company_id: companyId },
		previous_job_title: colleague.position.title,
	};
	const { time } = world.addEvent({ prospect: 3, event_name: 'prospect_changed_company', data });
	const month = monthOf(time);

	await run(...PLAY);
	const proposals = table('Job change proposals');
	const proposed = { company_name: company, prospect_id: colleague.id };
	expect(proposals).toMatchObject([
		{
			...{ full_name: fullName, company_name: 'Harbor', job_title: 'Owner', email, status: null },
			...{
				contact_id: 'C-1004',
				prospect_id: id,
				why: expect.stringMatching(`^Left ${company} in ${month}\\. `),
			},
		},
		{ ...proposed, why: `Has the role of ${fullName}, who left`, status: null },
	]);
	const before = structuredClone(table(CONTACTS));

	await run(...PLAY);
	expect(table(CONTACTS)).toEqual(before);
	Object.assign(proposals[1] ?? {}, { status: 'Approved' });
	await run(...PLAY);
	await run(...PLAY);
	expect(table('Job change proposals').map(({ status }) => status)).toEqual([null, 'written']);
	expect(table(CONTACTS).slice(before.length)).toMatchObject([
		{ ...proposed, full_name: colleague.fullName },
	]);
});

describe('inbound-lead', () => {
	async function startForm() {
		const service = await start();
		await service.run('inbound-lead', 'Create practice table');
		return {
			...service,
			async submit(index: number, values: IDataObject = {}) {
				const { firstName, lastName, email, company } = service.truthOf(index);
				const form = { 'First name': firstName, 'Last name': lastName, 'Work email': email };
				service.surroundings.triggered = [
					{ ...form, Company: company, Message: 'Hello', ...values },
				];
				const result = await service.run('inbound-lead', 'When someone fills in the form');
				const ends = ['A person checks here', 'Second source here', 'Nurture here'].filter(
					(end) => result.rows(end).length > 0,
				);
				return {
					...{ ends, told: service.surroundings.sent.splice(0) },
					requests: service.log.entries.map(({ endpoint }) => endpoint),
					lead: service.table('Practice leads').at(-1),
				};
			},
		};
	}
	const SALES = 2;
	const LOW = 1;

	test('sales get a lead with its phone number; the same form again costs nothing', async () => {
		const { submit, truthOf, table } = await startForm();
		const { fullName, email, phone } = truthOf(SALES);

		const first = await submit(SALES);
		const again = await submit(SALES, { Message: 'Hello?' });

		expect(first.requests).toEqual(['match', 'profileBulk', 'contacts']);
		expect(first.told).toEqual([`${fullName} (${email}, ${phone}) scored 70: Hello`]);
		expect(again.requests).toEqual([]);
		expect(again.told).toEqual([`${fullName} (${email}, ${phone}) scored 70: Hello?`]);
		expect(table('Practice leads')).toMatchObject(
			['Hello', 'Hello?'].map((message) => ({ email, phone, score: 70, message })),
		);
	});

	test('low scores, unknown people and other people end apart, without a phone number', async () => {
		const { submit, truthOf } = await startForm();

		expect(await submit(LOW)).toMatchObject({
			ends: ['Nurture here'],
			requests: ['match', 'profileBulk'],
			lead: { score: 30, job_title: truthOf(LOW).position.title, phone: null },
		});
		expect(await submit(LOW, { 'Work email': 'no@body.example', Company: '' })).toMatchObject({
			ends: ['Second source here'],
			requests: ['match'],
			lead: { score: 0, job_title: null },
		});
		const zoe = { 'First name': 'Zoe', 'Last name': 'Zimmer', Company: '' };
		expect(await submit(SALES, zoe)).toMatchObject({
			ends: ['A person checks here'],
			told: [],
			lead: { full_name: 'Zoe Zimmer', score: 0, job_title: '', company_name: '' },
		});
	});

	test.each([
		['match', { ends: ['A person checks here'], told: [] }],
		['contacts', { ends: [], told: [expect.stringContaining('no phone number) scored 70')] }],
	])('if %s fails, the lead is saved and not lost', async (endpoint, expected) => {
		const { submit, fault } = await startForm();
		fault({ when: { to: endpoint }, times: 1, do: { kind: 'status', status: 402 } });

		const { lead, ...result } = await submit(SALES);

		expect(result).toMatchObject(expected);
		expect(lead).toMatchObject({ message: 'Hello' });
	});
});

test('funding-alert: a message for each event, also without the funding history', async () => {
	const { run, runNode, surroundings, world, fault } = await start();
	const id = world.businessId(5);
	const day = new Date(world.addEvent({ business: 5, event_name: 'new_office' }).time);
	const events: Array<[name: string, data: IDataObject]> = [
		['new_funding_round', { amount_raised: 5_000_000, founding_stage: 'series B' }],
		[
			'new_investment',
			{
				investment_amount: 1_250_000,
				investment_amount_currency: 'EUR',
				investment_target: 'Falcon',
			},
		],
		['ipo_announcement', { offer_amount: 2_000_000 }],
	];
	for (const [event_name, data] of events) world.addEvent({ business: 5, event_name, data });
	const trigger = readExample('funding-alert').nodes.find(({ parameters }) => parameters.triggerOn);
	// The trigger's rows are those of Get Events.
	const { main } = await runNode({
		...{ resource: 'business', operation: 'getEvents', identifyBy: 'businessId' },
		...{ businessIds: id, eventTypes: trigger?.parameters.eventTypes ?? [] },
	});
	surroundings.triggered = jsonOf(main);
	expect(surroundings.triggered).toHaveLength(events.length);

	await run('funding-alert', 'When an account raises money');
	fault({ times: 1, do: { kind: 'status', status: 402 } });
	await run('funding-alert', 'When an account raises money');

	const date = day.toUTCString().slice(5, 16).replace(/^0/, '');
	const link = `https://news.example/5-${day.toISOString().slice(0, 10)}`;
	const raised = `new funding round on ${date}. Raised 5,000,000 USD. Round: series B.`;
	const total = String.raw`Funding known in total: [\d,]+ USD`;
	const [round, bought, offer, withoutHistory] = surroundings.sent;
	expect(round).toMatch(new RegExp(`^Eastern Analytics: ${raised} ${total}\\. ${link}$`));
	expect(bought).toMatch(`: new investment on ${date}. Invested 1,250,000 EUR. In: Falcon. Fund`);
	expect(offer).toMatch(
		new RegExp(`on ${date}. Offers 2,000,000 \\(currency unknown\\). ${total}$`),
	);
	expect(withoutHistory).toBe(`Account ${id}: ${raised} ${link}`);
});

test('weekly-credit-report: total, days and endpoints of last week', async () => {
	const { run, surroundings } = await start();

	await run('weekly-credit-report', 'Every Monday at 7');

	const [report = ''] = surroundings.sent;
	expect(report).toMatch(/^Credits from \d+ \w+ to \d+ \w+: \d+ \(week before: \d+\)\nMon /);
	expect(report.split('\n')).toHaveLength(1 + 7 + 3);
});
