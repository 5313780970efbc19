/** The error that stops a workflow: its message alone says what happened, where, and what to do. */
import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import { stoppingError } from '../../../nodes/BusinessProspectData/run/execute';

const node = { name: 'Enrich', type: 'x', typeVersion: 1, id: '1' } as INode;
const FAILURE: Failure = {
	kind: 'forbidden',
	message: 'No credits left.',
	status: 402,
	correlationId: 'c-1',
	issues: [{ member: 'ids', message: 'internal' }],
};
const KEEP =
	'To keep the other rows, set On Error to "Continue (using error output)" in the node\'s settings.';
const after = (successfulRequests: number, itemIndex = 0, itemCount = 10) => ({
	successfulRequests,
	itemIndex,
	itemCount,
});

test.each([
	[0, `No credits left. Row 4 of 10 failed first. ${KEEP}`],
	[1, `No credits left. Row 4 of 10 failed first. Before that, 1 request had succeeded. ${KEEP}`],
	[
		1_200,
		`No credits left. Row 4 of 10 failed first. Before that, 1,200 requests had succeeded. ${KEEP}`,
	],
])('after %d requests', (requests, message) => {
	const error = stoppingError(node, FAILURE, after(requests, 3));
	expect(error.message).toBe(message);
	expect(error.description).toBe('Correlation ID: c-1');
	// n8n would append it to the message, counted from 0.
	expect(error.context.itemIndex).toBeUndefined();
});

test.each<[Partial<Failure>, lostResponses: number, lost: string]>([
	[{ isLostResponse: true }, 1, ''],
	[{ isLostResponse: true }, 3, '2 other requests got no response and may have been charged. '],
	// Of a request that costs nothing.
	[{}, 1, '1 other request got no response and may have been charged. '],
	[{ kind: 'forbidden' }, 1, '1 other request got no response and may have been charged. '],
])('%j, with %d lost responses', (more, lostResponses, lost) => {
	const failure: Failure = { kind: 'noResponse', message: 'Failed.', ...more };

	expect(stoppingError(node, failure, { ...after(0), lostResponses }).message).toBe(
		`Failed. Row 1 of 10 failed first. ${lost}${KEEP}`,
	);
});

test('of a single row, if other requests had succeeded', () => {
	expect(stoppingError(node, FAILURE, after(1_500, 0, 1)).message).toBe(
		`No credits left. Before that, 1,500 requests had succeeded. ${KEEP}`,
	);
});

test.each<[string, Failure, typeof NodeApiError | typeof NodeOperationError]>([
	['a wrong value', { kind: 'input', message: 'Wrong value.' }, NodeOperationError],
	['no connection', { kind: 'unreachable', message: 'No host.' }, NodeOperationError],
	['a wrong key', { kind: 'unauthorized', message: 'Wrong key.', status: 401 }, NodeApiError],
	['a failing service', { kind: 'server', message: 'It failed.', status: 503 }, NodeApiError],
	['a failed request', { kind: 'reported', message: 'Failure.', status: 200 }, NodeApiError],
])('n8n shows %s with our message', (_what, failure, type) => {
	const error = stoppingError(node, failure, after(0, 0, 1));
	expect(error).toBeInstanceOf(type);
	expect(error.message).toBe(failure.message);
	expect(error.description ?? undefined).toBeUndefined();
	expect(JSON.stringify(error)).toContain(failure.message);
	if (error instanceof NodeApiError) expect(error.httpCode).toBe(String(failure.status));
});

test.each([
	['an HTTP status', 200],
	['none', undefined],
])('the correlation ID of a response is shown with %s', (_what, status) => {
	const failure: Failure = { kind: 'unreadable', message: 'Odd.', status, correlationId: 'c-2' };
	expect(stoppingError(node, failure, after(0)).description).toBe('Correlation ID: c-2');
});

test.each<[Failure['kind'], string]>([
	['input', `Wrong. Row 1,004 of 1,200 failed first. ${KEEP}`],
	['invalid', `Wrong. Row 1,004 of 1,200 failed first. ${KEEP}`],
	['server', `Wrong. Row 1,004 of 1,200 failed first. ${KEEP}`],
	['unauthorized', 'Wrong.'],
	['overLimit', 'Wrong.'],
	['stopped', 'Wrong.'],
])('a failure of the kind %s says whether a row is at fault, counted from 1', (kind, message) => {
	expect(stoppingError(node, { kind, message: 'Wrong.' }, after(0, 1_003, 1_200)).message).toBe(
		message,
	);
	expect(stoppingError(node, { kind, message: 'Wrong.' }, after(0, 0, 1)).message).toBe('Wrong.');
});

test('no advice to keep the rows of a cancelled execution', () => {
	const failure: Failure = { kind: 'stopped', message: 'The execution was stopped.' };
	expect(stoppingError(node, failure, after(2)).message).toBe(
		'The execution was stopped. Before that, 2 requests had succeeded.',
	);
});

test('about no row: the message names none', () => {
	const failure: Failure = { kind: 'input', message: 'n8n has lost its database.' };
	expect(stoppingError(node, failure, { itemCount: 10, successfulRequests: 1 }).message).toBe(
		`n8n has lost its database. Before that, 1 request had succeeded. ${KEEP}`,
	);
});

test.each([undefined, 504])(
	"names of Node.js errors don't replace the message (HTTP %s)",
	(status) => {
		const message =
			'The service did not respond: connect ETIMEDOUT 10.0.0.7:443. Schepermann GmbH.';
		const error = stoppingError(node, { kind: 'noResponse', message, status }, after(0, 0, 1));
		expect(error.message).toBe(message);
	},
);
