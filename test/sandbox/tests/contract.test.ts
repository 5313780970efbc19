import { ENDPOINTS, type EndpointName } from '../contract/contract';
import { exampleRequest } from '../contract/examples';
import { HANDLERS } from '../handlers/handlers';
import { startSandbox, type Sandbox } from '../sandbox';
import { ask } from './ask';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: null, now: () => new Date('2026-03-20T12:00:00Z') });
});
afterAll(async () => {
	// Every answer of this file has been checked against the contract's schema by the sandbox itself.
	expect(sandbox.log.defects()).toEqual([]);
	await sandbox.close();
});

const names = ENDPOINTS.map(({ name }) => name);
const withBody = ENDPOINTS.filter(({ method }) => method !== 'GET').map(({ name }) => name);
const example = (name: EndpointName) => exampleRequest(name, sandbox.world);

test('every endpoint with a handler is in the contract once', () => {
	expect([...names].sort()).toEqual(Object.keys(HANDLERS).sort());
});

describe.each(names)('%s', (name) => {
	test('answers its example with data in the shape of the contract', async () => {
		const answer = await ask(sandbox, name);
		expect(answer.status).toBe(200);
		expect(sandbox.log.defects()).toEqual([]);
		const [entry] = sandbox.log.requestsTo(name).slice(-1);
		expect(entry).toMatchObject({ status: 200, worked: true, key: 'right' });
		if (name !== 'autocomplete') {
			expect(answer.body.response_context).toMatchObject({
				request_status: 'success',
				correlation_id: entry?.correlationId,
			});
		}
	});

	test('refuses a member that the contract does not name', async () => {
		const answer = await ask(sandbox, name, { ...example(name), invented: 'x' });
		expect(answer.status).toBe(422);
		expect(answer.locs).toEqual([`${name === 'autocomplete' ? 'query' : 'body'}.invented`]);
		expect(sandbox.log.requestsTo(name).at(-1)).toMatchObject({ status: 422, worked: false });
	});

	test('refuses a request without each of its required members', async () => {
		const { required } = ENDPOINTS.find((one) => one.name === name)?.request ?? {};
		for (const member of required as string[]) {
			const input = example(name);
			delete input[member];
			const answer = await ask(sandbox, name, input);
			expect(answer.status).toBe(422);
			expect(answer.locs.map((loc) => loc.split('.')[1])).toContain(member);
		}
	});
});

test.each(withBody)(
	'%s takes request_context as an object or null, and nothing else',
	async (name) => {
		for (const request_context of [null, {}, { source: 'test' }]) {
			const body = { ...example(name), request_context };
			expect((await ask(sandbox, name, body)).status).toBe(200);
		}
		expect((await ask(sandbox, name, { ...example(name), request_context: 'x' })).status).toBe(422);
	},
);

const enrichments = ENDPOINTS.filter(({ path }) => path.endsWith('enrich')).map(({ name }) => name);
test.each(enrichments)(
	'%s takes parameters as null or {}, without unknown members',
	async (name) => {
		for (const parameters of [null, {}]) {
			expect((await ask(sandbox, name, { ...example(name), parameters })).status).toBe(200);
		}
		const answer = await ask(sandbox, name, { ...example(name), parameters: { invented: 1 } });
		expect(answer.locs).toEqual(['body.parameters.invented']);
	},
);

const lists = ENDPOINTS.filter(({ inputMember }) => inputMember?.endsWith('_ids')).map(
	({ name, inputMember = '' }): [EndpointName, string, number] => [
		name,
		inputMember,
		name.endsWith('Events') ? 40 : 50,
	],
);
describe.each(lists)('%s: %s from 1 to %d', (name, member, most) => {
	const ids = (count: number, first = 0) =>
		member === 'prospect_ids'
			? sandbox.world.prospectIds(count, first)
			: sandbox.world.businessIds(count, first);
	const send = async (list: unknown) =>
		await ask(sandbox, name, { ...example(name), [member]: list });

	test('bounds', async () => {
		expect((await send(ids(1, 1))).status).toBe(200);
		expect((await send(ids(most))).status).toBe(200);
		expect((await send(ids(most + 1))).locs).toEqual([`body.${member}`]);
		expect((await send([])).locs).toEqual([`body.${member}`]);
		expect((await send(null)).locs).toEqual([`body.${member}`]);
	});

	test('ids of another form are named by their place', async () => {
		const [one = '', two = ''] = ids(2);
		for (const bad of [
			one.toUpperCase(),
			one.slice(1),
			`${one}0`,
			` ${one}`,
			'g'.repeat(40),
			'',
			7,
		]) {
			const answer = await send([two, bad]);
			expect(answer.status).toBe(422);
			expect(answer.locs).toEqual([`body.${member}.1`]);
		}
	});

	test('the same id twice is refused for contacts alone', async () => {
		const [id] = ids(1);
		expect((await send([id, id])).status).toBe(name === 'contactsBulk' ? 422 : 200);
	});
});
