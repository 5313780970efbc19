import { UserError } from 'n8n-workflow';
import { asCount, asText } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';
import { formatNumber } from '../core/text';
import type { ServiceRequest } from './httpRequest';
import { creditResultIn } from './responseBody';

/** What the account has used of its limit for the month. */
export interface AccountUsage {
	readonly used: number;
	readonly limit: number;
}

interface Checked {
	readonly at: number;
	readonly used: Promise<Outcome<number>>;
}

/** By account. Shared by all runs in the process, for a minute. */
const CHECKS = new Map<string, Checked>();

const MAX_AGE_MS = 60_000;

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

/** @param request asks the service what the account has used this month */
export function createAccountLimit(
	limit: number,
	account: readonly string[],
	request: () => Promise<Outcome<number>>,
): {
	/** Undefined if the account may pay. */
	readonly check: () => Promise<Failure | undefined>;
	/** Undefined before the first check. */
	readonly usage: () => AccountUsage | undefined;
} {
	const key = JSON.stringify(account);
	let usage: AccountUsage | undefined;
	return {
		async check() {
			let checked = CHECKS.get(key);
			if (checked === undefined || performance.now() - checked.at > MAX_AGE_MS) {
				checked = { at: performance.now(), used: request() };
				CHECKS.set(key, checked);
			}
			const { value: used, failure } = await checked.used;
			if (failure !== undefined) {
				if (CHECKS.get(key) === checked) CHECKS.delete(key);
				return {
					...failure,
					isAboutAllRows: true,
					message: `Not requested, because the credential has Max Credits per Month and what the account has used is unknown: ${failure.message}`,
				};
			}
			usage = { used, limit };
			if (used < limit) return undefined;
			return {
				kind: 'outOfCredits',
				isAboutAllRows: true,
				message: `${formatNumber(used)} of ${formatNumber(limit)} credits of this month are used (Max Credits per Month in the credential), so nothing more is requested. Raise the limit, or wait for the next month.`,
			};
		},
		usage: () => usage,
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
	return { method: 'POST', path: '/v1/credits/aggregation', body, safeToRetry: true, isFree: true };
}

/** See contract: Credit aggregation result. */
export function creditsIn(response: unknown): Outcome<number> {
	const used = asCount(creditResultIn(response).total_credits);
	return used === undefined
		? { failure: { kind: 'unreadable', message: "The service's response has no total." } }
		: { value: used };
}
