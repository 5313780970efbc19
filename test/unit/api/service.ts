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
export const TENANT = 'made-up-tenant';

/** What the service does with one request: an HTTP answer, or the error code of a lost connection. */
export interface Answer {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: unknown;
	readonly code?: string;
	/** Milliseconds until it comes; none by default. */
	readonly after?: number;
}

export interface Sent {
	/** Milliseconds since the service was made. */
	readonly at: number;
	readonly path: string;
	readonly body: unknown;
}

export interface FakeService {
	readonly context: ServiceContext;
	/** The requests that arrived, in order. */
	readonly sent: Sent[];
	/** How many were under way at once at most. */
	readonly highest: () => number;
	/** Cancels the execution, as a person does in the editor. */
	readonly cancel: () => void;
}

export const OK: Answer = {
	status: 200,
	body: { response_context: { correlation_id: 'c-1', request_status: 'success' }, data: [] },
};

export const enrich: ServiceRequest = {
	method: 'POST',
	path: '/v1/prospects/profiles/bulk_enrich',
	body: { prospect_ids: [] },
	idempotent: false,
};

export const search: ServiceRequest = { ...enrich, path: '/v1/prospects', idempotent: true };

export const numbered = (count: number, request: ServiceRequest): ServiceRequest[] =>
	Array.from({ length: count }, (_, nth) => ({ ...request, body: { nth } }));

/** A service behind n8n's request helper, on the clock of the fake timers. */
export function fakeService(answer: (request: Sent, nth: number) => Answer): FakeService {
	const start = Date.now();
	const sent: Sent[] = [];
	const execution = new AbortController();
	const answering = new Set<AbortController>();
	let underWay = 0;
	let highest = 0;

	async function request(_type: string, { url, body }: { url: string; body?: unknown }) {
		const arrived = { at: Date.now() - start, path: new URL(url).pathname, body };
		sent.push(arrived);
		highest = Math.max(highest, ++underWay);
		const { status, headers = {}, body: answered, code, after = 0 } = answer(arrived, sent.length);
		if (after > 0) await delay(after);
		underWay--;
		if (execution.signal.aborted) throw lost('ERR_CANCELED');
		if (status === undefined) throw lost(code ?? 'ECONNRESET');
		return { statusCode: status, headers, body: answered };
	}

	async function delay(ms: number) {
		const one = new AbortController();
		answering.add(one);
		await sleep(ms, one.signal).catch(() => undefined);
		answering.delete(one);
	}

	const context = {
		getCredentials: async () => ({
			baseUrl: 'https://service.example/v1',
			apiKey: KEY,
			tenant: TENANT,
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
			for (const one of answering) one.abort();
		},
	};
}

/** As n8n wraps it: the code is in the cause. */
const lost = (code: string) =>
	new Error('The connection cannot be established', {
		cause: Object.assign(new Error(code), { code }),
	});

export const SETTINGS: RequestOptions = {
	maxConcurrentRequests: 4,
	maxTries: 5,
	maxWait: 300,
	timeout: 120,
};

export const clientOf = async (
	service: FakeService,
	settings: Partial<RequestOptions> = {},
): Promise<Client> => await createClient(service.context, { ...SETTINGS, ...settings });

/** Lets the fake clock run until the promise settles. Throws when nothing is left that could settle it. */
export async function settled<Value>(promise: Promise<Value>): Promise<Value> {
	let done = false;
	const end = () => {
		done = true;
	};
	promise.then(end, end);
	await jest.advanceTimersByTimeAsync(0);
	while (!done) {
		if (jest.getTimerCount() === 0) throw new Error('It hangs: nothing is waited for any more');
		await jest.advanceTimersToNextTimerAsync();
	}
	return await promise;
}
