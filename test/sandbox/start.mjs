/** `npm run sandbox -- [--port N] [--rate N] …`: the sandbox by itself, until Ctrl+C. */
import { parseArgs } from 'node:util';
import { startSandbox } from './sandbox.ts';

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '8787' },
		rate: { type: 'string', default: '200' },
		people: { type: 'string', default: '1000' },
		companies: { type: 'string', default: '100' },
		'events-per-day': { type: 'string', default: '50' },
		help: { type: 'boolean', default: false },
	},
});

if (values.help) {
	console.log(
		'Options: --port N (0: any)  --rate N (0: none)  --people N  --companies N  --events-per-day N',
	);
	process.exit(0);
}

const sandbox = await startSandbox({
	port: Number(values.port),
	rateLimit: Number(values.rate) || null,
	people: Number(values.people),
	companies: Number(values.companies),
	eventsPerDay: Number(values['events-per-day']),
});

console.log(`Base URL  ${sandbox.url}
API key   ${sandbox.apiKey}

Try it:
curl -s ${sandbox.url}/v1/prospects -H 'api_key: ${sandbox.apiKey}' -H 'content-type: application/json' \\
  -d '{"mode":"full","page_size":1,"filters":{"has_email":{"value":true}}}'

Ctrl+C stops it.`);

for (const signal of ['SIGINT', 'SIGTERM']) {
	process.once(signal, async () => {
		await sandbox.close();
		process.exit(0);
	});
}
