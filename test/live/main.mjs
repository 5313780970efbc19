// `npm run live`: asks each endpoint of the service once. The address and the key are in the environment.
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { checkService } from './live.ts';

const { values } = parseArgs({ options: { wait: { type: 'string', default: '5' } } });
const { BASE_URL: baseUrl, API_KEY: apiKey, TENANT: tenant } = process.env;

async function confirm(question) {
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	// Input that ends without an answer is no yes.
	const answer = await Promise.race([terminal.question(question), once(terminal, 'close')]);
	terminal.close();
	return answer === 'yes';
}

try {
	const results = await checkService(
		{ baseUrl, apiKey, tenant, waitSeconds: Number(values.wait) },
		{ print: console.log, confirm },
	);
	process.exitCode = results.every(({ differences }) => differences.length === 0) ? 0 : 1;
} catch (error) {
	console.error(`${error.message} Set BASE_URL and API_KEY (and TENANT) in the environment.`);
	process.exitCode = 1;
}
