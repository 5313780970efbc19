/** The test of the search's simulation: with any of these bugs in the trigger, some history goes wrong. */
import { actual, mutantsOf } from './mutation';
import type * as memories from '../../../nodes/BusinessProspectData/trigger/memory';
import type * as checkpoints from '../../../nodes/BusinessProspectData/trigger/search/checkpoint';
import type {
	SearchSweep,
	SearchCheckpoint,
} from '../../../nodes/BusinessProspectData/trigger/search/checkpoint';
import {
	createSearchRunner,
	type SearchPollResult,
	type SearchPollRun,
} from '../../../nodes/BusinessProspectData/trigger/search/poll';
import type * as selections from '../../../nodes/BusinessProspectData/trigger/search/selection';
import { goesWrong } from './histories';
import { anySearchHistory, type SearchHistory } from './searchHistory';
import { type NewSearchProcess, SearchSimulation } from './searchSimulation';

/** The functions by which a poll goes; a mutant replaces some of them. */
type Rules = Pick<typeof checkpoints, 'openSearchCheckpoint' | 'planSweep'> &
	Pick<typeof selections, 'selectPeople'>;

const original: Rules & Pick<typeof memories, 'createMemory'> = {
	...actual<typeof checkpoints>('search/checkpoint'),
	...actual<typeof memories>('memory'),
	...actual<typeof selections>('search/selection'),
};

const { rules, withMemory, common } = mutantsOf<Rules, SearchPollRun, SearchPollResult>(
	createSearchRunner,
	original,
	{ people: [], succeeded: true, inBaseline: false },
);

/** Changes what a poll saves. */
const saving = (
	change: (
		after: SearchCheckpoint,
		before: SearchCheckpoint,
		pages: selections.SweepPart,
	) => Partial<SearchCheckpoint>,
): NewSearchProcess =>
	rules({
		selectPeople(before, job, pages) {
			const selected = original.selectPeople(before, job, pages);
			const { checkpoint } = selected;
			return { ...selected, checkpoint: { ...checkpoint, ...change(checkpoint, before, pages) } };
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
		openSearchCheckpoint(saved, watch) {
			const { searchKey } = original.openSearchCheckpoint(undefined, watch);
			const own = saved === undefined ? saved : { ...(saved as SearchCheckpoint), searchKey };
			return original.openSearchCheckpoint(own, watch);
		},
	}),
	'takes pages of other filters for its own': rules({
		openSearchCheckpoint(saved, watch) {
			const opened = original.openSearchCheckpoint(saved, watch);
			const { sweep } = (saved ?? {}) as Partial<SearchCheckpoint>;
			return { ...opened, sweep: opened.sweep ?? sweep };
		},
		selectPeople: (state, job, pages) =>
			original.selectPeople(state, { ...job, searchKey: state.searchKey }, pages),
	}),
	'keeps whom it knows when filters are edited': rules({
		openSearchCheckpoint(saved, watch) {
			const { known = '' } = (saved ?? {}) as Partial<SearchCheckpoint>;
			return { ...original.openSearchCheckpoint(saved, watch), known };
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
