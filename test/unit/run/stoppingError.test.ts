/** The error that stops a workflow: a title that says what happened and where, and a text that says what to do. */
import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import { stoppingError } from '../../../nodes/BusinessProspectData/run/execute';

const node = { name: 'Enrich', type: 'x', typeVersion: 1, id: '1' } as INode;
const FAILURE: Failure = {
	kind: 'forbidden',
	message: 'No credits left. Add some.',
	status: 402,
	correlationId: 'c-1',
	issues: [{ member: 'ids', message: 'internal' }],
};
const KEEP =
	'To keep the other rows, set On Error to "Continue (using error output)" in the node\'s settings.';
const textOf = ({ message, description }: NodeApiError | NodeOperationError) => [
	message,
	description ?? '',
];
const after = (successfulRequests: number, itemIndex = 0, itemCount = 10) => ({
	successfulRequests,
	itemIndex,
	itemCount,
});

test.each([
	[0, KEEP],
	[1, `Before that, 1 request had succeeded. ${KEEP}`],
	[1_200, `Before that, 1,200 requests had succeeded. ${KEEP}`],
])('after %d requests', (requests, text) => {
	const error = stoppingError(node, FAILURE, after(requests, 3));
	expect(textOf(error)).toEqual([
		'Row 4 of 10: No credits left',
		`Add some. ${text} Correlation ID: c-1`,
	]);
	// n8n would append it to the message, counted from 0.
	expect(error.context.itemIndex).toBeUndefined();
});

test.each<[Partial<Failure>, lostResponses: number, lost: string]>([
	[{ isLostResponse: true }, 1, ''],
	[
		{ isLostResponse: true },
		3,
		'2 other requests got no usable response and may have been charged. ',
	],
	// Of a request that costs nothing.
	[{}, 1, '1 other request got no usable response and may have been charged. '],
	[{ kind: 'forbidden' }, 1, '1 other request got no usable response and may have been charged. '],
])('%j, with %d lost responses', (more, lostResponses, lost) => {
	const failure: Failure = { kind: 'noResponse', message: 'Failed.', ...more };

	expect(textOf(stoppingError(node, failure, { ...after(0), lostResponses }))).toEqual([
		'Row 1 of 10: Failed',
		lost + KEEP,
	]);
});

test('of a single row, if other requests had succeeded', () => {
	expect(textOf(stoppingError(node, FAILURE, after(1_500, 0, 1)))).toEqual([
		'No credits left',
		`Add some. Before that, 1,500 requests had succeeded. ${KEEP} Correlation ID: c-1`,
	]);
});

test('an AI agent, which sees only the message, gets all of it there', () => {
	expect(textOf(stoppingError(node, FAILURE, { ...after(1, 3), isTool: true }))).toEqual([
		`Row 4 of 10: No credits left. Add some. Before that, 1 request had succeeded. ${KEEP}`,
		'Correlation ID: c-1',
	]);
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
	const title = failure.message.slice(0, -1);
	expect(textOf(error)).toEqual([title, '']);
	expect(JSON.stringify(error)).toContain(title);
	if (error instanceof NodeApiError) expect(error.httpCode).toBe(String(failure.status));
});

test.each([
	['an HTTP status', 200],
	['none', undefined],
])('the correlation ID of a response is shown with %s', (_what, status) => {
	const failure: Failure = { kind: 'unreadable', message: 'Odd.', status, correlationId: 'c-2' };
	expect(stoppingError(node, failure, after(0)).description).toMatch(/ Correlation ID: c-2$/);
});

test.each<[Failure['kind'], string]>([
	['input', 'Row 1,004 of 1,200: Wrong'],
	['invalid', 'Row 1,004 of 1,200: Wrong'],
	['server', 'Row 1,004 of 1,200: Wrong'],
	['unauthorized', 'Wrong'],
	['overLimit', 'Wrong'],
	['stopped', 'Wrong'],
])('a failure of the kind %s says whether a row is at fault, counted from 1', (kind, message) => {
	expect(stoppingError(node, { kind, message: 'Wrong.' }, after(0, 1_003, 1_200)).message).toBe(
		message,
	);
	expect(stoppingError(node, { kind, message: 'Wrong.' }, after(0, 0, 1)).message).toBe('Wrong');
});

test('no advice to keep the rows of a cancelled execution', () => {
	const failure: Failure = { kind: 'stopped', message: 'The execution was stopped.' };
	expect(textOf(stoppingError(node, failure, after(2)))).toEqual([
		'The execution was stopped',
		'Before that, 2 requests had succeeded.',
	]);
});

test('about no row: the message names none', () => {
	const failure: Failure = { kind: 'input', message: 'n8n has lost its database.' };
	expect(textOf(stoppingError(node, failure, { itemCount: 10, successfulRequests: 1 }))).toEqual([
		'n8n has lost its database',
		`Before that, 1 request had succeeded. ${KEEP}`,
	]);
});

test.each([undefined, 504])(
	"names of Node.js errors don't replace the message (HTTP %s)",
	(status) => {
		const title = 'The service did not respond: connect ETIMEDOUT 10.0.0.7:443';
		const message = `${title}. Schepermann GmbH.`;
		const error = stoppingError(node, { kind: 'noResponse', message, status }, after(0, 0, 1));
		expect(textOf(error)).toEqual([title, 'Schepermann GmbH.']);
	},
);
