import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../../api/json';
import { counted } from '../../api/outcome';
import { BUSINESS } from '../../catalog/entities';
import { BUSINESS_ENRICHMENTS } from '../../catalog/enrichments';
import { LIMITS } from '../../catalog/limits';
import { batchSize, dropItemsWithoutData, options, simplify } from '../../runtime/options';
import { perBatch, type Setting } from '../../runtime/operation';
import { parameter, readNumber, readText, refusal } from '../../runtime/parameters';
import { chosenFrom, dataSetChoice, enrichmentAsks, enrichmentBatches } from '../enrichment';
import { foundProperty, readFound } from '../foundValues';
import { businessIds } from '../ids';

/** Fewer topics give no meaningful `level_of_intent` (contract: Intent endpoint, rule 3). */
const ENOUGH_TOPICS = 12;
/** The first month of traffic data (contract: Limits). */
const FIRST_MONTH = '2017-01';

const dataSets = dataSetChoice(BUSINESS_ENRICHMENTS, 'fundingAndAcquisition', 'businesses');

const intentTopics = parameter(
	{
		displayName: 'Intent Topics',
		name: 'intentTopics',
		...foundProperty('business_intent_topics', 'Topic', 'e.g. sales: crm software'),
		displayOptions: { show: { dataSets: ['intent'] } },
		description: `Topics to score; at least ${ENOUGH_TOPICS} give a meaningful level of intent. None: all topics of the business, without a level.`,
	},
	// In order, so that the same topics are the same request.
	(raw, property) => [...new Set(readFound(raw, property, /[;\n]/))].sort(),
);

const minScore = parameter(
	{
		displayName: 'Minimum Score',
		name: 'minScore',
		type: 'string',
		default: '',
		placeholder: 'e.g. 75',
		displayOptions: { show: { dataSets: ['intent'] } },
		description: `Only topics with at least this score, a whole number above ${LIMITS.minScore}. Empty: the service's own threshold, ${LIMITS.minScore}.`,
	},
	readText,
);

const monthPeriod = parameter(
	{
		displayName: 'Month',
		name: 'monthPeriod',
		type: 'string',
		default: '',
		placeholder: 'e.g. 2026-05',
		displayOptions: { show: { dataSets: ['websiteTraffic'] } },
		description: `Month of the traffic, from ${FIRST_MONTH} to last month. Empty: last month.`,
	},
	readText,
);

export const enrich = perBatch({
	resource: 'business',
	value: 'enrich',
	name: 'Enrich',
	action: 'Enrich businesses',
	description:
		'Fetch funding, technology, intent, traffic and more of companies by their business IDs',
	parameters: [businessIds, dataSets, intentTopics, minScore, monthPeriod, simplify],
	options: options(batchSize(LIMITS.enrich), dropItemsWithoutData),
	asks: (values, { requestContext }, setting) => {
		const chosen = chosenFrom(BUSINESS_ENRICHMENTS, values.dataSets, dataSets.property);
		const parametersOf: Record<string, () => IDataObject> = {
			intent: () => ({ topics: values.intentTopics, min_score: checkedScore(values.minScore) }),
			websiteTraffic: () => ({ month_period: checkedMonth(values.monthPeriod, setting) }),
		};
		return enrichmentAsks(values.businessIds, chosen, requestContext, ({ value }) => ({
			parameters: filled(parametersOf[value]?.() ?? {}),
		}));
	},
	...enrichmentBatches(BUSINESS, BUSINESS_ENRICHMENTS),
	field: businessIds.name,
	wording: { verb: 'Enriched', one: 'business', many: 'businesses' },
	hints: (answered) => {
		const counts = answered.flatMap(({ ask }) =>
			Array.isArray(ask.parameters?.topics) ? [ask.parameters.topics.length] : [],
		);
		const fewest = counts.reduce((least, count) => Math.min(least, count), ENOUGH_TOPICS);
		if (fewest === ENOUGH_TOPICS) return [];
		const given = counted(fewest, 'intent topic was', 'intent topics were');
		return [`Only ${given} given: below ${ENOUGH_TOPICS}, the level of intent says little.`];
	},
});

/** The members that have a value; undefined when none has. */
function filled(members: IDataObject): IDataObject | undefined {
	const some = Object.entries(members).filter(([, value]) => !isEmpty(value));
	return some.length === 0 ? undefined : Object.fromEntries(some);
}

function checkedScore(score: string): number | undefined {
	if (score === '') return undefined;
	const typeOptions = { minValue: LIMITS.minScore + 1 };
	return readNumber(score, { ...minScore.property, typeOptions });
}

function checkedMonth(month: string, { now }: Setting): string | undefined {
	if (month === '') return undefined;
	const current = new Date(now);
	const last = new Date(Date.UTC(current.getUTCFullYear(), current.getUTCMonth() - 1, 1));
	const lastMonth = last.toISOString().slice(0, FIRST_MONTH.length);
	if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) {
		throw refusal(monthPeriod.property, `is not a month such as ${lastMonth}.`, month);
	}
	if (month < FIRST_MONTH || month > lastMonth) {
		throw refusal(
			monthPeriod.property,
			`is outside the traffic data, which go from ${FIRST_MONTH} to ${lastMonth}.`,
			month,
		);
	}
	return month;
}
