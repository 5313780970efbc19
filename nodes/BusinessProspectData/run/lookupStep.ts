import type { IDataObject } from 'n8n-workflow';
import type { ValueFormat } from '../core/text';
import type { BatchConfig } from './batches';
import { type BatchEntry, type InputResult, newEntry } from './inputs';

export interface ResolvedId {
	/** Null if the details have no match, or several. */
	readonly id: string | null;
}

/** One kind of request that leads from details to an ID, such as a match. */
export interface LookupStep<
	Details extends object = object,
	Result = unknown,
	Resolved extends ResolvedId = ResolvedId,
> extends BatchConfig<Details, Result> {
	readonly idFormat: ValueFormat;
	/** Most records that a lookup pays for. */
	readonly maxRecords: number;
	/** How many a request paid for, given its lookups. By default, one each. */
	recordsIn?(results: ReadonlyArray<InputResult<Details, Result>>): number;
	/** True if the records are people who were searched, not matched. */
	readonly isSearch?: boolean;
	/**
	 * Stands in for the ID until the lookup, so that estimates and limits can count the item's inputs. Details with equal
	 * provisional IDs count as one ID. By default the key.
	 */
	provisionalId?(details: Details): string;
	resolve(result: Result, details: Details): Resolved;
}

/** Details on their way to an ID. */
export interface Lookup<Resolved extends ResolvedId = ResolvedId> extends BatchEntry<
	object,
	unknown
> {
	readonly step: LookupStep<object, unknown, Resolved>;
	/** What to look up with the ID, such as the company of a person. Absent if the ID is the item's. */
	readonly next?: ((id: string) => Lookup<Resolved>) | undefined;
	/** IDs of earlier steps, which the error of a failed lookup keeps: they may have been paid for. */
	readonly foundBefore?: IDataObject | undefined;
}

export const newLookup = <Details extends object, Result, Resolved extends ResolvedId>(
	step: LookupStep<Details, Result, Resolved>,
	details: Details,
	more?: Pick<Lookup<Resolved>, 'next' | 'foundBefore'>,
): Lookup<Resolved> => {
	// No spread: every row with details has a lookup.
	const { input, outcome, duplicate, settled } = newEntry<object, unknown>(details);
	const { next, foundBefore } = more ?? {};
	return { input, outcome, duplicate, settled, step, next, foundBefore };
};

export const provisionalIdOf = ({ step, input }: Lookup): string =>
	step.provisionalId?.(input) ?? step.key(input);
