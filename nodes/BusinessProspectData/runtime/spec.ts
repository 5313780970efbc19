import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../api/client';
import type { Failure, Outcome } from '../core/outcome';
import type { ValueFormat } from '../core/text';
import type { BatchConfig, InputResult } from './batches';
import type { SharedOptions } from './options';
import type { ItemRow, Row } from './output';
import type { Parameter, ValuesOf } from './parameters';

/** When and how an execution runs. */
export interface RunContext {
	/** Start of the run, in milliseconds since the Unix epoch. */
	readonly now: number;
	/** IANA name of the workflow's time zone. */
	readonly timezone: string;
	/** True if the node runs as a tool of an AI agent. */
	readonly isTool: boolean;
	/** True if the first failure ends the run. */
	readonly stopOnFailure: boolean;
}

/** The types in an operation's spec. If the spec has no `lookup`, `details` and `lookupResult` are `never`. */
export interface SpecTypes {
	readonly parameters: readonly Parameter[];
	readonly options: SharedOptions;
	readonly input: object;
	readonly result: unknown;
	readonly details: object;
	readonly lookupResult: unknown;
}

/** The values of an item's parameters. */
export type SpecValues<Types extends SpecTypes> = ValuesOf<Types['parameters']>;

/**
 * The rows of a run after `removeKnown`. The hint says why rows that earlier runs returned may be among them, or why later runs
 * may return some of these rows again.
 */
export interface RemainingRows<Options> {
	readonly rows: ReadonlyArray<ItemRow<Options>>;
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

/** The ID that an item's details resolve to; null if they have no match, or several. */
export interface ResolvedId {
	readonly id: string | null;
	/** Possible matches, if there is no ID. */
	readonly candidates?: readonly IDataObject[];
}

/** Price of one record in credits. If the service publishes none, estimates list the record under the name in `unpriced`. */
export type Price = number | { readonly unpriced: string };

/**
 * How an operation looks up the ID of an item that has details, such as a name, instead of an ID. Lookups precede all other
 * requests.
 */
export interface LookupSpec<Types extends SpecTypes> {
	/** Field of the rows that contains the ID. */
	readonly idField: string;
	readonly idFormat: ValueFormat;
	/** Boolean field of the rows: whether the lookup found an ID. */
	readonly matchedField: string;
	/** Further fields that the row of an item without a match may have, such as `candidates`. */
	readonly unmatchedFields?: readonly string[];
	/** The details of an item; undefined for an item that is identified by ID. Throws a UserError for invalid values. */
	readonly details: (
		values: SpecValues<Types>,
		options: Types['options'],
	) => Types['details'] | undefined;
	readonly batchConfig: BatchConfig<Types['details'], Types['lookupResult']>;
	/**
	 * Stands in for the unknown ID while estimates and limits count records: before the lookup, the item's inputs are built with
	 * `withId(values, placeholder)`. Details with equal placeholders count as one ID.
	 */
	readonly placeholder: (details: Types['details']) => string;
	/** The price of a lookup, if lookups cost credits. */
	readonly price?: (details: Types['details']) => Price;
	/** The ID of one item, from the lookup result that duplicates share. */
	readonly resolve: (result: Types['lookupResult'], details: Types['details']) => ResolvedId;
	/** The values of an item as if it had this ID. */
	readonly withId: (values: SpecValues<Types>, id: string) => SpecValues<Types>;
	/** The row of an item whose lookup found no ID: the usual fields without data, and the candidates, if any. */
	readonly unmatchedRow: (values: SpecValues<Types>, lookup: ResolvedId) => IDataObject;
	/** Hints about all lookups of a run. Each entry of `lookups` has the options of its item. */
	readonly hints?: (
		lookups: ReadonlyArray<
			InputResult<Types['details'], Types['lookupResult']> & {
				readonly options: Types['options'];
			}
		>,
	) => string[];
}

/** An item that has failed, for example because its values are invalid. */
export interface FailedItem {
	readonly itemIndex: number;
	readonly failure: Failure;
	/** True if the item's lookup failed or returned an invalid ID, and was a duplicate of an earlier lookup. */
	readonly duplicateLookup?: boolean;
}

/** An item whose values are valid, and what it sends. */
export interface PreparedItem<Types extends SpecTypes> {
	readonly itemIndex: number;
	readonly failure?: undefined;
	readonly values: SpecValues<Types>;
	readonly options: Types['options'];
	/** What to look up; absent for an item that is identified by ID. */
	readonly details?: Types['details'];
	/** If the item has details, these contain a placeholder instead of the ID, and are only counted until the lookup. */
	readonly inputs: ReadonlyArray<Types['input']>;
}

/** The inputs' results, in the order of the inputs. */
export type SpecResults<Types extends SpecTypes> = ReadonlyArray<
	InputResult<Types['input'], Types['result']>
>;

/** Wording of an operation's hint: `Enriched 1,000 prospects …`. */
export interface ReportWording {
	readonly verb: string;
	readonly one: string;
	/** By default `one` with an s. */
	readonly many?: string;
	/** What the hint says after the number of rows without data. By default `had no data`. */
	readonly empty?: string;
}

/** The members that `BatchSpec` and `ItemSpec` share. */
interface OperationSpec<Types extends SpecTypes> extends OperationInfo {
	readonly parameters: Types['parameters'];
	readonly options: Parameter<'options', Types['options']>;
	/** Fields that rows keep even if Fields doesn't list them, such as the ID. */
	readonly requiredFields?: readonly string[];
	/** Fields that only some rows have, so no warning says that they are missing. By default, `unmatchedFields` of `lookup`. */
	readonly optionalFields?: readonly string[];
	/**
	 * All top-level fields of an item's rows, except the `matchedField` and `unmatchedFields` of `lookup`. Serves to reject unknown
	 * names in Fields before anything is sent. Absent if only the response shows which fields there are.
	 */
	readonly rowFields?: (values: SpecValues<Types>) => readonly string[];
	/** For operations that cost credits: the price of one record (an input that isn't a duplicate). */
	readonly price?: (input: Types['input']) => Price;
	/**
	 * Leaves out rows that earlier runs returned, and duplicates within the run (Only New Events, Only New Prospects). Called after
	 * all requests.
	 */
	readonly removeKnown?: (
		context: IExecuteFunctions,
		rows: ReadonlyArray<ItemRow<NoInfer<Types['options']>>>,
	) => Promise<RemainingRows<NoInfer<Types['options']>>>;
	readonly wording: ReportWording;
	/** Further hints. `results` and `items` leave out each `FailedItem`. */
	readonly hints?: (
		results: SpecResults<Types>,
		run: RunContext,
		items: ReadonlyArray<Pick<PreparedItem<Types>, 'values' | 'options'>>,
	) => string[];
	/** Hints shown as warnings. */
	readonly warnings?: (results: SpecResults<Types>) => string[];
}

/** An operation that sends the inputs of all items in shared batches. */
export interface BatchSpec<Types extends SpecTypes>
	extends OperationSpec<Types>,
		BatchConfig<Types['input'], Types['result']> {
	/**
	 * The inputs of an item: new objects in each call, because inputs are compared by identity. None if the item's ID is blank.
	 * Throws a UserError for invalid values.
	 */
	readonly inputs: (
		values: SpecValues<Types>,
		options: Types['options'],
		run: RunContext,
	) => Array<Types['input']>;
	/** For operations whose items may have details instead of IDs. */
	readonly lookup?: LookupSpec<NoInfer<Types>>;
	/** The rows of an item, from the results of its inputs. There are no results if the item's ID is blank. */
	readonly rows: (results: SpecResults<Types>, values: SpecValues<Types>) => Row[];
}

/** An operation that has one input per item, sent in one or more requests of its own. */
export interface ItemSpec<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input extends object,
	Result,
> extends OperationSpec<{
			parameters: Parameters;
			options: Options;
			input: Input;
			result: Result;
			details: never;
			lookupResult: never;
		}>,
		Pick<BatchConfig<Input, Result>, 'inputMember' | 'parameterName'> {
	/** True if equal inputs aren't duplicates: each item sends its own requests. */
	readonly repeatsEqualInputs?: boolean;
	/** The input of an item. Throws a UserError for invalid values. */
	readonly input: (values: ValuesOf<Parameters>, options: Options, run: RunContext) => Input;
	readonly send: (client: Client, input: Input) => Promise<Outcome<Result>>;
	/** The rows of an item. If the result came with a failure, an error row follows them. */
	readonly rows: (result: Result, values: ValuesOf<Parameters>) => Row[];
}
