/** A made-up service for batches: the requests that it received, and how it refuses them. */
import { sleep } from 'n8n-workflow';
import type { Client } from '../../../nodes/BusinessProspectData/api/client';
import type {
	Failure,
	Outcome,
	ValidationIssue,
} from '../../../nodes/BusinessProspectData/core/outcome';
import { parseValidationIssues } from '../../../nodes/BusinessProspectData/api/responseBody';
import {
	type BatchConfig,
	executeBatches,
} from '../../../nodes/BusinessProspectData/runtime/batches';

/** A value, with what decides whom it shares a request with. */
export interface Value {
	readonly id: string;
	readonly group?: string;
	readonly maxBatchSize?: number;
}

type Sent = Outcome<ReadonlyArray<Outcome<string>>>;
type Service = (ids: string[], nth: number) => Sent | Promise<Sent>;

/** Values `v0`, `v1`, ... */
export const values = (count: number): Value[] =>
	Array.from({ length: count }, (_, at) => ({ id: `v${at}` }));

/** The response with data for each value, in order. */
export const respond = (ids: readonly string[]): Sent => ({
	value: ids.map((id) => ({ value: `data of ${id}` })),
});

/** A validation error as the client reads it (HTTP 422, `detail[].loc`). */
export const invalid = (message: string, ...issues: ValidationIssue[]): { failure: Failure } => ({
	failure: {
		kind: 'invalid',
		message,
		status: 422,
		correlationId: 'c-422',
		issues,
	},
});

/** An issue as the service reports it. */
export function issueAt(loc: string[], msg = 'Not known.'): ValidationIssue {
	const [issue] = parseValidationIssues({ detail: [{ loc, msg }] }, 422, (text) => text) ?? [];
	if (issue === undefined) throw new Error('Nothing was read');
	return issue;
}

/** An issue at a place in the request body. */
export const at = (...location: string[]): ValidationIssue => issueAt(['body', ...location]);

/** Any other failure of a request. */
export const failed = (kind: Failure['kind'], status: number, message: string) => ({
	failure: { kind, status, message },
});

interface ExecuteOptions {
	/** The most values in one request; a value may have its own. */
	readonly maxBatchSize?: number;
	readonly stopOnFailure?: boolean;
	/** One request waits until the one before it is settled. */
	readonly oneAtATime?: boolean;
}

/** Executes values of the list `ids`, and keeps the requests. A skipped request is not among them. */
export async function execute(
	inputs: readonly Value[],
	service: Service,
	{ maxBatchSize = 50, stopOnFailure = false, oneAtATime = false }: ExecuteOptions = {},
) {
	const requests: string[][] = [];
	let last: Promise<unknown> = Promise.resolve();
	const config: BatchConfig<Value, string> = {
		maxBatchSize: ({ maxBatchSize: own }) => own ?? maxBatchSize,
		groupKey: ({ group = '' }) => group,
		key: ({ id }) => id,
		inputField: () => 'ids',
		field: 'prospectIds',
		send: async (_client, batch, skipIf) => {
			const before = last;
			const done = (async () => {
				await before;
				const failure = skipIf();
				if (failure !== undefined) return { failure };
				const ids = batch.map(({ id }) => id);
				requests.push(ids);
				return await service(ids, requests.length);
			})();
			if (oneAtATime) last = done.then(async () => await sleep(0));
			return await done;
		},
	};
	const stop = jest.fn();
	const client: Client = {
		send: jest.fn(),
		stop,
		successCount: () => requests.length,
		redact: (text) => text,
	};
	const results = await executeBatches(client, inputs, config, { stopOnFailure });
	expect(results.map(({ input }) => input)).toEqual(inputs);
	const outcomes = results.map(({ outcome }) => outcome);
	return {
		outcomes,
		stopped: stop.mock.calls.length > 0,
		duplicates: results.map(({ duplicate }) => duplicate),
		/** What a user sees of each value: its result, or the error's text. */
		seen: outcomes.map(({ value, failure }) => value ?? `! ${failure?.message}`),
		requests,
	};
}
