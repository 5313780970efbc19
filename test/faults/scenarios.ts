/** How the matrix uses each operation: its items, its requests, and which of them a fault affects. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { ENDPOINTS } from '../sandbox/contract/contract';
import { hex } from '../sandbox/world/hash';
import type { World } from '../sandbox/world/world';
import * as responses from './responseModels';
import { MATCHING_PEOPLE, searchPages } from './searchPages';
import { UNICODE_NAME, UNICODE_TEXT } from './unicodeText';

/**
 * The fields of an input item. `mark` is text that every request for the value contains, and no other; those of the step
 * without the fault have one of `otherMarks` instead.
 */
type Value = IDataObject & { mark: string; otherMarks?: string[]; done?: string };
export type Item = Value & { row: number };

export interface Scenario {
	readonly name: string;
	/** Whether the affected requests cost credits. */
	readonly paid: boolean;
	/** With IDs that are found first: the step that the fault affects. */
	readonly step?: 'match' | 'search' | 'data';
	readonly response: responses.ResponseModel;
	/** The parameter with the values, if it is a single one. */
	readonly field?: string;
	readonly parameters: INodeParameters;
	readonly values: (world: World, cell: number) => readonly Value[];
	/** Whether equal items send requests of their own. */
	readonly repeatsEqualInputs?: boolean;
	/** The fault affects the `nth` request for the value `target`. */
	readonly target: number;
	readonly nth: number;
	/** The value after the target in the same request. */
	readonly neighbor: number;
	/** A value further to the front of the same request. */
	readonly earlier: number;
	/** The page that the affected request fetches. */
	readonly page?: 'first' | 'middle' | 'last';
	/** Whether the search ends with the last person, not at its limit. */
	readonly exhaustsSearch?: boolean;
	/** Whether the last item equals the target, but is one that Skip Rows leaves out. */
	readonly skipsLast?: boolean;
}

export const MAX_TRIES = 3;
/** Seconds. */
export const MAX_WAIT = 20;
export const TIMEOUT = 7;

/** One request at a time, so that it is known which requests come before and after the fault. */
const options = (more: IDataObject = {}) => ({
	requests: {
		maxConcurrentRequests: 1,
		maxTries: MAX_TRIES,
		maxWait: MAX_WAIT,
		timeout: TIMEOUT,
		requestContext: '{ "item": "any" }',
		...more,
	},
});
const OPTIONS = options();
const BATCHES_OF_TEN = options({ batchSize: 10 });
/** Fewer than each company has. */
const THREE_PEOPLE = options({ rowsPerSearch: 3, lookUpSpellings: false });
/** Limits that are just high enough change nothing, whatever fails: each record costs 2 credits. */
const batchesWithin = (maxRecordsToPay: number) => ({
	maxRecordsToPay,
	maxCreditsToPay: 2 * maxRecordsToPay,
	options: BATCHES_OF_TEN,
});
const skippingWithin = (maxRecordsToPay: number) => ({
	...batchesWithin(maxRecordsToPay),
	options: { ...BATCHES_OF_TEN, skipRows: { filledField: '={{ $json.done }}' } },
});
/** Puts the mark into requests that otherwise don't contain it. */
const MARKED = options({ requestContext: '={{ JSON.stringify({ item: $json.mark }) }}' });

/** The second of three requests, for 21 values in batches of ten. */
const BATCHED = { target: 14, nth: 0, neighbor: 15, earlier: 11 };
/** The second of three values with a request each. */
const SINGLE = { target: 1, nth: 0, neighbor: 1, earlier: 1 };

/** 21 people with 0 to 4 posts, two of them without a profile. */
const PEOPLE = Array.from({ length: 21 }, (_, at) => at + 13);
const people: Scenario['values'] = (world) => PEOPLE.map((n) => ({ mark: world.prospectId(n) }));
const COMPANIES = Array.from({ length: 21 }, (_, at) => at);
const companies: Scenario['values'] = (world) =>
	COMPANIES.map((n) => ({ mark: world.businessId(n) }));

/** Network URLs, an unknown email address, and a name with Unicode text. */
const matchInputs: Scenario['values'] = (world) =>
	PEOPLE.map((n, at) => {
		if (at === 12) return { mark: 'nobody@nowhere.example', email: 'nobody@nowhere.example' };
		if (at === 15) return { mark: UNICODE_NAME, name: UNICODE_TEXT, company: 'Acme' };
		return { mark: world.person(n).network, url: world.person(n).network };
	});

/** 22 people, one of them without a match, by the mark of a step. */
const detailsOf =
	(step: Scenario['step']): Scenario['values'] =>
	(world) =>
		Array.from({ length: 22 }, (_, at) => {
			const [url, id] = [world.person(at + 13).network, world.prospectId(at + 13)];
			if (at === 12) return { mark: 'nobody@nowhere.example', email: 'nobody@nowhere.example' };
			return step === 'match'
				? { mark: url, otherMarks: [id, ...(at === 10 ? [FOREIGN_ID] : [])], url }
				: { mark: id, otherMarks: [url], url };
		});
/** The ID of a foreign row, which the first person of the second match request gets. */
const FOREIGN_ID = hex(40, 'a foreign row');

/** A profile is compared with the details, which don't include a name. */
const compared = (model: responses.ResponseModel): responses.ResponseModel => ({
	...model,
	rows: (id, parts) =>
		model.rows(id, parts).map((row) => ({
			...row,
			match_check: id === '' ? null : 'unknown',
			match_differs_in: null,
		})),
});

/** Rows say whether they were skipped: the last one is. */
const skipping = (model: responses.ResponseModel): Pick<Scenario, 'response' | 'skipsLast'> => ({
	response: {
		...model,
		rows: (id, parts) => model.rows(id, parts).map((row) => ({ ...row, skipped: false })),
	},
	skipsLast: true,
});

/** Both steps of an operation for people by their details, with a fault in the second of three requests. */
const byDetails = (
	model: responses.ResponseModel,
	paid: boolean,
	parameters: INodeParameters,
): Scenario[] =>
	(['match', 'data'] as const).map((step) => ({
		name: `by details, ten people per request: ${step}`,
		paid: paid || step === 'match',
		step,
		response: responses.afterIdentifying('match', model, 'profileBulk', step),
		parameters: {
			identifyBy: 'personDetails',
			network: '={{ $json.url }}',
			email: '={{ $json.email }}',
			options: BATCHES_OF_TEN,
			...parameters,
		},
		values: detailsOf(step),
		...BATCHED,
		nth: step === 'match' ? 0 : 1,
	}));

/** Companies for which the service knows people. */
const KNOWN_COMPANIES = [2, 3, 5, 6, 7, 8, 9, 10, 11];
/** A name that no company has. */
const NO_COMPANY = { mark: 'Nowhere, Inc.', name: 'Nowhere, Inc.' };
/** Companies by name, one of them unknown, by the mark of a step. */
const namesOf =
	(step: 'search' | 'data', companyIndexes: readonly number[]): Scenario['values'] =>
	(world) =>
		companyIndexes.flatMap((n, at) => {
			const [name, id] = [world.company(n).name, world.businessId(n)];
			const value =
				step === 'search'
					? { mark: name, otherMarks: [id], name }
					: { mark: id, otherMarks: [name], name };
			return at === 2 ? [value, NO_COMPANY] : [value];
		});

/** Both steps for companies by name, with a fault in the second of four searches, or of three requests for data. */
const byName = (
	model: responses.ResponseModel,
	paid: boolean,
	parameters: INodeParameters,
): Scenario[] =>
	(['search', 'data'] as const).map((step) => {
		const isSearch = step === 'search';
		return {
			name: `by company name: ${step}`,
			paid: paid && !isSearch,
			step,
			response: responses.afterIdentifying('search', model, 'fundingAndAcquisition', step),
			...(isSearch && { field: 'companyName' }),
			parameters: {
				identifyBy: 'companyName',
				companyName: '={{ $json.name }}',
				options: isSearch
					? THREE_PEOPLE
					: options({ rowsPerSearch: 3, lookUpSpellings: false, batchSize: 4 }),
				...parameters,
			},
			values: namesOf(step, isSearch ? [2, 3, 5] : KNOWN_COMPANIES),
			...(isSearch ? SINGLE : { target: 7, nth: 1, neighbor: 8, earlier: 6 }),
		};
	});

const numbered = (more: IDataObject[]): Scenario['values'] => {
	return () => more.map((one, at) => ({ mark: `item ${at}`, ...one }));
};

const searchParameters = { limit: '={{ $json.limit }}', options: MARKED };
/** A fault in the second of three searches, which has this limit. */
const searchTo = (limit: number) => ({
	paid: false,
	response: searchPages({ 'item 0': 3, 'item 1': limit, 'item 2': 103 }),
	parameters: searchParameters,
	values: numbered([{ limit: 3 }, { limit }, { limit: 103 }]),
	...SINGLE,
	exhaustsSearch: limit > MATCHING_PEOPLE,
});
/** The limit ends within the second page; the third page has the last person and is not full. */
const [TWO_PAGES, THREE_PAGES] = [searchTo(102), searchTo(1_000)];

/** One call per item. */
const customCall = (safeToRetry: boolean): Scenario => ({
	name: safeToRetry ? 'a POST that is safe to retry' : 'a POST per item',
	paid: !safeToRetry,
	response: responses.customCall,
	parameters: {
		method: 'POST',
		path: '/v1/businesses/stats',
		body: '={{ { filters: {}, request_context: { item: $json.mark } } }}',
		options: { ...OPTIONS, safeToRetry },
	},
	values: numbered([{}, {}, {}]),
	repeatsEqualInputs: true,
	...SINGLE,
});

const prospects = { field: 'prospectIds', values: people };
const businesses = { field: 'businessIds', values: companies };

/** By `resource/operation`. Every operation has at least one. */
export const SCENARIOS: Readonly<Record<string, readonly Scenario[]>> = {
	'prospect/match': [
		{
			name: 'ten people per request',
			paid: true,
			response: responses.matches,
			parameters: {
				network: '={{ $json.url }}',
				email: '={{ $json.email }}',
				nameFields: 'full',
				fullName: '={{ $json.name }}',
				companyName: '={{ $json.company }}',
				...batchesWithin(21),
			},
			values: matchInputs,
			...BATCHED,
		},
	],
	'prospect/enrich': [
		{
			name: 'posts and profiles, ten people per request',
			paid: true,
			...skipping(
				responses.dataSets('prospect_id', { postsBulk: 'network_posts', profileBulk: 'profile' }),
			),
			...prospects,
			parameters: {
				prospectIds: '={{ $json.mark }}',
				dataSets: ['profile', 'networkPosts'],
				...skippingWithin(42),
			},
			...BATCHED,
			// Of posts: profiles are requested first.
			nth: 1,
		},
		{
			name: 'contacts and profiles, one person per request',
			paid: true,
			response: responses.records('prospect_id', { contacts: 'contacts', profile: 'profile' }),
			field: 'prospectIds',
			parameters: {
				prospectIds: '={{ $json.mark }}',
				dataSets: ['profile', 'contacts'],
				options: options({ requestMode: 'single' }),
			},
			values: (world, cell) => people(world, cell).slice(0, 3),
			...SINGLE,
		},
		...byDetails(compared(responses.dataSets('prospect_id', { profileBulk: 'profile' })), true, {
			dataSets: ['profile'],
		}),
	],
	'prospect/getEvents': [
		{
			name: 'ten people per request',
			paid: false,
			response: responses.events('prospect_id'),
			...prospects,
			parameters: { prospectIds: '={{ $json.mark }}', options: BATCHES_OF_TEN },
			...BATCHED,
		},
		...byDetails(responses.events('prospect_id'), false, {}),
	],
	'prospect/getAll': [
		{ name: 'the first page', ...TWO_PAGES, page: 'first' },
		{ name: 'the second page', ...TWO_PAGES, nth: 1, page: 'last' },
		{ name: 'the first page of a whole search', ...THREE_PAGES, page: 'first' },
		{ name: 'the page before the last', ...THREE_PAGES, nth: 1, page: 'middle' },
		{ name: 'the last page', ...THREE_PAGES, nth: 2, page: 'last' },
	],
	'business/enrich': [
		{
			name: 'funding and intent, ten companies per request',
			paid: true,
			...skipping(
				responses.dataSets('business_id', {
					fundingAndAcquisition: 'funding_and_acquisition',
					intent: 'intent',
				}),
			),
			...businesses,
			parameters: {
				businessIds: '={{ $json.mark }}',
				dataSets: ['intent', 'fundingAndAcquisition'],
				...skippingWithin(42),
			},
			...BATCHED,
		},
		...byName(
			responses.dataSets('business_id', { fundingAndAcquisition: 'funding_and_acquisition' }),
			true,
			{ dataSets: ['fundingAndAcquisition'] },
		),
	],
	'business/find': [
		{
			name: 'one search per name',
			paid: false,
			response: responses.companies,
			field: 'companyName',
			parameters: { companyName: '={{ $json.mark }}', options: THREE_PEOPLE },
			values: (world) => [2, 3, 5].map((n) => ({ mark: world.company(n).name })),
			...SINGLE,
		},
		{
			name: 'all people in one request',
			paid: false,
			response: responses.companiesOfPeople,
			...prospects,
			field: 'prospectId',
			parameters: {
				identifyBy: 'prospectId',
				prospectId: '={{ $json.mark }}',
				options: OPTIONS,
			},
			values: (world) => people(world, 0).slice(0, 4),
			...{ target: 2, nth: 0, neighbor: 3, earlier: 1 },
		},
	],
	'business/getEvents': [
		{
			name: 'ten companies per request',
			paid: false,
			response: responses.events('business_id'),
			...businesses,
			parameters: { businessIds: '={{ $json.mark }}', options: BATCHES_OF_TEN },
			...BATCHED,
		},
		...byName(responses.events('business_id'), false, {}),
	],
	'business/getStatistics': [
		{
			name: 'one selection per item',
			paid: false,
			response: responses.wholeResponse,
			parameters: { output: 'summary', options: MARKED },
			values: numbered([{}, {}, {}]),
			...SINGLE,
		},
	],
	'eventEnrollment/delete': [
		{
			name: 'one enrollment per item',
			paid: false,
			response: responses.deletion,
			field: 'enrollmentId',
			parameters: { enrollmentId: '={{ $json.mark }}', options: OPTIONS },
			values: (world, cell) => [0, 1, 2].map((n) => ({ mark: world.enrollmentId(3 * cell + n) })),
			...SINGLE,
		},
	],
	'creditUsage/get': [
		{
			name: 'a range in three requests',
			paid: false,
			response: responses.dateRanges,
			parameters: {
				fromDate: '={{ $json.from }}',
				toDate: '2026-10-01T00:00:00Z',
				resolution: 'hour',
				options: MARKED,
			},
			values: numbered([{ from: '2026-09-29' }, { from: '2026-09-15' }, { from: '2026-09-30' }]),
			...SINGLE,
			nth: 1,
		},
	],
	'filterValue/search': [
		{
			name: 'one text per item',
			paid: false,
			response: responses.autocomplete,
			parameters: { field: 'job_title', query: '={{ $json.mark }}', options: OPTIONS },
			values: () => ['manager', 'director', 'sales'].map((mark) => ({ mark })),
			...SINGLE,
		},
	],
	'customApiCall/send': [customCall(false), customCall(true)],
};

export const nameOf = ({ resource, value }: { resource: string; value: string }): string =>
	`${resource}/${value}`;

/** The items of a cell: one for each value, and a duplicate of the target where it shares the request. */
export function itemsOf(
	{ values, target, repeatsEqualInputs, skipsLast }: Scenario,
	world: World,
	cell: number,
): Item[] {
	const list = values(world, cell);
	const duplicates = repeatsEqualInputs ? [] : list.slice(target, target + 1);
	const skipped = skipsLast ? duplicates.map((value) => ({ ...value, done: 'yes' })) : [];
	return [...list, ...duplicates, ...skipped].map((value, row) => ({ ...value, row }));
}

export interface RawRequest {
	readonly endpoint: string | null;
	readonly body?: unknown;
	readonly query?: unknown;
}

/** A request by the values that it contains, as indexes, and the part of their results that it is for. */
export interface SentRequest {
	/** The endpoint, with the page or the start of the range. */
	readonly part: string;
	readonly values: readonly number[];
}

export function parseRequest(
	{ endpoint, body, query }: RawRequest,
	/** Of each value, its mark and its other marks. */
	marks: ReadonlyArray<readonly string[]>,
): SentRequest {
	const { page, from_date: from } = (body ?? {}) as IDataObject;
	const text = JSON.stringify([body, query]);
	const values = marks.flatMap((own, at) => {
		const place = Math.max(...own.map((mark) => text.indexOf(JSON.stringify(mark))));
		return place < 0 ? [] : [{ at, place }];
	});
	return {
		part: [endpoint, page, from].filter(Boolean).join(' '),
		values: values.sort((a, b) => a.place - b.place).map(({ at }) => at),
	};
}

/** The name of the endpoint at a path. */
export const endpointAt = (path: string, method: string | undefined): string | null =>
	ENDPOINTS.find((endpoint) => endpoint.path === path && endpoint.method === method)?.name ?? null;

/** The parts of the matrix, one test file each, so that they run in parallel. */
export const PARTS = {
	prospect: (resource: string) => resource === 'prospect',
	business: (resource: string) => resource === 'business',
	others: (resource: string) => !['prospect', 'business'].includes(resource),
};

export const scenariosOf = (includes: (resource: string) => boolean) =>
	OPERATIONS.filter(({ resource }) => includes(resource)).map((operation) => ({
		operation,
		scenarios: SCENARIOS[nameOf(operation)] ?? [],
	}));
