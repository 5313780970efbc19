/** The result of a request: a response, or the error code of a failed connection. */
import {
	type IHttpRequestOptions,
	type INode,
	NodeApiError,
	NodeOperationError,
	OperationalError,
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

const withCode = (code: unknown, cause?: unknown) =>
	Object.assign(new Error('Lost', { cause }), { code });

const withHttpCode = (httpCode: unknown, cause?: unknown) =>
	Object.assign(new Error('Lost', { cause }), { httpCode });

test('returns status, headers and body', async () => {
	const context = contextWith(async () => ({
		statusCode: '200',
		headers: { 'retry-after': '1' },
		body: { data: [] },
		statusMessage: 'OK',
	}));

	expect(await httpRequest(context, BASE_URL, enrich, 1_000)).toEqual({
		status: 200,
		headers: { 'retry-after': '1' },
		body: { data: [] },
	});
});

test.each<[what: string, body: object | undefined, expected: object]>([
	['no body', undefined, { body: undefined }],
	[
		'an empty body as text, because n8n drops an empty object',
		{},
		{ body: '{}', headers: { 'content-type': 'application/json' } },
	],
	['a body as an object', { ids: ['a'] }, { body: { ids: ['a'] } }],
])('sends %s', async (_what, body, expected) => {
	let sent: Partial<IHttpRequestOptions> = {};
	const context = contextWith(async (_type, options) => {
		sent = options;
		return { statusCode: 200 };
	});

	await httpRequest(context, BASE_URL, { ...search, query: [['field', 'country']], body }, 1_000);

	expect(sent).toEqual({
		method: 'POST',
		url: `${BASE_URL}/v1/prospects?field=country`,
		json: true,
		timeout: 1_000,
		abortSignal: expect.any(AbortSignal),
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		...expected,
	});
});

test('returns empty headers if the response has none', async () => {
	const context = contextWith(async () => ({ statusCode: 204 }));

	expect(await httpRequest(context, BASE_URL, enrich, 1_000)).toEqual({ status: 204, headers: {} });
});

test.each([
	['no response', contextWith(async () => undefined), 'NO_RESPONSE'],
	['an error without a code', failing(new Error('Lost')), 'NO_RESPONSE'],
	['a thrown string', failing('lost'), 'NO_RESPONSE'],
	['an error with a code', failing(withCode('ECONNRESET')), 'ECONNRESET'],
	['a code in the cause', failing(withCode(undefined, withCode('EPIPE'))), 'EPIPE'],
	['a status, and a code in the cause', failing(withCode(500, withCode('ENOTFOUND'))), 'ENOTFOUND'],
	// n8n-workflow 1.99 to 2.33.2 lose the cause.
	['a code in httpCode', failing(withHttpCode('CERT_HAS_EXPIRED')), 'CERT_HAS_EXPIRED'],
	['a status in httpCode', failing(withHttpCode('502')), 'NO_RESPONSE'],
	['an empty httpCode', failing(withHttpCode(null)), 'NO_RESPONSE'],
	['httpCode, and a code in the cause', failing(withHttpCode('502', withCode('EPIPE'))), 'EPIPE'],
])('returns the error code of %s', async (_case, context, code) => {
	expect(await httpRequest(context, BASE_URL, enrich, 1_000)).toEqual({ code });
});

describe("an error of n8n's own", () => {
	const node: INode = {
		id: 'node',
		name: 'Prospects',
		type: 'prospects',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const blocked = new UserError('Blocked', { description: 'Not allowed.' });
	const notSent = { code: 'NOT_SENT', reasons: ['Blocked', 'Not allowed.'] };

	test.each<[string, Error, object]>([
		['a UserError', blocked, notSent],
		['a UserError in the cause', withCode(undefined, blocked), notSent],
		['a UserError when it connects', withHttpCode(null, withCode(undefined, blocked)), notSent],
		[
			'a NodeOperationError',
			withHttpCode(null, new NodeOperationError(node, 'No credential')),
			{ code: 'NOT_SENT', reasons: ['No credential'] },
		],
		[
			'a credential that n8n can not decrypt',
			withCode('ERR_OSSL_BAD_DECRYPT'),
			{ code: 'NOT_SENT', reasons: ['n8n could not decrypt the credential.'] },
		],
		['an error code before a UserError', withCode('EPIPE', blocked), { code: 'EPIPE' }],
		// May also be thrown after the request was sent.
		['an OperationalError', new OperationalError('Lost'), { code: 'NO_RESPONSE' }],
		['a NodeApiError', new NodeApiError(node, { message: 'Lost' }), { code: 'NO_RESPONSE' }],
		['a UserError whose cause n8n loses', new Error('Blocked'), { code: 'NO_RESPONSE' }],
	])('%s', async (_case, error, result) => {
		expect(await httpRequest(failing(error), BASE_URL, enrich, 1_000)).toEqual(result);
	});
});
