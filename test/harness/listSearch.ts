import { LoadOptionsContext } from 'n8n-core';
import { UnexpectedError, type INodeListSearchResult } from 'n8n-workflow';
import { credentialsOf } from './credentials';
import { buildAdditionalData, buildWorkflow, placeNode, type NodeOptions } from './workflow';

interface ListSearchOptions extends Omit<NodeOptions, 'parameters' | 'name'> {
	/** Name of the method in `methods.listSearch`. */
	method: string;
	/** What was typed into the list; the editor sends none when the list opens. */
	filter?: string;
}

/** Asks a node for a list, as n8n's editor does. Rejects with what the method throws, whose message the editor shows. */
export async function searchList(options: ListSearchOptions): Promise<INodeListSearchResult> {
	const method = options.node.methods?.listSearch?.[options.method];
	if (method === undefined) throw new UnexpectedError(`There is no ${options.method}`);
	const credentialsHelper = credentialsOf(options);
	const node = placeNode(options.node, {
		name: 'Temp-Node',
		credentials: credentialsHelper.reference(),
	});
	const workflow = buildWorkflow({ nodes: [node], types: [options.node] });
	const additionalData = buildAdditionalData(workflow, 'internal', credentialsHelper);
	const context = new LoadOptionsContext(workflow, node, additionalData, '');
	return await method.call(context, options.filter);
}
