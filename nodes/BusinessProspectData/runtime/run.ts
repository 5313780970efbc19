import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { type Client, createClient } from '../api/client';
import type { Failure, Outcome } from '../api/outcome';
import { attempt, attemptAsync, failureOf } from './attempt';
import { inBatches } from './batches';
import type { BatchSpec } from './operation';
import type { SharedOptions } from './options';
import { dataItem, errorItem, stoppingError } from './output';
import type { Parameter, ValuesOf } from './parameters';
import { report } from './report';
import { valuesReader } from './values';

/**
 * Runs an operation over all input items: reads and checks them, asks in batches, and puts out linked rows in input
 * order. With On Error set to stop, throws the first failure with its item; otherwise every failure is an error item
 * and nothing is thrown.
 */
export async function run<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Ask,
	Answer,
>(
	context: IExecuteFunctions,
	spec: BatchSpec<Parameters, Options, Ask, Answer>,
): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	const stops = !context.continueOnFail();
	const stopAt = (failure: Failure, item: number, answered: number) => {
		if (stops) throw stoppingError(context.getNode(), failure, item, answered);
	};

	const prepared = prepare(context, spec, items.length);
	const refused = prepared.findIndex(({ failure }) => failure !== undefined);
	const refusal = prepared[refused]?.failure;
	if (refusal !== undefined) stopAt(refusal, refused, 0);

	const asks = prepared.flatMap(({ value }) => value?.asks ?? []);
	const options = prepared.find(({ value }) => value !== undefined)?.value?.options;
	const connected =
		asks.length > 0 && options !== undefined
			? await attemptAsync(async () => await createClient(context, options))
			: undefined;
	const client = connected?.value;
	const { outcomes, repeated } = await askAll(
		client,
		connected?.failure,
		asks,
		spec,
		options,
		stops,
	);

	const put: INodeExecutionData[] = [];
	const tally = { rows: 0, repeated: 0, empty: 0, blank: 0, failed: 0, dropped: 0 };
	const failures: Array<{ failure: Failure; item: number }> = [];
	let position = 0;
	prepared.forEach(({ value, failure }, item) => {
		const fail = (why: Failure, received?: INodeExecutionData['json']) => {
			failures.push({ failure: why, item });
			put.push(errorItem(why, item, received));
		};
		if (failure !== undefined) return fail(failure);

		const twice = new Set<string>();
		const answered = value.asks.map((ask) => {
			if (repeated[position]) twice.add(spec.key(ask));
			return { ask, outcome: outcomes[position++] as Outcome<Answer> };
		});
		tally.repeated += twice.size;
		if (answered.length === 0) tally.blank++;

		const rows = attempt(() => spec.rows(answered, value.values, value.options));
		if (rows.failure !== undefined) return fail(rows.failure);
		for (const row of rows.value) {
			if (row.failure !== undefined) {
				fail(row.failure, row.received);
				continue;
			}
			if (answered.length > 0) tally.rows++;
			if (row.empty && answered.length > 0) tally.empty++;
			if (row.empty && value.options.dropItemsWithoutData) tally.dropped++;
			else put.push(dataItem(row.json, items[item]?.json ?? {}, item, value.options));
		}
	});

	const answered = client?.answered() ?? 0;
	const first = failures.find(({ failure }) => failure.kind !== 'stopped') ?? failures[0];
	if (first !== undefined) stopAt(first.failure, first.item, answered);

	hint(context, [
		report({ ...tally, requests: answered, failed: failures.length }, spec.wording),
		...(spec.hints?.(asks.map((ask, at) => ({ ask, outcome: outcomes[at] as Outcome<Answer> }))) ??
			[]),
	]);
	return put;
}

interface Prepared<Values, Options, Ask> {
	readonly values: Values;
	readonly options: Options;
	readonly asks: readonly Ask[];
}

function prepare<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Ask,
	Answer,
>(
	context: IExecuteFunctions,
	spec: BatchSpec<Parameters, Options, Ask, Answer>,
	items: number,
): Array<Outcome<Prepared<ValuesOf<Parameters>, Options, Ask>>> {
	const readValues = valuesReader(context, spec.parameters);
	const readOptions = valuesReader(context, [spec.options]);
	return Array.from({ length: items }, (_, item) =>
		attempt(() => {
			const values = readValues(item);
			const { options } = readOptions(item);
			return { values, options, asks: spec.asks(values, options) };
		}),
	);
}

async function askAll<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Ask,
	Answer,
>(
	client: Client | undefined,
	failure: Failure | undefined,
	asks: readonly Ask[],
	spec: BatchSpec<Parameters, Options, Ask, Answer>,
	options: SharedOptions | undefined,
	stops: boolean,
) {
	if (client === undefined) {
		const outcome = { failure: failure ?? failureOf(new Error('There is no credential.')) };
		return { outcomes: asks.map((): Outcome<Answer> => outcome), repeated: asks.map(() => false) };
	}
	const batchSize = options?.batchSize ?? Infinity;
	const stopping: Client = {
		...client,
		send: async (request) => stopOn(await client.send(request)),
	};
	const stopOn = <Sent extends { readonly failure?: Failure }>(sent: Sent): Sent => {
		if (stops && sent.failure !== undefined) client.stop();
		return sent;
	};
	try {
		return await inBatches(
			asks,
			{
				...spec,
				limit: (ask) => Math.min(spec.limit(ask), batchSize),
				send: async (batch) => {
					const sent = await spec.send(stopping, batch);
					sent.value?.forEach(stopOn);
					return sent;
				},
			},
			!stops,
		);
	} finally {
		client.stop();
	}
}

function hint(context: IExecuteFunctions, messages: readonly string[]): void {
	if (context.getNode().retryOnFail) {
		context.addExecutionHints({
			message:
				'Retry On Fail is on in the settings of this node: when it fails, n8n runs the whole node again, and pays for all rows again. Turn it off; the node itself repeats the requests for which that helps.',
			type: 'warning',
			location: 'outputPane',
		});
	}
	for (const message of messages) context.addExecutionHints({ message, location: 'outputPane' });
}
