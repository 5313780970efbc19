import { getGlobalState, setGlobalState } from 'n8n-workflow';

/** Stops the clock of the node at a moment until the test ends, and gives it for the sandbox. */
export function stopClock(moment: string): Date {
	const now = new Date(moment);
	jest.spyOn(Date, 'now').mockReturnValue(now.getTime());
	return now;
}

const INSTANCE = getGlobalState();

/** Sets the time zone of n8n itself (`GENERIC_TIMEZONE`) until the test ends. */
export const setInstanceTimezone = (defaultTimezone: string): void =>
	setGlobalState({ defaultTimezone });

afterEach(() => {
	jest.restoreAllMocks();
	setGlobalState(INSTANCE);
});
