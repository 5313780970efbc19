import type { Failure, Outcome } from '../core/outcome';

export interface InputResult<Input, Result> {
	readonly input: Input;
	readonly outcome: Outcome<Result>;
	/** True if this input duplicated an earlier one and shares its outcome. */
	readonly duplicate: boolean;
}

/** An input of an item on its way through a run. */
export interface BatchEntry<Input, Result> extends InputResult<Input, Result> {
	outcome: Outcome<Result>;
	duplicate: boolean;
	/** True if the outcome is known. Such an input isn't sent. */
	settled: boolean;
}

type AnyEntry = BatchEntry<unknown, unknown>;

/** The outcome of an input for which nothing arrives. */
const NO_OUTCOME: { readonly failure: Failure } = {
	failure: {
		kind: 'unreadable',
		message: 'The service returned no result for this row. Try again later.',
	},
};

export const newEntry = <Input, Result>(input: Input): BatchEntry<Input, Result> => ({
	input,
	outcome: NO_OUTCOME,
	duplicate: false,
	settled: false,
});

export function settle<Result>(
	entry: BatchEntry<unknown, Result>,
	outcome: Outcome<Result> = NO_OUTCOME,
): void {
	entry.outcome = outcome;
	entry.settled = true;
}

export const isOpen = ({ settled }: AnyEntry): boolean => !settled;
