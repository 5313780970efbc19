/**
 * What the account or the address stands in the way of, and how far: the status alone does not say whether an answer is
 * about the account, the path, or one record.
 */
import type { ReceivedResponse, Resolution } from './answer';

const CREDITS = /\b(credits?|quota|balance)\b/i;
const ACCOUNT =
	/\b(plans?|subscriptions?|licen[cs]es?|upgrade|billing|permissions?|accounts?|tenants?|scopes?|api.?keys?)\b/i;

/** What web frameworks and gateways answer by default where there is no such route. */
const UNKNOWN_ROUTE =
	/^(not found|forbidden|missing authentication token|cannot [a-z]+ \/.*|no (static resource|route (found|match\w*)) .*|(the )?route \S+ (could )?not (be )?found|the requested url .*)\.?$/i;

/** What the account may not do. */
export function accountTrouble(answer: ReceivedResponse): Resolution | undefined {
	const { status, said = '', saying, problems, failed } = answer;
	if (status === 401) {
		return {
			...failed(
				'unauthorized',
				`The service did not accept the API key (HTTP 401)${saying} Check API Key, and Tenant if you use one, in the credential.`,
			),
			blocks: 'everything',
		};
	}
	if (status === 402 || (status === 403 && CREDITS.test(said))) {
		return {
			...failed(
				'forbidden',
				`The account has no credits left for this request (HTTP ${status})${saying} Add credits, then run the rows that failed again.`,
			),
			blocks: 'path',
		};
	}
	// A validation error that names a place in the list is about that value.
	if (status !== 403 || problems?.some(({ index }) => index !== undefined)) return undefined;
	const named = recordTrouble(answer);
	if (named !== undefined) return named;
	const record = aboutRecord(answer);
	if (record === 'named' || (record === 'likely' && !ACCOUNT.test(said))) {
		return failed(
			'forbidden',
			`The service does not give out what was asked for (HTTP 403)${saying} Leave this value out, or ask the service why. If all values fail like this, check what your plan includes, and Tenant in the credential.`,
		);
	}
	return {
		...failed(
			'forbidden',
			`The account is not allowed to ask for this (HTTP 403)${saying} Check what your plan includes, and Tenant in the credential.`,
		),
		blocks: ACCOUNT.test(said) ? 'path' : 'unproven-path',
	};
}

/** A redirect, whatever its body says. */
export function redirectTrouble({ status, failed }: ReceivedResponse): Resolution | undefined {
	if (status < 300 || status >= 400) return undefined;
	return {
		...failed(
			'redirect',
			`The service answered with a redirect (HTTP ${status}). It was not followed, so that the API key goes to no other address. Put the service's own address into Base URL in the credential.`,
		),
		blocks: 'unproven-path',
	};
}

/** What the address is not that of. */
export function addressTrouble(answer: ReceivedResponse): Resolution | undefined {
	const { status, request, pathSucceeded, saying, failed } = answer;
	if (status !== 404) return undefined;
	const named = recordTrouble(answer);
	if (named !== undefined) return named;
	if (aboutRecord(answer) !== 'no') {
		return failed(
			'notFound',
			`The service does not have what was asked for (HTTP 404)${saying} Check the value that was sent. If all values fail like this, check Base URL in the credential.`,
		);
	}
	if (pathSucceeded) {
		return failed(
			'notFound',
			`The service does not have what was asked for (HTTP 404)${saying} Other requests to ${request.path} succeeded, so the address is right. Check the values that were sent, or run it again later.`,
		);
	}
	return {
		...failed(
			'notFound',
			`The service does not know the address ${request.path} (HTTP 404)${saying} Check Base URL in the credential: it is the address of the service, without /v1. If other operations work, the service does not have this one for your account.`,
		),
		blocks: 'unproven-path',
	};
}

/** Names the records that the words name, if the request has others too: those may be sent without them. */
function recordTrouble({
	said = '',
	saying,
	status,
	request: { recordIds: records = [] },
	failed,
}: ReceivedResponse): Resolution | undefined {
	if (records.length < 2) return undefined;
	const words = said.toLowerCase();
	const problems = records.flatMap((record, index) =>
		record !== '' && words.includes(record.toLowerCase()) ? [{ index, message: said }] : [],
	);
	if (problems.length === 0) return undefined;
	return failed('invalid', `The service refused the request (HTTP ${status})${saying}`, {
		issues: problems,
	});
}

/**
 * Whether the service's words are about a record that the request names. It is certain when they name it; it is `likely`
 * when the request names one record only, unless a framework says the same of every unknown route. A web page or an
 * empty body says nothing about a record.
 */
function aboutRecord({
	said,
	request: { recordIds: records = [] },
}: ReceivedResponse): 'named' | 'likely' | 'no' {
	if (said === undefined) return 'no';
	const words = said.toLowerCase();
	if (records.some((record) => record !== '' && words.includes(record.toLowerCase())))
		return 'named';
	return records.length === 1 && !UNKNOWN_ROUTE.test(said) ? 'likely' : 'no';
}
