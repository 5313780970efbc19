import type { Company } from './companies';

export interface BusinessParameters {
	readonly topics?: readonly string[];
	readonly min_score?: number;
	readonly month_period?: string;
}

/** What a data set may look at besides the company itself. */
export interface Surroundings {
	readonly company: (index: number) => Company;
	readonly companies: number;
	readonly now: Date;
}

type Data = Record<string, unknown>;
/** One data set's `data` of a company; `undefined` when the provider has none. */
export type DataSet = (
	company: Company,
	given: BusinessParameters,
	around: Surroundings,
) => Data | undefined;
