// The servers that n8n's queue mode needs, Redis and PostgreSQL: Debian's programs on free ports, with temporary folders.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from './ports.mjs';
import { PlainError, run, startServer } from './processes.mjs';

/** Which Debian package has which program. */
const PACKAGES = { 'redis-server': 'redis-server', initdb: 'postgresql', postgres: 'postgresql' };
/** Debian keeps PostgreSQL's programs out of the PATH, in a folder for each version. */
const POSTGRESQL = '/usr/lib/postgresql';
const HOST = '127.0.0.1';
const DATABASE_USER = 'n8n';

/**
 * Finds the paths of the servers' programs.
 *
 * @throws {PlainError} that names the packages to install
 */
export async function findPrograms() {
	const versions = existsSync(POSTGRESQL) ? await readdir(POSTGRESQL) : [];
	const folders = [
		...(process.env.PATH ?? '').split(delimiter),
		...versions.sort((a, b) => Number(b) - Number(a)).map((name) => join(POSTGRESQL, name, 'bin')),
	];
	const find = (name) => folders.map((folder) => join(folder, name)).find(existsSync);
	const programs = Object.keys(PACKAGES).map((name) => [name, find(name)]);
	const missing = programs.filter(([, path]) => !path).map(([name]) => PACKAGES[name]);
	if (missing.length > 0)
		throw new PlainError(
			`n8n's queue mode needs Redis and PostgreSQL. On Debian and Ubuntu: apt-get install ${[...new Set(missing)].join(' ')}`,
		);
	return Object.fromEntries(programs);
}

/**
 * PostgreSQL refuses to run as root: it gets a system's user, who gets the folder. The result puts that before a command.
 *
 * @returns {Promise<(program: string, args: string[]) => [string, string[]]>}
 */
async function unprivileged(folder) {
	if (process.getuid?.() !== 0) return (program, args) => [program, args];
	for (const name of ['postgres', 'nobody']) {
		const [uid, gid] = ['-u', '-g'].map((flag) =>
			Number.parseInt(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout, 10),
		);
		if (!(uid > 0 && gid > 0)) continue;
		await chown(folder, uid, gid);
		const to = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
		return (program, args) => ['setpriv', [...to, program, ...args]];
	}
	throw new PlainError('PostgreSQL does not run as root, and there is no user postgres or nobody.');
}

/**
 * Starts Redis and PostgreSQL, empty.
 *
 * @returns n8n's settings for them; `stop` ends them and removes their data
 * @throws {PlainError} when one does not start; nothing is left running then
 */
export async function startServers({ programs, logFile, signal }) {
	const folder = await mkdtemp(join(tmpdir(), 'business-prospect-data-servers-'));
	const data = join(folder, 'postgresql');
	const common = { cwd: folder, logFile, signal };
	const redisPort = String(await freePort());
	const postgresPort = String(await freePort());
	const servers = [];
	async function stop() {
		// With SIGTERM PostgreSQL would wait for its clients.
		await Promise.all(servers.map((server) => server.stop('SIGINT')));
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}

	try {
		const asUser = await unprivileged(folder);
		await run(
			...asUser(programs.initdb, [
				`--pgdata=${data}`,
				`--username=${DATABASE_USER}`,
				'--auth=trust',
				'--encoding=UTF8',
				'--locale=C',
				'--no-sync',
			]),
			{ ...common, title: 'Making a database' },
		);
		const settings = {
			listen_addresses: HOST,
			port: postgresPort,
			unix_socket_directories: '',
			fsync: 'off',
		};
		servers.push(
			startServer(
				...asUser(programs.postgres, [
					'-D',
					data,
					...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
				]),
				{ ...common, title: 'PostgreSQL', readyLine: 'ready to accept connections' },
			),
			startServer(
				programs['redis-server'],
				['--port', redisPort, '--bind', HOST, '--save', '', '--dir', folder],
				{ ...common, title: 'Redis', readyLine: 'Ready to accept connections' },
			),
		);
		await Promise.all(servers.map(({ ready }) => ready));
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: HOST,
			DB_POSTGRESDB_PORT: postgresPort,
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: DATABASE_USER,
			QUEUE_BULL_REDIS_HOST: HOST,
			QUEUE_BULL_REDIS_PORT: redisPort,
		},
		stop,
	};
}
