// The trigger in a real n8n, over restarts, an outage and kills: each event, and each new person of a search, is output in
// exactly one execution.
// n8n is as users have it, with the package from its tarball; nothing in it is replaced.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentialFor, getPackage, SECOND_MS, startN8n, SUITE_MS } from './stage.mjs';
import {
	assertAllOnce,
	POLL_MS,
	RESPONSE_MS,
	startBusyService,
	startWatching,
	watchingWorkflows,
} from './watching.mjs';

const MODES = {
	'without durable cursors': {},
	'with durable cursors': {
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	},
};
/** How long after the response to a poll n8n is killed. */
const KILLS_MS = [15, 40];
/** How long before a kill an event may have surfaced and be affected: since the previous poll. */
const AFFECTED_MS = POLL_MS + SECOND_MS;
/** Long enough for two polls. */
const POLLS_MS = 2 * POLL_MS + SECOND_MS;

/** Starts n8n with all workflows active. */
async function startAll(t, mode) {
	const service = await startBusyService(t);
	const n8n = await startN8n(t, `trigger ${mode}`, {
		env: MODES[mode],
		workflows: watchingWorkflows(service.sandbox),
		credentials: [credentialFor(service.sandbox)],
	});
	return { n8n, service, results: await startWatching(n8n, service) };
}

describe('the trigger', { concurrency: true, timeout: SUITE_MS }, () => {
	before(() => getPackage());

	for (const mode of Object.keys(MODES)) {
		it(mode, async (t) => {
			const { n8n, service, results } = await startAll(t, mode);

			await t.test('outputs each event once, over a restart in the middle of a poll', async (t) => {
				service.plan(40 * SECOND_MS);
				await sleep(POLLS_MS);
				await service.nextRequest();
				const { code } = await n8n.halt();
				// Not killed for taking too long. Its native parts sometimes crash at the very end, which doesn't matter here.
				assert.notEqual(code, 'SIGKILL');
				await sleep(POLL_MS);
				await n8n.resume();
				await sleep(POLLS_MS);
				assertAllOnce(t, await results());
			});

			await t.test('survives a service that is down while n8n starts', async (t) => {
				await n8n.halt();
				// Now, because nobody may come in the response to a search that n8n no longer receives.
				service.plan(40 * SECOND_MS);
				service.broken = true;
				await n8n.resume();
				await sleep(POLLS_MS);
				service.broken = false;
				assertAllOnce(t, await results());
			});

			await t.test('loses and repeats no more than the polls in which n8n is killed', async (t) => {
				const kills = [];
				for (const delay of KILLS_MS) {
					service.plan(20 * SECOND_MS);
					await sleep(POLL_MS);
					await service.nextRequest();
					await sleep(RESPONSE_MS + delay);
					kills.push(Date.now());
					await n8n.halt('SIGKILL');
					await n8n.resume();
				}
				// A durable cursor is saved together with its execution, or not at all.
				const mayLose = mode === 'without durable cursors';
				const isAffected = ({ surfacesAt: at }) =>
					mayLose && kills.some((kill) => at > kill - AFFECTED_MS && at < kill);
				assertAllOnce(t, await results(isAffected), isAffected);
			});
		});
	}
});
