/** Sends an answer, and the faults of how it travels. */
import type { FastifyReply } from 'fastify';
import type { TransportFault } from './kinds';

type Pause = (ms: number) => Promise<void>;

/** The bytes as a hijacked reply writes them: headers first, then piece by piece. */
function startRaw(reply: FastifyReply, length: number) {
	reply.hijack();
	reply.raw.writeHead(reply.statusCode, {
		...(reply.getHeaders() as Record<string, string>),
		'content-length': length,
	});
}

const write = (reply: FastifyReply, piece: Buffer | string) =>
	new Promise<void>((resolve) => reply.raw.write(piece, () => resolve()));

async function drip(
	reply: FastifyReply,
	body: Buffer,
	{ pieces, everyMs }: Extract<TransportFault, { kind: 'drip' }>,
	pause: Pause,
) {
	startRaw(reply, body.length);
	const size = Math.max(1, Math.ceil(body.length / pieces));
	for (let from = 0; from < body.length && !reply.raw.destroyed; from += size) {
		if (from > 0) await pause(everyMs);
		await write(reply, body.subarray(from, from + size));
	}
	reply.raw.end();
}

/** Cuts the connection. */
export function cut(reply: FastifyReply): void {
	if (!reply.sent) reply.hijack();
	reply.raw.destroy();
}

/** Sends the text as JSON, through the fault if there is one. Resolves when it has been handed over. */
export async function sendJson(
	reply: FastifyReply,
	text: string,
	fault: TransportFault | undefined,
	pause: Pause,
): Promise<void> {
	reply.header('content-type', 'application/json; charset=utf-8');
	const body = Buffer.from(text);
	switch (fault?.kind) {
		case undefined:
			reply.send(text);
			return;
		case 'dropAfterWork':
			cut(reply);
			return;
		case 'dropMidway':
			startRaw(reply, body.length);
			await write(reply, body.subarray(0, body.length >> 1));
			// Without a moment in between, the half would be lost with the connection.
			await pause(20);
			reply.raw.destroy();
			return;
		case 'drip':
			await drip(reply, body, fault, pause);
			return;
		case 'cutJson':
			reply.send(text.slice(0, text.length >> 1));
			return;
	}
}
