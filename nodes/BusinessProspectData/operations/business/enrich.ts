import { BUSINESS } from '../../catalog/entities';
import { BUSINESS_DATA_SETS } from '../../catalog/dataSets';
import { LIMITS } from '../../catalog/service';
import { perBatch } from '../../runtime/operation';
import {
	batchSize,
	dropItemsWithoutData,
	options,
	requestContext,
	simplify,
} from '../../runtime/options';
import { dataSetsParameter } from '../enrichment/dataSets';
import { enrichmentInputs, enrichmentBatchFunctions } from '../enrichment/batches';
import { businessIds } from '../ids';
import { intentParameters, intentTopics, minScore, tooFewTopics } from './intent';
import { monthPeriod, trafficParameters } from './websiteTraffic';

const dataSets = dataSetsParameter(BUSINESS_DATA_SETS, 'fundingAndAcquisition', 'businesses');

/** Data sets of businesses, one row each (contract: Business bulk enrichment). */
export const enrich = perBatch({
	resource: 'business',
	value: 'enrich',
	name: 'Enrich',
	action: 'Enrich businesses',
	description:
		'Fetch funding, technology, intent, traffic and more of companies by their business IDs',
	parameters: [businessIds, dataSets, intentTopics, minScore, monthPeriod, simplify],
	options: options(batchSize(LIMITS.enrich), dropItemsWithoutData, requestContext),
	inputs: (values, { requestContext: context }, setting) =>
		enrichmentInputs(values.businessIds, values.dataSets, context, ({ value }) => {
			if (value === 'intent') return { parameters: intentParameters(values) };
			if (value === 'websiteTraffic') return { parameters: trafficParameters(values, setting) };
			return {};
		}),
	...enrichmentBatchFunctions(BUSINESS),
	field: businessIds.name,
	wording: { verb: 'Enriched', one: 'business', many: 'businesses' },
	hints: tooFewTopics,
});
