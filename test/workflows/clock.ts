/** Stops the clock of the node at a moment until the test ends, and gives it for the sandbox. */
export function stopClock(moment: string): Date {
	const now = new Date(moment);
	jest.spyOn(Date, 'now').mockReturnValue(now.getTime());
	return now;
}

afterEach(() => {
	jest.restoreAllMocks();
});
