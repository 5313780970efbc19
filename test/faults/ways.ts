/** How each operation is used in the matrix: its items, its requests, and which of them is hit. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { ENDPOINTS } from '../sandbox/contract/contract';
import type { World } from '../sandbox/world/world';
import { EVERYONE, searchPages } from './searchPages';
import * as shapes from './shapes';
import { EVERY_KIND_OF_TEXT } from './texts';

/** What an item asks for. */
type Value = IDataObject & { mark: string };
export type Item = Value & { row: number };

/** A way to use an operation. */
export interface Way {
	readonly name: string;
	/** Whether its requests cost credits. */
	readonly paid: boolean;
	/** How answers become rows. */
	readonly shape: shapes.Shape;
	/** Saved name of the parameter that the values come from, where it is one. */
	readonly field?: string;
	readonly parameters: INodeParameters;
	/**
	 * The values that are asked for, each by one item, and the last one more item that asks for the same as `hit`.
	 * `mark` is a text that stands in every request for the value, and in no other.
	 */
	readonly values: (world: World, cell: number) => readonly Value[];
	/** The request that is hit: the `nth` for the value `hit`. `also` and `apart` are other values in that request. */
	readonly hit: number;
	readonly nth: number;
	/** Beside it. */
	readonly also: number;
	/** Further away. */
	readonly apart: number;
	/** Which of the pages of its search the request that is hit is for. */
	readonly page?: 'first' | 'middle' | 'last';
	/** Whether the search ends with the last person, not with its limit. */
	readonly everyone?: boolean;
}

export const MAX_TRIES = 3;
/** Seconds. */
export const MAX_WAIT = 20;
export const TIMEOUT = 7;

/** One request at a time: so it is known what came before the fault, and what is no longer sent after it. */
const OPTIONS = {
	maxConcurrentRequests: 1,
	maxTries: MAX_TRIES,
	maxWait: MAX_WAIT,
	timeout: TIMEOUT,
};
const TEN_A_REQUEST = { ...OPTIONS, batchSize: 10 };
/** Tells items apart that ask for a thing of their own. */
const MARKED = { ...OPTIONS, requestContext: '={{ JSON.stringify({ item: $json.mark }) }}' };

/** 21 values in requests of ten: [0 to 9], [10 to 19], [20]. The second is hit. */
const LISTED = { hit: 14, nth: 0, also: 15, apart: 11 };
/** Three values, each in requests of its own. The second is hit. */
const ALONE = { hit: 1, nth: 0, also: 1, apart: 1 };

/** 21 people with 0 to 4 posts, two of them without a profile. */
const PEOPLE = Array.from({ length: 21 }, (_, at) => at + 13);
const people: Way['values'] = (world) => PEOPLE.map((n) => ({ mark: world.prospectId(n) }));
const COMPANIES = Array.from({ length: 21 }, (_, at) => at);
const companies: Way['values'] = (world) => COMPANIES.map((n) => ({ mark: world.businessId(n) }));

/** By network URL, one by email whom nobody knows, and one by a name with every kind of letter in it. */
const matched: Way['values'] = (world) =>
	PEOPLE.map((n, at) => {
		if (at === 12) return { mark: 'nobody@nowhere.example', email: 'nobody@nowhere.example' };
		if (at === 15) return { mark: EVERY_KIND_OF_TEXT, name: EVERY_KIND_OF_TEXT, company: 'Acme' };
		return { mark: world.person(n).network, url: world.person(n).network };
	});

const numbered = (more: IDataObject[]): Way['values'] => {
	return () => more.map((one, at) => ({ mark: `item ${at}`, ...one }));
};

const searched = { limit: '={{ $json.limit }}', options: MARKED };
/** A search that is hit between two others, up to a limit. */
const pagesTo = (limit: number) => ({
	paid: false,
	shape: searchPages({ 'item 0': 3, 'item 1': limit, 'item 2': 103 }),
	parameters: searched,
	values: numbered([{ limit: 3 }, { limit }, { limit: 103 }]),
	...ALONE,
	everyone: limit > EVERYONE,
});
/** Two pages: the limit ends within the second. Three pages: the last person is on the third, which is not full. */
const [TWO_PAGES, THREE_PAGES] = [pagesTo(102), pagesTo(1_000)];

const prospects = { field: 'prospectIds', values: people };
const businesses = { field: 'businessIds', values: companies };

/** By `resource/operation`: every operation has at least one. */
export const WAYS: Readonly<Record<string, readonly Way[]>> = {
	'prospect/match': [
		{
			name: 'ten people a request',
			paid: true,
			shape: shapes.matches,
			parameters: {
				network: '={{ $json.url }}',
				email: '={{ $json.email }}',
				fullName: '={{ $json.name }}',
				companyName: '={{ $json.company }}',
				options: TEN_A_REQUEST,
			},
			values: matched,
			...LISTED,
		},
	],
	'prospect/enrich': [
		{
			name: 'posts and profiles, ten people a request',
			paid: true,
			shape: shapes.dataSets('prospect_id', { postsBulk: 'network_posts', profileBulk: 'profile' }),
			...prospects,
			parameters: {
				prospectIds: '={{ $json.mark }}',
				dataSets: ['profile', 'networkPosts'],
				options: TEN_A_REQUEST,
			},
			...LISTED,
		},
		{
			name: 'contacts and profiles, one person a request',
			paid: true,
			shape: shapes.records('prospect_id', { contacts: 'contacts', profile: 'profile' }),
			field: 'prospectIds',
			parameters: {
				prospectIds: '={{ $json.mark }}',
				dataSets: ['profile', 'contacts'],
				options: { ...OPTIONS, requestMode: 'single' },
			},
			values: (world, cell) => people(world, cell).slice(0, 3),
			...ALONE,
		},
	],
	'prospect/getEvents': [
		{
			name: 'ten people a request',
			paid: false,
			shape: shapes.events('prospect_id'),
			...prospects,
			parameters: { prospectIds: '={{ $json.mark }}', options: TEN_A_REQUEST },
			...LISTED,
		},
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
			name: 'funding and intent, ten companies a request',
			paid: true,
			shape: shapes.dataSets('business_id', {
				fundingAndAcquisition: 'funding_and_acquisition',
				intent: 'intent',
			}),
			...businesses,
			parameters: {
				businessIds: '={{ $json.mark }}',
				dataSets: ['intent', 'fundingAndAcquisition'],
				options: TEN_A_REQUEST,
			},
			...LISTED,
		},
	],
	'business/getEvents': [
		{
			name: 'ten companies a request',
			paid: false,
			shape: shapes.events('business_id'),
			...businesses,
			parameters: { businessIds: '={{ $json.mark }}', options: TEN_A_REQUEST },
			...LISTED,
		},
	],
	'business/getStatistics': [
		{
			name: 'a selection an item',
			paid: false,
			shape: shapes.answer,
			parameters: { output: 'summary', options: MARKED },
			values: numbered([{}, {}, {}]),
			...ALONE,
		},
	],
	'eventEnrollment/delete': [
		{
			name: 'an enrollment an item',
			paid: false,
			shape: shapes.status,
			field: 'enrollmentId',
			parameters: { enrollmentId: '={{ $json.mark }}', options: OPTIONS },
			values: (world, cell) => [0, 1, 2].map((n) => ({ mark: world.enrollmentId(3 * cell + n) })),
			...ALONE,
		},
	],
	'creditUsage/get': [
		{
			name: 'a range of three parts',
			paid: false,
			shape: shapes.parts,
			parameters: {
				fromDate: '={{ $json.from }}',
				toDate: '2026-10-01T00:00:00Z',
				resolution: 'hour',
				options: MARKED,
			},
			values: numbered([{ from: '2026-09-29' }, { from: '2026-09-15' }, { from: '2026-09-30' }]),
			...ALONE,
			nth: 1,
		},
	],
	'filterValue/search': [
		{
			name: 'a text an item',
			paid: false,
			shape: shapes.suggestions,
			parameters: { field: 'job_title', query: '={{ $json.mark }}', options: OPTIONS },
			values: () => ['manager', 'director', 'sales'].map((mark) => ({ mark })),
			...ALONE,
		},
	],
};

export const nameOf = ({ resource, value }: { resource: string; value: string }): string =>
	`${resource}/${value}`;

/** The items of a cell: the values, and once more the one that is hit. */
export function itemsOf(way: Way, world: World, cell: number): Item[] {
	const values = way.values(world, cell);
	return [...values, ...values.slice(way.hit, way.hit + 1)].map((value, row) => ({
		...value,
		row,
	}));
}

/** One request, as the node sends it or the service sees it. */
export interface Seen {
	readonly endpoint: string | null;
	readonly body?: unknown;
	readonly query?: unknown;
}

/** A request by what it asks for: its endpoint with page or range, and the numbers of its values. */
export interface Asked {
	readonly part: string;
	readonly values: readonly number[];
}

/** What a request asks for, by the marks of the values. */
export function askedIn({ endpoint, body, query }: Seen, marks: readonly string[]): Asked {
	const { page, from_date: from } = (body ?? {}) as IDataObject;
	const text = JSON.stringify([body, query]);
	const values = marks.flatMap((mark, at) => {
		const place = text.indexOf(JSON.stringify(mark));
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

/** The parts of the matrix, each in a file of its own, so that they run side by side. */
export const PARTS = {
	prospect: (resource: string) => resource === 'prospect',
	business: (resource: string) => resource === 'business',
	others: (resource: string) => !['prospect', 'business'].includes(resource),
};

/** The operations of some resources, with their ways. */
export const waysOf = (fits: (resource: string) => boolean) =>
	OPERATIONS.filter(({ resource }) => fits(resource)).map((operation) => ({
		operation,
		ways: WAYS[nameOf(operation)] ?? [],
	}));
