import { type INode, NodeApiError, type NodeOperationError } from 'n8n-workflow';
import { operationError, withMessage } from '../api/operationError';
import type { Failure, FailureKind } from '../core/outcome';
import { formatNumber, pluralize } from '../core/text';

/** Failures that aren't about a single row. */
const ABOUT_ALL_ROWS: readonly FailureKind[] = ['stopped', 'unauthorized', 'overLimit'];

/** How far a run got before it stopped. */
interface StoppedRun {
	/** The item with the root cause; absent if the failure isn't about an item. */
	readonly itemIndex?: number | undefined;
	readonly itemCount: number;
	readonly successfulRequests: number;
}

/**
 * The error that stops the workflow. Its message is complete: AI agents and the log show nothing else. The message numbers the
 * row itself, because n8n would append an index that counts from 0.
 */
export function stoppingError(
	node: INode,
	{ message: cause, kind, status, correlationId }: Failure,
	{ itemIndex, itemCount, successfulRequests }: StoppedRun,
): NodeApiError | NodeOperationError {
	const row = itemCount > 1 && !ABOUT_ALL_ROWS.includes(kind) ? itemIndex : undefined;
	const succeeded = pluralize(
		successfulRequests,
		'request had succeeded',
		'requests had succeeded',
	);
	// n8n keeps no rows of a cancelled execution, whatever On Error says.
	const canContinue = kind !== 'stopped' && (row !== undefined || successfulRequests > 0);
	const message = [
		cause,
		row !== undefined && `Row ${formatNumber(row + 1)} of ${formatNumber(itemCount)} failed first.`,
		successfulRequests > 0 && `Before that, ${succeeded}.`,
		canContinue &&
			'To keep the other rows, set On Error to "Continue (using error output)" in the node\'s settings.',
	]
		.filter(Boolean)
		.join(' ');
	const description = correlationId === undefined ? undefined : `Correlation ID: ${correlationId}`;
	if (status === undefined) return operationError(node, message, description);
	const options = { message, description, httpCode: String(status) };
	return withMessage(new NodeApiError(node, { message }, options), message);
}
