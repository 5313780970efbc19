/** `npm run live`, against a sandbox in place of the service. */
import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS, type EndpointName } from '../sandbox/contract/contract';
import type { ChangeFault, InsteadFault } from '../sandbox/faults/kinds';
import { type Service, startService } from '../workflows/service';
import { checkService } from './live';

/** The account: one credit for each request that isn't free, and two for contacts of one person. */
const PRICES: Partial<Record<EndpointName, number>> = {
	...{ credits: 0, autocomplete: 0, stats: 0, deleteEnrollment: 0, contacts: 2 },
};

async function startAccount(prices = PRICES) {
	const service = await startService();
	const used = () =>
		service.log.entries.reduce(
			(sum, { endpoint }) => sum + (endpoint ? (prices[endpoint] ?? 1) : 0),
			0,
		);
	service.change((answer) => ({ ...answer, total_credits: used() }), {
		...{ when: { to: 'credits' }, times: 'always' },
	});
	return service;
}

async function check({ url, apiKey }: Service, says = true) {
	const printed: string[] = [];
	const results = await checkService(
		{ baseUrl: url, apiKey, waitSeconds: 0 },
		{
			print: (text) => void printed.push(text),
			confirm: async (question) => (printed.push(question), says),
		},
	);
	return { results, text: printed.join('\n') };
}

const differencesOf = ({ results }: Awaited<ReturnType<typeof check>>) =>
	Object.fromEntries(
		results.flatMap(({ endpoint: { name }, differences }) =>
			differences.length > 0 ? [[name, differences]] : [],
		),
	);

test('a service that keeps the contract has no differences, and each endpoint a cost', async () => {
	const service = await startAccount();
	const run = await check(service);

	expect(differencesOf(run)).toEqual({});
	expect(run.text).toContain(`0 of ${ENDPOINTS.length} endpoints differ from the contract.`);
	expect(run.results.map(({ endpoint: { name }, cost }) => [name, cost])).toEqual(
		expect.arrayContaining(ENDPOINTS.map(({ name }) => [name, PRICES[name] ?? 1])),
	);
	for (const { name } of ENDPOINTS.filter((endpoint) => endpoint.name !== 'credits')) {
		expect([name, service.log.count(name).requests]).toEqual([name, 1]);
	}
});

test('nothing that may cost credits is sent before a yes', async () => {
	const service = await startAccount();
	const { text } = await check(service, false);

	expect(text).toContain('POST /v1/prospects/contacts_information/enrich costs 2 credits');
	const sent = new Set(service.log.entries.map(({ endpoint }) => endpoint));
	expect([...sent].sort()).toEqual(['autocomplete', 'credits', 'deleteEnrollment', 'stats']);
});

test('costs are unknown while Credit Usage stays the same, and a request about a person needs one', async () => {
	const service = await startService({ now: () => new Date('2026-11-18T12:00:00Z') });
	service.fault({ when: { to: 'search' }, do: { kind: 'rows', how: 'none' } });
	const run = await check(service);

	expect(differencesOf(run)).toEqual({});
	expect(run.results.map(({ cost }) => cost)).toEqual(Array(5).fill(undefined));
	expect(run.text).toContain('so the costs are unknown');
	expect(run.text).toContain(`the other ${ENDPOINTS.length - 5} endpoints`);
});

const change = (changed: (answer: IDataObject) => unknown): ChangeFault => ({
	kind: 'change',
	with: (answer) => changed(answer as IDataObject),
});
/** Sets members of each row's data, or of the one record under `data`. */
const inData = (more: IDataObject) =>
	change(({ data, ...answer }) => ({
		...answer,
		data: Array.isArray(data)
			? (data as IDataObject[]).map((row) => ({ ...row, data: { ...Object(row.data), ...more } }))
			: { ...Object(data), ...more },
	}));

/** Personal data and the key, as the service might repeat them anywhere. */
const SECRETS = ['Ann Lee', 'ann.lee@example.com', '+1 512 555 0100'];

const PLANTED: Array<[EndpointName, ChangeFault | InsteadFault, string]> = [
	['autocomplete', change((data) => ({ data })), 'object instead of array: the answer'],
	['stats', change((answer) => ({ ...answer, 'Ann Lee': 1 })), 'not in the contract: (…)'],
	['deleteEnrollment', { kind: 'status', status: 404 }, 'status 404'],
	[
		'match',
		change((answer) => ({ ...answer, total_matches: undefined })),
		'missing: total_matches',
	],
	['profileBulk', { kind: 'rows', how: 'foreign' }, 'a row about another ID'],
	[
		'contacts',
		inData({ professional_email_status: 'ann.lee@example.com', mobile_phone: 15125550100 }),
		'must be equal to one of the allowed values: data.professional_email_status',
	],
	['postsBulk', { kind: 'outcome', request_status: 'failure' }, 'request_status is failure'],
	['prospectEvents', { kind: 'html' }, 'no JSON'],
	[
		'websiteTraffic',
		inData({ visits: '12', users: '3' }),
		'string instead of number or null: data[].data.users, data[].data.visits',
	],
	['intent', { kind: 'rows', how: 'object' }, 'object instead of array: data'],
	[
		'strategy',
		{
			kind: 'status',
			status: 422,
			body: { detail: [{ loc: ['body', 'business_ids', 0], msg: 'Ann Lee', type: 'value_error' }] },
		},
		'about body.business_ids[]',
	],
	['technologyStack', { kind: 'drop' }, 'no answer'],
];
test('each planted difference is reported, and nothing personal', async () => {
	const service = await startAccount({ ...PRICES, contacts: 5, autocomplete: 1 });
	for (const [to, fault] of PLANTED) service.fault({ when: { to }, do: fault });
	const run = await check(service);
	const found = differencesOf(run);

	for (const [name, , difference] of PLANTED) expect(found[name]).toContain(difference);
	expect(found.contacts).toContain('number instead of string or null: data.mobile_phone');
	expect(found.contacts).toContain('costs 5 credits instead of 2');
	expect(found.autocomplete).toContain('costs 1 credit instead of 0');
	expect(Object.keys(found).sort()).toEqual(PLANTED.map(([name]) => name).sort());
	expect(run.text).toContain(`${PLANTED.length} of ${ENDPOINTS.length} endpoints differ`);
	const [{ body } = {}] = service.log.requestsTo('match');
	const [person = {}] = (body as { prospects_to_match: IDataObject[] }).prospects_to_match;
	for (const secret of [...SECRETS, service.apiKey, ...Object.values(person)]) {
		expect(run.text).not.toContain(secret);
	}
});
