/** The test of the search's simulation: with any of these bugs in the trigger, some history goes wrong. */
import type * as memories from '../../../nodes/BusinessProspectData/trigger/memory';
import type * as checkpoints from '../../../nodes/BusinessProspectData/trigger/search/checkpoint';
import type {
	SearchSweep,
	SearchCheckpoint,
} from '../../../nodes/BusinessProspectData/trigger/search/checkpoint';
import { fetchSweepPart } from '../../../nodes/BusinessProspectData/trigger/search/fetch';
import {
	createSearchRunner,
	type SearchPollResult,
	type SearchPollRun,
} from '../../../nodes/BusinessProspectData/trigger/search/poll';
import type * as selections from '../../../nodes/BusinessProspectData/trigger/search/selection';
import { goesWrong } from './histories';
import { anySearchHistory } from './searchHistory';
import { type NewSearchProcess, SearchSimulation } from './searchSimulation';
import { mutantsOf } from './mutation';
import type * as modules from './mutation';

/** The functions by which a poll goes; a mutant replaces some of them. */
type Rules = Pick<typeof checkpoints, 'openSearchCheckpoint' | 'planSweep'> &
	Pick<typeof selections, 'selectPeople'>;

jest.mock('../../../nodes/BusinessProspectData/trigger/search/checkpoint', () =>
	jest
		.requireActual<typeof modules>('./mutation')
		.mockModule('../../../nodes/BusinessProspectData/trigger/search/checkpoint'),
);
jest.mock('../../../nodes/BusinessProspectData/trigger/memory', () =>
	jest
		.requireActual<typeof modules>('./mutation')
		.mockModule('../../../nodes/BusinessProspectData/trigger/memory'),
);
jest.mock('../../../nodes/BusinessProspectData/trigger/search/selection', () =>
	jest
		.requireActual<typeof modules>('./mutation')
		.mockModule('../../../nodes/BusinessProspectData/trigger/search/selection'),
);

const original: Rules & Pick<typeof memories, 'createMemory'> = {
	...jest.requireActual<typeof checkpoints>(
		'../../../nodes/BusinessProspectData/trigger/search/checkpoint',
	),
	...jest.requireActual<typeof memories>('../../../nodes/BusinessProspectData/trigger/memory'),
	...jest.requireActual<typeof selections>(
		'../../../nodes/BusinessProspectData/trigger/search/selection',
	),
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
	'outputs those who are there at the start': rules({
		openSearchCheckpoint: (saved, watch) => ({
			...original.openSearchCheckpoint(saved, watch),
			baselineSweeps: undefined,
		}),
	}),
	'outputs nobody': rules({
		selectPeople: (...input) => ({ ...original.selectPeople(...input), people: [] }),
	}),
	'forgets whom a sweep misses': saving((after, _before, { rows }) => ({
		known: after.known.slice(-8 * rows.length),
	})),
	'ends the first check with the first poll': saving(() => ({ baselineSweeps: undefined })),
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
	'never ends the first check': saving((_after, { baselineSweeps: firstSweeps = 0 }) => ({
		baselineSweeps: Math.min(firstSweeps, 2),
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

/** Bugs in the fetching of pages. */
const FETCHES: Record<string, typeof fetchSweepPart> = {
	'takes pages that were not sent for fetched': async (...input) => {
		const pages = await fetchSweepPart(...input);
		return pages.startStatus === 'received' ? { ...pages, resumeAt: undefined } : pages;
	},
	'takes a failed first page for an empty search': async (...input) => {
		const pages = await fetchSweepPart(...input);
		return pages.startStatus === 'failed' ? { ...pages, startStatus: 'received' } : pages;
	},
	'tries pages that the service rejects again': async (...input) => {
		const pages = await fetchSweepPart(...input);
		return pages.failure?.kind === 'invalid' && pages.pages.length === 0
			? { ...pages, startStatus: 'failed', partial: false }
			: pages;
	},
	'does not compare with the total': async (...input) => ({
		...(await fetchSweepPart(...input)),
		total: 0,
	}),
	'believes a total without a page count': async (requests, ...rest) =>
		await fetchSweepPart(
			{
				...requests,
				async fetchPage(page) {
					const outcome = await requests.fetchPage(page);
					if (outcome.failure !== undefined || outcome.value.totalRows === undefined)
						return outcome;
					const totalPages = Math.max(1, Math.ceil(outcome.value.totalRows / rest[2]));
					return { value: { ...outcome.value, totalPages } };
				},
			},
			...rest,
		),
};

const isDetected = async (newProcess: NewSearchProcess, fetch = fetchSweepPart) =>
	await goesWrong(anySearchHistory, (history) => new SearchSimulation(history, newProcess, fetch));

test.each(Object.entries(MUTANTS))('detects a trigger that %s', async (_, newProcess) => {
	expect(await isDetected(newProcess)).toBe(true);
});

test.each(Object.entries(FETCHES))('detects a trigger that %s', async (_, fetch) => {
	expect(await isDetected(createSearchRunner, fetch)).toBe(true);
});
