/** The HTTP side: one route per endpoint, and for each request key, rate, faults, validation, work, answer. */
import Ajv from 'ajv';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ENDPOINTS, type Endpoint } from './contract/contract';
import { brokenRules } from './contract/rules';
import { answerInstead, errorBody } from './faults/answer-instead';
import { changeAnswer } from './faults/change-answer';
import { isChange, isInstead, isTransport, type Fault } from './faults/kinds';
import type { FaultRules } from './faults/rules';
import { cut, sendJson } from './faults/send';
import { Refused, type Context, type RequestStatus } from './handlers/handler';
import { HANDLERS } from './handlers/handlers';
import { noteBody, type LogEntry } from './log';
import type { RateLimit } from './rate-limit';
import { detailBody, problemsOf } from './validation';
import { hex } from './world/hash';
import type { World } from './world/world';

interface ServerParts {
	readonly apiKey: string;
	/** When set, requests with another tenant, or none, get 403. */
	readonly tenant?: string;
	readonly pathPrefix: string;
	readonly delayMs: number;
	readonly cutPage?: 'shorter' | 'empty';
	readonly world: World;
	readonly entries: LogEntry[];
	readonly rateLimit: RateLimit;
	readonly faults: FaultRules;
	readonly now: () => Date;
	/** Waits; ends early, with an error, when the sandbox closes. */
	readonly pause: (ms: number) => Promise<void>;
}

/** Shared by all sandboxes of a process: it compiles each schema once. */
const ajv = new Ajv({ addUsedSchema: false, allErrors: true, allowUnionTypes: true });

/** One request on its way through the hooks. */
interface Exchange {
	readonly entry: LogEntry;
	readonly responseContext: (status: RequestStatus) => Record<string, unknown>;
	faults: readonly Fault[];
}

/** Text of the form of a UUID, from a number. */
const correlationId = (number: number): string =>
	hex(32, `request:${number}`).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** Makes the server; it does not listen yet. */
export function createServer(parts: ServerParts): FastifyInstance {
	const { world, entries, faults, rateLimit, now, pause, pathPrefix } = parts;
	const exchanges = new WeakMap<FastifyRequest, Exchange>();
	let pending = 0;
	let received = 0;

	const app = fastify({
		bodyLimit: 50_000_000,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		// Newer versions of n8n's request helper drop such keys before they send; older ones send them.
		onConstructorPoisoning: 'remove',
		onProtoPoisoning: 'remove',
	});
	app.setValidatorCompiler(({ schema }) => ajv.compile(schema as object));
	app.removeContentTypeParser('text/plain');

	function open(request: FastifyRequest, reply: FastifyReply, endpoint: Endpoint | null): Exchange {
		const started = Date.now();
		const { api_key: key, ...headers } = request.headers;
		const path = request.url.replace(/\?.*$/, '');
		const number = ++received;
		const entry: LogEntry = {
			number,
			time: now(),
			endpoint: endpoint?.name ?? null,
			method: request.method,
			path: path.startsWith(pathPrefix) ? path.slice(pathPrefix.length) : path,
			query: { ...(request.query as Record<string, unknown>) },
			headers,
			key: key === undefined ? 'missing' : key === parts.apiKey ? 'right' : 'wrong',
			correlationId: correlationId(number),
			pending: ++pending,
			body: undefined,
			ids: [],
			status: null,
			faults: [],
			worked: false,
		};
		entries.push(entry);
		reply.raw.once('close', () => pending--);
		const exchange: Exchange = {
			entry,
			responseContext: (request_status) => ({
				correlation_id: entry.correlationId,
				request_status,
				time_took_in_seconds: (Date.now() - started) / 1000,
			}),
			faults: [],
		};
		exchanges.set(request, exchange);
		return exchange;
	}

	function exchangeOf(request: FastifyRequest): Exchange {
		const exchange = exchanges.get(request);
		if (!exchange) throw new Error('The request has not been opened');
		return exchange;
	}

	const refuse = (
		reply: FastifyReply,
		{ responseContext }: Exchange,
		status: number,
		more: Record<string, unknown> = {},
	) => reply.code(status).send(errorBody(status, responseContext, more));

	/** Key, tenant, rate: before the body is read. */
	const admit = (endpoint: Endpoint) => async (request: FastifyRequest, reply: FastifyReply) => {
		const exchange = open(request, reply, endpoint);
		if (exchange.entry.key !== 'right') return await refuse(reply, exchange, 401);
		const verdict = rateLimit.take();
		if (verdict) {
			reply.header('x-ratelimit-limit', verdict.limit);
			reply.header('x-ratelimit-remaining', verdict.remaining);
			reply.header('x-ratelimit-reset', verdict.resetSeconds);
		}
		if (verdict?.allowed === false) {
			reply.header('retry-after', verdict.resetSeconds);
			return await refuse(reply, exchange, 429, { retry_after: verdict.resetSeconds });
		}
		if (parts.tenant !== undefined && request.headers.tenant !== parts.tenant) {
			return await refuse(reply, exchange, 403, { message: 'No access for this tenant' });
		}
		return undefined;
	};

	/** The body is there: note it, then let the faults that answer by themselves do so. */
	const applyFaults =
		(endpoint: Endpoint) => async (request: FastifyRequest, reply: FastifyReply) => {
			const exchange = exchangeOf(request);
			const { entry, responseContext } = exchange;
			noteBody(entry, request.body);
			exchange.faults = faults.takeFor(entry);
			entry.faults = exchange.faults.map(({ kind }) => kind);
			if (parts.delayMs > 0) await pause(parts.delayMs);
			for (const fault of exchange.faults) {
				if (fault.kind === 'delay') await pause(fault.ms);
			}
			const fault = exchange.faults.find(isInstead);
			if (!fault) return undefined;
			const answer = answerInstead(fault, endpoint, entry, responseContext, now());
			if (answer) {
				return await reply.code(answer.status).headers(answer.headers).send(answer.body);
			}
			if (fault.kind === 'drop') cut(reply);
			else reply.hijack();
			return reply;
		};

	function noteDefect(request: FastifyRequest, endpoint: Endpoint, answer: unknown): void {
		const validate = request.compileValidationSchema(endpoint.answer);
		if (!validate(answer)) {
			exchangeOf(request).entry.defect = `${endpoint.name}: ${JSON.stringify(validate.errors)}`;
		}
	}

	/** Validates the request, does the work, and sends the answer. */
	const serve = (endpoint: Endpoint) => async (request: FastifyRequest, reply: FastifyReply) => {
		const exchange = exchangeOf(request);
		const { entry, responseContext } = exchange;
		const input = endpoint.method === 'GET' ? request.query : request.body;
		const { validation, validationContext } = request.validationError ?? {};
		const problems = validation
			? problemsOf(validationContext === 'querystring' ? 'query' : 'body', validation)
			: brokenRules(endpoint.name, input, now());
		if (problems.length > 0) {
			return await reply.code(422).send(detailBody(problems));
		}
		const context: Context = { world, now: now(), cutPage: parts.cutPage, responseContext };
		const answerTo = (body: unknown) => HANDLERS[endpoint.name](body, context);
		const answer = answerTo(input);
		entry.worked = true;
		noteDefect(request, endpoint, answer);
		const changed = exchange.faults
			.filter(isChange)
			.reduce((body, fault) => changeAnswer(fault, endpoint, body, entry, answerTo), answer);
		const transport = exchange.faults.find(isTransport);
		// A dripped answer passes by the hook that notes the status of the others.
		if (transport?.kind === 'drip') entry.status = reply.statusCode;
		await sendJson(reply, JSON.stringify(changed), transport, pause);
		return reply;
	};

	// Before anything else; the machine's clock may be another.
	app.addHook('onRequest', async (_request, reply) => {
		reply.header('date', now().toUTCString());
	});

	app.addHook('onSend', async (request, reply, payload) => {
		const exchange = exchanges.get(request);
		if (exchange) exchange.entry.status = reply.statusCode;
		return payload;
	});

	app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
		if (reply.sent) return;
		if (error instanceof Refused) return await reply.code(error.status).send(error.body);
		const exchange = exchanges.get(request) ?? open(request, reply, null);
		const status = error.statusCode ?? 500;
		// A body that is missing or not JSON is invalid like any other (contract: "Errors").
		if (status === 400) {
			const problem = { loc: ['body'], msg: error.message, type: 'json_invalid' };
			return await reply.code(422).send(detailBody([problem]));
		}
		if (status >= 500) exchange.entry.defect = error.stack ?? error.message;
		return await refuse(reply, exchange, status, { message: error.message });
	});

	app.setNotFoundHandler(async (request, reply) => {
		const exchange = open(request, reply, null);
		const asked = request.url.replace(/\?.*$/, '');
		const known = ENDPOINTS.find(({ path }) => pathPrefix + path === asked);
		if (!known) return await refuse(reply, exchange, 404);
		reply.header('allow', known.method);
		return await refuse(reply, exchange, 405, { message: 'Method not allowed' });
	});

	for (const endpoint of ENDPOINTS) {
		app.route({
			method: endpoint.method,
			url: pathPrefix + endpoint.path,
			schema:
				endpoint.method === 'GET' ? { querystring: endpoint.request } : { body: endpoint.request },
			attachValidation: true,
			onRequest: admit(endpoint),
			preValidation: applyFaults(endpoint),
			handler: serve(endpoint),
		});
	}
	return app;
}
