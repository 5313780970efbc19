/** Output schemas: the fields that the editor offers for dragging before the first run are those that come out. */
import Ajv from 'ajv';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BUSINESS_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/businessDataSets';
import { PROSPECT_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/dataSets';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { personalEmail } from '../sandbox/world/prospect-data';
import type { World } from '../sandbox/world/world';
import { stopClock } from './clock';
import { jsonOf, startService, withInputFields } from './service';
import { wayTo } from './ways';

interface Schema extends IDataObject {
	type: string | string[];
	properties?: Record<string, Schema>;
}

/** The rows of a custom API call are known only to the service. */
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

const PEOPLE = 40;
const everyValue = (dataSets: ReadonlyArray<{ value: string }>) =>
	dataSets.map(({ value }) => value);
const BY_EMAIL = { identifyBy: 'personDetails', email: '={{ $json.email }}' };
const PERSON = {
	prospectIds: '={{ $json.person }}',
	prospectId: '={{ $json.person }}',
	workEmail: '={{ $json.email }}',
};
/** Half of them aren't found: another company has this website. */
const COMPANY = {
	businessIds: '={{ $json.company }}',
	companyName: '={{ $json.name }}',
	website: '={{ $json.row % 2 ? "" : "elsewhere.example" }}',
};
const peopleData = { ...PERSON, dataSets: everyValue(PROSPECT_DATA_SETS) };
const companyData = {
	...COMPANY,
	dataSets: everyValue(BUSINESS_DATA_SETS),
	intentTopics: {
		values: [{ value: { __rl: true, mode: 'value', value: 'Finance: Credit Risk' } }],
	},
};
const days = { fromDate: '2026-11-01', toDate: '2026-11-05' };

/** The parameters on which the columns depend: the schema has the columns of all of them, with Simplify on. */
const CASES: Record<string, INodeParameters[]> = {
	'prospect/match': [{ email: '={{ $json.email }}' }],
	'prospect/getAll': [{ limit: PEOPLE }],
	'prospect/enrich': [peopleData, { ...peopleData, ...BY_EMAIL }],
	'prospect/getEvents': [PERSON, BY_EMAIL],
	'business/enrich': [companyData, { ...companyData, identifyBy: 'companyName' }],
	'business/find': ['companyName', 'prospectId', 'workEmail'].map((identifyBy) => ({
		...{ ...COMPANY, ...PERSON, identifyBy },
	})),
	'business/getStatistics': [{}],
	'business/getEvents': [COMPANY, { ...COMPANY, identifyBy: 'companyName' }],
	'creditUsage/get': [days, { ...days, groupBy: 'endpoint' }],
};
const ONE_ITEM = ['prospect/getAll', 'business/getStatistics', 'creditUsage/get'];

const itemsOf = (name: string, world: World): IDataObject[] =>
	Array.from({ length: ONE_ITEM.includes(name) ? 1 : PEOPLE }, (_, row) => ({
		row,
		person: row === PEOPLE - 1 ? '' : world.prospectId(row),
		company: row === PEOPLE - 1 ? '' : world.businessId(row),
		name: world.company(world.person(row).company).name,
		email: personalEmail(world.person(row)) ?? 'nobody@nowhere.example',
	}));

/** Other operations' rows are those of the walk over the contract, also if the service has nothing. */
async function rowsOf(name: string, own: INodeParameters | undefined, missed: boolean) {
	const now = stopClock('2026-11-18T12:00:00Z');
	const service = await startService({ now: () => now, eventsPerDay: 20 });
	if (missed) {
		service.fault({ times: 'always', do: { kind: 'outcome', request_status: 'miss' } });
	}
	const [resource = '', operation = ''] = name.split('/');
	const { parameters, items } =
		own === undefined
			? wayTo(name)
			: { parameters: own, items: (world: World) => itemsOf(name, world) };
	const rows = items?.(service.world) ?? [{}];
	const run = await service.run(
		withInputFields({ resource, operation, ...parameters, simplify: true }),
		rows,
	);
	expect(run.failureText).toBe('');
	return jsonOf(run.main).map((json) =>
		Object.fromEntries(Object.entries(json).filter(([field]) => !(field in (rows[0] ?? {})))),
	);
}

/** What is wrong with the rows, by the schema, which must name all of their fields, unless it says otherwise. */
function problems(schema: Schema, rows: readonly IDataObject[]): unknown[] {
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
	const validate = ajv.compile({ additionalProperties: false, ...schema });
	return rows.flatMap((row) => (validate(row) ? [] : (validate.errors ?? [])));
}

test.each(NAMES)('%s: the rows have the fields of the schema, in their order', async (name) => {
	const schema = await schemaOf(name);
	const fields = Object.keys(schema.properties ?? {});
	const seen = new Set<string>();
	const cases = CASES[name] ?? [undefined, undefined];
	for (const [at, parameters] of cases.entries()) {
		const rows = await rowsOf(name, parameters, parameters === undefined && at === 1);

		if (parameters !== undefined || at === 0) expect(rows.length).toBeGreaterThan(0);
		expect(problems(schema, rows)).toEqual([]);
		// Half of the companies and some of the people aren't found.
		expect(new Set(rows.map((row) => Object.keys(row).join())).size).toBeLessThanOrEqual(1);
		for (const own of rows.map(Object.keys)) {
			const named = own.filter((field) => fields.includes(field));
			expect(named).toEqual(fields.filter((field) => own.includes(field)));
			named.forEach((field) => seen.add(field));
		}
	}

	expect(schema.type).toBe('object');
	expect(fields.filter((field) => !seen.has(field))).toEqual([]);
	// The editor shows a field with several types, or with none, as one without a value. A cell is no object and no list.
	const types = Object.values(schema.properties ?? {}).map(({ type }) => type);
	expect(['boolean', 'integer', 'number', 'string']).toEqual(expect.arrayContaining(types));
});
