/** A made-up service for batches: what it was asked, and how it refuses. */
import { sleep } from 'n8n-workflow';
import type {
	Failure,
	Outcome,
	ValidationIssue,
} from '../../../nodes/BusinessProspectData/core/outcome';
import { parseValidationIssues } from '../../../nodes/BusinessProspectData/api/errorMessage';
import {
	type BatchFunctions,
	executeBatches,
} from '../../../nodes/BusinessProspectData/runtime/batches';

/** One value that is asked for, with what decides whom it shares a request with. */
export interface Ask {
	readonly id: string;
	readonly group?: string;
	readonly limit?: number;
}

type Sent = Outcome<ReadonlyArray<Outcome<string>>>;
type Service = (ids: string[], nth: number) => Sent | Promise<Sent>;

/** Values `v0`, `v1`, ... */
export const values = (count: number): Ask[] =>
	Array.from({ length: count }, (_, at) => ({ id: `v${at}` }));

/** The answer with data for each value, in their order. */
export const answer = (ids: readonly string[]): Sent => ({
	value: ids.map((id) => ({ value: `answer ${id}` })),
});

/** A validation error as the client reads it (HTTP 422, `detail[].loc`). */
export const invalid = (message: string, ...problems: ValidationIssue[]): { failure: Failure } => ({
	failure: {
		kind: 'invalid',
		message,
		status: 422,
		correlationId: 'c-422',
		issues: problems,
	},
});

/** A problem that the service says is there. */
export function problemAt(loc: string[], msg = 'Not known.'): ValidationIssue {
	const [problem] = parseValidationIssues({ detail: [{ loc, msg }] }, 422, (text) => text) ?? [];
	if (problem === undefined) throw new Error('Nothing was read');
	return problem;
}

/** A problem at a place in the request body. */
export const at = (...location: string[]): ValidationIssue => problemAt(['body', ...location]);

/** Any other failure of a request. */
export const failed = (kind: Failure['kind'], status: number, message: string) => ({
	failure: { kind, status, message },
});

interface Asking {
	/** The most values in one request; an ask may have its own. */
	readonly limit?: number;
	readonly narrows?: boolean;
	/** One request waits until the one before it is settled. */
	readonly oneAtATime?: boolean;
}

/**
 * Asks the service for values of the list `ids`, and keeps what it was asked. A request that is called off when its turn
 * comes is not among them.
 */
export async function ask(
	asks: readonly Ask[],
	service: Service,
	{ limit = 50, narrows = true, oneAtATime = false }: Asking = {},
) {
	const asked: string[][] = [];
	let turn: Promise<unknown> = Promise.resolve();
	const batching: BatchFunctions<Ask, string> = {
		limit: ({ limit: own }) => own ?? limit,
		group: ({ group = '' }) => group,
		key: ({ id }) => id,
		list: () => 'ids',
		field: 'prospectIds',
		send: async (some, refusal) => {
			const before = turn;
			const done = (async () => {
				await before;
				const failure = refusal();
				if (failure !== undefined) return { failure };
				const ids = some.map(({ id }) => id);
				asked.push(ids);
				return await service(ids, asked.length);
			})();
			if (oneAtATime) turn = done.then(async () => await sleep(0));
			return await done;
		},
	};
	const answered = await executeBatches(asks, batching, narrows);
	expect(answered.map((one) => one.ask)).toEqual(asks);
	const outcomes = answered.map(({ outcome }) => outcome);
	return {
		outcomes,
		repeated: answered.map(({ repeated }) => repeated),
		/** What a user sees of each value: its answer, or the error's text. */
		seen: outcomes.map(({ value, failure }) => value ?? `! ${failure?.message}`),
		asked,
	};
}
