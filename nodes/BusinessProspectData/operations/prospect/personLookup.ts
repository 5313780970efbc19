import type { IDataObject } from 'n8n-workflow';
import { LIMITS, PATHS } from '../../catalog/service';
import type { LookupBatchConfig } from '../../runtime/spec';
import type { Price } from '../../runtime/spending';
import { identifierOf, keyOf, type Person, requestEntry } from './person';
import { matchOutcomes, type MatchResult } from './matchResult';

/** A person to match. */
export interface MatchQuery {
	readonly person: Person;
	readonly requestContext?: IDataObject;
}

/** The service publishes no price for a match. */
export const MATCH_PRICE: Price = { unpriced: 'Match' };

/** How people become match requests (contract: Match prospects). */
export const matchBatchConfig: LookupBatchConfig<MatchQuery, MatchResult> = {
	groupKey: ({ requestContext }: MatchQuery) => JSON.stringify(requestContext ?? null),
	key: ({ person }) => keyOf(person),
	maxBatchSize: () => LIMITS.matchBatch,
	inputMember: () => 'prospects_to_match',
	send: async (client, queries, skipIf) => {
		const people = queries.map(({ person }) => person);
		const { value, failure } = await client.send(
			{
				method: 'POST',
				path: PATHS.match,
				body: {
					prospects_to_match: people.map(requestEntry),
					request_context: queries[0]?.requestContext,
				},
				recordLabels: people.map(identifierOf),
				safeToRetry: false,
			},
			skipIf,
		);
		return failure === undefined
			? { value: matchOutcomes(value, people, client.redact) }
			: { failure };
	},
};
