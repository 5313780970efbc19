/** Runs a workflow of examples/ in n8n's engine, with n8n's own nodes as far as the examples use them. */
import { WorkflowExecute } from 'n8n-core';
import {
	type IConnections,
	type IDataObject,
	type INode,
	type INodeTypes,
	Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import ts from 'typescript';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { builtInNode, type Surroundings } from '../harness/builtInNodes';
import { credentialsOf } from '../harness/credentials';
import { createDataTables } from '../harness/dataTables';
import { startDeduplication } from '../harness/deduplication';
import { startExecution } from '../harness/engine';
import { buildAdditionalData, typeNameOf } from '../harness/workflow';
import type { Service } from './service';

export interface Example {
	readonly name: string;
	readonly nodes: INode[];
	readonly connections: IConnections;
}

export const readExample = (name: string): Example =>
	JSON.parse(ts.sys.readFile(`examples/${name}.json`) ?? '{}') as Example;

/** The CRMs of docs/crm.md, with the expressions that read their fields. */
export const CRMS = (ts.sys.readFile('docs/crm.md') ?? '')
	.split(/^## /m)
	.slice(1)
	.map((section) => {
		const fieldsOf = (rows: string) => {
			const line = section.split('\n').find((one) => one.startsWith(`- ${rows},`)) ?? '';
			return new Map(
				[...line.matchAll(/`(\w+)` = `(\{\{.+?\}\})`/g)].map(([, field = '', expression = '']) => [
					field,
					expression,
				]),
			);
		};
		const [name = ''] = section.split('\n');
		return { name, contacts: fieldsOf('Contacts'), accounts: fieldsOf('Accounts') };
	});

export interface ExampleRun {
	/** What stopped the workflow; empty if nothing did. */
	readonly failure: string;
	/** The rows on an output of a node. */
	readonly rows: (node: string, output?: number) => IDataObject[];
	readonly hints: (node: string) => string;
}

/** Data tables and messages that the runs of a test share. */
export function startExamples({ url, apiKey }: Service) {
	const surroundings: Surroundings = {
		triggered: [{}],
		dataTables: createDataTables(),
		refuses: () => false,
		sent: [],
	};
	const node = new BusinessProspectData();
	const credentials = credentialsOf({
		credentials: { baseUrl: url, apiKey },
		credentialType: new BusinessProspectDataApi(),
	});
	const typeOf = (type: string) =>
		type === typeNameOf(node)
			? node
			: builtInNode(type.startsWith('n8n-nodes-base') ? type : 'manualTrigger', surroundings);
	const nodeTypes: INodeTypes = {
		getByName: typeOf,
		getByNameAndVersion: typeOf,
		getKnownTypes: () => ({}),
	};
	return {
		surroundings,
		table: (name: string) =>
			surroundings.dataTables.tables.find((one) => one.name === name)?.rows ?? [],
		/** @param mode `trigger` is a run of a published workflow */
		async run(
			id: string,
			start: string,
			{
				mode = 'trigger',
				example = readExample(id),
			}: { mode?: WorkflowExecuteMode; example?: Example } = {},
		): Promise<ExampleRun> {
			await startDeduplication();
			const nodes = example.nodes
				.filter(({ type }) => !type.endsWith('stickyNote'))
				.map((one) => ({
					...one,
					...(one.credentials && { credentials: credentials.reference() }),
				}));
			const workflow = new Workflow({
				id,
				name: example.name,
				nodes,
				connections: example.connections,
				active: false,
				nodeTypes,
				// West of UTC, where the first of a month in UTC is still the day before.
				settings: { executionOrder: 'v1', timezone: 'America/New_York' },
			});
			const startNode = workflow.getNode(start);
			if (startNode === null) throw new Error(`${id} has no node "${start}"`);
			const additionalData = buildAdditionalData(
				workflow,
				mode,
				credentials,
				surroundings.dataTables,
			);
			const engine = new WorkflowExecute(additionalData, mode);
			const { data } = await startExecution(engine, workflow, startNode);
			const { runData, error } = data.resultData;
			return {
				failure: error?.message ?? '',
				rows: (name, output = 0) =>
					(runData[name] ?? []).flatMap((task) =>
						(task.data?.main?.[output] ?? []).map(({ json }) => json),
					),
				hints: (name) =>
					(runData[name] ?? [])
						.flatMap(({ hints = [] }) => hints.map(({ message }) => message))
						.join('\n'),
			};
		},
	};
}
