import type { IDataObject, IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';
import { cancelSignalOf } from '../api/client';
import { BUSINESS_ID_FORMAT, PROSPECT_ID_FORMAT } from '../catalog/service';
import { formatNumber } from '../core/text';
import { idsParameter } from '../runtime/lists';
import type { ItemRow } from '../runtime/output';
import { booleanParameter, optionsParameter, type Parameter } from '../runtime/parameters';
import type { RemainingRows } from '../runtime/spec';

const LIST_FORMATS =
	'separated by commas, spaces or line breaks. An expression may return a list. The IDs of all rows are sent together, in batches.';

export const prospectIds = idsParameter(
	{
		displayName: 'Prospect IDs',
		name: 'prospectIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.prospect_id }}',
		description: `One or more prospect IDs (40 characters, from Match or Get Many), ${LIST_FORMATS}`,
	},
	PROSPECT_ID_FORMAT,
);

export const businessIds = idsParameter(
	{
		displayName: 'Business IDs',
		name: 'businessIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.business_id }}',
		description: `One or more business IDs (32 characters, from Business: Find or Prospect: Get Many), ${LIST_FORMATS}`,
	},
	BUSINESS_ID_FORMAT,
);

/**
 * Shows a parameter only for one choice in Identify By.
 *
 * @param path the path of Identify By in `displayOptions`: `/identifyBy` for a parameter inside Options
 */
export const shownFor = <Shown extends Parameter>(
	choice: string,
	parameter: Shown,
	path: string,
) => ({
	...parameter,
	property: { ...parameter.property, displayOptions: { show: { [path]: [choice] } } },
});

/** The parameter Output: rows (the default), or the whole response as one row. */
export function outputParameter(
	rows: { readonly name: string; readonly value: string; readonly description: string },
	summary: string,
) {
	// n8n's lint recognizes only a literal or a plain name as a default.
	const { value: initial } = rows;
	return optionsParameter({
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: initial,
		options: [rows, { name: 'Summary', value: 'summary', description: summary }],
		description: 'What to return',
	});
}

/** A response as one row, with `response_context` last, so that people see the data first. */
export const summaryRow = ({ response_context: context, ...members }: IDataObject): IDataObject =>
	context === undefined ? members : { ...members, response_context: context };

/** How many records n8n remembers for each node. It forgets the oldest first. */
const MAX_REMEMBERED = 10_000;

/** Modes in which n8n only tests a workflow. */
const TEST_MODES: readonly WorkflowExecuteMode[] = ['manual', 'evaluation'];

/** Name and wording of an option that leaves out records that the node has returned before. */
interface OnlyNewWords<Name extends string> {
	readonly name: Name;
	readonly displayName: string;
	/** Plural. */
	readonly records: string;
	/** What to do when a run has more records than n8n remembers. */
	readonly advice: string;
}

/** Creates an option that leaves out records that the node has returned before, and the `removeKnown` function that applies it. */
export const onlyNew = <const Name extends string>({
	name,
	displayName,
	records,
	advice,
}: OnlyNewWords<Name>) => ({
	option: booleanParameter({
		displayName,
		name,
		type: 'boolean',
		default: false,
		description: `Whether to leave out ${records} that this node has returned before. n8n remembers the last ${formatNumber(MAX_REMEMBERED)}. Test runs and evaluations neither remember nor leave out ${records}. A run as a sub-workflow counts as a real run, even when you test the workflow that calls it.`,
	}),

	/**
	 * Leaves out records that n8n's deduplication store already has from this node, and duplicates within this run. Stores the
	 * others. Called after all requests, so a run that fails before then stores nothing.
	 */
	async removeKnown<Options extends { readonly [Option in Name]: boolean }>(
		context: IExecuteFunctions,
		rows: ReadonlyArray<ItemRow<Options>>,
	): Promise<RemainingRows<Options>> {
		const keyOf = ({ row, options }: ItemRow<Options>) =>
			row.failure === undefined && options?.[name] ? row.identity : undefined;
		const keys = [...new Set(rows.map(keyOf).filter((key) => key !== undefined))];
		if (keys.length === 0) return { rows };
		if (TEST_MODES.includes(context.getMode())) {
			return {
				rows,
				hint: `${displayName} has no effect in test runs: they output all ${records}.`,
			};
		}
		// n8n doesn't pass on the rows of a cancelled execution, so their records stay new.
		if (cancelSignalOf(context)?.aborted) return { rows };
		const store = { mode: 'entries', maxEntries: MAX_REMEMBERED } as const;
		const { new: unseen } = await context.helpers.checkProcessedAndRecord(keys, 'node', store);
		const remaining = new Set<unknown>(unseen);
		const kept = rows.filter((row) => {
			const key = keyOf(row);
			return key === undefined || remaining.delete(key);
		});
		if (mayBeRunAgain(context, kept)) {
			await context.helpers.removeProcessed(unseen, 'node', store);
			return {
				rows: kept,
				hint: `${displayName} remembers nothing of this run, because a row failed and Retry On Fail makes n8n run the node again. Turn Retry On Fail off in the node's settings.`,
			};
		}
		if (keys.length <= MAX_REMEMBERED) return { rows: kept };
		return {
			rows: kept,
			hint: `n8n remembers ${formatNumber(MAX_REMEMBERED)} ${records} per node, so some of these ${formatNumber(keys.length)} will be returned again. ${advice}`,
		};
	},
});

/**
 * True if n8n may discard the rows and run the node again. With Retry On Fail, n8n does so if the first item is an error, even
 * if On Error is set to continue. Rows without data are skipped, because the output may leave them out.
 */
function mayBeRunAgain(context: IExecuteFunctions, rows: ReadonlyArray<ItemRow<unknown>>): boolean {
	const first = rows.find(({ row }) => row.failure !== undefined || !row.empty);
	return context.getNode().retryOnFail === true && first?.row.failure !== undefined;
}
