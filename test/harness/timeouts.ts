import { shortenTimers } from './process.cjs';

/** Makes the node's total timeouts a hundredth of what they are, until the spy is restored. */
export function shortenTimeouts(): jest.SpyInstance {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	return jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 100));
}

/** Makes the waits before retries a hundredth of what they are, in every test of the file or of the `describe`. */
export function shortenWaits(): void {
	let restore: () => void;
	beforeEach(() => {
		restore = shortenTimers();
	});
	afterEach(() => restore());
}
