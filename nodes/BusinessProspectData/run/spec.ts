import type { IDataObject, IDisplayOptions, IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../api/client';
import type { Charge } from '../catalog/prices';
import type { Failure, Outcome } from '../core/outcome';
import type { ValueFormat } from '../core/text';
import type { BatchConfig } from './batches';
import type { BatchEntry, InputResult } from './inputs';
import type { SharedOptions } from '../parameters/options';
import type { DataRow, FieldsOfId, ItemRow, Row } from './output';
import type { Parameter, ValuesOf } from '../parameters/parameter';

export interface RunContext {
	/** Start of the run, in milliseconds since the Unix epoch. */
	readonly now: number;
	/** IANA name of the workflow's time zone. */
	readonly timezone: string;
	/** True if the node runs as a tool of an AI agent. */
	readonly isTool: boolean;
	/** True if any failure makes the run throw an error. */
	readonly stopOnFailure: boolean;
}

/** `details` and `lookupResult` are `never` if the operation has no `lookup`. */
export interface SpecTypes {
	readonly parameters: readonly Parameter[];
	readonly options: SharedOptions;
	readonly input: object;
	readonly result: unknown;
	readonly details: object;
	readonly lookupResult: unknown;
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

export interface ResolvedId {
	/** Null if the details have no match, or several. */
	readonly id: string | null;
	/** Possible matches, if there is no ID. */
	readonly candidates?: readonly IDataObject[];
}

/** Looks up the IDs of items that have details, such as a name, instead of an ID. Runs before all other requests. */
export interface LookupSpec<Types extends SpecTypes> {
	readonly idField: string;
	/** Format of the ID that the details resolve to. */
	readonly idFormat: (details: Types['details']) => ValueFormat;
	/** Boolean field that the lookup adds to rows: true if an ID was found. */
	readonly matchedField?: string;
	/** Fields that only the rows of `unmatchedRow` fill, such as `candidates`. */
	readonly unmatchedFields?: readonly string[];
	/** Fields that `rows` adds to what was looked up. They follow `matchedField`, and are null where a row lacks them. */
	readonly addedFields?: (values: SpecValues<Types>) => readonly string[];
	/** Undefined for an item that is identified by ID. Throws a UserError for invalid values. */
	readonly details: (
		values: SpecValues<Types>,
		options: Types['options'],
	) => Types['details'] | 'blank' | undefined;
	readonly blank: (values: SpecValues<Types>) => BlankWording;
	readonly batchConfig: BatchConfig<Types['details'], Types['lookupResult']>;
	/**
	 * Stands in for the ID until the lookup, so that estimates and limits can count the item's inputs. Details with equal
	 * provisional IDs count as one ID.
	 */
	readonly provisionalId: (details: Types['details']) => string;
	/** If absent or undefined, a lookup doesn't count as a record to pay for. */
	readonly charge?: (details: Types['details']) => Charge | undefined;
	/**
	 * Details to look up with the ID that others resolved to, such as a person's company. Undefined if the ID is that of `idField`.
	 */
	readonly next?: (details: Types['details'], id: string) => Types['details'] | undefined;
	/** What the error of a failed lookup keeps, such as an ID that was paid for. */
	readonly keptOnFailure?: (details: Types['details']) => IDataObject;
	readonly resolve: (result: Types['lookupResult'], details: Types['details']) => ResolvedId;
	readonly withId: (values: SpecValues<Types>, id: string) => SpecValues<Types>;
	/** True if the rows of unmatched and blank items are left out. */
	readonly dropsUnmatched: (values: SpecValues<Types>) => boolean;
	readonly unmatchedRow: (
		values: SpecValues<Types>,
		lookup: ResolvedId,
	) => Pick<DataRow, 'json' | 'allFields' | 'replacedFields'>;
	readonly hints?: (
		lookups: ReadonlyArray<
			InputResult<Types['details'], Types['lookupResult']> & {
				readonly options: Types['options'];
			}
		>,
	) => string[];
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
	/** True if the item's details are blank, so that nothing is looked up and there are no inputs. */
	readonly blank?: boolean;
	/** True if Skip Rows says that the item needs no request. There are no inputs then. */
	readonly skipped?: boolean;
	/** Present if the item's ID has to be looked up. After the lookup, the last ones of `next`. */
	readonly details?: BatchEntry<Types['details'], Types['lookupResult']>;
	/** Present after the lookup. */
	readonly lookup?: ResolvedId & { readonly duplicate: boolean };
	/** With `details`, the inputs have a provisional ID until the lookup. If the lookup found no ID, there are no inputs. */
	readonly entries: ReadonlyArray<BatchEntry<Types['input'], Types['result']>>;
}

export type SpecResults<Types extends SpecTypes> = ReadonlyArray<
	InputResult<Types['input'], Types['result']>
>;

/** Words for rows that have nothing to send. */
export interface BlankWording {
	/** Follows the number of these rows, such as `without an ID`. */
	readonly rows: string;
	/** What to do if all rows are blank. */
	readonly advice: string;
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
	/** Follows the number of rows without data. By default `without data`. */
	readonly empty?: string;
	/** By default, about IDs. */
	readonly blank?: BlankWording;
};

interface OperationSpec<Types extends SpecTypes> extends OperationInfo {
	readonly parameters: Types['parameters'];
	readonly options: Parameter<'options', Types['options']>;
	/** Fields that rows keep even if Fields doesn't list them, such as the ID. */
	readonly requiredFields?: readonly string[];
	/** With Include Input Fields, an input row's values in these fields are replaced if its ID isn't the row's. */
	readonly fieldsOfId?: FieldsOfId;
	/** True if Include Input Fields is a parameter of its own, on by default. Otherwise, Options may have it. */
	readonly keepsInputFields?: boolean;
	/** Fields that are left out if they are empty in all rows of a run. By default, `unmatchedFields` of `lookup`. */
	readonly optionalFields?: readonly string[];
	/**
	 * Turns the names in Fields into paths of the rows' fields. If absent, Fields may name anything.
	 *
	 * @param otherFields the fields that the lookup and the input row add to the item's rows
	 * @throws UserError for a field that the rows can't have
	 */
	readonly resolveFields?: (
		paths: readonly string[],
		values: SpecValues<Types>,
		otherFields: readonly string[],
	) => string[];
	/**
	 * If absent, inputs don't count as records to pay for. If that of `lookup` is absent too, the operation has neither Max Records
	 * to Pay nor Estimate Only; with both, it has Max Credits to Pay as well.
	 */
	readonly charge?: (input: Types['input']) => Charge;
	/** Where the editor shows Max Records to Pay, Max Credits to Pay and Estimate Only. By default, everywhere. */
	readonly spendingDisplay?: IDisplayOptions;
	/** Applies the option Only New Events or Only New Prospects. Called after all requests. */
	readonly removeKnown?: (
		context: IExecuteFunctions,
		rows: ReadonlyArray<ItemRow<NoInfer<Types['options']>>>,
	) => Promise<RemainingRows<NoInfer<Types['options']>>>;
	readonly wording: ReportWording;
	/** `results` and `items` leave out every `FailedItem`. */
	readonly hints?: (
		results: SpecResults<Types>,
		run: RunContext,
		items: ReadonlyArray<Pick<PreparedItem<Types>, 'values' | 'options'>>,
	) => string[];
	readonly warnings?: (results: SpecResults<Types>) => string[];
}

/** An operation that sends the inputs of all items in shared batches. */
export interface BatchSpec<Types extends SpecTypes>
	extends OperationSpec<Types>,
		BatchConfig<Types['input'], Types['result']> {
	/** Empty if the item's ID, or all its details, are blank. Throws a UserError for invalid values. */
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
> extends OperationSpec<{
			parameters: Parameters;
			options: Options;
			input: Input;
			result: Result;
			details: never;
			lookupResult: never;
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
