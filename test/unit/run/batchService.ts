/** A made-up service for batches, which records its requests. */
import { sleep } from 'n8n-workflow';
import type {
	Failure,
	Outcome,
	ValidationIssue,
} from '../../../nodes/BusinessProspectData/core/outcome';
import { parseValidationIssues } from '../../../nodes/BusinessProspectData/api/responseBody';
import { type BatchConfig, executeBatches } from '../../../nodes/BusinessProspectData/run/batches';
import { newEntry } from '../../../nodes/BusinessProspectData/run/inputs';
import { stubClient } from '../api/service';

export interface Value {
	readonly id: string;
	readonly group?: string;
}

type Response = Outcome<ReadonlyArray<Outcome<string>>>;
type Service = (ids: string[], requestNumber: number) => Response | Promise<Response>;

/** Values `v0`, `v1`, ... */
export const values = (count: number): Value[] =>
	Array.from({ length: count }, (_, index) => ({ id: `v${index}` }));

/** The response with data for each value, in order. */
export const respond = (ids: readonly string[]): Response => ({
	value: ids.map((id) => ({ value: `data of ${id}` })),
});

/** A validation error as the client reads it. */
export const invalid = (message: string, ...issues: ValidationIssue[]): { failure: Failure } => ({
	failure: { kind: 'invalid', message, status: 422, correlationId: 'c-422', issues },
});

/** An issue at a location in the request body. */
export function bodyIssue(...location: string[]): ValidationIssue {
	const detail = [{ loc: ['body', ...location], msg: 'Not known.' }];
	const [issue] = parseValidationIssues({ detail }, 422, (text) => text) ?? [];
	if (issue === undefined) throw new Error('No issue');
	return issue;
}

/** Any other failure of a request. */
export const failed = (kind: Failure['kind'], status: number, message: string) => ({
	failure: { kind, status, message },
});

interface ExecuteOptions {
	readonly maxBatchSize?: number;
	readonly stopOnFailure?: boolean;
	/** Whether each request waits for the response to the one before. */
	readonly isSequential?: boolean;
}

/** Executes the values in batches. */
export async function execute(
	inputs: readonly Value[],
	service: Service,
	{ maxBatchSize = 50, stopOnFailure = false, isSequential = false }: ExecuteOptions = {},
) {
	const requests: string[][] = [];
	let last: Promise<unknown> = Promise.resolve();
	const config: BatchConfig<Value, string> = {
		maxBatchSize: () => maxBatchSize,
		groupKey: ({ group = '' }) => group,
		key: ({ id }) => id,
		inputMember: () => 'ids',
		parameterName: 'prospectIds',
		send: async (_client, batch, skipIf) => {
			const before = last;
			const done = (async () => {
				await before;
				const failure = skipIf();
				if (failure !== undefined) return { failure };
				const ids = batch.map(({ id }) => id);
				requests.push(ids);
				const response = await service(ids, requests.length);
				if (response.value === undefined) return response;
				const outcomes = new Map(ids.map((id, index) => [id, response.value[index]]));
				return { value: { outcomeOf: ({ id }: Value) => outcomes.get(id) } };
			})();
			if (isSequential) last = done.then(async () => await sleep(0));
			return await done;
		},
	};
	let isStopped = false;
	const client = stubClient({
		stopOnFailure,
		recordFailure: () => {
			isStopped ||= stopOnFailure;
		},
	});
	const results = inputs.map((input) => newEntry<Value, string>(input));
	await executeBatches(client, results, config);
	expect(results.every(({ settled }) => settled)).toBe(true);
	return {
		failures: results.map(({ outcome }) => outcome.failure),
		isStopped,
		duplicates: results.map(({ duplicate }) => duplicate),
		/** The result of each value, or `! ` and the error message. */
		results: results.map(({ outcome: { value, failure } }) => value ?? `! ${failure?.message}`),
		requests,
		batchSizes: requests.map(({ length }) => length),
	};
}

/** The results of so many values, successful except for these. */
export const resultsExcept = (count: number, failures: Record<string, string> = {}): string[] =>
	values(count).map(({ id }) => failures[id] ?? `data of ${id}`);
