/** Creates what runs a trigger's polls, as a new process does. */
import { eventsState } from '../../../nodes/BusinessProspectData/trigger/events/state';
import { createRunner } from '../../../nodes/BusinessProspectData/trigger/runner';
import { searchState } from '../../../nodes/BusinessProspectData/trigger/search/state';

export const createEventsRunner = () => createRunner(eventsState);

export type RunEvents = ReturnType<typeof createEventsRunner>;
export type EventsPollRun = Parameters<RunEvents>[0];

export const createSearchRunner = () => createRunner(searchState);

export type RunSearch = ReturnType<typeof createSearchRunner>;
