import { WorkflowExecute } from 'n8n-core';
import {
	deepCopy,
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
	type IRun,
} from 'n8n-workflow';
import { credentialsOf } from './credentials';
import { described, startExecution } from './engine';
import { buildAdditionalData, buildWorkflow, placeNode, type NodeOptions } from './workflow';

/** What n8n hands to an agent for each of its tools. */
interface AgentTool {
	invoke(input: IDataObject): Promise<string>;
}

/** An agent that calls its one tool once, as a model would. */
const agentThatGives = (input: IDataObject): INodeType => ({
	description: { ...described('Agent', ['main', 'ai_tool']), properties: [] },
	async execute() {
		const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as AgentTool[];
		return [[{ json: { text: await tool?.invoke(input) } }]] as INodeExecutionData[][];
	},
});

/** The node type that n8n makes of a node for its agents. */
function asTool(node: INodeType): INodeType {
	const { description } = node;
	const tool = { name: `${description.name}Tool`, inputs: [], outputs: ['ai_tool' as const] };
	return Object.create(node, {
		description: { value: { ...description, ...tool } },
	}) as INodeType;
}

/**
 * Has an agent call the node once, in the context that n8n's engine gives a tool.
 *
 * @param input what the model fills in, for the parameters with `$fromAI`
 * @returns the text that the model gets
 */
export async function callTool(options: NodeOptions, input: IDataObject = {}): Promise<string> {
	const node = asTool(options.node);
	const agent = agentThatGives(input);
	const credentialsHelper = credentialsOf(options);
	const agentNode = placeNode(agent, { id: 'agent' });
	const toolNode = placeNode(node, {
		parameters: { descriptionType: 'auto', ...deepCopy(options.parameters ?? {}) },
		credentials: credentialsHelper.reference(),
	});
	const workflow = buildWorkflow({
		nodes: [agentNode, toolNode],
		types: [agent, node],
		connections: {
			[toolNode.name]: { ai_tool: [[{ node: agentNode.name, type: 'ai_tool', index: 0 }]] },
		},
	});
	const additionalData = buildAdditionalData(workflow, 'manual', credentialsHelper);
	const engine = new WorkflowExecute(additionalData, 'manual');
	const { data }: IRun = await startExecution(engine, workflow, agentNode);
	const { error, runData } = data.resultData;
	if (error !== undefined) throw error;
	return String(runData[agentNode.name]?.[0]?.data?.main?.[0]?.[0]?.json.text);
}
