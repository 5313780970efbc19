import type { IDataObject } from 'n8n-workflow';
import { pluralize } from '../../core/text';
import { LIMITS } from '../../catalog/service';
import type { BatchResult } from '../../runtime/batches';
import { parameter, readNumber, readText } from '../../runtime/parameters';
import type { EnrichmentInput } from '../enrichment/batches';
import { autocompleteProperty, readAutocompleteValues } from '../filters/autocompleteValues';

/** Fewer topics give no meaningful `level_of_intent` (contract: Intent endpoint, rule 3). */
const ENOUGH_TOPICS = 12;

export const intentTopics = parameter(
	{
		displayName: 'Intent Topics',
		name: 'intentTopics',
		...autocompleteProperty('business_intent_topics', 'Topic', 'e.g. sales: crm software'),
		displayOptions: { show: { dataSets: ['intent'] } },
		description: `Topics to score; at least ${ENOUGH_TOPICS} give a meaningful level of intent. None: all topics of the business, without a level.`,
	},
	// In order, so that the same topics are the same request.
	(raw, property) => [...new Set(readAutocompleteValues(raw, property, /[;\n]/))].sort(),
);

export const minScore = parameter(
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

/**
 * The `parameters` of the data set Intent (contract: Intent endpoint parameters).
 *
 * @throws UserError when the score is none that the service takes
 */
export const intentParameters = (values: {
	readonly intentTopics: string[];
	readonly minScore: string;
}): IDataObject => ({
	topics: values.intentTopics,
	min_score:
		values.minScore === ''
			? undefined
			: readNumber(values.minScore, {
					...minScore.property,
					typeOptions: { minValue: LIMITS.minScore + 1 },
				}),
});

/** The hint where too few topics were given for a level of intent. */
export function tooFewTopics(
	answered: ReadonlyArray<BatchResult<EnrichmentInput, unknown>>,
): string[] {
	const counts = answered.flatMap(({ input: ask }) =>
		Array.isArray(ask.parameters?.topics) ? [ask.parameters.topics.length] : [],
	);
	const fewest = counts.reduce((least, count) => Math.min(least, count), ENOUGH_TOPICS);
	if (fewest === ENOUGH_TOPICS) return [];
	const given = pluralize(fewest, 'intent topic was', 'intent topics were');
	return [`Only ${given} given: below ${ENOUGH_TOPICS}, the level of intent says little.`];
}
