/** The built package: n8n's own loaders find it whole, and it runs. Not part of `npm test`, which may run without a build. */
import { LazyPackageDirectoryLoader, PackageDirectoryLoader } from 'n8n-core';
import type { INodeType } from 'n8n-workflow';
import { sys } from 'typescript';
import { version as coreVersion } from 'n8n-core/package.json';
import { version as workflowVersion } from 'n8n-workflow/package.json';
import packageJson, { name, version } from '../../package.json';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { BusinessProspectDataTrigger } from '../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import { runNode } from '../harness/engine';
import { startSandbox } from '../sandbox/sandbox';

const NODES = ['businessProspectData', 'businessProspectDataTrigger'];

/** Set in jest.config.js. */
declare const ENGINE: string;

/** What the lock file of the engine names. */
function pinned(): Record<string, string> {
	if (ENGINE === 'newest') return packageJson.devDependencies;
	const file = sys.readFile(`test/compatibility/engines/${ENGINE}/package.json`) ?? '';
	return (JSON.parse(file) as { dependencies: Record<string, string> }).dependencies;
}

test(`the engine is ${ENGINE}`, () => {
	expect(pinned()).toMatchObject({ 'n8n-core': coreVersion, 'n8n-workflow': workflowVersion });
});

describe.each([PackageDirectoryLoader, LazyPackageDirectoryLoader])('%p', (Loader) => {
	const load = async () => {
		const loader = new Loader(sys.resolvePath('.'));
		await loader.loadAll();
		return loader;
	};

	test('finds both nodes and the credential, with their descriptions', async () => {
		const { types, known, packageName } = await load();

		expect(packageName).toBe(name);
		expect(types.nodes.map((node) => node.name)).toEqual(NODES);
		expect(types.credentials.map((type) => type.name)).toEqual(['businessProspectDataApi']);
		expect(known.credentials.businessProspectDataApi?.supportedNodes).toEqual(NODES);
		const [node, trigger] = types.nodes;
		expect(node?.properties).toEqual(new BusinessProspectData().description.properties);
		expect(trigger?.properties.map((property) => property.name)).toEqual([
			'pollTimes',
			...new BusinessProspectDataTrigger().description.properties.map((property) => property.name),
		]);
	});

	test('finds icons, search words and lists', async () => {
		const { types, getNode } = await load().then((loader) => ({
			types: loader.types,
			getNode: (type: string) => loader.getNode(type).type as INodeType,
		}));
		const iconUrl = (theme: string) =>
			`icons/${name}/dist/nodes/BusinessProspectData/businessProspectData${theme}.svg`;

		for (const type of [...types.nodes, ...types.credentials]) {
			expect(type.iconUrl).toEqual({ light: iconUrl(''), dark: iconUrl('.dark') });
		}
		for (const { codex } of types.nodes) {
			expect(codex?.categories).toEqual(['Sales', 'Marketing & Content']);
			expect(codex?.alias?.length).toBeGreaterThan(10);
		}
		expect(Object.keys(getNode('businessProspectData').methods?.listSearch ?? {})).toEqual(
			Object.keys(new BusinessProspectData().methods.listSearch),
		);
	});

	test("finds the package's version", async () => {
		const { types } = await load();

		for (const node of types.nodes) expect(node.communityNodePackageVersion).toBe(version);
	});
});

test('what was built runs as it was loaded', async () => {
	const loader = new PackageDirectoryLoader(sys.resolvePath('.'));
	await loader.loadAll();
	const { world, url, apiKey, log, close } = await startSandbox({ rateLimit: null });

	const run = await runNode({
		node: loader.getNode('businessProspectData').type as INodeType,
		credentials: { baseUrl: url, apiKey },
		credentialType: loader.getCredential('businessProspectDataApi').type,
		parameters: {
			resource: 'prospect',
			operation: 'enrich',
			identifyBy: 'prospectId',
			prospectIds: '={{ $json.id }}',
			dataSets: ['profile'],
		},
		items: [{ id: world.prospectId(1) }, { id: 'abc' }, { id: world.prospectId(2) }],
		onError: 'continueErrorOutput',
		expressionAfter: "{{ $('CRM').item.json.id }}",
	});
	await close();

	expect(run.failure).toBeUndefined();
	expect(run.linked).toEqual([world.prospectId(1), world.prospectId(2)]);
	expect(run.linkedErrors).toEqual(['abc']);
	expect(log.entries).toHaveLength(1);
});
