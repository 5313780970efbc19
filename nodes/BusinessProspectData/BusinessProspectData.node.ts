import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { testCredential } from './methods/credentialTest';
import { listSearch } from './methods/listSearch';
import { executeOperation, properties } from './operations/registry';

export class BusinessProspectData implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business and Prospect Data',
		name: 'businessProspectData',
		icon: { light: 'file:businessProspectData.svg', dark: 'file:businessProspectData.dark.svg' },
		group: ['transform'],
		// If the version is a number, n8n adds its own "Custom API Call" to every Operation list. This node has a resource of
		// that name instead.
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		// The same in both nodes: n8n shows one node's description for both.
		description:
			'Find, match and enrich people and companies, and start workflows when they change',
		defaults: { name: 'Business and Prospect Data' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'businessProspectDataApi', required: true, testedBy: 'testCredential' }],
		// A copy, because n8n may add properties to the list each time it loads the node.
		properties: [...properties],
	};

	methods = { listSearch, credentialTest: { testCredential } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await executeOperation(this)];
	}
}
