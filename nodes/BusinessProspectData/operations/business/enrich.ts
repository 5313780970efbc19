import type { IDataObject } from 'n8n-workflow';
import { BUSINESS_DATA_SETS } from '../../catalog/businessDataSets';
import { BUSINESS, LIMITS } from '../../catalog/service';
import { pluralize, trimmer } from '../../core/text';
import type { InputResult } from '../../run/inputs';
import { stringListParameter } from '../../parameters/lists';
import { dataSetColumns, FOUND, idSet, layoutCache, RESPONSE_CONTEXT } from '../../fields/columns';
import { perBatch } from '../../run/operation';
import { batchSize, dropRowsWithoutData, rowOptions, simplify } from '../../parameters/options';
import { isNothing } from '../../parameters/cells';
import {
	integerParameter,
	parameter,
	parameterError,
	stringParameter,
} from '../../parameters/parameter';
import type { RunContext } from '../../run/spec';
import type { EnrichmentInput } from '../enrichment/request';
import {
	dataSetsParameter,
	enrichmentInputs,
	enrichmentRows,
	sharedEnrichmentSpec,
} from '../enrichment/rows';
import { autocompleteListProperty, readAutocompleteValues } from '../../filters/autocomplete';
import {
	businessIdentifyByParameters,
	businessIds,
	businessLookup,
	candidatesSet,
} from '../../identify/identifyBy';
import type { Advice } from '../../core/outcome';

const dataSets = dataSetsParameter(BUSINESS_DATA_SETS, 'businesses');

/** With fewer topics, `level_of_intent` isn't meaningful (contract: Intent endpoint, rule 3). */
const MIN_TOPICS = 12;

const TOPIC_SEPARATOR = /[;\n]/;

const intentTopics = parameter(
	{
		displayName: 'Intent Topics',
		name: 'intentTopics',
		...autocompleteListProperty('business_intent_topics', 'Topic', 'e.g. sales: crm software'),
		hint: `Choose ${MIN_TOPICS} or more. With fewer, the level of intent isn't meaningful.`,
		displayOptions: { show: { dataSets: ['intent'] } },
		description:
			'Topics to score. Leave empty to get all topics of the business, but no level of intent.',
	},
	(raw, property) => readAutocompleteValues(raw, property, TOPIC_SEPARATOR),
);

const otherTopics = stringListParameter(
	{
		displayName: 'Other Intent Topics',
		name: 'otherIntentTopics',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. sales: crm software',
		displayOptions: { show: { '/dataSets': ['intent'] } },
		hint: 'One per line, each with its category. For a topic that contains a comma, use Intent Topics.',
		description: 'More topics, spelled as the service spells them. May be empty.',
	},
	TOPIC_SEPARATOR,
);

const otherIntentTopics = {
	...otherTopics,
	read: (raw: unknown) => otherTopics.read(raw).flatMap(splitTopics),
};

const trimTopic = trimmer(/[\s,]/);

/** Splits at commas only if a category follows each of them, because a topic may contain commas. */
function splitTopics(text: string): string[] {
	const topics = text.split(/,(?=[^,:]+:\s)/);
	return topics.every((topic) => topic.includes(':')) ? topics.map(trimTopic) : [text];
}

/** Read as text, so that a value left over after Intent was removed doesn't fail the other data sets. */
const minScore = stringParameter({
	displayName: 'Intent Minimum Score',
	name: 'minScore',
	type: 'string',
	default: '',
	placeholder: 'e.g. 75',
	displayOptions: { show: { '/dataSets': ['intent'] } },
	description: `Only topics with at least this score, a whole number above ${LIMITS.minScoreAbove}. Leave empty for ${LIMITS.minScoreAbove}.`,
});

const { read: readScore } = integerParameter({
	...minScore.property,
	typeOptions: { minValue: LIMITS.minScoreAbove + 1 },
});

const monthPeriod = stringParameter({
	displayName: 'Traffic Month',
	name: 'monthPeriod',
	type: 'string',
	default: '',
	placeholder: 'e.g. 2026-05',
	displayOptions: { show: { dataSets: ['websiteTraffic'] } },
	description: `Month of the traffic, from ${LIMITS.trafficFrom} to last month. Leave empty for last month.`,
});

const layoutFor = layoutCache(
	(isLookedUp: boolean, chosen: readonly string[], isSimple: boolean) => ({
		sets: [
			...(isLookedUp ? [FOUND] : []),
			...BUSINESS_DATA_SETS.filter(({ value }) => chosen.includes(value)).map((dataSet) =>
				dataSetColumns(dataSet, isSimple),
			),
			...(isLookedUp ? [candidatesSet(isSimple)] : []),
			idSet(BUSINESS),
			...(isSimple ? [] : [RESPONSE_CONTEXT]),
		],
	}),
);

const [identifyBy, idsParameter, ...companyDetails] = businessIdentifyByParameters;

/** See contract: Business bulk enrichment. */
export const enrich = perBatch({
	resource: 'business',
	value: 'enrich',
	name: 'Enrich',
	action: 'Enrich businesses',
	description:
		'Fetch funding, technology, intent, website traffic and more, by business ID, company name or person',
	parameters: [
		identifyBy,
		idsParameter,
		dataSets,
		...companyDetails,
		intentTopics,
		monthPeriod,
		simplify,
	],
	options: rowOptions('e.g. intent_level, intent_top_topic', [
		dropRowsWithoutData,
		minScore,
		otherIntentTopics,
		batchSize(LIMITS.enrichBatch),
	]),
	inputs: (values, itemOptions, run) =>
		enrichmentInputs(values.businessIds, values.dataSets, ({ value }) => {
			if (value === 'intent') {
				return { parameters: intentParameters({ ...itemOptions, ...values }) };
			}
			if (value === 'websiteTraffic') {
				return trafficOptions(values.monthPeriod, run);
			}
			return {};
		}),
	...sharedEnrichmentSpec(BUSINESS),
	layout: ({ identifyBy, dataSets: chosen, simplify: isSimple }) =>
		layoutFor(
			identifyBy !== 'businessId',
			chosen.map(({ value }) => value),
			isSimple,
		),
	rows: (results) => enrichmentRows(BUSINESS, results),
	lookup: businessLookup,
	parameterName: businessIds.name,
	wording: { done: 'enriched' },
	advice: topicAdvice,
});

/** The `parameters` of the data set Intent (contract: Intent endpoint parameters). */
const intentParameters = (values: {
	readonly intentTopics: string[];
	readonly otherIntentTopics: string[];
	readonly minScore: string;
}): IDataObject => {
	// Several topics would be sent, and paid for, as one that doesn't exist.
	const unclear = values.otherIntentTopics.find(
		(topic) => topic.includes(',') && !values.intentTopics.includes(topic),
	);
	if (unclear !== undefined) {
		throw parameterError(
			otherTopics.property,
			'may be several topics. Enter each on its own line with its category, such as "sales: lead scoring". If the comma belongs to the topic, choose it in Intent Topics.',
			unclear,
		);
	}
	const topics = [...values.intentTopics, ...values.otherIntentTopics].filter(
		(topic) => !isNothing(topic),
	);
	const invalid = topics.find((topic) => !/^[^:]*\S:\s*\S/.test(topic));
	if (invalid !== undefined) {
		const { property } = values.otherIntentTopics.includes(invalid) ? otherTopics : intentTopics;
		throw parameterError(
			property,
			'has no category. Enter it as in the list of Intent Topics, such as "sales: lead scoring".',
			invalid,
		);
	}
	return {
		// Sorted, so that equal topics make equal requests.
		topics: [...new Set(topics)].sort(),
		min_score: values.minScore === '' ? undefined : readScore(values.minScore),
	};
};

/**
 * The `parameters` of the data set Website Traffic (contract: Business bulk enrichment, `month_period`). Without a month, the
 * service returns last month.
 */
function trafficOptions(
	month: string,
	{ now }: RunContext,
): Pick<EnrichmentInput, 'parameters' | 'period'> {
	const current = new Date(now);
	const last = new Date(Date.UTC(current.getUTCFullYear(), current.getUTCMonth() - 1, 1));
	const lastMonth = last.toISOString().slice(0, 'YYYY-MM'.length);
	if (month === '') return { period: { month_period: lastMonth } };
	if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) {
		throw parameterError(monthPeriod.property, `is not a month such as ${lastMonth}.`, month);
	}
	if (month < LIMITS.trafficFrom || month > lastMonth) {
		throw parameterError(
			monthPeriod.property,
			`is outside the traffic data, which covers ${LIMITS.trafficFrom} to ${lastMonth}.`,
			month,
		);
	}
	return { parameters: { month_period: month } };
}

function topicAdvice(results: ReadonlyArray<InputResult<EnrichmentInput, unknown>>): Advice[] {
	const counts = results.flatMap(({ input: { dataSet, parameters } }) =>
		dataSet.value === 'intent'
			? [Array.isArray(parameters?.topics) ? parameters.topics.length : 0]
			: [],
	);
	const [fewest, ...others] = counts.filter((count) => count > 0).sort((a, b) => a - b);
	if (fewest === undefined) return [];
	const withoutTopics = counts.length - others.length - 1;
	const topics = pluralize(fewest, 'intent topic was', 'intent topics were');
	return [
		{
			rows: withoutTopics,
			message: `Intent Topics was empty for ${pluralize(withoutTopics, 'company', 'companies')}: all topics were requested, without a level of intent.`,
		},
		{
			rows: fewest < MIN_TOPICS ? others.length + 1 : 0,
			message: `Only ${topics} requested. With fewer than ${MIN_TOPICS}, the level of intent isn't meaningful.`,
		},
	];
}
