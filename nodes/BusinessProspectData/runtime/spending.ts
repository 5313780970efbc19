import { groupBy } from '../core/collections';
import type { Failure } from '../core/outcome';
import { formatNumber, isBlank, pluralize } from '../core/text';
import { type Grouping, planBatches } from './batches';
import { booleanParameter, integerParameter, type Parameter, parameterError } from './parameters';

/**
 * Options that guard against unwanted costs. They apply to the whole run. A record is one data set or events query of one
 * person or business, or one person to match. Duplicates count once.
 */
export interface SpendingOptions {
	readonly maxRecordsToPay?: number | undefined;
	readonly estimateOnly?: boolean | undefined;
}

/** The credits of one record or, if the service publishes no price, the name by which estimates list this kind of record. */
export type Price = number | { readonly unpriced: string };

/** An option that has no effect until it is added. An empty value is an error, so that a blank cell never lifts the guard. */
const guard = <const Name extends string, Value>(
	option: Parameter<Name, Value>,
): Parameter<Name, Value | undefined> => ({
	...option,
	read: (raw) => {
		if (raw === undefined) return undefined;
		if (raw === null || (typeof raw === 'string' && isBlank(raw))) {
			throw parameterError(option.property, 'is empty. Give it a value, or remove the option.');
		}
		return option.read(raw);
	},
});

export const spendingOptions = [
	guard(
		integerParameter({
			displayName: 'Max Records to Pay',
			name: 'maxRecordsToPay',
			type: 'number',
			default: 500,
			typeOptions: { minValue: 0 },
			description:
				'Maximum number of records that one run requests. A record is one person or business, counted once for each data set; matching a person counts as one more. Duplicates count once. Rows beyond the limit fail, and nothing is sent for them. If On Error is Stop Workflow, the run fails before anything is sent. If an expression gives several limits, the lowest applies.',
		}),
	),
	guard(
		booleanParameter({
			displayName: 'Estimate Only',
			name: 'estimateOnly',
			type: 'boolean',
			default: true,
			description:
				'Whether to send nothing and return one row that says what a run would take: records, requests and, if the service publishes the price, credits. If an expression is true for any row, it applies to all.',
		}),
	),
] as const;

/** What the limit of a run leaves out. */
export interface RecordsOverLimit {
	readonly limit: number;
	/** How many records all items need. */
	readonly needed: number;
	/** How many of the needed records are within the limit. */
	readonly allowed: number;
	/** Indexes, among the inputs of all items, of those beyond the limit. */
	readonly excludedIndexes: ReadonlySet<number>;
}

/** The limit of a run; Infinity if no item has one. */
export const lowestLimit = (spending: readonly SpendingOptions[]): number =>
	spending.reduce(
		(lowest, { maxRecordsToPay = Infinity }) => Math.min(lowest, maxRecordsToPay),
		Infinity,
	);

/**
 * Applies the limit of a run to the inputs in their order. An item's records with the same key, such as the data sets of one
 * ID, stay together. After the first records that don't fit, only duplicates of allowed records pass. Undefined if nothing is
 * left out.
 */
export function limitRecords<Input>(
	items: ReadonlyArray<{ readonly inputs: readonly Input[] }>,
	limit: number,
	grouping: Grouping<Input>,
): RecordsOverLimit | undefined {
	if (limit === Infinity) return undefined;
	const { uniqueByIndex } = planBatches(
		items.flatMap(({ inputs }) => inputs),
		grouping,
	);
	const allowed = new Set<unknown>();
	const excludedIndexes = new Set<number>();
	let limitReached = false;
	let next = 0;
	for (const { inputs } of items) {
		const start = next;
		next += inputs.length;
		const own = inputs.map((input, at) => ({
			input,
			index: start + at,
			unique: uniqueByIndex[start + at],
		}));
		for (const together of groupBy(own, ({ input }) => grouping.key(input)).values()) {
			const added = together.filter(({ unique }) => !allowed.has(unique));
			limitReached ||= allowed.size + added.length > limit;
			for (const { index, unique } of added) {
				if (limitReached) excludedIndexes.add(index);
				else allowed.add(unique);
			}
		}
	}
	if (!limitReached) return undefined;
	const needed = new Set(uniqueByIndex).size;
	return { limit, needed, allowed: allowed.size, excludedIndexes };
}

/** The failure of a row beyond the limit. */
export const overLimitFailure = ({ limit, needed }: RecordsOverLimit): Failure => ({
	kind: 'overLimit',
	field: 'maxRecordsToPay',
	message: `Not requested: this row would exceed the limit of ${pluralize(limit, 'record')} (Max Records to Pay under Options); all rows together need ${formatNumber(needed)}. Raise the limit, or run the remaining rows later.`,
});

/** The failure of a run that would exceed its limit, when On Error is set to stop. */
export const runOverLimitFailure = (overLimit: RecordsOverLimit): Failure => ({
	...overLimitFailure(overLimit),
	message: `Nothing was requested: all rows together need ${pluralize(overLimit.needed, 'record')}, and Max Records to Pay under Options allows ${formatNumber(overLimit.limit)}. Raise the limit, or send fewer rows.`,
});
