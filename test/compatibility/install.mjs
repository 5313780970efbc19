// Installs the oldest engine of n8n that the package is tested in, from the lock file in `oldest`.
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLocked } from '../setup/install.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const locked = join(here, 'oldest');
// Apart from the clone's own modules, which have the newest engine; git ignores it.
const folder = join(here, '..', '..', '.n8n', 'oldest');

mkdirSync(folder, { recursive: true });
for (const file of ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'])
	cpSync(join(locked, file), join(folder, file));
installLocked(folder, 'the oldest n8n-core that is supported');
