import { ExecutionLifecycleHooks, ExternalSecretsProxy } from 'n8n-core';
import {
	cronNodeOptions,
	UnexpectedError,
	Workflow,
	type IConnections,
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import type { CredentialOptions, credentialsOf } from './credentials';
import type { DataTables } from './dataTables';

const PACKAGE_NAME = 'n8n-nodes-business-prospect-data';

/** The id of the node under test, in every workflow of the harness. */
export const NODE_ID = 'node-under-test';

/** The node under test with its parameters and its credential. */
export interface NodeOptions extends CredentialOptions {
	node: INodeType;
	/** As stored in a workflow: what is left out gets its default. */
	parameters?: INodeParameters;
	/** Name on the canvas; by default the one of the node type. */
	name?: string;
}

/** The full name of a node type, as in a workflow's JSON. */
export const typeNameOf = (node: INodeType) => `${PACKAGE_NAME}.${node.description.name}`;

/** A node on the canvas, of the latest version of its type. */
export function placeNode(type: INodeType, settings: Partial<INode> = {}): INode {
	const { defaultVersion, version, defaults, displayName } = type.description;
	return {
		id: NODE_ID,
		name: defaults.name ?? displayName,
		type: typeNameOf(type),
		typeVersion: defaultVersion ?? [version].flat().at(-1) ?? 1,
		position: [0, 0],
		parameters: {},
		...settings,
	};
}

/** n8n's loader gives every polling node the field for its poll times. */
export function asLoaded(node: INodeType): INodeType {
	if (!node.description.polling) return node;
	const pollTimes = {
		displayName: 'Poll Times',
		name: 'pollTimes',
		type: 'fixedCollection' as const,
		typeOptions: { multipleValues: true },
		default: { item: [{ mode: 'everyMinute' }] },
		options: cronNodeOptions,
	};
	const properties = [pollTimes, ...node.description.properties];
	return Object.create(node, {
		description: { value: { ...node.description, properties } },
	}) as INodeType;
}

/** The node types that a workflow of the harness knows. */
function nodeTypesOf(types: INodeType[]): INodeTypes {
	const byName = new Map(types.map((type) => [typeNameOf(type), asLoaded(type)]));
	const get = (name: string) => {
		const type = byName.get(name);
		if (type === undefined) throw new UnexpectedError(`Unknown node type: ${name}`);
		return type;
	};
	return { getByName: get, getByNameAndVersion: get, getKnownTypes: () => ({}) };
}

interface WorkflowOptions {
	nodes: INode[];
	types: INodeType[];
	id?: string;
	connections?: IConnections;
	timezone?: string;
	staticData?: IDataObject;
}

/** A workflow with the settings that n8n gives to a new one. */
export function buildWorkflow(options: WorkflowOptions): Workflow {
	return new Workflow({
		id: options.id ?? 'workflow',
		name: 'Test workflow',
		nodes: options.nodes,
		connections: options.connections ?? {},
		active: false,
		nodeTypes: nodeTypesOf(options.types),
		staticData: options.staticData,
		settings: { executionOrder: 'v1', timezone: options.timezone ?? 'UTC' },
	});
}

/**
 * Lets expressions be evaluated while `work` runs, as n8n does around each poll; n8n-core does around executions.
 * Without expressions the engine isn't acquired: it takes a tenth of a second, and a trigger's tests poll thousands of times.
 */
export async function withExpressions<Result>(
	{ expression, nodes }: Workflow,
	work: () => Promise<Result>,
): Promise<Result> {
	const used = JSON.stringify(Object.values(nodes)).includes('"=');
	// Older versions of n8n have no engine to acquire.
	return used && 'withIsolate' in expression ? await expression.withIsolate(work) : await work();
}

/**
 * What n8n's server hands to the engine beside the workflow: as much as the engine and the package's nodes need.
 *
 * @param dataTables absent where n8n's module for them is off
 */
export function buildAdditionalData(
	workflow: Workflow,
	mode: WorkflowExecuteMode,
	credentialsHelper: ReturnType<typeof credentialsOf>,
	dataTables?: DataTables,
): IWorkflowExecuteAdditionalData {
	const executionId = 'execution-1';
	const { id, nodes, connectionsBySourceNode: connections } = workflow;
	const data = { id, name: '', active: false, nodes: Object.values(nodes), connections };
	return {
		credentialsHelper,
		executionId,
		hooks: new ExecutionLifecycleHooks(mode, executionId, data as object as IWorkflowBase),
		externalSecretsProxy: new ExternalSecretsProxy(),
		currentNodeExecutionIndex: 0,
		variables: {},
		webhookWaitingBaseUrl: 'http://localhost:5678/webhook-waiting',
		formWaitingBaseUrl: 'http://localhost:5678/form-waiting',
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
		logAiEvent: () => {},
		...(dataTables && {
			executeWorkflow: dataTables.execute,
			'data-table': { dataTableProxyProvider: {} },
		}),
	} as object as IWorkflowExecuteAdditionalData;
}
