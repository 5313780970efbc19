// An AI client that speaks MCP, with the SDK that n8n itself brings.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { atEnd, getPackage } from './stage.mjs';

/**
 * Connects to an MCP server of n8n, until the test ends.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} url
 * @param {string} token
 * @returns {Promise<{
 *   instructions: string | undefined,
 *   listTools: () => Promise<{ name: string, description: string, inputSchema: any }[]>,
 *   call: (name: string, args: object) => Promise<{ isError: boolean, text: string }>,
 * }>}
 * @throws if the server does not let the client in
 */
export async function connectMcp(t, url, token) {
	const { lab } = await getPackage();
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
		listTools: async () => (await client.listTools()).tools,
		async call(name, args) {
			const { isError = false, content } = await client.callTool({ name, arguments: args });
			return { isError, text: content.map(({ text }) => text).join('\n') };
		},
	};
}
