import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Failure } from '../core/outcome';
import { formatNumber, pluralize } from '../core/text';

/** How far a run came before it stopped. */
export interface StoppedRun {
	readonly itemIndex: number;
	readonly itemCount: number;
	readonly successfulRequests: number;
}

/**
 * The error that stops the workflow. Its message is complete: AI agents and the log show nothing else.
 *
 * @param itemIndex the input item that failed, of `itemCount`
 */
export function stoppingError(
	node: INode,
	{ message: cause, kind, status, correlationId }: Failure,
	{ itemIndex, itemCount, successfulRequests }: StoppedRun,
): NodeApiError | NodeOperationError {
	const isRowAtFault = itemCount > 1 && (kind === 'input' || kind === 'invalid');
	const succeeded = pluralize(
		successfulRequests,
		'request had succeeded',
		'requests had succeeded',
	);
	// n8n keeps no rows of a cancelled execution, whatever On Error says.
	const canContinue = kind !== 'stopped' && (isRowAtFault || successfulRequests > 0);
	const message = [
		cause,
		isRowAtFault && `This is row ${formatNumber(itemIndex + 1)} of ${formatNumber(itemCount)}.`,
		successfulRequests > 0 && `Before that, ${succeeded}.`,
		canContinue &&
			'To keep the other rows, set On Error to "Continue (using error output)" in the node\'s settings.',
	]
		.filter(Boolean)
		.join(' ');
	const description = correlationId === undefined ? undefined : `Correlation ID: ${correlationId}`;
	return status === undefined
		? new NodeOperationError(node, message, { itemIndex, description })
		: new NodeApiError(
				node,
				{ message },
				{ message, description, httpCode: String(status), itemIndex },
			);
}
