import { sleep } from 'n8n-workflow';
import { asCount, asText, isObject } from '../core/json';

type ResponseHeaders = Readonly<Record<string, unknown>>;

/** Limits concurrency, pauses, and slows down when the rate limit is nearly used up. */
interface RateLimiter {
	/**
	 * Waits for a slot; with `priority`, ahead of requests without it. True: a slot was granted and must be released after use.
	 * False: the limiter was stopped.
	 */
	acquire(priority: boolean): Promise<boolean>;
	release(): void;
	/** Reads the `X-RateLimit-…` headers of a response. Without them, nothing is slowed down. */
	updateFromResponse(headers: ResponseHeaders): void;
	/** Grants no slot for `ms` milliseconds. Stops instead if the deadline comes first. */
	pause(ms: number): void;
	/** Grants no more slots and ends all waits. Requests in flight are not affected. */
	stop(): void;
	/** Waits `ms` milliseconds, or until stopped. */
	wait(ms: number): Promise<void>;
	/** True if the deadline is less than `ms` milliseconds away. */
	isDeadlineWithin(ms: number): boolean;
}

/**
 * @param cancelSignal stops the limiter
 * @param deadline the time after which no slot is granted, on the clock of `performance.now()`
 */
export function createRateLimiter(
	concurrency: number,
	cancelSignal: AbortSignal | undefined,
	deadline = Infinity,
): RateLimiter {
	const queues = {
		priority: createQueue<(granted: boolean) => void>(),
		normal: createQueue<(granted: boolean) => void>(),
	};
	const waits = new Set<AbortController>();
	let stopped = false;
	/** Slots granted and not yet released. */
	let pending = 0;
	/** On the clock of `performance.now()`, which changes to the system clock don't affect. */
	let pausedUntil = 0;
	let isWaking = false;
	/**
	 * How many requests may still start: what the latest response reported, minus the other requests then in flight and the
	 * slots granted since. Infinity if it reported nothing.
	 */
	let remaining = Infinity;
	/** True while the service reports a reset a minute or more away, for which the limiter has already paused. */
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

	function stop(): void {
		cancelSignal?.removeEventListener('abort', stop);
		stopped = true;
		for (const resolve of [...queues.priority.clear(), ...queues.normal.clear()]) resolve(false);
		for (const controller of waits) controller.abort();
	}
	cancelSignal?.addEventListener('abort', stop);
	if (cancelSignal?.aborted) stop();

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

	function pause(ms: number): void {
		if (isDeadlineWithin(ms)) return stop();
		pausedUntil = Math.max(pausedUntil, performance.now() + ms);
		void wakeAfterPause();
	}

	return {
		async acquire(priority) {
			if (stopped) return false;
			return await new Promise((resolve) => {
				queues[priority ? 'priority' : 'normal'].push(resolve);
				grantSlots();
			});
		},
		release() {
			pending--;
			// Delayed, so that whoever receives the request's result can stop the limiter before the next request starts.
			void sleep(0).then(grantSlots);
		},
		updateFromResponse(headers) {
			const reported = asCount(headers['x-ratelimit-remaining']);
			// The service may not have counted the other requests in flight yet.
			remaining = reported === undefined ? Infinity : reported - (pending - 1);
			const resetMs = reported === 0 ? (parseRateLimitReset(headers) ?? 0) : 0;
			// `parseRateLimitReset` returns `MAX_RESET_WAIT_MS` for any longer wait.
			const isDistant = resetMs >= MAX_RESET_WAIT_MS;
			// A distant reset causes only one pause: if requests succeed after it, the header is wrong or about another quota. If they
			// don't, their HTTP 429 causes the next pause.
			if (resetMs > 0 && !(isDistant && resetIsDistant)) pause(resetMs);
			resetIsDistant = isDistant;
		},
		pause,
		stop,
		wait,
		isDeadlineWithin,
	};
}

/** First in, first out. Unlike an array's `shift`, this `shift` doesn't move the other entries, of which there may be 100,000. */
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

/** Upper bound on a wait taken from `X-RateLimit-Reset`, in milliseconds. A `Retry-After` may be longer. */
const MAX_RESET_WAIT_MS = 60_000;

const MIN_BACK_OFF_MS = 1_000;
const MAX_BACK_OFF_MS = 60_000;

/**
 * Milliseconds before the next attempt: the wait that the service requested, or a back-off if it requested none (or 0). From
 * the second attempt on, a requested wait is extended to at least the back-off of the previous attempt.
 *
 * @param attempt number of attempts so far that ended this way; throttled and failed attempts are counted separately
 */
export function retryDelay(attempt: number, requestedMs = 0): number {
	if (requestedMs === 0) return backOff(attempt);
	return attempt === 1 ? requestedMs : Math.max(requestedMs, backOff(attempt - 1));
}

/** In milliseconds. Exponential, with jitter, so that requests that failed together aren't retried together. */
const backOff = (attempt: number): number =>
	Math.min(MAX_BACK_OFF_MS, MIN_BACK_OFF_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);

/**
 * Milliseconds until `X-RateLimit-Reset`, at most one minute; undefined without a valid header. Small values are seconds from
 * now. Large values are epoch times; their size shows whether they are in seconds, milliseconds, microseconds or nanoseconds.
 */
export function parseRateLimitReset(headers: ResponseHeaders): number | undefined {
	const reset = asCount(headers['x-ratelimit-reset']);
	if (reset === undefined) return undefined;
	let seconds = reset;
	while (seconds > 1e11) seconds /= 1000;
	const ms = seconds * 1000 - (reset > 1e9 ? serviceTime(headers) : 0);
	return Math.min(Math.max(0, ms), MAX_RESET_WAIT_MS);
}

/**
 * The wait in `Retry-After` or, if that isn't valid, in the body's `retry_after`, in milliseconds. Either may be seconds or a
 * date. Undefined if neither is valid.
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

/** The service's time, or this machine's if the service sends none, in milliseconds since 1970. Their clocks may differ. */
const serviceTime = ({ date }: ResponseHeaders): number => Date.parse(String(date)) || Date.now();
