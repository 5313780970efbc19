// An AI client that speaks MCP, with the SDK that n8n itself brings.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { atEnd } from './stage.mjs';

/**
 * Connects to an MCP server that n8n offers.
 *
 * @param {import('node:test').TestContext} t
 * @param {{ lab: { folder: string }, url: string, token: string }} options
 * @returns {Promise<{
 *   instructions: string | undefined,
 *   listTools: () => Promise<{ name: string, description: string, inputSchema: any }[]>,
 *   call: (name: string, args: object) => Promise<{ isError: boolean, text: string }>,
 * }>}
 * @throws if the server does not let the client in
 */
export async function connectMcp(t, { lab, url, token }) {
	const load = createRequire(join(lab.folder, 'node_modules', 'n8n', 'package.json'));
	const { Client } = load('@modelcontextprotocol/sdk/client/index.js');
	const { StreamableHTTPClientTransport } = load(
		'@modelcontextprotocol/sdk/client/streamableHttp.js',
	);
	const client = new Client({ name: 'someone', version: '1.0.0' });
	const transport = new StreamableHTTPClientTransport(new URL(url), {
		requestInit: { headers: { Authorization: `Bearer ${token}` } },
	});
	await client.connect(transport);
	atEnd(t, () => client.close());
	return {
		instructions: client.getInstructions(),
		async listTools() {
			const { tools } = await client.listTools();
			return tools;
		},
		async call(name, args) {
			const { isError = false, content } = await client.callTool({ name, arguments: args });
			return { isError, text: content.map(({ text }) => text).join('\n') };
		},
	};
}
