// Loads every node and credential type that an installed n8n brings, as n8n does when it needs one, and prints how many
// there are and which failed. Run by the Node.js of that n8n, with its folder.
const { createRequire } = require('node:module');
const { basename, dirname, join } = require('node:path');

const resolve = createRequire(join(process.argv[2], 'node_modules', 'n8n', 'package.json')).resolve;
const failed = [];
let loaded = 0;
for (const name of ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']) {
	const manifest = resolve(`${name}/package.json`);
	const { nodes, credentials } = require(manifest).n8n;
	for (const path of [...nodes, ...credentials]) {
		try {
			const [className] = basename(path).split('.');
			new (require(join(dirname(manifest), path))[className])();
			loaded += 1;
		} catch (error) {
			failed.push(`${path}: ${error.message.split('\n')[0]}`);
		}
	}
}
console.log(JSON.stringify({ loaded, failed }));
// What some of them load keeps the process alive.
process.exit();
