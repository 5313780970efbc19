/** Creates what runs a trigger's polls, as a new process does. */
import type { createMemory } from '../../../nodes/BusinessProspectData/trigger/memory';
import { eventsState } from '../../../nodes/BusinessProspectData/trigger/events/state';
import { createRunner } from '../../../nodes/BusinessProspectData/trigger/runner';
import { searchState } from '../../../nodes/BusinessProspectData/trigger/search/state';

type Memory = ReturnType<typeof createMemory>;

export const createEventsRunner = (rules: Partial<typeof eventsState> = {}, memory?: Memory) =>
	createRunner({ ...eventsState, ...rules }, memory);

export type RunEvents = ReturnType<typeof createEventsRunner>;
export type EventsPollRun = Parameters<RunEvents>[0];

export const createSearchRunner = (rules: Partial<typeof searchState> = {}, memory?: Memory) =>
	createRunner({ ...searchState, ...rules }, memory);

export type RunSearch = ReturnType<typeof createSearchRunner>;
