/** Makes the node's total timeouts a hundredth of what they are, until the spy is restored. */
export function shortenTimeouts(): jest.SpyInstance {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	return jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 100));
}
