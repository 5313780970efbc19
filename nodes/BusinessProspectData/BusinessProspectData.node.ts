import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { testCredential } from './methods/credentialTest';
import { listSearch } from './methods/listSearch';
import { execute, properties } from './operations/registry';

export class BusinessProspectData implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business and Prospect Data',
		name: 'businessProspectData',
		icon: { light: 'file:businessProspectData.svg', dark: 'file:businessProspectData.dark.svg' },
		group: ['transform'],
		// n8n adds its own "Custom API Call" to every Operation list of a node whose version is a number. This package's is
		// a resource.
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		// n8n shows one of the two nodes' descriptions for both.
		description:
			'Find, match and enrich people and companies, and start workflows when they change',
		defaults: { name: 'Business and Prospect Data' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'businessProspectDataApi', required: true, testedBy: 'testCredential' }],
		properties: [...properties],
	};

	methods = { listSearch, credentialTest: { testCredential } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await execute(this)];
	}
}
