import assert from 'node:assert/strict';
import { mobilePhone, professionalEmail } from '../../sandbox/world/prospect-data.ts';

const ID = 'mcp-server';
const PATH = 'business-prospect-data';
const TOKEN = 'a-token-of-your-choice';
const DAY_MS = 86_400_000;

export const settings = () => ({
	credentials: [
		{
			node: 'MCP server',
			id: 'token',
			name: 'Token',
			type: 'httpBearerAuth',
			data: { token: TOKEN },
		},
	],
});

export async function check({ whileActive, connect, sandbox }) {
	const { log, world } = sandbox;
	await whileActive(ID, async () => {
		await assert.rejects(connect(PATH, 'another-token'), /Authorization data is wrong/);
		const client = await connect(PATH, TOKEN);

		// What a client gets to know.
		assert.match(client.instructions, /never repeat a call that worked/);
		const tools = await client.listTools();
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
		for (const { name, description, inputSchema } of tools) {
			assert.match(description, /^\w+s .{30,}\.$/, name);
			for (const { description: meaning } of Object.values(inputSchema.properties))
				assert.ok(meaning.length > 15, `${name}: ${meaning}`);
		}

		// What it gets to read.
		const rowsOf = async (name, args) => {
			const { isError, text } = await client.call(name, args);
			assert.equal(isError, false, text);
			return JSON.parse(text);
		};
		const index = 4;
		const person = world.person(index);
		const company = world.company(person.company);
		world.addEvent({
			business: person.company,
			event_name: 'new_product',
			time: new Date(Date.now() - DAY_MS),
		});
		log.clear();
		const [found] = await rowsOf('Find_people', { company_name: company.name });
		assert.equal(found.business_id, company.id);
		const directors = { job_levels: 'director', limit: 1_000 };
		assert.equal((await rowsOf('Find_people', directors)).length, 25);
		const [lookedUp] = await rowsOf('Look_up_person', {
			full_name: person.fullName,
			company_name: company.name,
		});
		assert.deepEqual(
			[lookedUp.matched, lookedUp.match_check, lookedUp.prospect_id, lookedUp.profile_job_title],
			[true, 'agrees', person.id, person.position.title],
		);
		assert.deepEqual(
			[lookedUp.contacts_email, lookedUp.contacts_mobile_phone],
			[professionalEmail(person, company), mobilePhone(person)],
		);
		const [{ business_id: id }] = await rowsOf('Find_company', { company_name: company.name });
		assert.equal(id, company.id);
		const [data] = await rowsOf('Get_company_data', { business_ids: id });
		assert.equal(data.funding_company_name, company.name);
		const [news] = await rowsOf('Get_company_news', { business_ids: id });
		assert.equal(news.event_name, 'new_product');
		assert.equal(log.requestsTo().length, 9);
		await rowsOf('Get_company_data', { business_ids: id });
		assert.equal(log.requestsTo().length, 9, 'What was paid for is remembered');

		// What it gets to read when something is wrong: what to do.
		log.clear();
		/** @type {[tool: string, args: object, expected: RegExp][]} */
		const cases = [
			[
				'Look_up_person',
				{ full_name: 'Ada Marino' },
				/a name, but no company.+Fill in Company Name, or an email/,
			],
			[
				'Get_company_data',
				{ business_ids: 'acme' },
				/acme\\" is not a business ID\. A business ID has 32/,
			],
			['Find_people', { limit: 5 }, /All filters are empty.+Fill in at least one: /],
			['Get_company_data', {}, /Required\s+→ at business_ids/],
			['Get_company_news', { business_ids: '' }, /1 row without an ID/],
		];
		for (const [name, args, expected] of cases)
			assert.match((await client.call(name, args)).text, expected);
		assert.equal(log.requestsTo().length, 0);
		const [nobody] = await rowsOf('Look_up_person', { email: 'nobody@nowhere.example' });
		assert.equal(nobody.matched, false);

		// One call spends no more than its limit.
		const six = await rowsOf('Get_company_data', { business_ids: world.businessIds(6).join() });
		assert.equal(six.length, 6);
		assert.match(six[5].error.message, /Max Records to Pay/);
		assert.equal(log.count('fundingAndAcquisition').ids, 5);
		const unpaid = sandbox.fault({ times: 'always', do: { kind: 'status', status: 402 } });
		const another = { business_ids: world.businessId(50) };
		const { text } = await client.call('Get_company_data', another);
		unpaid.remove();
		assert.match(text, /no credits left.*account's credits/);
	});
}
