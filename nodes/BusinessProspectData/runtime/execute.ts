import { deepCopy, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { createClient } from '../api/client';
import { type Failure, type Outcome, rootCause } from '../core/outcome';
import { type BatchConfig, type BatchResult, executeBatches } from './batches';
import { workflowTimezone } from './dates';
import { estimateOutput } from './estimate';
import { missingFieldsWarning } from './fields';
import { identifyItems, prepareItem, type PreparedItem, withMatch } from './identify';
import { isToolNode, stopsOnFailure } from './nodeSettings';
import type { SharedOptions } from './options';
import { errorItem, type ItemRow, messageItem, outputItems } from './output';
import { guardRun, runGrouping, withExcluded } from './paidRecords';
import type { Parameter, ValuesOf } from './parameters';
import { createValuesReader } from './parameterValues';
import { addHints, countDuplicates, reportMessage, rowStats } from './report';
import type { BatchSpec, RunContext, SelectedRows } from './spec';
import { stoppedByLimit } from './spending';
import { stoppingError } from './stoppingError';
import { toOutcome, toOutcomeAsync } from './toOutcome';

/**
 * Runs an operation over all input items: reads and checks them, executes their inputs in batches, and returns linked
 * rows in input order. If On Error is set to stop, throws the root cause with its item, before any request if an item is
 * invalid; otherwise every failure is an error item and nothing is thrown. AI agents see no hints, so a run without rows
 * returns one item with the hints' text.
 */
export async function execute<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input,
	Result,
	Details,
	Found,
>(
	context: IExecuteFunctions,
	spec: BatchSpec<Parameters, Options, Input, Result, Details, Found>,
): Promise<INodeExecutionData[]> {
	type Values = ValuesOf<Parameters>;
	type Prepared = PreparedItem<Values, Options, Input, Details>;
	type Results = ReadonlyArray<BatchResult<Input, Result>>;
	type Rows = ReadonlyArray<ItemRow<Options>>;

	const items = context.getInputData();
	const stopOnFailure = stopsOnFailure(context);
	const isTool = isToolNode(context);
	const run: RunContext = { now: Date.now(), timezone: workflowTimezone(context), isTool };
	const readValues = createValuesReader(context, spec.parameters);
	const readOptions = createValuesReader(context, [spec.options]);

	function throwIfStopping(failure: Failure, item: number, successfulRequests: number): void {
		if (!stopOnFailure) return;
		const stopped = { itemIndex: item, itemCount: items.length, successfulRequests };
		throw stoppingError(context.getNode(), failure, stopped);
	}

	const { identify } = spec;

	function prepare(item: number): Outcome<Prepared> {
		const { value: values, failure } = readValues(item);
		if (failure !== undefined) return { failure };
		const { value: read, failure: optionsFailure } = readOptions(item);
		if (optionsFailure !== undefined) return { failure: optionsFailure };
		const { options } = read;
		return toOutcome(() => prepareItem(spec, values, options, run));
	}

	function itemRows({ values, options, match }: Prepared, results: Results, item: number): Rows {
		if (identify !== undefined && match?.id === null) {
			const json = identify.unmatchedRow(values, match);
			const row = withMatch({ json, empty: true }, identify, null);
			return [{ row, item, options, unmatched: true }];
		}
		const { value: rows, failure } = toOutcome(() => spec.rows(results, values));
		if (rows === undefined) return [{ row: { failure }, item }];
		const isShared = results.some(({ duplicate }) => duplicate);
		const withoutId = results.length === 0;
		return (isShared ? deepCopy(rows) : rows).map((own) => {
			const row = identify && match?.id ? withMatch(own, identify, match.id) : own;
			return { row, item, options, withoutId };
		});
	}

	async function selectRows(
		rows: Rows,
		successfulRequests: number,
	): Promise<SelectedRows<Options>> {
		const { value, failure } = await toOutcomeAsync(
			async () => (await spec.select?.(context, rows)) ?? { rows },
		);
		if (value !== undefined) return value;
		throwIfStopping(failure, 0, successfulRequests);
		const hint = `n8n could not tell which rows are new: ${failure.message} The output has all of them.`;
		return { rows, hint };
	}

	const prepared = items.map((_, item) => prepare(item));
	for (const [item, { failure }] of prepared.entries()) {
		if (failure !== undefined) throwIfStopping(failure, item, 0);
	}
	const valid = prepared.flatMap(({ value }) => (value === undefined ? [] : [value]));
	const allOptions = valid.map((item) => item.options);
	const [options] = allOptions;
	/** Records of successful requests. */
	const requested = new Set<unknown>();
	/** Applies the batch size of the run, and counts the records that cost credits. */
	const inThisRun = <Sent, Received>(
		config: BatchConfig<Sent, Received>,
		isPaid: boolean,
	): BatchConfig<Sent, Received> => ({
		...config,
		maxBatchSize: (input) => {
			const size = config.maxBatchSize(input);
			return size === Infinity ? size : Math.min(size, options?.batchSize ?? size);
		},
		send: async (client, batch, skipIf) => {
			const sent = await config.send(client, batch, skipIf);
			if (isPaid && sent.value !== undefined) for (const input of batch) requested.add(input);
			return sent;
		},
	});
	const own = inThisRun<Input, Result>(spec, spec.price !== undefined);
	const identifying = identify && {
		...identify,
		batches: inThisRun(identify.batches, identify.price !== undefined),
	};

	const guarded = guardRun<Prepared, Input, Details>(prepared, {
		grouping: runGrouping<Input, Details>(own, identifying?.batches),
		price: (record) =>
			'input' in record ? spec.price?.(record.input) : identify?.price?.(record.details),
	});
	const { estimate, limited, excluded } = guarded;
	if (estimate !== undefined) {
		addHints(context, [estimate.hint], estimate.warnings);
		return estimateOutput(estimate, prepared);
	}
	if (limited !== undefined) throwIfStopping(stoppedByLimit(limited), limited.firstItem, 0);

	let identified = guarded.items;
	let identifyHints: readonly string[] = [];
	const allInputs = () => identified.flatMap(({ value }) => value?.inputs ?? []);
	const allowedInputs = () => allInputs().filter((input) => !excluded.has(input));
	let results: Results = [];
	let successfulRequests = 0;
	if (options !== undefined && allowedInputs().length > 0) {
		// Request options are the same for all items.
		const { value: client, failure } = await toOutcomeAsync(
			async () => await createClient(context, { ...options, stopOnFailure }),
		);
		if (client === undefined) {
			results = allowedInputs().map((input) => ({ input, outcome: { failure }, duplicate: false }));
		} else {
			const send = async <Sent, Received>(
				inputs: readonly Sent[],
				config: BatchConfig<Sent, Received>,
			) => await executeBatches(client, inputs, config, { stopOnFailure });
			({ items: identified, hints: identifyHints } = await identifyItems(
				identified,
				{ ...spec, identify: identifying },
				run,
				send,
			));
			results = await send(allowedInputs(), own);
			client.stop();
			successfulRequests = client.successCount();
		}
	}
	if (limited !== undefined) results = withExcluded(allInputs(), results, excluded, limited);

	let next = 0;
	let duplicates = 0;
	const rows = identified.flatMap(({ value, failure }, item): Rows => {
		if (value === undefined) return [{ row: { failure }, item }];
		const own = results.slice(next, next + value.inputs.length);
		next += value.inputs.length;
		const { match } = value;
		duplicates += match?.id === null ? Number(match.duplicate) : countDuplicates(own, spec.key);
		return failure === undefined ? itemRows(value, own, item) : [{ row: { failure }, item }];
	});
	const failed = rows.flatMap(({ row: { failure }, item }) =>
		failure === undefined ? [] : [{ failure, item }],
	);
	const cause = rootCause(failed);
	if (cause !== undefined) throwIfStopping(cause.failure, cause.item, successfulRequests);

	const selected = await selectRows(rows, successfulRequests);
	const itemsWithoutId = valid.filter(({ inputs }) => inputs.length === 0).length;
	const stats = {
		...rowStats(selected.rows),
		records: requested.size,
		duplicates,
		itemsWithoutId,
		successfulRequests,
	};
	const values = valid.map((item) => item.values);
	const report = reportMessage(stats, spec.wording);
	const nothingSent = itemsWithoutId > 0 && itemsWithoutId === valid.length;
	const hints = [
		...(nothingSent ? [] : [report]),
		...identifyHints,
		// If a hint can't be built, the run goes on without it: its rows are paid for.
		...(toOutcome(() => spec.hints?.(results, run, values, allOptions)).value ?? []),
		...(selected.hint === undefined ? [] : [selected.hint]),
	];
	const warnings = [
		...(nothingSent ? [`${report} ${NO_IDS}`] : []),
		...(toOutcome(() => spec.warnings?.(results)).value ?? []),
		...missingFieldsWarning(rows),
	];
	addHints(context, hints, warnings);
	const output = outputItems(selected.rows, items, spec.identifiers ?? [], isTool);
	return output.length === 0 && isTool ? [messageItem([...hints, ...warnings].join(' '))] : output;
}

const NO_IDS = 'Check that the ID field points to the input column that holds the IDs.';

/** Fails every item, as for an operation that doesn't exist. */
export function failAll(context: IExecuteFunctions, message: string): INodeExecutionData[] {
	const failure: Failure = { kind: 'input', message };
	if (stopsOnFailure(context)) {
		const stopped = { itemIndex: 0, itemCount: 1, successfulRequests: 0 };
		throw stoppingError(context.getNode(), failure, stopped);
	}
	return context.getInputData().map((_, item) => errorItem(failure, item));
}
