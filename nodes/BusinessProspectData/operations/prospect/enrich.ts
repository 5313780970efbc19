import { PROSPECT_ENRICHMENTS } from '../../catalog/enrichments';
import { PROSPECT } from '../../catalog/entities';
import { batchSize, dropItemsWithoutData, options, simplify } from '../../runtime/options';
import { perBatch } from '../../runtime/operation';
import { choices, noneChosen } from '../../runtime/lists';
import { choice, flag } from '../../runtime/parameters';
import { chosenFrom, dataSetChoice, enrichmentAsks, enrichmentBatches } from '../enrichment';
import { LIMITS } from '../../catalog/limits';
import { prospectIds } from '../ids';

const dataSets = dataSetChoice(PROSPECT_ENRICHMENTS, 'profile', 'prospects');

const contactTypes = choices({
	displayName: 'Contact Types',
	name: 'contactTypes',
	type: 'multiOptions',
	default: ['email', 'phone'],
	displayOptions: { show: { dataSets: ['contacts'] } },
	options: [
		{ name: 'Email', value: 'email' },
		{ name: 'Phone', value: 'phone' },
	],
	description:
		'Credits when asked one at a time: email only 2, phone only 5, both 5; the service does not publish the cost in a batch. With one type alone the service is asked for one prospect at a time: a request for each instead of one for every 50.',
});

export const enrich = perBatch({
	resource: 'prospect',
	value: 'enrich',
	name: 'Enrich',
	action: 'Enrich prospects',
	description: 'Fetch profiles, contact details and posts of people by their prospect IDs',
	parameters: [prospectIds, dataSets, contactTypes, simplify],
	options: options(
		batchSize(LIMITS.enrich),
		dropItemsWithoutData,
		flag({
			displayName: 'Offline Mode',
			name: 'offlineMode',
			type: 'boolean',
			default: false,
			description:
				'Whether to ask for Network Posts with <code>offline_mode</code>. The service does not document its effect.',
		}),
		choice({
			displayName: 'Request Mode',
			name: 'requestMode',
			type: 'options',
			default: 'batched',
			options: [
				{
					name: 'Batched',
					value: 'batched',
					description: `Up to ${LIMITS.enrich} prospects in a request`,
				},
				{ name: 'One per Prospect', value: 'single', description: 'One request for each prospect' },
			],
			description: 'How many prospects to ask for in a request',
		}),
	),
	asks: (values, { offlineMode, requestMode, requestContext }) => {
		const chosen = chosenFrom(PROSPECT_ENRICHMENTS, values.dataSets, dataSets.property);
		const { contactTypes: types } = values;
		if (values.dataSets.includes('contacts') && types.length === 0) {
			throw noneChosen(contactTypes.property);
		}
		const alone = requestMode === 'single';
		return enrichmentAsks(values.prospectIds, chosen, requestContext, ({ value }) => {
			// Only the endpoint for one prospect takes contact types.
			if (value === 'contacts' && types.length === 1) {
				return { alone: true, parameters: { contact_types: types } };
			}
			if (value === 'networkPosts' && offlineMode) {
				return { alone, parameters: { offline_mode: 'true' } };
			}
			return { alone };
		});
	},
	...enrichmentBatches(PROSPECT, PROSPECT_ENRICHMENTS),
	field: prospectIds.name,
	wording: { verb: 'Enriched', one: 'prospect', many: 'prospects' },
});
