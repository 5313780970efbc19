import { authHeaders, parseBaseUrl } from './baseUrl';
import { type Context, CREDENTIAL, exchange, type ServiceRequest } from './exchange';
import { counted, type Failure, number, type Outcome } from './outcome';
import { createPace } from './pace';
import { judge } from './verdict';

/** How requests are sent; what the options of the node set. */
export interface ClientSettings {
	/** Requests under way at once. */
	readonly maxConcurrentRequests: number;
	/** How often one request is sent at most; waits for the rate limit do not count. */
	readonly maxTries: number;
	/** Seconds that one request may wait in all. */
	readonly maxWait: number;
	/** Seconds until a request without an answer is given up. */
	readonly timeout: number;
}

/** Talks to the service: authentication, JSON, pace, retries, one kind of failure. */
export interface Client {
	/** The answer's JSON, or why there is none. Never throws. */
	send(request: ServiceRequest): Promise<Outcome<unknown>>;
	/** Starts no further request: what still waits fails with the kind `stopped`. */
	stop(): void;
	/** How many requests got an answer with data. */
	readonly answered: () => number;
}

const FIRST_BACK_OFF_MS = 1_000;
const LONGEST_BACK_OFF_MS = 60_000;

const STOPPED: Failure = {
	kind: 'stopped',
	message: 'This was not asked for, because the execution was stopped before.',
};

/**
 * Makes a client of the node's credential. All its requests share one pace.
 *
 * @throws UserError when the credential's fields are wrong, and whatever n8n throws when there is no credential.
 */
export async function createClient(context: Context, settings: ClientSettings): Promise<Client> {
	const credential = await context.getCredentials(CREDENTIAL);
	const baseUrl = parseBaseUrl(credential.baseUrl);
	const secrets = Object.values(authHeaders(credential));
	const cancelled =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const pace = createPace(settings.maxConcurrentRequests, cancelled);
	const timeoutMs = settings.timeout * 1000;
	/** Failures that every further request to a path would meet again: it is not sent. */
	const refusals = new Map<string, Failure>();
	let answered = 0;

	async function attempt(request: ServiceRequest, past: Attempts): Promise<Step> {
		const refusal = refusals.get(EVERYWHERE) ?? refusals.get(request.path);
		if (refusal !== undefined) return { outcome: { failure: refusal } };

		past.firstAt ??= Date.now();
		const reply = await exchange(context, baseUrl, request, timeoutMs);
		if (reply.status === undefined && cancelled?.aborted) return { outcome: { failure: STOPPED } };
		if (reply.status !== undefined) pace.note(reply.headers);
		const { outcome, retry, waitMs } = judge(reply, request, timeoutMs);
		if (outcome.failure === undefined) {
			answered++;
			return { outcome };
		}
		const failure = withoutSecrets(outcome.failure, secrets);
		if (retry === 'no') {
			const where = whereItStands(failure, request);
			if (where !== undefined) refusals.set(where, failure);
			return { outcome: { failure } };
		}
		const nth = retry === 'wait' ? ++past.limited : ++past.failed;
		const wait = waitMs ? waitMs : backOff(nth);
		const waited = Date.now() - past.firstAt;
		if (past.failed >= settings.maxTries)
			return { outcome: { failure: triedOften(failure, past) } };
		if (waited + wait > settings.maxWait * 1000) {
			const given = waitedLong(failure, waited, wait, settings.maxWait);
			if (retry === 'wait' && wait > settings.maxWait * 1000) refusals.set(EVERYWHERE, given);
			return { outcome: { failure: given } };
		}
		if (retry === 'wait') pace.pause(wait);
		return { backOffMs: retry === 'wait' ? 0 : wait };
	}

	async function send(request: ServiceRequest): Promise<Outcome<unknown>> {
		const past: Attempts = { failed: 0, limited: 0 };
		for (;;) {
			const step = await pace.run(
				async () => await attempt(request, past),
				past.failed + past.limited > 0,
			);
			if (step === undefined) return { failure: STOPPED };
			if ('outcome' in step) return step.outcome;
			if (step.backOffMs > 0 && !(await pace.wait(step.backOffMs))) return { failure: STOPPED };
		}
	}

	return { send, stop: pace.stop, answered: () => answered };
}

/** What became of one request so far. */
interface Attempts {
	failed: number;
	limited: number;
	/** When it was first sent; the time before, behind other requests, is no wait of its own. */
	firstAt?: number;
}

/** The end of a request, or how long to back off before it is sent again. */
type Step = { readonly outcome: Outcome<unknown> } | { readonly backOffMs: number };

const EVERYWHERE = '*';

/** Everywhere for a wrong key; on the same path for what the account may not use or the service does not know. */
function whereItStands({ kind }: Failure, { path }: ServiceRequest): string | undefined {
	if (kind === 'unauthorized') return EVERYWHERE;
	return kind === 'forbidden' || kind === 'notFound' || kind === 'redirect' ? path : undefined;
}

/** Milliseconds: exponential, with jitter, so that requests that failed together do not come back together. */
const backOff = (nth: number): number =>
	Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (nth - 1)) * (0.75 + Math.random() / 2);

const triedOften = (failure: Failure, { failed }: Attempts): Failure => ({
	...failure,
	message: `${failure.message} It was tried ${counted(failed, 'time')} (Max Tries under Options).`,
});

const waitedLong = (
	failure: Failure,
	waitedMs: number,
	waitMs: number,
	maxWait: number,
): Failure => ({
	...failure,
	message: `${failure.message} After ${counted(Math.round(waitedMs / 1000), 'second')} it would have to wait ${counted(Math.ceil(waitMs / 1000), 'second')} more; Max Wait under Options allows ${number(maxWait)}. Raise Max Wait, or run less on this account at once.`,
});

/** The service's words may repeat the key; ours never do. */
function withoutSecrets(failure: Failure, secrets: readonly string[]): Failure {
	const mask = (text: string): string =>
		secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
	return {
		...failure,
		message: mask(failure.message),
		problems: failure.problems?.map(({ location, message }) => ({
			location: location.map(mask),
			message: mask(message),
		})),
	};
}
