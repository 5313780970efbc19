// A stand-in for the chat model that n8n's "OpenAI Chat Model" node talks to: it answers with what a script says and
// keeps its requests. Chat completions, without streaming.
import { json } from 'node:stream/consumers';
import { into, node, START, startHttp, workflowOf } from './stage.mjs';

/** The model of `startChatModel`, as a node says it. */
export const modelCredentials = { openAiApi: { id: 'model', name: 'Model' } };

const textOf = (content) =>
	Array.isArray(content) ? content.map(({ text }) => text).join('') : (content ?? '');

/**
 * What one request sent to the model: the tools' definitions; the text that came back for each call of the conversation so
 * far, in their order; what else was in it.
 */
function read({ messages, tools = [] }) {
	const results = new Map(
		messages.map((message) => [message.tool_call_id, textOf(message.content)]),
	);
	return {
		tools: tools.map(({ function: tool }) => tool),
		results: messages
			.flatMap(({ tool_calls: calls = [] }) => calls)
			.map(({ id }) => results.get(id)),
		texts: messages.filter(({ role }) => role !== 'tool').map(({ content }) => textOf(content)),
	};
}

const write = (model, id, { say: content = null, calls = [] }) => ({
	...{ id, object: 'chat.completion', created: 0, model },
	usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	choices: [
		{
			index: 0,
			finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
			message: {
				role: 'assistant',
				content,
				...(calls.length > 0 && {
					tool_calls: calls.map(({ tool: name, arguments: args }, at) => ({
						id: `${id}-${at}`,
						type: 'function',
						function: { name, arguments: JSON.stringify(args) },
					})),
				}),
			},
		},
	],
});

/**
 * Starts a chat model that ends with the test. `credential` is for the model node. `play` forgets the requests, and takes
 * what to answer from now on, one entry a request: `{ say: text }` or `{ calls: [{ tool, arguments }] }`, or a function that
 * makes it of what was sent. A request beyond that is answered with an error.
 */
export async function startChatModel(t) {
	let script = [];
	let requests = [];
	let made = 0;
	const url = await startHttp(t, async (request, response) => {
		const reply = (status, body) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
		try {
			const body = /** @type {any} */ (await json(request));
			const next = script[requests.length];
			const heard = read(body);
			requests.push(heard);
			if (next === undefined) throw new Error('the script has ended');
			const answer = typeof next === 'function' ? next(heard) : next;
			reply(200, write(body.model, `answer_${++made}`, answer));
		} catch ({ message }) {
			// A status that n8n's model node does not try again.
			reply(400, { error: { message, type: 'invalid_request_error' } });
		}
	});
	return {
		credential: {
			...{ id: 'model', name: 'Model', type: 'openAiApi' },
			data: { apiKey: 'chat-model-key', url: `${url}/v1`, header: false },
		},
		play(answers) {
			script = answers;
			requests = [];
		},
		get requests() {
			return requests;
		},
	};
}

/** A workflow of an agent, of one version of its node, with tools. */
export function agentWorkflow(id, version, tools) {
	const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent', version, {
		promptType: 'define',
		text: 'Go',
		options: { maxIterations: 100 },
	});
	const model = node(
		'Model',
		'@n8n/n8n-nodes-langchain.lmChatOpenAi',
		1.2,
		{ model: { __rl: true, mode: 'id', value: 'played' }, options: {} },
		{ credentials: modelCredentials },
	);
	const workflow = workflowOf(id, [START, agent]);
	workflow.nodes.push(model, ...tools);
	Object.assign(workflow.connections, {
		Model: into('ai_languageModel', 'Agent'),
		...Object.fromEntries(tools.map(({ name }) => [name, into('ai_tool', 'Agent')])),
	});
	return workflow;
}
