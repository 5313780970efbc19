import type { IExecuteFunctions } from 'n8n-workflow';
import { createClient, skipWhen } from '../api/client';
import { toOutcomeAsync } from './toOutcome';
import { type BatchResult, executeBatches } from './batches';
import type { BatchSpec } from './operation';
import type { SharedOptions } from './options';
import type { Parameter } from './parameters';

/** What came of the asks, in their order, and how many requests were answered for them. */
export interface ExecutedInputs<Ask, Answer> {
	readonly answered: ReadonlyArray<BatchResult<Ask, Answer>>;
	readonly requests: number;
}

/**
 * Sends the asks of all items in batches. Never throws: without a usable credential every ask fails.
 *
 * @param options of the first item; how requests are sent is the same for the whole run
 * @param stops whether the first failure ends it
 */
export async function executeInputs<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Ask,
	Answer,
>(
	context: IExecuteFunctions,
	spec: BatchSpec<Parameters, Options, Ask, Answer>,
	asks: readonly Ask[],
	options: Options | undefined,
	stops: boolean,
): Promise<ExecutedInputs<Ask, Answer>> {
	if (asks.length === 0 || options === undefined) {
		return { answered: [], requests: 0 };
	}
	const { value: client, failure } = await toOutcomeAsync(
		async () => await createClient(context, { ...options, stopsAtFailure: stops }),
	);
	if (client === undefined) {
		return {
			answered: asks.map((ask) => ({ ask, outcome: { failure }, repeated: false })),
			requests: 0,
		};
	}

	const batchSize = options.batchSize ?? Infinity;
	const answered = await executeBatches(
		asks,
		{
			...spec,
			limit: (ask) => Math.min(spec.limit(ask), batchSize),
			send: async (batch, blockedBy) => {
				const { value: sent, failure: thrown } = await toOutcomeAsync(
					async () => await spec.send(skipWhen(client, blockedBy), batch),
				);
				if (thrown !== undefined) {
					if (stops) client.stop();
					return { failure: thrown };
				}
				if (stops && sent.value?.some(({ failure: own }) => own !== undefined)) client.stop();
				return sent;
			},
		},
		!stops,
	);
	client.stop();
	return { answered, requests: client.successCount() };
}
