import { type IExecuteFunctions, UserError } from 'n8n-workflow';
import { loadCredential } from '../api/client';
import { authHeaders, parseBaseUrl } from '../api/credential';
import { toFailure, toOutcome, toOutcomeAsync } from '../api/errors';
import { parsedJson } from '../core/json';
import { withFullStop } from '../core/text';
import { DAY_MS } from '../parameters/dates';
import { cancelSignalOf } from '../api/httpRequest';
import type { SharedOptions } from '../parameters/options';
import { integerParameter, stringParameter } from '../parameters/parameter';
import { createValuesReader } from '../parameters/read';
import { type MadeTable, openTable } from './table';

export const memoryParameters = [
	stringParameter({
		displayName: 'Remember In',
		name: 'rememberIn',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. Remembered data',
		description:
			'Data table that keeps what was paid for; runs use it for free until it is older than Max Age',
	}),
	integerParameter({
		displayName: 'Max Age (Days)',
		name: 'maxAge',
		type: 'number',
		noDataExpression: true,
		default: 30,
		typeOptions: { minValue: 1, maxValue: 3650 },
		displayOptions: { hide: { rememberIn: [''] } },
		description: 'What is older is paid for again',
	}),
] as const;

/** What the service answered in earlier runs. */
export interface Memory {
	/** What has been looked for in this run, so that it isn't looked for again. */
	readonly queried: Set<object>;
	/** The keys of the answers that were found. */
	readonly recalled: Set<string>;
	/** Present if the table was missing. */
	readonly made?: MadeTable | undefined;
	/**
	 * Claims what this run will buy unless the table has it. False after waiting for a run that claimed some of it: all that is
	 * still open has to be claimed, and looked for, again.
	 */
	claim(keys: readonly string[]): Promise<boolean>;
	/** Gives up claims, by default all. */
	release(keys?: readonly string[]): void;
	/**
	 * Once a request may have been paid for, a table that can't be read counts as one without answers.
	 *
	 * @param keys what decides each answer; those without an answer are left out of the result
	 * @throws UserError before the first request, if the table can't be read
	 */
	recall(keys: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
	/**
	 * Waits until few enough answers are unwritten, so that a run that is killed pays for little twice. Each call must be followed by
	 * `store`.
	 */
	beforeRequest(): Promise<void>;
	/** Starts to write the answers of a request, if it has any. */
	store(answers: ReadonlyMap<string, unknown>): void;
	/** Resolves when all is written. */
	flush(): Promise<MemoryProblems>;
}

/** How many answers could not be written, and how many not be looked for, and the first reason. */
export interface MemoryProblems {
	readonly unwritten: number;
	readonly unread: number;
	readonly reason?: string | undefined;
}

/**
 * Undefined if Remember In is empty.
 *
 * @throws UserError if the data table can't be used, or the credential is invalid
 */
export async function openMemory(
	context: IExecuteFunctions,
	{ maxConcurrentRequests, maxWait }: Pick<SharedOptions, 'maxConcurrentRequests' | 'maxWait'>,
): Promise<Memory | undefined> {
	const saved = context.getNodeParameter('rememberIn', 0, '', { rawExpressions: true });
	if (typeof saved === 'string' && /^=|\{\{/.test(saved)) {
		throw new UserError(
			'Remember In is an expression. Enter a fixed name, such as Remembered data: with another name for each run, nothing would be remembered.',
		);
	}
	const { value, failure } = createValuesReader(context, memoryParameters).read(0);
	if (failure !== undefined) throw new UserError(failure.message);
	if (value.rememberIn === '') return undefined;
	const credential = await loadCredential(context);
	const { tenant = '' } = authHeaders(credential);
	// What one account or a practice service answered isn't for another.
	const prefix = `${parseBaseUrl(credential.baseUrl).replace(/^https?:\/\//, '')}${tenant && ` ${tenant}`}`;
	const table = await orUnusable(value.rememberIn, () =>
		openTable(context, value.rememberIn, value.maxAge * DAY_MS),
	);
	const keyOf = (key: string): string => `${prefix} ${key}`.replaceAll('\0', '');

	// One request's answers may be unwritten while the next one is under way.
	let freeSlots = 2 * maxConcurrentRequests;
	const waiting: Array<() => void> = [];
	let unwritten = 0;
	let unread = 0;
	let reason: string | undefined;
	let hasSent = false;
	const writes = new Set<Promise<void>>();
	const releaseSlot = () => {
		const next = waiting.shift();
		if (next === undefined) freeSlots++;
		else next();
	};
	const claims = createClaims(maxWait * 1000, cancelSignalOf(context));
	const claimOf = (key: string): string => `${table.id} ${keyOf(key)}`;
	return {
		queried: new Set(),
		recalled: new Set(),
		made: table.made,
		async claim(keys) {
			const own = keys.map(claimOf);
			table.readAgain();
			if (claims.take(own)) return true;
			await Promise.all(writes);
			await claims.wait(own);
			return false;
		},
		release: (keys) => claims.release(keys?.map(claimOf)),
		async recall(keys) {
			const read = () => table.read(keys.map(keyOf));
			const { value: remembered = new Map<string, string>(), failure } = hasSent
				? await toOutcomeAsync(read)
				: { value: await orUnusable(value.rememberIn, read) };
			if (failure !== undefined) {
				unread += keys.length;
				reason ??= failure.message;
			}
			return new Map(
				keys.flatMap((key) => {
					// Somebody may have changed the table.
					const data = parsedJson(remembered.get(keyOf(key)) ?? '');
					return data === undefined ? [] : [[key, data] as const];
				}),
			);
		},
		async beforeRequest() {
			hasSent = true;
			if (freeSlots > 0) freeSlots--;
			else await new Promise<void>((resolve) => waiting.push(resolve));
		},
		store(answers) {
			if (answers.size === 0) return releaseSlot();
			// Data that is nested too deeply is no JSON.
			const rows = [...answers].flatMap(([key, answer]) => {
				const { value: data } = toOutcome(() => JSON.stringify(answer));
				return data === undefined ? [] : { key: keyOf(key), data };
			});
			const write = table
				.write(rows)
				.catch((error: unknown) => {
					unwritten += rows.length;
					reason ??= toFailure(error).message;
				})
				.finally(() => {
					writes.delete(write);
					releaseSlot();
				});
			writes.add(write);
		},
		async flush() {
			await Promise.all(writes);
			return { unwritten, unread, reason };
		},
	};
}

async function orUnusable<Value>(table: string, use: () => Promise<Value>): Promise<Value> {
	const { value, failure } = await toOutcomeAsync(use);
	if (failure === undefined) return value;
	throw new UserError(
		`Nothing was requested, because n8n could not use the data table "${table}" (Remember In). ${withFullStop(failure.message)} To run without it, empty Remember In.`,
	);
}

/** What runs in this process are about to buy, and which run it is. */
const CLAIMED = new Map<string, object>();
const WAITING = new Set<() => void>();

export function createClaims(maxWaitMs: number, cancelSignal: AbortSignal | undefined) {
	const own = new Set<string>();
	let leftMs = maxWaitMs;

	const isTaken = (key: string) => CLAIMED.has(key) && CLAIMED.get(key) !== own;
	/** By default, all. */
	function release(keys: Iterable<string> = own): void {
		for (const key of keys) if (own.delete(key)) CLAIMED.delete(key);
		for (const wake of WAITING) wake();
		WAITING.clear();
	}
	return {
		/** False if another run has claimed one of the keys, unless this run has waited long enough: nothing is claimed then. */
		take(keys: readonly string[]): boolean {
			if (leftMs > 0 && !cancelSignal?.aborted && keys.some(isTaken)) return false;
			for (const key of keys) {
				if (isTaken(key)) continue;
				CLAIMED.set(key, own);
				own.add(key);
			}
			return true;
		},
		/**
		 * Resolves when no other run has claimed these keys, after Max Wait, or when the execution is cancelled. Gives up this run's
		 * own claims first: because no run waits while it has any, two can't wait for each other.
		 */
		async wait(keys: readonly string[]): Promise<void> {
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
