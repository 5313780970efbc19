import { PROSPECT } from '../../catalog/entities';
import { LIMITS } from '../../catalog/limits';
import { noneChosen } from '../../runtime/lists';
import { perBatch } from '../../runtime/operation';
import {
	batchSize,
	dropItemsWithoutData,
	options,
	requestContext,
	simplify,
} from '../../runtime/options';
import { enrichmentAsks, enrichmentBatches } from '../enrichment';
import { prospectIds } from '../ids';
import { contactTypes, dataSets, offlineMode, requestMode } from './enrichParameters';

/** Data sets of prospects, one row each (contract: Enrich profiles in bulk, and the like). */
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
		offlineMode,
		requestContext,
		requestMode,
	),
	asks: (values, given) => {
		const types = values.contactTypes;
		const alone = given.requestMode === 'single';
		return enrichmentAsks(values.prospectIds, values.dataSets, given.requestContext, (dataSet) => {
			if (dataSet.value === 'contacts') {
				if (types.length === 0) throw noneChosen(contactTypes.property);
				// Only the endpoint for one prospect takes contact types.
				if (types.length === 1) return { alone: true, parameters: { contact_types: types } };
			}
			if (dataSet.value === 'networkPosts' && given.offlineMode) {
				return { alone, parameters: { offline_mode: 'true' } };
			}
			return { alone };
		});
	},
	...enrichmentBatches(PROSPECT),
	field: prospectIds.name,
	wording: { verb: 'Enriched', one: 'prospect' },
});
