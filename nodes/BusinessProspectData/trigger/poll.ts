import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { type Client, createClient, REQUEST_LIMITS, type RequestOptions } from '../api/client';
import { operationError, toNodeError } from '../api/errors';
import type { JsonValue } from '../core/json';
import type { Failure } from '../core/outcome';
import { SECOND_MS } from '../parameters/dates';
import { fingerprintOf, nodeKeyOf } from './checkpointStore';
import { CHECK_INTERVALS_MS, checkEvery, createParameterReader } from './parameters';
import type { PolledNode, ReceivedRow } from './runner';

export interface Problem extends Pick<Failure, 'kind' | 'message' | 'retryAfterMs'> {
	/**
	 * By default, the poll throws, unless it is an activation. `activation`: fails even an activation by a user, who then sees the
	 * error at once. `execution`: creates a failed execution beside the output. All are logged.
	 */
	readonly severity?: 'activation' | 'execution' | 'log';
}

/** The differences between polls for events and for people. */
interface Poll {
	readonly requestOptions: RequestOptions;
	/** Checks settings that must be valid only when watching starts. */
	readonly checkStart?: () => void;
	/** Fetches the rows for Fetch Test Event. */
	readonly fetchTest: (client: Client) => Promise<readonly ReceivedRow[]>;
	/** Returns undefined if the runner skips the poll. */
	readonly run: (
		node: PolledNode,
	) => Promise<
		{ readonly rows: readonly ReceivedRow[]; readonly problem?: Problem | undefined } | undefined
	>;
	readonly output: (row: IDataObject, responseContext: JsonValue) => IDataObject;
}

/**
 * Polls once. Returns the new rows, or null if there are none. For Fetch Test Event, returns the rows of `fetchTest` instead.
 *
 * @throws UserError or NodeOperationError. Failures of the service aren't thrown at an activation (see `reportProblem`).
 */
export async function poll(
	context: IPollFunctions,
	{ requestOptions, checkStart, fetchTest, run, output }: Poll,
): Promise<INodeExecutionData[][] | null> {
	const toItems = (rows: readonly ReceivedRow[]) => [
		rows.map(({ row, responseContext }) => ({ json: output(row, responseContext) })),
	];
	const isTest = context.getMode() === 'manual';
	const staticData = context.getWorkflowStaticData('node');
	const activation = isTest ? 'no' : detectActivation(context);
	// A missing checkpoint does not prove an activation: with durable cursors, n8n drops the checkpoint of an activation without
	// output.
	if (staticData.checkpoint === undefined && activation !== 'no') checkStart?.();
	const connect = () => createPollClient(context, requestOptions);
	if (isTest) {
		const client = await connect();
		return toItems(await fetchTest(client).finally(client.stop));
	}
	const { parameters, credentials } = context.getNode();
	const { rows = [], problem } =
		(await run({
			nodeKey: nodeKeyOf(context),
			settingsKey: fingerprintOf(JSON.stringify([parameters, credentials])),
			staticData,
			intervalMs: CHECK_INTERVALS_MS[createParameterReader(context)(checkEvery)],
			isActivation: activation === 'yes',
			now: Date.now,
			connect,
		})) ?? {};
	if (problem !== undefined) reportProblem(context, problem, activation);
	return rows.length === 0 ? null : toItems(rows);
}

/** An error of a poll with its cause in n8n's terms. */
export const declaredError = (context: IPollFunctions, error: unknown): Error =>
	toNodeError(context.getNode(), error);

/** n8n's default time budget for a poll. */
const DEFAULT_BUDGET_MS = 300_000;
/** Less than a minute, the shortest polling interval. */
const MAX_SEND_WINDOW_MS = 40_000;

function budgetOf(context: IPollFunctions): number {
	const budget: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : undefined;
	return typeof budget === 'number' && budget > 0 ? budget : DEFAULT_BUDGET_MS;
}

/**
 * Creates the client of one poll. The client stops sending early enough to stay within n8n's time budget, except in Fetch Test
 * Event, where no later poll can fetch the rest.
 *
 * @throws UserError or NodeOperationError when the credential is unusable
 */
async function createPollClient(
	context: IPollFunctions,
	requestOptions: RequestOptions,
): Promise<Client> {
	const budget = budgetOf(context);
	const sendWindowMs = Math.min(Math.floor(budget / 2), MAX_SEND_WINDOW_MS);
	const isTest = context.getMode() === 'manual';
	return await createClient(context, {
		...requestOptions,
		maxWait: Math.min(requestOptions.maxWait, sendWindowMs / SECOND_MS),
		omitOptionAdvice: true,
		// Even a request that is sent at the deadline ends within the budget.
		timeout: Math.min(REQUEST_LIMITS.timeout, (budget - sendWindowMs) / SECOND_MS),
		deadline: isTest ? undefined : performance.now() + sendWindowMs,
	});
}

/** Whether n8n runs a poll to activate the workflow. If an activation throws, n8n doesn't start polling. */
type Activation = 'yes' | 'maybe' | 'no';

const polledContexts = new WeakSet<IPollFunctions>();

/**
 * Call this only once per poll: with the same context, a second call returns `no`.
 *
 * By default, an activation and its scheduled polls share one context, so only the first poll can be the activation. With a
 * durable schedule (see `createCheckpointStore`), each poll has its own context. Its scheduled polls have the mode `update`, and so does
 * an activation after an edit, so that mode means `maybe`. A time budget other than the default means `no`, because only
 * scheduled polls can have one.
 */
function detectActivation(context: IPollFunctions): Activation {
	const isFirstPoll = !polledContexts.has(context);
	polledContexts.add(context);
	if (!isFirstPoll || budgetOf(context) !== DEFAULT_BUDGET_MS) return 'no';
	return context.getActivationMode() === 'update' ? 'maybe' : 'yes';
}

/** False if n8n itself activated the workflow: at start-up, or as the new leader. */
const isActivatedByUser = (context: IPollFunctions): boolean =>
	!['init', 'leadershipChange'].includes(context.getActivationMode());

/** @throws NodeOperationError if `activation` is `no`, or if even an activation should fail */
function reportProblem(context: IPollFunctions, problem: Problem, activation: Activation): void {
	const { severity } = problem;
	context.logger.warn(`${context.getNode().name}: ${problem.message}`);
	if (severity === 'log') return;
	const error = operationError(context.getNode(), problem);
	const isExecution = severity === 'execution';
	const failsActivation = severity === 'activation' && isActivatedByUser(context);
	if (!isExecution && (activation === 'no' || failsActivation)) throw error;
	// Creates a failed execution, as n8n does when a poll throws, but loses no output and fails no activation.
	if (isExecution || activation === 'maybe') context.__emitError(error);
}
