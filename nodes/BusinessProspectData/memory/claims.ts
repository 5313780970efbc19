/** What runs in this process are about to buy, and which run it is. */
const CLAIMED = new Map<string, object>();
const WAITING = new Set<() => void>();

export interface Claims {
	/** False if another run has claimed one of the keys, unless this run has waited long enough: nothing is claimed then. */
	take(keys: readonly string[]): boolean;
	/**
	 * Resolves when no other run has claimed these keys, after Max Wait, or when the execution is cancelled. Gives up this run's
	 * own claims first: because no run waits while it has any, two can't wait for each other.
	 */
	wait(keys: readonly string[]): Promise<void>;
	/** By default, all. */
	release(keys?: Iterable<string>): void;
}

export function createClaims(maxWaitMs: number, cancelSignal: AbortSignal | undefined): Claims {
	const own = new Set<string>();
	let leftMs = maxWaitMs;

	const isTaken = (key: string) => CLAIMED.has(key) && CLAIMED.get(key) !== own;
	function release(keys: Iterable<string> = own): void {
		for (const key of keys) if (own.delete(key)) CLAIMED.delete(key);
		for (const wake of WAITING) wake();
		WAITING.clear();
	}
	return {
		take(keys) {
			if (leftMs > 0 && !cancelSignal?.aborted && keys.some(isTaken)) return false;
			for (const key of keys) {
				if (isTaken(key)) continue;
				CLAIMED.set(key, own);
				own.add(key);
			}
			return true;
		},
		async wait(keys) {
			release();
			const startedAt = performance.now();
			const timeout = AbortSignal.timeout(Math.ceil(leftMs));
			const ends = AbortSignal.any(cancelSignal ? [timeout, cancelSignal] : [timeout]);
			while (!ends.aborted && keys.some(isTaken)) {
				await new Promise<void>((resolve) => {
					WAITING.add(resolve);
					ends.addEventListener('abort', () => resolve(), { once: true });
				});
			}
			leftMs = Math.max(0, leftMs - (performance.now() - startedAt));
		},
		release,
	};
}
