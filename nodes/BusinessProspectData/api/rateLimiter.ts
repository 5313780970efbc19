import { sleep } from 'n8n-workflow';
import { asCount, isObject, asText } from '../core/json';

/** Longest that a told `X-RateLimit-Reset` holds requests back, milliseconds; a 429 may say longer. */
const MAX_RESET_WAIT_MS = 60_000;

/** Lets requests through: a bounded number at a time, none during a pause, fewer when the rate limit runs low. */
export interface RateLimiter {
	/** Runs the task when its turn comes; undefined when it was stopped before. `again` goes ahead of the others. */
	run<Result>(task: () => Promise<Result>, again: boolean): Promise<Result | undefined>;
	/** Takes note of the `X-RateLimit-…` headers of an answer; without them nothing is slowed. */
	note(headers: Readonly<Record<string, unknown>>): void;
	/** No task starts before `ms` milliseconds from now. */
	pause(ms: number): void;
	/** No task starts any more, and waits end. Tasks under way are not disturbed. */
	stop(): void;
	/** Waits `ms` milliseconds; false when it was stopped meanwhile. */
	wait(ms: number): Promise<boolean>;
}

/** @param cancelled ends it like `stop` */
export function createRateLimiter(atOnce: number, cancelled: AbortSignal | undefined): RateLimiter {
	/** Those that go again come before those that go for the first time. */
	const queues = {
		again: createQueue<(go: boolean) => void>(),
		first: createQueue<(go: boolean) => void>(),
	};
	const waits = new Set<AbortController>();
	let stopped = false;
	let underWay = 0;
	let pausedUntil = 0;
	let waking = false;
	/** How many requests may still start by the last word of the service. */
	let left = Infinity;
	/** Set while the service announces a distant reset that the run has already paused for. */
	let resetIsDistant = false;

	const mayStart = () =>
		Date.now() >= pausedUntil && underWay < atOnce && (left > 0 || underWay === 0);

	function admit(): void {
		while (mayStart()) {
			const decide = queues.again.take() ?? queues.first.take();
			if (decide === undefined) return;
			underWay++;
			left--;
			decide(true);
		}
	}

	function stop(): void {
		cancelled?.removeEventListener('abort', stop);
		stopped = true;
		for (const decide of [...queues.again.takeAll(), ...queues.first.takeAll()]) decide(false);
		for (const waited of waits) waited.abort();
	}
	cancelled?.addEventListener('abort', stop);
	if (cancelled?.aborted) stop();

	async function wait(ms: number): Promise<boolean> {
		const waited = new AbortController();
		waits.add(waited);
		// A wait that is ended early rejects; `stopped` says so to whoever waited. Older versions of `sleep` ignore the signal.
		const ended = new Promise<void>((end) => {
			waited.signal.addEventListener('abort', () => end());
		});
		if (!stopped) await Promise.race([sleep(ms, waited.signal).catch(() => undefined), ended]);
		waits.delete(waited);
		return !stopped;
	}

	async function wakeAfterPause(): Promise<void> {
		if (waking) return;
		waking = true;
		while (!stopped && Date.now() < pausedUntil) await wait(Math.ceil(pausedUntil - Date.now()));
		waking = false;
		admit();
	}

	function pause(ms: number): void {
		pausedUntil = Math.max(pausedUntil, Date.now() + ms);
		void wakeAfterPause();
	}

	return {
		async run(task, again) {
			if (stopped) return undefined;
			const go = await new Promise<boolean>((decide) => {
				queues[again ? 'again' : 'first'].add(decide);
				admit();
			});
			if (!go) return undefined;
			try {
				return await task();
			} finally {
				underWay--;
				// Only after whoever waited for this task has seen its result, and may have stopped everything.
				void sleep(0).then(admit);
			}
		},
		note(headers) {
			const remaining = asCount(headers['x-ratelimit-remaining']);
			left = remaining === undefined ? Infinity : remaining - (underWay - 1);
			const ms = remaining === 0 ? (parseRateLimitReset(headers) ?? 0) : 0;
			// Answers with data before a distant reset disprove it: one pause is enough, a real limit responds with a 429.
			if (ms < MAX_RESET_WAIT_MS || !resetIsDistant) pause(ms);
			resetIsDistant = ms >= MAX_RESET_WAIT_MS;
		},
		pause,
		stop,
		wait,
	};
}

/** First in, first out. Taking one does not move those behind it, as `shift` does: there may be 100,000. */
function createQueue<Entry>() {
	let entries: Entry[] = [];
	let next = 0;
	const takeAll = () => {
		const rest = entries.slice(next);
		entries = [];
		next = 0;
		return rest;
	};
	return {
		add(entry: Entry) {
			entries.push(entry);
		},
		take(): Entry | undefined {
			const entry = entries[next++];
			if (next >= entries.length) takeAll();
			return entry;
		},
		takeAll,
	};
}

type Headers = Readonly<Record<string, unknown>>;

/**
 * Milliseconds until `X-RateLimit-Reset`, a minute at most. Small values are seconds from now, large ones an epoch time in
 * seconds, milliseconds, microseconds or nanoseconds: their ranges don't overlap.
 */
export function parseRateLimitReset(headers: Headers): number | undefined {
	const reset = asCount(headers['x-ratelimit-reset']);
	if (reset === undefined) return undefined;
	let seconds = reset;
	while (seconds > 1e11) seconds /= 1000;
	const ms = seconds * 1000 - (reset > 1e9 ? nowOf(headers) : 0);
	return Math.min(Math.max(0, ms), MAX_RESET_WAIT_MS);
}

/** Milliseconds that an answer asks to wait: `Retry-After` as seconds or date, else the body's `retry_after` in seconds. */
export function parseRetryAfter(headers: Headers, body: unknown): number | undefined {
	const told = [headers['retry-after'], isObject(body) ? body.retry_after : undefined];
	return told.map((one) => waitIn(one, headers)).find((ms) => ms !== undefined);
}

function waitIn(told: unknown, headers: Headers): number | undefined {
	const text = asText(told);
	if (text === undefined) return undefined;
	const seconds = Number(text);
	const ms = Number.isNaN(seconds) ? Date.parse(text) - nowOf(headers) : seconds * 1000;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The time by the clock of the service, which may differ from this machine's; milliseconds since 1970. */
const nowOf = ({ date }: Headers): number => Date.parse(String(date)) || Date.now();
