import {
	CONTACTS,
	type DataSet,
	PROSPECT_DATA_SETS,
	PROSPECT_RECORDS,
	REQUESTED_DATA_SETS,
} from '../../catalog/dataSets';
import { LIMITS, PROSPECT } from '../../catalog/service';
import {
	dataSetColumns,
	idSet,
	layoutCache,
	MATCH_CHECK,
	MATCHED,
	RESPONSE_CONTEXT,
} from '../../fields/columns';
import { perBatch } from '../../run/operation';
import { batchSize, dropRowsWithoutData, rowOptions, simplify } from '../../parameters/options';
import { addedOption, optionsParameter } from '../../parameters/parameter';
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

const chosenSets = dataSetsParameter(
	PROSPECT_DATA_SETS,
	'prospects, except Emails or Phone Numbers alone',
);

/** Emails and phone numbers together are one data set, which one request fetches for many people. */
const dataSets: typeof chosenSets = {
	...chosenSets,
	read: (raw) => {
		const chosen = chosenSets.read(raw);
		return chosen.filter(({ contactTypes }) => contactTypes !== undefined).length > 1
			? PROSPECT_RECORDS.filter((one) => one === CONTACTS || chosen.includes(one))
			: chosen;
	},
};

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

const layoutFor = layoutCache(
	(byDetails: boolean, chosen: readonly string[], isSimple: boolean) => ({
		sets: [
			...(byDetails ? [MATCHED, ...(chosen.includes(PROFILE) ? [MATCH_CHECK] : [])] : []),
			...REQUESTED_DATA_SETS.filter(({ value }) => chosen.includes(value)).map((dataSet) =>
				dataSetColumns(dataSet, isSimple),
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
	description: 'Fetch profiles, emails, phone numbers and posts of people, by ID or person details',
	parameters: [prospectIdentifyBy, idsParameter, dataSets, ...detailParameters, simplify],
	options: rowOptions('e.g. contacts_email, profile_job_title', [
		dropRowsWithoutData,
		batchSize(LIMITS.enrichBatch),
		requestMode,
		offlineMode,
	]),
	inputs: (values, itemOptions) => {
		const single = itemOptions.requestMode === 'single';
		const optionsFor = (dataSet: DataSet) => {
			const { contactTypes } = dataSet;
			if (contactTypes !== undefined) {
				return { single: true, parameters: { contact_types: contactTypes } };
			}
			const offline = dataSet.value === 'networkPosts' && itemOptions.offlineMode;
			return { single, ...(offline && { parameters: { offline_mode: 'true' } }) };
		};
		return enrichmentInputs(values.prospectIds, values.dataSets, optionsFor);
	},
	...sharedEnrichmentSpec(PROSPECT),
	layout: ({ identifyBy, dataSets: chosen, simplify: isSimple }) =>
		layoutFor(
			identifyBy === 'personDetails',
			chosen.map(({ value }) => value),
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
	parameterName: prospectIds.name,
	wording: {
		done: 'enriched',
		counted: [
			{ noun: 'email', columns: ['contacts_email', 'contacts_personal_email'] },
			{ noun: 'phone number', columns: ['contacts_mobile_phone', 'contacts_phone_number'] },
		],
	},
});
