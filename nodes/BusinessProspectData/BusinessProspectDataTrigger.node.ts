import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { testCredential } from './methods/testCredential';
import { listSearch, loadOptions } from './methods/listSearch';

import { pollEvents } from './trigger/events/poll';
import { declaredError } from './trigger/poll';
import {
	createParameterReader,
	EVENT_TRIGGERS,
	triggerOn,
	triggerProperties,
	triggerSubtitle,
} from './trigger/parameters';
import { pollSearch } from './trigger/search/poll';

export class BusinessProspectDataTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business and Prospect Data Trigger',
		name: 'businessProspectDataTrigger',
		icon: { light: 'file:businessProspectData.svg', dark: 'file:businessProspectData.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: triggerSubtitle,
		// Identical in both nodes, because n8n lists them as one entry, with the description of one of them.
		description:
			'Find, match and enrich people and companies, and start workflows when they change',
		defaults: { name: 'Business and Prospect Data Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'businessProspectDataApi', required: true, testedBy: 'testCredential' }],
		// A copy, because n8n adds the poll times to the list each time it loads the node.
		properties: [...triggerProperties],
	};

	methods = { listSearch, loadOptions, credentialTest: { testCredential } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		try {
			const chosen = createParameterReader(this)(triggerOn);
			const eventTrigger = EVENT_TRIGGERS.find(({ value }) => value === chosen);
			// The only other option watches a search.
			return await (eventTrigger === undefined ? pollSearch(this) : pollEvents(this, eventTrigger));
		} catch (error) {
			throw declaredError(this, error);
		}
	}
}
