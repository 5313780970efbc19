/**
 * Runs a node inside a workflow, through n8n-core's own engine: display options, defaults, expressions, item linking, error
 * routing and retries are n8n's own.
 *
 *     CRM (the items) -> the node -> output 0 -> After
 *                                 -> error output -> After Error
 */
import { normalizeItems, WorkflowExecute } from 'n8n-core';
import {
	deepCopy,
	type ExecutionError,
	type ExecutionStatus,
	type IConnections,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IRun,
	type IRunData,
	type IWorkflowDataProxyData,
	type ITaskData,
	type NodeExecutionHint,
	type OnError,
	type Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { credentialsOf } from './credentials';
import type { DataTables } from './dataTables';
import { startDeduplication } from './deduplication';
import { buildAdditionalData, buildWorkflow, placeNode, type NodeOptions } from './workflow';

const SOURCE = 'CRM';
const AFTER = 'After';
const AFTER_ERROR = 'After Error';

/** Reads n8n's data of an item as an expression does, in a fraction of the time. */
type ReadAfter = (data: IWorkflowDataProxyData) => unknown;

/** The `row` of the item of `CRM` that n8n finds for an item: what its pairing leads to. */
export const rowOfSource: ReadAfter = ({ $ }) =>
	($ as (node: string) => { item: INodeExecutionData })(SOURCE).item.json.row;

export interface NodeRunOptions extends NodeOptions {
	/** What the node `CRM` outputs: plain objects, or items with files. */
	items?: Array<IDataObject | INodeExecutionData>;
	/** By default, the workflow stops. */
	onError?: OnError;
	/** Three tries, without a wait. */
	retryOnFail?: boolean;
	/** An expression such as `{{ $json.id }}`, or what it reads: evaluated for each item behind both outputs. */
	expressionAfter?: string | ReadAfter;
	/** By default, UTC. */
	timezone?: string;
	/** `manual` (default) is a run in the editor, `trigger` one of an active workflow. */
	mode?: WorkflowExecuteMode;
	/** Gets a function that cancels the execution. */
	cancelAfter?: (cancel: () => void) => void;
	/** Runs with the same ones share n8n's data tables; by default there are none. */
	dataTables?: DataTables;
	/** Runs with the same ID share n8n's deduplication store; by default each run has its own. */
	workflowId?: string;
}

export interface NodeRun {
	status: ExecutionStatus;
	/** Empty if the node did not run, or threw with On Error set to Stop Workflow. */
	main: INodeExecutionData[];
	/** The items of the error output, which only `continueErrorOutput` has. */
	error: INodeExecutionData[];
	/** The values of `expressionAfter` behind output 0, in the order of `main`, and behind the error output. */
	linked: unknown[];
	linkedErrors: unknown[];
	hints: NodeExecutionHint[];
	/** What stopped or cancelled the execution, as n8n records it: a plain copy of the error, with its `name`. */
	failure?: ExecutionError;
	/** What the editor shows of `failure`: the title and the text below it. */
	failureText: string;
	/** n8n's record of the node's run: `error` here is what it threw, in the Continue modes too. */
	task?: ITaskData;
	/** n8n's records of all nodes, by node name. */
	runData: IRunData;
}

/** What every node type of the harness has. */
export const described = (displayName: string, inputs: INodeTypeDescription['inputs']) => ({
	displayName,
	name: `harness${displayName}`,
	group: ['transform' as const],
	version: 1,
	description: 'Part of the harness',
	defaults: { name: displayName },
	inputs,
	outputs: ['main' as const],
});

const sourceOf = (items: INodeExecutionData[]): INodeType => ({
	description: { ...described(SOURCE, []), properties: [] },
	async execute() {
		return [items];
	},
});

const evaluatorOf = (read: NodeRunOptions['expressionAfter']): INodeType => ({
	description: {
		...described(AFTER, ['main']),
		properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	},
	async execute() {
		const rows = this.getInputData().map((_item, index) => ({
			json: {
				value:
					typeof read === 'function'
						? read(this.getWorkflowDataProxy(index))
						: this.getNodeParameter('value', index),
			},
			pairedItem: { item: index },
		}));
		return [rows as INodeExecutionData[]];
	},
});

/** A copy with all keys, as a node has them that read JSON. n8n's `deepCopy` leaves out those that reach into prototypes. */
function copyOf(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(copyOf);
	if (typeof value !== 'object' || value === null) return value;
	if (value instanceof Date) return value.toJSON();
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyOf(part)]));
}

const connect = (from: string, ...outputs: string[][]): IConnections => ({
	[from]: {
		main: outputs.map((names) => names.map((node) => ({ node, type: 'main', index: 0 }))),
	},
});

/** n8n-core took the start node as an argument of its own before 2.33. */
type PositionalRun = (workflow: Workflow, startNode: INode) => ReturnType<WorkflowExecute['run']>;

export const startExecution = (
	engine: WorkflowExecute,
	workflow: Workflow,
	startNode: INode,
): ReturnType<WorkflowExecute['run']> =>
	engine.run.length > 1
		? (engine.run as unknown as PositionalRun).call(engine, workflow, startNode)
		: engine.run({ workflow, startNode });

let runs = 0;

/** Runs the workflow once. Never rejects because of what the node does: an error that stops the execution is in `failure`. */
export async function runNode(options: NodeRunOptions): Promise<NodeRun> {
	await startDeduplication();
	const { node, expressionAfter, cancelAfter, mode = 'manual' } = options;
	const credentialsHelper = credentialsOf(options);
	const items = normalizeItems(copyOf(options.items ?? [{}]) as INodeExecutionData[]);

	const source = sourceOf(items);
	const sourceNode = placeNode(source, { id: 'source' });
	const nodeUnderTest = placeNode(node, {
		...(options.name && { name: options.name }),
		parameters: deepCopy(options.parameters ?? {}),
		credentials: credentialsHelper.reference(),
		onError: options.onError,
		...(options.retryOnFail && { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }),
	});
	const evaluator = evaluatorOf(expressionAfter);
	const isText = typeof expressionAfter === 'string';
	const after = { value: isText ? `=${expressionAfter.replace(/^=/, '')}` : '' };
	const workflow = buildWorkflow({
		id: options.workflowId ?? `workflow-${++runs}`,
		nodes: [
			sourceNode,
			nodeUnderTest,
			placeNode(evaluator, { id: 'after', parameters: { ...after } }),
			placeNode(evaluator, { id: 'error', name: AFTER_ERROR, parameters: { ...after } }),
		],
		connections: {
			...connect(SOURCE, [nodeUnderTest.name]),
			...connect(nodeUnderTest.name, [AFTER], [AFTER_ERROR]),
		},
		types: [source, node, evaluator],
		timezone: options.timezone,
	});
	const additionalData = buildAdditionalData(workflow, mode, credentialsHelper, options.dataTables);
	const engine = new WorkflowExecute(additionalData, mode);

	let run: IRun;
	try {
		const execution = startExecution(engine, workflow, sourceNode);
		cancelAfter?.(() => execution.cancel());
		run = await execution;
	} catch (error) {
		// A parameter that is missing: n8n refuses the workflow before it runs.
		const failure = error as ExecutionError;
		return { ...nothing(), status: 'error', failure, failureText: textOf(failure) };
	}
	return report(run, nodeUnderTest.name, expressionAfter !== undefined);
}

/** The `error` in the json of an error item, as n8n's own nodes shape it; empty when there is none. */
export const errorOf = (item?: Pick<INodeExecutionData, 'json'>): IDataObject =>
	(item?.json.error ?? {}) as IDataObject;

const nothing = () => ({
	main: [],
	error: [],
	linked: [],
	linkedErrors: [],
	hints: [],
	runData: {},
});

function textOf(failure: ExecutionError | undefined): string {
	if (failure === undefined) return '';
	const { message, description } = failure;
	const title = message.replace(/\.?$/, '.');
	return description ? `${title} ${description}` : title;
}

function report(run: IRun, name: string, evaluated: boolean): NodeRun {
	const { runData, error } = run.data.resultData;
	const task = runData[name]?.[0];
	const valuesOf = (node: string) =>
		evaluated ? (runData[node]?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json.value) : [];
	return {
		// n8n-core before 2 leaves the status of a failed run to n8n's server.
		status: error !== undefined && run.status === 'running' ? 'error' : run.status,
		main: task?.data?.main?.[0] ?? [],
		error: task?.data?.main?.[1] ?? [],
		linked: valuesOf(AFTER),
		linkedErrors: valuesOf(AFTER_ERROR),
		hints: task?.hints ?? [],
		failure: error,
		failureText: textOf(error),
		task,
		runData,
	};
}
