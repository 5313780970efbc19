// A chat tool's incoming webhook: takes messages and keeps them.
import { createServer } from 'node:http';
import { listen } from '../n8n/ports.mjs';
import { atEnd } from './stage.mjs';

/**
 * Starts an inbox that ends with the test.
 *
 * @param {import('node:test').TestContext} t
 * @returns {Promise<{ url: string, take: () => string[], refuse: (all: boolean) => void }>} `take` gives the texts that have come
 *   since the last time, `refuse` has it take none
 */
export async function startInbox(t) {
	let texts = [];
	let refuses = false;
	const server = createServer(async (request, response) => {
		const parts = await request.toArray();
		const { text } = JSON.parse(Buffer.concat(parts).toString());
		if (!refuses) texts.push(text);
		response.writeHead(refuses ? 503 : 200).end('ok');
	});
	const port = await listen(server);
	atEnd(t, async () => {
		const closed = new Promise((resolve) => server.close(resolve));
		server.closeAllConnections();
		await closed;
	});
	return {
		url: `http://127.0.0.1:${port}/hook`,
		take: () => texts.splice(0),
		refuse(all) {
			refuses = all;
		},
	};
}
