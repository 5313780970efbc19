// `npm run test:e2e`: the package as people use it, in a real n8n. `npm run test:e2e -- trigger editor` runs those only,
// `npm run test:e2e -- --except trigger` all others.
// A plain program: `node --test` would kill it at an interrupt, and what it started would live on.
import { after } from 'node:test';
import { parseArgs } from 'node:util';
import { PlainError } from '../n8n/processes.mjs';
import { endAll, REPLACE_PICTURES } from './stage.mjs';

/** In this order: `editor` needs the n8n that it shares as new, and `remember` kills it. */
const SUITES = ['install', 'editor', 'examples', 'agent', 'cancel', 'remember', 'trigger'];
/**
 * Run when they are named only: `npm run test:queue` needs Redis and PostgreSQL, `npm run test:e2e:1x` installs another n8n.
 */
const BY_NAME = ['queue', 'older'];

const { values, positionals: named } = parseArgs({
	allowPositionals: true,
	options: {
		except: { type: 'string', multiple: true, default: [] },
		[REPLACE_PICTURES.slice(2)]: { type: 'boolean' },
	},
});
const all = [...SUITES, ...BY_NAME];
const unknown = [...named, ...values.except].find((name) => !all.includes(name));
if (unknown) {
	console.error(`There is no suite ${unknown}. Suites: ${all.join(', ')}`);
	process.exit(1);
}
const chosen = named.length > 0 ? named : SUITES;
after(endAll);
try {
	for (const name of all)
		if (chosen.includes(name) && !values.except.includes(name)) await import(`./${name}.test.mjs`);
} catch (error) {
	if (!(error instanceof PlainError)) throw error;
	console.error(error.message);
	process.exit(1);
}
