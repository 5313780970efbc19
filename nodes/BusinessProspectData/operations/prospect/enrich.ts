import { PROSPECT } from '../../catalog/entities';
import { LIMITS } from '../../catalog/service';
import { noChoiceError } from '../../runtime/lists';
import { perBatch } from '../../runtime/operation';
import {
	batchSize,
	dropItemsWithoutData,
	options,
	requestContext,
	simplify,
} from '../../runtime/options';
import { enrichmentInputs, enrichmentBatchFunctions } from '../enrichment/batches';
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
	inputs: (values, given) => {
		const types = values.contactTypes;
		const alone = given.requestMode === 'single';
		return enrichmentInputs(
			values.prospectIds,
			values.dataSets,
			given.requestContext,
			(dataSet) => {
				if (dataSet.value === 'contacts') {
					if (types.length === 0) throw noChoiceError(contactTypes.property);
					// Only the endpoint for one prospect takes contact types.
					if (types.length === 1) return { single: true, parameters: { contact_types: types } };
				}
				if (dataSet.value === 'networkPosts' && given.offlineMode) {
					return { single: alone, parameters: { offline_mode: 'true' } };
				}
				return { single: alone };
			},
		);
	},
	...enrichmentBatchFunctions(PROSPECT),
	field: prospectIds.name,
	wording: { verb: 'Enriched', one: 'prospect' },
});
