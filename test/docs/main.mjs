// Writes the parts of the documentation that repeat the code; with --check, only says which files are out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { generatedFiles } from './generated.ts';

for (const [path, text] of generatedFiles()) {
	if (text === readFileSync(path, 'utf8')) continue;
	if (process.argv.includes('--check')) {
		console.error(`${path} is out of date. Run: npm run docs`);
		process.exitCode = 1;
	} else {
		writeFileSync(path, text);
		console.log(`Updated ${path}`);
	}
}
