import { createRunner, type PollRun } from '../runner';
import {
	isWatchingSearch,
	openSearchCheckpoint,
	type SearchJob,
	type SearchCheckpoint,
	planSweep,
	type SearchWatch,
} from './checkpoint';
import { advancesSweep, type SweepPart, type SelectedPeople, selectPeople } from './selection';

/** One poll of a node that watches a search; `limit` is the maximum number of pages. */
export type SearchPollRun = PollRun<SearchWatch, SearchJob, SweepPart>;

export interface SearchPollResult extends SelectedPeople {
	/** True if the poll's first page was received or rejected, or if it fetched nothing. During the baseline, no page may fail. */
	readonly succeeded: boolean;
	/** True if the baseline has not ended. */
	readonly inBaseline: boolean;
}

/** Creates the function that runs the polls of all nodes that watch a search. Throws only what `fetch` throws. */
export const createSearchRunner = () =>
	createRunner<SearchWatch, SearchCheckpoint, SearchJob, SweepPart, SearchPollResult>({
		open: openSearchCheckpoint,
		isWatching: isWatchingSearch,
		plan: (checkpoint, _watch, limit) => planSweep(checkpoint, limit),
		select(checkpoint, _watch, job, part) {
			const { checkpoint: next, ...selected } = selectPeople(checkpoint, job, part);
			// Too many people match new filters: the previous search stays, in case the user restores it.
			const keepsPreviousSearch =
				checkpoint.baselineSweeps !== undefined &&
				part.startStatus === 'tooMany' &&
				job.startPage === 1 &&
				job.search === checkpoint.search;
			const inBaseline = next.baselineSweeps !== undefined;
			const succeeded = advancesSweep(part) && !(inBaseline && part.partial);
			return {
				checkpoint: keepsPreviousSearch ? undefined : next,
				result: { ...selected, succeeded, inBaseline },
				hasOutput: selected.people.length > 0,
			};
		},
		nothing: { people: [], succeeded: true, inBaseline: false },
	});
