import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../api/client';
import type { Outcome } from '../core/outcome';
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
	/** True if the first failure ends the run. */
	readonly stopOnFailure: boolean;
}

/** The types of an operation. Without `identify`, `details` and `lookupResult` are `never`. */
export interface SpecTypes {
	readonly parameters: readonly Parameter[];
	readonly options: SharedOptions;
	readonly input: unknown;
	readonly result: unknown;
	readonly details: unknown;
	readonly lookupResult: unknown;
}

/** The values of an item's parameters. */
export type SpecValues<Types extends SpecTypes> = ValuesOf<Types['parameters']>;

/** The rows that earlier runs didn't return, and a hint if telling them apart did not or will not fully work. */
export interface RemainingRows<Options> {
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

/** The ID that an item's details resolve to; null without a single match. */
export interface ResolvedId {
	readonly id: string | null;
	/** Possible matches, if there is no ID. */
	readonly candidates?: readonly IDataObject[];
}

/** How details become requests. The group key is text, because `combinedGrouping` (guardRun.ts) adds a prefix to it. */
export type LookupBatchConfig<Details, LookupResult> = BatchConfig<Details, LookupResult> & {
	readonly groupKey: (details: Details) => string;
};

/**
 * How an operation looks up the ID of an item that has details, such as a name, instead of an ID. Lookups precede all other
 * requests.
 */
interface IdentifySpec<Types extends SpecTypes> {
	/** Field of the rows that contains the ID. */
	readonly idField: string;
	readonly idFormat: ValueFormat;
	/** Field of the rows that says whether there is an ID for the details. */
	readonly flagField: string;
	/** Further fields that rows without an ID may have. */
	readonly unmatchedFields?: readonly string[];
	/** The details of an item; undefined if the item is identified by IDs. Throws a UserError for invalid values. */
	readonly details: (
		values: SpecValues<Types>,
		options: Types['options'],
	) => Types['details'] | undefined;
	readonly batches: LookupBatchConfig<Types['details'], Types['lookupResult']>;
	/**
	 * Stands in for the unknown ID while estimates and limits count records: the item's inputs are built with it, so it becomes
	 * their `key`. Details with equal placeholders count as one ID.
	 *
	 * If lookups cost credits, the placeholder must equal `batches.key(details)`: the lookup and the item's inputs then have the
	 * same key, so Max Records to Pay allows both or neither (see `limitRecords`).
	 */
	readonly placeholder: (details: Types['details']) => string;
	/** The price of a lookup, if lookups cost credits. */
	readonly price?: (details: Types['details']) => Price;
	/** The ID of one item, from the lookup result that duplicates share. */
	readonly resolve: (result: Types['lookupResult'], details: Types['details']) => ResolvedId;
	/** The values of an item as if it had this ID. */
	readonly withId: (values: SpecValues<Types>, id: string) => SpecValues<Types>;
	/** The row of an item without a match, with the usual fields but no data. */
	readonly unmatchedRow: (values: SpecValues<Types>, lookup: ResolvedId) => IDataObject;
	/** Hints about the items with details. `results` and `options` have one entry for each of them. */
	readonly hints?: (
		results: ReadonlyArray<InputResult<Types['details'], Types['lookupResult']>>,
		options: ReadonlyArray<Types['options']>,
	) => string[];
}

/** The inputs' results, in the order of the inputs. */
export type SpecResults<Types extends SpecTypes> = ReadonlyArray<
	InputResult<Types['input'], Types['result']>
>;

/** What all operations have. */
interface OperationSpec<Types extends SpecTypes> extends OperationInfo {
	readonly parameters: Types['parameters'];
	readonly options: Parameter<'options', Types['options']>;
	/** Fields that identify a row. They are always in the output, even if Fields doesn't list them. */
	readonly identifiers?: readonly string[];
	/** Fields that only some rows have. By default, the `unmatchedFields` of `identify`. */
	readonly optionalFields?: readonly string[];
	/**
	 * All top-level fields of an item's rows, if known before sending, without the `flagField` and `unmatchedFields` of
	 * `identify`.
	 */
	readonly rowFields?: (values: SpecValues<Types>) => readonly string[];
	/** For operations that cost credits: the price of one record (an input that isn't a duplicate). */
	readonly price?: (input: Types['input']) => Price;
	/** Leaves out rows that earlier runs returned (Only New Events, Only New Prospects). Called after all requests. */
	readonly removeKnown?: (
		context: IExecuteFunctions,
		rows: ReadonlyArray<ItemRow<NoInfer<Types['options']>>>,
	) => Promise<RemainingRows<NoInfer<Types['options']>>>;
	/** The words of the hint that reports the run. */
	readonly wording: ReportWording;
	/** Further hints. `values` and `options` have one entry for each valid item. */
	readonly hints?: (
		results: SpecResults<Types>,
		run: RunContext,
		values: ReadonlyArray<SpecValues<Types>>,
		options: ReadonlyArray<Types['options']>,
	) => string[];
	/** Hints shown as warnings. */
	readonly warnings?: (results: SpecResults<Types>) => string[];
}

/** An operation that sends the inputs of all items in shared batches. */
export interface BatchSpec<Types extends SpecTypes>
	extends OperationSpec<Types>,
		BatchConfig<Types['input'], Types['result']> {
	/** The inputs of an item; none if its identifier is blank. Throws a UserError for invalid values. */
	readonly inputs: (
		values: SpecValues<Types>,
		options: Types['options'],
		run: RunContext,
	) => Array<Types['input']>;
	/** For items that may have details instead of IDs. */
	readonly identify?: IdentifySpec<NoInfer<Types>>;
	/** The rows of an item, from the results of its inputs. */
	readonly rows: (results: SpecResults<Types>, values: SpecValues<Types>) => Row[];
}

/** An operation that sends a request, or a few that belong together, for each item. */
export interface ItemSpec<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Input,
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
	/** True if equal inputs aren't duplicates: each item sends its own request. */
	readonly repeatsEqualInputs?: boolean;
	/** The input of an item. Throws a UserError for invalid values. */
	readonly input: (values: ValuesOf<Parameters>, options: Options, run: RunContext) => Input;
	readonly send: (client: Client, input: Input) => Promise<Outcome<Result>>;
	/** The rows of an item. If the result came with a failure, an error row follows them. */
	readonly rows: (result: Result, values: ValuesOf<Parameters>) => Row[];
}
