import { asCount, asText, isObject } from '../core/json';

type Headers = Readonly<Record<string, unknown>>;

/** Upper bound on a wait taken from `X-RateLimit-Reset`, in milliseconds. A `Retry-After` may be longer. */
export const MAX_RESET_WAIT_MS = 60_000;

const MIN_BACK_OFF_MS = 1_000;
const MAX_BACK_OFF_MS = 60_000;

/** Milliseconds before the next attempt: the requested wait, or a longer one if that wasn't enough before. */
export function retryDelay(attempt: number, requestedMs = 0): number {
	if (requestedMs === 0) return backOff(attempt);
	return attempt === 1 ? requestedMs : Math.max(requestedMs, backOff(attempt - 1));
}

/** Exponential, with jitter, so that requests that failed together aren't retried together. */
const backOff = (attempt: number): number =>
	Math.min(MAX_BACK_OFF_MS, MIN_BACK_OFF_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);

/**
 * Milliseconds until `X-RateLimit-Reset`, at most one minute. Small values are seconds from now. Large ones are epoch times in
 * seconds, milliseconds, microseconds or nanoseconds, whose ranges don't overlap.
 */
export function parseRateLimitReset(headers: Headers): number | undefined {
	const reset = asCount(headers['x-ratelimit-reset']);
	if (reset === undefined) return undefined;
	let seconds = reset;
	while (seconds > 1e11) seconds /= 1000;
	const ms = seconds * 1000 - (reset > 1e9 ? serviceTime(headers) : 0);
	return Math.min(Math.max(0, ms), MAX_RESET_WAIT_MS);
}

/** Milliseconds from `Retry-After` (seconds or a date), else from the body's `retry_after` (seconds). */
export function parseRetryAfter(headers: Headers, body: unknown): number | undefined {
	const values = [headers['retry-after'], isObject(body) ? body.retry_after : undefined];
	return values.map((value) => parseWait(value, headers)).find((ms) => ms !== undefined);
}

function parseWait(value: unknown, headers: Headers): number | undefined {
	const text = asText(value);
	if (text === undefined) return undefined;
	const seconds = Number(text);
	const ms = Number.isNaN(seconds) ? Date.parse(text) - serviceTime(headers) : seconds * 1000;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The service's clock, which may differ from this machine's, in milliseconds since 1970. */
const serviceTime = ({ date }: Headers): number => Date.parse(String(date)) || Date.now();
