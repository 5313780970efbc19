// What came out of a workflow's trigger: read from n8n's executions, and held against what the service had to give.

const PAGE = 100;

/** What the trigger put out in an execution, also in one that was killed before it ran; none where the poll failed. */
function eventsIn({ resultData, executionData }) {
	const { Trigger: runs } = resultData.runData;
	const waiting = executionData?.nodeExecutionStack?.find(({ node }) => node.name === 'Trigger');
	const items = runs?.[0].data?.main[0] ?? waiting?.data.main[0] ?? [];
	return items.map(({ json }) => json).filter(({ event_id: id }) => id !== undefined);
}

/**
 * Reads all executions of a workflow.
 *
 * @param {Pick<Awaited<ReturnType<typeof import('../n8n/instance.mjs').startInstance>>, 'rest' | 'readExecution'>} n8n
 * @param {string} workflowId
 * @param {Map<string, { status: string, events: object[] }>} known those that ended before, by id; is added to
 * @returns {Promise<{ status: string, events: object[] }[]>} the oldest first; `events` as the trigger put them out
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
			let one = known.get(id);
			if (one === undefined) {
				const { status, stoppedAt, data } = await n8n.readExecution(id);
				one = { status, events: eventsIn(data) };
				if (stoppedAt) known.set(id, one);
			}
			found.set(id, one);
		}
		if (results.length < PAGE) break;
		before = `&lastId=${results.at(-1).id}`;
	}
	return [...found].sort(([a], [b]) => Number(a) - Number(b)).map(([, one]) => one);
}

/**
 * Holds executions against the events that had to come out.
 *
 * @param {{ events: { event_id: string, event_time: string }[] }[]} executions
 * @param {{ event_id: string }[]} due
 * @returns {{ missing: string[], repeated: string[], uncalledFor: string[], disordered: number }} event ids that came out
 *   in no execution, more than once, without being due; and how many executions had a later event before an earlier
 */
export function compare(executions, due) {
	const times = new Map();
	for (const { events } of executions)
		for (const { event_id: id } of events) times.set(id, (times.get(id) ?? 0) + 1);
	const wanted = new Set(due.map(({ event_id: id }) => id));
	return {
		missing: [...wanted].filter((id) => !times.has(id)),
		repeated: [...times].filter(([, count]) => count > 1).map(([id]) => id),
		uncalledFor: [...times.keys()].filter((id) => !wanted.has(id)),
		disordered: executions.filter(({ events }) =>
			events.some(({ event_time: time }, at) => at > 0 && time < events[at - 1].event_time),
		).length,
	};
}
