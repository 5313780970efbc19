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

/** `resolved` is `never` if the operation has no `lookup`. */
export interface SpecTypes {
	readonly parameters: readonly Parameter[];
	readonly options: SharedOptions;
	readonly input: object;
	readonly result: unknown;
	readonly resolved: ResolvedId;
}

export interface TypesOf<Parameters, Options, Input, Result, Resolved = never> {
	readonly parameters: Parameters;
	readonly options: Options;
	readonly input: Input;
	readonly result: Result;
	readonly resolved: Resolved;
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

/** How to look up an item's details, or what they lack. */
export type LookupOrBlank<Resolved extends ResolvedId> =
	| Lookup<Resolved>
	| { readonly blank: BlankWording };

/** Looks up the IDs of items that have details, such as a name, instead of an ID. Runs before all other requests. */
interface LookupSpec<Types extends SpecTypes> {
	readonly idField: string;
	/** The parameters for the details. */
	readonly detailNames: readonly string[];
	/** The column that says whether an ID was found. */
	readonly matchedField: string;
	/** Undefined for an item that is identified by ID. Throws a UserError for invalid values. */
	readonly lookupOf: (values: SpecValues<Types>) => LookupOrBlank<Types['resolved']> | undefined;
	/** Absent if the operation only looks up. */
	readonly withId?: (values: SpecValues<Types>, id: string) => SpecValues<Types>;
	/** The lookup's records, for all rows of the item. `resolved` is undefined for a blank item. */
	readonly records: (values: SpecValues<Types>, resolved?: Types['resolved']) => Records;
	readonly advice?: (resolved: ReadonlyArray<Types['resolved']>) => Advice[];
}

interface AnyItem {
	readonly itemIndex: number;
	/** True if the item's lookup was a duplicate of an earlier one. */
	readonly duplicateLookup?: boolean;
}

export interface FailedItem extends AnyItem {
	readonly state?: undefined;
	readonly failure: Failure;
}

interface ValidItem<Types extends SpecTypes> extends AnyItem {
	readonly failure?: undefined;
	readonly values: SpecValues<Types>;
	readonly options: Types['options'];
	readonly layout: Layout;
	readonly entries: ReadonlyArray<BatchEntry<Types['input'], Types['result']>>;
}

/** An item that doesn't say whom it is about. It has no inputs. */
interface BlankItem<Types extends SpecTypes> extends ValidItem<Types> {
	readonly state: 'blank';
	readonly blank: BlankWording;
}

/** An item whose ID has to be looked up. Until then, its inputs have a provisional ID. */
export interface UnidentifiedItem<Types extends SpecTypes> extends ValidItem<Types> {
	readonly state: 'unidentified';
	readonly lookup: Lookup<Types['resolved']>;
}

interface ReadyItem<Types extends SpecTypes> extends ValidItem<Types> {
	readonly state: 'ready';
	/** The result of the item's lookup, if it had one. Without an ID, the item has no inputs. */
	readonly resolved?: Types['resolved'];
}

export type PreparedItem<Types extends SpecTypes> =
	| BlankItem<Types>
	| UnidentifiedItem<Types>
	| ReadyItem<Types>;

export type Items<Types extends SpecTypes> = ReadonlyArray<FailedItem | PreparedItem<Types>>;

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

interface OperationSpec<Types extends SpecTypes> extends OperationInfo {
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

/** The requests that an operation sends for the inputs of all items, in shared batches. */
interface RequestSpec<Types extends SpecTypes> extends BatchConfig<
	Types['input'],
	Types['result']
> {
	/** Empty if the item's ID is blank. Throws a UserError for invalid values. */
	readonly inputs: (
		values: SpecValues<Types>,
		options: Types['options'],
		run: RunContext,
	) => Array<Types['input']>;
	/** `results` is empty if `inputs` is. */
	readonly rows: (
		results: SpecResults<Types>,
		values: SpecValues<Types>,
		options: SharedOptions,
	) => Row[];
}

/** An operation as it runs. Without `requests`, it only looks up IDs. */
export interface RunSpec<Types extends SpecTypes> extends OperationSpec<Types> {
	readonly lookup?: LookupSpec<NoInfer<Types>>;
	readonly requests?: RequestSpec<Types>;
}

export type BatchSpec<Types extends SpecTypes> = Omit<RunSpec<Types>, 'requests'> &
	RequestSpec<Types>;

/** An operation with one input per item, which may take several requests. */
export interface ItemSpec<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input extends object,
	Result,
>
	extends
		OperationSpec<TypesOf<Parameters, Options, Input, Result>>,
		Pick<BatchConfig<Input, Result>, 'inputMember' | 'parameterName'> {
	/** By default, items with equal inputs share one result. */
	readonly repeatsEqualInputs?: boolean;
	/** Throws a UserError for invalid values. */
	readonly input: (values: ValuesOf<Parameters>, options: Options, run: RunContext) => Input;
	readonly send: (client: Client, input: Input) => Promise<Outcome<Result>>;
	/** If the outcome of `send` also has a failure, an error row follows these rows. */
	readonly rows: (result: Result, values: ValuesOf<Parameters>) => Row[];
}
