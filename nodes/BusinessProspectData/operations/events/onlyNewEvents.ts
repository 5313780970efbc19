import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';
import { formatNumber } from '../../core/text';
import type { SelectedRows } from '../../runtime/spec';
import type { ItemRow } from '../../runtime/output';
import { booleanParameter } from '../../runtime/parameters';

/** How many events n8n remembers per node. It forgets the oldest first. */
const MAX_REMEMBERED = 10_000;

export const onlyNewEvents = booleanParameter({
	displayName: 'Only New Events',
	name: 'onlyNewEvents',
	type: 'boolean',
	default: false,
	description: `Whether to leave out events that this node has returned before. n8n remembers the last ${formatNumber(MAX_REMEMBERED)}. Test runs and evaluations neither remember nor leave out events. A run as a sub-workflow counts as a real run, even when you test the workflow that calls it.`,
});

/** Modes in which n8n only tests a workflow. */
const TEST_MODES: readonly WorkflowExecuteMode[] = ['manual', 'evaluation'];

/**
 * With Only New Events, leaves out events that n8n's deduplication store has seen from this node, and duplicates within
 * this run. It records events after all requests, so a run that fails earlier records nothing.
 */
export async function removeKnownEvents<Options extends { readonly onlyNewEvents: boolean }>(
	context: IExecuteFunctions,
	rows: ReadonlyArray<ItemRow<Options>>,
): Promise<SelectedRows<Options>> {
	const keyOf = ({ row, options: itemOptions }: ItemRow<Options>) =>
		row.failure === undefined && itemOptions?.onlyNewEvents ? row.key : undefined;
	const keys = [...new Set(rows.map(keyOf).filter((key) => key !== undefined))];
	if (keys.length === 0 || TEST_MODES.includes(context.getMode())) return { rows };
	const { new: unseen } = await context.helpers.checkProcessedAndRecord(keys, 'node', {
		mode: 'entries',
		maxEntries: MAX_REMEMBERED,
	});
	const remaining = new Set<unknown>(unseen);
	const kept = rows.filter((row) => {
		const key = keyOf(row);
		return key === undefined || remaining.delete(key);
	});
	if (keys.length <= MAX_REMEMBERED) return { rows: kept };
	return {
		rows: kept,
		hint: `n8n remembers ${formatNumber(MAX_REMEMBERED)} events per node, so some of these ${formatNumber(keys.length)} will be returned again. Choose a later From, or split the IDs over several nodes.`,
	};
}
