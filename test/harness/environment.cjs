// Where n8n-core keeps its key file, and how loud it is. Read once, when n8n-core is loaded.
const { randomUUID } = require('node:crypto');
const { rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const folder = join(tmpdir(), `business-prospect-data-engine-${randomUUID()}`);
const cleanUp = () => rmSync(folder, { recursive: true, force: true });

process.env.N8N_USER_FOLDER = folder;
process.env.N8N_LOG_LEVEL = 'silent';

if ('afterAll' in globalThis) globalThis.afterAll(cleanUp);
else process.on('exit', cleanUp);

// TypeScript files may not read the environment.
globalThis.SIMULATION_SEED = process.env.SIMULATION_SEED;
