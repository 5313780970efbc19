import type { IExecuteFunctions } from 'n8n-workflow';
import type { BatchConfig, BatchResult } from './batches';
import type { SharedOptions } from './options';
import type { ItemRow, Row } from './output';
import type { Parameter, ValuesOf } from './parameters';
import type { ReportWording } from './report';

/** When and how an execution runs. */
export interface RunContext {
	/** Milliseconds since 1970. */
	readonly now: number;
	/** IANA name of the workflow's time zone. */
	readonly timezone: string;
	/** True if the node runs as a tool of an AI agent. */
	readonly isTool: boolean;
}

/** The rows to output, and a hint about the others. */
export interface SelectedRows<Options> {
	readonly rows: ReadonlyArray<ItemRow<Options>>;
	readonly hint?: string;
}

/** What the editor and saved workflows call an operation. */
export interface OperationInfo {
	readonly resource: string;
	readonly value: string;
	readonly name: string;
	readonly action: string;
	readonly description: string;
}

/** An operation that sends the inputs of all items in shared batches. */
export interface BatchSpec<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input,
	Result,
> extends OperationInfo,
		BatchConfig<Input, Result> {
	readonly parameters: Parameters;
	readonly options: Parameter<'options', Options>;
	/** Fields that identify a row. They are always in the output, even if Fields doesn't list them. */
	readonly identifiers?: readonly string[];
	/** All top-level fields of an item's rows, if they are known before sending. */
	readonly rowFields?: (values: ValuesOf<Parameters>) => readonly string[];
	/** The inputs of an item; none if its identifier is blank. Throws a UserError for invalid values. */
	readonly inputs: (values: ValuesOf<Parameters>, options: Options, run: RunContext) => Input[];
	/** The rows of an item, from the results of its inputs. */
	readonly rows: (
		results: ReadonlyArray<BatchResult<Input, Result>>,
		values: ValuesOf<Parameters>,
	) => Row[];
	/** Chooses the rows to output. Called after all requests. */
	readonly select?: (
		context: IExecuteFunctions,
		rows: ReadonlyArray<ItemRow<Options>>,
	) => Promise<SelectedRows<Options>>;
	/** The words of the hint that reports the run. */
	readonly wording: ReportWording;
	/** Further hints. `values` and `options` are those of the valid items. */
	readonly hints?: (
		results: ReadonlyArray<BatchResult<Input, Result>>,
		run: RunContext,
		values: ReadonlyArray<ValuesOf<Parameters>>,
		options: readonly Options[],
	) => string[];
	/** Hints shown as warnings. */
	readonly warnings?: (results: ReadonlyArray<BatchResult<Input, Result>>) => string[];
}
