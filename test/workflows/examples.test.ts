/** The workflows of examples/: all that can be seen without running them. exampleRuns.test.ts runs them. */
import {
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
import { type Example, readExample } from './example';

const EXAMPLES = ts.sys
	.readDirectory('examples', ['.json'])
	.map((path) => path.replace(/^.*examples\/|\.json$/g, ''))
	.sort()
	.map((name): [string, Example] => [name, readExample(name)]);

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

const isNote = ({ type }: INode) => type === NOTE;
const ownTypeOf = ({ type }: INode) => TYPES.get(type.replace(TOOL, ''));

/** What the Edit Fields node behind a CRM sets; nothing in an example without a CRM. */
function crmFields({ nodes }: Example): IDataObject[] {
	const node = nodes.find(({ name }) => name === 'From your CRM');
	const { assignments = [] } = (node?.parameters.assignments ?? {}) as IDataObject;
	return assignments as IDataObject[];
}

function targetsOf({ connections }: Example): string[] {
	const outputs = Object.values(connections).flatMap((one) => Object.values(one).flat());
	return outputs.flatMap((targets) => (targets ?? []).map(({ node }) => node));
}

function parametersOf({ type, parameters }: INode): INodeParameters {
	const isOwn = ([name]: [string, unknown]) => !(TOOL.test(type) && TOOL_FIELDS.includes(name));
	return Object.fromEntries(Object.entries(parameters).filter(isOwn));
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
		const isKnown = (one: unknown) =>
			String(one).startsWith('=') || optionValues(property).includes(String(one));
		return [value].flat().filter((one) => !isKnown(one));
	});
}

/** What a node takes on the canvas, its name below it included; a note as large as it is. */
function areaOf({ position: [left, top], parameters, type, name }: INode) {
	const { width, height } = type === NOTE ? parameters : { width: 96, height: 144 };
	return { name, left, top, right: left + Number(width), bottom: top + Number(height) };
}
const overlap = (one: ReturnType<typeof areaOf>, other: ReturnType<typeof areaOf>) =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;

test('each is in the list of the README, and nothing else', () => {
	const readme = ts.sys.readFile('README.md') ?? '';
	const [, list = ''] = readme.split(/^## Examples$/m);
	const [section = ''] = list.split(/^## /m);

	const named = [...section.matchAll(/^\| `(.+?)\.json`/gm)].map(([, name]) => name);

	expect(named.sort()).toEqual(EXAMPLES.map(([name]) => name));
});

test('no id is used twice, and tables of the same name have the same columns', () => {
	const nodes = EXAMPLES.flatMap(([, example]) => example.nodes);
	const columns = new Map<string, Set<string>>();
	for (const { parameters } of nodes) {
		const { resource, operation, tableName } = parameters;
		if (resource !== 'table' || operation !== 'create') continue;
		const seen = columns.get(String(tableName)) ?? new Set();
		columns.set(String(tableName), seen.add(JSON.stringify(parameters.columns)));
	}

	expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
	expect(columns.size).toBeGreaterThan(0);
	expect([...columns].filter(([, seen]) => seen.size > 1)).toEqual([]);
});

describe.each(EXAMPLES)('%s', (_name, example) => {
	const { nodes } = example;
	const notes = nodes.filter(isNote);
	const others = nodes.filter((node) => !isNote(node));

	test('is a workflow and no more: nothing of the n8n that it was made in', () => {
		expect(Object.keys(example).sort()).toEqual(['connections', 'name', 'nodes', 'settings']);
		expect(example).toMatchObject({ settings: { executionOrder: 'v1' } });
		for (const node of nodes) {
			// The person chooses the service's credential, and fills in addresses.
			const name = 'Business and Prospect Data account';
			expect(node.credentials).toEqual(
				ownTypeOf(node) && { businessProspectDataApi: { id: 'businessProspectData', name } },
			);
			expect(node.parameters.url ?? '').toMatch(/^(https:\/\/paste-your-webhook-url\.example)?$/);
			expect(node.parameters.dataTableId ?? { mode: 'name' }).toMatchObject({ mode: 'name' });
		}
		expect(JSON.stringify(example)).not.toMatch(
			/localhost|\d+\.\d+\.\d+\.\d+|\/(home|tmp|root|Users)\//,
		);
	});

	test('has a note that says what it does, and what it costs', () => {
		expect(notes.length).toBeLessThanOrEqual(crmFields(example).length > 0 ? 2 : 1);
		expect(notes[0]?.parameters.content).toMatch(/^### .+\n.+request/is);
	});

	test('goes on after a failure: nodes that read, write or send try again, those that may cost credits do not', () => {
		const isPlain = ({ type, parameters: { operation } }: INode) =>
			/\.httpRequest$/.test(type) || (type === TABLE && operation !== 'create');

		expect(others.filter((node) => isPlain(node) !== (node.retryOnFail === true))).toEqual([]);
		if (others.some(isPlain)) {
			expect(notes[0]?.parameters.content).toMatch(/\*\*Executions\*\* .+\*\*Retry\*\*/);
		}
	});

	test('a schedule is off as long as there are practice rows, so that Execute workflow makes these', () => {
		const practice = nodes.find(({ name }) => name === 'Add to table');
		const schedules = nodes.filter(({ type }) => type.endsWith('scheduleTrigger'));

		expect(schedules.filter(({ disabled }) => disabled !== (practice && true))).toEqual([]);
	});

	test('with a CRM: its fields are text, and what fails is kept', () => {
		const fields = crmFields(example);
		if (fields.length === 0) return;

		expect(new Set(fields.map(({ type }) => type))).toEqual(new Set(['string']));
		const paid = others.filter(
			({ type, name }) => TYPES.has(type) && !/Trigger$/.test(type) && !/^Find p/.test(name),
		);
		expect(paid.filter(({ onError }) => onError !== 'continueErrorOutput')).toEqual([]);
	});

	test('lies tidily: no node over another, nothing under the note', () => {
		const areas = nodes.map(areaOf);
		const overlaps = areas.flatMap((one, at) =>
			areas.slice(at + 1).flatMap((other) => (overlap(one, other) ? [[one.name, other.name]] : [])),
		);

		expect(overlaps).toEqual([]);
	});

	test('holds together: connections, expressions and tables lead to what is there', () => {
		const names = nodes.map(({ name }) => name);
		const spokenOf = [...JSON.stringify(nodes).matchAll(/\$\('([^']+)'\)/g)].map(
			([, name = '']) => name,
		);
		const reached = [...Object.keys(example.connections), ...targetsOf(example)];
		const tables = nodes.filter(({ type }) => type === TABLE).map(({ parameters }) => parameters);
		const made = tables.flatMap(({ tableName }) => tableName ?? []);
		const used = tables.flatMap(({ dataTableId }) => (dataTableId as IDataObject)?.value ?? []);

		expect(new Set(names).size).toBe(names.length);
		expect([...reached, ...spokenOf].filter((name) => !names.includes(name))).toEqual([]);
		expect(others.filter(({ name }) => !reached.includes(name))).toEqual([]);
		expect([...new Set(used)].sort()).toEqual(made.sort());
	});

	test('uses only what the nodes have: parameters that show, values that can be chosen', () => {
		const own = others.filter((node) => ownTypeOf(node) !== undefined);

		expect(own.length).toBeGreaterThan(0);
		for (const node of own) {
			const { description } = ownTypeOf(node) ?? new BusinessProspectData();
			const { properties } = description;
			const parameters = parametersOf(node);
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

	test('maps fields as dragging them does', () => {
		const text = JSON.stringify(others);
		const expressions = text.match(/\{\{.+?\}\}/g) ?? [];

		expect(expressions.length).toBeGreaterThan(0);
		expect(expressions.filter((one) => /\?\.|\?\?|\[0\]/.test(one))).toEqual([]);
		// n8n fails at any other type, but only when the node runs.
		const types = text.match(/"value":"(?:[^"\\]|\\.)*","type":[^,}]+/g) ?? [];
		expect(types.filter((one) => !/"type":"(string|number|boolean)"$/.test(one))).toEqual([]);
	});
});
