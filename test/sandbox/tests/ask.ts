import { endpointNamed, type EndpointName } from '../contract/contract';
import { exampleRequest } from '../contract/examples';
import type { Sandbox } from '../sandbox';

// The answers' shapes are what is tested, so they are read loosely here.
export interface Answer {
	status: number;
	headers: Headers;
	text: string;
	body: Record<string, unknown>;
	/** `loc` of each validation error, joined by dots. */
	locs: string[];
}

export interface Row {
	prospect_id: string | null;
	business_id: string;
	event_id: string;
	data: Record<string, unknown> | null;
	[member: string]: unknown;
}

/** The rows of an answer, under whatever member. */
export const rowsOf = (answer: Answer, member = 'data') => answer.body[member] as Row[];

interface Ask {
	headers?: Record<string, string>;
	/** Sent as it is, in place of JSON. */
	raw?: string;
	signal?: AbortSignal;
	redirect?: RequestInit['redirect'];
}

/** Sends one request to an endpoint; without `input` its example. */
export async function ask(
	sandbox: Sandbox,
	name: EndpointName,
	input: object = exampleRequest(name, sandbox.world),
	{ headers = {}, raw, signal, redirect }: Ask = {},
): Promise<Answer> {
	const { method, path } = endpointNamed(name);
	const query = method === 'GET' ? `?${new URLSearchParams({ ...input })}` : '';
	const response = await fetch(sandbox.url + path + query, {
		method,
		headers: { api_key: sandbox.apiKey, 'content-type': 'application/json', ...headers },
		body: method === 'GET' ? undefined : (raw ?? JSON.stringify(input)),
		signal,
		redirect,
	});
	return await answerOf(response);
}

/** Reads an answer whole. */
export async function answerOf(response: Response): Promise<Answer> {
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.includes('json') ?? false;
	let body: Answer['body'] = {};
	try {
		if (isJson) body = JSON.parse(text) as Answer['body'];
	} catch {
		body = { unparsed: text };
	}
	const detail = Array.isArray(body.detail) ? (body.detail as Array<{ loc: unknown[] }>) : [];
	return {
		status: response.status,
		headers: response.headers,
		text,
		body,
		locs: detail.map(({ loc }) => loc.join('.')),
	};
}
