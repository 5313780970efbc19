/** The test of the search's simulation: with any of these bugs in the trigger, some history goes wrong. */
import {
	type SearchCheckpoint,
	searchState as original,
	type SearchSweep,
	type SweepPart,
} from '../../../nodes/BusinessProspectData/trigger/search/state';
import { goesWrong } from './histories';
import { mutantsOf } from './mutation';
import { createSearchRunner } from './runners';
import { anySearchHistory, type SearchHistory } from './searchHistory';
import { type NewSearchProcess, SearchSimulation } from './searchSimulation';

const { rules, withMemory, common } = mutantsOf(createSearchRunner);

/** Changes what a poll saves. */
const saving = (
	change: (
		after: SearchCheckpoint,
		before: SearchCheckpoint,
		pages: SweepPart,
	) => Partial<SearchCheckpoint>,
): NewSearchProcess =>
	rules({
		select(before, job, pages) {
			const { checkpoint, result } = original.select(before, job, pages);
			if (checkpoint === undefined) return { checkpoint, result };
			return { checkpoint: { ...checkpoint, ...change(checkpoint, before, pages) }, result };
		},
	});

const sweepOf = (
	state: SearchCheckpoint,
	change: Partial<SearchSweep>,
): Partial<SearchCheckpoint> =>
	state.sweep === undefined ? {} : { sweep: { ...state.sweep, ...change } };

const MUTANTS: Record<string, NewSearchProcess> = {
	...common,
	'forgets whom a sweep misses': saving((after, _before, { rows }) => ({
		known: after.known.slice(-8 * rows.length),
	})),
	'ends the first check without a page that failed': saving((after) =>
		sweepOf(after, { partial: false }),
	),
	'ends the first check with the first complete sweep': saving((after, before) => ({
		baselineSweeps:
			after.baselineSweeps === before.baselineSweeps ? after.baselineSweeps : undefined,
	})),
	'never ends the first check while a page fails': saving((after, before, { partial }) => ({
		baselineSweeps: partial ? before.baselineSweeps : after.baselineSweeps,
	})),
	'begins every poll at the first page': saving(() => ({ sweep: undefined })),
	'skips pages that were not sent': saving((after, before) =>
		sweepOf(after, {
			nextPage: Math.max(after.sweep?.nextPage ?? 0, (before.sweep?.nextPage ?? 0) + 9),
		}),
	),
	'does not notice other filters': rules({
		open(saved, watch) {
			const { searchKey } = original.open(undefined, watch);
			const own = saved === undefined ? saved : { ...(saved as SearchCheckpoint), searchKey };
			return original.open(own, watch);
		},
	}),
	'takes pages of other filters for its own': rules({
		open(saved, watch) {
			const opened = original.open(saved, watch);
			const { sweep } = (saved ?? {}) as Partial<SearchCheckpoint>;
			return { ...opened, sweep: opened.sweep ?? sweep };
		},
		select: (state, job, pages) =>
			original.select(state, { ...job, searchKey: state.searchKey }, pages),
	}),
	'keeps whom it knows when filters are edited': rules({
		open(saved, watch) {
			const { known = '' } = (saved ?? {}) as Partial<SearchCheckpoint>;
			return { ...original.open(saved, watch), known };
		},
	}),
	'forgets what it watched when the filters match too many people': withMemory(() => ({
		snapshot: () => () => undefined,
	})),
};

test.each(Object.entries(MUTANTS))('detects a trigger that %s', async (_, newProcess) => {
	const simulate = (history: SearchHistory) => new SearchSimulation(history, newProcess);
	expect(await goesWrong(anySearchHistory, simulate)).toBe(true);
});
