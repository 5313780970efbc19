/** What the limiter says about one request. Times are whole seconds, rounded up. */
interface RateVerdict {
	readonly allowed: boolean;
	readonly limit: number;
	/** Requests still allowed in the present window, this one counted. */
	readonly remaining: number;
	/** Until the oldest request leaves the window; 0 when there is none. */
	readonly resetSeconds: number;
}

export interface RateLimit {
	/** Counts a request, unless it is over the limit. `null` when no limit is set. */
	take(): RateVerdict | null;
	/** Changes the number of requests per window; `null` lifts the limit. */
	set(limit: number | null): void;
	clear(): void;
}

/** A sliding window: at most `limit` requests within any `windowMs` milliseconds. Refused requests don't count. */
export function createRateLimit(
	limit: number | null,
	windowMs: number,
	now: () => Date,
): RateLimit {
	let most = limit;
	let taken: number[] = [];
	return {
		take() {
			if (most === null) return null;
			const time = now().getTime();
			taken = taken.filter((earlier) => earlier > time - windowMs);
			const allowed = taken.length < most;
			if (allowed) taken.push(time);
			const oldest = taken[0];
			return {
				allowed,
				limit: most,
				remaining: Math.max(0, most - taken.length),
				resetSeconds: oldest === undefined ? 0 : Math.ceil((oldest + windowMs - time) / 1000),
			};
		},
		set(next) {
			most = next;
		},
		clear() {
			taken = [];
		},
	};
}
