import { type DataSet, PROSPECT_DATA_SETS } from '../../catalog/dataSets';
import {
	BATCHED_CONTACTS_CHARGE,
	type Charge,
	CONTACT_CHARGES,
	prospectDataCharge,
} from '../../catalog/prices';
import { CONTACT_CREDITS, LIMITS, PROSPECT } from '../../catalog/service';
import { perBatch } from '../../run/operation';
import {
	batchSize,
	dropItemsWithoutData,
	operationOptions,
	requestContext,
	simplify,
} from '../../parameters/options';
import { skipRows } from '../../parameters/skipRows';
import { addedOption, notice, optionsParameter } from '../../parameters/parameter';
import {
	dataSetsParameter,
	emptyRow,
	enrichmentInputs,
	sharedEnrichmentSpec,
} from '../enrichment/rows';
import type { EnrichmentInput } from '../enrichment/request';
import { prospectIdentifyByParameters, prospectLookup, prospectIds } from '../identifyBy';
import { MATCH_CHECK_FIELDS, PROSPECT_FIELDS, withMatchCheck } from './matchCheck';
import { givenDetails } from './person';

const PROFILE = 'profile';

const dataSets = dataSetsParameter(PROSPECT_DATA_SETS, PROFILE, 'prospects');

const contactTypes = optionsParameter({
	displayName: 'Contact Types',
	name: 'contactTypes',
	type: 'options',
	default: 'both',
	displayOptions: { show: { dataSets: ['contacts'] } },
	options: [
		{ name: 'Email and Phone', value: 'both' },
		{ name: 'Email Only', value: 'email' },
		{ name: 'Phone Only', value: 'phone' },
	],
	description: 'Which contact details to fetch',
});

const contactNotice = (type: 'both' | 'email' | 'phone', text: string) =>
	notice(`${type}Contacts`, text, { show: { dataSets: ['contacts'], contactTypes: [type] } });

const contactNotices = [
	contactNotice(
		'both',
		`1 request per ${LIMITS.enrichBatch} prospects. No price is published for batches: try a few rows, then Credit Usage: Get.`,
	),
	contactNotice('email', `1 request and ${CONTACT_CREDITS.email} credits per prospect.`),
	contactNotice(
		'phone',
		`1 request and ${CONTACT_CREDITS.phone} credits per prospect, as many credits as for both types.`,
	),
] as const;

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

const shared = sharedEnrichmentSpec(PROSPECT);

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
		contactTypes,
		...contactNotices,
		simplify,
	],
	options: operationOptions(
		'e.g. contacts_email, profile_job_title',
		[dropItemsWithoutData, skipRows],
		[batchSize(LIMITS.enrichBatch), requestMode, offlineMode, requestContext],
	),
	inputs: (values, itemOptions) => {
		const single = itemOptions.requestMode === 'single';
		const optionsFor = (dataSet: DataSet) => {
			// Only the endpoint for one prospect takes `contact_types`. Without `contact_types`, the service returns both types.
			if (dataSet.value === 'contacts' && values.contactTypes !== 'both') {
				return { single: true, parameters: { contact_types: [values.contactTypes] } };
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
	...shared,
	rows: (results, values) => {
		const rows = shared.rows(results, values);
		const profile = results.find(({ input }) => input.dataSet.value === PROFILE)?.outcome.value;
		return values.identifyBy === 'personDetails' && profile !== undefined
			? rows.map((row) => withMatchCheck(row, givenDetails(values), profile.data))
			: rows;
	},
	keepsInputFields: true,
	fieldsOfId: PROSPECT_FIELDS,
	lookup: {
		...prospectLookup,
		addedFields: ({ dataSets: chosen }) =>
			chosen.some(({ value }) => value === PROFILE) ? MATCH_CHECK_FIELDS : [],
		unmatchedRow: (values) => ({ json: emptyRow(PROSPECT, values.dataSets, values.simplify) }),
	},
	charge: chargeOf,
	parameterName: prospectIds.name,
	wording: { done: 'enriched' },
});

function chargeOf({ dataSet, single, parameters }: EnrichmentInput): Charge {
	if (dataSet.value !== 'contacts') return prospectDataCharge(dataSet);
	if (!single) return BATCHED_CONTACTS_CHARGE;
	const types = parameters?.contact_types;
	// A request names one type at most. Without one, the service returns both.
	const type: unknown = Array.isArray(types) ? types[0] : undefined;
	return type === 'email' || type === 'phone' ? CONTACT_CHARGES[type] : CONTACT_CHARGES.both;
}
