import type { IExecuteFunctions } from 'n8n-workflow';
import type { Outcome } from '../core/outcome';
import { toOutcome } from './toOutcome';
import type { BatchSpec, RunContext } from './operation';
import { checkFields, type SharedOptions } from './options';
import type { Parameter, ValuesOf } from './parameters';
import { createValuesReader } from './parameterValues';

/** An item that was read: its values, and what it asks for. */
export interface PreparedItem<Values, Options, Ask> {
	readonly values: Values;
	readonly options: Options;
	readonly asks: readonly Ask[];
}

/** Reads and checks all items; one whose values are wrong has a failure. */
export function prepare<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Ask,
	Answer,
>(
	context: IExecuteFunctions,
	spec: BatchSpec<Parameters, Options, Ask, Answer>,
	items: number,
	setting: RunContext,
): Array<Outcome<PreparedItem<ValuesOf<Parameters>, Options, Ask>>> {
	const readValues = createValuesReader(context, spec.parameters);
	const readOptions = createValuesReader(context, [spec.options]);
	return Array.from({ length: items }, (_, item) => {
		const { value: values, failure } = readValues(item);
		if (failure !== undefined) return { failure };
		const { value, failure: wrong } = readOptions(item);
		if (wrong !== undefined) return { failure: wrong };
		const { options } = value;
		return toOutcome(() => {
			if (spec.rowFields !== undefined) checkFields(options.fields, spec.rowFields(values));
			return { values, options, asks: spec.inputs(values, options, setting) };
		});
	});
}
