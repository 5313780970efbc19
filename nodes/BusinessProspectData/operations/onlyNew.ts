import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';
import { cancelSignalOf } from '../api/httpRequest';
import { formatNumber } from '../core/text';
import type { OutputOptions } from '../parameters/options';
import { type ItemRow, outputItems } from '../run/output';
import { addedOption } from '../parameters/parameter';
import type { RemainingRows } from '../run/spec';

/** With more records than this, n8n forgets the oldest. */
const MAX_REMEMBERED_PER_NODE = 10_000;

const TEST_MODES: readonly WorkflowExecuteMode[] = ['manual', 'evaluation'];

interface OnlyNewWording<Name extends string> {
	readonly name: Name;
	readonly displayName: string;
	readonly pluralNoun: string;
	readonly tooManyAdvice: string;
}

/** Creates an option that leaves out records that the node has returned before, and `removeKnown`, which applies it. */
export const onlyNew = <const Name extends string>({
	name,
	displayName,
	pluralNoun,
	tooManyAdvice,
}: OnlyNewWording<Name>) => ({
	option: addedOption({
		displayName,
		name,
		description: `Whether to leave out ${pluralNoun} among the last ${formatNumber(MAX_REMEMBERED_PER_NODE)} that this node returned. No effect in test runs.`,
	}),

	/** Called after all requests, so that a run which fails before then stores nothing. */
	async removeKnown<Options extends OutputOptions & { readonly [Option in Name]: boolean }>(
		context: IExecuteFunctions,
		rows: ReadonlyArray<ItemRow<Options>>,
	): Promise<RemainingRows<Options>> {
		const keyOf = ({ row, options }: ItemRow<Options>) =>
			row.failure === undefined && options?.[name] ? row.dedupeKey : undefined;
		const keys = [...new Set(rows.map(keyOf).filter((key) => key !== undefined))];
		if (keys.length === 0) return { rows };
		if (TEST_MODES.includes(context.getMode())) {
			return {
				rows,
				hint: `${displayName} has no effect in test runs: they output all ${pluralNoun}.`,
			};
		}
		// n8n discards the rows of a cancelled execution, so these records must count as new in later runs.
		if (cancelSignalOf(context)?.aborted) return { rows };
		const store = { mode: 'entries', maxEntries: MAX_REMEMBERED_PER_NODE } as const;
		const { new: unseen } = await context.helpers.checkProcessedAndRecord(keys, 'node', store);
		const unseenKeys = new Set<unknown>(unseen);
		const kept = rows.filter((row) => {
			const key = keyOf(row);
			// Several input rows may get the same record. The operations give it to each of them only once.
			return key === undefined || unseenKeys.has(key);
		});
		if (await mayBeRunAgain(context, kept)) {
			await context.helpers.removeProcessed(unseen, 'node', store);
			return {
				rows: kept,
				hint: `${displayName} remembers nothing of this run, because the first row has an error and Retry On Fail makes n8n run the node again. Turn Retry On Fail off in the node's settings.`,
			};
		}
		if (keys.length <= MAX_REMEMBERED_PER_NODE) return { rows: kept };
		return {
			rows: kept,
			hint: `n8n remembers ${formatNumber(MAX_REMEMBERED_PER_NODE)} ${pluralNoun} per node, so some of these ${formatNumber(keys.length)} will be returned again. ${tooManyAdvice}`,
		};
	},
});

/**
 * With Retry On Fail, n8n can discard the rows and run the node again if the first output item has a field `error`, even if On
 * Error is set to continue. The field may come from the input row.
 */
async function mayBeRunAgain(
	context: IExecuteFunctions,
	rows: ReadonlyArray<ItemRow<OutputOptions>>,
): Promise<boolean> {
	if (!context.getNode().retryOnFail) return false;
	const input = context.getInputData();
	for (const row of rows) {
		const [item] = await outputItems([row], input, false);
		// Older versions of n8n count even null as an error.
		if (item !== undefined) return item.json.error !== undefined;
	}
	return false;
}
