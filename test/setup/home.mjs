// `npm run home -- --repository owner/name ...`: fills in where the package lives, who publishes it, and which service it
// is for. The values are kept in home.json, so a later run may name only those that change.
// `--base-url` is for a service with one address for everyone, `--verified` for when n8n has verified the package.
// `npm run home -- --check` changes nothing and fails with the list of what is left.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format, getFileInfo, resolveConfig } from 'prettier';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const saved = join(root, 'test', 'setup', 'home.json');
const { name: packageName } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Each value with its form, which fits an empty text if the value is optional, and an example. */
const VALUES = {
	repository: [/^[\w.-]+\/[\w.-]+$/, 'owner/name'],
	author: [/\S/, 'A Name'],
	email: [/^\S+@\S+$/, 'name@company.example'],
	'service-name': [/\S/, 'A Service'],
	'service-url': [/^https:\/\/\S+$/, 'https://service.example'],
	'api-docs': [/^https:\/\/\S+$/, 'https://service.example/docs'],
	'base-url': [/^(https:\/\/[^\s'"]+)?$/, 'https://api.service.example'],
};

/** The pages that notes in the examples name, which are not where the notes are read: in n8n. */
const PAGES = { 'AI agents': 'ai-agents', 'Your CRM': 'crm' };

const OTHER_WAYS =
	'[Other ways to install it](https://docs.n8n.io/integrations/community-nodes/installation/).';

/** Where the values belong: the file, what is there, and what to write in its place. The patterns match before and after. */
function placesOf(values) {
	const { repository, author, email, verified } = values;
	const home = `https://github.com/${repository}`;
	const service = `[${values['service-name']}](${values['service-url']})`;
	const json = (member, value) => `\t"${member}": ${JSON.stringify(value)}`;
	const resources = (documentation) =>
		json('resources', {
			primaryDocumentation: [{ url: documentation }],
			credentialDocumentation: [{ url: `${home}#credential` }],
		});
	const link = (name, url, about) =>
		`  - name: ${JSON.stringify(name)}\n    url: ${url}\n    about: ${about}\n`;
	const notes = readdirSync(join(root, 'examples'))
		.map((file) => `examples/${file}`)
		.flatMap((file) =>
			Object.entries(PAGES).flatMap(([title, page]) => {
				const pattern = new RegExp(
					`(?<=the page )(\\*${title}\\*|\\[${title}\\]\\(.*?\\))(?= of the doc)`,
				);
				const link = `[${title}](${home}/blob/main/docs/${page}.md)`;
				return pattern.test(readFileSync(join(root, file), 'utf8')) ? [[file, pattern, link]] : [];
			}),
		);
	/** Only with an address: without one, each person has to find it. */
	const baseUrl = values['base-url'] && [
		[
			'credentials/BusinessProspectDataApi.credentials.ts',
			/(?<=name: 'baseUrl',\s+type: 'string',\s+default: ').*?(?=')/,
			values['base-url'],
		],
		[
			'README.md',
			/(?<=\| Base URL +\| ).*?(?= *\|\n)/,
			`\`${values['base-url']}\`, as it is filled in. Change it only if your account page shows another address.`,
		],
	];
	return [
		...notes,
		...(baseUrl || []),
		[
			'package.json',
			/(?<="description": "n8n nodes for ).*?(?=: find)/,
			JSON.stringify(values['service-name']).slice(1, -1),
		],
		[
			'package.json',
			/(?<="license": "MIT",\n)[^]*?(?=\t"keywords")/,
			`${json('homepage', `${home}#readme`)},\n${json('bugs', { url: `${home}/issues` })},\n`,
		],
		[
			'package.json',
			/\t"author"[^]*?(?=\t"files")/,
			`${json('author', { name: author, email })},\n${json('repository', { type: 'git', url: `git+${home}.git` })},\n`,
		],
		['LICENSE', /(?<=Copyright \(c\) \d+ ).*/, author],
		[
			'README.md',
			/(?<=n8n nodes for ).*?(?=: find)/,
			`${service}, a B2B data service ([API documentation](${values['api-docs']}))`,
		],
		[
			'README.md',
			/(?<=but no account\. )[^]*?(?=npm run demo\n)/,
			`Run:\n\n\`\`\`bash\ngit clone ${home}.git\ncd ${repository.split('/')[1]}\n`,
		],
		[
			'README.md',
			/(?<=You need an account with the service and ).*?(?=, version)/,
			verified ? 'either n8n Cloud or a self-hosted n8n' : 'a self-hosted n8n',
		],
		[
			'docs/compatibility.md',
			/(?<=^Works with ).*?(?= \d)/m,
			verified ? 'n8n Cloud and self-hosted n8n' : 'self-hosted n8n',
		],
		[
			'README.md',
			/(?<=\(docs\/compatibility\.md\)\)\.)[^]*?(?=\n\nTo update or remove the package)/,
			verified
				? ` An instance owner or admin must install the package: in the nodes panel, search for \`business and prospect\`, choose the package under **More from the community**, and click **Install**. ${OTHER_WAYS}`
				: ` n8n Cloud accepts only verified community nodes, and this package isn't verified yet.\n\nAn instance owner or admin must install the package. Open **Settings > Community nodes**, click **Install a community node**, enter \`${packageName}\`, accept the risk, and click **Install**. ${OTHER_WAYS}`,
		],
		[
			'README.md',
			/(?<=## Support\n\n).*?(?= To report a security)/,
			`For questions and bugs, open an [issue](${home}/issues). For questions about your account, credits, or the data itself, contact ${service}.`,
		],
		[
			'SECURITY.md',
			/(?<=open the repository's ).*?(?= and click)/,
			`[Security tab](${home}/security)`,
		],
		[
			'credentials/BusinessProspectDataApi.credentials.ts',
			/(?<=documentationUrl =\s*')[^']*/,
			`${home}#credential`,
		],
		[
			'nodes/BusinessProspectData/BusinessProspectData.node.json',
			/\t"resources"[^]*(?=\n\}\n$)/,
			resources(`${home}/blob/main/docs/operations.md`),
		],
		[
			'nodes/BusinessProspectData/BusinessProspectDataTrigger.node.json',
			/\t"resources"[^]*(?=\n\}\n$)/,
			resources(`${home}/blob/main/docs/trigger.md`),
		],
		[
			'.github/ISSUE_TEMPLATE/config.yml',
			/(?<=contact_links:\n)[^]*?(?= {2}- name: Questions about n8n itself)/,
			link(
				'Report a vulnerability',
				`${home}/security/advisories/new`,
				'Report it privately, not in an issue.',
			) +
				link(
					`Questions about ${values['service-name']}`,
					values['service-url'],
					'Ask about your account, credits, or the data itself.',
				),
		],
		['.github/CODEOWNERS', /^(# )?\* .*$/m, `* @${repository.split('/')[0]}`],
		[
			'.github/workflows/publish.yml',
			/(?<= {2}publish:\n)(?: {4}if: .*\n)?/,
			`    if: github.repository == '${repository}'\n`,
		],
	];
}

/** A text as the formatter would write it. */
async function formatted(path, text) {
	const { inferredParser } = await getFileInfo(path);
	if (inferredParser === null) return text;
	return await format(text, { ...(await resolveConfig(path)), filepath: path });
}

const options = Object.fromEntries(Object.keys(VALUES).map((name) => [name, { type: 'string' }]));
const { check, ...given } = parseArgs({
	options: { ...options, check: { type: 'boolean' }, verified: { type: 'boolean' } },
}).values;
const known = existsSync(saved) ? JSON.parse(readFileSync(saved, 'utf8')) : {};
const values = { ...known, ...given };
const wrong = Object.keys(VALUES).filter((name) => !VALUES[name][0].test(values[name] ?? ''));
if (wrong.length > 0 && !check) {
	for (const name of wrong)
		console.error(`--${name} is missing, or not like this: ${VALUES[name][1]}`);
	process.exit(1);
}
// Without values, the examples show that each place is left.
for (const name of wrong) [, values[name]] = VALUES[name];

const texts = new Map();
const left = [];
for (const [file, pattern, value] of placesOf(values)) {
	const path = join(root, file);
	const text = texts.get(file) ?? readFileSync(path, 'utf8');
	if (!pattern.test(text)) throw new Error(`${file} has nothing like ${pattern}`);
	const changed = await formatted(
		path,
		text.replace(pattern, () => value),
	);
	if (changed !== text) left.push(`${file}: ${value.trim().replace(/\s+/g, ' ').slice(0, 80)}`);
	texts.set(file, changed);
}
if (!check) {
	for (const [file, text] of texts) writeFileSync(join(root, file), text);
	writeFileSync(saved, `${JSON.stringify(values, null, '\t')}\n`);
	console.log(
		left.length > 0 ? `Filled in:\n  ${left.join('\n  ')}` : 'All of it is there already.',
	);
} else if (left.length > 0) {
	console.error(`Left to fill in with npm run home:\n  ${left.join('\n  ')}`);
	process.exit(1);
}
