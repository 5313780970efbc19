/** How much memory a run keeps beside its rows. */
import fastify from 'fastify';
import { sleep } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { runNode } from '../harness/engine';
import { heapInUse } from '../harness/process.cjs';

/** Answers every request, and keeps nothing of it. */
function quietService(atRequest: () => Promise<void>) {
	const server = fastify();
	// Bodies are not read: the service's memory is not what is measured.
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', (_request, payload, done) => {
		payload.resume().on('end', () => done(null));
	});
	server.all('/*', async () => {
		await atRequest();
		return { response_context: { request_status: 'miss' }, total_results: 0, data: [] };
	});
	return server;
}

const MEGABYTE = 1_000_000;

test('400 searches without the same 10,000 people hold the list of them once', async () => {
	let requests = 0;
	let least = Infinity;
	const server = quietService(async () => {
		if (requests++ % 20 > 0) return;
		// Only this request is under way: the connections of earlier ones, which hold their bodies, close meanwhile. On a busy
		// machine some take longer, so the lowest of the measurements counts: a list that is held is in all of them.
		await sleep(50);
		least = Math.min(least, heapInUse());
	});
	const baseUrl = await server.listen({ port: 0, host: '127.0.0.1' });
	const ids = Array.from({ length: 10_000 }, (_, at) => at.toString(16).padStart(40, '0'));
	/** What is in use while so many rows are searched for, in megabytes. */
	const heapWith = async (rows: number): Promise<number> => {
		least = Infinity;
		requests = 0;
		const run = await runNode({
			node: new BusinessProspectData(),
			credentials: { baseUrl, apiKey: 'key' },
			credentialType: new BusinessProspectDataApi(),
			parameters: {
				resource: 'prospect',
				operation: 'getAll',
				exclude: ids.join(),
				options: { requests: { maxConcurrentRequests: 1 } },
				filters: {
					job_title: [{ value: { __rl: true, mode: 'value', value: '={{ $json.title }}' } }],
				},
			},
			items: Array.from({ length: rows }, (_, row) => ({ title: `title ${row}` })),
		});
		expect([run.failure, requests]).toEqual([undefined, rows]);
		return least / MEGABYTE;
	};

	const few = await heapWith(4);
	const many = await heapWith(400);
	await server.close();

	expect(many - few).toBeLessThan(24);
});
