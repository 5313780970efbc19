/**
 * A local stand-in for the service. It serves every endpoint over HTTP, validates requests against the contract, and has
 * made-up data, an API key, a rate limit, a request log, and faults to switch on. See README.md in this folder.
 */
import { sleep } from 'n8n-workflow';
import { createFaultRules, type FaultRule } from './faults/rules';
import type { InsteadFault } from './faults/kinds';
import { createLog, type LogEntry } from './log';
import { createRateLimit } from './rate-limit';
import { createServer } from './server';
import { createWorld } from './world/world';

export interface SandboxOptions {
	/** Port on 127.0.0.1; 0 (default) takes any free one. */
	port?: number;
	/** The only right key; default `SANDBOX_KEY`. */
	apiKey?: string;
	/** When set, every request must name this tenant. */
	tenant?: string;
	/** Requests per minute (default 200); `null` for none. */
	rateLimit?: number | null;
	/** How many people (default 1,000) and companies (default 100) there are. */
	people?: number;
	companies?: number;
	/** Events per day over all people, and as many over all companies; default 50; 0 for none but planted ones. */
	eventsPerDay?: number;
	/** The clock for the data, the events and the rate limit; default the real one. */
	now?: () => Date;
}

export const SANDBOX_KEY = 'sandbox-example-key-7f3a91c4';

/** Starts a sandbox. Close it when done. */
export async function startSandbox(options: SandboxOptions = {}) {
	const { apiKey = SANDBOX_KEY, now = () => new Date(), rateLimit: limit = 200 } = options;
	const world = createWorld({
		people: options.people ?? 1_000,
		companies: options.companies ?? 100,
		eventsPerDay: options.eventsPerDay ?? 50,
		now,
	});
	const entries: LogEntry[] = [];
	const log = createLog(entries);
	const faults = createFaultRules();
	const rateLimit = createRateLimit(limit, 60_000, now);
	const waits = new Set<AbortController>();
	const app = createServer({
		...options,
		apiKey,
		world,
		entries,
		rateLimit,
		faults,
		now,
		async pause(ms) {
			const wait = new AbortController();
			waits.add(wait);
			await sleep(ms, wait.signal).finally(() => waits.delete(wait));
		},
	});
	return {
		/** Base address, without a slash at its end. */
		url: await app.listen({ port: options.port ?? 0, host: '127.0.0.1' }),
		apiKey,
		log,
		world,
		/** Adds a fault. */
		fault: (rule: FaultRule) => faults.add(rule),
		/** From now on, every request that asks for one of these ids gets a 422 that names them, or `how` says otherwise. */
		refuseIds(
			ids: string | readonly string[],
			how: Omit<Extract<InsteadFault, { kind: 'invalid' }>, 'kind' | 'ids'> = {},
		) {
			const list = [ids].flat();
			return faults.add({
				when: { asksFor: list },
				times: 'always',
				do: { kind: 'invalid', ids: list, ...how },
			});
		},
		/** Forgets the log, the faults and the requests of the rate window. */
		clear() {
			log.clear();
			faults.clear();
			rateLimit.clear();
		},
		async close() {
			for (const wait of waits) wait.abort(new Error('The sandbox is closing'));
			await app.close();
		},
	};
}
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
