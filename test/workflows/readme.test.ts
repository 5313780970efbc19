/**
 * What README.md and docs/ show is what comes out.
 *
 */
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IDataObject,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';
import { sys } from 'typescript';
import { interpretResponse } from '../../nodes/BusinessProspectData/api/interpretResponse';
import { BusinessProspectDataTrigger } from '../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import {
	CONTACT_CREDITS,
	EVENT_WINDOW_MONTHS,
	LIMITS,
	MAX_CREDIT_RANGES,
} from '../../nodes/BusinessProspectData/catalog/service';
import { formatNumber } from '../../nodes/BusinessProspectData/core/text';
import { testCredential } from '../../nodes/BusinessProspectData/methods/testCredential';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import {
	MAX_PEOPLE,
	MAX_REMEMBERED_PEOPLE as MAX_KNOWN_PEOPLE,
} from '../../nodes/BusinessProspectData/trigger/search/state';
import { WATCHED } from '../demo/watched';
import { titleOf } from '../docs/generated';
import { errorOf } from '../harness/engine';
import { shortenTimeouts } from '../harness/timeouts';
import type { FaultRule } from '../sandbox/faults/rules';
import { MATCH_ERROR_MARKER } from '../sandbox/handlers/prospects';
import type { Poller } from '../harness/poll';
import { type Clock, startClock, triggerOn } from './trigger';
import { CONTINUE, hintsOf, jsonOf, type Service, startService, EVERYONE } from './service';
import { wayTo } from './ways';

const README = sys.readFile('README.md') ?? '';
const OPERATIONS_PAGE = sys.readFile('docs/operations.md') ?? '';
const TRIGGER_PAGE = sys.readFile('docs/trigger.md') ?? '';
const ERRORS_PAGE = sys.readFile('docs/errors.md') ?? '';
const DEMO_PAGE = sys.readFile('docs/demo.md') ?? '';
const NOW = '2026-11-20T12:00:00Z';

/** The text below a heading of a page, up to the next one of its level. */
function sectionOf(page: string, heading: string): string {
	const [marks = ''] = heading.split(' ');
	const [, after = ''] = page.split(`\n${heading}\n`);
	const [section = ''] = after.split(new RegExp(`^#{1,${marks.length}} `, 'm'));
	return section;
}

const headingOf = (operation: Parameters<typeof titleOf>[0]) => `### ${titleOf(operation)}`;

/** The first cells of the rows of all tables in a text, without their heads. */
const firstCells = (text: string): string[] =>
	text
		.split('\n')
		.filter((line, at, lines) => line.startsWith('| ') && !lines[at + 1]?.startsWith('| --'))
		.map((line) => (line.split(' | ')[0] ?? '').replace(/^\| /, '').trim())
		.filter((cell) => !cell.startsWith('--'));

/** The JSON blocks by the names in the markers `<!-- example:<name> -->` before them. */
const SHOWN = new Map(
	[README, OPERATIONS_PAGE, TRIGGER_PAGE, ERRORS_PAGE]
		.flatMap((page) => page.split('<!-- example:').slice(1))
		.map((part): [string, unknown] => [
			part.split(' -->')[0] ?? '',
			JSON.parse(part.split('```json')[1]?.split('```')[0] ?? 'null'),
		]),
);

type Example = (service: Service, clock: Clock) => Promise<IDataObject[]>;

/** As by default, with the fields of the input row. */
const rowsOf =
	(parameters: (world: Service['world']) => INodeParameters, row: IDataObject = {}): Example =>
	async ({ run, world }) =>
		jsonOf((await run({ includeInputFields: true, ...parameters(world) }, [row])).main);

const EXAMPLES: Readonly<Record<string, Example>> = {
	'first workflow': async (service) => {
		const found = await service.run({
			resource: 'prospect',
			operation: 'getAll',
			limit: 10,
			filters: { job_level: [{ value: ['director'] }] },
		});
		const enriched = await service.run(
			{
				resource: 'prospect',
				operation: 'enrich',
				prospectIds: '={{ $json.prospect_id }}',
				dataSets: ['contacts'],
				includeInputFields: true,
			},
			jsonOf(found.main),
		);
		return jsonOf(enriched.main);
	},
	'prospect/match': rowsOf(
		() => ({ resource: 'prospect', operation: 'match', email: '={{ $json.Email }}' }),
		{ Email: 'carla.castro.55@silver-analytics.example' },
	),
	'prospect/getAll': rowsOf(() => ({
		resource: 'prospect',
		operation: 'getAll',
		limit: 10,
		filters: { job_level: [{ value: ['director'] }] },
	})),
	'prospect/enrich': rowsOf((world) => ({
		resource: 'prospect',
		operation: 'enrich',
		prospectIds: world.prospectId(WATCHED),
		dataSets: ['contacts'],
	})),
	'prospect/getEvents': rowsOf((world) => {
		world.addEvent({ prospect: WATCHED });
		return {
			resource: 'prospect',
			operation: 'getEvents',
			prospectIds: world.prospectId(WATCHED),
			timestampFrom: '2026-11-20T11:00:00Z',
		};
	}),
	'business/find': rowsOf(
		() => ({ resource: 'business', operation: 'find', companyName: '={{ $json.Account }}' }),
		{ Account: 'Silver Analytics' },
	),
	'business/enrich': rowsOf((world) => ({
		resource: 'business',
		operation: 'enrich',
		businessIds: world.businessId(5),
		dataSets: ['fundingAndAcquisition'],
	})),
	'business/getStatistics': rowsOf(() => ({
		resource: 'business',
		operation: 'getStatistics',
		filters: { company_size: [{ value: ['51-200'] }] },
	})),
	'business/getEvents': rowsOf((world) => {
		world.addEvent({ business: 5 });
		return {
			resource: 'business',
			operation: 'getEvents',
			businessIds: world.businessId(5),
			timestampFrom: '2026-11-20T11:00:00Z',
		};
	}),
	'creditUsage/get': rowsOf(() => ({
		resource: 'creditUsage',
		operation: 'get',
		fromDate: '2026-11-01',
		toDate: '2026-11-03',
	})),
	'filterValue/search': rowsOf(() => ({
		resource: 'filterValue',
		operation: 'search',
		field: 'country',
		query: 'united',
	})),
	'customApiCall/send': rowsOf(() => ({
		resource: 'customApiCall',
		operation: 'send',
		path: '/v1/businesses/autocomplete',
		queryParameters: {
			parameters: [
				{ name: 'field', value: 'country' },
				{ name: 'query', value: 'united' },
			],
		},
	})),
	estimate: async (service) => {
		const run = await service.run(
			{
				resource: 'prospect',
				operation: 'enrich',
				prospectIds: '={{ $json.id }}',
				dataSets: ['contacts'],
				contactTypes: 'email',
				estimateOnly: true,
			},
			[1, 2, 1].map((of) => ({ id: service.world.prospectId(of) })),
			{ expressionAfter: undefined },
		);
		return jsonOf(run.main);
	},
	trigger: async (service, clock) => {
		const poller = triggerOn(service, { ids: service.world.prospectId(WATCHED) });
		await poller.poll({ activation: 'activate' });
		clock.pass(60_000);
		service.world.addEvent({ prospect: WATCHED });
		clock.pass(60_000);
		return jsonOf((await poller.poll()).items ?? []);
	},
	error: async (service) => {
		const run = await service.run(
			{ resource: 'prospect', operation: 'enrich', prospectIds: 'abc' },
			[{}],
			CONTINUE,
		);
		return jsonOf(run.error);
	},
};

/** Without an entry above, an operation's example is the first item of the walk over the contract. */
const exampleOf = (name: string): Example =>
	EXAMPLES[name] ??
	(async (service) => {
		const { parameters, items } = wayTo(name);
		return jsonOf((await service.run(parameters, items?.(service.world).slice(0, 1))).main);
	});

describe('examples', () => {
	test('there is one for the first workflow, each operation, an estimate, the trigger and an error', () => {
		const operations = OPERATIONS.map(({ resource, value }) => `${resource}/${value}`);

		expect([...SHOWN.keys()].sort()).toEqual(
			[...operations, 'first workflow', 'estimate', 'trigger', 'error'].sort(),
		);
	});

	test.each([...SHOWN.keys()])('%s is what comes out', async (name) => {
		const clock = startClock(NOW);
		const service = await startService({ now: clock.now });
		const real = await exampleOf(name)(service, clock);

		const shown = SHOWN.get(name);

		// A list shows the first rows.
		const part = Array.isArray(shown) ? real.slice(0, Math.max(1, shown.length)) : real[0];
		// As text, so that the order of the fields counts too.
		expect(JSON.stringify(shown, null, 1)).toBe(JSON.stringify(part, null, 1));
	});

	test('the hint is what a run reports', async () => {
		const service = await startService({ people: 1_000 });
		const ids = service.world.prospectIds(988);
		const items = [...ids, ...ids.slice(0, 12)].map((id) => ({ id }));

		const run = await service.run(
			{
				resource: 'prospect',
				operation: 'enrich',
				prospectIds: '={{ $json.id }}',
				dataSets: ['contacts'],
			},
			items,
		);

		expect(OPERATIONS_PAGE.match(/_1,000 rows[^_]+_/g)).toEqual(
			hintsOf(run).map((message) => `_${message}_`),
		);
	});
});

const isProperty = (option: object): option is INodeProperties =>
	'displayName' in option && 'default' in option;

/** The settings of the collection Requests, at the end of Options. */
const settingsIn = (properties: readonly INodeProperties[]): INodeProperties[] =>
	(properties.find(({ name }) => name === 'options')?.options ?? [])
		.filter(isProperty)
		.filter(({ name }) => name === 'requests')
		.flatMap(({ options = [] }) => options.filter(isProperty));

describe('names', () => {
	/** The names of fields, of their options, and of what is inside them. */
	const namesIn = (fields: ReadonlyArray<object>): string[] =>
		fields.flatMap((field) => [
			...('displayName' in field
				? [String(field.displayName)]
				: 'name' in field
					? [String(field.name)]
					: []),
			...('options' in field && Array.isArray(field.options) ? namesIn(field.options) : []),
			...('values' in field && Array.isArray(field.values) ? namesIn(field.values) : []),
		]);

	test.each(OPERATIONS.map((operation) => [headingOf(operation), operation]))(
		'%s: what is bold is one of its fields or their values',
		(heading, { properties }) => {
			const section = sectionOf(OPERATIONS_PAGE, heading);
			const bold = [...section.matchAll(/\*\*(.+?)\*\*/g)].map(([, name]) => name);

			expect(bold.length).toBeGreaterThan(0);
			const names = namesIn(properties);
			expect(bold.filter((name) => !names.includes(name ?? ''))).toEqual([]);
		},
	);

	test.each(['## Fields', '## New prospects that match a search'])(
		'%s: the fields of the table are fields of the trigger',
		(heading) => {
			const { properties } = new BusinessProspectDataTrigger().description;
			const fields = firstCells(sectionOf(TRIGGER_PAGE, heading));

			expect(fields.length).toBeGreaterThan(3);
			// n8n adds the poll times.
			const names = ['Poll Times', ...namesIn(properties)];
			expect(fields.filter((name) => !names.includes(name))).toEqual([]);
		},
	);

	test.each([
		['Prospect: Match', `1 request per ${LIMITS.matchBatch} people`],
		['Prospect: Get Many', `1 request per ${LIMITS.pageSize} people`],
		['Prospect: Enrich', `1 request per ${LIMITS.enrichBatch} people for each data set`],
		['Prospect: Get Events', `1 request per ${LIMITS.eventsBatch} people`],
		['Business: Enrich', `1 request per ${LIMITS.enrichBatch} companies for each data set`],
		['Business: Get Events', `1 request per ${LIMITS.eventsBatch} companies`],
		['Credit Usage: Get', `1 request per ${MAX_CREDIT_RANGES.day.label}`],
	])('%s takes %s', (title, requests) => {
		expect(sectionOf(OPERATIONS_PAGE, `### ${title}`)).toContain(` takes ${requests}`);
	});

	test('the prices are those of the catalog', () => {
		const { email, phone, both } = CONTACT_CREDITS;

		expect(README).toContain(`${email} credits for email, ${phone} for phone or for both`);
		expect(OPERATIONS_PAGE).toMatch(new RegExp(`\\| Email only +\\| ${email} `));
		expect(OPERATIONS_PAGE).toMatch(new RegExp(`\\| Phone only +\\| ${phone} `));
		expect(OPERATIONS_PAGE).toMatch(new RegExp(`\\| Email and phone +\\| ${both} `));
		expect(phone).toBe(both);
	});

	test('the defaults of Requests are those of the editor', () => {
		const defaults = new Map(
			OPERATIONS.flatMap(({ properties }) => settingsIn(properties)).map((setting) => [
				setting.displayName,
				setting.default,
			]),
		);
		const rows = sectionOf(OPERATIONS_PAGE, '### Requests')
			.split('\n')
			.filter((line) => line.startsWith('| **'))
			.map((line) => line.split('|').map((cell) => cell.trim().replaceAll('**', '')));

		expect(rows.length).toBeGreaterThan(4);
		for (const [, name = '', , shown = ''] of rows) {
			expect([name, defaults.has(name)]).toEqual([name, true]);
			if (/^\d/.test(shown)) expect([name, Number(shown)]).toEqual([name, defaults.get(name)]);
		}
	});

	test('the numbers of the trigger are those of the code', () => {
		const { properties } = new BusinessProspectDataTrigger().description;
		const { options = [] } = properties.find(({ name }) => name === 'options') ?? {};
		const settings = [...options, ...settingsIn(properties)];
		const propertyOf = (displayName: string): INodeProperties | undefined =>
			settings.filter(isProperty).find((setting) => setting.displayName === displayName);
		const defaultOf = (displayName: string) => Number(propertyOf(displayName)?.default);
		const requests = defaultOf('Requests per Poll');

		const hourly = Math.ceil(1_000 / LIMITS.eventsBatch) * 24;
		const everyMinute = formatNumber(hourly * 60);
		const frequency = `Checking 1,000 IDs takes ${hourly} requests a day with **Every Hour**, but ${everyMinute} with **Every Minute**.`;
		const searchFrequency = `for 5,000 people, **Every Minute** takes ${formatNumber((5_000 / LIMITS.pageSize) * 24 * 60)} requests a day`;

		for (const claim of [
			`looks back ${defaultOf('Look Back (Hours)')} hours by default`,
			frequency,
		]) {
			expect(README).toContain(claim);
		}
		for (const claim of [
			frequency,
			searchFrequency,
			`looks back ${defaultOf('Look Back (Hours)')} hours by default`,
			`The default is ${defaultOf('Look Back (Hours)')} hours.`,
			`The default of ${requests} covers ${formatNumber(requests * LIMITS.eventsBatch)} IDs.`,
			`The default of ${requests} covers ${formatNumber(requests * LIMITS.pageSize)} people.`,
			`The default is ${formatNumber(defaultOf('Max Prospects'))}, the maximum ${formatNumber(MAX_PEOPLE)}.`,
			`takes 1 request per ${LIMITS.eventsBatch} IDs`,
			`takes 1 request per ${LIMITS.pageSize} people`,
			`remembers ${formatNumber(MAX_KNOWN_PEOPLE)} people`,
			`up to ${EVENT_WINDOW_MONTHS} months back`,
		]) {
			expect(TRIGGER_PAGE).toContain(claim);
		}
	});

	test('the person to watch in the demo is the one to whom something happens there', async () => {
		const { world } = await startService();

		const ids = DEMO_PAGE.match(/[a-f0-9]{40}/g);

		expect([...new Set(ids)]).toEqual([world.prospectId(WATCHED)]);
	});
});

describe('what n8n does', () => {
	test('one expression in place of all Filters: n8n passes none to the node', async () => {
		const service = await startService();

		await service.run({
			resource: 'prospect',
			operation: 'getAll',
			limit: 1,
			filters: "={{ { job_level: [{ value: ['director'] }] } }}",
		});

		expect(service.log.entries.map(({ body }) => body)).toMatchObject([{ filters: {} }]);
	});

	test('one expression in place of all Query Parameters: n8n passes none to the node', async () => {
		const service = await startService();

		await service.run({
			resource: 'customApiCall',
			operation: 'send',
			path: '/v1/businesses/autocomplete',
			queryParameters: "={{ { parameters: [{ name: 'field', value: 'country' }] } }}",
		});

		expect(service.log.entries.map(({ query }) => query)).toEqual([{}]);
	});
});

describe('troubleshooting', () => {
	const ID = 'a'.repeat(40);
	const CONTACTS = {
		dataSets: ['contacts'],
		options: { requests: { maxTries: 1, maxWait: 0, timeout: 1 } },
	};
	const enrich = (prospectIds: string, more: INodeParameters = {}): INodeParameters => ({
		resource: 'prospect',
		operation: 'enrich',
		prospectIds,
		...CONTACTS,
		...more,
	});
	const customCall = { resource: 'customApiCall', operation: 'send' };
	const search = (more: INodeParameters): INodeParameters => ({
		resource: 'prospect',
		operation: 'getAll',
		...more,
	});

	/** What the first error item says. */
	async function messageOf(
		service: Service,
		parameters: INodeParameters,
		credentials?: ICredentialDataDecryptedObject,
	): Promise<string> {
		const run = await service.run(parameters, [{}], {
			onError: 'continueErrorOutput',
			...(credentials !== undefined && { credentials }),
		});
		return String(errorOf(run.error[0]).message);
	}

	const hintsOfRun = async (
		service: Service,
		parameters: INodeParameters,
		retryOnFail = false,
	): Promise<string[]> => hintsOf(await service.run(parameters, [{}], { retryOnFail }));

	/** What is said to requests that end badly. */
	async function ofFaults(service: Service): Promise<string[]> {
		const status = (status: number, body?: unknown): FaultRule['do'] => ({
			kind: 'status',
			status,
			...(body !== undefined && { body }),
		});
		const faults: Array<FaultRule['do']> = [
			status(401),
			status(402),
			status(403, { message: 'Not in your plan' }),
			{ kind: 'tooMany', retryAfter: 60 },
			status(403, { message: 'Opted out' }),
			status(404, ''),
			status(404, { message: 'No such person' }),
			{ kind: 'delay', ms: 1_500 },
			status(504),
			{ kind: 'dropAfterWork' },
			{ kind: 'html' },
			{ kind: 'cutJson' },
			{ kind: 'rows', how: 'null' },
			{ kind: 'rows', how: 'shorter' },
			{ kind: 'redirect', to: 'https://elsewhere.example/' },
			{ kind: 'invalid', names: 'nothing' },
			status(413),
			status(503),
			{ kind: 'outcome', request_status: 'failure' },
			{
				kind: 'change',
				with: (answer) => ({ ...(answer as IDataObject), data: [{ error: 'Quota exceeded' }] }),
			},
		];
		const messages: string[] = [];
		for (const fault of faults) {
			const rule = service.fault({ times: 'always', do: fault });
			messages.push(await messageOf(service, enrich(service.world.prospectId(1))));
			rule.remove();
		}
		const faster = shortenTimeouts();
		const endless = service.fault({
			times: 'always',
			do: { kind: 'drip', endless: true, everyMs: 20 },
		});
		messages.push(await messageOf(service, enrich(service.world.prospectId(1))));
		endless.remove();
		faster.mockRestore();
		const silent = service.fault({ times: 'always', do: { kind: 'dropAfterWork' } });
		const { error } = await service.run(
			enrich('={{ $json.id }}', {
				options: { requests: { requestMode: 'single', maxConcurrentRequests: 1 } },
			}),
			service.world.prospectIds(11).map((id) => ({ id })),
			{ onError: 'continueErrorOutput' },
		);
		messages.push(String(errorOf(error.at(-1)).message));
		silent.remove();
		const rule = service.fault({ times: 'always', do: { kind: 'rows', how: 'shorter' } });
		messages.push(
			await messageOf(service, {
				resource: 'prospect',
				operation: 'match',
				moreDetails: { network: service.world.person(1).network },
			}),
		);
		rule.remove();
		messages.push(
			await messageOf(service, {
				resource: 'prospect',
				operation: 'match',
				email: `${MATCH_ERROR_MARKER}@nowhere.example`,
			}),
		);
		const maintenance = service.fault({
			times: 'always',
			do: status(200, { message: 'Down for maintenance' }),
		});
		for (const parameters of [
			{ resource: 'eventEnrollment', operation: 'delete', enrollmentId: 'en_1' },
			{ resource: 'business', operation: 'getStatistics' },
			{ resource: 'creditUsage', operation: 'get', fromDate: '2026-11-01', toDate: '2026-11-03' },
		]) {
			messages.push(await messageOf(service, parameters));
		}
		maintenance.remove();
		service.fault({ do: status(200, 'plain text') });
		return [
			...messages,
			await messageOf(service, { ...customCall, path: '/v1/businesses/autocomplete' }),
		];
	}

	/** What is said where a field is wrong. */
	async function ofFields(service: Service): Promise<string[]> {
		const enrichCompany = { resource: 'business', operation: 'enrich' };
		const twoCategories = {
			search_category: [{ value: 'one' }],
			network_category: [{ value: 'other' }],
		};
		const unpaid = enrich(ID, { maxRecordsToPay: 0 });
		const messages: string[] = [];
		for (const parameters of [
			enrich('abc'),
			{ ...enrichCompany, businessIds: 'abc' },
			enrich(ID, { options: { fields: 'contacts_mail' } }),
			{ ...enrich(ID), operation: 'getEvents', timestampFrom: '2020-01-01' },
			search({ filters: { company_size: [{ value: '={{ $json.size }}' }] } }),
			{ resource: 'business', operation: 'getStatistics', filters: twoCategories },
			{
				...enrichCompany,
				businessIds: 'a'.repeat(32),
				dataSets: ['intent'],
				options: { minScore: '60' },
			},
			{ ...customCall, path: '/v1/nothing' },
			{ ...customCall, path: 'https://api.example.com/v1/x' },
			{
				...customCall,
				path: '/v1/x',
				queryParameters: { parameters: [{ name: 'page', value: '={{ $json.page }}' }] },
			},
			unpaid,
			search({ returnAll: true }),
		]) {
			messages.push(await messageOf(service, parameters));
		}
		const oneWithoutLimit = enrich(ID, { maxRecordsToPay: '={{ $json.limit }}' });
		const run = await service.run(oneWithoutLimit, [{ limit: 1 }, {}], CONTINUE);
		messages.push(String(errorOf(run.error[0]).message));
		return [...messages, (await service.run(unpaid)).failureText];
	}

	/** What is said of searches and of settings. */
	async function ofSearches(service: Service): Promise<string[]> {
		const match = { resource: 'prospect', operation: 'match' };
		const page = service.fault({
			when: { to: 'search', nth: 2 },
			times: 'always',
			do: { kind: 'status', status: 500 },
		});
		const missing = await messageOf(
			service,
			search({ limit: 200, options: { requests: { maxTries: 1 } } }),
		);
		page.remove();
		const empty = service.fault({
			when: { to: 'search' },
			times: 'always',
			do: { kind: 'rows', how: 'none' },
		});
		const incomplete = await messageOf(service, search({ limit: 20 }));
		empty.remove();
		const maintenance = service.fault({
			when: { to: 'search' },
			do: { kind: 'status', status: 200, body: { status: 'maintenance' } },
		});
		const unanswered = await messageOf(service, search({ limit: 20 }));
		maintenance.remove();
		const nobody = await hintsOfRun(
			service,
			search({ filters: { job_title: [{ value: 'no such title' }] } }),
		);
		const messy = await hintsOfRun(service, {
			...match,
			fullName: 'Ada',
			companyName: 'Acme',
			email: 'carla',
		});
		const blank = await hintsOfRun(service, { ...match, fullName: 'Ada' });
		service.change((body) => ({ ...body, total_results: 1 }), { when: { to: 'search', nth: 2 } });
		const changed = await hintsOfRun(service, search({ limit: 200 }));
		const notFound = await hintsOfRun(service, {
			resource: 'business',
			operation: 'find',
			companyName: 'Nobody, Inc.',
		});
		service.change(
			(body) => ({
				...(body as object),
				total_results: 70_000,
				data: service.world.prospectIds(100).map((prospect_id) => ({ prospect_id })),
			}),
			{ when: { to: 'search' } },
		);
		const former = await service.run(enrich('={{ $json.id }}', { includeInputFields: true }), [
			{ id: service.world.prospectId(1), contacts_email: 'carla@acme.example' },
		]);
		const many = await hintsOfRun(service, search({ ...EVERYONE, options: { startPage: 600 } }));
		const retry = (await hintsOfRun(service, search({ countOnly: true }), true)).at(-1) ?? '';
		return [
			missing,
			incomplete,
			unanswered,
			...nobody.slice(1),
			...messy.slice(1),
			...blank.slice(1),
			...changed.slice(-1),
			...notFound.slice(1),
			...many.slice(1),
			...hintsOf(former).slice(1),
			retry,
		];
	}

	/** What is said of addresses and keys, by the node and by the credential's test. */
	async function ofCredentials(service: Service): Promise<string[]> {
		const { apiKey } = service;
		return [
			await testOf({ statusCode: 200, body: [] }),
			await messageOf(service, enrich(ID), { baseUrl: 'api.example.com', apiKey }),
			await messageOf(service, enrich(ID), { baseUrl: 'http://api.example.com', apiKey }),
			await messageOf(service, enrich(ID), { baseUrl: 'http://127.0.0.1:1', apiKey }),
			...[
				{ code: 'ENOTFOUND' },
				{ code: 'CERT_HAS_EXPIRED' },
				{ code: 'NOT_SENT', reasons: ['Credentials not found'] },
			].map((connectionError) => {
				const { outcome } = interpretResponse(
					connectionError,
					{ method: 'GET', path: '/', safeToRetry: true },
					1_000,
					(text) => text,
					false,
				);
				return String(outcome.failure?.message);
			}),
		];
	}

	/** What the credential's test says of a response, or of a request that failed. */
	async function testOf(result: object): Promise<string> {
		const request = async () => await Promise.resolve(result);
		const context = { helpers: { request } } as unknown as ICredentialTestFunctions;
		const data = { baseUrl: 'https://api.example.com', apiKey: 'key' };
		const credential = { id: '1', name: 'Account', type: 'businessProspectDataApi', data };
		return (await testCredential.call(context, credential)).message;
	}

	/** What the trigger says. */
	async function ofTrigger(service: Service): Promise<string[]> {
		const failureOf = async (poller: Poller, mode: 'manual' | 'trigger', activates = false) =>
			await poller.poll({ mode, activation: activates ? 'activate' : undefined }).then(
				() => 'nothing',
				(error: unknown) => (error instanceof Error ? error.message : ''),
			);
		const said = async (parameters: INodeParameters, mode: 'manual' | 'trigger' = 'manual') => {
			const poller = triggerOn(service, parameters);
			const atActivation = mode === 'trigger' ? await failureOf(poller, mode, true) : 'nothing';
			return atActivation === 'nothing' ? await failureOf(poller, mode) : atActivation;
		};
		const everybody = {
			triggerOn: 'newProspect',
			filters: { total_experience_months: [{ gte: 0 }] },
		};
		const messages = [
			await said({ ids: ' ' }),
			await said({ ids: `${ID}, b` }),
			await said({ ids: ID }),
			await said({ ids: ID, options: { startFrom: '2020-01-01' } }, 'trigger'),
			await said({ triggerOn: 'newProspect' }),
			await said({ ...everybody, options: { maxProspects: 1 } }, 'trigger'),
			await said({ triggerOn: 'newProspect', filters: { prospect_id: [{ value: ID }] } }),
		];
		const watching = triggerOn(service, everybody);
		await watching.poll({ activation: 'activate' });
		const down = service.fault({ times: 'always', do: { kind: 'status', status: 404 } });
		messages.push(await said({ ids: ID }, 'trigger'));
		messages.push(await said(everybody, 'trigger'));
		messages.push(await failureOf(watching, 'trigger'));
		// How these end has rows of its own.
		messages.push(
			...messages.slice(-3).map((message) => message.replace(/^.+(?= (?:No|The first) )/, '…')),
		);
		down.remove();
		return messages;
	}

	/** A row's text as a pattern: from its beginning, `…` for what differs. */
	const patternOf = (cell: string) =>
		new RegExp(`^${cell.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.+')}`);

	test('each text is the beginning of a real message, and none is left out', async () => {
		const service = await startService();
		const messages: string[] = [];
		for (const provoke of [ofFaults, ofFields, ofSearches, ofCredentials, ofTrigger]) {
			messages.push(...(await provoke(service)));
		}

		const rows = firstCells(sectionOf(ERRORS_PAGE, '## Troubleshooting'));

		expect(rows.length).toBeGreaterThan(30);
		const unreal = rows.filter((row) => !messages.some((message) => patternOf(row).test(message)));
		expect(unreal).toEqual([]);
		const left = messages.filter((message) => !rows.some((row) => patternOf(row).test(message)));
		expect([...new Set(left)]).toEqual([]);
	});
});
