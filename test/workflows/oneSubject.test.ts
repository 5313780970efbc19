/** Chains of nodes over several weeks: no value about one person or company beside another's ID. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CONTINUE, jsonOf, type Service, startService } from './service';

const PEOPLE = 6;

/** A generator with a seed, so that a failing chain can be run again. */
function random(seed: number) {
	let state = seed;
	const next = () => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return state / 2_147_483_648;
	};
	return {
		below: (count: number) => Math.floor(next() * count),
		chance: (share: number) => next() < share,
	};
}

/** Every text of a record names the record's ID; members are missing at random. */
function tagged(value: unknown, tag: string, { chance }: ReturnType<typeof random>): unknown {
	if (Array.isArray(value))
		return chance(0.3) ? [] : value.map((one) => tagged(one, tag, { chance, below: () => 0 }));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([name, member]) => [
				name,
				/_id$/.test(name)
					? member
					: chance(0.3)
						? null
						: tagged(member, tag, { chance, below: () => 0 }),
			]),
		);
	}
	return typeof value === 'string' ? `${tag}` : null;
}

function tagAnswers(service: Service, dice: ReturnType<typeof random>) {
	const tagRow = (row: IDataObject) => {
		const id = String(row.prospect_id ?? row.business_id);
		if (dice.chance(0.25)) return { ...row, data: null };
		return { ...row, data: tagged(row.data, `#${id}#`, dice) };
	};
	const rule = (to: string[], member: string) =>
		service.change(
			(answer) => ({ ...answer, [member]: (answer[member] as IDataObject[]).map(tagRow) }),
			{ when: { to: to as never }, times: 'always' },
		);
	rule(
		[
			'profileBulk',
			'contactsBulk',
			'postsBulk',
			'fundingAndAcquisition',
			'intent',
			'technologyStack',
		],
		'data',
	);
	rule(['prospectEvents', 'businessEvents'], 'output_events');
	// Companies are named after their IDs, so that what Find writes is tagged as well.
	service.change(
		({ data, ...answer }) => ({
			...answer,
			data: (data as IDataObject[]).map((row) => ({
				...row,
				company_name: `#${row.business_id}#`,
				company_website: `#${row.business_id}#`,
			})),
		}),
		{ when: { to: 'search' }, times: 'always' },
	);
}

/** What is about whom, known to the test alone: the prefixes of the columns. */
const PROSPECT_COLUMN = /^(contacts|profile|network_posts)(_|$)/;
const BUSINESS_COLUMN = /^(funding_and_acquisition|intent|technology_stack|found)(_|$)/;

function strangersIn(row: IDataObject): string[] {
	return Object.entries(row).flatMap(([name, value]) => {
		const id = PROSPECT_COLUMN.test(name)
			? row.prospect_id
			: BUSINESS_COLUMN.test(name)
				? row.business_id
				: undefined;
		if (id === undefined) return [];
		const tags = JSON.stringify(value ?? null).match(/#[0-9a-f]+#/g) ?? [];
		return tags.filter((tag) => tag !== `#${id}#`).map((tag) => `${name}: ${tag} beside ${id}`);
	});
}

const pick = <Value>(values: readonly Value[], { below }: ReturnType<typeof random>) =>
	values[below(values.length)] as Value;

function someOf<Value>(values: readonly Value[], dice: ReturnType<typeof random>): Value[] {
	const some = values.filter(() => dice.chance(0.5));
	return some.length > 0 ? some : [pick(values, dice)];
}

const byId = (id: string) => `={{ $json.${id} }}`;

function nodeOf(dice: ReturnType<typeof random>): INodeParameters {
	const isProspect = dice.chance(0.6);
	const simplify = dice.chance(0.8);
	const common = { includeInputFields: true, simplify };
	if (isProspect) {
		const details = { email: byId('mail'), network: byId('url') };
		const how = dice.chance(0.5)
			? { identifyBy: 'personDetails', ...details }
			: { identifyBy: 'prospectId', prospectIds: byId('prospect_id') };
		return pick<INodeParameters>(
			[
				{ resource: 'prospect', operation: 'match', ...details, ...common },
				{
					resource: 'prospect',
					operation: 'enrich',
					...how,
					...common,
					dataSets: someOf(['contacts', 'profile', 'networkPosts'], dice),
				},
				{
					resource: 'prospect',
					operation: 'getEvents',
					...how,
					...common,
					eventTypes: someOf(
						['prospect_changed_company', 'prospect_changed_role', 'prospect_job_start_anniversary'],
						dice,
					),
				},
			],
			dice,
		);
	}
	const how = pick<INodeParameters>(
		[
			{ identifyBy: 'workEmail', workEmail: byId('mail') },
			{ identifyBy: 'prospectId', prospectId: byId('prospect_id') },
			{ identifyBy: 'businessId', businessIds: byId('business_id') },
		],
		dice,
	);
	const find =
		how.identifyBy === 'businessId' ? { identifyBy: 'workEmail', workEmail: byId('mail') } : how;
	return pick<INodeParameters>(
		[
			{ resource: 'business', operation: 'find', ...find, ...common },
			{
				resource: 'business',
				operation: 'enrich',
				...how,
				...common,
				dataSets: someOf(['fundingAndAcquisition', 'intent', 'technologyStack'], dice),
			},
			{ resource: 'business', operation: 'getEvents', ...how, ...common },
		],
		dice,
	);
}

const FIELDS = process.env.FIELDS ?? 'withIds';

const MEMBERS: Record<string, string[]> = {
	contacts: [
		'contacts_email',
		'contacts_emails',
		'contacts_phone_number',
		'contacts_professional_email_status',
	],
	profile: ['profile_job_title', 'profile_skills', 'profile_company_name', 'profile_experience'],
	networkPosts: ['network_posts_post_text', 'network_posts_count'],
	fundingAndAcquisition: [
		'funding_and_acquisition_acquired_by',
		'funding_and_acquisition_investors',
	],
	intent: ['intent_company_name', 'intent_intent_topics'],
	technologyStack: ['technology_stack_sales', 'technology_stack_hr'],
};

function fieldsOf(
	node: INodeParameters,
	rows: IDataObject[],
	dice: ReturnType<typeof random>,
): string {
	const sets = Array.isArray(node.dataSets) ? (node.dataSets as string[]) : [];
	const own = sets.flatMap((name) => MEMBERS[name] ?? []).filter(() => dice.chance(0.6));
	const ofInput = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
		dice.chance(0.7),
	);
	const kept = ['crm', 'mail', 'url', 'profile_url', 'strategy'];
	const idOfNode = node.resource === 'prospect' ? 'prospect_id' : 'business_id';
	const ids =
		FIELDS === 'withIds'
			? [idOfNode, ...['prospect_id', 'business_id'].filter((id) => rows.some((row) => id in row))]
			: [];
	return [...new Set([...kept, ...ids, ...own, ...ofInput])].join(', ');
}

const SEEDS = Array.from(
	{ length: Number(process.env.CHAINS ?? 40) },
	(_, seed) => seed + Number(process.env.FIRST ?? 1),
);

test.each(SEEDS)('chain %d', async (seed) => {
	const dice = random(seed);
	const service = await startService({ people: 40, eventsPerDay: 200 });
	const { world } = service;
	tagAnswers(service, dice);
	const mailOf = (person: number) =>
		`${world.person(person).mailbox}@${world.company(world.person(person).company).domain}`;
	let rows: IDataObject[] = Array.from({ length: PEOPLE }, (_, crm) => ({
		crm,
		profile_url: 'own',
		strategy: 'ours',
	}));
	for (let week = 0; week < 3; week++) {
		// In some rows, somebody else or nobody is meant from now on.
		rows = rows.map((row) => {
			const person = dice.below(40);
			const change = week === 0 || dice.chance(0.4);
			if (!change) return row;
			return dice.chance(0.2)
				? { ...row, mail: 'nobody@nowhere.example', url: '' }
				: { ...row, mail: mailOf(person), url: world.person(person).network };
		});
		for (let step = 0; step < 4; step++) {
			const node = nodeOf(dice);
			const fields = FIELDS === 'none' || dice.chance(0.6) ? undefined : fieldsOf(node, rows, dice);
			if (fields !== undefined) node.options = { fields };
			const run = await service.run(node, rows, CONTINUE);
			expect(run.failure).toBeUndefined();
			const out = jsonOf(run.main);
			const strangers = out.flatMap(strangersIn);
			expect({ seed, week, step, node, strangers }).toMatchObject({ strangers: [] });
			for (const row of out) expect(row).toMatchObject({ profile_url: 'own', strategy: 'ours' });
			// One row for each input row goes on, as a CRM would keep it.
			const byCrm = new Map(rows.map((row) => [row.crm, row]));
			for (const row of out) byCrm.set(row.crm as number, row);
			rows = [...byCrm.values()];
		}
	}
});
