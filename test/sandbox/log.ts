import type { EndpointName } from './contract/contract';

/** One request as the sandbox saw it. The key's value is nowhere in it. */
export interface LogEntry {
	/** By the sandbox's clock. */
	readonly time: Date;
	/** `null` when the request is for no endpoint of the contract. */
	readonly endpoint: EndpointName | null;
	readonly method: string;
	/** Without the query. */
	readonly path: string;
	readonly query: Readonly<Record<string, unknown>>;
	readonly key: 'right' | 'wrong' | 'missing';
	readonly tenant: unknown;
	readonly correlationId: string;
	/** The parsed body; `undefined` when none was read. */
	body: unknown;
	/** What the request asked for: ids, or match items as JSON text. */
	ids: string[];
	/** `null` while there is no answer, and when the connection was dropped. */
	status: number | null;
	/** Kinds of the faults applied to it. */
	faults: string[];
	/** What is wrong with the sandbox itself: an answer against the contract, an exception. */
	defect?: string;
}

/** An endpoint's name. */
export type Which = EndpointName | (string & {});

/** A log that `entries` may still be appended to. */
export function createLog(entries: LogEntry[]) {
	/** The requests to one endpoint; all of the contract without `which`. */
	const requestsTo = (which?: Which) =>
		entries.filter(({ endpoint }) =>
			which === undefined ? endpoint !== null : endpoint === which,
		);
	return {
		/** All requests in the order of their arrival. */
		entries: entries as readonly LogEntry[],
		requestsTo,
		/** The ids that they asked for, in order. */
		idsAskedFor: (which?: Which) => requestsTo(which).flatMap(({ ids }) => ids),
		/** `repeated` are the ids asked for more than once. */
		count(which?: Which) {
			const requests = requestsTo(which);
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
