// Examples in a real n8n: all are imported, and those are filled in as their note says and run that need most of n8n
// itself: data tables, a form, an HTTP request, an MCP server. test/workflows runs the others.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { it } from 'node:test';
import { mobilePhone, professionalEmail } from '../sandbox/world/prospect-data.ts';
import {
	activate,
	atEnd,
	credentials,
	getPackage,
	latestExecutions,
	rowsOf,
	shareN8n,
	startHttp,
	SUITE_MS,
	until,
} from './stage.mjs';
import { tablesOf } from './tables.mjs';

const folder = new URL('../../examples/', import.meta.url);
const TOKEN = {
	...{ id: 'token', name: 'Token', type: 'httpBearerAuth' },
	data: { token: 'a-token-of-your-choice' },
};

/** The example as a person has it after filling in what its note names. */
async function readExample(file, inbox) {
	const workflow = JSON.parse(await readFile(new URL(file, folder), 'utf8'));
	for (const node of workflow.nodes) {
		if (node.credentials?.businessProspectDataApi) node.credentials = credentials;
		if (node.name === 'MCP server') node.credentials = { [TOKEN.type]: TOKEN };
		if (node.name === 'Tell sales') node.parameters.url = inbox;
	}
	return { ...workflow, id: file.replace('.json', ''), active: false };
}

/** Connects an AI client to an MCP server of n8n, until the test ends, with the SDK that n8n itself brings. */
async function connectMcp(t, url, token) {
	const { lab } = await getPackage();
	const load = createRequire(join(lab.folder, 'node_modules', 'n8n', 'package.json'));
	const { Client } = load('@modelcontextprotocol/sdk/client/index.js');
	const { StreamableHTTPClientTransport } = load(
		'@modelcontextprotocol/sdk/client/streamableHttp.js',
	);
	const client = new Client({ name: 'someone', version: '1.0.0' });
	const transport = new StreamableHTTPClientTransport(new URL(url), {
		requestInit: { headers: { Authorization: `Bearer ${token}` } },
	});
	await client.connect(transport);
	atEnd(t, () => client.close());
	return client;
}

it('the examples', { timeout: SUITE_MS }, async (t) => {
	const texts = [];
	const inbox = await startHttp(t, async (request, response) => {
		const { text } = /** @type {any} */ (await json(request));
		texts.push(text);
		response.end('ok');
	});
	const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
	const examples = await Promise.all(files.map((file) => readExample(file, inbox)));
	const { sandbox, n8n } = await shareN8n({ workflows: () => examples, credentials: [TOKEN] });
	const { log, world } = sandbox;
	const tables = await tablesOf(n8n);

	async function run(id, trigger) {
		log.clear();
		const execution = await n8n.runWorkflow(id, trigger);
		assert.equal(execution.status, 'success', execution.data.resultData.error?.message);
		return execution;
	}
	const truthOf = (index) => {
		const person = world.person(index);
		const company = world.company(person.company);
		const [email, phone] = [professionalEmail(person, company), mobilePhone(person)];
		return { ...person, title: person.position.title, company, email, phone };
	};
	// What an earlier example has bought would be free.
	const beginAnew = async (...names) => {
		for (const name of ['Remembered data', ...names]) await tables.drop(name);
	};

	await t.test(
		'crm-enrichment makes a data table and fills it, and a second run pays nothing',
		async () => {
			await beginAnew('Practice contacts');
			for (const requests of [4, 1]) {
				// Each run searches for the practice rows.
				const execution = await run('crm-enrichment', 'When clicking ‘Execute workflow’');
				assert.equal(log.requestsTo().length, requests);
				assert.equal(rowsOf(execution, 'Write to CRM').length, 10);
			}
			const rows = await tables.read('Practice contacts');
			assert.deepEqual(
				rows.map((row) => [row.contact_id, row.prospect_id, row.email, row.phone]),
				rows.map((_, index) => {
					const { id, email, phone } = truthOf(index);
					return [`C-${1001 + index}`, id, email ?? null, phone ?? null];
				}),
			);
			assert.equal(rows.length, 10);
		},
	);

	await t.test('inbound-lead takes a form, writes the lead, and tells sales', async () => {
		const SALES = 2;
		const { firstName, lastName, fullName, title, email, phone, company } = truthOf(SALES);
		await beginAnew('Practice leads');
		log.clear();
		await activate(n8n, 'inbound-lead');
		const before = (await latestExecutions(n8n, 'inbound-lead')).length;
		const body = new FormData();
		const values = [` ${firstName}`, `${lastName} `, email?.toUpperCase(), company.name, 'Hello'];
		for (const [at, value] of values.entries()) body.set(`field-${at}`, String(value));
		// For a moment after the activation n8n does not know the address.
		await until('the form', async () => {
			const { ok } = await fetch(`${n8n.url}/form/talk-to-us`, { method: 'POST', body });
			return ok;
		});
		const [{ status }] = await until('the execution', async () => {
			const [latest, ...others] = await latestExecutions(n8n, 'inbound-lead');
			return others.length === before && latest.stoppedAt && [latest];
		});
		await n8n.rest('POST', '/workflows/inbound-lead/deactivate');

		assert.equal(status, 'success');
		assert.deepEqual(
			log.entries.map(({ endpoint }) => endpoint),
			['match', 'profileBulk', 'contacts'],
		);
		assert.deepEqual(texts, [`${fullName} (${email}, ${phone}) scored 70: Hello`]);
		const [row, ...more] = await tables.read('Practice leads');
		assert.deepEqual(
			[row.email, row.last_name, row.job_title, row.phone, row.score, more],
			[email, lastName, title, phone, 70, []],
		);
	});

	await t.test(
		'mcp-server lets a client with the token look up people and companies',
		async (t) => {
			await beginAnew();
			await activate(n8n, 'mcp-server');
			const url = `${n8n.url}/mcp/business-prospect-data`;
			const connect = async (token) =>
				await until('the MCP server', () =>
					connectMcp(t, url, token).catch((error) => {
						if (!/is not registered/.test(error.message)) throw error;
						return undefined;
					}),
				);
			await assert.rejects(connect('another'), /Authorization data is wrong/);
			const client = await connect(TOKEN.data.token);

			assert.match(client.getInstructions() ?? '', /never repeat a call that worked/);
			const { tools } = await client.listTools();
			const call = async (name, args) => {
				const { isError = false, content } = await client.callTool({ name, arguments: args });
				return { isError, text: content.map(({ text }) => text).join('\n') };
			};
			assert.deepEqual(
				tools.map(({ name, inputSchema }) => [name, inputSchema.required ?? []]).toSorted(),
				[
					['Find_company', ['company_name']],
					['Find_people', []],
					['Get_company_data', ['business_ids']],
					['Get_company_news', ['business_ids']],
					['Look_up_person', []],
				],
			);

			log.clear();
			const { fullName, company, email, phone, id } = truthOf(4);
			const person = { full_name: fullName, company_name: company.name };
			world.addEvent({ business: company.id, event_name: 'new_product' });
			/** @type {[tool: string, args: object, expected: object][]} */
			const FOUND = [
				['Find_people', { company_name: company.name, limit: 1_000 }, { business_id: company.id }],
				[
					'Look_up_person',
					person,
					{ prospect_id: id, contacts_email: email, contacts_mobile_phone: phone },
				],
				['Find_company', { company_name: company.name }, { business_id: company.id }],
				['Get_company_data', { business_ids: company.id }, { funding_company_name: company.name }],
				['Get_company_news', { business_ids: company.id }, { event_name: 'new_product' }],
			];
			for (const [name, args, expected] of FOUND) {
				const { isError, text } = await call(name, args);
				assert.equal(isError, false, text);
				const [row] = JSON.parse(text);
				const some = Object.keys(expected).map((key) => [key, row[key]]);
				assert.deepEqual(Object.fromEntries(some), expected);
			}
			assert.deepEqual(log.defects(), []);

			log.clear();
			const nobody = { email: 'nobody@nowhere.example' };
			/** @type {[tool: string, args: object, requests: number, expected: RegExp][]} */
			const TOLD = [
				// What was paid for is remembered, and one call spends no more than its limit.
				['Get_company_data', { business_ids: company.id }, 0, /funding_company_name/],
				['Get_company_data', { business_ids: world.businessIds(6, 50).join() }, 2, /Max Records/],
				['Look_up_person', { full_name: fullName }, 0, /a name, but no company/],
				['Get_company_data', { business_ids: 'acme' }, 0, /acme\\" is not a business ID/],
				['Get_company_data', {}, 0, /Required\s+→ at business_ids/],
				['Find_people', { limit: 5 }, 0, /All filters are empty/],
				['Look_up_person', nobody, 1, /No match for nobody@nowhere\.example/],
			];
			for (const [name, args, requests, expected] of TOLD) {
				log.clear();
				assert.match((await call(name, args)).text, expected);
				assert.equal(log.requestsTo().length, requests, `${name} ${JSON.stringify(args)}`);
			}
			await n8n.rest('POST', '/workflows/mcp-server/deactivate');
		},
	);
});
