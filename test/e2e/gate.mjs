// The way from n8n to the service, to be shut and opened: while it is shut, connections are refused.
import { connect, createServer } from 'node:net';
import { listen } from '../n8n/ports.mjs';

/**
 * Starts a gate in front of a service; it is open.
 *
 * @param {string} target the service's base address, for example `http://127.0.0.1:8080`
 * @returns {Promise<{ url: string, shut: () => Promise<void>, open: () => Promise<void> }>} `url` stays the same; `shut`
 *   also cuts what is under way, and leaves nothing running
 */
export async function startGate(target) {
	const { hostname, port } = new URL(target);
	const sockets = new Set();
	const server = createServer((near) => {
		const far = connect(Number(port), hostname);
		for (const [one, other] of [
			[near, far],
			[far, near],
		]) {
			sockets.add(one);
			one.on('error', () => other.destroy());
			one.on('close', () => sockets.delete(one) && other.destroy());
			one.pipe(other);
		}
	});
	const own = await listen(server);
	return {
		url: `http://127.0.0.1:${own}`,
		async open() {
			await listen(server, own);
		},
		async shut() {
			if (!server.listening) return;
			const closed = new Promise((resolve) => server.close(resolve));
			for (const socket of sockets) socket.destroy();
			await closed;
		},
	};
}
