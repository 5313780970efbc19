/** What workflows store: names and values that never change, and what they rely on in the editor. */
import type { INodeProperties, NodePropertyTypes } from 'n8n-workflow';
import { sys } from 'typescript';
import { BusinessProspectDataApi } from '../../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../../nodes/BusinessProspectData/BusinessProspectData.node';
import { BusinessProspectDataTrigger } from '../../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import { OPERATIONS, properties } from '../../../nodes/BusinessProspectData/operations/registry';

/** Types whose `options` are values, not members. */
const CHOICES: readonly NodePropertyTypes[] = ['options', 'multiOptions'];

const credential = new BusinessProspectDataApi();
const trigger = new BusinessProspectDataTrigger().description;

/** A line for the property, and one for each value that it offers and for each property inside it. */
function savedIn(property: INodeProperties, outer: string): string[] {
	const { name, type, default: initial, displayOptions, options = [], modes = [] } = property;
	if (type === 'notice') return [];
	const path = `${outer}${name}`;
	const condition = displayOptions && ` if ${JSON.stringify(displayOptions)}`;
	return [
		`${path}: ${type}, ${JSON.stringify(initial)}${condition ?? ''}`,
		...modes.map((mode) => `${path}: mode ${mode.name}`),
		...options.flatMap((option) => {
			if (CHOICES.includes(type)) return 'value' in option ? `${path} = ${option.value}` : [];
			if ('values' in option) {
				return option.values.flatMap((inner) => savedIn(inner, `${path}.${option.name}.`));
			}
			return 'type' in option ? savedIn(option, `${path}.`) : [];
		}),
	];
}

interface Schema {
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly items?: Schema;
}

/** The paths of the output fields; `[]` goes into a list. */
const fieldsIn = ({ properties: members = {}, items }: Schema): string[] => [
	...Object.entries(members).flatMap(([name, member]) => [
		`.${name}`,
		...fieldsIn(member).map((path) => `.${name}${path}`),
	]),
	...(items === undefined ? [] : fieldsIn(items).map((path) => `[]${path}`)),
];

function outputOf(resource: string, operation: string): string[] {
	const folder = 'nodes/BusinessProspectData/__schema__/v1.0.0';
	const text = sys.readFile(`${folder}/${resource}/${operation}.json`);
	return text === undefined ? [] : fieldsIn(JSON.parse(text) as Schema);
}

test('names and values that workflows store: from the first release on, this list may only grow', () => {
	const lines = [
		...credential.properties.flatMap((property) => savedIn(property, `${credential.name} `)),
		`${new BusinessProspectData().description.name}`,
		...trigger.properties.flatMap((property) => savedIn(property, `${trigger.name} `)),
		...OPERATIONS.flatMap(({ resource, value, properties: own }) => [
			...own.flatMap((property) => savedIn(property, `${resource}/${value} `)),
			...outputOf(resource, value).map((path) => `${resource}/${value} output ${path.slice(1)}`),
		]),
	];

	// To accept a change, run `npx jest -u test/unit/operations`. A line that is removed breaks workflows that store it.
	expect([...new Set(lines)].sort().join('\n')).toMatchSnapshot();
});

const operations = OPERATIONS.map(
	(operation) => [`${operation.resource} ${operation.value}`, operation] as const,
);

/** What Options shows. */
const optionsOf = (all: readonly INodeProperties[]): INodeProperties[] =>
	(all.find(({ name }) => name === 'options')?.options ?? []) as INodeProperties[];
const namesOf = (all: readonly INodeProperties[]) => all.map(({ name }) => name);

const valuesOf = (property: INodeProperties | undefined) =>
	(property?.options ?? []).map((option) => ('value' in option ? option.value : undefined));

/** How requests are sent: read from the first row, for all. */
const RUN_WIDE = ['batchSize', 'maxConcurrentRequests', 'maxWait'];

const expectRunWide = (all: readonly INodeProperties[]) => {
	const holding = optionsOf(all).filter(({ name }) => RUN_WIDE.includes(name));
	expect(holding.length).toBeGreaterThanOrEqual(2);
	expect(holding.filter(({ noDataExpression }) => noDataExpression !== true)).toEqual([]);
};

test.each(operations)(
	'%s shows its parameters, and nothing else shows them',
	(_name, operation) => {
		const own = operation.properties;
		expectRunWide(own);
		// A yes or no in a collection is on when it is added; so are those that keep what a row has.
		const flags = optionsOf(own).filter(({ type }) => type === 'boolean');
		const isOn = own.filter(({ name }) => name === 'simplify');
		for (const { default: value } of [...flags, ...isOn]) expect(value).toBe(true);
		const shown = properties.filter(({ displayOptions }) => {
			const { resource, operation: value } = displayOptions?.show ?? {};
			return resource?.includes(operation.resource) && value?.includes(operation.value);
		});
		expect(namesOf(shown)).toEqual(namesOf(own));
		shown.forEach((property, index) => {
			expect(property.displayOptions?.show).toMatchObject(own[index]?.displayOptions?.show ?? {});
		});
	},
);

test('resource and operation cannot be expressions, and name all that there is', () => {
	const [resource] = properties.filter(({ name }) => name === 'resource');
	expect(resource?.noDataExpression).toBe(true);
	for (const chosen of valuesOf(resource)) {
		const [operation] = properties.filter(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes(chosen as string),
		);
		expect(operation?.noDataExpression).toBe(true);
		const own = OPERATIONS.filter((candidate) => candidate.resource === chosen);
		expect(valuesOf(operation)).toEqual(own.map(({ value }) => value));
		expect(valuesOf(operation)).toContain(operation?.default);
	}
});

test('the trigger has the field that n8n lists an entry for each option of, and its requests hold for all', () => {
	const [triggerOn] = trigger.properties.filter(({ name }) => name === 'triggerOn');
	expect(triggerOn?.displayName).toBe('Trigger On');
	expectRunWide(trigger.properties);
});

test('Custom API Call: the method is no expression', () => {
	const own = OPERATIONS.find(({ resource }) => resource === 'customApiCall')?.properties;
	expect(own?.find(({ name }) => name === 'method')?.noDataExpression).toBe(true);
});
