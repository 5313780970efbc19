/** Runs one cell: an operation in n8n's engine, a fault, an error mode; and keeps all that was sent and said. */
import type { IAuthenticate, IHttpRequestOptions, OnError } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import type { Operation } from '../../nodes/BusinessProspectData/runtime/operation';
import { type NodeRun, runNode } from '../harness/engine';
import type { Fault as Kind } from '../sandbox/faults/kinds';
import type { LogEntry } from '../sandbox/log';
import type { Sandbox } from '../sandbox/sandbox';
import type { Fault } from './endings';
import { type Asked, askedIn, endpointAt, type Item, itemsOf, type Seen, type Way } from './ways';

/** Where nothing listens, and nobody but the machine's owner could. */
const NOBODY_THERE = 'http://127.0.0.1:1';
/** How long a request that hangs is waited for, in place of the node's own setting. Milliseconds. */
const SOON = 250;

export interface Target {
	readonly fault: Fault;
	/** Whether it is the request that is hit. */
	readonly isHit: (asked: Asked) => boolean;
	readonly against: readonly number[];
}

/** A request as n8n was about to send it. */
export interface Attempt extends Asked {
	/** Milliseconds since 1970, by the clock of the matrix. */
	readonly time: number;
	/** Whether it was to be hit; it was, unless that happened once before and was to happen once. */
	readonly aimed: boolean;
	readonly hit: boolean;
	/** As the node set it, milliseconds. */
	readonly timeout?: number;
}

export interface CellRun {
	readonly run: NodeRun;
	readonly items: readonly Item[];
	readonly marks: readonly string[];
	/** All requests that n8n sent, those that reached nobody too. */
	readonly attempts: readonly Attempt[];
	/** Those that reached the service. */
	readonly entries: readonly LogEntry[];
	/** The answers of the endpoints as they were sent, by the number of the log entry. */
	readonly answers: ReadonlyMap<number, unknown>;
	/** Whether the fault changed the answer of the request that it hit. */
	readonly changed: boolean;
	/** To how many requests the sandbox applied the fault. */
	readonly hits: number;
	/** Whether nothing listened where the requests that were hit went. */
	readonly refused: boolean;
}

/** The credential of the package; `meet` sees each request and may change where and how it goes. */
class Watched extends BusinessProspectDataApi {
	constructor(meet: (request: IHttpRequestOptions) => Partial<IHttpRequestOptions>) {
		super();
		const signIn = this.authenticate;
		this.authenticate = (async (credentials, request) => {
			if (typeof signIn !== 'function') throw new Error('authenticate is no function');
			return { ...(await signIn(credentials, request)), ...meet(request) };
		}) satisfies IAuthenticate;
	}
}

let cells = 0;

/** Runs the operation; without a target nothing goes wrong. */
export async function runCell(
	sandbox: Sandbox,
	elsewhere: string,
	{ resource, value: operation }: Operation,
	way: Way,
	onError: OnError,
	target?: Target,
): Promise<CellRun> {
	sandbox.clear();
	const items = itemsOf(way, sandbox.world, cells++);
	const marks = [...new Set(items.map(({ mark }) => mark))];
	const asked = (seen: Seen) => askedIn(seen, marks);
	const isHit = (seen: Seen) => target?.isHit(asked(seen)) ?? false;
	const { does, once } = target?.fault ?? {};
	const refused = does === 'refused';

	const attempts: Attempt[] = [];
	function meet({ url, method, body, qs, timeout }: IHttpRequestOptions) {
		const path = url.slice(sandbox.url.length);
		const seen = { endpoint: endpointAt(path, method), body, query: qs };
		const aimed = isHit(seen);
		const hit = aimed && !(once && attempts.some((before) => before.hit));
		attempts.push({ ...asked(seen), aimed, hit, time: Date.now(), timeout });
		if (!hit) return {};
		if (refused) return { url: NOBODY_THERE + path, baseURL: undefined };
		return does === 'hang' ? { timeout: SOON } : {};
	}

	const right = new Map<number, unknown>();
	const answers = new Map<number, unknown>();
	const keep = (where: Map<number, unknown>): Kind => ({
		kind: 'change',
		with: (answer, { number }) => {
			where.set(number, JSON.parse(JSON.stringify(answer)));
			return answer;
		},
	});
	const marksOf = (values: readonly number[] = []) => values.map((value) => named(marks[value]));
	const faults = (): Kind | Kind[] => {
		if (typeof does !== 'function') return { kind: 'hang' };
		return does({ marks: marksOf(target?.against), elsewhere });
	};
	const handle =
		does === undefined || refused
			? undefined
			: sandbox.fault({
					when: isHit,
					times: once ? 1 : 'always',
					do: [keep(right), faults(), keep(answers)].flat(),
				});
	sandbox.fault({ times: 'always', do: keep(answers) });

	const run = await runNode({
		node: new BusinessProspectData(),
		credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		credentialType: new Watched(meet),
		parameters: { resource, operation, ...way.parameters },
		items,
		onError,
		expressionAfter: "{{ $('CRM').item.json.row }}",
	});
	const entries = [...sandbox.log.entries];
	const changed = [...right].some(
		([number, answer]) => JSON.stringify(answer) !== JSON.stringify(answers.get(number)),
	);
	return {
		run,
		items,
		marks,
		attempts,
		entries,
		answers,
		changed,
		hits: handle?.hits ?? 0,
		refused,
	};
}

/** How the sandbox knows a value: by its ID, and a person to match by a text among the details. */
const named = (mark = ''): string => (/^[0-9a-f]+$/.test(mark) ? mark : JSON.stringify(mark));
