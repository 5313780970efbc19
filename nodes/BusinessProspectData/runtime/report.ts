import { pluralize, formatNumber } from '../core/text';

/** What a run did, for its hint. */
export interface RunStats {
	/** Rows that came, without error items and with those left out. */
	readonly rows: number;
	/** How many requests were answered. */
	readonly requests: number;
	/** Values that were asked for in place of an equal one. */
	readonly repeated: number;
	/** Rows for which the service has nothing. */
	readonly empty: number;
	/** Rows that were left out, since there is nothing in them. */
	readonly dropped: number;
	/** Items that asked for nothing, since their identifier is blank. */
	readonly blank: number;
	readonly failed: number;
}

/** The words of an operation's hint: `Enriched 1,000 prospects …`. */
export interface ReportWording {
	readonly verb: string;
	readonly one: string;
	/** By default `one` with an s. */
	readonly many?: string;
	/** What is said of rows without data. */
	readonly empty?: string;
}

/** One sentence on what was done: `Enriched 1,000 prospects in 40 requests; 37 had no data.` */
export function reportMessage(
	tally: RunStats,
	{ verb, one, many, empty = 'had no data' }: ReportWording,
): string {
	const parts = [
		`${verb} ${pluralize(tally.rows, one, many)} in ${pluralize(tally.requests, 'request')}`,
		tally.repeated > 0 &&
			`${pluralize(tally.repeated, 'duplicate was', 'duplicates were')} asked for once`,
		tally.empty > 0 && `${formatNumber(tally.empty)} ${empty}`,
		tally.blank > 0 && `${pluralize(tally.blank, 'item')} had no ID`,
		tally.dropped > 0 && `${pluralize(tally.dropped, 'row')} without data left out`,
		tally.failed > 0 && `${pluralize(tally.failed, 'row')} failed`,
	];
	return `${parts.filter(Boolean).join('; ')}.`;
}
