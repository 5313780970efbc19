import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Failure, Outcome } from '../api/outcome';
import { askAll } from './asking';
import { attempt } from './attempt';
import type { Answered, BatchSpec } from './operation';
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
	const stopAt = (failure: Failure, item: number, requests: number) => {
		if (stops) throw stoppingError(context.getNode(), failure, item, requests);
	};

	const prepared = prepare(context, spec, items.length);
	prepared.forEach(({ failure }, item) => failure && stopAt(failure, item, 0));

	const asks = prepared.flatMap(({ value }) => value?.asks ?? []);
	const options = prepared.find(({ value }) => value !== undefined)?.value?.options;
	const { outcomes, repeated, requests } = await askAll(context, spec, asks, options, stops);
	const answered = asks.map(
		(ask, at): Answered<Ask, Answer> => ({
			ask,
			outcome: outcomes[at] as Outcome<Answer>,
		}),
	);

	const put: INodeExecutionData[] = [];
	const tally = { requests, rows: 0, repeated: 0, empty: 0, dropped: 0, blank: 0, failed: 0 };
	const failures: Array<{ readonly failure: Failure; readonly item: number }> = [];
	const fail = (failure: Failure, item: number, received?: IDataObject) => {
		tally.failed++;
		failures.push({ failure, item });
		put.push(errorItem(failure, item, received));
	};
	let from = 0;
	prepared.forEach(({ value, failure }, item) => {
		if (failure !== undefined) return fail(failure, item);
		const {
			values,
			options: own,
			asks: { length },
		} = value;
		const mine = answered.slice(from, from + length);
		tally.repeated += new Set(
			mine.filter((_, at) => repeated[from + at]).map(({ ask }) => spec.key(ask)),
		).size;
		from += length;

		const rows = attempt(() => spec.rows(mine, values, own));
		if (rows.failure !== undefined) return fail(rows.failure, item);
		if (length === 0) tally.blank++;
		for (const row of rows.value) {
			if (row.failure !== undefined) {
				fail(row.failure, item, row.received);
				continue;
			}
			if (length > 0) tally.rows++;
			if (length > 0 && row.empty) tally.empty++;
			if (row.empty && own.dropItemsWithoutData) tally.dropped++;
			else put.push(dataItem(row.json, items[item]?.json ?? {}, item, own));
		}
	});

	const first = failures.find(({ failure }) => failure.kind !== 'stopped') ?? failures[0];
	if (first !== undefined) stopAt(first.failure, first.item, requests);
	hint(context, [report(tally, spec.wording), ...(spec.hints?.(answered) ?? [])]);
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

/** The outcome of a node that is set to an operation which does not exist: every item fails. */
export function refuseAll(context: IExecuteFunctions, message: string): INodeExecutionData[] {
	const failure: Failure = { kind: 'input', message };
	return context.getInputData().map((_, item) => {
		if (!context.continueOnFail()) throw stoppingError(context.getNode(), failure, item, 0);
		return errorItem(failure, item);
	});
}
