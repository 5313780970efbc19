import { type DataSet, PROSPECT_DATA_SETS } from '../../catalog/dataSets';
import { CONTACT_CREDITS, LIMITS, PROSPECT } from '../../catalog/service';
import { dataSetColumns, idSet, layoutCache } from '../../fields/columns';
import { MATCH_CHECK, MATCHED, RESPONSE_CONTEXT } from '../../fields/ownSets';
import { perBatch } from '../../run/operation';
import {
	batchSize,
	dropRowsWithoutData,
	keepInputFields,
	operationOptions,
	simplify,
} from '../../parameters/options';
import { estimateOnly } from '../../parameters/spending';
import { addedOption, notice, optionsParameter } from '../../parameters/parameter';
import {
	dataSetsParameter,
	enrichmentInputs,
	enrichmentRows,
	sharedEnrichmentSpec,
} from '../enrichment/rows';
import {
	prospectIdentifyByParameters,
	prospectLookup,
	prospectIds,
} from '../../identify/identifyBy';
import { withMatchCheck } from '../../identify/matchCheck';
import { givenName } from '../../identify/person';

const PROFILE = 'profile';

const dataSets = dataSetsParameter(PROSPECT_DATA_SETS, 'prospects');

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
	contactNotice(
		'email',
		`Emails alone take 1 request and ${CONTACT_CREDITS.email} credits per prospect.`,
	),
	contactNotice(
		'phone',
		`Phone numbers alone take 1 request and ${CONTACT_CREDITS.phone} credits per prospect, as many credits as both types.`,
	),
] as const;

const offlineMode = addedOption({
	displayName: 'Offline Mode',
	name: 'offlineMode',
	description:
		'Whether to send offline_mode for Network Posts. The service does not document its effect.',
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

/** Only what was requested has columns. */
const columnsOf = (types: string, isSimple: boolean) => (dataSet: DataSet) =>
	dataSetColumns(dataSet, isSimple, types === 'both' ? undefined : types);

const layoutFor = layoutCache(
	(byDetails: boolean, chosen: readonly string[], types: string, isSimple: boolean) => ({
		sets: [
			...(byDetails ? [MATCHED, ...(chosen.includes(PROFILE) ? [MATCH_CHECK] : [])] : []),
			...PROSPECT_DATA_SETS.filter(({ value }) => chosen.includes(value)).map(
				columnsOf(types, isSimple),
			),
			idSet(PROSPECT),
			...(isSimple ? [] : [RESPONSE_CONTEXT]),
		],
		hidden: byDetails ? [MATCH_CHECK] : [],
	}),
);

const [prospectIdentifyBy, idsParameter, ...detailParameters] = prospectIdentifyByParameters;

/** See contract: the sections "Enrich one prospect's profile" to "Network posts in bulk". */
export const enrich = perBatch({
	resource: 'prospect',
	value: 'enrich',
	name: 'Enrich',
	action: 'Enrich prospects',
	description:
		'Fetch profiles, emails, phone numbers and posts of people, by prospect ID or person details',
	parameters: [
		prospectIdentifyBy,
		idsParameter,
		dataSets,
		contactTypes,
		...contactNotices,
		...detailParameters,
		simplify,
	],
	options: operationOptions('e.g. contacts_email, profile_job_title', [
		estimateOnly,
		keepInputFields,
		dropRowsWithoutData,
		batchSize(LIMITS.enrichBatch),
		requestMode,
		offlineMode,
	]),
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
		return enrichmentInputs(values.prospectIds, values.dataSets, optionsFor);
	},
	...sharedEnrichmentSpec(PROSPECT),
	layout: ({ identifyBy, dataSets: chosen, contactTypes: types, simplify: isSimple }) =>
		layoutFor(
			identifyBy === 'personDetails',
			chosen.map(({ value }) => value),
			types,
			isSimple,
		),
	rows: (results, values) => {
		const rows = enrichmentRows(PROSPECT, results);
		const profile = results.find(({ input }) => input.dataSet.value === PROFILE)?.outcome.value;
		return values.identifyBy === 'personDetails' && profile !== undefined
			? rows.map((row) => withMatchCheck(row, givenName(values), profile.data))
			: rows;
	},
	lookup: prospectLookup,
	isPaid: true,
	parameterName: prospectIds.name,
	wording: { done: 'enriched' },
});
