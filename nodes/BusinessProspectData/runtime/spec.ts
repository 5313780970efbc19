import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ValueFormat } from '../core/text';
import type { BatchConfig, InputResult } from './batches';
import type { SharedOptions } from './options';
import type { ItemRow, Row } from './output';
import type { Parameter, ValuesOf } from './parameters';
import type { ReportWording } from './report';
import type { Price } from './spending';

/** When and how an execution runs. */
export interface RunContext {
	/** Milliseconds since 1970. */
	readonly now: number;
	/** IANA name of the workflow's time zone. */
	readonly timezone: string;
	/** True if the node runs as a tool of an AI agent. */
	readonly isTool: boolean;
}

/** The rows to output, and a hint about the selection. */
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

/** The ID that the service has for an item's details; null if nothing matches them. */
export interface ResolvedId {
	readonly id: string | null;
	/** Possible matches, if there is no ID. */
	readonly candidates?: readonly IDataObject[];
}

/** How details become requests. Their group key is text, because an estimate combines it with others. */
export type IdentifyBatchConfig<Details, LookupResult> = BatchConfig<Details, LookupResult> & {
	readonly groupKey: (details: Details) => string;
};

/** How an operation looks up the ID of an item that has details instead, such as a name. It does so before anything else. */
interface IdentifySpec<Values, Options, Details, LookupResult> {
	/** Field of the rows that contains the ID. */
	readonly idField: string;
	readonly idFormat: ValueFormat;
	/** Field of the rows that says whether there is an ID for the details. */
	readonly flagField: string;
	/** Further fields that rows without an ID may have. */
	readonly unmatchedFields?: readonly string[];
	/** The details of an item; undefined if it has IDs. Throws a UserError for invalid values. */
	readonly details: (values: Values, options: Options) => Details | undefined;
	/** How details become requests. */
	readonly batches: IdentifyBatchConfig<Details, LookupResult>;
	/**
	 * Stands in for the unknown ID while estimates and limits count records. Details with equal placeholders count as one ID. A
	 * paid lookup must have the same key as its placeholder, so that Max Records to Pay allows or refuses the lookup and its
	 * data sets together.
	 */
	readonly placeholder: (details: Details) => string;
	/** If it costs credits: as `price` in `BatchSpec`. */
	readonly price?: (details: Details) => Price;
	/** The ID of one item, from the lookup result that duplicates share. */
	readonly resolve: (result: LookupResult, details: Details) => ResolvedId;
	/** The values of an item as if it had this ID. */
	readonly withId: (values: Values, id: string) => Values;
	/** The row of an item without a match: the fields of its data are null. */
	readonly unmatchedRow: (values: Values, lookup: ResolvedId) => IDataObject;
	/** Hints about the items with details. */
	readonly hints?: (results: ReadonlyArray<InputResult<Details, LookupResult>>) => string[];
}

/** An operation that sends the inputs of all items in shared batches. */
export interface BatchSpec<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input,
	Result,
	Details = never,
	LookupResult = never,
> extends OperationInfo,
		BatchConfig<Input, Result> {
	readonly parameters: Parameters;
	readonly options: Parameter<'options', Options>;
	/** Fields that identify a row. They are always in the output, even if Fields doesn't list them. */
	readonly identifiers?: readonly string[];
	/** Fields that only some rows have. By default those that `identify` may add. */
	readonly optionalFields?: readonly string[];
	/** All top-level fields of an item's rows, if they are known before sending. */
	readonly rowFields?: (values: ValuesOf<Parameters>) => readonly string[];
	/** For operations that cost credits: the price of one record (an input that isn't a duplicate). */
	readonly price?: (input: Input) => Price;
	/** The inputs of an item; none if its identifier is blank. Throws a UserError for invalid values. */
	readonly inputs: (values: ValuesOf<Parameters>, options: Options, run: RunContext) => Input[];
	/** For items that may have details instead of IDs. */
	readonly identify?: IdentifySpec<
		ValuesOf<NoInfer<Parameters>>,
		NoInfer<Options>,
		Details,
		LookupResult
	>;
	/** The rows of an item, from the results of its inputs. */
	readonly rows: (
		results: ReadonlyArray<InputResult<Input, Result>>,
		values: ValuesOf<Parameters>,
	) => Row[];
	/** Chooses the rows to output. Called after all requests. */
	readonly select?: (
		context: IExecuteFunctions,
		rows: ReadonlyArray<ItemRow<NoInfer<Options>>>,
	) => Promise<SelectedRows<NoInfer<Options>>>;
	/** The words of the hint that reports the run. */
	readonly wording: ReportWording;
	/** Further hints. `values` and `options` are those of the valid items. */
	readonly hints?: (
		results: ReadonlyArray<InputResult<Input, Result>>,
		run: RunContext,
		values: ReadonlyArray<ValuesOf<Parameters>>,
		options: readonly Options[],
	) => string[];
	/** Hints shown as warnings. */
	readonly warnings?: (results: ReadonlyArray<InputResult<Input, Result>>) => string[];
}
