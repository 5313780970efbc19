import { UserError } from 'n8n-workflow';
import { getOrCreate } from '../core/collections';
import { asCount, asObjects, asText, isEmpty } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';
import { formatNumber } from '../core/text';
import type { ServiceRequest } from './httpRequest';
import { creditResultIn, isCreditResult } from './responseBody';
import { NOT_SENT } from './responseRules';

/** What the account has used of its limit for the month. */
export interface AccountUsage {
	readonly used: number;
	readonly limit: number;
}

interface AccountState {
	figure?: Outcome<number>;
	/** On the clock of `performance.now()`. */
	requestedAt: number;
	pending?: Promise<void> | undefined;
	/** Credits of what was sent since, and of what was in flight then: the figure may lack them. */
	uncounted: number;
	inFlight: number;
}

/** By account. Shared by all runs in the process. */
const ACCOUNTS = new Map<string, AccountState>();

const MAX_AGE_MS = 60_000;
const MIN_AGE_MS = 5_000;

/**
 * Takes digits, also with the commas that messages have: `20,000`.
 *
 * @throws UserError if the field isn't empty and isn't a whole number above 0
 */
export function readMaxCredits(value: unknown): number | undefined {
	const text = asText(value)?.trim();
	if (text === undefined) return undefined;
	const credits = /^(\d+|\d{1,3}(,\d{3})+)$/.test(text) ? Number(text.replaceAll(',', '')) : 0;
	if (credits > 0) return credits;
	throw new UserError(
		'Max Credits per Month is not a whole number above 0. Enter one such as 20000, or empty it for no limit.',
	);
}

export type AccountLimit = ReturnType<typeof createAccountLimit>;

/**
 * A figure is good for half of what it leaves, because another process may buy the other half meanwhile.
 *
 * @param request asks the service what the account has used this month
 * @param wait returns false if nothing more may be sent
 */
export function createAccountLimit(
	limit: number,
	account: readonly string[],
	request: () => Promise<Outcome<number>>,
	wait: (ms: number) => Promise<boolean>,
) {
	const key = JSON.stringify(account);
	const state = getOrCreate(
		ACCOUNTS,
		key,
		(): AccountState => ({ requestedAt: -Infinity, uncounted: 0, inFlight: 0 }),
	);
	const ageMs = () => performance.now() - state.requestedAt;
	let usage: AccountUsage | undefined;

	async function refresh(): Promise<void> {
		const { uncounted, inFlight } = state;
		state.requestedAt = performance.now();
		state.figure = await request();
		state.uncounted += inFlight - uncounted;
		state.pending = undefined;
	}

	return {
		/** Undefined if the request may be sent. Then call `done` when it has ended. */
		async check(credits: number): Promise<Failure | undefined> {
			for (;;) {
				const { figure, requestedAt } = state;
				if (figure === undefined || ageMs() > MAX_AGE_MS) {
					await (state.pending ??= refresh());
					continue;
				}
				if (figure.value === undefined) {
					return {
						...figure.failure,
						isAboutAllRows: true,
						message: `Not requested, because the credential has Max Credits per Month and what the account has used is unknown: ${figure.failure.message}`,
					};
				}
				const used = figure.value;
				usage = { used, limit };
				if (used >= limit) {
					return {
						kind: 'outOfCredits',
						isAboutAllRows: true,
						message: `${formatNumber(used)} of ${formatNumber(limit)} credits of this month are used (Max Credits per Month in the credential), so nothing more is requested. Raise the limit, or wait for the next month.`,
					};
				}
				if (state.uncounted === 0 || state.uncounted < (limit - used) / 2) {
					state.uncounted += credits;
					state.inFlight += credits;
					return undefined;
				}
				if (!(await wait(Math.max(0, MIN_AGE_MS - ageMs())))) return NOT_SENT;
				// Another request may have asked meanwhile.
				if (state.requestedAt === requestedAt) state.pending ??= refresh();
				await state.pending;
			}
		},
		/** @param isCharged false if the request surely cost nothing */
		done(credits: number, isCharged: boolean): void {
			state.inFlight -= credits;
			if (!isCharged) state.uncounted = Math.max(0, state.uncounted - credits);
		},
		/** Undefined before the first check. */
		usage: (): AccountUsage | undefined => usage,
	};
}

/** Asks for the credits of this month (contract: Credit aggregation). */
export function usageRequest(now: number): ServiceRequest {
	const month = `${new Date(now).toISOString().slice(0, 'YYYY-MM'.length)}-01T00:00:00.000Z`;
	// In the first moment of a month, too, the range must not be empty.
	const end = new Date(now + 1_000).toISOString();
	const body = {
		from_date: month,
		to_date: end,
		mode: 'timely',
		resolution: 'month',
		timezone: 'UTC',
	};
	return { method: 'POST', path: '/v1/credits/aggregation', body, safeToRetry: true, credits: 0 };
}

/** See contract: Credit aggregation result. A month in which nothing was used has no total, or is a miss. */
export function creditsIn(response: unknown): Outcome<number> {
	const { total_credits: total, aggregations } = creditResultIn(response);
	const points = asObjects(aggregations).map(({ credits }) => asCount(credits) ?? 0);
	const used = isEmpty(total) ? points.reduce((sum, credits) => sum + credits, 0) : asCount(total);
	return used === undefined || !isCreditResult(response)
		? { failure: { kind: 'unreadable', message: "The service's response has no total." } }
		: { value: used };
}
