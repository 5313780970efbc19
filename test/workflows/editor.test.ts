/** What the editor loads and shows. */
import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { BusinessProspectDataTrigger } from '../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { placeNode } from '../harness/workflow';

const type = new BusinessProspectData();
const { description } = type;
const NAMES = OPERATIONS.map(({ resource, value }) => `${resource}/${value}`);

/** The fields that the editor shows for parameters, before any collection is opened. */
function visibleFields(parameters: INodeParameters): INodeProperties[] {
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

test.each([BusinessProspectData, BusinessProspectDataTrigger])(
	'fields that n8n adds to a loaded %p are not in the next one',
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

/** What people choose first, and what then shows more fields. */
const CHOICES: readonly INodeParameters[] = [
	{},
	...['prospectId', 'personDetails', 'companyName', 'workEmail'].flatMap((identifyBy) => [
		{ identifyBy },
		{ identifyBy, dataSets: ['intent', 'websiteTraffic'] },
	]),
];

test.each(NAMES)('%s fits a screen: at most 10 fields at first, and one short notice', (name) => {
	const [resource = '', operation = ''] = name.split('/');

	for (const choice of CHOICES) {
		const fields = visibleFields({ resource, operation, ...choice });
		const notices = fields.filter(({ type }) => type === 'notice');
		const names = fields.map((property) => property.name);

		expect(names.length).toBeLessThanOrEqual(choice === CHOICES[0] ? 10 : 14);
		expect(new Set(names).size).toBe(names.length);
		expect(names.at(-1)).toBe('options');
		expect(notices.length).toBeLessThanOrEqual(1);
		expect(notices.filter(({ displayName }) => displayName.length > 120)).toEqual([]);
	}
});
