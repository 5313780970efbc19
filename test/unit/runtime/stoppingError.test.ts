/** The error that stops a run: its message alone says what happened, where, and what to do. */
import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import { stoppingError } from '../../../nodes/BusinessProspectData/runtime/stoppingError';

const node: INode = {
	id: 'node',
	name: 'Enrich',
	type: 'enrich',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const CAUSE = 'The service failed.';
const KEEP =
	'To keep the other rows, set On Error to "Continue (using error output)" in the node\'s settings.';

const errorOf = (failure: Partial<Failure>, itemCount: number, successfulRequests: number) =>
	stoppingError(
		node,
		{ kind: 'server', message: CAUSE, ...failure },
		{ itemIndex: 1_233, itemCount, successfulRequests },
	);

test.each<[what: string, kind: Failure['kind'], items: number, requests: number, message: string]>([
	['the row', 'server', 2_000, 0, `${CAUSE} Row 1,234 of 2,000 failed first. ${KEEP}`],
	[
		'the row and one success',
		'server',
		2_000,
		1,
		`${CAUSE} Row 1,234 of 2,000 failed first. Before that, 1 request had succeeded. ${KEEP}`,
	],
	[
		'the successes of a single row',
		'server',
		1,
		1_500,
		`${CAUSE} Before that, 1,500 requests had succeeded. ${KEEP}`,
	],
	['nothing else for a single row', 'server', 1, 0, CAUSE],
	['no row for a wrong key', 'unauthorized', 2_000, 0, CAUSE],
	['no row beyond the limit', 'overLimit', 2_000, 0, CAUSE],
	[
		'no way to keep the rows of a cancelled execution',
		'stopped',
		2_000,
		3,
		`${CAUSE} Before that, 3 requests had succeeded.`,
	],
])('says %s', (_what, kind, items, requests, message) => {
	expect(errorOf({ kind }, items, requests).message).toBe(message);
});

test('shows the correlation ID and the HTTP status', () => {
	const response = errorOf({ status: 503, correlationId: 'abc-1' }, 2, 0);

	expect(response).toBeInstanceOf(NodeApiError);
	expect(response).toMatchObject({ httpCode: '503', description: 'Correlation ID: abc-1' });
	expect(response.message).toMatch(/^The service failed\. Row/);
});

test('has no description without a correlation ID, and is no response without a status', () => {
	const error = errorOf({}, 2, 0);

	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error.description ?? undefined).toBeUndefined();
	expect(errorOf({ status: 503 }, 2, 0).description ?? undefined).toBeUndefined();
});
