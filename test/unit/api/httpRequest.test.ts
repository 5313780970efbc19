/** The result of a request: a response, or the error code of a failed connection. */
import {
	type IHttpRequestOptions,
	type INode,
	NodeApiError,
	NodeOperationError,
	UserError,
} from 'n8n-workflow';
import {
	type ServiceContext,
	httpRequest,
} from '../../../nodes/BusinessProspectData/api/httpRequest';
import { enrich, fakeService, OK, search } from './service';

const BASE_URL = 'https://service.example';

/** A context with this request helper. */
const contextWith = (
	httpRequestWithAuthentication: (type: string, options: IHttpRequestOptions) => Promise<unknown>,
): ServiceContext =>
	Object.assign(fakeService(() => OK).context, { helpers: { httpRequestWithAuthentication } });

const failing = (error: unknown) => contextWith(async () => await Promise.reject(error));

const responseOf = async (context: ServiceContext) =>
	await httpRequest(context, BASE_URL, enrich, 1_000);

test('returns status, headers and body', async () => {
	const response = { headers: { 'retry-after': '1' }, body: { data: [] } };
	const received = { ...response, statusCode: '200', statusMessage: 'OK' };

	expect(await responseOf(contextWith(async () => received))).toEqual({ status: 200, ...response });
	expect(await responseOf(contextWith(async () => ({ statusCode: 204 })))).toEqual({
		status: 204,
		headers: {},
	});
});

const AS_TEXT = { headers: { 'content-type': 'application/json' } };

test.each<[what: string, request: object, expected: object]>([
	// n8n drops an empty object, and keys such as `__proto__`.
	['an empty body as text', { body: {} }, { body: '{}', ...AS_TEXT }],
	[
		'a body of a Custom API Call as text',
		{ body: { a: 1 }, custom: true },
		{ body: '{"a":1}', ...AS_TEXT },
	],
	['a body as an object', { body: { ids: ['a'] } }, { body: { ids: ['a'] } }],
])('sends %s', async (_what, request, expected) => {
	let sent: Partial<IHttpRequestOptions> = {};
	const context = contextWith(async (_type, options) => {
		sent = options;
		return { statusCode: 200 };
	});

	await httpRequest(context, BASE_URL, { ...search, query: [['text', 'a b']], ...request }, 1_000);

	expect(sent).toEqual({
		method: 'POST',
		url: `${BASE_URL}/v1/prospects?text=a%20b`,
		json: true,
		timeout: 1_000,
		abortSignal: expect.any(AbortSignal),
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		...expected,
	});
});

const withCode = (code: unknown, cause?: unknown) =>
	Object.assign(new Error('Lost', { cause }), { code });

const withHttpCode = (httpCode: unknown, cause?: unknown) =>
	Object.assign(new Error('Lost', { cause }), { httpCode });

const node: INode = {
	...{ id: 'node', name: 'Prospects', type: 'prospects', typeVersion: 1, position: [0, 0] },
	parameters: {},
};
const blocked = new UserError('Blocked', { description: 'Not allowed.' });
const notSent = (...reasons: string[]) => ({ code: 'NOT_SENT', reasons });
const BLOCKED = notSent('Blocked', 'Not allowed.');
const NO_RESPONSE = { code: 'NO_RESPONSE' };

test.each<[what: string, context: ServiceContext, result: object]>([
	['no response', contextWith(async () => undefined), NO_RESPONSE],
	['a code in the cause', failing(withCode(undefined, withCode('EPIPE'))), { code: 'EPIPE' }],
	['a status, then a code', failing(withCode(500, withCode('EPIPE'))), { code: 'EPIPE' }],
	// n8n-workflow 1.99 to 2.33.2 lose the cause.
	['a code in httpCode', failing(withHttpCode('CERT_EXPIRED')), { code: 'CERT_EXPIRED' }],
	['httpCode, then a code', failing(withHttpCode('502', withCode('EPIPE'))), { code: 'EPIPE' }],
	['a UserError in a cause', failing(withHttpCode(null, withCode(undefined, blocked))), BLOCKED],
	[
		'a NodeOperationError',
		failing(withHttpCode(null, new NodeOperationError(node, 'No credential'))),
		notSent('No credential'),
	],
	[
		'a credential that n8n can not decrypt',
		failing(withCode('ERR_OSSL_BAD_DECRYPT')),
		notSent('n8n could not decrypt the credential.'),
	],
	['an error code before a UserError', failing(withCode('EPIPE', blocked)), { code: 'EPIPE' }],
	// May also be thrown after the request was sent.
	['a NodeApiError', failing(new NodeApiError(node, { message: 'Lost' })), NO_RESPONSE],
])('returns the error code of %s', async (_what, context, result) => {
	expect(await responseOf(context)).toEqual(result);
});
