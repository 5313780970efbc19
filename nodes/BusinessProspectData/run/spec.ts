import type { IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../api/client';
import type { Advice, Failure, Outcome } from '../core/outcome';
import type { BatchConfig } from './batches';
import type { BatchEntry, InputResult } from './inputs';
import type { Lookup, ResolvedId } from './lookupStep';
import type { OutputOptions, SharedOptions } from '../parameters/options';
import type { ItemRow } from './output';
import type { Layout, Records } from '../fields/columns';
import type { BlankWording, Row } from '../fields/row';
import type { Parameter, ValuesOf } from '../parameters/parameter';

export interface RunContext {
	/** Start of the run, in milliseconds since the Unix epoch. */
	readonly now: number;
	/** IANA name of the workflow's time zone. */
	readonly timezone: string;
	readonly isTool: boolean;
	/** True if any failure makes the run throw an error. */
	readonly stopOnFailure: boolean;
}

/** `found` is `never` if the operation has no `lookup`. */
export interface SpecTypes {
	readonly parameters: readonly Parameter[];
	readonly options: SharedOptions;
	readonly input: object;
	readonly result: unknown;
	readonly found: ResolvedId;
}

export type SpecValues<Types extends SpecTypes> = ValuesOf<Types['parameters']>;

export interface RemainingRows<Options> {
	readonly rows: ReadonlyArray<ItemRow<Options>>;
	/** Why `rows` may include rows of earlier runs, or why later runs may return these rows again. */
	readonly hint?: string;
}

/** An operation as workflows save it (`resource`, `value`) and as the editor shows it (`name`, `action`, `description`). */
export interface OperationInfo {
	readonly resource: string;
	readonly value: string;
	readonly name: string;
	readonly action: string;
	readonly description: string;
}

/** An item with details: how to look them up, or what they lack. */
export type Start<Found extends ResolvedId> =
	| { readonly lookup: Lookup<Found>; readonly blank?: undefined }
	| { readonly lookup?: undefined; readonly blank: BlankWording };

/** Looks up the IDs of items that have details, such as a name, instead of an ID. Runs before all other requests. */
export interface LookupSpec<Types extends SpecTypes> {
	readonly idField: string;
	/** The parameters for the details. */
	readonly detailNames: readonly string[];
	/** The column that says whether an ID was found. */
	readonly matchedField: string;
	/** Undefined for an item that is identified by ID. Throws a UserError for invalid values. */
	readonly start: (values: SpecValues<Types>) => Start<Types['found']> | undefined;
	/** Absent if the operation only looks up: there are no inputs then. */
	readonly withId?: (values: SpecValues<Types>, id: string) => SpecValues<Types>;
	/** The lookup's records, for all rows of the item. `found` is undefined for a blank item. */
	readonly records: (values: SpecValues<Types>, found: Types['found'] | undefined) => Records;
	readonly advice?: (found: ReadonlyArray<Types['found']>) => Advice[];
}

export interface FailedItem {
	readonly itemIndex: number;
	readonly failure: Failure;
	/** True if the item's lookup was a duplicate of an earlier one. */
	readonly duplicateLookup?: boolean;
}

export interface PreparedItem<Types extends SpecTypes> {
	readonly itemIndex: number;
	readonly failure?: undefined;
	readonly values: SpecValues<Types>;
	readonly options: Types['options'];
	readonly layout: Layout;
	/** Present if the item doesn't say whom it is about. Nothing is looked up then, and there are no inputs. */
	readonly blank?: BlankWording;
	/** Present if the item's ID has to be looked up. After the lookup, its last step. */
	readonly details?: Lookup<Types['found']>;
	/** Present after the lookup. */
	readonly lookup?: Types['found'];
	/** True if the item's lookup was a duplicate of an earlier one. */
	readonly duplicate?: boolean;
	/** With `details`, the inputs have a provisional ID until the lookup. If the lookup found no ID, there are no inputs. */
	readonly entries: ReadonlyArray<BatchEntry<Types['input'], Types['result']>>;
}

type SpecResults<Types extends SpecTypes> = ReadonlyArray<
	InputResult<Types['input'], Types['result']>
>;

/** What a record is called, and its published price, if there is one. */
export interface Price {
	readonly name: string;
	readonly credits?: number | undefined;
}

/** Words for `reportMessage`. */
export type ReportWording = (
	| {
			/** Follows the number of rows: `960 enriched`. Set if each row stands for an input row. */
			readonly done: string;
	  }
	| {
			/** As in `Returned 12 events`. */
			readonly verb: string;
			readonly one: string;
			/** By default `one` with an s. */
			readonly many?: string;
			readonly done?: undefined;
	  }
) & {
	/** Counts the rows with a value in one of these columns, as in `960 enriched (640 emails)`. */
	readonly counted?: ReadonlyArray<{ readonly noun: string; readonly columns: readonly string[] }>;
	/** Follows the number of rows without data. By default `without data`. */
	readonly empty?: string;
	/** By default `without a match`. */
	readonly unmatched?: string;
};

export interface OperationSpec<Types extends SpecTypes> extends OperationInfo {
	readonly parameters: Types['parameters'];
	readonly options: Parameter<'options', Types['options']>;
	/** The columns of rows. If absent, they are those that the service sends. */
	readonly layout?: (
		values: SpecValues<Types>,
		options: NoInfer<Types['options']> & OutputOptions,
	) => Layout;
	/** Present if inputs are records to pay for: the operation then has Max Records to Pay, as with a `lookup`. */
	readonly priceOf?: (input: Types['input']) => Price;
	/** True if the operation has the parameter Remember In. */
	readonly canRemember?: boolean;
	/** Applies the option Only New Events or Only New Prospects. Called after all requests. */
	readonly removeKnown?: (
		context: IExecuteFunctions,
		rows: ReadonlyArray<ItemRow<NoInfer<Types['options']>>>,
	) => Promise<RemainingRows<NoInfer<Types['options']>>>;
	readonly wording: ReportWording;
	/** True if rows without data, a match or an ID are counted, but not output. */
	readonly outputsOnlyFound?: boolean;
	/** `results` and `items` leave out every `FailedItem`. */
	readonly advice?: (
		results: SpecResults<Types>,
		run: RunContext,
		items: ReadonlyArray<Pick<PreparedItem<Types>, 'values' | 'options'>>,
	) => Advice[];
	/** Follows the counts of the run, as in `321 people match.` */
	readonly total?: (results: SpecResults<Types>) => string | undefined;
}

/** An operation that sends the inputs of all items in shared batches. */
export interface BatchSpec<Types extends SpecTypes>
	extends OperationSpec<Types>, BatchConfig<Types['input'], Types['result']> {
	/** Empty if the item's ID is blank. Throws a UserError for invalid values. */
	readonly inputs: (
		values: SpecValues<Types>,
		options: Types['options'],
		run: RunContext,
	) => Array<Types['input']>;
	readonly lookup?: LookupSpec<NoInfer<Types>>;
	/** `results` is empty if `inputs` is. */
	readonly rows: (
		results: SpecResults<Types>,
		values: SpecValues<Types>,
		options: SharedOptions,
	) => Row[];
}

/** An operation with one input per item, which may take several requests. */
export interface ItemSpec<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input extends object,
	Result,
>
	extends
		OperationSpec<{
			parameters: Parameters;
			options: Options;
			input: Input;
			result: Result;
			found: never;
		}>,
		Pick<BatchConfig<Input, Result>, 'inputMember' | 'parameterName'> {
	/** By default, items with equal inputs share one result. */
	readonly repeatsEqualInputs?: boolean;
	/** Throws a UserError for invalid values. */
	readonly input: (values: ValuesOf<Parameters>, options: Options, run: RunContext) => Input;
	readonly send: (client: Client, input: Input) => Promise<Outcome<Result>>;
	/** If the outcome of `send` also has a failure, an error row follows these rows. */
	readonly rows: (result: Result, values: ValuesOf<Parameters>) => Row[];
}
