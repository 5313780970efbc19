import { type INode, NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';
import { asText } from '../core/json';
import type { Failure, FailureKind, Outcome } from '../core/outcome';
import { formatNumber, pluralize } from '../core/text';

/**
 * The error with exactly this message. n8n's constructors replace a message that contains an error code such as `ETIMEDOUT`,
 * even inside a word. The replacement for `ETIMEDOUT` advises turning on Retry On Fail, which would cost credits again.
 */
function withMessage<NodeError extends Error>(error: NodeError, message: string): NodeError {
	error.message = message;
	return error;
}

/** An error of the node with exactly this message. */
export const operationError = (
	node: INode,
	message: string,
	description?: string,
): NodeOperationError =>
	withMessage(new NodeOperationError(node, message, { description }), message);

/** Calls a function and turns what it throws into a failure. */
export function toOutcome<Value>(call: () => Value): Outcome<Value> {
	try {
		return { value: call() };
	} catch (error) {
		return { failure: toFailure(error) };
	}
}

/** Like `toOutcome`, for async functions. */
export async function toOutcomeAsync<Value>(call: () => Promise<Value>): Promise<Outcome<Value>> {
	try {
		return { value: await call() };
	} catch (error) {
		return { failure: toFailure(error) };
	}
}

/** Converts what was thrown, by this node or by n8n, into a failure. A UserError may name the parameter at fault. */
export function toFailure(error: unknown): Failure {
	const message = error instanceof Error ? error.message : String(error);
	const field = error instanceof UserError ? asText(error.extra?.field) : undefined;
	return { kind: 'input', message, field };
}

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
