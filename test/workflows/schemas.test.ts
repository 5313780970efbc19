/** Output schemas: what the editor offers for dragging before a node has run is what comes out when it runs. */
import Ajv from 'ajv';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BUSINESS_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/businessDataSets';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { personalEmail } from '../sandbox/world/prospect-data';
import type { World } from '../sandbox/world/world';
import { stopClock } from './clock';
import { jsonOf, startService } from './service';
import { wayTo } from './ways';

interface Schema extends IDataObject {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** What comes out of a custom API call is known only to the service. */
const NAMES = OPERATIONS.filter(({ resource }) => resource !== 'customApiCall').map(
	({ resource, value }) => `${resource}/${value}`,
);

async function schemaOf(name: string): Promise<Schema> {
	const path = `../../nodes/BusinessProspectData/__schema__/v1.0.0/${name}.json`;
	const file = (await import(path)) as { default?: Schema } & Schema;
	const { version, ...schema } = file.default ?? file;
	expect(version).toBe(1);
	return schema as Schema;
}

/** Makes every object of a schema closed, so that a field which the schema does not name is found. */
function closed(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(closed);
	if (typeof schema !== 'object' || schema === null) return schema;
	const members = Object.fromEntries(
		Object.entries(schema).map(([key, value]) => [key, closed(value)]),
	);
	return 'properties' in members ? { additionalProperties: false, ...members } : members;
}

/** What is wrong with the rows, by the schema. */
function problems(schema: unknown, rows: readonly IDataObject[]): unknown[] {
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
	const validate = ajv.compile(schema as object);
	return rows.flatMap((row) => (validate(row) ? [] : (validate.errors ?? [])));
}

interface Case {
	readonly what: string;
	readonly parameters: INodeParameters;
	readonly items?: (world: World) => IDataObject[];
	/** Whether the service reports that there is nothing. */
	readonly missed?: boolean;
	readonly rows?: number;
}

const PEOPLE = 60;
const allBusinessData = BUSINESS_DATA_SETS.map(({ value }) => value);
const day = { fromDate: '2026-11-01', toDate: '2026-11-05' };

/**
 * The cases in which an operation's rows differ by default; what comes out of all of them is the whole schema. The editor shows
 * one schema for an operation, so that of Count Only and of Summary is none.
 */
const CASES: Record<string, Case[]> = {
	'prospect/match': [
		{ what: 'rows', parameters: { email: '={{ $json.email }}' }, rows: PEOPLE },
		{
			what: 'all details',
			parameters: {
				phoneNumber: '+1 512 555 0100',
				fullName: 'Ada King',
				companyName: 'Acme',
				network: 'https://network.example/ada',
				businessId: '={{ $json.company }}',
			},
			rows: PEOPLE,
		},
	],
	'prospect/getAll': [{ what: 'rows', parameters: { limit: 60 }, rows: 60 }],
	'prospect/enrich': [
		{
			what: 'all data sets',
			parameters: {
				prospectIds: '={{ $json.person }}',
				dataSets: ['profile', 'contacts', 'networkPosts'],
			},
			rows: PEOPLE,
		},
		{
			what: 'one at a time',
			parameters: {
				prospectIds: '={{ $json.person }}',
				dataSets: ['profile', 'contacts', 'networkPosts'],
				contactTypes: 'phone',
				options: { requests: { requestMode: 'single', maxConcurrentRequests: 20 } },
			},
			rows: PEOPLE,
		},
		{
			what: 'by details',
			parameters: {
				identifyBy: 'personDetails',
				email: '={{ $json.email }}',
				dataSets: ['profile', 'contacts', 'networkPosts'],
			},
			rows: PEOPLE,
		},
	],
	'prospect/getEvents': [
		{ what: 'rows', parameters: { prospectIds: '={{ $json.person }}' } },
		{
			what: 'by details',
			parameters: { identifyBy: 'personDetails', email: '={{ $json.email }}' },
		},
	],
	'business/enrich': [
		{
			what: 'all data sets',
			parameters: { businessIds: '={{ $json.company }}', dataSets: allBusinessData },
			rows: PEOPLE,
		},
		{
			what: 'intent with topics',
			parameters: {
				businessIds: '={{ $json.company }}',
				dataSets: ['intent'],
				intentTopics: {
					values: [{ value: { __rl: true, mode: 'value', value: 'Finance: Credit Risk' } }],
				},
			},
			rows: PEOPLE,
		},
		...['', 'elsewhere.example'].map((website) => ({
			what: `by company name ${website}`,
			parameters: {
				identifyBy: 'companyName',
				companyName: '={{ $json.name }}',
				website,
				dataSets: allBusinessData,
			},
			rows: PEOPLE,
		})),
	],
	'business/find': [
		{
			what: 'rows',
			parameters: { companyName: '={{ $json.name }}' },
			rows: PEOPLE,
		},
		{
			what: 'candidates',
			parameters: { companyName: '={{ $json.name }}', website: 'elsewhere.example' },
			rows: PEOPLE,
		},
		...['prospectId', 'workEmail'].map((identifyBy) => ({
			what: identifyBy,
			parameters: {
				identifyBy,
				prospectId: '={{ $json.person }}',
				workEmail: '={{ $json.email }}',
			},
			rows: PEOPLE,
		})),
	],
	'business/getStatistics': [{ what: 'rows', parameters: {} }],
	'business/getEvents': [
		{ what: 'rows', parameters: { businessIds: '={{ $json.company }}' } },
		{
			what: 'by company name',
			parameters: { identifyBy: 'companyName', companyName: '={{ $json.name }}' },
		},
	],
	'creditUsage/get': [
		{ what: 'rows', parameters: day, rows: 4 },
		{ what: 'points by endpoint', parameters: { ...day, mode: 'endpoints' } },
	],
};

/** Those of other operations: what the walk over the contract sends, and the same when the service has nothing. */
function casesOf(name: string): Case[] {
	const cases = CASES[name];
	if (cases !== undefined) return cases;
	const { parameters, items = () => [{}], missed } = wayTo(name);
	const found = { what: 'found', parameters, items };
	return missed === undefined ? [found] : [found, { ...found, what: 'missed', missed: true }];
}

const ONE_ITEM = ['prospect/getAll', 'business/getStatistics', 'creditUsage/get'];

const itemsOf = (name: string, world: World) =>
	Array.from({ length: ONE_ITEM.includes(name) ? 1 : PEOPLE }, (_, row) => ({
		row,
		person: row === PEOPLE - 1 ? '' : world.prospectId(row),
		company: row === PEOPLE - 1 ? '' : world.businessId(row),
		name: world.company(world.person(row).company).name,
		email: personalEmail(world.person(row)) ?? 'nobody@nowhere.example',
	}));

async function rowsOf(
	name: string,
	{ parameters, items = (world) => itemsOf(name, world), missed = false }: Case,
): Promise<IDataObject[]> {
	const now = stopClock('2026-11-18T12:00:00Z');
	const service = await startService({ now: () => now, eventsPerDay: 100 });
	if (missed) {
		service.fault({ times: 'always', do: { kind: 'outcome', request_status: 'miss' } });
	}
	const [resource = '', operation = ''] = name.split('/');
	const rows = items(service.world);
	const run = await service.run(
		{ resource, operation, includeInputFields: true, ...parameters },
		rows,
	);
	expect(run.failure).toBeUndefined();
	// The fields of the result alone, as they are by default.
	const isOwn = (field: string) => !rows.some((row) => field in row);
	return jsonOf(run.main).map((json) =>
		Object.fromEntries(Object.entries(json).filter(([field]) => isOwn(field))),
	);
}

/** The paths of all fields; `[]` goes into a list. */
function pathsIn(value: unknown, path = ''): string[] {
	if (Array.isArray(value)) return value.flatMap((entry) => pathsIn(entry, `${path}[]`));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, member]) => [
		`${path}.${key}`,
		...pathsIn(member, `${path}.${key}`),
	]);
}

function pathsOf({ properties = {}, items }: Schema, path = ''): string[] {
	return [
		...(items === undefined ? [] : pathsOf(items, `${path}[]`)),
		...Object.entries(properties).flatMap(([key, member]) => [
			`${path}.${key}`,
			...pathsOf(member, `${path}.${key}`),
		]),
	];
}

const schemasIn = ({ properties = {}, items, ...own }: Schema): Schema[] => [
	own as Schema,
	...(items === undefined ? [] : schemasIn(items)),
	...Object.values(properties).flatMap(schemasIn),
];

/** The records of a row whose fields are in another order than in the schema. */
function outOfOrder({ properties = {}, items }: Schema, value: unknown): unknown[] {
	if (Array.isArray(value)) return items ? value.flatMap((entry) => outOfOrder(items, entry)) : [];
	if (typeof value !== 'object' || value === null) return [];
	const [named, own] = [Object.keys(properties), Object.keys(value)];
	const shared = named.filter((field) => own.includes(field)).join();
	const here = shared === own.filter((field) => named.includes(field)).join() ? [] : [own];
	const inside = Object.entries(value).flatMap(([key, member]) =>
		properties[key] === undefined ? [] : outOfOrder(properties[key], member),
	);
	return [...here, ...inside];
}

describe.each(NAMES)('%s', (name) => {
	test('has a schema that the editor can read', async () => {
		const schema = await schemaOf(name);

		expect(schema.type).toBe('object');
		expect(Object.keys(schema.properties ?? {}).length).toBeGreaterThan(0);
		// A type in a list is one of several: fine for a field, but an object's fields would not show.
		const lists = schemasIn(schema).filter(({ type }) => Array.isArray(type));
		expect(lists.filter((one) => 'properties' in one || 'items' in one)).toEqual([]);
	});

	test('the rows have the fields of its schema in their order, and no others', async () => {
		const schema = await schemaOf(name);
		const out: IDataObject[] = [];
		for (const one of casesOf(name)) {
			const { what, rows } = one;
			const own = await rowsOf(name, one);
			out.push(...own);

			expect([what, own.length]).toEqual([what, rows ?? expect.any(Number)]);
			expect(own.length).toBeGreaterThan(0);
			expect([what, ...problems(closed(schema), own)]).toEqual([what]);
			expect([what, ...outOfOrder(schema, own[0])]).toEqual([what]);
		}

		const seen = new Set(pathsIn(out, ''));
		const named = [...new Set(pathsOf(schema))].map((path) => `[]${path}`);
		expect(named.filter((path) => !seen.has(path))).toEqual([]);
	});
});
