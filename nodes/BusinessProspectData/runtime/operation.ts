import { hash } from 'node:crypto';
import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { Client } from '../api/client';
import type { Outcome } from '../core/outcome';
import type { BatchResult, BatchFunctions } from './batches';
import type { SharedOptions } from './options';
import { type Row, rowsOf } from './output';
import type { Parameter, ValuesOf } from './parameters';
import type { ReportWording } from './report';
import { execute } from './execute';

/** An operation of the node, as the registry lists it. */
export interface Operation {
	readonly resource: string;
	readonly value: string;
	readonly name: string;
	readonly action: string;
	readonly description: string;
	/** Without the resource and operation that they show for: the registry adds those. */
	readonly properties: readonly INodeProperties[];
	readonly execute: (context: IExecuteFunctions) => Promise<INodeExecutionData[]>;
}

/** When and where an execution runs. */
export interface RunContext {
	/** Milliseconds since 1970. */
	readonly now: number;
	/** IANA name of the workflow's time zone. */
	readonly timezone: string;
	/** Whether the node runs as a tool of an AI agent. */
	readonly tool: boolean;
}

/** The rows that are put out, and what is to be said about it. */
export interface Selected<Options> {
	readonly rows: ReadonlyArray<ItemRow<Options>>;
	readonly hint?: string;
}

/** A row with the item that it belongs to. */
export interface ItemRow<Options> {
	readonly row: Row;
	readonly item: number;
	/** Absent where the item could not be read. */
	readonly options?: Options;
	/** Whether the item asked for nothing, since its identifier is blank. */
	readonly blank?: boolean;
}

/** What operations of both forms say. */
interface Described<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Ask,
	Answer,
> extends Omit<Operation, 'properties' | 'execute'> {
	readonly parameters: Parameters;
	readonly options: Parameter<'options', Options>;
	/** Fields that say what a row is about: they come out whatever Fields names. */
	readonly identifiers?: readonly string[];
	/** All top-level fields of an item's rows, where they are known beforehand. */
	readonly rowFields?: (values: ValuesOf<Parameters>) => readonly string[];
	/** The words of the hint that says what was done. */
	readonly wording: ReportWording;
	/** Further hints on what came out; `values` are those of the items that could be read. */
	readonly hints?: (
		answered: ReadonlyArray<BatchResult<Ask, Answer>>,
		setting: RunContext,
		values: ReadonlyArray<ValuesOf<Parameters>>,
	) => string[];
	/** Hints that are shown as warnings. */
	readonly warnings?: (answered: ReadonlyArray<BatchResult<Ask, Answer>>) => string[];
	/** The last word on the rows of all items, once nothing can fail any more: which of them are put out. */
	readonly select?: (
		context: IExecuteFunctions,
		rows: ReadonlyArray<ItemRow<Options>>,
	) => Promise<Selected<Options>>;
}

/** An operation whose asks go out in batches across all items. */
export interface BatchSpec<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Ask,
	Answer,
> extends Described<Parameters, Options, Ask, Answer>,
		Omit<BatchFunctions<Ask, Answer>, 'send'> {
	/** What one item asks for; nothing when its identifier is blank. Throws what is wrong with its values. */
	readonly inputs: (values: ValuesOf<Parameters>, options: Options, setting: RunContext) => Ask[];
	/** One request: an outcome for each ask, in their order, or the failure of the whole. */
	readonly send: (
		client: Client,
		asks: readonly Ask[],
	) => Promise<Outcome<ReadonlyArray<Outcome<Answer>>>>;
	/** The rows of an item, of what came for all that it asked for. */
	readonly rows: (
		answered: ReadonlyArray<BatchResult<Ask, Answer>>,
		values: ValuesOf<Parameters>,
	) => Row[];
}

/** An operation that asks for each item by itself. */
interface ItemSpec<
	Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Ask,
	Answer,
> extends Described<Parameters, Options, Ask, Answer>,
		Pick<BatchFunctions<Ask, Answer>, 'field' | 'list'> {
	/** What the item asks for. Throws what is wrong with its values. */
	readonly input: (values: ValuesOf<Parameters>, options: Options, setting: RunContext) => Ask;
	/** One request, or the few that belong to one ask. */
	readonly send: (client: Client, ask: Ask) => Promise<Outcome<Answer>>;
	/** The rows of an item, of the answer; its failure becomes an error row after them. */
	readonly rows: (answer: Answer, values: ValuesOf<Parameters>) => Row[];
}

/** An operation whose endpoint takes a list: the values of all items go out in batches. */
export function perBatch<
	const Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Ask,
	Answer,
>(spec: BatchSpec<Parameters, Options, Ask, Answer>): Operation {
	const { resource, value, name, action, description, parameters, options } = spec;
	return {
		resource,
		value,
		name,
		action,
		description,
		properties: [...parameters, options].map(({ property }) => property),
		execute: async (context) => await execute(context, spec),
	};
}

/** An operation whose endpoint takes one ask; items that ask for the same share the answer. */
export function perItem<
	const Parameters extends readonly Parameter[],
	Options extends SharedOptions,
	Ask,
	Answer,
>(spec: ItemSpec<Parameters, Options, Ask, Answer>): Operation {
	return perBatch({
		...spec,
		inputs: (values, options, setting) => [spec.input(values, options, setting)],
		// A hash, since each item keeps its own: with 10,000 IDs in it, the JSON has half a megabyte.
		group: (ask) => hash('sha256', JSON.stringify(ask), 'base64url'),
		key: () => '',
		limit: () => 1,
		send: async (client, asks) => {
			const outcomes = await Promise.all(asks.map(async (ask) => await spec.send(client, ask)));
			const [only] = outcomes;
			const failed = only?.value === undefined ? only?.failure : undefined;
			return failed === undefined ? { value: outcomes } : { failure: failed };
		},
		rows: (answered, values) =>
			answered.flatMap(({ outcome }) => rowsOf(outcome, (answer) => spec.rows(answer, values))),
	});
}
