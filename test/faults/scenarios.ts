/** How the matrix runs each operation: its input rows, and which requests the faults affect. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import type { EndpointName } from '../sandbox/contract/contract';
import type { World } from '../sandbox/world/world';

/**
 * An input row. `mark` is text that each affected request for the row contains, and no other; requests of the other step have
 * `otherMark` instead.
 */
export interface InputRow extends IDataObject {
	mark: string;
	otherMark?: string;
}

export interface Scenario {
	readonly name: string;
	/** Whether the affected requests cost credits. */
	readonly paid: boolean;
	/** Which requests the faults affect, if they are for the row that a fault is about. */
	readonly to: EndpointName;
	readonly page?: number;
	/** The row that a fault is about, by default the second. */
	readonly target?: number;
	/** Whether a request names several records, to which the rows of its response refer. */
	readonly isBulk?: boolean;
	/** Whether each input row has exactly one row. */
	readonly oneRowEach: boolean;
	/** The records to pay for, which Max Records to Pay just allows. */
	readonly records?: number;
	readonly parameters: INodeParameters;
	readonly rows: (world: World) => readonly InputRow[];
}

/** One request at a time, so that it is known which requests come before and after the fault. */
const OPTIONS = { maxConcurrentRequests: 1, maxWait: 20 };
/** A filter that leaves out nobody, with the mark. */
const MARKED = '{ mark: { type: "includes", values: [$json.mark] } }';

/** Row 14 is in the second of three requests. */
const BULK = { target: 14, isBulk: true, oneRowEach: true } as const;
const BATCHES_OF_TEN = { ...OPTIONS, batchSize: 10 };

/** The same row again: nothing is paid for it. */
const withDuplicate = (rows: readonly InputRow[], target: number) => [
	...rows,
	...rows.slice(target, target + 1),
];

/** 21 people with 0 to 4 posts, two of them without a profile. */
const PEOPLE = Array.from({ length: 21 }, (_, at) => at + 13);
const people: Scenario['rows'] = (world) =>
	withDuplicate(
		PEOPLE.map((n) => ({ mark: world.prospectId(n) })),
		BULK.target,
	);
const companies: Scenario['rows'] = (world) =>
	withDuplicate(
		PEOPLE.map((_, n) => ({ mark: world.businessId(n) })),
		BULK.target,
	);
/** Many scripts, combining marks, right-to-left, astral and invisible characters, quotes. */
const UNICODE_TEXT = [
	'Zoë Ñandú Straße ı İ',
	'e\u0301 a\u030a (not composed)',
	'Οδυσσέας Дмитрий',
	'山田 太郎 한국어 हिन्दी ไทย',
	'שלום עולם مرحبا',
	'𠮷野 𝒳',
	'👩‍👩‍👧‍👦 🇩🇪 👍🏽',
	'\u200b\u202e\u2028\ufeff',
	'"quoted" \\back /slash <b>&amp;</b> {{ $json.x }} \u0000 \t.',
].join(' | ');
const NOBODY = { mark: 'nobody@nowhere.example', email: 'nobody@nowhere.example' };

const byDetails: INodeParameters = {
	moreDetails: { network: '={{ $json.url }}' },
	email: '={{ $json.email }}',
	fullName: '={{ $json.name }}',
	companyName: '={{ $json.company }}',
};

/** Each step of an operation for people by their details. */
const detailsScenarios = (
	dataEndpoint: EndpointName,
	{ records, oneRowEach, paid, parameters }: Omit<Scenario, 'name' | 'to' | 'rows'>,
): Scenario[] =>
	(['match', dataEndpoint] as const).map((to) => ({
		...BULK,
		name: `by details: ${to}`,
		paid: paid || to === 'match',
		to,
		records,
		oneRowEach,
		parameters: {
			...byDetails,
			identifyBy: 'personDetails',
			options: BATCHES_OF_TEN,
			...parameters,
		},
		rows: (world) => {
			const rows = PEOPLE.map((n) => {
				const [url, id] = [world.person(n).network, world.prospectId(n)];
				return to === 'match'
					? { mark: url, otherMark: id, url }
					: { mark: id, otherMark: url, url };
			});
			return withDuplicate([...rows.slice(0, 12), NOBODY, ...rows.slice(12)], BULK.target);
		},
	}));

/** Companies for which the service knows people. */
const KNOWN_COMPANIES = [2, 3, 5, 6, 7, 8, 9, 10, 11];
const NO_COMPANY = { mark: 'Nowhere, Inc.', name: 'Nowhere, Inc.' };

/** Each step of an operation for companies by name. The data comes in three requests. */
const nameScenarios = (
	dataEndpoint: EndpointName,
	{ oneRowEach, paid, parameters }: Omit<Scenario, 'name' | 'to' | 'rows'>,
): Scenario[] =>
	(['search', dataEndpoint] as const).map((to) => ({
		name: `by company name: ${to}`,
		paid: paid && to !== 'search',
		to,
		oneRowEach,
		...(to !== 'search' && { isBulk: true, target: 7 }),
		parameters: {
			identifyBy: 'companyName',
			companyName: '={{ $json.name }}',
			options: { ...OPTIONS, batchSize: 4 },
			...parameters,
		},
		rows: (world) => {
			const rows = KNOWN_COMPANIES.map((n) => {
				const [name, id] = [world.company(n).name, world.businessId(n)];
				return to === 'search'
					? { mark: name, otherMark: id, name }
					: { mark: id, otherMark: name, name };
			});
			return withDuplicate([...rows.slice(0, 3), NO_COMPANY, ...rows.slice(3)], 1);
		},
	}));

/** Rows with requests that find the same people, those of all companies: they differ in their limit and mark. */
const search = (name: string, page: number, limit: number): Scenario => ({
	name,
	paid: false,
	to: 'search',
	page,
	oneRowEach: false,
	parameters: {
		limit: '={{ $json.limit }}',
		filters: { company_name: [{ value: '={{ [...$json.companies, $json.mark] }}' }] },
		options: OPTIONS,
	},
	rows: ({ companies: count, company }) => {
		const companies = Array.from({ length: count }, (_, n) => company(n).name);
		return [3, limit, 1_000].map((own, row) => ({ mark: `row ${row}`, limit: own, companies }));
	},
});

/** An input row for each request. */
const single = (
	to: EndpointName,
	parameters: INodeParameters,
	rows: Scenario['rows'] = () => [0, 1, 2].map((row) => ({ mark: `row ${row}` })),
): Scenario => ({
	name: `one request per row`,
	paid: false,
	to,
	oneRowEach: true,
	parameters: { options: OPTIONS, ...parameters },
	rows,
});

const customCall = (safeToRetry: boolean): Scenario => ({
	...single('stats', {
		method: 'POST',
		path: '/v1/businesses/stats',
		body: `={{ { filters: ${MARKED} } }}`,
		output: 'summary',
		options: { ...OPTIONS, safeToRetry },
	}),
	name: safeToRetry ? 'a POST that is safe to retry' : 'a POST',
	paid: !safeToRetry,
});

/** By `resource/operation`. */
export const SCENARIOS: Readonly<Record<string, readonly Scenario[]>> = {
	'prospect/match': [
		{
			...BULK,
			name: 'ten people per request',
			paid: true,
			to: 'match',
			records: 21,
			parameters: { ...byDetails, options: BATCHES_OF_TEN },
			rows: (world) => {
				const rows = PEOPLE.map((n): InputRow => {
					const url = world.person(n).network;
					return n === 28
						? { mark: url, url, name: UNICODE_TEXT, company: 'Acme' }
						: { mark: url, url };
				});
				return withDuplicate([...rows.slice(0, 12), NOBODY, ...rows.slice(13)], BULK.target);
			},
		},
	],
	'prospect/enrich': [
		{
			...BULK,
			name: 'posts and profiles, ten people per request',
			paid: true,
			to: 'postsBulk',
			records: 42,
			parameters: {
				identifyBy: 'prospectId',
				prospectIds: '={{ $json.mark }}',
				dataSets: ['profile', 'networkPosts'],
				simplify: false,
				options: BATCHES_OF_TEN,
			},
			rows: people,
		},
		{
			...BULK,
			name: 'contacts, ten people per request',
			paid: true,
			to: 'contactsBulk',
			records: 21,
			parameters: {
				identifyBy: 'prospectId',
				prospectIds: '={{ $json.mark }}',
				dataSets: ['emails', 'phoneNumbers'],
				options: BATCHES_OF_TEN,
			},
			rows: people,
		},
		{
			...single(
				'profile',
				{
					identifyBy: 'prospectId',
					prospectIds: '={{ $json.mark }}',
					dataSets: ['profile', 'emails', 'phoneNumbers'],
					options: { ...OPTIONS, requestMode: 'single' },
				},
				(world) => people(world).slice(0, 3),
			),
			name: 'contacts and profiles, one person per request',
			paid: true,
			records: 6,
		},
		...detailsScenarios('profileBulk', {
			paid: true,
			oneRowEach: true,
			records: 44,
			parameters: { dataSets: ['profile'] },
		}),
	],
	'prospect/getEvents': [
		{
			...BULK,
			name: 'ten people per request',
			paid: false,
			to: 'prospectEvents',
			oneRowEach: false,
			parameters: {
				identifyBy: 'prospectId',
				prospectIds: '={{ $json.mark }}',
				options: BATCHES_OF_TEN,
			},
			rows: people,
		},
		...detailsScenarios('prospectEvents', { paid: false, oneRowEach: false, parameters: {} }),
	],
	'prospect/getAll': [
		search('the first page', 1, 102),
		search('the second page', 2, 102),
		search('the first page of a whole search', 1, 1_000),
		search('the page before the last', 2, 1_000),
		search('the last page', 3, 1_000),
	],
	'business/enrich': [
		{
			...BULK,
			name: 'funding and intent, ten companies per request',
			paid: true,
			to: 'fundingAndAcquisition',
			records: 42,
			parameters: {
				identifyBy: 'businessId',
				businessIds: '={{ $json.mark }}',
				dataSets: ['intent', 'fundingAndAcquisition'],
				options: BATCHES_OF_TEN,
			},
			rows: companies,
		},
		...nameScenarios('fundingAndAcquisition', {
			paid: true,
			oneRowEach: true,
			parameters: { dataSets: ['fundingAndAcquisition'] },
		}),
	],
	'business/find': [
		single('search', { companyName: '={{ $json.mark }}' }, (world) =>
			[2, 3, 5].map((n) => ({ mark: world.company(n).name })),
		),
		{
			...BULK,
			name: 'all people in one request',
			paid: false,
			to: 'search',
			target: 2,
			parameters: {
				identifyBy: 'prospectId',
				prospectId: '={{ $json.mark }}',
				options: OPTIONS,
			},
			rows: (world) => people(world).slice(0, 4),
		},
	],
	'business/getEvents': [
		{
			...BULK,
			name: 'ten companies per request',
			paid: false,
			to: 'businessEvents',
			oneRowEach: false,
			parameters: {
				identifyBy: 'businessId',
				businessIds: '={{ $json.mark }}',
				options: BATCHES_OF_TEN,
			},
			rows: companies,
		},
		...nameScenarios('businessEvents', { paid: false, oneRowEach: false, parameters: {} }),
	],
	'business/getStatistics': [
		single('stats', {
			output: 'summary',
			options: { ...OPTIONS, additionalFilters: `={{ ${MARKED} }}` },
		}),
	],
	'eventEnrollment/delete': [
		single('deleteEnrollment', { enrollmentId: '={{ $json.mark }}' }, (world) =>
			[0, 1, 2].map((n) => ({ mark: world.enrollmentId(n) })),
		),
	],
	'creditUsage/get': [
		{
			...single(
				'credits',
				{
					fromDate: '={{ $json.from }}',
					toDate: '2026-10-01T00:00:00Z',
					groupBy: 'hour',
					options: { ...OPTIONS, timezone: '={{ $json.mark }}' },
				},
				() => [
					{ mark: 'Africa/Abidjan', from: '2026-09-29' },
					{ mark: 'Africa/Dakar', from: '2026-09-15' },
					{ mark: 'Africa/Accra', from: '2026-09-30' },
				],
			),
			name: 'a range in three requests',
			oneRowEach: false,
		},
	],
	'filterValue/search': [
		{
			...single('autocomplete', { field: 'job_title', query: '={{ $json.mark }}' }, () =>
				['manager', 'director', 'sales'].map((mark) => ({ mark })),
			),
			oneRowEach: false,
		},
	],
	'customApiCall/send': [customCall(false), customCall(true)],
};

export const nameOf = ({ resource, value }: { resource: string; value: string }): string =>
	`${resource}/${value}`;

/** The operations of some resources, each with its scenarios. */
export const scenariosOf = (includes: (resource: string) => boolean) =>
	OPERATIONS.filter(({ resource }) => includes(resource)).map((operation) => {
		const scenarios = SCENARIOS[nameOf(operation)];
		if (scenarios === undefined) throw new Error(`${nameOf(operation)} has no scenario.`);
		return { operation, scenarios };
	});
