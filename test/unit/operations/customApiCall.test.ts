/** Custom API Call: a path stays below the Base URL, however a proxy or a server decodes it, and n8n adds no entry of its own. */
import fc from 'fast-check';
import type { INodeTypeDescription } from 'n8n-workflow';
import { BusinessProspectData } from '../../../nodes/BusinessProspectData/BusinessProspectData.node';
import { BusinessProspectDataTrigger } from '../../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import { path as pathParameter } from '../../../nodes/BusinessProspectData/operations/customApiCall/url';
import { bySize } from '../../size';

const { read } = pathParameter;

test.each([
	[' v1/businesses/stats\n', '/v1/businesses/stats'],
	['v1/a%20b/100%25/%C3%A4', '/v1/a%20b/100%25/%C3%A4'],
	["/v1/$&/(x)/it's/a+b,c=d", "/v1/$&/(x)/it's/a+b,c=d"],
])('accepts %j', (raw, path) => {
	expect(read(raw)).toBe(path);
});

test.each<[paths: unknown[], message: RegExp]>([
	[['', ' \n', null, '/'], /^Path is empty/],
	[['https://evil.example/v1', 'javascript:alert(1)', '//evil.example/v1'], /server's address/],
	[['\\\\evil.example', '/\\evil.example'], /server's address/],
	[['/v1/x?a=1', '/v1/x#a'], /Query Parameters/],
	[['/v1//x', '/v1/x/'], /is incomplete/],
	[['/v1/x/undefined', '/v1/x/null/notes', '/v1/x/NaN'], /is incomplete.*no value for this row/],
	[['/v1/x/%2520/notes', '/v1/x/%6eull'], /is incomplete.*no value for this row/],
	[['/v1/a b', '/v1/a\r\nb', '/v1\\x', '/v1/ä', '/v1/100%'], /character that a path can't have/],
	[['..', '/v1/../x', '/v1/./x', '/v1/%2e%2e/x', '/v1/.%2E/x'], /must not contain "\." or "\.\."/],
	[['/v1/%252e%252e/x', '/v1/..%2fx', '/v1/x%2f..', '/v1/..;a/x', '/v1/..%3bx'], /must not con/],
])('rejects %j', (paths, message) => {
	for (const raw of paths) expect(() => read(raw)).toThrow(message);
});

test.each(['https://api.example.com/x?key=s3cret', '/v1/s3cret?', '/v1/s3cret/', '/v1/s3cret/..'])(
	'never repeats the value: %s',
	(raw) => {
		expect(() => read(raw)).toThrow(/^Path/);
		expect(() => read(raw)).not.toThrow(/s3cret/);
	},
);

const BASES = ['https://api.example.com', 'https://api.example.com:8443/gate/way'];
const anyPart = fc.oneof(
	{ arbitrary: fc.constantFrom('/', 'v1', 'a.b', '..c', '%20', '%2f', '%25', '@', ':'), weight: 3 },
	fc.constantFrom('.', '..', '/', '\\', '%', '%2e', '%2F', '%5c', '%25', ';', '@', ':', '//', '?'),
	fc.constantFrom('#', ' ', '\t', '\n', '\0', 'v1', 'evil.example', 'https:', 'ä', '[', '|'),
	fc.string({ unit: 'binary', maxLength: 4 }),
);

test('whatever is accepted stays below the Base URL, as it is written', () => {
	let accepted = 0;
	fc.assert(
		fc.property(fc.array(anyPart, { maxLength: 6 }), fc.constantFrom(...BASES), (parts, base) => {
			let path: string;
			try {
				path = read(parts.join(''));
			} catch {
				return;
			}
			accepted++;
			const { origin, pathname, search, hash, username } = new URL(base + path);
			expect([origin + pathname, search, hash, username]).toEqual([base + path, '', '', '']);
			// As a server that decodes once more would resolve it.
			const decoded = new URL(base + path.replace(/%2[ef]/gi, decodeURIComponent)).pathname;
			expect(decoded.startsWith(`${new URL(base).pathname.replace(/\/$/, '')}/`)).toBe(true);
			expect(decoded).not.toMatch(/\/\.\.?(\/|$)/);
		}),
		{ numRuns: bySize(500, 5_000) },
	);
	expect(accepted).toBeGreaterThan(bySize(50, 500));
});

const NAME = 'Custom API Call';
const node = new BusinessProspectData().description;
const trigger = new BusinessProspectDataTrigger().description;

/** The lists to which n8n adds an entry that can't use the credential: `injectCustomApiCallOptions` in the loader of n8n 2.41. */
function listsWithInjectedEntry({ defaultVersion, version, properties }: INodeTypeDescription) {
	if (defaultVersion !== undefined && defaultVersion !== version) return [];
	return properties
		.filter(({ name, options }) => options && ['resource', 'operation'].includes(name))
		.filter(({ options = [] }) => options.at(-1)?.name !== NAME);
}

test('n8n adds no entry of its own to the node, the tool or the trigger', () => {
	const tool = { ...node, name: `${node.name}Tool` };

	expect([node, tool, trigger].flatMap(listsWithInjectedEntry)).toEqual([]);
	// Without its versions in a list, the node would get some.
	expect(listsWithInjectedEntry({ ...node, version: 1 })).not.toEqual([]);
});
