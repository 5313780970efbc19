import { sleep } from 'n8n-workflow';
import { asCount, asText, isObject } from '../core/json';

type ResponseHeaders = Readonly<Record<string, unknown>>;

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Limits concurrency, lowers it when the rate limit is nearly used up, and can hold back all new requests.
 *
 * @param deadline the time after which no slot is granted, on the clock of `performance.now()`
 */
export function createRateLimiter(
	concurrency: number,
	cancelSignal: AbortSignal | undefined,
	deadline = Infinity,
) {
	const queues = {
		priority: createQueue<(granted: boolean) => void>(),
		normal: createQueue<(granted: boolean) => void>(),
	};
	const waits = new Set<AbortController>();
	let stopped = false;
	let pending = 0;
	/** On the clock of `performance.now()`, which isn't affected by changes to the system clock. */
	let pausedUntil = 0;
	let isWaking = false;
	/** Estimate of how many more requests the rate limit allows. Infinity if unknown. */
	let remaining = Infinity;
	/** True if the latest headers said that no requests remain and that the reset was at least a minute away. */
	let resetIsDistant = false;

	/** With nothing remaining, requests are still sent one at a time: only a response shows that the limit was reset. */
	const hasSlot = () =>
		performance.now() >= pausedUntil && pending < concurrency && (remaining > 0 || pending === 0);

	const isDeadlineWithin = (ms: number): boolean => performance.now() + ms > deadline;

	function grantSlots(): void {
		if (isDeadlineWithin(0)) return stop();
		while (hasSlot()) {
			const resolve = queues.priority.shift() ?? queues.normal.shift();
			if (resolve === undefined) return;
			pending++;
			remaining--;
			resolve(true);
		}
	}

	/** Grants no more slots and ends all waits. Requests in flight are not affected. */
	function stop(): void {
		cancelSignal?.removeEventListener('abort', stop);
		stopped = true;
		for (const resolve of [...queues.priority.clear(), ...queues.normal.clear()]) resolve(false);
		for (const controller of waits) controller.abort();
	}
	cancelSignal?.addEventListener('abort', stop);
	if (cancelSignal?.aborted) stop();

	/** Waits `ms` milliseconds, or until stopped. */
	async function wait(ms: number): Promise<void> {
		if (stopped) return;
		const controller = new AbortController();
		waits.add(controller);
		// An aborted sleep rejects, or in older versions of n8n ignores the signal.
		const aborted = new Promise<void>((resolve) => {
			controller.signal.addEventListener('abort', () => resolve());
		});
		await Promise.race([sleep(ms, controller.signal).catch(() => undefined), aborted]);
		waits.delete(controller);
	}

	async function wakeAfterPause(): Promise<void> {
		if (isWaking) return;
		isWaking = true;
		while (!stopped && performance.now() < pausedUntil)
			await wait(Math.ceil(pausedUntil - performance.now()));
		isWaking = false;
		grantSlots();
	}

	/** Grants no slot for `ms` milliseconds. Stops instead if the deadline comes first. */
	function pause(ms: number): void {
		if (isDeadlineWithin(ms)) return stop();
		pausedUntil = Math.max(pausedUntil, performance.now() + ms);
		void wakeAfterPause();
	}

	return {
		/** Waits for a slot, which must be released after use. False: the limiter was stopped. */
		async acquire(priority: boolean): Promise<boolean> {
			if (stopped) return false;
			return await new Promise((resolve) => {
				queues[priority ? 'priority' : 'normal'].push(resolve);
				grantSlots();
			});
		},
		release(): void {
			pending--;
			// Delayed, so that the caller can stop the limiter before the next request starts.
			void sleep(0).then(grantSlots);
		},
		/** Reads `X-RateLimit-Remaining` and `X-RateLimit-Reset`, also without `X-`. They can cause a pause. */
		updateFromResponse(headers: ResponseHeaders): void {
			const reported = asCount(headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining']);
			// The service may not have counted the other requests in flight yet.
			remaining = reported === undefined ? Infinity : reported - (pending - 1);
			const resetMs = reported === 0 ? (parseRateLimitReset(headers) ?? 0) : 0;
			// `parseRateLimitReset` returns `MAX_RESET_WAIT_MS` for any longer wait.
			const isDistant = resetMs >= MAX_RESET_WAIT_MS;
			// Consecutive distant resets cause only one pause: the header may be wrong, or about another quota.
			if (resetMs > 0 && !(isDistant && resetIsDistant)) pause(resetMs);
			resetIsDistant = isDistant;
		},
		pause,
		stop,
		isStopped: (): boolean => stopped,
		wait,
		isDeadlineWithin,
	};
}

/** Unlike an array's `shift`, this queue's `shift` doesn't move the other entries, of which there may be many. */
function createQueue<Entry>() {
	let entries: Entry[] = [];
	let next = 0;
	const clear = () => {
		const rest = entries.slice(next);
		entries = [];
		next = 0;
		return rest;
	};
	return {
		push(entry: Entry) {
			entries.push(entry);
		},
		shift(): Entry | undefined {
			const entry = entries[next++];
			if (next >= entries.length) clear();
			return entry;
		},
		clear,
	};
}

/** Upper bound on a wait taken from `X-RateLimit-Reset`. */
const MAX_RESET_WAIT_MS = 60_000;

const MIN_BACK_OFF_MS = 1_000;
const MAX_BACK_OFF_MS = 60_000;

/**
 * The wait after this attempt, in milliseconds. Backs off even if the service keeps requesting short waits.
 *
 * @param attempt number of attempts so far; failed and throttled ones are counted separately
 */
export function retryDelay(attempt: number, requestedMs = 0): number {
	if (requestedMs === 0) return backOff(attempt);
	return attempt === 1 ? requestedMs : Math.max(requestedMs, backOff(attempt - 1));
}

/** In milliseconds. The jitter spreads the retries of requests that failed together. */
const backOff = (attempt: number): number =>
	Math.min(MAX_BACK_OFF_MS, MIN_BACK_OFF_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);

/**
 * Milliseconds until `X-RateLimit-Reset` or `RateLimit-Reset`, at most `MAX_RESET_WAIT_MS`; undefined without a valid header. Small values are seconds
 * from now. Large values are epoch times, in seconds or a smaller unit.
 */
export function parseRateLimitReset(headers: ResponseHeaders): number | undefined {
	const reset = asCount(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
	if (reset === undefined) return undefined;
	let seconds = reset;
	while (seconds > 1e11) seconds /= 1000;
	const ms = seconds * 1000 - (reset > 1e9 ? serviceTime(headers) : 0);
	return Math.min(Math.max(0, ms), MAX_RESET_WAIT_MS);
}

/**
 * Milliseconds, from `Retry-After` or the body's `retry_after`. Both may be seconds or a date. Undefined without a valid value.
 */
export function parseRetryAfter(headers: ResponseHeaders, body: unknown): number | undefined {
	const values = [headers['retry-after'], isObject(body) ? body.retry_after : undefined];
	return values.map((value) => parseWait(value, headers)).find((ms) => ms !== undefined);
}

function parseWait(value: unknown, headers: ResponseHeaders): number | undefined {
	const text = asText(value);
	if (text === undefined) return undefined;
	const seconds = Number(text);
	const ms = Number.isNaN(seconds) ? Date.parse(text) - serviceTime(headers) : seconds * 1000;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** In milliseconds since 1970. This machine's clock is only the fallback, because the service's clock may differ. */
const serviceTime = ({ date }: ResponseHeaders): number => Date.parse(String(date)) || Date.now();
