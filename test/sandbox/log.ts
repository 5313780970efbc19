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
	/** Without the query. */
	readonly path: string;
	readonly query: Readonly<Record<string, unknown>>;
	/** Header names in lower case; without `api_key`. */
	readonly headers: Readonly<Record<string, unknown>>;
	readonly key: 'right' | 'wrong' | 'missing';
	readonly correlationId: string;
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

/** True when the entry is a request to that endpoint or path. */
export const isRequestTo = ({ endpoint, path }: LogEntry, which: Which): boolean =>
	[endpoint, path, path.replace('/v1/', '')].includes(which);

/** Fills in `body` and `ids` once the body has been read. */
export function noteBody(entry: LogEntry, body: unknown): void {
	entry.body = body ?? undefined;
	const endpoint = ENDPOINTS.find(({ name }) => name === entry.endpoint);
	entry.ids = endpoint ? askedFor(endpoint, body) : [];
}

/** A log that `entries` may still be appended to. */
export function createLog(entries: LogEntry[]) {
	/** The requests to one endpoint; all of the contract without `which`; with `worked` only where the work was done. */
	const requestsTo = (which?: Which, only?: { worked: boolean }) =>
		entries.filter(
			(entry) =>
				(which === undefined ? entry.endpoint !== null : isRequestTo(entry, which)) &&
				(only === undefined || entry.worked === only.worked),
		);
	return {
		/** All requests in the order of their arrival. */
		entries: entries as readonly LogEntry[],
		requestsTo,
		/** The ids that they asked for, in order. */
		idsAskedFor: (which?: Which) => requestsTo(which).flatMap(({ ids }) => ids),
		/** `repeated` are the ids asked for more than once. */
		count(which?: Which, only?: { worked: boolean }) {
			const requests = requestsTo(which, only);
			const ids = requests.flatMap((request) => request.ids);
			const repeated = new Set<string>();
			const seen = new Set<string>();
			for (const id of ids) (seen.has(id) ? repeated : seen).add(id);
			return {
				requests: requests.length,
				ids: ids.length,
				unique: seen.size,
				repeated: [...seen].filter((id) => repeated.has(id)),
			};
		},
		/** The sandbox's own failures; a test may expect none. */
		defects: () => entries.flatMap(({ defect }) => defect ?? []),
		clear() {
			entries.length = 0;
		},
	};
}
export type RequestLog = ReturnType<typeof createLog>;
