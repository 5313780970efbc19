import { type DataSet, PROSPECT_DATA_SETS } from '../../catalog/dataSets';
import { CONTACT_CREDITS, LIMITS, PROSPECT } from '../../catalog/service';
import { multiOptionsParameter, noChoiceError } from '../../parameters/lists';
import { perBatch } from '../../run/operation';
import {
	batchSize,
	dropItemsWithoutData,
	operationOptions,
	requestContext,
	simplify,
} from '../../parameters/options';
import { addedOption, notice, optionsParameter } from '../../parameters/parameter';
import type { Price } from '../../run/spec';
import {
	dataSetsParameter,
	emptyRow,
	enrichmentInputs,
	sharedEnrichmentSpec,
} from '../enrichment/rows';
import type { EnrichmentInput } from '../enrichment/request';
import { prospectIdentifyByParameters, prospectLookup, prospectIds } from '../identifyBy';

const dataSets = dataSetsParameter(PROSPECT_DATA_SETS, 'profile', 'prospects');

const costNotice = notice(
	'costNotice',
	`Enriching uses credits. Each data set takes 1 request per ${LIMITS.enrichBatch} prospects. The service publishes no prices for such batches, only for contacts that are requested one prospect at a time: ${CONTACT_CREDITS.both} credits (email only: ${CONTACT_CREDITS.email}).`,
);

const contactTypes = multiOptionsParameter({
	displayName: 'Contact Types',
	name: 'contactTypes',
	type: 'multiOptions',
	default: ['email', 'phone'],
	displayOptions: { show: { dataSets: ['contacts'] } },
	options: [
		{ name: 'Email', value: 'email' },
		{ name: 'Phone', value: 'phone' },
	],
	description: `Which contact details to fetch. Requested one at a time, email only costs ${CONTACT_CREDITS.email} credits per prospect; phone only or both cost ${CONTACT_CREDITS.both}. The cost in a batch isn't published. A single type sends one request per prospect instead of one per ${LIMITS.enrichBatch}.`,
});

const ONE_EACH = `1 request per prospect instead of 1 per ${LIMITS.enrichBatch}`;

const emailOnlyNotice = notice(
	'emailOnlyNotice',
	`Email only takes ${ONE_EACH}, and costs ${CONTACT_CREDITS.email} credits per prospect.`,
	{
		show: { dataSets: ['contacts'], contactTypes: ['email'] },
		hide: { contactTypes: ['phone'] },
	},
);

const phoneOnlyNotice = notice(
	'phoneOnlyNotice',
	`Phone only takes ${ONE_EACH}, and costs ${CONTACT_CREDITS.phone} credits per prospect, the same as both types.`,
	{
		show: { dataSets: ['contacts'], contactTypes: ['phone'] },
		hide: { contactTypes: ['email'] },
	},
);

const offlineMode = addedOption({
	displayName: 'Offline Mode',
	name: 'offlineMode',
	description:
		'Whether to request Network Posts with <code>offline_mode</code>. The service does not document its effect; leave it off if unsure.',
});

const requestMode = optionsParameter({
	displayName: 'Request Mode',
	name: 'requestMode',
	type: 'options',
	default: 'batched',
	options: [
		{
			name: 'Batched',
			value: 'batched',
			description: `Up to ${LIMITS.enrichBatch} prospects per request`,
		},
		{ name: 'One per Prospect', value: 'single', description: 'One request for each prospect' },
	],
	description: 'How many prospects to put into one request',
});

/** See contract: the sections "Enrich one prospect's profile" to "Network posts in bulk". */
export const enrich = perBatch({
	resource: 'prospect',
	value: 'enrich',
	name: 'Enrich',
	action: 'Enrich prospects',
	description:
		'Fetch profiles, emails, phone numbers and posts of people, by prospect ID or person details',
	parameters: [
		...prospectIdentifyByParameters,
		dataSets,
		costNotice,
		contactTypes,
		emailOnlyNotice,
		phoneOnlyNotice,
		simplify,
	],
	options: operationOptions(
		'e.g. contacts_email, profile_job_title',
		[dropItemsWithoutData],
		[batchSize(LIMITS.enrichBatch), requestMode, offlineMode, requestContext],
	),
	inputs: (values, itemOptions) => {
		const types = values.contactTypes;
		const single = itemOptions.requestMode === 'single';
		const optionsFor = (dataSet: DataSet) => {
			if (dataSet.value === 'contacts') {
				if (types.length === 0) throw noChoiceError(contactTypes.property);
				// Only the endpoint for one prospect takes `contact_types`. Without `contact_types`, the service returns both types.
				if (types.length === 1) return { single: true, parameters: { contact_types: types } };
			}
			const offline = dataSet.value === 'networkPosts' && itemOptions.offlineMode;
			return { single, ...(offline && { parameters: { offline_mode: 'true' } }) };
		};
		return enrichmentInputs(
			values.prospectIds,
			values.dataSets,
			itemOptions.requestContext,
			optionsFor,
		);
	},
	...sharedEnrichmentSpec(PROSPECT),
	keepsInputFields: true,
	lookup: {
		...prospectLookup,
		unmatchedRow: (values) => ({ json: emptyRow(PROSPECT, values.dataSets, values.simplify) }),
	},
	price: priceOf,
	parameterName: prospectIds.name,
	wording: { verb: 'Enriched', one: 'prospect' },
});

/** The price of one data set of one prospect (contract: Limits). */
function priceOf({ dataSet, single, parameters }: EnrichmentInput): Price {
	if (dataSet.value !== 'contacts') return { unpriced: dataSet.name };
	if (!single) return { unpriced: 'Contacts in batches' };
	const types = parameters?.contact_types;
	// A request names one type at most. Without one, the service returns both.
	const type: unknown = Array.isArray(types) ? types[0] : undefined;
	return type === 'email' || type === 'phone' ? CONTACT_CREDITS[type] : CONTACT_CREDITS.both;
}
