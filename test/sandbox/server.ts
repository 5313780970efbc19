/** The HTTP side: one route per endpoint, and for each request key, rate, faults, validation, work, answer. */
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { askedFor, ENDPOINTS, type Endpoint } from './contract/contract';
import { brokenRules } from './contract/rules';
import { answerInstead, errorBody } from './faults/answer-instead';
import { changeAnswer } from './faults/change-answer';
import { isChange, isInstead, isTransport, type Fault } from './faults/kinds';
import type { FaultRules } from './faults/rules';
import { cut, sendJson } from './faults/send';
import { Refused, type Context } from './handlers/handler';
import { HANDLERS } from './handlers/handlers';
import type { LogEntry } from './log';
import type { RateLimit } from './rate-limit';
import { ajv, detailBody, problemsOf } from './validation';
import { hex } from './world/hash';
import type { World } from './world/world';

interface ServerParts {
	readonly apiKey: string;
	/** When set, requests with another tenant, or none, get 403. */
	readonly tenant?: string;
	readonly world: World;
	readonly entries: LogEntry[];
	readonly rateLimit: RateLimit;
	readonly faults: FaultRules;
	readonly now: () => Date;
	/** Waits; ends early, with an error, when the sandbox closes. */
	readonly pause: (ms: number) => Promise<void>;
}

/** One request on its way through the hooks. */
interface Exchange {
	readonly entry: LogEntry;
	readonly responseContext: Context['responseContext'];
	faults: readonly Fault[];
}

interface Call extends Exchange {
	readonly endpoint: Endpoint;
	readonly request: FastifyRequest;
	readonly reply: FastifyReply;
}

/** Makes the server; it does not listen yet. */
export function createServer(parts: ServerParts): FastifyInstance {
	const { world, entries, faults, rateLimit, now, pause } = parts;
	const exchanges = new WeakMap<FastifyRequest, Exchange>();
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

	/** The exchange of a request. Its first hook notes the request. */
	function exchangeOf(request: FastifyRequest, endpoint?: Endpoint): Exchange {
		const known = exchanges.get(request);
		if (known) return known;
		const started = Date.now();
		const { api_key: key } = request.headers;
		const entry: LogEntry = {
			time: now(),
			endpoint: endpoint?.name ?? null,
			method: request.method,
			path: request.url.replace(/\?.*$/, ''),
			query: { ...(request.query as Record<string, unknown>) },
			key: key === undefined ? 'missing' : key === parts.apiKey ? 'right' : 'wrong',
			// In the form of a UUID.
			tenant: request.headers.tenant,
			correlationId: hex(32, `request:${++received}`).replace(
				/(.{8})(....)(....)(....)/,
				'$1-$2-$3-$4-',
			),
			body: undefined,
			ids: [],
			status: null,
			faults: [],
		};
		entries.push(entry);
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

	const refuse = (reply: FastifyReply, { responseContext }: Exchange, status: number, more = {}) =>
		reply.code(status).send(errorBody(status, responseContext, more));

	/** Key, rate, tenant: before the body is read. */
	async function admit({ request, reply, ...exchange }: Call) {
		if (exchange.entry.key !== 'right') return await refuse(reply, exchange, 401);
		const { allowed = true, limit, remaining, resetSeconds } = rateLimit.take() ?? {};
		if (limit !== undefined) {
			reply.header('x-ratelimit-limit', limit);
			reply.header('x-ratelimit-remaining', remaining);
			reply.header('x-ratelimit-reset', resetSeconds);
		}
		if (!allowed) {
			reply.header('retry-after', resetSeconds);
			return await refuse(reply, exchange, 429, { retry_after: resetSeconds });
		}
		return parts.tenant === undefined || request.headers.tenant === parts.tenant
			? undefined
			: await refuse(reply, exchange, 403, { message: 'No access for this tenant' });
	}

	/** The body is there: note it, then let the faults that answer by themselves do so. */
	async function applyFaults({ endpoint, request, reply, entry, responseContext }: Call) {
		entry.body = request.body ?? undefined;
		entry.ids = askedFor(endpoint, request.body);
		const taken = faults.takeFor(entry);
		exchangeOf(request).faults = taken;
		entry.faults = taken.map(({ kind }) => kind);
		for (const fault of taken) {
			if (fault.kind === 'delay') await pause(fault.ms);
		}
		const fault = taken.find(isInstead);
		if (!fault) return undefined;
		const answer = answerInstead(fault, endpoint, entry, responseContext);
		if (answer) {
			return await reply.code(answer.status).headers(answer.headers).send(answer.body);
		}
		if (fault.kind === 'drop') cut(reply);
		else reply.hijack();
		return reply;
	}

	/** Validates the request, does the work, and sends the answer. */
	async function serve({ endpoint, request, reply, entry, responseContext, ...exchange }: Call) {
		const { name, method } = endpoint;
		const input = method === 'GET' ? request.query : request.body;
		const invalid = request.validationError?.validation;
		const problems = invalid
			? problemsOf(method === 'GET' ? 'query' : 'body', invalid)
			: brokenRules(name, input, now());
		if (problems.length > 0) return await reply.code(422).send(detailBody(problems));
		const context: Context = { world, now: now(), responseContext };
		const answerTo = (body: unknown) => HANDLERS[name](body, context);
		const answer = answerTo(input);
		const validate = request.compileValidationSchema(endpoint.answer);
		if (!validate(answer)) entry.defect = `${name}: ${JSON.stringify(validate.errors)}`;
		const changed = exchange.faults
			.filter(isChange)
			.reduce((body, fault) => changeAnswer(fault, endpoint, body, entry, answerTo), answer);
		const transport = exchange.faults.find(isTransport);
		// A dripped answer passes by the hook that notes the status of the others.
		if (transport?.kind === 'drip') entry.status = reply.statusCode;
		await sendJson(reply, JSON.stringify(changed), transport, pause);
		return reply;
	}

	// Before anything else; the machine's clock may be another.
	app.addHook('onRequest', async (_request, reply) => {
		reply.header('date', now().toUTCString());
	});

	app.addHook('onSend', async (request, reply) => {
		const exchange = exchanges.get(request);
		if (exchange) exchange.entry.status = reply.statusCode;
	});

	app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
		if (reply.sent) return;
		if (error instanceof Refused) return await reply.code(error.status).send(error.body);
		const exchange = exchangeOf(request);
		const { statusCode: status = 500, message } = error;
		// A body that is missing or not JSON is invalid like any other (contract: "Errors").
		if (status === 400) {
			return await reply
				.code(422)
				.send(detailBody([{ loc: ['body'], msg: message, type: 'json_invalid' }]));
		}
		if (status >= 500) exchange.entry.defect = error.stack ?? message;
		return await refuse(reply, exchange, status, { message });
	});

	app.setNotFoundHandler(async (request, reply) => {
		const exchange = exchangeOf(request);
		const known = ENDPOINTS.find(({ path }) => path === exchange.entry.path);
		if (!known) return await refuse(reply, exchange, 404);
		reply.header('allow', known.method);
		return await refuse(reply, exchange, 405, { message: 'Method not allowed' });
	});

	for (const endpoint of ENDPOINTS) {
		const { method, path: url, request: schema } = endpoint;
		const step =
			(run: (call: Call) => Promise<unknown>) =>
			async (request: FastifyRequest, reply: FastifyReply) =>
				await run({ ...exchangeOf(request, endpoint), endpoint, request, reply });
		app.route({
			method,
			url,
			schema: method === 'GET' ? { querystring: schema } : { body: schema },
			attachValidation: true,
			onRequest: step(admit),
			preValidation: step(applyFaults),
			handler: step(serve),
		});
	}
	return app;
}
