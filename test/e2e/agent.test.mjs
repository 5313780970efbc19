// The node as a tool of n8n's AI Agent: what the model gets to know of it, what it may give, and what it gets to read.
// n8n is real; the model behind its "OpenAI Chat Model" node is played, and answers what the test says.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { agentWorkflow, modelCredentials, startChatModel } from './chatModel.mjs';
import { credentials, node, shareN8n, SUITE_MS, TOOL } from './stage.mjs';

/** @typedef {import('../sandbox/faults/kinds.ts').Fault} Fault */

const EXAMPLE = 'researching-agent';
/** Versions of the agent that are in use. */
const NEWER = 3.1;
const OLDER = 2.2;

const fromAi = (key, type = 'string') => `={{ $fromAI('${key}', 'The ${key}', '${type}') }}`;
const given = (value) => ({ __rl: true, mode: 'value', value });

const TOOLS = {
	Enrich: {
		resource: 'business',
		operation: 'enrich',
		identifyBy: 'businessId',
		businessIds: fromAi('ids'),
		dataSets: ['strategy', 'fundingAndAcquisition'],
		options: { maxWait: 0 },
	},
	Match: {
		...{ descriptionType: 'auto', resource: 'prospect', operation: 'match' },
		email: fromAi('email'),
		moreDetails: { network: fromAi('network') },
	},
	Find: {
		resource: 'prospect',
		operation: 'getAll',
		limit: fromAi('limit', 'number'),
		filters: {
			job_level: [{ value: fromAi('levels') }],
			has_email: [{ value: fromAi('with_email', 'boolean') }],
			city_region_country: [{ value: given(fromAi('cities')) }],
			total_experience_months: [{ gte: fromAi('months') }],
		},
		options: { fields: fromAi('fields') },
	},
};

/** The example as it is published, with a credential for its model, which users have to choose. */
async function readExample() {
	const file = new URL('../../examples/company-research-agent.json', import.meta.url);
	const workflow = JSON.parse(await readFile(file, 'utf8'));
	for (const node of workflow.nodes) {
		if (node.type === TOOL) node.credentials = credentials;
		// The played model has the interface that this version uses.
		if (node.name === 'Chat model')
			Object.assign(node, { typeVersion: 1.2, credentials: modelCredentials });
	}
	return { ...workflow, id: EXAMPLE, active: false };
}

it('an AI agent uses the node', { timeout: SUITE_MS }, async (t) => {
	const model = await startChatModel(t);
	const example = await readExample();
	const { sandbox, n8n } = await shareN8n({
		workflows: () => [example],
		credentials: [model.credential],
	});
	const { world, log } = sandbox;

	/** Runs a workflow with what the model answers; gives how it ended, and what it was sent. */
	async function run(id, trigger, script) {
		model.play(script);
		const { status, data } = await n8n.runWorkflow(id, trigger);
		const { requests } = model;
		assert.ok(!JSON.stringify(requests).includes(sandbox.apiKey), 'the model sees the key');
		const { error, runData } = data.resultData;
		return { status, runData, error: error?.message, requests };
	}

	/**
	 * Has an agent call tools one after the other; gives the text that the model gets for each call.
	 *
	 * @param {[tool: string, args: object, fault?: Fault | null, ...unknown[]][]} calls
	 * @param {{ version?: number, onError?: string }} [options]
	 */
	async function callEach(calls, { version = NEWER, onError } = {}) {
		const more = { credentials, ...(onError && { onError }) };
		const tools = Object.entries(TOOLS).map(([name, tool]) => node(name, TOOL, 1, tool, more));
		const workflow = { ...agentWorkflow('agent', version, tools), id: undefined };
		const { id } = await n8n.rest('POST', '/workflows', workflow);
		sandbox.clear();
		let rule;
		const steps = calls.map(([tool, args, fault]) => () => {
			rule?.remove();
			rule = fault && sandbox.fault({ when: { to: 'strategy' }, times: 'always', do: fault });
			return { calls: [{ tool, arguments: args }] };
		});
		const { requests, ...result } = await run(id, 'Start', [...steps, { say: 'Done.' }]);
		return { ...result, tools: requests[0].tools, results: requests.at(-1)?.results ?? [] };
	}

	await t.test('the example researches a company', async () => {
		const company = world.company(3);
		const last = ({ results }) => JSON.parse(results.at(-1))[0].business_id;

		const { status, runData, requests } = await run(EXAMPLE, 'When clicking ‘Execute workflow’', [
			{ calls: [{ tool: 'Get_company_data', arguments: { company_name: company.name } }] },
			(heard) => ({
				calls: [
					{ tool: 'Get_company_news', arguments: { business_ids: last(heard), from: '' } },
					{ tool: 'Find_people', arguments: { business_id: last(heard), job_levels: '' } },
				],
			}),
			({ results: [data, , people] }) => ({
				say: `${JSON.parse(people)[0].full_name}, ${JSON.parse(data)[0].funding_company_name}`,
			}),
		]);

		assert.equal(status, 'success');
		assert.match(requests[0].texts.join('\n'), /"Copper Analytics" for a sales call/);
		assert.deepEqual(
			requests[0].tools
				.map(({ name, parameters }) => [name, parameters.required.toSorted()])
				.toSorted(),
			[
				['Find_people', ['business_id', 'job_levels']],
				['Get_company_data', ['company_name']],
				['Get_company_news', ['business_ids', 'from']],
			],
		);
		const requested = log.entries.map(({ endpoint }) => endpoint).toSorted();
		assert.deepEqual(requested, [
			...['businessEvents', 'fundingAndAcquisition', 'search', 'search', 'technologyStack'],
		]);
		const [{ json }] = runData.Brief[0].data.main[0];
		assert.equal(json.company, company.name);
		assert.match(json.brief, new RegExp(`^\\w+ \\w+, ${company.name}$`));
	});

	await t.test(
		'the model sees what a tool does and takes, and what it gives is understood',
		async () => {
			const [a, b] = world.businessIds(2);
			const { network } = world.person(4);
			const fields = ['prospect_id', 'full_name'];
			const cities = ['Austin, Texas, US', 'Berlin, Berlin, DE'];
			const everyone = { limit: 2, levels: 'director', with_email: '', cities: [], months: null };
			const { tools, results } = await callEach([
				['Enrich', { ids: [a, b] }],
				['Enrich', { ids: `${a.toUpperCase()}, ${b}` }],
				['Match', { network, email: null }],
				[
					'Find',
					{
						limit: '2',
						levels: 'director, manager',
						with_email: true,
						cities,
						months: '12',
						fields,
					},
				],
				['Find', { ...everyone, fields: fields.join() }],
			]);

			const match = tools.find(({ name }) => name === 'Match');
			assert.equal(match?.description, 'Match prospects in Business and Prospect Data');
			assert.deepEqual(match?.parameters.properties, {
				email: { type: 'string', description: 'The email' },
				network: { type: 'string', description: 'The network' },
			});
			const paging = { mode: 'full', size: 2, page_size: 2, page: 1 };
			assert.deepEqual(
				log.entries
					.filter(({ endpoint }) => endpoint !== 'fundingAndAcquisition')
					.map(({ endpoint, body }) => [endpoint, body]),
				[
					...[1, 2].map(() => ['strategy', { business_ids: [a, b] }]),
					['match', { prospects_to_match: [{ network }] }],
					[
						'search',
						{
							...paging,
							filters: {
								job_level: { values: ['director', 'manager'] },
								has_email: { value: true },
								city_region_country: { values: cities },
								total_experience_months: { gte: 12 },
							},
						},
					],
					['search', { ...paging, filters: { job_level: { values: ['director'] } } }],
				],
			);
			assert.deepEqual(
				JSON.parse(results[0]).map((row) => row.business_id),
				[a, b],
			);
			assert.equal(JSON.parse(results[2])[0].prospect_id, world.prospectId(4));
			assert.deepEqual(Object.keys(JSON.parse(results[4])[0]), fields);
		},
	);

	const ids = world.businessId(3);
	// The older agent passes on no call that lacks an argument.
	const someone = {
		limit: 2,
		levels: 'director',
		with_email: true,
		cities: 'Nowhere',
		months: '',
		fields: '',
	};
	/** @type {[tool: string, args: object, fault: Fault | null, expected: RegExp][]} */
	const FAILURES = [
		['Enrich', { ids: 'abc' }, null, /"abc" is not a business ID\. A business ID has 32 char/],
		['Enrich', { ids: '' }, null, /^1 row without an ID\. 0 requests\./],
		[
			'Enrich',
			{ ids },
			{ kind: 'status', status: 401, body: { message: `No key ${sandbox.apiKey}.` } },
			/HTTP 401\): No key \*\*\*\. Check API Key,.* in the credential\./,
		],
		['Enrich', { ids }, { kind: 'drop' }, /connection was lost.*Check your credit usage before/],
		[
			'Find',
			{ ...someone, levels: 'boss' },
			null,
			/Job Level: "boss" is not one of: advisor, .*director/,
		],
		['Find', someone, null, /0 rows.*No one matches\./],
	];
	/** @type {[name: string, options: { version: number, onError?: string }][]} */
	const WAYS = [
		['newer agent', { version: NEWER }],
		['older agent, Continue', { version: OLDER, onError: 'continueRegularOutput' }],
	];
	for (const [name, options] of WAYS)
		await t.test(`what goes wrong is explained with what to do: ${name}`, async () => {
			const { status, results } = await callEach(FAILURES, options);

			assert.equal(status, 'success');
			for (const [at, [, , fault, expected]] of FAILURES.entries()) {
				assert.ok(results[at], JSON.stringify(results));
				const [{ error, message }] = JSON.parse(results[at]);
				assert.match(error?.message ?? message, expected);
				// The other data set came, and is paid.
				if (fault !== null) assert.ok(error.received.funding, results[at]);
			}
		});

	await t.test('a tool that is set to stop ends the workflow, with the same message', async () => {
		const [[tool, args, , expected]] = FAILURES;
		const { status, error } = await callEach([[tool, args]], { onError: 'stopWorkflow' });

		assert.equal(status, 'error');
		assert.match(error, expected);
	});
});
