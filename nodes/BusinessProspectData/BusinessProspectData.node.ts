import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { testCredential } from './methods/testCredential';
import { listSearch, loadOptions } from './methods/listSearch';
import { executeOperation, getColumns, properties, subtitle } from './operations/registry';

export class BusinessProspectData implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business and Prospect Data',
		name: 'businessProspectData',
		icon: { light: 'file:businessProspectData.svg', dark: 'file:businessProspectData.dark.svg' },
		group: ['transform'],
		// A list, because n8n adds its own "Custom API Call" to every Operation list if `defaultVersion` is absent or equals
		// `version`. This node has a resource of that name instead.
		version: [1],
		defaultVersion: 1,
		subtitle,
		// Identical in both nodes, because n8n lists them as one entry, with the description of one of them.
		description:
			'Find, match and enrich people and companies, and start workflows when they change',
		builderHint: {
			searchHint:
				'Finds emails, phone numbers, profiles and company data. Rows of a CRM need one node: Enrich looks up the IDs itself. To start on job changes, funding news or new people that match a search, use the trigger of the same name.',
		},
		defaults: { name: 'Business and Prospect Data' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'businessProspectDataApi', required: true, testedBy: 'testCredential' }],
		// A copy, in case n8n adds properties to the list, as it does for polling triggers.
		properties: [...properties],
	};

	methods = {
		listSearch,
		loadOptions: { ...loadOptions, getColumns },
		credentialTest: { testCredential },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await executeOperation(this)];
	}
}
