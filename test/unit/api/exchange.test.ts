/** What is kept of an answer or of a lost connection. */
import {
	type ServiceContext,
	httpRequest,
} from '../../../nodes/BusinessProspectData/api/httpRequest';
import { enrich, fakeService, OK } from './service';

const BASE_URL = 'https://service.example';

/** A context whose request helper does this. */
const contextWith = (httpRequestWithAuthentication: () => Promise<unknown>): ServiceContext =>
	Object.assign(fakeService(() => OK).context, { helpers: { httpRequestWithAuthentication } });

const failing = (error: unknown) => contextWith(async () => await Promise.reject(error));

const coded = (code: unknown, cause?: unknown) =>
	Object.assign(new Error('Lost', { cause }), { code });

const withHttpCode = (httpCode: unknown, cause?: unknown) =>
	Object.assign(new Error('Lost', { cause }), { httpCode });

test('of an answer: status, headers and body', async () => {
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

test('of an answer without headers', async () => {
	const context = contextWith(async () => ({ statusCode: 204 }));

	expect(await httpRequest(context, BASE_URL, enrich, 1_000)).toEqual({ status: 204, headers: {} });
});

test.each([
	['nothing comes back', contextWith(async () => undefined), 'NO_RESPONSE'],
	['an error says nothing', failing(new Error('Lost')), 'NO_RESPONSE'],
	['what is thrown is no error', failing('lost'), 'NO_RESPONSE'],
	['an error has a code', failing(coded('ECONNRESET')), 'ECONNRESET'],
	['its cause has the code', failing(coded(undefined, coded('EPIPE'))), 'EPIPE'],
	['its own code is a number', failing(coded(500, coded('ENOTFOUND'))), 'ENOTFOUND'],
	// n8n-workflow 1.99 to 2.33.2 lose the cause.
	['its cause is lost', failing(withHttpCode('CERT_HAS_EXPIRED')), 'CERT_HAS_EXPIRED'],
	['there is a status and no code', failing(withHttpCode('502')), 'NO_RESPONSE'],
	['there is neither', failing(withHttpCode(null)), 'NO_RESPONSE'],
	['its cause has the code', failing(withHttpCode('502', coded('EPIPE'))), 'EPIPE'],
])('%s', async (_what, context, code) => {
	expect(await httpRequest(context, BASE_URL, enrich, 1_000)).toEqual({ code });
});
