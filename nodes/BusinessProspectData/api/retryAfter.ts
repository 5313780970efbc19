import { asCount, asText, isObject } from '../core/json';

type Headers = Readonly<Record<string, unknown>>;

/** Upper bound on a wait taken from `X-RateLimit-Reset`, in milliseconds. A `Retry-After` may be longer. */
export const MAX_RESET_WAIT_MS = 60_000;

const MIN_BACK_OFF_MS = 1_000;
const MAX_BACK_OFF_MS = 60_000;

/**
 * Milliseconds before the next attempt: the wait that the service requested, or a back-off if it requested none. From the
 * second attempt on, a requested wait that is shorter than the back-off is extended to it.
 *
 * @param attempt number of attempts so far
 */
export function retryDelay(attempt: number, requestedMs = 0): number {
	if (requestedMs === 0) return backOff(attempt);
	return attempt === 1 ? requestedMs : Math.max(requestedMs, backOff(attempt - 1));
}

/** Exponential, with jitter, so that requests that failed together aren't retried together. */
const backOff = (attempt: number): number =>
	Math.min(MAX_BACK_OFF_MS, MIN_BACK_OFF_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);

/**
 * Milliseconds until `X-RateLimit-Reset`, at most one minute; undefined without a valid header. Small values are seconds from
 * now. Large values are epoch times; their size shows whether they are in seconds, milliseconds, microseconds or nanoseconds.
 */
export function parseRateLimitReset(headers: Headers): number | undefined {
	const reset = asCount(headers['x-ratelimit-reset']);
	if (reset === undefined) return undefined;
	let seconds = reset;
	while (seconds > 1e11) seconds /= 1000;
	const ms = seconds * 1000 - (reset > 1e9 ? serviceTime(headers) : 0);
	return Math.min(Math.max(0, ms), MAX_RESET_WAIT_MS);
}

/** Milliseconds from `Retry-After`, else from the body's `retry_after` (seconds or a date); undefined without either. */
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

/** The service's time, or this machine's if the service sends none, in milliseconds since 1970. Their clocks may differ. */
const serviceTime = ({ date }: Headers): number => Date.parse(String(date)) || Date.now();
