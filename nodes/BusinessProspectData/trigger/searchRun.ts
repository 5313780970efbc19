import { createRunner, type Run } from './runner';
import {
	isWatchingSearch,
	openSearch,
	type PassJob,
	type SearchCheckpoint,
	planPass,
	type SearchWatch,
} from './searchCheckpoint';
import { type PassPages, type SelectedPeople, selectPeople } from './searchSelection';

/** One poll of a node that watches a search; `limit` is the maximum number of pages. */
export type SearchRun = Run<SearchWatch, PassJob, PassPages>;

export interface SearchRunResult extends SelectedPeople {
	/** True if pages were received and, in the first check, none failed. */
	readonly succeeded: boolean;
}

/** Creates the function that runs the polls of all nodes that watch a search. Throws only what `fetch` throws. */
export const createSearchRunner = () =>
	createRunner<SearchWatch, SearchCheckpoint, PassJob, PassPages, SearchRunResult>({
		open: openSearch,
		isWatching: isWatchingSearch,
		plan: (state, _watch, limit) => planPass(state, limit),
		select(state, _watch, job, pages) {
			const { state: next, ...selected } = selectPeople(state, job, pages);
			const isFirstCheck = state.firstPasses !== undefined;
			const succeeded = pages.first === 'received' && !(isFirstCheck && pages.partial);
			return {
				state: next,
				result: { ...selected, succeeded },
				hasOutput: selected.people.length > 0,
			};
		},
		nothing: { people: [], succeeded: true },
	});
