import { PollContext } from 'n8n-core';
import {
	deepCopy,
	UnexpectedError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type IWorkflowExecuteAdditionalData,
	type Workflow,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import { credentialsOf } from './credentials';
import {
	buildAdditionalData,
	buildWorkflow,
	placeNode,
	withExpressions,
	type NodeOptions,
} from './workflow';

/** What n8n answers for a poll, and for one of its durable schedule. */
const FREE_BUDGET_MS = 300_000;
const DURABLE_BUDGET_MS = 36_000;

/** A poll's context, with a state of its own if it has one. n8n's class takes one too, but only since durable cursors. */
class Context extends PollContext {
	constructor(
		workflow: Workflow,
		node: INode,
		additionalData: IWorkflowExecuteAdditionalData,
		mode: 'trigger' | 'manual',
		activation: WorkflowActivateMode | 'manual',
		report: (error: Error) => void,
		private readonly ownState?: IDataObject,
		budget?: () => number,
	) {
		const left = [undefined, undefined, undefined] as const;
		super(workflow, node, additionalData, mode, activation, undefined, report, ...left, budget);
	}

	override getWorkflowStaticData(type: string): IDataObject {
		const own = type === 'node' ? this.ownState : undefined;
		return own ?? super.getWorkflowStaticData(type);
	}
}

export interface PollerOptions extends NodeOptions {
	/** What n8n's database holds for the workflow: `saved` of an earlier poller, after a restart. */
	staticData?: IDataObject;
	/** n8n's durable cursors: each poll has a copy of the saved state, kept when it succeeds. */
	durable?: boolean;
	/** By default, UTC. */
	timezone?: string;
}

export interface PollOptions {
	/** `trigger` (default) is an active workflow, `manual` the test in the editor. */
	mode?: 'trigger' | 'manual';
	/** Why the workflow is active; given for the first poll after an activation or a start. */
	activation?: WorkflowActivateMode;
	/** What `getPollBudgetMs()` returns; by default what n8n's does. */
	budgetMs?: number;
}

export interface Poller {
	/** Rejects with what the poll threw. `state` is a copy of the node's state as the poll left it. */
	poll(
		options?: PollOptions,
	): Promise<{ readonly items: INodeExecutionData[] | null; readonly state: IDataObject }>;
	/** A copy of the node's state that the next poll starts from. */
	readonly state: IDataObject;
	/** The failures that the node reported without throwing: n8n makes a failed execution of each. */
	readonly reported: readonly Error[];
	/** A copy of what n8n would have written to its database by now. */
	readonly saved: IDataObject;
}

/**
 * An active workflow with one polling trigger, which polls when the test says so.
 *
 * As in n8n, a context is made at each activation and used for all polls that follow; with durable cursors each poll after the
 * activation has one of its own. By default, the state is one live object. It is saved when a poll outputs items, and after an
 * activation; a poll that returns null or throws leaves its changes in memory only. A manual poll works on a copy of what is saved.
 */
export function createPoller(options: PollerOptions): Poller {
	const credentialsHelper = credentialsOf(options);
	const node = placeNode(options.node, {
		...(options.name && { name: options.name }),
		parameters: deepCopy(options.parameters ?? {}),
		credentials: credentialsHelper.reference(),
	});
	let saved = deepCopy(options.staticData ?? {});
	const workflow = buildWorkflow({
		nodes: [node],
		types: [options.node],
		timezone: options.timezone,
		staticData: deepCopy(saved),
	});
	const key = `node:${node.name}`;
	const stateOf = (data: IDataObject) => deepCopy((data[key] ?? {}) as IDataObject);
	const save = () => {
		if (workflow.staticData.__dataChanged !== true) return;
		saved = deepCopy(workflow.staticData);
		workflow.staticData.__dataChanged = false;
	};

	const reported: Error[] = [];
	let live: PollContext | undefined;
	let liveBudgetMs = FREE_BUDGET_MS;

	return {
		async poll({ mode = 'trigger', activation, budgetMs } = {}) {
			const type = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
			if (type.poll === undefined) throw new UnexpectedError('The node does not poll');
			const ownState = options.durable || mode === 'manual' ? stateOf(saved) : undefined;
			const scheduled = options.durable && activation === undefined && mode === 'trigger';
			const budget = budgetMs ?? (scheduled ? DURABLE_BUDGET_MS : FREE_BUDGET_MS);
			if (ownState === undefined) liveBudgetMs = budget;
			const context =
				ownState === undefined && live !== undefined && activation === undefined
					? live
					: new Context(
							workflow,
							node,
							buildAdditionalData(workflow, mode, credentialsHelper),
							mode,
							mode === 'manual' ? mode : (activation ?? 'update'),
							(error) => reported.push(error),
							ownState,
							() => (ownState === undefined ? liveBudgetMs : budget),
						);
			if (ownState === undefined) live = context;
			const { poll } = type;
			const output = await withExpressions(workflow, async () => await poll.call(context));
			const items = output?.[0] ?? null;
			if (mode === 'trigger' && ownState === undefined) {
				if (items !== null || activation !== undefined) save();
			} else if (mode === 'trigger') {
				if (items !== null || activation === undefined) saved[key] = deepCopy(ownState);
			}
			return { items, state: ownState ? deepCopy(ownState) : stateOf(workflow.staticData) };
		},
		get state() {
			return options.durable ? stateOf(saved) : stateOf(workflow.staticData);
		},
		reported,
		get saved() {
			return deepCopy(saved);
		},
	};
}
