// The node as a tool of n8n's AI Agent: what the model gets to know of it, what it may give, and what it gets to read.
// n8n is real; the model behind its "OpenAI Chat Model" node is played, and answers what the test says.
//
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { agentWorkflow, startChatModel } from './chatModel.mjs';
import {
	atEnd,
	credentialFor,
	credentials,
	getPackage,
	NODE,
	node,
	startN8n,
	startService,
	SUITE_MS,
} from './stage.mjs';

/** @typedef {import('../sandbox/faults/kinds.ts').Fault} Fault */

const TOOL = `${NODE}Tool`;
const EXAMPLE = 'company-research-agent';
/** Versions of the agent that are in use, each with a version of the model node that it takes. */
const NEWER = { agent: 3.1, model: 1.3 };
const OLDER = { agent: 2.2, model: 1.2 };

/** What a model may be given to read, in characters: about 20,000 tokens in one answer, and 1,000 in one row. */
const LONGEST_ANSWER = 80_000;
const LONGEST_ROW = 4_000;

const BUSINESS_EVENTS = [
	'ipo_announcement',
	'new_funding_round',
	'new_investment',
	'new_office',
	'new_product',
];

const fromAi = (key, type = 'string') => `={{ $fromAI('${key}', 'The ${key}', '${type}') }}`;
const given = (value) => ({ __rl: true, mode: 'value', value });

const TOOLS = {
	enrich: (...dataSets) => ({
		resource: 'business',
		operation: 'enrich',
		businessIds: fromAi('ids'),
		dataSets,
	}),
	enrichPeople: (...dataSets) => ({
		resource: 'prospect',
		operation: 'enrich',
		prospectIds: fromAi('ids'),
		dataSets,
	}),
	events: (resource) => ({
		resource,
		operation: 'getEvents',
		[`${resource}Ids`]: fromAi('ids'),
	}),
	find: (more) => ({ resource: 'prospect', operation: 'getAll', ...more }),
	match: () => ({
		resource: 'prospect',
		operation: 'match',
		email: fromAi('email'),
		fullName: fromAi('name'),
		companyName: fromAi('company'),
		moreDetails: {
			phoneNumber: fromAi('phone'),
			network: fromAi('network'),
			businessId: fromAi('business_id'),
		},
	}),
	search: (field) => ({
		resource: 'filterValue',
		operation: 'search',
		field,
		query: fromAi('text'),
	}),
};

/** An agent with these tools, each under its name. */
const workflowOf = (tools, versions, onError) =>
	agentWorkflow(
		versions,
		Object.entries(tools).map(([name, parameters]) =>
			node(name, TOOL, 1, parameters, { credentials, ...(onError && { onError }) }),
		),
	);

/** The example as it is published, with a credential for its model, which users have to choose. */
async function readExample() {
	const file = new URL(`../../examples/${EXAMPLE}.json`, import.meta.url);
	const workflow = JSON.parse(await readFile(file, 'utf8'));
	for (const node of workflow.nodes) {
		if (node.type === TOOL) node.credentials = credentials;
		if (node.name === 'Chat model')
			node.credentials = { openAiApi: { id: 'model', name: 'Model' } };
	}
	return { ...workflow, id: EXAMPLE, active: false };
}

/** Starts the service, the model and n8n, and says how to have an agent use tools. */
async function startAgents(t) {
	const sandbox = await startService(t, { rateLimit: null });
	const model = await startChatModel();
	atEnd(t, () => model.close());
	const n8n = await startN8n(t, 'agent', {
		workflows: [await readExample()],
		credentials: [credentialFor(sandbox), model.credential],
	});

	/** Runs a workflow with what the model answers; gives how it ended, and what it was sent. */
	async function run(id, trigger, script) {
		model.play(script);
		const { status, data } = await n8n.runWorkflow(id, trigger);
		const { error, runData } = data.resultData;
		assert.ok(!JSON.stringify(model.requests).includes(sandbox.apiKey), 'the model sees the key');
		return { status, error: error?.message, runData, requests: model.requests };
	}

	/**
	 * Has an agent call tools one after the other; gives the text that the model gets for each call.
	 *
	 * @param {object} tools
	 * @param {object[]} calls
	 * @param {{ versions?: typeof NEWER, onError?: string, prepare?: (at: number) => void }} [options]
	 */
	async function callEach(tools, calls, { versions = NEWER, onError, prepare = () => {} } = {}) {
		const { id } = await n8n.rest('POST', '/workflows', workflowOf(tools, versions, onError));
		const steps = calls.map((call, at) => () => {
			prepare(at);
			return { calls: [call] };
		});
		const { status, error, requests } = await run(id, 'Start', [...steps, { say: 'Done.' }]);
		return { status, error, requests, results: requests.at(-1)?.results ?? [] };
	}
	return { sandbox, run, callEach };
}

describe('the node as a tool of an AI agent', { timeout: SUITE_MS }, () => {
	before(() => getPackage());

	it('in n8n', async (t) => {
		const stage = await startAgents(t);
		const { sandbox, run, callEach } = stage;
		const { world } = sandbox;

		await t.test('the example researches a company', async () => {
			const company = world.company(3);
			const { name } = company;
			const spellings = [name, name.toLowerCase(), name.toUpperCase()];
			const id = world.businessId(3);
			sandbox.clear();

			const last = ({ results }) => JSON.parse(results.at(-1));
			const { status, error, runData, requests } = await run(
				EXAMPLE,
				'When clicking ‘Execute workflow’',
				[
					{
						calls: [{ tool: 'Get_company_data', arguments: { company_name: 'Copper Analytics' } }],
					},
					(heard) => ({
						calls: [
							{
								tool: 'Get_company_news',
								arguments: { business_ids: last(heard)[0].business_id, from: '' },
							},
							{
								tool: 'Find_people',
								arguments: { business_id: last(heard)[0].business_id, job_levels: '' },
							},
						],
					}),
					({ results: [data, news, people] }) => ({
						say: [
							JSON.parse(people)[0].full_name,
							JSON.parse(data)[0].funding_known_total_value,
							JSON.parse(news).length,
						].join(', '),
					}),
				],
			);
			assert.deepEqual({ status, error }, { status: 'success', error: undefined });

			// What the model knows of the tools.
			const { tools, texts } = requests[0];
			assert.match(texts.join('\n'), /"Copper Analytics" for a sales call/);
			assert.deepEqual(
				tools.map(({ name, parameters }) => [name, parameters.required.toSorted()]).toSorted(),
				[
					['Find_people', ['business_id', 'job_levels']],
					['Get_company_data', ['company_name']],
					['Get_company_news', ['business_ids', 'from']],
				],
			);
			for (const { name, description, parameters } of tools) {
				assert.match(description, /^\w+s .{30,}\.$/, name);
				for (const { type, description: meaning } of Object.values(parameters.properties)) {
					assert.ok(['string', 'number'].includes(type));
					assert.ok(meaning.length > 20, `${name}: ${meaning}`);
				}
			}

			// What was requested.
			assert.deepEqual(
				sandbox.log.entries
					.map(({ endpoint, query, body }) => [endpoint, body ?? query])
					.toSorted(),
				[
					['businessEvents', { event_types: BUSINESS_EVENTS, business_ids: [id] }],
					['fundingAndAcquisition', { business_ids: [id] }],
					[
						'search',
						{
							mode: 'full',
							size: 25,
							page_size: 25,
							page: 1,
							filters: { company_name: { values: spellings } },
						},
					],
					[
						'search',
						{
							mode: 'full',
							size: 5,
							page_size: 5,
							page: 1,
							filters: { business_id: { values: [id] } },
						},
					],
					['technologyStack', { business_ids: [id] }],
				],
			);

			// What came of it.
			const [{ json: row }] = runData.Brief[0].data.main[0];
			assert.equal(row.company, 'Copper Analytics');
			assert.match(row.brief, /^\w+ \w+, \d{6,}, \d+$/);
		});

		await t.test('the model sees what a tool does and takes', async () => {
			const { requests } = await callEach(
				{
					Match: { ...TOOLS.match(), descriptionType: 'auto' },
					'Find people': TOOLS.find({
						limit: fromAi('limit', 'number'),
						filters: {
							has_email: [{ value: fromAi('email', 'boolean') }],
							city_region_country: [{ value: given(fromAi('city')) }],
							job_title: [{ value: given(fromAi('title')) }],
							total_experience_months: [{ gte: fromAi('months', 'number') }],
						},
						options: { fields: fromAi('fields', 'json') },
					}),
				},
				[],
			);
			const described = requests[0].tools.map(({ name, description, parameters }) => [
				name,
				description,
				Object.entries(parameters.properties)
					.map(([key, { type = 'any', description: meaning }]) => [key, type, meaning])
					.toSorted(),
			]);
			const text = (key) => [key, 'string', `The ${key}`];
			assert.deepEqual(described.toSorted(), [
				[
					'Find_people',
					'Get many prospects in Business and Prospect Data',
					[
						text('city'),
						['email', 'boolean', 'The email'],
						['fields', 'any', 'The fields'],
						['limit', 'number', 'The limit'],
						['months', 'number', 'The months'],
						text('title'),
					],
				],
				[
					'Match',
					'Match prospects in Business and Prospect Data',
					['business_id', 'company', 'email', 'name', 'network', 'phone'].map(text),
				],
			]);
		});

		await t.test('what models give is understood', async () => {
			sandbox.clear();
			const [a, b] = world.businessIds(2);
			const { network } = world.person(4);
			const find = {
				limit: fromAi('limit'),
				filters: {
					company_size: [{ value: fromAi('sizes') }],
					has_email: [{ value: fromAi('email') }],
					city_region_country: [{ value: given(fromAi('cities')) }],
					country_code: [{ value: given(fromAi('countries')) }],
					job_title: [{ value: given(fromAi('title')) }],
					total_experience_months: [{ gte: fromAi('least'), lte: fromAi('most') }],
				},
				options: { fields: fromAi('fields') },
			};
			const tools = {
				Enrich: TOOLS.enrich('fundingAndAcquisition'),
				Match: TOOLS.match(),
				Find: TOOLS.find(find),
				Events: { ...TOOLS.events('business'), timestampFrom: fromAi('from') },
			};
			const nothingSent = {
				input_email: null,
				input_full_name: null,
				input_company_name: null,
				input_phone_number: null,
				input_business_id: null,
			};
			const blank = { email: '', phone: '', name: '', company: '', business_id: '' };
			const { results } = await callEach(tools, [
				// Lists of IDs: a list, text with commas, a list as text; once each.
				{ tool: 'Enrich', arguments: { ids: [a, b] } },
				{ tool: 'Enrich', arguments: { ids: `${a.toUpperCase()}, ${b}` } },
				{ tool: 'Enrich', arguments: { ids: JSON.stringify([a, b, a]) } },
				// What it does not need it leaves blank, null, or out.
				{ tool: 'Match', arguments: { ...blank, network } },
				{ tool: 'Match', arguments: { network, email: null } },
				{
					tool: 'Find',
					arguments: {
						limit: '2',
						sizes: '51-200, 201-500',
						email: true,
						cities: ['Austin, Texas, US', 'Berlin, Berlin, DE'],
						countries: 'US, de',
						title: 'director',
						least: '12',
						most: 600,
						fields: ['prospect_id', 'full_name'],
					},
				},
				{
					tool: 'Find',
					arguments: {
						limit: 2,
						sizes: '',
						email: '',
						cities: [],
						countries: null,
						title: 'director',
						least: '',
						most: null,
						fields: 'prospect_id, full_name',
					},
				},
				{ tool: 'Events', arguments: { ids: a, from: '' } },
			]);

			const received = sandbox.log.entries.map(({ endpoint, body }) => [endpoint, body]);
			const paging = { mode: 'full', size: 2, page_size: 2, page: 1 };
			assert.deepEqual(received, [
				...[1, 2, 3].map(() => ['fundingAndAcquisition', { business_ids: [a, b] }]),
				...[1, 2].map(() => ['match', { prospects_to_match: [{ network }] }]),
				[
					'search',
					{
						...paging,
						filters: {
							company_size: { values: ['51-200', '201-500'] },
							has_email: { value: true },
							city_region_country: { values: ['Austin, Texas, US', 'Berlin, Berlin, DE'] },
							country_code: { values: ['us', 'de'] },
							job_title: { value: 'director' },
							total_experience_months: { gte: 12, lte: 600 },
						},
					},
				],
				['search', { ...paging, filters: { job_title: { value: 'director' } } }],
				['businessEvents', { business_ids: [a], event_types: BUSINESS_EVENTS }],
			]);
			assert.deepEqual(
				results.slice(0, 3).map((text) => JSON.parse(text).map((row) => row.business_id)),
				[1, 2, 3].map(() => [a, b]),
			);
			assert.deepEqual(JSON.parse(results[3]), [
				{
					matched: true,
					...nothingSent,
					input_network: network,
					prospect_id: world.prospectId(4),
				},
			]);
			assert.deepEqual(Object.keys(JSON.parse(results[6])[0]), ['prospect_id', 'full_name']);
		});

		await t.test('rows are small enough to read', async (t) => {
			sandbox.clear();
			const company = { ids: world.businessId(0) };
			const people = { ids: world.prospectIds(3).join() };
			const columns = 'prospect_id, full_name, job_title, business_id';
			const { network } = world.person(4);
			const tools = {
				'Get Many': [TOOLS.find(), {}],
				'Get Many with Fields': [TOOLS.find({ options: { fields: columns } }), {}],
				Match: [TOOLS.match(), { network }],
				Funding: [TOOLS.enrich('fundingAndAcquisition'), company],
				'Intent and technology': [TOOLS.enrich('intent', 'technologyStack'), company],
				'Hierarchy and workforce': [TOOLS.enrich('companyHierarchy', 'workforceTrends'), company],
				'Traffic and ratings': [TOOLS.enrich('websiteTraffic', 'employeeRatings'), company],
				'Challenges and strategy': [TOOLS.enrich('businessChallenges', 'strategy'), company],
				Profile: [TOOLS.enrichPeople('profile'), people],
				'Contacts and posts': [TOOLS.enrichPeople('contacts', 'networkPosts'), people],
				'Events of a company': [TOOLS.events('business'), company],
				'Events of people': [TOOLS.events('prospect'), people],
				'Filter values': [TOOLS.search('company_name'), { text: 'a' }],
				Topics: [TOOLS.search('business_intent_topics'), { text: 'a' }],
				Statistics: [{ resource: 'business', operation: 'getStatistics', output: 'rows' }, {}],
			};
			const { results } = await callEach(
				Object.fromEntries(Object.entries(tools).map(([name, [parameters]]) => [name, parameters])),
				Object.entries(tools).map(([name, [, args]]) => ({
					tool: name.replaceAll(' ', '_'),
					arguments: args,
				})),
			);
			for (const [at, name] of Object.keys(tools).entries()) {
				const rows = JSON.parse(results[at]);
				const sizes = rows.map((row) => JSON.stringify(row).length);
				const longest = Math.max(...sizes);
				t.diagnostic(
					`${name}: ${rows.length} rows, ${longest} characters in the longest, ${results[at].length} in all`,
				);
				assert.ok(rows.length > 0 && rows[0].error === undefined, results[at]);
				assert.ok(longest <= LONGEST_ROW, `${name}: a row of ${longest} characters`);
				assert.ok(
					results[at].length <= LONGEST_ANSWER,
					`${name}: ${results[at].length} characters`,
				);
				if (name.endsWith('Fields')) {
					assert.deepEqual(Object.keys(rows[0]), columns.split(', '));
					assert.ok(longest < 250);
				}
			}
		});

		await t.test('what goes wrong is explained with what to do', async (t) => {
			const ids = world.businessId(3);
			const quick = { options: { requests: { maxWait: 1, maxTries: 1 } } };
			const tools = {
				Enrich: { ...TOOLS.enrich('strategy', 'fundingAndAcquisition'), ...quick },
				Find: TOOLS.find({
					filters: {
						job_level: [{ value: fromAi('levels') }],
						company_name: [{ value: given(fromAi('company')) }],
					},
				}),
				Search: TOOLS.search('company_name'),
			};
			const search = { text: 'zzzz' };
			const nobody = { levels: 'director', company: 'Nobody, Inc.' };
			// What the service does, the tool, its arguments, what the model reads.
			/** @type {[fault: Fault | null, tool: string, args: object, expected: RegExp][]} */
			const cases = [
				[null, 'Enrich', { ids: 'abc' }, /"abc" is not a business ID\. A business ID has 32 char/],
				[null, 'Enrich', { ids: '' }, /^1 row without an ID\. 0 requests\./],
				[
					{ kind: 'status', status: 401, body: { message: `No key ${sandbox.apiKey}.` } },
					'Enrich',
					{ ids },
					/HTTP 401\): No key \*\*\*\. Check API Key,.* in the credential\./,
				],
				[
					{ kind: 'tooMany', retryAfter: 60 },
					'Enrich',
					{ ids },
					/HTTP 429.*total wait of this request to 60 seconds.*Raise Max/,
				],
				[
					{ kind: 'drop' },
					'Enrich',
					{ ids },
					/connection was lost.*Check your credit usage before/,
				],
				[
					null,
					'Find',
					{ ...nobody, levels: 'boss' },
					/Job Level: "boss" is not one of: advisor, .*director/,
				],
				[null, 'Find', nobody, /0 rows.*No one matches\..*exact values/],
				[null, 'Search', search, /Found 0 values in 1 request\./],
			];
			const paid = `"received":{"business_id":"${ids}","funding":{`;
			const ways = {
				'newer agent': { versions: NEWER },
				'newer agent, Continue': { versions: NEWER, onError: 'continueRegularOutput' },
				'older agent': { versions: OLDER },
				'older agent, Continue': { versions: OLDER, onError: 'continueRegularOutput' },
			};
			for (const [way, options] of Object.entries(ways)) {
				await t.test(way, async () => {
					const { status: ended, results } = await callEach(
						tools,
						cases.map(([, tool, args]) => ({ tool, arguments: args })),
						{
							...options,
							prepare(at) {
								sandbox.clear();
								const [fault] = cases[at];
								const when = { to: 'strategy' };
								if (fault !== null) sandbox.fault({ when, times: 'always', do: fault });
							},
						},
					);
					assert.equal(ended, 'success');
					for (const [at, [fault, , , expected]] of cases.entries()) {
						const [{ error, message }] = JSON.parse(results[at]);
						assert.match(error?.message ?? message, expected);
						// The other data set came, and is paid.
						if (fault !== null) assert.ok(results[at].includes(paid), results[at]);
					}
				});
			}

			await t.test(
				'a tool that is set to stop ends the workflow, with the same message',
				async () => {
					const { status: ended, error } = await callEach(
						tools,
						[{ tool: 'Enrich', arguments: { ids: 'abc' } }],
						{ onError: 'stopWorkflow' },
					);
					assert.equal(ended, 'error');
					assert.match(error, cases[0][3]);
				},
			);
		});
	});
});
