// Workflows with the trigger, a service with many events, and a check of their executions.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	activate,
	credentials,
	latestExecutions,
	node,
	PATIENCE_MS,
	SECOND_MS,
	startService,
	TRIGGER,
	workflowOf,
} from './stage.mjs';

const DAY_MS = 86_400 * SECOND_MS;
export const POLL_MS = 5 * SECOND_MS;
/** How long a response of the service takes. */
export const RESPONSE_MS = 300;
/** The companies whose people are searched. */
const SEARCHED = [3, 11, 19, 27, 35];

/** n8n doesn't accept a poll time of less than a minute, but several of a minute each. */
const POLL_TIMES = {
	item: Array.from({ length: (60 * SECOND_MS) / POLL_MS }, (_, at) => ({
		mode: 'custom',
		cronExpression: `${(at * POLL_MS) / SECOND_MS} * * * * *`,
	})),
};

/** A workflow that polls every five seconds. */
export const pollingWorkflow = (id, parameters) =>
	workflowOf(id, [
		node(
			'Trigger',
			TRIGGER,
			1,
			{ checkEvery: 'poll', pollTimes: POLL_TIMES, ...parameters },
			{ id: `${id}-trigger`, credentials },
		),
		node('End', 'n8n-nodes-base.noOp', 1, {}, { id: `${id}-end` }),
	]);

/** What the workflows watch: people's events and new people, from now on. */
const watches = ({ world }) => [
	{
		kind: 'prospect',
		parameters: { triggerOn: 'prospectEvent', ids: world.prospectIds(100).join('\n') },
		due: ({ activated }) =>
			world
				.surfacedEvents({ kind: 'prospect', ids: world.prospectIds(100) })
				.filter(({ surfacesAt }) => surfacesAt > activated),
	},
	{
		kind: 'search',
		parameters: {
			triggerOn: 'newProspect',
			filters: { company_name: [{ value: SEARCHED.map((index) => world.company(index).name) }] },
			// Without retries, a failing poll ends soonest, which is when n8n may stop polling.
			options: { maxWait: 0 },
		},
		due: ({ listed }) => listed,
	},
];

export const watchingWorkflows = (sandbox) =>
	watches(sandbox).map(({ kind, parameters }) => pollingWorkflow(kind, parameters));

/**
 * Starts a service with many events, and with a search that finds more people as time goes by: some surface between polls,
 * some while they are queried.
 *
 * @param {Parameters<typeof startService>[1]} [options] of the sandbox
 */
export async function startBusyService(t, options) {
	const sandbox = await startService(t, { ...options, eventsPerDay: 0 });
	const { world } = sandbox;
	const pick = (values) => values[Math.floor(Math.random() * values.length)];
	const between = (from, to) => from + Math.random() * (to - from);
	let busy = false;
	let broken = false;
	let onRequest = () => {};
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
			const { index } = comings.shift();
			world.unlisted.delete(index);
			listed.push({ event_id: world.prospectId(index), surfacesAt: now });
		}
	}

	/** Its date says nothing about when it surfaces: it may be weeks ago, or still to come. */
	const plant = (prospect, surfacesAt) =>
		world.addEvent({
			prospect,
			time: new Date((Math.floor(Date.now() / DAY_MS) + pick([-60, -30, -1, 0, 10])) * DAY_MS),
			surfacesAt: new Date(Math.ceil(surfacesAt)),
		});

	sandbox.fault({ times: 'always', do: { kind: 'status', status: 503 }, when: () => broken });
	sandbox.fault({
		times: 'always',
		do: { kind: 'delay', ms: RESPONSE_MS },
		when({ endpoint, ids: [id] }) {
			if (!broken && endpoint === 'search') list();
			if (broken || endpoint !== 'prospectEvents') return endpoint === 'search';
			onRequest();
			const lag = pick([0, 1, RESPONSE_MS - 1, RESPONSE_MS, RESPONSE_MS + 1, RESPONSE_MS + 20]);
			if (busy) plant(id, Date.now() + lag);
			return true;
		},
	});

	return {
		sandbox,
		/** The people whom the search has found since it began, like events. */
		listed,
		/** Plants the events of the next `ms` milliseconds, and lets people come. */
		plan(ms) {
			busy = true;
			const [from, to] = [Date.now(), Date.now() + ms];
			for (let time = from; time < to && hidden.length > 0; time += between(1_000, 5_000))
				comings.push({ index: hidden.shift(), surfacesAt: time });
			for (let time = from; time < to; time += between(200, 1_200)) plant(pick([3, 50, 99]), time);
			const firstPoll = Math.ceil(from / POLL_MS) * POLL_MS;
			for (let time = firstPoll; time < to; time += POLL_MS)
				for (const off of [-20, -1, 0, 1, 20, 50]) plant(41, time + off);
		},
		/** Plants events that surfaced before the activation, which the trigger must not output. */
		planPast() {
			for (const prospect of [7, 7, 8, 8]) plant(prospect, 0);
		},
		rest: () => (busy = false),
		set broken(on) {
			broken = on;
		},
		/** Resolves when the next request for events arrives. */
		nextRequest: () => new Promise((resolve) => (onRequest = () => resolve(undefined))),
	};
}

/** The events that the trigger output in an execution, or people in their place, even one that was killed before it ran; none if the poll failed. */
function eventsIn({ resultData, executionData }) {
	const runs = resultData.runData.Trigger;
	const waiting = executionData?.nodeExecutionStack?.find(({ node }) => node.name === 'Trigger');
	const items = runs?.[0].data?.main[0] ?? waiting?.data.main[0] ?? [];
	return items
		.map(({ json }) => ({ id: json.event_id ?? json.prospect_id, time: json.event_time }))
		.filter(({ id }) => id !== undefined);
}

/** Compares executions, the oldest first, with the events that were due. */
function compare(executions, due) {
	const ids = executions.flatMap(({ events }) => events.map(({ id }) => id));
	const output = new Set(ids);
	const isDue = new Set(due.map(({ event_id: id }) => id));
	return {
		missing: [...isDue].filter((id) => !output.has(id)),
		repeated: [...output].filter((id) => ids.indexOf(id) !== ids.lastIndexOf(id)),
		unexpected: [...output].filter((id) => !isDue.has(id)),
		outOfOrder: executions.filter(({ events }) =>
			events.some(({ time }, at) => at > 0 && time < events[at - 1].time),
		).length,
	};
}

/**
 * Activates the workflows.
 *
 * @param {Awaited<ReturnType<typeof import('../n8n/instance.mjs').startInstance>>} n8n has the watching workflows
 * @param {Awaited<ReturnType<typeof startBusyService>>} service
 * @returns a function that waits until nothing is missing but what is lost, for a limited time, and returns the result
 *   for each watch
 */
export async function startWatching(n8n, service) {
	const { sandbox, listed } = service;
	const watched = watches(sandbox);
	service.planPast();
	const began = Date.now();
	for (const { kind } of watched) {
		const request = service.nextRequest();
		await activate(n8n, kind);
		if (kind === 'prospect') await request;
	}
	// Whoever comes before the first check of the search ends is known. Nothing surfaces meanwhile.
	const searches = () => sandbox.log.count('search').requests;
	for (let before = -1; before < 2 || searches() > before; await sleep(2 * SECOND_MS))
		before = searches();
	const activated = Date.now();

	const known = new Map();
	async function read({ id }) {
		if (!known.has(id)) {
			const { status, stoppedAt, data } = await n8n.readExecution(id);
			const execution = { status, events: eventsIn(data) };
			if (!stoppedAt) return execution;
			known.set(id, execution);
		}
		return known.get(id);
	}
	async function check({ kind, due: dueOf }) {
		const executions = [];
		for (const one of (await latestExecutions(n8n, kind)).reverse())
			executions.push(await read(one));
		const due = dueOf({ activated, listed });
		// What surfaces between the first check and `activated` comes, too.
		const mayCome = new Set(dueOf({ activated: began, listed }).map(({ event_id: id }) => id));
		const { unexpected, ...compared } = compare(executions, due);
		const wrong = unexpected.filter((id) => !mayCome.has(id));
		return { kind, executions, due, ...compared, unexpected: wrong };
	}
	return async (/** @type {(event: any) => boolean} */ isLost = () => false) => {
		service.rest();
		for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(SECOND_MS / 2)) {
			const checks = [];
			for (const watch of watched) checks.push(await check(watch));
			const isLate = ({ missing, due }) =>
				due.some((event) => missing.includes(event.event_id) && !isLost(event));
			if (!checks.some(isLate) || Date.now() > deadline) return checks;
		}
	};
}

/** Reports the numbers of events and executions. */
function reportCounts(t, { kind, due, executions, missing, repeated }) {
	const count = (status) => executions.filter((one) => one.status === status).length;
	t.diagnostic(
		`${kind}: ${due.length} events due; ${executions.length} executions, ${count('success')} succeeded, ${count('error')} polls failed, ${count('crashed')} crashed; ${missing.length} missing, ${repeated.length} repeated`,
	);
}

/** Asserts that no event is missing or repeated, those apart that may be, and none unexpected or out of order. */
export function assertAllOnce(
	t,
	results,
	/** @type {(event: any) => boolean} */ mayBe = () => false,
) {
	for (const result of results) {
		reportCounts(t, result);
		const { kind, due, missing, repeated, unexpected, outOfOrder } = result;
		assert.ok(due.length > 0, `nothing happened for ${kind}`);
		const affected = new Set(due.filter(mayBe).map(({ event_id: id }) => id));
		const others = (ids) => ids.filter((id) => !affected.has(id));
		assert.deepEqual(
			{ kind, missing: others(missing), repeated: others(repeated), unexpected, outOfOrder },
			{ kind, missing: [], repeated: [], unexpected: [], outOfOrder: 0 },
		);
	}
}
