/** The workflows of examples/, run in n8n's engine. */
import type { IDataObject } from 'n8n-workflow';
import { mobilePhone, professionalEmail } from '../sandbox/world/prospect-data';
import { CRMS, type Example, readExample, startExamples } from './example';
import { jsonOf, startService } from './service';

const FAILED = 'Rows that failed';
const CONTACTS = 'Practice contacts';
const BY_HAND = 'When clicking ‘Execute workflow’';
const LIST: [string, string] = ['list-building', BY_HAND];
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
	...{ first_name: null, last_name: null, company_name: null, email: null, phone: null },
	...{ profile_url: null, job_title: null, prospect_id: null, match_check: null },
	...values,
});

test.each([
	['crm-enrichment', 'Every Monday at 6', ['Enrich contacts'], 10],
	['account-list', 'Every Tuesday at 6', ['Enrich accounts', 'Get intent'], 44],
])(
	'%s: the first click makes practice rows and fills them, and a second run pays nothing',
	async (id, trigger, paid, count) => {
		const { run, log } = await start();

		const first = await run(id, BY_HAND);
		const second = await run(id, trigger);

		expect(first.rows('Write to CRM')).toHaveLength(count);
		expect(first.rows(FAILED)).toEqual([]);
		expect(second.rows('Write to CRM')).toEqual(first.rows('Write to CRM'));
		for (const node of paid) {
			expect(second.hints(node)).toContain('0 bought, 0 requests');
			expect([first, second].map((one) => one.hints(node)).join()).not.toMatch(/column's? name/);
		}
		expect(log.entries).toEqual([]);
	},
);

test.each([
	['job-change-alert', 'Watched contacts', 50],
	['job-change-play', 'Job change proposals', 0],
])('%s: the first click works', async (id, tableName, count) => {
	const { run, table } = await start();

	await run(id, BY_HAND);

	expect(table(CONTACTS)).toHaveLength(50);
	expect(table(tableName)).toHaveLength(count);
});

describe('crm-enrichment', () => {
	test('a row that the CRM refuses holds up no other, and costs nothing in the next run', async () => {
		const { run, log, table, surroundings, truthOf } = await start();
		await run('crm-enrichment', BY_HAND);
		const rows = Array.from({ length: 100 }, (_, index) => {
			// The first ten are bought already.
			const { firstName: first_name, lastName: last_name, company, id } = truthOf(index + 10);
			return { ...contact(id, { first_name, last_name, company_name: company }), id: index + 1 };
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

	test('only empty cells are filled, and of someone else nothing is taken over', async () => {
		const { run, table, truthOf } = await start();
		await run('crm-enrichment', BY_HAND);
		const [known, other] = [truthOf(62), truthOf(63)];
		const own = { job_title: 'Owner', phone: '+49 30 1234567' };
		const rows = [
			contact('known', { email: known.email, phone: own.phone }),
			contact('nobody', { email: 'nobody@nowhere.example', ...own, prospect_id: known.id }),
			contact('other', { first_name: 'Zoe', last_name: 'Zimmer', email: other.email, ...own }),
			contact('blank', { first_name: 'Only', last_name: 'A Name' }),
		];
		table(CONTACTS).splice(0, 10, ...rows.map((row, at) => ({ ...row, id: at + 1 })));

		const result = await run(...CRM);

		const { id: prospect_id, position } = known;
		expect(table(CONTACTS)).toMatchObject([
			{ ...rows[0], job_title: position.title, prospect_id, match_check: 'unknown' },
			...rows.slice(1),
		]);
		expect(result.rows('A person checks here')).toMatchObject([{ contact_id: 'other' }]);
	});
});

/** The example with a Filter node before another node. */
function withFilter(example: Example, before: string, leftValue: string, rightValue = 'valid') {
	const conditions = [{ leftValue, rightValue, operator: { type: 'string', operation: 'equals' } }];
	const [node] = structuredClone(example.nodes.filter(({ name }) => name === before));
	Object.assign(node ?? {}, {
		...{ id: 'filter', name: 'Filter', type: 'n8n-nodes-base.filter' },
		parameters: { conditions: { conditions } },
	});
	const connections = JSON.parse(
		JSON.stringify(example.connections).replaceAll(`"node":"${before}"`, '"node":"Filter"'),
	) as Example['connections'];
	const main = [[{ node: before, type: 'main' as const, index: 0 }]];
	const nodes = [...example.nodes, ...(node ? [node] : [])];
	return { ...example, nodes, connections: { ...connections, Filter: { main } } };
}

/** The row of a CRM in which the expressions find the values. */
function rowWith(expressions: Map<string, string>, values: IDataObject): IDataObject {
	const row: IDataObject = {};
	for (const [field, expression] of expressions) {
		const path = expression.replace(/^\{\{ \$json\.| \}\}$/g, '');
		const names = path.replaceAll('[', '.').replaceAll(']', '').split('.');
		const last = names.pop() ?? '';
		let place = row;
		for (const name of names) place = (place[name] ??= {}) as IDataObject;
		place[last] = values[field] ?? null;
	}
	return row;
}

/** The example as a person has it after replacing its table nodes and dragging fields into From your CRM. */
function withCrm(example: Example, expressions: Map<string, string>): Example {
	const nodes = structuredClone(example.nodes);
	for (const node of nodes) {
		if (node.name === 'Read CRM') Object.assign(node, { type: 'n8n-nodes-base.manualTrigger' });
		if (node.name === 'Write to CRM') Object.assign(node, { type: 'n8n-nodes-base.noOp' });
		if (node.name !== 'From your CRM') continue;
		const { assignments } = node.parameters.assignments as { assignments: IDataObject[] };
		const names = ['first_name', 'last_name'].map((name) => expressions.get(name) ?? '').join(' ');
		for (const field of assignments) {
			const name = String(field.name);
			field.value = `=${expressions.get(name) ?? (name === 'full_name' ? names : '')}`;
		}
	}
	return { ...example, nodes };
}

describe.each(CRMS)('contacts of $name', ({ contacts: expressions }) => {
	test('in three weeks nothing that people entered is lost, and only what is new is paid for', async () => {
		const { run, log, surroundings, truthOf, fault } = await start();
		const example = withCrm(readExample('crm-enrichment'), expressions);
		const rowOf = (index: number, details?: IDataObject) => {
			const {
				firstName: first_name,
				lastName: last_name,
				fullName,
				company,
				network,
			} = truthOf(index);
			const names = { first_name, last_name, full_name: fullName, company_name: company };
			const given = details ?? [{ profile_url: network }, {}][index % 2];
			return { contact_id: `90071992547409${93_001 + index}`, ...names, ...given };
		};
		const crm: IDataObject[] = Array.from({ length: 12 }, (_, index) => rowOf(index));
		const FILLED = ['email', 'phone', 'job_title', 'prospect_id'];
		/** A run, after which the CRM writes all columns that it got, except for rows that it refuses. */
		const week = async (refuses: (id: unknown) => boolean = () => false) => {
			surroundings.triggered = crm.map((row) => rowWith(expressions, row));
			const before = structuredClone(crm);
			const result = await run('crm-enrichment', 'Read CRM', { example });
			const written = result.rows('Write to CRM');
			const ids = written.map(({ contact_id: id }) => id);
			expect(new Set(ids).size).toBe(ids.length);
			for (const row of crm) {
				const own = written.find(({ contact_id: id }) => id === row.contact_id);
				if (refuses(row.contact_id)) continue;
				for (const field of own ? FILLED : []) row[field] = own?.[field];
			}
			expect(crm).toMatchObject(
				before.map((row) =>
					Object.fromEntries(Object.entries(row).filter(([, cell]) => cell && cell !== 'n/a')),
				),
			);
			return { ...result, ids };
		};

		expect((await week((id) => id === crm[4]?.contact_id)).ids).toEqual(
			crm.map(({ contact_id: id }) => id),
		);
		const truth = crm.map((_, index) => truthOf(index));
		expect(crm.map(({ email }) => email ?? null)).toEqual(
			truth.map(({ email }, index) => (index === 4 ? null : (email ?? null))),
		);

		Object.assign(crm[0] ?? {}, { email: 'typed@by-hand.example', job_title: 'Boss' });
		const married = { first_name: 'Zoe', last_name: 'Zimmer', full_name: 'Zoe Zimmer' };
		Object.assign(crm[2] ?? {}, { ...married, phone: '' });
		crm.splice(3, 1);
		const added = truthOf(70);
		crm.push(rowOf(70, { email: added.email, phone: 'n/a' }));
		const outage = fault({ do: { kind: 'status', status: 402 } });
		await week();
		outage.remove();
		// The CRM is out of order.
		await week(() => true);
		expect(log.idsAskedFor('profileBulk')).toEqual([added.id]);
		// Who was corrected, who married, and who is new.
		expect(log.count('match').ids).toBe(3);

		const second = await week();
		expect(log.entries).toEqual([]);
		expect(second.rows('A person checks here')).toMatchObject([{ contact_id: crm[2]?.contact_id }]);
		expect(crm[2]?.phone).toBe('');
		expect(crm.at(-1)).toMatchObject({ phone: added.phone, prospect_id: added.id });

		await week();
		expect(log.entries).toEqual([]);
	});
});

test.each(CRMS)('accounts of $name are found', async ({ accounts: expressions }) => {
	const { run, log, surroundings, world } = await start();
	const example = withCrm(readExample('account-list'), expressions);
	surroundings.triggered = [1, 2, 3].map((index) => {
		const { name, website } = world.company(world.person(index).company);
		return rowWith(expressions, { account_id: `A${index}`, company_name: name, website });
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

describe('list-building', () => {
	test('each run adds the next people, and a person whom the CRM refused costs nothing later', async () => {
		const { run, log, table, surroundings } = await start();
		let refused: unknown;
		surroundings.refuses = ({ contact_id: id }) => id !== undefined && (refused ??= id) === id;

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

	test('people whom a filter leaves out hold up no later run, and can still be added', async () => {
		const { run, log, table } = await start();
		const example = readExample(LIST[0]);
		const find = example.nodes.find(({ name }) => name === 'Find prospects');
		Object.assign(find?.parameters ?? {}, { limit: 8 });
		const filtered = withFilter(example, 'To your CRM', '={{ $json.contacts_email_status }}');
		const bought: string[] = [];

		while (bought.length < 24) {
			const { rows } = await run(...LIST, { example: filtered });
			bought.push(...log.idsAskedFor('contactsBulk'));
			expect(rows('Find prospects')).toHaveLength(8);
			expect(rows('Add to CRM').length).toBeGreaterThan(0);
			expect(rows('Add to CRM').length).toBeLessThan(8);
		}

		expect(new Set(bought).size).toBe(24);
		expect(table('Found people')).toHaveLength(24);
		await run(...LIST);
		expect(table(CONTACTS).map(({ prospect_id: id }) => id)).toEqual(
			expect.arrayContaining(bought),
		);
	});
});

test('account-list: funding and intent of each account', async () => {
	const { run, table } = await start();

	await run('account-list', BY_HAND);

	const rows = table('Practice accounts');
	expect(rows[0]).toMatchObject({
		business_id: expect.stringMatching(/^[a-f0-9]{32}$/),
		funding_last_round_type: expect.stringContaining('series'),
		funding_known_total_value: expect.any(Number),
		intent_top_topic: expect.stringContaining(': '),
		intent_top_score: expect.any(Number),
	});
	for (const { intent_topic_count: count, intent_top_topic: topic } of rows)
		expect(Number(count) > 0).toBe(Boolean(topic));
});

test('new-prospects: who is new is added once, also without contact details', async () => {
	const { run, log, surroundings, fault } = await start();
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
		const { run, surroundings, table, world } = service;
		await run('job-change-alert', BY_HAND);
		// As before the first morning.
		table('Watched contacts').splice(0);
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
		// In a CRM's cell, an ID may look different.
		for (const row of table(CONTACTS))
			row.prospect_id = ` ${truthOf(row.id - 1).id.toUpperCase()}\n`;
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

	test('a line leaves out what is not known', async () => {
		const { tell, move, truthOf, table, change } = await startWatching();
		await tell();
		Object.assign(table(CONTACTS)[3] ?? {}, { first_name: null, last_name: null });
		const none = { current_company_name: null, current_job_title: null };
		const month = move(3, 'company', none);
		expect(await tell()).toEqual([
			`${truthOf(3).id} left ${truthOf(3).company} and is now in a new job (${month})`,
		]);

		move(4, 'company', { ...BOLT, current_company_name: null });
		change(({ output_events, ...answer }) => ({
			...answer,
			output_events: (output_events as IDataObject[]).map((event) => ({
				...event,
				event_time: null,
			})),
		}));
		expect(await tell()).toEqual([
			`${truthOf(4).fullName} left ${truthOf(4).company} and is now CTO`,
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

describe('job-change-play', () => {
	/** @param changes to the first move */
	async function startPlay(changes?: IDataObject) {
		const service = await start();
		const { run, truthOf, world } = service;
		await run('job-change-play', BY_HAND);
		const mover = truthOf(3);
		const isColleague = (index: number) =>
			index !== 3 && truthOf(index).companyId === mover.companyId;
		const colleague = truthOf(
			Array.from({ length: 200 }, (_, index) => index).findIndex(isColleague),
		);
		const data = {
			...{ current_company_name: 'Harbor', current_job_title: 'Owner' },
			...{ previous_company_name: mover.company, previous_company_id: mover.companyId },
			previous_job_title: colleague.position.title,
		};
		const move = (more?: IDataObject, time?: Date) =>
			world.addEvent({
				...{ prospect: 3, event_name: 'prospect_changed_company', data: { ...data, ...more } },
				...(time && { time }),
			});
		const left = `Left ${mover.company} in ${monthOf(move(changes).time)}. `;
		return { ...service, mover, colleague, left, move };
	}
	const PROPOSALS = 'Job change proposals';
	const moverOf = ({
		id,
		firstName: first_name,
		email,
	}: Awaited<ReturnType<typeof startPlay>>['mover']) => ({
		...{ first_name, company_name: 'Harbor', job_title: 'Owner', email, status: null },
		...{ contact_id: 'C-1004', prospect_id: id },
	});

	test('only what a person approves is written, once', async () => {
		const { run, table, mover, colleague, left } = await startPlay();

		await run(...PLAY);
		const proposals = table(PROPOSALS);
		const { firstName: first_name, id: prospect_id } = colleague;
		const proposed = { first_name, company_name: mover.company, prospect_id };
		expect(proposals).toMatchObject([
			{ ...proposed, why: `Has the role of ${mover.fullName}, who left`, status: null },
			{ ...moverOf(mover), why: expect.stringMatching(`^${left}The new email is `) },
		]);
		const before = structuredClone(table(CONTACTS));

		await run(...PLAY);
		expect(table(CONTACTS)).toEqual(before);
		Object.assign(proposals[0] ?? {}, { status: 'Approved ' });
		Object.assign(proposals[1] ?? {}, { status: 'not approved' });
		await run(...PLAY);
		await run(...PLAY);
		expect(table(PROPOSALS).map(({ status }) => status)).toEqual(['written', 'not approved']);
		expect(table(CONTACTS).slice(before.length)).toMatchObject([proposed]);
	});

	test('the email that the CRM has already is no new one', async () => {
		const { run, table, mover, left } = await startPlay();
		for (const row of table(CONTACTS)) {
			if (row.contact_id === 'C-1004') row.email = mover.email?.toUpperCase();
			// An ID of another kind is that row's problem only.
			if (row.contact_id === 'C-1008') row.prospect_id = '003ABC';
		}

		await run(...PLAY);

		expect(table(PROPOSALS)[1]).toMatchObject({ why: `${left}No new email is known` });
	});

	test('what the service does not say of a new job stays in the CRM, for each of two contacts with one ID', async () => {
		const { run, table } = await startPlay({
			...{ current_company_name: null, current_job_title: null },
			previous_company_name: null,
		});
		const kept = { ...table(CONTACTS)[3], company_name: 'Mine', job_title: 'Friend' };
		Object.assign(table(CONTACTS)[3] ?? {}, kept);
		table(CONTACTS).push({ ...kept, contact_id: 'C-twice', id: 51 });
		await run(...PLAY);
		for (const proposal of table(PROPOSALS)) proposal.status = 'approved';

		await run(...PLAY);

		const moved = table(PROPOSALS).filter(({ why }) =>
			/^Left the old company in/.test(String(why)),
		);
		expect(moved).toMatchObject([{ contact_id: 'C-1004' }, { contact_id: 'C-twice' }]);
		for (const { contact_id } of moved) {
			expect(table(CONTACTS)).toContainEqual(
				expect.objectContaining({ contact_id, company_name: 'Mine', job_title: 'Friend' }),
			);
		}
	});

	test('of two moves that are approved, the CRM ends with the later one', async () => {
		const { run, table, move } = await startPlay();
		move({ current_company_name: 'Stopover' }, new Date(Date.now() - 60 * 86_400_000));
		await run(...PLAY);
		for (const proposal of table(PROPOSALS)) proposal.status = 'approved';

		await run(...PLAY);

		expect(table(CONTACTS)[3]).toMatchObject({ contact_id: 'C-1004', company_name: 'Harbor' });
	});

	test.each(['previous_job_title', 'previous_company_id'])(
		'a move without %s is proposed, without a successor',
		async (field) => {
			const { run, table, mover } = await startPlay({ [field]: null });

			const { rows } = await run(...PLAY);

			expect(rows(FAILED)).toEqual([]);
			expect(table(PROPOSALS)).toMatchObject([moverOf(mover)]);
		},
	);

	test.each(['search', 'contacts'])('if %s fails, the next run proposes it', async (endpoint) => {
		const { run, table, mover, fault, log } = await startPlay();
		fault({ when: { to: endpoint }, times: 1, do: { kind: 'status', status: 402 } });

		const failed = await run(...PLAY);
		expect(failed.rows(FAILED)).toHaveLength(1);
		expect(table(PROPOSALS).map(({ contact_id: id }) => id)).not.toContain('C-1004');

		await run(...PLAY);
		expect(table(PROPOSALS)).toHaveLength(2);
		expect(table(PROPOSALS)).toContainEqual(expect.objectContaining(moverOf(mover)));
		await run(...PLAY);
		expect(new Set(log.entries.map(({ endpoint: name }) => name))).toEqual(
			new Set(['prospectEvents']),
		);
	});
});

describe('inbound-lead', () => {
	async function startForm() {
		const service = await start();
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
		expect(table('Practice leads')).toMatchObject([{ email, phone, score: 70, message: 'Hello?' }]);
	});

	test('low scores, unknown people and other people end apart, without a phone number', async () => {
		const { submit, truthOf } = await startForm();

		expect(await submit(LOW)).toMatchObject({
			ends: ['Nurture here'],
			requests: ['match', 'profileBulk'],
			lead: { score: 30, job_title: truthOf(LOW).position.title, phone: '' },
		});
		expect(await submit(LOW, { 'Work email': 'no@body.example', Company: '' })).toMatchObject({
			ends: ['Second source here'],
			requests: ['match'],
			lead: { score: 0, job_title: '' },
		});
		const zoe = { 'First name': 'Zoe', 'Last name': 'Zimmer', Company: '' };
		expect(await submit(SALES, zoe)).toMatchObject({
			ends: ['A person checks here'],
			told: [],
			lead: { last_name: 'Zimmer', score: 0, job_title: '', company_name: '' },
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
