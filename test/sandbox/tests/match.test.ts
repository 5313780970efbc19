import { startSandbox, type Sandbox } from '../sandbox';
import { ask, type Row } from './ask';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: null, people: 1_000, companies: 60 });
});
afterAll(async () => {
	expect(sandbox.log.defects()).toEqual([]);
	await sandbox.close();
});

describe('match', () => {
	const match = async (...items: object[]) => {
		const { body } = await ask(sandbox, 'match', { prospects_to_match: items });
		return { body, rows: body.matched_prospects as Row[] };
	};

	test('by email, phone, network URL, name with company, whatever the case', async () => {
		const { world } = sandbox;
		const person = world.person(41);
		const company = world.company(person.company);
		const { rows, body } = await match(
			{ email: `${person.mailbox}@${company.domain}`.toUpperCase() },
			{ email: `${person.mailbox}@mailbox.example` },
			{ phone_number: '+1 555-000 0041' },
			{ network: `${person.network.replace('https://', 'http://www.')}/` },
			{ full_name: person.fullName.toUpperCase(), company_name: company.name.toLowerCase() },
			{ network: person.network, business_id: company.id },
			{ network: person.network, business_id: world.unknownBusinessId() },
			{ email: 'nobody.41@elsewhere.example' },
		);
		const id = person.id;
		expect(rows.map((row) => row.prospect_id)).toEqual([id, id, id, id, id, id, null, null]);
		expect(body).toMatchObject({ total_results: 8, total_matches: 6 });
		expect(rows[7]?.input).toEqual({
			business_id: null,
			full_name: null,
			company_name: null,
			email: 'nobody.41@elsewhere.example',
			phone_number: null,
			network: null,
		});
	});

	test('an item can fail by itself, and nobody matched is a miss', async () => {
		const { rows, body } = await match(
			{ email: 'match-error@x.example' },
			{ email: 'a@b.example' },
		);
		expect(rows[0]).toMatchObject({ prospect_id: null, error: expect.any(String) });
		expect(rows[0]).toHaveProperty('error_type');
		expect(rows[1]).not.toHaveProperty('error');
		expect(body).toMatchObject({ response_context: { request_status: 'miss' } });
	});
});
