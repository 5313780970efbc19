/** A path stays below the Base URL, however a proxy or a server decodes it. */
import fc from 'fast-check';
import { path as pathParameter } from '../../../../nodes/BusinessProspectData/operations/customApiCall/url';
import { bySize } from '../../../size';

const { read } = pathParameter;

test.each([
	['/v1/businesses/stats', '/v1/businesses/stats'],
	[' v1/businesses/stats\n', '/v1/businesses/stats'],
	['v1/a%20b/100%25/%C3%A4', '/v1/a%20b/100%25/%C3%A4'],
	['/v1/companies:search;v=1/x@y/~a.b..c', '/v1/companies:search;v=1/x@y/~a.b..c'],
	["/v1/$&/(x)/it's/a+b,c=d", "/v1/$&/(x)/it's/a+b,c=d"],
])('accepts %j', (raw, path) => {
	expect(read(raw)).toBe(path);
});

test.each<[string, unknown, RegExp]>([
	['nothing', '', /^Path is empty/],
	['blanks', ' \n', /^Path is empty/],
	['null', null, /^Path is empty/],
	['a slash', '/', /^Path is empty/],
	['an address', 'https://evil.example/v1', /server's address/],
	['a scheme', 'javascript:alert(1)', /server's address/],
	['a host', '//evil.example/v1', /server's address/],
	['a host with backslashes', '\\\\evil.example', /server's address/],
	['a host with both', '/\\evil.example', /server's address/],
	['a backslash', '/v1\\x', /must not contain "\\"/],
	['an encoded backslash', '/v1%5Cx', /encoded "\\"/],
	['a query', '/v1/x?a=1', /Query Parameters/],
	['a fragment', '/v1/x#a', /Query Parameters/],
	['an empty part', '/v1//x', /is incomplete/],
	['a slash at the end', '/v1/x/', /is incomplete/],
	...['undefined', 'null', 'NaN', '%20', '%2520', '%20%20', '%6eull'].flatMap(
		(part): Array<[string, string, RegExp]> => [
			[`${part} as a part`, `/v1/x/${part}/notes`, /is incomplete.*no value for this row/],
			[`${part} at the end`, `/v1/x/${part}`, /is incomplete.*no value for this row/],
		],
	),
	['a blank', '/v1/a b', /character that a path can't have/],
	['a line break', '/v1/a\r\nb', /character that a path can't have/],
	['a zero byte', '/v1/a\0b', /character that a path can't have/],
	['an encoded line break', '/v1/a%0d%0ab', /control character/],
	['a doubly encoded zero byte', '/v1/a%2500b', /control character/],
	['a letter beyond ASCII', '/v1/ä', /character that a path can't have/],
	['a broken escape', '/v1/100%', /character that a path can't have/],
	...[
		['..', '/..', '/v1/../x', '/v1/..', '/v1/./x', '/v1/%2e%2e/x', '/v1/.%2E/x', '/v1/%2e/x'],
		['/v1/%252e%252e/x', '/v1/..%2fx', '/v1/x%2f..', '/v1/..;a/x', '/v1/..%5cx', '/v1/..%3bx'],
	]
		.flat()
		.map((raw): [string, string, RegExp] => [raw, raw, /must not contain "\." or "\.\."/]),
])('rejects %s', (_what, raw, message) => {
	expect(() => read(raw)).toThrow(message);
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
			expect(origin + pathname).toBe(base + path);
			expect([search, hash, username]).toEqual(['', '', '']);
			// As a server that decodes once more would resolve it.
			const decoded = new URL(base + path.replace(/%2[ef]/gi, decodeURIComponent));
			expect(decoded.pathname.startsWith(`${new URL(base).pathname.replace(/\/$/, '')}/`)).toBe(
				true,
			);
			expect(decoded.pathname).not.toMatch(/\/\.\.?(\/|$)/);
		}),
		{ numRuns: bySize(500, 5_000) },
	);
	expect(accepted).toBeGreaterThan(bySize(50, 500));
});
