/** Runs one cell: an operation in n8n's engine with a fault and an error mode. Records all requests and responses. */
import type { IAuthenticate, IHttpRequestOptions, OnError } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import type { Operation } from '../../nodes/BusinessProspectData/run/operation';
import { type NodeRun, rowOfSource, runNode } from '../harness/engine';
import { pricesOf } from '../harness/prices';
import { shortenTimeouts } from '../harness/timeouts';
import type { Fault as Action } from '../sandbox/faults/kinds';
import type { LogEntry } from '../sandbox/log';
import type { Sandbox } from '../sandbox/sandbox';
import type { Fault } from './expectedOutcomes';
import {
	endpointAt,
	type Item,
	itemsOf,
	parseRequest,
	type RawRequest,
	type Scenario,
	type SentRequest,
} from './scenarios';

/** Nothing listens on this privileged port. */
const CLOSED_PORT = 'http://127.0.0.1:1';
/** Timeout of a request that hangs, instead of the node's own. Milliseconds. */
const SHORT_TIMEOUT = 250;

export interface Target {
	readonly fault: Fault;
	readonly isAffected: (request: SentRequest) => boolean;
	/** The values that the fault is about. */
	readonly faulty: readonly number[];
}

/** A request as n8n was about to send it. */
export interface Attempt extends SentRequest {
	/** On the matrix' clock, milliseconds. */
	readonly time: number;
	/** Whether the fault matches it. */
	readonly isTarget: boolean;
	/** Whether the fault was applied; one that happens once spares all later attempts. */
	readonly isHit: boolean;
	/** As the node set it, milliseconds. */
	readonly timeout?: number;
}

export interface CellRun {
	readonly run: NodeRun;
	readonly items: readonly Item[];
	readonly marks: readonly string[];
	readonly parse: (request: RawRequest) => SentRequest;
	/** All requests that n8n sent, with those that did not reach the service. */
	readonly attempts: readonly Attempt[];
	/** Those that reached it. */
	readonly entries: readonly LogEntry[];
	/** The endpoints' responses as they were sent, by log entry number. */
	readonly responses: ReadonlyMap<number, unknown>;
	/** Whether the fault changed a response. */
	readonly isChanged: boolean;
	/** How many requests the sandbox applied the fault to. */
	readonly hits: number;
	/** Whether the connection was refused. */
	readonly isRefused: boolean;
}

/** The package's credential. `intercept` sees each request, and may change its address and timeout. */
class InterceptingCredential extends BusinessProspectDataApi {
	constructor(intercept: (request: IHttpRequestOptions) => Partial<IHttpRequestOptions>) {
		super();
		const signIn = this.authenticate;
		this.authenticate = (async (credentials, request) => {
			if (typeof signIn !== 'function') throw new Error('authenticate is no function');
			return { ...(await signIn(credentials, request)), ...intercept(request) };
		}) satisfies IAuthenticate;
	}
}

let cells = 0;

/** Runs the operation, without a fault unless there is a target. */
export async function runCell(
	sandbox: Sandbox,
	otherOrigin: string,
	{ resource, value: operation }: Operation,
	scenario: Scenario,
	onError: OnError,
	target?: Target,
): Promise<CellRun> {
	sandbox.clear();
	const items = itemsOf(scenario, sandbox.world, cells++);
	const marks = [...new Set(items.map(({ mark }) => mark))];
	const allMarks = marks.map((mark) => [
		mark,
		...(items.find((item) => item.mark === mark)?.otherMarks ?? []),
	]);
	const parse = (request: RawRequest) => parseRequest(request, allMarks);
	const isAffected = (request: RawRequest) => target?.isAffected(parse(request)) ?? false;
	const { action, once } = target?.fault ?? {};
	const isRefused = action === 'refuse';

	const attempts: Attempt[] = [];
	function intercept({ url, method, body, timeout }: IHttpRequestOptions) {
		const path = url.slice(sandbox.url.length);
		const { pathname, searchParams } = new URL(url);
		const query = Object.fromEntries(searchParams);
		const request = {
			endpoint: endpointAt(pathname, method),
			// The body of a custom call is JSON text.
			body: typeof body === 'string' ? (JSON.parse(body) as unknown) : body,
			query,
		};
		const isTarget = isAffected(request);
		const isHit = isTarget && !(once && attempts.some((before) => before.isHit));
		const time = Date.now();
		attempts.push({ ...parse(request), isTarget, isHit, time, timeout });
		if (!isHit) return {};
		if (isRefused) return { url: CLOSED_PORT + path, baseURL: undefined };
		return action === 'hang' ? { timeout: SHORT_TIMEOUT } : {};
	}

	/** As JSON. */
	const originals = new Map<number, string>();
	const responses = new Map<number, string>();
	const record = (log: Map<number, string>): Action => ({
		kind: 'change',
		with: (response, { number }) => {
			log.set(number, JSON.stringify(response));
			return response;
		},
	});
	const faultMarks = (target?.faulty ?? []).map((value) => sandboxName(marks[value]));
	const actions: Action | Action[] =
		typeof action === 'function' ? action({ marks: faultMarks, otherOrigin }) : { kind: 'hang' };
	const handle =
		action === undefined || isRefused
			? undefined
			: sandbox.fault({
					when: isAffected,
					times: once ? 1 : 'always',
					do: [record(originals), actions, record(responses)].flat(),
				});
	sandbox.fault({ times: 'always', do: record(responses) });

	const limit = target?.fault.isEndless ? shortenTimeouts() : undefined;
	const run = await runNode({
		node: new BusinessProspectData(),
		credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey, prices: pricesOf(2) },
		credentialType: new InterceptingCredential(intercept),
		parameters: { resource, operation, includeInputFields: false, ...scenario.parameters },
		items,
		onError,
		expressionAfter: rowOfSource,
	});
	limit?.mockRestore();
	return {
		run,
		items,
		marks,
		parse,
		attempts,
		entries: [...sandbox.log.entries],
		responses: new Map(
			[...responses].map(([number, response]) => [number, JSON.parse(response) as unknown]),
		),
		isChanged: [...originals].some(([number, original]) => original !== responses.get(number)),
		hits: handle?.hits ?? 0,
		isRefused,
	};
}

/** The sandbox's name for a value: an ID as it is, text in a match input as JSON. */
const sandboxName = (mark = ''): string => (/^[0-9a-f]+$/.test(mark) ? mark : JSON.stringify(mark));
