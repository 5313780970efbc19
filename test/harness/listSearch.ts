import { LoadOptionsContext } from 'n8n-core';
import { deepCopy, UnexpectedError, type INodeListSearchResult } from 'n8n-workflow';
import {
	buildAdditionalData,
	buildWorkflow,
	credentialsOf,
	placeNode,
	withExpressions,
	type NodeOptions,
} from './workflow';

export interface ListSearchOptions extends NodeOptions {
	/** Name of the method in `methods.listSearch`. */
	method: string;
	/** What was typed into the list; the editor sends none when the list opens. */
	filter?: string;
	/** From the page before. */
	paginationToken?: string;
	/** Where the asking field is, such as `parameters.filters.city`; only `&` paths look at it. */
	path?: string;
}

/**
 * Asks a node for one page of a list, as n8n's editor does. `parameters` are the node's current
 * ones. Rejects with what the method throws, whose message the editor shows.
 *
 * @example
 * const { results } = await searchList({
 * 	node, method: 'searchCountries', filter: 'ger', credentials, credentialType,
 * });
 */
export async function searchList(options: ListSearchOptions): Promise<INodeListSearchResult> {
	const method = options.node.methods?.listSearch?.[options.method];
	if (method === undefined) {
		throw new UnexpectedError(`The node has no listSearch method "${options.method}"`);
	}
	const credentialsHelper = credentialsOf(options);
	const parameters = deepCopy(options.parameters ?? {});
	const node = placeNode(options.node, {
		name: 'Temp-Node',
		parameters: deepCopy(parameters),
		credentials: credentialsHelper.reference(),
	});
	const workflow = buildWorkflow({ nodes: [node], types: [options.node] });
	const context = new LoadOptionsContext(
		workflow,
		node,
		buildAdditionalData(workflow, 'internal', credentialsHelper, parameters),
		options.path ?? '',
	);
	const page = await withExpressions(
		workflow,
		async () => await method.call(context, options.filter, options.paginationToken),
	);
	const token: unknown = page.paginationToken;
	return typeof token === 'number' ? { ...page, paginationToken: String(token) } : page;
}
