/** How much memory a run keeps beside its rows. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { runNode } from '../harness/engine';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes on the heap that something still refers to. */
function heapInUse(): number {
	collectGarbage();
	return process.memoryUsage().heapUsed;
}

/** Answers every request, and keeps nothing of it. */
async function startQuietService(atRequest: () => void): Promise<Server> {
	const answer = JSON.stringify({
		response_context: { request_status: 'miss' },
		total_results: 0,
		data: [],
	});
	const server = createServer((request, response) => {
		request.resume();
		request.once('end', () => {
			atRequest();
			response.setHeader('content-type', 'application/json');
			response.end(answer);
		});
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	return server;
}

const MEGABYTE = 1_000_000;

test('200 searches without the same 10,000 people hold the list of them once', async () => {
	let requests = 0;
	let most = 0;
	const server = await startQuietService(() => {
		if (requests++ % 20 === 0) most = Math.max(most, heapInUse());
	});
	const { port } = server.address() as AddressInfo;
	const ids = Array.from({ length: 10_000 }, (_, at) => at.toString(16).padStart(40, '0'));
	/** The most that is in use while so many rows are searched for, in megabytes. */
	const heapWith = async (rows: number): Promise<number> => {
		most = 0;
		requests = 0;
		const run = await runNode({
			node: new BusinessProspectData(),
			credentials: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key' },
			credentialType: new BusinessProspectDataApi(),
			parameters: {
				resource: 'prospect',
				operation: 'getAll',
				exclude: ids.join(),
				filters: { job_title: { __rl: true, mode: 'value', value: '={{ $json.title }}' } },
			},
			items: Array.from({ length: rows }, (_, row) => ({ title: `title ${row}` })),
		});
		expect([run.failure, requests]).toEqual([undefined, rows]);
		return most / MEGABYTE;
	};

	const few = await heapWith(4);
	const many = await heapWith(200);
	server.close();

	expect(many - few).toBeLessThan(20);
});
