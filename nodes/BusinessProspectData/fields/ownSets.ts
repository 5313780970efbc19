import { jsonOf } from '../core/casts';
import { type ColumnSet, memberOf, plainSet } from './columns';

const OF_RUN = { isOfRun: true };

/** True if the lookup found an ID. */
const isFound = (found: unknown): boolean => (memberOf('id')(found) ?? null) !== null;

const foundSet = (name: string): ColumnSet => ({
	source: 'found',
	shown: [name],
	reads: new Map([[name, isFound]]),
	...OF_RUN,
});

export const MATCHED = foundSet('matched');
export const FOUND = foundSet('found');
export const MATCH_CHECK = plainSet('matchCheck', ['match_check'], OF_RUN);
export const CANDIDATES = plainSet('candidates', ['candidate_names', 'candidate_ids'], OF_RUN);
export const CANDIDATE_LIST = plainSet('candidates', ['candidates'], OF_RUN);
export const FOUND_COMPANY: ColumnSet = {
	source: 'company',
	shown: ['found_name', 'found_website'],
	reads: new Map([
		['found_name', memberOf('company_name')],
		['found_website', memberOf('company_website')],
	]),
};

/** All rows of a response share it. */
export const RESPONSE_CONTEXT: ColumnSet = {
	source: 'responseContext',
	shown: ['response_context'],
	reads: new Map([['response_context', (context) => jsonOf(structuredClone(context))]]),
	...OF_RUN,
};
