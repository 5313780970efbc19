// Workflows with the trigger, a service with many events, and a check of their executions.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { compare, readExecutions } from './executions.mjs';
import { activate, credentials, into, node, startService, TRIGGER } from './stage.mjs';

export const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
/** n8n doesn't accept a poll time of less than a minute, but several of a minute each. */
const POLL_SECONDS = [0, 10, 20, 30, 40, 50];
/** How long a response of the service takes. */
export const RESPONSE_MS = 300;
const LATEST_MS = 90 * SECOND_MS;

export const EVERY_TEN_SECONDS = POLL_SECONDS.map((second) => ({
	mode: 'custom',
	cronExpression: `${second} * * * * *`,
}));
/** The companies whose people are searched. */
const SEARCHED = [3, 11, 19, 27, 35];

/** What the workflows watch: people from now on, companies since ten days ago, and a search from now on. */
export function watches({ world }) {
	const people = world.prospectIds(100);
	const companies = world.businessIds(45);
	const since = Date.now() - 240 * HOUR_MS;
	return [
		{
			kind: 'prospect',
			pollTimes: EVERY_TEN_SECONDS,
			parameters: { triggerOn: 'prospectEvent', ids: people.join('\n'), options: {} },
			due: ({ activated }) =>
				world.surfacedEvents({ kind: 'prospect', ids: people, after: activated - 1 }),
		},
		{
			kind: 'business',
			pollTimes: [{ mode: 'everyMinute' }, { mode: 'custom', cronExpression: '25 * * * * *' }],
			parameters: {
				triggerOn: 'businessEvent',
				ids: companies.join('\n'),
				// Without retries, a failing poll ends soonest, which is when n8n may stop polling.
				options: { startFrom: new Date(since).toISOString(), requests: { maxTries: 1 } },
			},
			due: () => world.surfacedEvents({ kind: 'business', ids: companies, after: since - 1 }),
		},
		{
			kind: 'search',
			pollTimes: EVERY_TEN_SECONDS,
			parameters: {
				triggerOn: 'newProspect',
				filters: {
					company_name: [{ value: SEARCHED.map((index) => world.company(index).name) }],
				},
				options: {},
			},
			due: ({ listed }) => listed,
		},
	];
}

/**
 * A workflow with the trigger.
 *
 * @param {{ kind: string, pollTimes: object[], parameters: object }} watch
 */
export const workflowOf = ({ kind, pollTimes, parameters }) => ({
	id: kind,
	name: kind,
	active: false,
	settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all' },
	nodes: [
		node(
			'Trigger',
			TRIGGER,
			1,
			{ ...parameters, checkEvery: 'poll', pollTimes: { item: pollTimes } },
			{ id: `${kind}-trigger`, credentials },
		),
		node('End', 'n8n-nodes-base.noOp', 1, {}, { id: `${kind}-end` }),
	],
	connections: { Trigger: into('main', 'End') },
});

/**
 * Starts a service with many events, and with a search that finds more people as time goes by: some surface at once, some
 * late, some while they are queried.
 *
 * @param {import('node:test').TestContext} t
 * @param {Parameters<typeof startService>[1]} [options] of the sandbox
 */
export async function startBusyService(t, options) {
	const sandbox = await startService(t, options);
	const { world } = sandbox;
	const pick = (values) => values[Math.floor(Math.random() * values.length)];
	const between = (from, to) => from + Math.random() * (to - from);
	let busy = false;
	let broken = false;
	/** @type {(kind: string) => void} */
	let onRequest = () => {};
	const kinds = { prospectEvents: 'prospect', businessEvents: 'business' };
	/** The people whom the search doesn't find yet: all but every fifth. */
	const hidden = Array.from({ length: world.people }, (_, index) => index)
		.filter((index) => SEARCHED.includes(world.person(index).company))
		.filter((_, at) => at % 5 > 0);
	for (const index of hidden) world.unlisted.add(index);
	const comings = [];
	const listed = [];

	/** Lets the search find those whose time has come. */
	function list() {
		const now = Date.now();
		while (comings.length > 0 && comings[0].surfacesAt <= now) {
			const coming = comings.shift();
			world.unlisted.delete(coming.index);
			listed.push({ event_id: world.prospectId(coming.index), surfacesAt: new Date(now) });
		}
	}

	function plant(kind, index, time, lag) {
		const at = { time: new Date(Math.floor(time)), surfacesAt: new Date(Math.ceil(time + lag)) };
		world.addEvent({ [kind]: index, ...at });
	}

	sandbox.fault({
		times: 'always',
		do: { kind: 'status', status: 503 },
		when: () => broken,
	});
	sandbox.fault({
		times: 'always',
		do: { kind: 'delay', ms: RESPONSE_MS },
		when({ endpoint, ids: [id] }) {
			if (!broken && endpoint === 'search') {
				list();
				return true;
			}
			const kind = kinds[endpoint];
			if (broken || !kind) return false;
			onRequest(kind);
			const lag = pick([0, 1, RESPONSE_MS - 1, RESPONSE_MS, RESPONSE_MS + 1, RESPONSE_MS + 20]);
			if (busy) plant(kind, id, Date.now(), lag);
			return true;
		},
	});

	return {
		sandbox,
		/** The people whom the search has found since it began, like events. */
		listed,
		/** Plants the events of the next `ms` milliseconds, and lets people come. */
		plan(ms) {
			const [from, to] = [Date.now(), Date.now() + ms];
			for (let time = from; time < to && hidden.length > 0; time += between(2_000, 12_000)) {
				comings.push({ index: hidden.shift(), surfacesAt: time });
			}
			for (let time = from; time < to; time += between(200, 1_200)) {
				plant('prospect', pick([3, 50, 99]), time, pick([0, 0, 1, between(0, 40 * SECOND_MS)]));
			}
			const firstPoll = Math.ceil(from / (10 * SECOND_MS)) * 10 * SECOND_MS;
			for (let time = firstPoll; time < to; time += 10 * SECOND_MS) {
				for (const off of [-20, -1, 0, 1, 20, 50]) plant('prospect', 41, time + off, pick([0, 1]));
			}
			// Some surface late, within the lookback window, and some at once.
			for (let time = from; time < to; time += 8 * SECOND_MS) {
				const lag = pick([0, between(0, 71 * HOUR_MS)]);
				plant('business', pick([0, 44]), time - lag, lag);
			}
		},
		/** Plants events from before the activation, which the trigger must not output. */
		planPast() {
			for (const lag of [0, 20, 40, 60]) {
				plant('prospect', 7, Date.now() - HOUR_MS, HOUR_MS + lag * SECOND_MS);
				plant('prospect', 8, Date.now() - 5, lag * SECOND_MS);
			}
		},
		set busy(on) {
			busy = on;
		},
		set broken(on) {
			broken = on;
		},
		/** Resolves when the next request for the events of people arrives. */
		nextRequest: () =>
			new Promise((resolve) => {
				onRequest = (kind) => kind === 'prospect' && resolve(undefined);
			}),
	};
}

/**
 * Activates the workflows.
 *
 * @param {Awaited<ReturnType<typeof import('../n8n/instance.mjs').startInstance>>} n8n has a workflow for each watch
 * @param {Awaited<ReturnType<typeof startBusyService>>} service
 * @param {ReturnType<typeof watches>} watched
 * @returns {Promise<{ results: () => Promise<Parameters<typeof assertAllOnce>[1]> }>} `results` waits until nothing is missing,
 *   for a limited time, and returns the result for each watch
 */
export async function startWatching(n8n, service, watched) {
	service.planPast();
	for (const { kind } of watched) {
		const request = service.nextRequest();
		await activate(n8n, kind);
		if (kind === 'prospect') await request;
	}
	const activated = Date.now();
	// Whoever comes before the first check of the search ends is known. Between two checks are 10 seconds.
	const searches = () => service.sandbox.log.count('search').requests;
	for (let before = -1; before < 2 || searches() > before; await sleep(3 * SECOND_MS)) {
		before = searches();
	}

	const known = watched.map(() => new Map());
	async function check({ kind, due: dueOf }, at) {
		const executions = await readExecutions(n8n, kind, known[at]);
		const due = dueOf({ activated, listed: service.listed });
		return { kind, executions, due, ...compare(executions, due) };
	}
	async function results() {
		service.busy = false;
		const deadline = Date.now() + LATEST_MS;
		for (;;) {
			const checks = [];
			for (const [at, watch] of watched.entries()) checks.push(await check(watch, at));
			const isMissing = checks.some((result) => result.missing.length > 0);
			if (!isMissing || Date.now() > deadline) return checks;
			await sleep(1_000);
		}
	}
	return { results };
}

const count = (executions, status) =>
	executions.filter((execution) => execution.status === status).length;

/** Reports the numbers of events and executions. */
export function reportCounts(
	t,
	{ kind, due, executions, missing, repeated, unexpected, outOfOrder },
) {
	t.diagnostic(
		`${kind}: ${due.length} events due; ${executions.length} executions, ${count(executions, 'success')} succeeded, ${count(executions, 'error')} polls failed, ${count(executions, 'crashed')} crashed; ${missing.length} missing, ${repeated.length} repeated, ${unexpected.length} unexpected, ${outOfOrder} out of order`,
	);
}

/** Asserts that no event is missing, repeated, unexpected or out of order. */
export function assertAllOnce(t, results) {
	for (const result of results) {
		reportCounts(t, result);
		const { kind, due, missing, repeated, unexpected, outOfOrder } = result;
		assert.ok(due.length > 0, `nothing happened for ${kind}`);
		assert.deepEqual(
			{ kind, missing, repeated, unexpected, outOfOrder },
			{ kind, missing: [], repeated: [], unexpected: [], outOfOrder: 0 },
		);
	}
}
