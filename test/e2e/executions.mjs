// What a workflow's trigger output, events or new people, read from n8n's executions and compared with what was due.

const PAGE = 100;

/** The events that the trigger output in an execution, or people in their place, even one that was killed before it ran; none if the poll failed. */
function eventsIn({ resultData, executionData }) {
	const { Trigger: runs } = resultData.runData;
	const waiting = executionData?.nodeExecutionStack?.find(({ node }) => node.name === 'Trigger');
	const items = runs?.[0].data?.main[0] ?? waiting?.data.main[0] ?? [];
	return items
		.map(({ json }) => ({
			event_id: json.event_id ?? json.prospect_id,
			event_time: json.event_time,
		}))
		.filter(({ event_id: id }) => id !== undefined);
}

/**
 * Reads all executions of a workflow.
 *
 * @param {Pick<Awaited<ReturnType<typeof import('../n8n/instance.mjs').startInstance>>, 'rest' | 'readExecution'>} n8n
 * @param {string} workflowId
 * @param {Map<string, { status: string, events: object[] }>} known executions that have ended, by id; is updated
 * @returns {Promise<{ status: string, events: object[] }[]>} the oldest first; `events` as the trigger output them
 */
export async function readExecutions(n8n, workflowId, known) {
	const found = new Map();
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	for (let before = ''; ; ) {
		const { results } = await n8n.rest(
			'GET',
			`/executions?limit=${PAGE}&filter=${filter}${before}`,
		);
		for (const { id } of results) {
			let execution = known.get(id);
			if (execution === undefined) {
				const { status, stoppedAt, data } = await n8n.readExecution(id);
				execution = { status, events: eventsIn(data) };
				if (stoppedAt) known.set(id, execution);
			}
			found.set(id, execution);
		}
		if (results.length < PAGE) break;
		before = `&lastId=${results.at(-1).id}`;
	}
	return [...found].sort(([a], [b]) => Number(a) - Number(b)).map(([, execution]) => execution);
}

/**
 * Compares executions with the events that were due.
 *
 * @param {{ events: { event_id: string, event_time: string }[] }[]} executions
 * @param {{ event_id: string }[]} due
 * @returns {{ missing: string[], repeated: string[], unexpected: string[], outOfOrder: number }} IDs of events
 *   output in no execution, more than once, or without being due; and the number of executions with a later event first
 */
export function compare(executions, due) {
	const times = new Map();
	for (const { events } of executions)
		for (const { event_id: id } of events) times.set(id, (times.get(id) ?? 0) + 1);
	const dueIds = new Set(due.map(({ event_id: id }) => id));
	return {
		missing: [...dueIds].filter((id) => !times.has(id)),
		repeated: [...times].filter(([, count]) => count > 1).map(([id]) => id),
		unexpected: [...times.keys()].filter((id) => !dueIds.has(id)),
		outOfOrder: executions.filter(({ events }) =>
			events.some(({ event_time: time }, at) => at > 0 && time < events[at - 1].event_time),
		).length,
	};
}
