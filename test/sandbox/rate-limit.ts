/**
 * A sliding window: at most `limit` requests within any `windowMs` milliseconds; `null` for no limit. Refused requests don't
 * count.
 */
export function createRateLimit(limit: number | null, windowMs: number, now: () => Date) {
	let taken: number[] = [];
	return {
		/** Counts a request, unless it is over the limit, and says how long until the oldest one leaves the window. */
		take() {
			if (limit === null) return null;
			const time = now().getTime();
			taken = taken.filter((earlier) => earlier > time - windowMs);
			const allowed = taken.length < limit;
			if (allowed) taken.push(time);
			const [oldest = time - windowMs] = taken;
			return {
				allowed,
				limit,
				/** Requests still allowed in the present window, this one counted. */
				remaining: limit - taken.length,
				resetSeconds: Math.ceil((oldest + windowMs - time) / 1000),
			};
		},
		clear() {
			taken = [];
		},
	};
}
export type RateLimit = ReturnType<typeof createRateLimit>;
