import type { IDataObject } from 'n8n-workflow';
import type { HttpMethod, ServiceRequest } from '../../api/httpRequest';
import type { Redact } from '../../api/responseBody';
import { isEmpty, isObject, toRecord } from '../../core/json';
import { isBlank } from '../../core/text';
import { perItem } from '../../run/operation';
import { includeInputFields, operationOptions } from '../../parameters/options';
import {
	addedOption,
	optionsParameter,
	type Parameter,
	parameterError,
} from '../../parameters/parameter';
import { openRow, type Row } from '../../fields/row';
import { outputParameter } from '../../run/output';
import { path, queryParameters, toQuery } from './url';

const METHODS: readonly HttpMethod[] = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];
const METHODS_EXCEPT_GET = METHODS.filter((method) => method !== 'GET');

/** Takes no expressions, so that an AI agent can't choose DELETE. */
const method = optionsParameter({
	displayName: 'Method',
	name: 'method',
	type: 'options',
	noDataExpression: true,
	default: 'GET',
	options: METHODS.map((value) => ({ name: value, value })),
	description: "The HTTP method, as the service's documentation names it",
});

const body: Parameter<'body', object | undefined> = {
	name: 'body',
	property: {
		displayName: 'Body',
		name: 'body',
		type: 'json',
		default: '{}',
		typeOptions: { rows: 5 },
		displayOptions: { show: { method: METHODS_EXCEPT_GET } },
		description: 'A JSON object or list. Leave empty to send none.',
	},
	/** An expression without a value means no body, not the default. */
	read: (raw) => {
		if (raw === null || raw === undefined) return undefined;
		if (typeof raw === 'object' && !hasToJson(raw)) return withExactNumbers(raw);
		const text = String(raw);
		return isBlank(text) ? undefined : withExactNumbers(parseBody(text));
	},
};

/** True, for example, for Luxon and JavaScript dates, whose JSON is text rather than an object. */
const hasToJson = (raw: object): boolean => 'toJSON' in raw && typeof raw.toJSON === 'function';

/** An ID that n8n has rounded would be another one. */
function withExactNumbers(value: object): object {
	JSON.stringify(value, (_, member: unknown) => {
		if (Number.isInteger(member) && !Number.isSafeInteger(member)) {
			throw parameterError(
				body.property,
				'is a number that n8n has rounded. Put it in quotes.',
				member,
			);
		}
		return member;
	});
	return value;
}

function parseBody(text: string): object {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw parameterError(
			body.property,
			'is not valid JSON. In an expression, put values in with {{ JSON.stringify($json.name) }}, without quotes around it.',
		);
	}
	if (typeof value !== 'object' || value === null) {
		throw parameterError(body.property, 'is neither a JSON object nor a list.');
	}
	return value;
}

const output = outputParameter(
	{
		name: 'Rows',
		value: 'rows',
		description: 'One row for each entry, if the response or its <code>data</code> is a list',
	},
	'The response as the service sends it',
);

const safeToRetry = addedOption({
	displayName: 'Safe to Retry',
	name: 'safeToRetry',
	displayOptions: { show: { '/method': METHODS_EXCEPT_GET } },
	description:
		'Whether to send the request again if its response is lost. Only if that costs and changes nothing more.',
});

/** Equal requests are all sent, because they may have side effects. */
export const send = perItem({
	resource: 'customApiCall',
	value: 'send',
	name: 'Send',
	action: 'Send custom API call',
	description: 'Send a request to an endpoint of the service for which there is no operation',
	parameters: [method, path, queryParameters, body, output],
	options: operationOptions('e.g. id, name', [includeInputFields, safeToRetry]),
	repeatsEqualInputs: true,
	input: (values, itemOptions, { isTool }): ServiceRequest => {
		const isGet = values.method === 'GET';
		return {
			method: values.method,
			path: values.path,
			query: toQuery(values.queryParameters, isTool),
			body: isGet ? undefined : values.body,
			safeToRetry: isGet || itemOptions.safeToRetry,
			custom: true,
		};
	},
	send: async (client, request) => {
		const { value, failure } = await client.send(request);
		if (failure === undefined) return { value: redactJson(value, client.redact) };
		const details = redactJson(failure.details, client.redact);
		return { failure: { ...failure, details: isObject(details) ? details : undefined } };
	},
	rows: (response, values) => {
		if (isNothing(response)) return [emptyRow()];
		const entries = values.output === 'rows' ? entriesOf(response) : [response];
		return entries.map((entry) => openRow(rowOf(entry)));
	},
	wording: { verb: 'Returned', one: 'row', empty: 'with an empty response' },
});

/** Redacts texts, because an endpoint may repeat the request's headers or list the account's keys. */
const redactJson = (value: unknown, redact: Redact): unknown =>
	value === undefined
		? undefined
		: JSON.parse(JSON.stringify(value), (_, member: unknown) =>
				typeof member === 'string' ? redact(member) : member,
			);

/** Creates a new object for each item, because later nodes may change it. */
const emptyRow = (): Row =>
	openRow({ message: 'The request succeeded. The response is empty.' }, { state: 'empty' });

/** An empty list is data, not an empty response. */
const isNothing = (response: unknown): boolean =>
	isObject(response)
		? Object.keys(response).length === 0
		: !Array.isArray(response) && isEmpty(response);

function entriesOf(response: unknown): unknown[] {
	if (Array.isArray(response)) return response;
	return isObject(response) && Array.isArray(response.data) ? response.data : [response];
}

/** n8n may send a row to the error branch if it has an `error` and no keys but these. */
const ERROR_KEYS = ['error', 'message', 'details'];

/** If n8n could take an entry for an error, puts the entry in `data`, because the request has succeeded. */
function rowOf(entry: unknown): IDataObject {
	const record = toRecord(entry);
	const looksLikeError =
		Boolean(record.error) && Object.keys(record).every((key) => ERROR_KEYS.includes(key));
	return looksLikeError ? { data: record } : record;
}
