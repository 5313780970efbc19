// `npm run test:e2e`: the package as people use it, in a real n8n. `npm run test:e2e -- trigger editor` runs those only.
// A plain program: `node --test` would kill it at an interrupt, and what it started would live on.
import { after } from 'node:test';
import { endAll } from './stage.mjs';

const SUITES = ['trigger', 'examples'];

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !SUITES.includes(name));
if (unknown) {
	console.error(`There is no suite ${unknown}. Suites: ${SUITES.join(', ')}`);
	process.exit(1);
}
after(endAll);
for (const name of chosen.length > 0 ? chosen : SUITES) await import(`./${name}.test.mjs`);
