import {
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	NodeOperationError,
} from 'n8n-workflow';
import { type Client, createClient } from '../api/client';
import { counted, number, type Outcome } from '../api/outcome';
import { LIMITS } from '../catalog/limits';
import { type Checkpoint, opened, pending, sweeping } from './checkpoint';
import { fetchEvents, type Question } from './fetch';
import type { EventsAnswer } from './query';
import { selected, timeOf } from './selection';
import { readSettings, type Settings } from './settings';
import { windowStart } from './window';

/** Polls are at least a minute apart; one of ours ends well before the next. */
const LONGEST_POLL_MS = 45_000;
/** A test shows this many events, and asks this often at most. */
const SHOWN = 10;
const TEST_REQUESTS = 5;

/** Nodes whose poll is under way in this process. */
const running = new Set<string>();
/** States that n8n has not kept yet: it drops what the poll of an activation assigns, with durable cursors. */
const unsaved = new Map<string, Checkpoint>();
/** n8n makes a context at each activation and keeps it: the first poll with it is the activation's. */
const activated = new WeakSet<IPollFunctions>();

/**
 * One poll of the trigger: the events that are new, oldest first, or null. Wrong settings are thrown always; a failing
 * service never at an activation, since n8n would give up on the trigger.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = readSettings(context, Date.now());
	if (context.getMode() === 'manual') return await test(context, settings);

	const node = context.getNode();
	const key = `${context.getWorkflow().id}/${node.name}`;
	if (running.has(key)) return null;
	running.add(key);
	try {
		return await sweep(context, settings, key);
	} finally {
		running.delete(key);
	}
}

async function sweep(
	context: IPollFunctions,
	settings: Settings,
	key: string,
): Promise<INodeExecutionData[][] | null> {
	const { source, watch, requestsPerPoll } = settings;
	const deadline = Date.now() + budgetOf(context);
	const client = await clientFor(context, settings, deadline);
	const first = !activated.has(context);
	activated.add(context);

	const state = context.getWorkflowStaticData('node');
	if (state.checkpoint !== undefined) unsaved.delete(key);
	const planned = sweeping(opened(stateOf(state, key), watch, Date.now()), watch, Date.now());
	keep(state, key, planned);
	const { fresh, failed } = pending(planned, watch);
	const asked = [...fresh, ...failed].slice(0, requestsPerPoll * LIMITS.events);
	const question = questionOf(settings, planned.sweep.from);
	const outcomes = await fetchEvents(client, source, asked, question, deadline);
	client.stop();

	const failures = outcomes.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
	const why = failures.find(({ kind }) => kind !== 'stopped');
	if (why !== undefined) {
		context.logger.warn(
			`${context.getNode().name}: ${counted(failures.length, 'ID')} of ${number(asked.length)} could not be asked: ${why.message}`,
		);
	}
	if (why !== undefined && failures.length === asked.length && !first) {
		throw new NodeOperationError(
			context.getNode(),
			`${why.message} No event is lost: the next check covers this one.`,
		);
	}

	// From here to the return nothing waits, so that what is read is what is kept.
	const answers = asked.flatMap((id, at) => answerOf(id, outcomes[at]));
	const { events, checkpoint } = selected(
		opened(stateOf(state, key), watch, Date.now()),
		watch,
		{
			sweep: planned.sweep.number,
			answers,
			lastTry: fresh.length === 0 && answers.length === failed.length,
		},
		Date.now(),
	);
	keep(state, key, checkpoint);
	return events.length === 0 ? null : [itemsOf(events, outcomes, settings)];
}

/** Nothing where time ran out: the id is still to be asked. */
function answerOf(
	id: string,
	{ value, failure }: Partial<Outcome<EventsAnswer>> = {},
): Array<{ id: string; events?: readonly IDataObject[] }> {
	if (failure?.kind === 'stopped') return [];
	// To ask again for what the service refuses would bring the same.
	if (failure?.kind === 'invalid') return [{ id, events: [] }];
	return [{ id, ...(value !== undefined && { events: value.events }) }];
}

/** The test of the editor: the newest events there are, without a change of the state. */
async function test(context: IPollFunctions, settings: Settings): Promise<INodeExecutionData[][]> {
	const { ids } = settings.watch;
	const from = windowStart(Date.now());
	const deadline = Date.now() + budgetOf(context);
	const client = await clientFor(context, settings, deadline);
	const outcomes: Array<Outcome<EventsAnswer>> = [];
	const eventsIn = () => outcomes.flatMap(({ value }) => value?.events ?? []);
	const most = Math.min(ids.length, TEST_REQUESTS * LIMITS.events);
	for (let at = 0; at < most && eventsIn().length < SHOWN; at += LIMITS.events) {
		const some = ids.slice(at, at + LIMITS.events);
		const question = questionOf(settings, from);
		outcomes.push(...(await fetchEvents(client, settings.source, some, question, deadline)));
	}
	client.stop();

	const events = eventsIn();
	if (events.length > 0) {
		const newest = [...events].sort((a, b) => timeOf(a, 0) - timeOf(b, 0)).slice(-SHOWN);
		return [itemsOf(newest, outcomes, settings)];
	}
	const failure = outcomes.find((outcome) => outcome.failure !== undefined)?.failure;
	throw new NodeOperationError(
		context.getNode(),
		failure?.message ??
			`There was no event from ${new Date(from).toISOString().slice(0, 10)} until now for the ${ids.length > outcomes.length ? `first ${number(outcomes.length)} of ${number(ids.length)}` : number(ids.length)} IDs. Once the workflow is active, the trigger goes on watching all of them.`,
	);
}

const stateOf = (state: IDataObject, key: string): unknown => state.checkpoint ?? unsaved.get(key);

/** Assigned as a whole: n8n notices no change inside what is already there. */
function keep(state: IDataObject, key: string, checkpoint: Checkpoint): void {
	if (state.checkpoint === undefined || unsaved.has(key)) unsaved.set(key, checkpoint);
	state.checkpoint = checkpoint;
}

function budgetOf(context: IPollFunctions): number {
	const told: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : undefined;
	return Math.min(typeof told === 'number' ? told * 0.8 : Infinity, LONGEST_POLL_MS);
}

/** A client that does not wait longer than the poll may last. */
async function clientFor(
	context: IPollFunctions,
	{ client }: Settings,
	deadline: number,
): Promise<Client> {
	const seconds = Math.max(1, (deadline - Date.now()) / 1000);
	return await createClient(context, {
		...client,
		maxWait: Math.min(client.maxWait, seconds),
		timeout: Math.min(client.timeout, seconds),
	});
}

/** Asked a millisecond earlier, since the service takes only what comes after. */
const questionOf = ({ watch, requestContext }: Settings, from: number): Question => ({
	types: watch.types,
	from: new Date(from - 1).toISOString(),
	...(requestContext !== undefined && { requestContext }),
});

function itemsOf(
	events: readonly IDataObject[],
	outcomes: ReadonlyArray<Outcome<EventsAnswer>>,
	{ simplify }: Settings,
): INodeExecutionData[] {
	if (simplify) return events.map((json) => ({ json }));
	const contexts = new Map(
		outcomes.flatMap(({ value }) =>
			(value?.events ?? []).map((event) => [event, value?.responseContext] as const),
		),
	);
	return events.map((event) => ({ json: { ...event, response_context: contexts.get(event) } }));
}
