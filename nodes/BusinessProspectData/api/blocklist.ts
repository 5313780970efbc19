import type { Blocks } from './answer';
import type { Failure } from './outcome';

/** After so many failures of which each may be about its own record, and no success, it is taken to be the path. */
const REPEATED = 5;

/** What need not be sent any more, since it would fail in the same way. */
export interface Blocklist {
	/** The failure that a request to the path would meet. */
	blockedFailure(path: string): Failure | undefined;
	/** Takes note of a failure that another try would not change. */
	failed(path: string, failure: Failure, blocks: Blocks | undefined): void;
	/** Takes note of a success: the path is that of the service, and the account may use it. */
	succeeded(path: string): void;
}

export function createBlocklist(): Blocklist {
	const proven = new Set<string>();
	const unproven = new Map<string, Failure>();
	const repeated = new Map<string, number>();
	const paths = new Map<string, Failure>();
	let everything: Failure | undefined;
	return {
		blockedFailure: (path) =>
			everything ?? paths.get(path) ?? (proven.has(path) ? undefined : unproven.get(path)),
		failed(path, failure, blocks) {
			if (blocks === 'everything') everything = failure;
			if (blocks === 'path') paths.set(path, failure);
			if (blocks === 'unproven-path') unproven.set(path, failure);
			if (blocks !== 'repeated') return;
			const count = (repeated.get(path) ?? 0) + 1;
			repeated.set(path, count);
			if (count !== REPEATED) return;
			const message = `This was not sent: ${REPEATED} requests to ${path} had failed alike, and none had succeeded. The last of them: ${failure.message}`;
			unproven.set(path, { ...failure, message });
		},
		succeeded(path) {
			proven.add(path);
		},
	};
}
