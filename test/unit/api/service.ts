import { sleep } from 'n8n-workflow';
import {
	type Client,
	type RequestOptions,
	createClient,
} from '../../../nodes/BusinessProspectData/api/client';
import type {
	ServiceContext,
	ServiceRequest,
} from '../../../nodes/BusinessProspectData/api/httpRequest';

export const KEY = `made-up-${5_917}`;

/** An HTTP response, or the error code of a lost connection. */
export interface FakeResponse {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: unknown;
	readonly code?: string;
	/** Milliseconds until it arrives; 0 by default. */
	readonly after?: number;
}

interface Sent {
	/** Milliseconds since the service was created. */
	readonly at: number;
	readonly path: string;
	readonly body: unknown;
}

export interface FakeService {
	readonly context: ServiceContext;
	/** The requests that arrived, in order. */
	readonly sent: Sent[];
	/** Maximum number of pending requests. */
	readonly highest: () => number;
	/** Cancels the execution, as a user does in the editor. */
	readonly cancel: () => void;
}

export const OK: FakeResponse = {
	status: 200,
	body: { response_context: { correlation_id: 'c-1', request_status: 'success' }, data: [] },
};

export const enrich: ServiceRequest = {
	method: 'POST',
	path: '/v1/prospects/profiles/bulk_enrich',
	body: { prospect_ids: [] },
	safeToRetry: false,
};

export const search: ServiceRequest = { ...enrich, path: '/v1/prospects', safeToRetry: true };

export const numbered = (count: number, request: ServiceRequest): ServiceRequest[] =>
	Array.from({ length: count }, (_, index) => ({ ...request, body: { index } }));

/** A service behind n8n's request helper, on the clock of the fake timers. */
export function fakeService(respond: (request: Sent, count: number) => FakeResponse): FakeService {
	const start = Date.now();
	const sent: Sent[] = [];
	const execution = new AbortController();
	const delays = new Set<AbortController>();
	let pending = 0;
	let highest = 0;

	async function request(_type: string, { url, body }: { url: string; body?: unknown }) {
		const arrived = { at: Date.now() - start, path: new URL(url).pathname, body };
		sent.push(arrived);
		highest = Math.max(highest, ++pending);
		const {
			status,
			headers = {},
			body: responseBody,
			code,
			after = 0,
		} = respond(arrived, sent.length);
		if (after > 0) await delay(after);
		pending--;
		if (execution.signal.aborted) throw connectionError('ERR_CANCELED');
		if (status === undefined) throw connectionError(code ?? 'ECONNRESET');
		return { statusCode: status, headers, body: responseBody };
	}

	async function delay(ms: number) {
		const controller = new AbortController();
		delays.add(controller);
		await sleep(ms, controller.signal).catch(() => undefined);
		delays.delete(controller);
	}

	const context = {
		getCredentials: async () => ({
			baseUrl: 'https://service.example/v1',
			apiKey: KEY,
			tenant: 'made-up-tenant',
		}),
		getExecutionCancelSignal: () => execution.signal,
		helpers: { httpRequestWithAuthentication: request },
	};
	return {
		context: context as unknown as ServiceContext,
		sent,
		highest: () => highest,
		cancel: () => {
			execution.abort();
			for (const controller of delays) controller.abort();
		},
	};
}

/** As n8n wraps it: the code is in the cause. */
const connectionError = (code: string) =>
	new Error('The connection cannot be established', {
		cause: Object.assign(new Error(code), { code }),
	});

export const SETTINGS: RequestOptions = {
	maxConcurrentRequests: 4,
	maxWait: 300,
};

export const stubClient = (more: Partial<Client>): Client => ({
	withoutRetries: () => stubClient(more),
	send: async () => ({ value: {} }),
	stop: () => undefined,
	stopOnFailure: false,
	recordFailure: () => undefined,
	counts: { requests: 0, successfulRequests: 0, lostResponses: 0 },
	usage: () => undefined,
	redact: (text) => text,
	...more,
});

export const clientOf = async (
	service: FakeService,
	settings: Partial<RequestOptions> = {},
): Promise<Client> => await createClient(service.context, { ...SETTINGS, ...settings });

/** Advances the fake clock until the promise settles. Throws when no timer remains that could settle it. */
export async function settled<Value>(promise: Promise<Value>): Promise<Value> {
	let isSettled = false;
	const settle = () => {
		isSettled = true;
	};
	promise.then(settle, settle);
	await jest.advanceTimersByTimeAsync(0);
	while (!isSettled) {
		if (jest.getTimerCount() === 0) throw new Error('The promise hangs: no timer is pending');
		await jest.advanceTimersToNextTimerAsync();
	}
	return await promise;
}

/** Sends all requests at once, on the fake clock. */
export const sendAll = async (client: Client, requests: readonly ServiceRequest[]) =>
	await settled(Promise.all(requests.map(async (request) => await client.send(request))));
