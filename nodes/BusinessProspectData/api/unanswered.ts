import type { Resolution } from './answer';
import type { ServiceRequest } from './httpRequest';
import type { FailureKind } from '../core/outcome';
import { MAY_BE_CHARGED } from './errorMessage';

/**
 * What it means when the service itself did not answer, by the error code of the connection or by the HTTP status that a
 * gateway in between answered with. Any other code is `lost`.
 */
const CAUSES: Readonly<Record<string, Cause>> = {
	ECONNREFUSED: 'unreached',
	EAI_AGAIN: 'unreached',
	EHOSTUNREACH: 'unreached',
	ENETUNREACH: 'unreached',
	521: 'unreached',
	523: 'unreached',
	ENOTFOUND: 'noHost',
	ECONNABORTED: 'late',
	ETIMEDOUT: 'late',
	ERR_CANCELED: 'late',
	408: 'late',
	504: 'late',
	522: 'late',
	524: 'late',
	520: 'lost',
};

/** `unreached`: it is certain that the service never saw the request. `late` and `lost`: it may have done the work. */
type Cause = 'unreached' | 'noHost' | 'insecure' | 'late' | 'lost';

interface Unanswered {
	readonly kind: FailureKind;
	readonly message: string;
	readonly retry: Resolution['retry'];
}

/** Whether a status says that the service itself did not answer. */
export const isOfGateway = (status: number): boolean => status in CAUSES;

/** What a connection that brought no answer means. */
export function unanswered(code: string, request: ServiceRequest, timeoutMs: number): Resolution {
	const { kind, message, retry } = meaningOf(
		code,
		request,
		`within ${timeoutMs / 1000} seconds`,
		'',
	);
	return { outcome: { failure: { kind, message, details: { code } } }, retry };
}

/** What a status of a gateway means. */
export const gatewayAnswered = (status: number, request: ServiceRequest): Unanswered =>
	meaningOf(String(status), request, 'in time', ` (HTTP ${status})`);

function meaningOf(
	sign: string,
	{ idempotent: free }: ServiceRequest,
	untilWhen: string,
	status: string,
): Unanswered {
	const unsure = (what: string): Unanswered => ({
		kind: 'noAnswer',
		message: `${what}${status}. ${free ? 'Try again later.' : MAY_BE_CHARGED}`,
		retry: free ? 'back-off' : 'no',
	});
	switch (causeOf(sign)) {
		case 'unreached':
			return {
				kind: 'unreachable',
				message: `The service could not be reached${status}. Check Base URL in the credential, and whether the service is up.`,
				retry: 'back-off',
			};
		case 'noHost':
			return {
				kind: 'unreachable',
				message: 'There is no host of the name in Base URL. Check Base URL in the credential.',
				retry: 'no',
			};
		case 'insecure':
			return {
				kind: 'unreachable',
				message:
					'No secure connection to the service could be made. Check Base URL in the credential, and the certificate of that host.',
				retry: 'no',
			};
		case 'late':
			return unsure(`The service gave no answer ${untilWhen}`);
		case 'lost':
			return unsure('The connection was lost before the answer was complete');
	}
}

const causeOf = (sign: string): Cause =>
	CAUSES[sign] ?? (/CERT|SSL|TLS|SIGNATURE|EPROTO/.test(sign) ? 'insecure' : 'lost');
