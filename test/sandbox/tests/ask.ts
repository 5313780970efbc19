import { endpointNamed, type EndpointName } from '../contract/contract';
import { WAYS } from '../../workflows/ways';
import type { Sandbox } from '../sandbox';

export interface Row {
	prospect_id: string | null;
	event_id: string;
	data: Record<string, unknown> | null;
}

/** Sends one request to an endpoint; without `input`, the one that the node sends in the walk over the contract. */
export async function ask(
	sandbox: Sandbox,
	name: EndpointName,
	input: object = WAYS[name].sends(sandbox.world),
	headers: Record<string, string> = {},
) {
	const { method, path } = endpointNamed(name);
	const isGet = method === 'GET';
	const query = isGet ? `?${new URLSearchParams({ ...input })}` : '';
	const response = await fetch(sandbox.url + path + query, {
		method,
		headers: { api_key: sandbox.apiKey, 'content-type': 'application/json', ...headers },
		body: isGet ? undefined : JSON.stringify(input),
	});
	const body = (await response.json()) as Record<string, unknown>;
	const detail = Array.isArray(body.detail) ? (body.detail as Array<{ loc: unknown[] }>) : [];
	const { status } = response;
	return {
		...{ status, headers: response.headers, body },
		rows: [body.data, body.output_events].flatMap((rows) =>
			Array.isArray(rows) ? rows : [],
		) as Row[],
		/** `loc` of each validation error, joined by dots. */
		locs: detail.map(({ loc }) => loc.join('.')),
	};
}
