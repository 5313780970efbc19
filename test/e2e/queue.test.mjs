// Queue mode: a main process and two workers with Redis and PostgreSQL, while a worker is killed and the main process is
// restarted. n8n is as users have it; each process has a folder of its own with the package in it, as on several machines.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WORKER_JOBS } from '../n8n/instance.mjs';
import { findPrograms, startServers } from '../n8n/servers.mjs';
import {
	activate,
	atEnd,
	credentialFor,
	CREDENTIAL_TYPE,
	credentials,
	getPackage,
	interrupted,
	latestExecutions,
	NODE,
	node,
	rowsOf,
	SECOND_MS,
	startLog,
	startN8n,
	startService,
	SUITE_MS,
	until,
	workflowOf,
} from './stage.mjs';
import { tablesOf } from './tables.mjs';
import { assertAllOnce, startBusyService, startWatching, watchingWorkflows } from './watching.mjs';

const programs = await findPrograms();

const EXECUTIONS = 14;
const ROWS = 500;
const ENDPOINTS = ['profileBulk', 'contactsBulk'];
/** Of one execution, with 50 rows in each. */
const REQUESTS = (ROWS / 50) * ENDPOINTS.length;
/** How long an answer takes: long enough for an execution to be met in the middle. */
const ANSWER_MS = SECOND_MS;
const PATIENCE_MS = 240 * SECOND_MS;

const SETTINGS = {
	EXECUTIONS_MODE: 'queue',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	// Minutes; by default it takes n8n three hours to see that the execution of a dead worker has ended.
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '0.25',
	// Milliseconds; by default it takes the queue 90 seconds to give up a dead worker's jobs.
	QUEUE_WORKER_LOCK_DURATION: '30000',
	QUEUE_WORKER_STALLED_INTERVAL: '10000',
	// Seconds; n8n's main process waits that long for the executions of its workers when it is to end.
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
	// A busy machine is no failure.
	DB_POSTGRESDB_CONNECTION_TIMEOUT: '120000',
	DB_PING_TIMEOUT_MS: '60000',
	// A request says which worker sent it.
	N8N_BLOCK_ENV_ACCESS_IN_NODE: 'false',
};

const SENDER = { [CREDENTIAL_TYPE]: { id: 'sender', name: 'Sender' } };
/** The credential with which a request says who sent it. */
function senderCredential(sandbox) {
	const { data, ...credential } = credentialFor(sandbox);
	const tenant = '={{ JSON.stringify({ execution: $execution.id, worker: $env.WORKER }) }}';
	return { ...credential, ...SENDER[CREDENTIAL_TYPE], data: { ...data, tenant } };
}

/** A workflow that runs an operation for the people whom its webhook gets. */
const peopleWorkflow = (path, parameters, credentials) =>
	workflowOf(path, [
		node(
			'Webhook',
			'n8n-nodes-base.webhook',
			2,
			{ httpMethod: 'POST', path, responseMode: 'onReceived' },
			{ id: `${path}-webhook`, webhookId: path },
		),
		node(
			'People',
			'n8n-nodes-base.splitOut',
			1,
			{ fieldToSplitOut: 'body.people', options: {} },
			{ id: `${path}-people` },
		),
		node(
			'Node',
			NODE,
			1,
			{ resource: 'prospect', ...parameters },
			{ id: `${path}-node`, credentials },
		),
	]);

/** A workflow that enriches the people whose IDs its webhook gets. */
const enrichWorkflow = (path, parameters, credentials) =>
	peopleWorkflow(
		path,
		{
			operation: 'enrich',
			identifyBy: 'prospectId',
			prospectIds: '={{ $json.id }}',
			dataSets: ['profile', 'emails', 'phoneNumbers'],
			...parameters,
		},
		credentials,
	);
const ENRICH = enrichWorkflow('enrich', {}, SENDER);
const REMEMBER = enrichWorkflow('remember', { rememberIn: 'Remembered data' }, credentials);

/** Waits longer than the others: three n8n share the machine. */
const patiently = async (what, give) => await until(what, give, PATIENCE_MS);

/** Which execution and which worker sent a request: its tenant says so. */
const senderOf = ({ tenant }) => JSON.parse(tenant);

/** What is wrong with the output rows of an execution: who is in them, what they have, what they are linked to. */
function faultsOf({ data }, world) {
	const output = (node) => data.resultData.runData[node][0].data.main[0];
	const given = output('People').map(({ json }) => json.id);
	const rows = output('Node');
	const first = world.prospectIndex(given[0]);
	assert.deepEqual(given, world.prospectIds(ROWS, first));
	return given.flatMap((id, at) => {
		const { json, pairedItem } = rows[at] ?? {};
		const { hasProfile, fullName } = world.person(first + at);
		const right =
			json?.prospect_id === id &&
			json.profile_full_name === (hasProfile ? fullName : null) &&
			'contacts_email' in json &&
			pairedItem?.item === at;
		return right ? [] : [`row ${at}: ${JSON.stringify(rows[at])?.slice(0, 100)}`];
	});
}

async function sendPeople(n8n, path, people) {
	const body = JSON.stringify({ people });
	const headers = { 'content-type': 'application/json' };
	// For a moment after the activation n8n does not know the address.
	await patiently('the webhook', async () => {
		const { ok } = await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST', headers, body });
		return ok;
	});
}

const endOfAll = async (n8n, path, count) =>
	await patiently('the end of all executions', async () => {
		const found = await latestExecutions(n8n, path);
		const isRunning = ({ status }) => ['new', 'running'].includes(status);
		return found.length >= count && !found.some(isRunning) && found;
	});

/** Of a run that takes several times as long as the worker's lock lasts. */
const MANY_ROWS = 6_000;
const MATCH = peopleWorkflow(
	'match',
	{
		operation: 'match',
		email: '={{ $json.email }}',
		fullName: '={{ $json.name }}',
		companyName: '={{ $json.company }}',
	},
	credentials,
);

before(() => getPackage());

it('a long run lets its worker renew its lock', { timeout: SUITE_MS }, async (t) => {
	const servers = await startServers({
		programs,
		logFile: await startLog('long run servers'),
		signal: interrupted,
	});
	atEnd(t, servers.stop);
	const sandbox = await startService(t, { eventsPerDay: 0 });
	const n8n = await startN8n(t, 'long run', {
		env: {
			...servers.env,
			...SETTINGS,
			QUEUE_WORKER_LOCK_DURATION: '5000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
			QUEUE_WORKER_STALLED_INTERVAL: '1000',
		},
		workflows: [MATCH],
		credentials: [credentialFor(sandbox)],
	});
	// The second one looks for stalled jobs while the first is busy.
	await Promise.all([n8n.startWorker(), n8n.startWorker()]);
	await activate(n8n, 'match');
	const people = Array.from({ length: MANY_ROWS }, (_, at) => ({
		email: `person.${at}@company-${at % 100}.example`,
		name: `Person ${at}`,
		company: `Company ${at % 100}`,
	}));
	await sendPeople(n8n, 'match', people);

	const [{ id, status }] = await endOfAll(n8n, 'match', 1);
	assert.equal(status, 'success');
	const { data } = await n8n.readExecution(id);
	assert.equal(rowsOf({ data }, 'Node').length, MANY_ROWS);
	const { ids, repeated } = sandbox.log.count('match');
	assert.deepEqual({ ids, repeated }, { ids: MANY_ROWS, repeated: [] });
});

it('queue mode outlives a worker and a restart', { timeout: SUITE_MS }, async (t) => {
	const logFile = await startLog('servers');
	const servers = await startServers({ programs, logFile, signal: interrupted });
	atEnd(t, servers.stop);
	const service = await startBusyService(t, { people: EXECUTIONS * ROWS });
	const { sandbox } = service;
	sandbox.fault({
		when: { to: ENDPOINTS },
		times: 'always',
		do: { kind: 'delay', ms: ANSWER_MS },
	});
	const requests = () => ENDPOINTS.flatMap((endpoint) => sandbox.log.requestsTo(endpoint));
	const by = (name) =>
		requests()
			.map(senderOf)
			.filter(({ worker }) => worker === name);
	/** The executions of a worker that have asked for something, but not for everything yet. */
	function pending(worker) {
		const counts = new Map();
		for (const { execution } of by(worker)) counts.set(execution, (counts.get(execution) ?? 0) + 1);
		return [...counts].filter(([, count]) => count < REQUESTS).map(([execution]) => execution);
	}
	const n8n = await startN8n(t, 'queue', {
		env: { ...servers.env, ...SETTINGS },
		workflows: [ENRICH, REMEMBER, ...watchingWorkflows(sandbox)],
		credentials: [credentialFor(sandbox), senderCredential(sandbox)],
	});
	const [doomed] = await Promise.all([
		n8n.startWorker({ WORKER: 'doomed' }),
		n8n.startWorker({ WORKER: 'steady' }),
	]);
	const results = await startWatching(n8n, service);
	service.plan(60 * SECOND_MS);

	const send = async (path, number) =>
		await sendPeople(
			n8n,
			path,
			sandbox.world.prospectIds(ROWS, number * ROWS).map((id) => ({ id })),
		);
	const allEnded = async (path, count) => await endOfAll(n8n, path, count);

	await activate(n8n, 'enrich');
	for (let number = 0; number < EXECUTIONS; number++) await send('enrich', number);

	// All that the worker runs, so that no execution of the trigger's is among it.
	const dying = await patiently('a worker in the middle of its work', () => {
		const executions = pending('doomed');
		return executions.length === WORKER_JOBS && executions;
	});
	await doomed.stop('SIGKILL');
	// The requests that were on their way.
	await sleep(SECOND_MS);
	const sent = new Set(requests());
	service.plan(60 * SECOND_MS);

	async function restart() {
		await patiently('an execution under way', () => pending('steady').length > 0);
		const { code } = await n8n.halt();
		assert.notEqual(code, 'SIGKILL');
		await n8n.resume();
		service.plan(60 * SECOND_MS);
	}
	await Promise.all([n8n.startWorker({ WORKER: 'replacement' }), restart()]);

	const ended = await allEnded('enrich', EXECUTIONS);
	assert.equal(ended.length, EXECUTIONS);
	const count = (values) => new Set(values).size;
	const executionsOf = (worker) => count(by(worker).map(({ execution }) => execution));
	const endings = ended.filter(({ id }) => dying.includes(id)).map(({ status }) => status);
	t.diagnostic(
		`Of ${EXECUTIONS} executions ${executionsOf('doomed')} ran on the worker that was killed, ${executionsOf('steady')} on the other, ${executionsOf('replacement')} on the replacement. Killed after ${by('doomed').length} of ${dying.length * REQUESTS} requests, they ended as ${[...new Set(endings)].join(', ')}.`,
	);

	await t.test('what did not run on the killed worker has all its rows', async () => {
		for (const { id, status } of ended.filter((one) => !dying.includes(one.id))) {
			const execution = await n8n.readExecution(id);
			const { error } = execution.data.resultData;
			assert.equal(status, 'success', `execution ${id}: ${error?.message} ${error?.description}`);
			assert.deepEqual(faultsOf(execution, sandbox.world), [], `execution ${id}`);
		}
	});

	await t.test('what ran on the killed worker has failed, and requested nothing after it', () => {
		const inVain = ended.filter(({ status }) => ['crashed', 'error'].includes(status));
		const later = requests().filter((one) => !sent.has(one));
		assert.deepEqual(
			dying.filter((dead) => !inVain.some(({ id }) => id === dead)),
			[],
		);
		assert.deepEqual(
			later.filter((one) => dying.includes(senderOf(one).execution)).map(({ path }) => path),
			[],
		);
	});

	await t.test('no id was requested twice', () => {
		for (const endpoint of ENDPOINTS)
			assert.deepEqual(sandbox.log.count(endpoint).repeated, [], endpoint);
		assert.deepEqual(sandbox.log.defects(), []);
	});

	await t.test('the trigger has output each event once', async (t) => {
		assertAllOnce(t, await results());
	});

	await t.test('what two workers bought at once is remembered', async () => {
		await activate(n8n, 'remember');
		await Promise.all([send('remember', 0), send('remember', 0)]);
		await allEnded('remember', 2);
		sandbox.log.clear();
		await send('remember', 0);

		for (const { id } of await allEnded('remember', 3))
			assert.deepEqual(faultsOf(await n8n.readExecution(id), sandbox.world), []);
		assert.deepEqual(requests(), []);
		const keys = (await (await tablesOf(n8n)).read('Remembered data')).map(({ key }) => key);
		assert.equal(new Set(keys).size, 2 * ROWS);
	});
});
