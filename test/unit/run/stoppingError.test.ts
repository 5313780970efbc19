/** The error that stops a workflow: a title that says what happened and where, and a text that says what to do. */
import type { INode } from 'n8n-workflow';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import { stoppingError } from '../../../nodes/BusinessProspectData/run/execute';

const node = { name: 'Enrich', type: 'x', typeVersion: 1, id: '1' } as INode;
const FAILURE: Failure = {
	kind: 'forbidden',
	message: 'No credits left. Add some.',
	status: 402,
	correlationId: 'c-1',
};
const KEEP =
	'To keep the other rows, set On Error to "Continue (using error output)" in the node\'s settings.';
const ID = 'Correlation ID: c-1';

type Run = Parameters<typeof stoppingError>[2];

/** Of the first of ten rows, unless the run says otherwise. */
const errorOf = (failure: Partial<Failure>, run: Partial<Run>) =>
	stoppingError(node, { ...FAILURE, ...failure }, { itemIndex: 0, itemCount: 10, ...run });

const lost: Partial<Failure> = {
	...{ kind: 'noResponse', message: 'Failed.', status: undefined, correlationId: undefined },
	isLostResponse: true,
};
const OTHER_LOST = 'got no usable response and may have been charged.';
const stopped: Partial<Failure> = { ...lost, kind: 'stopped', message: 'It was stopped.' };

test.each<[failure: Partial<Failure>, run: Partial<Run>, title: string, text: string]>([
	[{}, { itemIndex: 3 }, 'Row 4 of 10: No credits left', `Add some. ${KEEP} ${ID}`],
	[
		{},
		{ itemIndex: 1_003, itemCount: 1_200, successfulRequests: 1_200 },
		'Row 1,004 of 1,200: No credits left',
		`Add some. Before that, 1,200 requests had succeeded. ${KEEP} ${ID}`,
	],
	// Of a single row, if other requests had succeeded.
	[
		{},
		{ itemCount: 1, successfulRequests: 1 },
		'No credits left',
		`Add some. Before that, 1 request had succeeded. ${KEEP} ${ID}`,
	],
	// About no row.
	[{}, { itemIndex: undefined }, 'No credits left', `Add some. ${ID}`],
	[{ isAboutAllRows: true }, { itemIndex: 3 }, 'No credits left', `Add some. ${ID}`],
	[{ kind: 'unauthorized' }, { itemIndex: 3 }, 'No credits left', `Add some. ${ID}`],
	// Its own lost response is in its message.
	[lost, { lostResponses: 3 }, 'Row 1 of 10: Failed', `2 other requests ${OTHER_LOST} ${KEEP}`],
	[
		{ ...lost, isLostResponse: false },
		{ lostResponses: 1 },
		'Row 1 of 10: Failed',
		`1 other request ${OTHER_LOST} ${KEEP}`,
	],
	// n8n keeps no rows of a cancelled execution.
	[stopped, { successfulRequests: 2 }, 'It was stopped', 'Before that, 2 requests had succeeded.'],
	// An AI agent sees only the message.
	[
		{},
		{ itemIndex: 3, successfulRequests: 1, isTool: true },
		`Row 4 of 10: No credits left. Add some. Before that, 1 request had succeeded. ${KEEP}`,
		ID,
	],
])('%j in the run %j', (failure, run, title, text) => {
	const { message, description, context } = errorOf(failure, run);

	expect([message, description]).toEqual([title, text]);
	// n8n would append it to the message, counted from 0.
	expect(context.itemIndex).toBeUndefined();
});

test.each([undefined, 504])(
	"names of Node.js errors don't replace the message (HTTP %s)",
	(status) => {
		const title = 'The service did not respond: connect ETIMEDOUT 10.0.0.7:443';
		const message = `${title}. Schepermann GmbH.`;
		const error = errorOf({ kind: 'noResponse', message, status }, { itemCount: 1 });

		expect([error.message, error.description]).toEqual([title, `Schepermann GmbH. ${ID}`]);
	},
);

test.each<[failure: Partial<Failure>, declared: unknown]>([
	[{ kind: 'unauthorized', status: 401 }, { cause: 'credential-invalid' }],
	[{ kind: 'outOfCredits' }, { cause: 'quota-exhausted' }],
	[
		{ kind: 'rateLimited', status: 429, retryAfterMs: 30_000 },
		{ cause: 'rate-limited', retryAfterMs: 30_000 },
	],
	[{ kind: 'server', status: 503 }, { cause: 'temporarily-unavailable' }],
	[lost, { cause: 'temporarily-unavailable' }],
	[{ kind: 'input', status: undefined }, { cause: 'configuration-invalid' }],
	[stopped, undefined],
])("declares the cause in n8n's terms: %j", (failure, declared) => {
	expect(errorOf(failure, {}).failure).toEqual(declared);
});
