/**
 * n8n adds a "Custom API Call" of its own to nodes whose credential has `authenticate`. It leads to the HTTP Request node,
 * which can't use this package's credential: n8n then fails to save the workflow. This package has one that works, and n8n
 * adds none beside it.
 */
import type { INodeTypeDescription } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../../../nodes/BusinessProspectData/BusinessProspectData.node';
import { BusinessProspectDataTrigger } from '../../../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';

const NAME = 'Custom API Call';
const node = new BusinessProspectData().description;
const trigger = new BusinessProspectDataTrigger().description;

/** The lists to which n8n adds its entry: the rule of `injectCustomApiCallOptions` in the loader of n8n 2.41. */
function listsWithInjectedEntry({ defaultVersion, version, properties }: INodeTypeDescription) {
	if (defaultVersion !== undefined && defaultVersion !== version) return [];
	return properties.filter(
		({ name, options }) =>
			['resource', 'operation'].includes(name) &&
			Array.isArray(options) &&
			options.at(-1)?.name !== NAME,
	);
}

test('the credential is one for which n8n adds its entry', () => {
	expect(new BusinessProspectDataApi().authenticate).toBeDefined();
});

test.each([
	['the node', node],
	// n8n copies the node's description before it adds its entries.
	['the tool', { ...node, name: `${node.name}Tool` }],
	['the trigger', trigger],
])('%s gets no entry', (_what, description) => {
	expect(listsWithInjectedEntry(description)).toEqual([]);
});

test('without its versions in a list, the node would get one in the Operation lists only', () => {
	const lists = listsWithInjectedEntry({ ...node, version: 1 });

	expect(new Set(lists.map(({ name }) => name))).toEqual(new Set(['operation']));
});

test("the node's own entry is the last resource, and never has n8n's value", () => {
	const [resource] = node.properties.filter(({ name }) => name === 'resource');

	expect(resource?.options?.at(-1)).toEqual({ name: NAME, value: 'customApiCall' });
	expect(JSON.stringify([node, trigger])).not.toContain('__CUSTOM_API_CALL__');
});
