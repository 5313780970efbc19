// The built node, and what it is run in here.
import { createRequire } from 'node:module';
import '../harness/environment.cjs';
import { ExecuteContext } from 'n8n-core';
import { createRunExecutionData } from 'n8n-workflow';
import { credentialsOf } from '../harness/credentials.ts';
import { buildAdditionalData, buildWorkflow, placeNode } from '../harness/workflow.ts';

const require = createRequire(import.meta.url);
/** Measured is what is shipped, not what the tests' transpiler makes of the sources. */
const BUILT = '../../dist/bundle.js';
const { BusinessProspectData, BusinessProspectDataApi } = require(BUILT);

export const node = new BusinessProspectData();

const API_KEY = 'bench-key';

/** `getNodeParameter` of parameters that are read already; a function of the item's json stands for an expression. */
const readerOf =
	(parameters, items) =>
	(name, item, fallback, { rawExpressions = false } = {}) => {
		const value = parameters[name] ?? fallback;
		if (typeof value !== 'function') return value;
		return rawExpressions ? '={{ … }}' : value(items[item].json);
	};

/**
 * n8n's own context of a node, with its request helper and credential. Only its expression engine is left out: what that
 * costs would hide all else.
 */
function contextIn({ url, items, parameters }) {
	const credentials = credentialsOf({
		credentials: { baseUrl: url, apiKey: API_KEY },
		credentialType: new BusinessProspectDataApi(),
	});
	const placed = placeNode(node, { credentials: credentials.reference() });
	const workflow = buildWorkflow({ nodes: [placed], types: [node] });
	const context = new ExecuteContext(
		workflow,
		placed,
		buildAdditionalData(workflow, 'trigger', credentials),
		'trigger',
		createRunExecutionData(),
		0,
		items,
		{ main: [items] },
		{ node: placed, data: { main: [items] }, source: null },
		[],
	);
	return Object.assign(context, { getNodeParameter: readerOf(parameters, items) });
}

/** Runs the node against the service at `url`; gives its output items. */
export async function runNode(given) {
	const [items] = await node.execute.call(contextIn(given));
	return items;
}

/**
 * Runs the node without n8n and without a network.
 *
 * @param {{ items: object[], parameters: object, answer: (path: string, body: any) => object | Promise<object> }} given
 *   `answer` gives n8n's full response
 */
export async function runAlone({ items, parameters, answer }) {
	const context = {
		getInputData: () => items,
		getNodeParameter: readerOf(parameters, items),
		getNode: () => ({ name: 'Node', type: 'node', typeVersion: 1, id: '1', parameters: {} }),
		getTimezone: () => 'UTC',
		continueOnFail: () => false,
		getCredentials: async () => ({ baseUrl: 'https://service.example', apiKey: API_KEY }),
		getExecutionCancelSignal: () => undefined,
		addExecutionHints: () => undefined,
		helpers: {
			httpRequestWithAuthentication: async (_type, { url, body }) =>
				await answer(new URL(url).pathname, body),
		},
	};
	const [output] = await node.execute.call(context);
	return output;
}

/** Asks with `fetch`, which keeps connections alive. */
export const withFetch = (url) => async (path, body) => {
	const reply = await fetch(url + path, {
		method: 'POST',
		headers: { api_key: API_KEY, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	return await reply.json();
};

/** Asks with n8n's request helper, which opens a connection for each request. */
export function withHelper(url) {
	const context = contextIn({ url, items: [], parameters: {} });
	return async (path, body) =>
		await context.helpers.httpRequestWithAuthentication.call(context, 'businessProspectDataApi', {
			method: 'POST',
			url: url + path,
			body,
			json: true,
		});
}
