import type { ServiceRequest } from './exchange';
import type { Failure } from './outcome';
import type { Verdict } from './verdict';
import { MAY_BE_CHARGED } from './words';

/** Connections of which it is certain that the service never saw the request. */
const NEVER_SENT: ReadonlySet<string> = new Set([
	'ECONNREFUSED',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
]);
const TIMED_OUT: ReadonlySet<string> = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED']);

/** What a connection that brought no answer means. */
export function unanswered(code: string, request: ServiceRequest, timeoutMs: number): Verdict {
	const failed = (kind: Failure['kind'], message: string, retry: Verdict['retry']): Verdict => ({
		outcome: { failure: { kind, message, facts: { code } } },
		retry,
	});
	if (NEVER_SENT.has(code)) {
		return failed(
			'unreachable',
			'The service could not be reached. Check Base URL in the credential, and whether the service is up.',
			'back-off',
		);
	}
	if (code === 'ENOTFOUND') {
		return failed(
			'unreachable',
			'There is no host of the name in Base URL. Check Base URL in the credential.',
			'no',
		);
	}
	if (/CERT|SSL|TLS|SIGNATURE|EPROTO/.test(code)) {
		return failed(
			'unreachable',
			'No secure connection to the service could be made. Check Base URL in the credential, and the certificate of that host.',
			'no',
		);
	}
	const what = TIMED_OUT.has(code)
		? `The service gave no answer within ${timeoutMs / 1000} seconds.`
		: 'The connection was lost before the answer was complete.';
	return failed(
		'noAnswer',
		`${what} ${request.free ? 'Try again later.' : MAY_BE_CHARGED}`,
		request.free ? 'back-off' : 'no',
	);
}
