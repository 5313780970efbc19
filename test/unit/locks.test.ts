/** Lock files install on every system that people develop on. */
import ts from 'typescript';

const SYSTEMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'];

const LOCKS = [
	'pnpm-lock.yaml',
	...ts.sys
		.readDirectory('test', ['pnpm-lock.yaml'])
		.map((path) => path.slice(path.lastIndexOf('test/'))),
];

const listIn = (entry: string, member: string): string[] =>
	(new RegExp(`^ {4}${member}: \\[(.*)\\]$`, 'm').exec(entry)?.[1] ?? '')
		.split(', ')
		.filter(Boolean);

/** The systems of each family of native packages in a lock file, such as `@swc/core` or `@esbuild`. */
function nativeFamilies(lock: string): Map<string, Set<string>> {
	const [, packages = ''] = /\npackages:\n([^]*?)\n\S/.exec(ts.sys.readFile(lock) ?? '') ?? [];
	const families = new Map<string, Set<string>>();
	for (const entry of packages.split(/\n(?= {2}\S)/)) {
		const name = /^\s+'?(@?[^@]+)@/.exec(entry)?.[1] ?? '';
		const [family = ''] = name.split(/[-/](?:android|darwin|freebsd|linux|openharmony|wasm|win32)/);
		// A package for one system whatever its processor, such as fsevents, is no build of something.
		const systems = listIn(entry, 'os').flatMap((os) =>
			listIn(entry, 'cpu').map((cpu) => `${os}-${cpu}`),
		);
		if (systems.length === 0 || family === name) continue;
		families.set(family, new Set([...(families.get(family) ?? []), ...systems]));
	}
	return families;
}

test.each(LOCKS)('%s has every native package for macOS, Windows and Linux', (path) => {
	const families = [...nativeFamilies(path)];
	expect(nativeFamilies('pnpm-lock.yaml').has('@swc/core')).toBe(true);
	const missing = families.map(([family, systems]) => [
		family,
		SYSTEMS.filter((system) => !systems.has(system)),
	]);

	expect(missing).toEqual(families.map(([family]) => [family, []]));
});
