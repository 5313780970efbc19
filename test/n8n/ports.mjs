// Ports of the loopback address.
import { createServer } from 'node:net';

/**
 * Has a server listen on a port, by default a free one.
 *
 * @param {import('node:net').Server} server
 * @param {number} [port]
 * @returns {Promise<number>} the port
 */
export async function listen(server, port = 0) {
	await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
	return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

/** A port that is free now. */
export async function freePort() {
	const server = createServer();
	const port = await listen(server);
	await new Promise((resolve) => server.close(resolve));
	return port;
}
