/** What the editor has to load and to show. */
import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { BusinessProspectDataTrigger } from '../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { placeNode } from '../harness/workflow';

const type = new BusinessProspectData();
const { description } = type;
const NAMES = OPERATIONS.map(({ resource, value }) => `${resource}/${value}`);

/** The fields that show for parameters, before any collection is opened. */
function shown(parameters: INodeParameters): INodeProperties[] {
	const node = placeNode(type, { parameters });
	const values = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		node,
		description,
	);
	return description.properties.filter(
		(property) =>
			!['resource', 'operation'].includes(property.name) &&
			NodeHelpers.displayParameter(values ?? {}, property, node, description),
	);
}

// Seen to fail: with one list for all, each load of a trigger added a further "Poll Times".
test.each([BusinessProspectData, BusinessProspectDataTrigger])(
	'what n8n adds to the fields of %p stays with what it has loaded',
	(Type) => {
		const loaded = new Type().description.properties;
		const added = loaded.unshift({
			displayName: 'Added',
			name: 'added',
			type: 'string',
			default: '',
		});

		expect(new Type().description.properties).toHaveLength(added - 1);
	},
);

test('the description that the editor loads stays small', () => {
	const { size } = new Blob([JSON.stringify(description)]);

	expect(size).toBeGreaterThan(10_000);
	expect(size).toBeLessThan(150_000);
});

test.each(NAMES)('%s shows at most 8 fields at first', (name) => {
	const [resource = '', operation = ''] = name.split('/');

	const names = shown({ resource, operation }).map((property) => property.name);

	expect(names.length).toBeGreaterThan(0);
	expect(names.length).toBeLessThanOrEqual(8);
	expect(new Set(names).size).toBe(names.length);
	expect(names.at(-1)).toBe('options');
});

test('fields of a data set show when it is chosen', () => {
	const namesOf = (dataSets: string[]) =>
		shown({ resource: 'business', operation: 'enrich', dataSets }).map(({ name }) => name);

	expect(namesOf(['strategy'])).toEqual(['businessIds', 'dataSets', 'simplify', 'options']);
	expect(namesOf(['intent'])).toEqual(expect.arrayContaining(['intentTopics', 'minScore']));
	expect(namesOf(['intent'])).not.toContain('monthPeriod');
	expect(namesOf(['websiteTraffic'])).toContain('monthPeriod');
});
