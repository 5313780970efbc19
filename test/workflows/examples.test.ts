/**
 * The workflows of examples/: all that can be seen without running them. `npm run test:e2e -- examples` runs them.
 *
 */
import {
	type IConnections,
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	NodeHelpers,
} from 'n8n-workflow';
import ts from 'typescript';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { BusinessProspectDataTrigger } from '../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import { optionValues } from '../../nodes/BusinessProspectData/parameters/parameter';
import { asLoaded, typeNameOf } from '../harness/workflow';

interface Example {
	readonly name: string;
	readonly nodes: INode[];
	readonly connections: IConnections;
	readonly settings: IDataObject;
}

const readExample = (path: string): Example => JSON.parse(ts.sys.readFile(path) ?? '{}') as Example;
const FILES = ts.sys
	.readDirectory('examples', ['.json'])
	.map((path) => path.slice(path.indexOf('examples/')))
	.sort();
const EXAMPLES = FILES.map((path): [string, Example] => [path, readExample(path)]);

const NOTE = 'n8n-nodes-base.stickyNote';
const TABLE = 'n8n-nodes-base.dataTable';
const TYPES = new Map<string, INodeType>(
	[new BusinessProspectData(), new BusinessProspectDataTrigger()].map((type) => [
		typeNameOf(type),
		asLoaded(type),
	]),
);
/** What n8n adds to a node that an AI agent uses as its tool. */
const TOOL = /Tool$/;
const TOOL_FIELDS = ['descriptionType', 'toolDescription'];
/** What only the person can know; the note says so. */
const TO_FILL_IN = [
	'Parameter "Prospect IDs" is required.',
	'Parameter "Business IDs" is required.',
];

const TRIGGER = /Trigger$/;

/** The tables of docs/crm.md: a row of CRMs, then one for each field. */
const CRM_TABLES = (ts.sys.readFile('docs/crm.md') ?? '')
	.split(/^<!-- crm:\w+ -->$/m)
	.slice(1)
	.map((part) =>
		(part.trim().split('\n\n')[0] ?? '')
			.split('\n')
			.filter((line) => !/^\| -/.test(line))
			.map((line) =>
				line
					.split('|')
					.slice(1, -1)
					.map((cell) => cell.trim().replace(/^`|`$/g, '')),
			),
	);

const isNote = ({ type }: INode) => type === NOTE;
const readsCrm = ({ nodes }: Example) => nodes.some(({ name }) => name === 'From your CRM');
/** What an Edit Fields node sets. */
function assignmentsOf({ nodes }: Example, name: string) {
	const node = nodes.find((one) => one.name === name);
	const { assignments = [] } = (node?.parameters.assignments ?? {}) as IDataObject;
	return assignments as IDataObject[];
}
const fromFields = (example: Example) =>
	assignmentsOf(example, 'From your CRM').map(({ name }) => String(name));
const ownNodes = ({ nodes }: Example) =>
	nodes.flatMap((node) => {
		const type = TYPES.get(node.type.replace(TOOL, ''));
		return type === undefined ? [] : [{ node, type }];
	});
const namesOf = ({ nodes }: Example) => nodes.map(({ name }) => name);
const targetsOf = ({ connections }: Example) =>
	Object.values(connections).flatMap((outputs) =>
		Object.values(outputs)
			.flat()
			.flatMap((targets) => (targets ?? []).map(({ node }) => node)),
	);

function parametersOf({ type, parameters }: INode): INodeParameters {
	if (!TOOL.test(type)) return parameters;
	return Object.fromEntries(
		Object.entries(parameters).filter(([name]) => !TOOL_FIELDS.includes(name)),
	);
}

/** The values of options that cannot be chosen; an expression may give anything. */
function unknownValues(properties: INodeProperties[], values: INodeParameters): unknown[] {
	return properties.flatMap((property) => {
		const value = values[property.name];
		if (value === undefined) return [];
		if (property.type === 'collection') {
			return unknownValues(property.options as INodeProperties[], value as INodeParameters);
		}
		if (property.type !== 'options' && property.type !== 'multiOptions') return [];
		return [value]
			.flat()
			.filter(
				(one) => !String(one).startsWith('=') && !optionValues(property).includes(String(one)),
			);
	});
}

/** What a node takes on the canvas, its name below it included; a note as large as it is. */
function areaOf({ position: [left, top], parameters, type }: INode) {
	const { width, height } = type === NOTE ? parameters : { width: 96, height: 144 };
	return { left, top, right: left + Number(width), bottom: top + Number(height) };
}

test('each is in the list of the README, and nothing else', () => {
	const readme = ts.sys.readFile('README.md') ?? '';
	const [, list = ''] = readme.split(/^## Examples$/m);
	const [section = ''] = list.split(/^## /m);

	const named = [...section.matchAll(/^- `(.+?)`/gm)].map(([, file]) => `examples/${file}`);

	expect(named.sort()).toEqual(FILES);
});

test('no id is used twice', () => {
	const ids = EXAMPLES.flatMap(([, { nodes }]) => nodes.map(({ id }) => id));

	expect(new Set(ids).size).toBe(ids.length);
});

test('tables of the same name have the same columns', () => {
	const columns = new Map<string, Set<string>>();
	for (const { parameters } of EXAMPLES.flatMap(([, { nodes }]) => nodes)) {
		const { resource, operation, tableName } = parameters;
		if (resource !== 'table' || operation !== 'create') continue;
		const seen = columns.get(String(tableName)) ?? new Set();
		columns.set(String(tableName), seen.add(JSON.stringify(parameters.columns)));
	}

	expect([...columns.keys()].sort()).toEqual([
		'Job change proposals',
		'Practice accounts',
		'Practice contacts',
		'Practice leads',
	]);
	for (const seen of columns.values()) expect(seen.size).toBe(1);
});

describe.each(EXAMPLES)('%s', (path, example) => {
	test('is a workflow and no more: nothing of the n8n that it was made in', () => {
		expect(Object.keys(example).sort()).toEqual(['connections', 'name', 'nodes', 'settings']);
		expect(example.settings).toEqual({ executionOrder: 'v1' });
	});

	test('has a note that says what it does, and what it costs', () => {
		const [note, ...more] = example.nodes.filter(isNote);

		expect(more.length).toBeLessThanOrEqual(readsCrm(example) ? 1 : 0);
		expect(note?.parameters.content).toMatch(/^### .+\n.+request/is);
	});

	test('says where each CRM has its fields, as docs/crm.md does', () => {
		const [, note] = example.nodes.filter(isNote);
		if (note === undefined) return;

		const content = String(note.parameters.content);
		const [id, other = ''] = [...content.matchAll(/`(\w+)`/g)].map(([, name]) => name);
		const lines = [...content.matchAll(/^- (.+?): `(.+?)` and `(.+?)`$/gm)].map((line) =>
			line.slice(1),
		);
		const [columns, ...fields] = fromFields(example).reverse();
		const documented = CRM_TABLES.find((rows) =>
			fields.every((name) => rows.some(([field]) => field === name)),
		);
		const [[, ...crms] = [], ...rows] = documented ?? [];
		const of = (field: string | undefined, crm: number) =>
			rows.find(([name]) => name === field)?.[crm + 1];

		expect(columns).toBe('crm_columns');
		expect(lines).toEqual(crms.map((crm, at) => [crm, of(id, at), of(other, at)]));
	});

	test('takes every field of a CRM as text, so that IDs stay as they are', () => {
		const types = assignmentsOf(example, 'From your CRM').map(({ type }) => type);

		expect(new Set(types)).toEqual(new Set(readsCrm(example) ? ['string'] : []));
	});

	test('keeps what fails: every paid node has an error output', () => {
		if (!readsCrm(example)) return;
		for (const { name, type, onError } of example.nodes) {
			if (TYPES.has(type) && name !== 'Find people' && name !== 'Find prospects') {
				expect([name, onError]).toEqual([
					name,
					TRIGGER.test(type) ? undefined : 'continueErrorOutput',
				]);
			}
		}
	});

	test('lies tidily: no node over another, nothing under the note', () => {
		const areas = example.nodes.map((node) => ({ name: node.name, ...areaOf(node) }));
		const overlaps = areas.flatMap((one, at) =>
			areas
				.slice(at + 1)
				.filter(
					(other) =>
						one.left < other.right &&
						other.left < one.right &&
						one.top < other.bottom &&
						other.top < one.bottom,
				)
				.map((other) => [one.name, other.name]),
		);

		expect(overlaps).toEqual([]);
	});

	test('holds together: every connection and every expression leads to a node that is there', () => {
		const names = namesOf(example);
		const spokenOf = [...JSON.stringify(example.nodes).matchAll(/\$\('([^']+)'\)/g)].map(
			([, name = '']) => name,
		);
		const reached = [...Object.keys(example.connections), ...targetsOf(example)];

		expect(new Set(names).size).toBe(names.length);
		expect(reached.filter((name) => !names.includes(name))).toEqual([]);
		expect(spokenOf.filter((name) => !names.includes(name))).toEqual([]);
		const alone = example.nodes.filter((node) => !isNote(node) && !reached.includes(node.name));
		expect(alone).toEqual([]);
	});

	test('uses only what the nodes have: parameters that show, values that can be chosen', () => {
		const own = ownNodes(example);

		expect(own.length).toBeGreaterThan(0);
		for (const { node, type } of own) {
			const { description } = type;
			const parameters = parametersOf(node);
			const { properties } = description;
			const kept = NodeHelpers.getNodeParameters(
				properties,
				parameters,
				true,
				false,
				node,
				description,
			);
			expect(kept).toMatchObject(parameters);
			const shown = properties.filter((property) =>
				NodeHelpers.displayParameter(kept ?? {}, property, node, description),
			);
			expect(unknownValues(shown, parameters)).toEqual([]);
			const whole = { ...node, parameters };
			const issues = NodeHelpers.getNodeParametersIssues(properties, whole, description);
			const told = Object.values(issues?.parameters ?? {}).flat();
			expect(told.filter((issue) => !TO_FILL_IN.includes(issue))).toEqual([]);
		}
	});

	test('needs no credential but that of the service, which the person chooses', () => {
		for (const { type, credentials } of example.nodes) {
			const own = TYPES.has(type.replace(TOOL, ''));
			expect(credentials).toEqual(
				own
					? {
							businessProspectDataApi: {
								id: 'businessProspectData',
								name: 'Business and Prospect Data account',
							},
						}
					: undefined,
			);
		}
	});

	test('maps fields as dragging them does', () => {
		const nodes = example.nodes.filter((node) => !isNote(node));
		const expressions = JSON.stringify(nodes).match(/\{\{.+?\}\}/g) ?? [];

		expect(expressions.length).toBeGreaterThan(0);
		expect(expressions.filter((text) => /\?\.|\?\?|\[0\]/.test(text))).toEqual([]);
		// n8n fails at any other type, but only when the node runs.
		const types = JSON.stringify(nodes).match(/"value":"(?:[^"\\]|\\.)*","type":[^,}]+/g) ?? [];
		expect(types.filter((text) => !/"type":"(string|number|boolean)"$/.test(text))).toEqual([]);
	});

	test('goes to no address but those that the person fills in', () => {
		for (const { parameters } of example.nodes) {
			expect(parameters.url ?? '').toBe('');
			expect(parameters.dataTableId ?? { mode: 'name' }).toMatchObject({ mode: 'name' });
		}
		expect(ts.sys.readFile(path)).not.toMatch(
			/localhost|\d+\.\d+\.\d+\.\d+|\/(home|tmp|root|Users)\//,
		);
	});

	test('reads and writes the table that it makes', () => {
		const { nodes } = example;
		const tables = nodes.filter(({ type }) => type === TABLE).map(({ parameters }) => parameters);
		const made = tables.flatMap(({ tableName }) => (tableName === undefined ? [] : [tableName]));
		const used = tables.flatMap(({ dataTableId }) =>
			dataTableId === undefined ? [] : [(dataTableId as INodeParameters).value],
		);

		expect([...new Set(used)].sort()).toEqual(made.sort());
	});
});
