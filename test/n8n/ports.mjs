// Ports of the loopback address.
import { createServer } from 'node:net';

/** Has a server listen on a free port, and gives that. */
export async function listen(server) {
	await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
	return server.address().port;
}

/** A port that is free now. */
export async function freePort() {
	const server = createServer();
	const port = await listen(server);
	await new Promise((resolve) => server.close(resolve));
	return port;
}
