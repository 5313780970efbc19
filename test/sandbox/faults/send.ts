/** Sends an answer, and the faults of how it travels. */
import type { FastifyReply } from 'fastify';
import type { TransportFault } from './kinds';

type Pause = (ms: number) => Promise<void>;

/** What takes longest about a huge answer is made once. */
const made = new Map<string, Buffer>();
async function once(name: string, make: () => Buffer | Promise<Buffer>): Promise<Buffer> {
	const bytes = made.get(name) ?? (await make());
	made.set(name, bytes);
	return bytes;
}

/** The text after megabytes of blanks, zipped or not. */
async function afterBlanks(megabytes: number, text: string, zipped: boolean): Promise<Buffer> {
	const blanks = () => Buffer.alloc(megabytes * 1_000_000, ' ');
	// Two gzip files in a row are one gzip file (RFC 1952, 2.2).
	const parts = zipped
		? [await once(`${megabytes} zipped`, async () => await gzip(blanks())), await gzip(text)]
		: [await once(`${megabytes}`, blanks), Buffer.from(text)];
	return Buffer.concat(parts);
}

async function gzip(text: string | Buffer<ArrayBuffer>): Promise<Buffer> {
	const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
	return Buffer.from(await new Response(packed).arrayBuffer());
}

/** The bytes as a hijacked reply writes them: headers first, then piece by piece. */
function startRaw(reply: FastifyReply, body: Buffer) {
	reply.hijack();
	reply.raw.writeHead(reply.statusCode, {
		...(reply.getHeaders() as Record<string, string>),
		'content-length': body.length,
	});
}

const write = (reply: FastifyReply, piece: Buffer) =>
	new Promise<void>((resolve) => reply.raw.write(piece, () => resolve()));

async function drip(
	reply: FastifyReply,
	body: Buffer,
	pieces: number,
	everyMs: number,
	pause: Pause,
) {
	startRaw(reply, body);
	const size = Math.max(1, Math.ceil(body.length / pieces));
	for (let from = 0; from < body.length && !reply.raw.destroyed; from += size) {
		if (from > 0) await pause(everyMs);
		await write(reply, body.subarray(from, from + size));
	}
	reply.raw.end();
}

async function dripBlanks(reply: FastifyReply, everyMs: number, pause: Pause) {
	startRaw(reply, Buffer.alloc(1_000_000_000));
	while (!reply.raw.destroyed) {
		await write(reply, Buffer.from(' '));
		await pause(everyMs);
	}
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
			startRaw(reply, body);
			await write(reply, body.subarray(0, body.length >> 1));
			// Without a moment in between, the half would be lost with the connection.
			await pause(20);
			reply.raw.destroy();
			return;
		case 'drip':
			if (fault.endless) await dripBlanks(reply, fault.everyMs ?? 100, pause);
			else await drip(reply, body, fault.pieces ?? 10, fault.everyMs ?? 100, pause);
			return;
		case 'cutJson':
			reply.send(text.slice(0, text.length >> 1));
			return;
		case 'gzip':
			reply.header('content-encoding', 'gzip').send(await gzip(text));
			return;
		case 'huge':
			if (fault.zipped) reply.header('content-encoding', 'gzip');
			reply.send(await afterBlanks(fault.megabytes, text, fault.zipped ?? false));
			return;
	}
}
