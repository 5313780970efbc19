// A stand-in for the chat model that n8n's "OpenAI Chat Model" node talks to: it answers with what a script says and
// keeps its requests. Both interfaces that the node can be set to, chat completions and responses; no streaming.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '../n8n/ports.mjs';
import { into, node } from './stage.mjs';

/**
 * @typedef {{ tool: string, arguments: object }} Call
 * @typedef {{ say: string } | { calls: Call[] }} Answer
 * @typedef {{
 *   tools: { name: string, description: string, parameters: object }[],
 *   calls: (Call & { id: string })[],
 *   results: string[],
 *   texts: string[],
 * }} ModelRequest what one request sent to the model: the tools' definitions; the calls of the conversation so far and the text that
 *   came back for each, in their order; what else was in it
 */

const parsedCall = (id, name, text) => ({ id, tool: name, arguments: JSON.parse(text) });
const textOf = (content) =>
	typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('');

function modelRequest(tools, calls, results, texts) {
	const byCall = new Map(results);
	return { tools, calls, results: calls.map(({ id }) => byCall.get(id)), texts };
}

const usage = {
	input_tokens: 1,
	output_tokens: 1,
	prompt_tokens: 1,
	completion_tokens: 1,
	total_tokens: 2,
};

const INTERFACES = {
	'/v1/chat/completions': {
		read: ({ messages, tools = [] }) =>
			modelRequest(
				tools.map(({ function: tool }) => tool),
				messages
					.flatMap(({ tool_calls: calls = [] }) => calls)
					.map(({ id, function: call }) => parsedCall(id, call.name, call.arguments)),
				messages
					.filter(({ role }) => role === 'tool')
					.map((message) => [message.tool_call_id, textOf(message.content)]),
				messages.filter(({ role }) => role !== 'tool').map(({ content }) => textOf(content)),
			),
		write: (model, id, text, calls) => ({
			id,
			object: 'chat.completion',
			created: 0,
			model,
			usage,
			choices: [
				{
					index: 0,
					finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
					message: {
						role: 'assistant',
						content: text,
						...(calls.length > 0 && {
							tool_calls: calls.map((call) => ({
								id: call.id,
								type: 'function',
								function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
							})),
						}),
					},
				},
			],
		}),
	},
	'/v1/responses': {
		read: ({ input, tools = [] }) =>
			modelRequest(
				tools,
				input
					.filter(({ type }) => type === 'function_call')
					.map((call) => parsedCall(call.call_id, call.name, call.arguments)),
				input
					.filter(({ type }) => type === 'function_call_output')
					.map((output) => [output.call_id, textOf(output.output)]),
				input.filter(({ content }) => content !== undefined).map(({ content }) => textOf(content)),
			),
		write: (model, id, text, calls) => ({
			id,
			object: 'response',
			created_at: 0,
			status: 'completed',
			model,
			usage,
			output: [
				...(text === null
					? []
					: [
							{
								type: 'message',
								id: `${id}-text`,
								role: 'assistant',
								status: 'completed',
								content: [{ type: 'output_text', text, annotations: [] }],
							},
						]),
				...calls.map((call) => ({
					type: 'function_call',
					id: `fc-${call.id}`,
					call_id: call.id,
					name: call.tool,
					arguments: JSON.stringify(call.arguments),
					status: 'completed',
				})),
			],
		}),
	},
};

/**
 * Starts a chat model on a free port of 127.0.0.1.
 *
 * @returns {Promise<{
 *   credential: { id: string, name: string, type: 'openAiApi', data: object },
 *   play: (script: (Answer | ((request: ModelRequest) => Answer))[]) => void,
 *   requests: ModelRequest[],
 *   close: () => Promise<void>,
 * }>} `credential` in plain data, for the model node. `play` forgets the requests, and says what to answer from now on:
 *   one entry a request; a request beyond the script is answered with an error. `requests` has one entry each
 */
export async function startChatModel() {
	const apiKey = 'chat-model-key';
	let script = [];
	let requests = [];
	let made = 0;

	function answer(path, body) {
		const known = INTERFACES[path];
		const next = script[requests.length];
		if (known === undefined || body.stream === true) throw new Error(`not played here: ${path}`);
		const heard = known.read(body);
		requests.push(heard);
		if (next === undefined) throw new Error('the script has ended');
		const { say = null, calls = [] } = typeof next === 'function' ? next(heard) : next;
		const numbered = calls.map((call) => ({ ...call, id: `call_${++made}` }));
		return known.write(body.model, `answer_${++made}`, say, numbered);
	}

	const server = createServer(async (request, response) => {
		const reply = (status, body) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
		try {
			const body = await json(request);
			if (request.headers.authorization !== `Bearer ${apiKey}`) throw new Error('wrong key');
			reply(200, answer(request.url, body));
		} catch ({ message }) {
			// A status that n8n's model node does not try again.
			reply(400, { error: { message, type: 'invalid_request_error' } });
		}
	});
	const port = await listen(server);

	return {
		credential: {
			id: 'model',
			name: 'Model',
			type: 'openAiApi',
			data: { apiKey, url: `http://127.0.0.1:${port}/v1`, header: false },
		},
		play(answers) {
			script = answers;
			requests = [];
		},
		get requests() {
			return requests;
		},
		async close() {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
		},
	};
}

/**
 * A workflow of an agent with tools; `agent` and `model` are the versions of its nodes.
 *
 * @param {{ agent: number, model: number }} versions
 * @param {ReturnType<typeof node>[]} tools
 */
export const agentWorkflow = ({ agent, model }, tools) => ({
	name: `agent ${agent}`,
	settings: { executionOrder: 'v1' },
	nodes: [
		node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		node('Agent', '@n8n/n8n-nodes-langchain.agent', agent, {
			promptType: 'define',
			text: 'Go',
			options: { maxIterations: 100 },
		}),
		node(
			'Model',
			'@n8n/n8n-nodes-langchain.lmChatOpenAi',
			model,
			{ model: { __rl: true, mode: 'id', value: 'played' }, options: {} },
			{ credentials: { openAiApi: { id: 'model', name: 'Model' } } },
		),
		...tools,
	],
	connections: {
		Start: into('main', 'Agent'),
		Model: into('ai_languageModel', 'Agent'),
		...Object.fromEntries(tools.map(({ name }) => [name, into('ai_tool', 'Agent')])),
	},
});
