import { askedFor, ENDPOINTS, type EndpointName } from './contract/contract';

/** One request as the sandbox saw it. The key's value is nowhere in it. */
export interface LogEntry {
	/** Counts from 1. */
	readonly number: number;
	/** By the sandbox's clock. */
	readonly time: Date;
	/** `null` when the request is for no endpoint of the contract. */
	readonly endpoint: EndpointName | null;
	readonly method: string;
	/** Without the query and without the path prefix. */
	readonly path: string;
	readonly query: Readonly<Record<string, unknown>>;
	/** Header names in lower case; without `api_key`. */
	readonly headers: Readonly<Record<string, unknown>>;
	readonly key: 'right' | 'wrong' | 'missing';
	readonly correlationId: string;
	/** Requests under way when this one arrived, itself counted. */
	readonly pending: number;
	/** The parsed body; `undefined` when none was read. */
	body: unknown;
	/** What the request asked for: ids, or match items as JSON text. */
	ids: string[];
	/** `null` while there is no answer, and when the connection was dropped. */
	status: number | null;
	/** Kinds of the faults applied to it. */
	faults: string[];
	/** True when the service did the work that was asked for (and would have charged it). */
	worked: boolean;
	/** What is wrong with the sandbox itself: an answer against the contract, an exception. */
	defect?: string;
}

/** Endpoint name, or a path with or without the part before it. */
export type Which = EndpointName | (string & {});

interface IdCount {
	readonly requests: number;
	/** All ids asked for, repeats counted. */
	readonly ids: number;
	readonly unique: number;
	/** Ids asked for more than once. */
	readonly repeated: string[];
}

export interface RequestLog {
	/** All requests in the order of their arrival. */
	readonly entries: readonly LogEntry[];
	/** Those to one endpoint; all of the contract without `which`. */
	requestsTo(which?: Which): LogEntry[];
	/** The ids that they asked for, in order; with `worked` only where the work was done. */
	idsAskedFor(which?: Which, only?: { worked: boolean }): string[];
	count(which?: Which, only?: { worked: boolean }): IdCount;
	/** The largest number of requests that were under way at once. */
	maxConcurrency(): number;
	/** The sandbox's own failures; a test may expect none. */
	defects(): string[];
	clear(): void;
}

/** True when the entry is a request to that endpoint or path. */
export function isRequestTo(entry: LogEntry, which: Which): boolean {
	return entry.endpoint === which || entry.path === which || entry.path === `/v1/${which}`;
}

/** Fills in `body` and `ids` once the body has been read. */
export function noteBody(entry: LogEntry, body: unknown): void {
	entry.body = body ?? undefined;
	const endpoint = ENDPOINTS.find(({ name }) => name === entry.endpoint);
	entry.ids = endpoint ? askedFor(endpoint, body) : [];
}

/** A log that `entries` may still be appended to. */
export function createLog(entries: LogEntry[]): RequestLog {
	const log: RequestLog = {
		entries,
		requestsTo: (which) =>
			entries.filter((entry) =>
				which === undefined ? entry.endpoint !== null : isRequestTo(entry, which),
			),
		idsAskedFor: (which, only) =>
			log
				.requestsTo(which)
				.filter((entry) => !only || entry.worked === only.worked)
				.flatMap(({ ids }) => ids),
		count(which, only) {
			const requests = log
				.requestsTo(which)
				.filter((entry) => !only || entry.worked === only.worked);
			const seen = new Map<string, number>();
			for (const id of requests.flatMap(({ ids }) => ids)) seen.set(id, (seen.get(id) ?? 0) + 1);
			return {
				requests: requests.length,
				ids: [...seen.values()].reduce((sum, times) => sum + times, 0),
				unique: seen.size,
				repeated: [...seen].filter(([, times]) => times > 1).map(([id]) => id),
			};
		},
		maxConcurrency: () => entries.reduce((most, { pending }) => Math.max(most, pending), 0),
		defects: () => entries.flatMap(({ defect }) => defect ?? []),
		clear() {
			entries.length = 0;
		},
	};
	return log;
}
