// The trigger in a real n8n, over restarts, an outage and kills: each event, and each new person of a search, is output in
// exactly one execution.
// n8n is as users have it, with the package from its tarball; nothing in it is replaced.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGate } from './gate.mjs';
import { atEnd, credentialFor, getPackage, startN8n, SUITE_MS } from './stage.mjs';
import {
	RESPONSE_MS,
	assertAllOnce,
	SECOND_MS,
	startBusyService,
	startWatching,
	reportCounts,
	watches,
	workflowOf,
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
/**
 * How long before a kill an event may have surfaced and be affected: since the previous poll. People and the search are
 * polled every 10 seconds, companies at 0 and 25 seconds of a minute.
 */
const AFFECTED_MS = { prospect: 11_000, search: 11_000, business: 36_000 };

/** Starts n8n with all workflows active. */
async function startAll(t, mode) {
	const service = await startBusyService(t);
	const gate = await startGate(service.sandbox.url);
	atEnd(t, () => gate.shut());
	const watched = watches(service.sandbox);
	const n8n = await startN8n(t, `trigger ${mode}`, {
		env: MODES[mode],
		workflows: watched.map(workflowOf),
		credentials: [credentialFor(service.sandbox, gate.url)],
	});
	const { results } = await startWatching(n8n, service, watched);
	return { n8n, gate, service, results };
}

describe('the trigger', { concurrency: true, timeout: SUITE_MS }, () => {
	before(() => getPackage());

	for (const mode of Object.keys(MODES)) {
		it(mode, async (t) => {
			const { n8n, gate, service, results } = await startAll(t, mode);

			await t.test('outputs each event once, over a restart in the middle of a poll', async (t) => {
				service.plan(70 * SECOND_MS);
				service.busy = true;
				await sleep(35 * SECOND_MS);
				await service.nextRequest();
				const { code } = await n8n.halt();
				// Not killed for taking too long. Its native parts sometimes crash at the very end, which doesn't matter here.
				assert.notEqual(code, 'SIGKILL');
				await sleep(15 * SECOND_MS);
				await n8n.resume();
				await sleep(15 * SECOND_MS);
				assertAllOnce(t, await results());
			});

			await t.test('survives a service that is down while n8n starts', async (t) => {
				service.plan(70 * SECOND_MS);
				service.busy = true;
				await n8n.halt();
				await gate.shut();
				await n8n.resume();
				await sleep(30 * SECOND_MS);
				service.broken = true;
				await gate.open();
				await sleep(30 * SECOND_MS);
				service.broken = false;
				assertAllOnce(t, await results());
			});

			await t.test('loses and repeats no more than the polls in which n8n is killed', async (t) => {
				const kills = [];
				for (const delay of KILLS_MS) {
					service.plan(30 * SECOND_MS);
					service.busy = true;
					await sleep(12 * SECOND_MS);
					await service.nextRequest();
					await sleep(RESPONSE_MS + delay);
					kills.push(Date.now());
					await n8n.halt('SIGKILL');
					await n8n.resume();
				}
				for (const result of await results()) {
					reportCounts(t, result);
					const { kind, due, missing, repeated, unexpected, outOfOrder } = result;
					const affected = due
						.filter(({ surfacesAt: at }) =>
							kills.some((kill) => at > kill - AFFECTED_MS[kind] && at < kill),
						)
						.map(({ event_id: id }) => id);
					const others = (ids) => ids.filter((id) => !affected.includes(id));
					assert.deepEqual({ unexpected, outOfOrder }, { unexpected: [], outOfOrder: 0 });
					assert.deepEqual(others([...missing, ...repeated]), []);
					// A durable cursor is saved together with its execution, or not at all.
					if (mode === 'with durable cursors') assert.deepEqual([missing, repeated], [[], []]);
				}
			});
		});
	}
});
