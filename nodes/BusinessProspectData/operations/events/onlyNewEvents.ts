import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';
import { formatNumber } from '../../core/text';
import type { SelectedRows } from '../../runtime/spec';
import type { ItemRow } from '../../runtime/output';
import { flag } from '../../runtime/parameters';

/** How many events n8n remembers for one node; the oldest are forgotten first. */
const MAX_REMEMBERED = 10_000;

export const onlyNewEvents = flag({
	displayName: 'Only New Events',
	name: 'onlyNewEvents',
	type: 'boolean',
	default: false,
	description: `Whether to leave out events that this node has put out before. n8n remembers the last ${formatNumber(MAX_REMEMBERED)}. Test runs and evaluations neither remember nor leave out events. A run as a sub-workflow counts as a real run, even when you test the workflow that calls it.`,
});

/** How n8n runs a workflow that is only being tried out. */
const TEST_MODES: readonly WorkflowExecuteMode[] = ['manual', 'evaluation'];

/**
 * With Only New Events, leaves out what n8n's deduplication store has seen of this node, and what comes twice in this
 * run. It is recorded now, after all requests: a run that stopped before has recorded nothing.
 */
export async function removeKnownEvents<Options extends { readonly onlyNewEvents: boolean }>(
	context: IExecuteFunctions,
	rows: ReadonlyArray<ItemRow<Options>>,
): Promise<SelectedRows<Options>> {
	const keyOf = ({ row, options: own }: ItemRow<Options>) =>
		row.failure === undefined && own?.onlyNewEvents ? row.key : undefined;
	const keys = [...new Set(rows.map(keyOf).filter((key) => key !== undefined))];
	if (keys.length === 0 || TEST_MODES.includes(context.getMode())) return { rows };
	const { new: fresh } = await context.helpers.checkProcessedAndRecord(keys, 'node', {
		mode: 'entries',
		maxEntries: MAX_REMEMBERED,
	});
	const left = new Set<unknown>(fresh);
	const kept = rows.filter((row) => {
		const key = keyOf(row);
		return key === undefined || left.delete(key);
	});
	if (keys.length <= MAX_REMEMBERED) return { rows: kept };
	return {
		rows: kept,
		hint: `n8n remembers ${formatNumber(MAX_REMEMBERED)} events of a node; of these ${formatNumber(keys.length)} some will come again. Choose a later From, or split the IDs over several nodes.`,
	};
}
