import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../core/json';
import { isBlank } from '../core/text';
import { notFoundRule, type ReceivedResponse } from './recordRules';
import { contextStatus, requestStatus } from './responseBody';
import { type Blocks, type ResponseRule, RULES } from './responseRules';

/** How responses are interpreted, by the kind of endpoint. */
export interface ResponsePolicy {
	/** Whether the body of a success can report a validation error. */
	readonly hasIssuesInSuccess: boolean;
	/** The rule for a response whose status is a success, but whose body shows a failure; undefined if it shows none. */
	readonly bodyRule: (received: ReceivedResponse) => ResponseRule | undefined;
	/** The rule for a 404; undefined if the general rule for the status applies. */
	readonly notFoundRule: (received: ReceivedResponse) => ResponseRule | undefined;
	/** The value that a successful request returns. */
	readonly value: (body: unknown) => unknown;
	/** Details of a failure that the service doesn't explain in a known way. */
	readonly details: (body: unknown) => IDataObject | undefined;
	/** Whether the service may have processed a request that failed with this rule. */
	readonly mayHaveBeenProcessed: (rule: ResponseRule) => boolean;
	/** Which other requests would fail the same way. */
	readonly blocks: (rule: ResponseRule) => Blocks | undefined;
}

const isMarkup = (text: string): boolean => /^\s*</.test(text);

const hasData = (body: unknown): boolean => isObject(body) || Array.isArray(body);

/** For the endpoints that the contract describes. */
export const contractPolicy: ResponsePolicy = {
	hasIssuesInSuccess: true,
	bodyRule: ({ status, body, request }) => {
		if (typeof body === 'string' && !isBlank(body)) {
			return isMarkup(body) ? RULES.webPage : RULES.invalidJson;
		}
		if (!hasData(body)) {
			const mayBeEmpty = request.mayBeEmpty || (status === 204 && request.method === 'DELETE');
			return mayBeEmpty ? undefined : RULES.emptyBody;
		}
		return requestStatus(body) === 'failure' ? RULES.reportedFailure : undefined;
	},
	notFoundRule,
	value: (body) => (hasData(body) ? body : {}),
	details: () => undefined,
	mayHaveBeenProcessed: ({ kind }) => kind === 'noResponse',
	blocks: ({ blocks }) => blocks,
};

/**
 * For an endpoint that the user chose. The response may be any JSON or text, or empty, and may have fields of its own named
 * `status` or `detail`. Of the failures, only a wrong API key and the rate limit affect other requests.
 */
export const customPolicy: ResponsePolicy = {
	hasIssuesInSuccess: false,
	bodyRule: ({ body }) => {
		if (typeof body === 'string') {
			// n8n would have parsed it if it were one JSON value.
			if (/^\s*[[{]/.test(body)) return RULES.customInvalidJson;
			return isMarkup(body) ? RULES.webPage : undefined;
		}
		return contextStatus(body) === 'failure' ? RULES.reportedFailure : undefined;
	},
	notFoundRule: () => RULES.nothingAtPath,
	value: (body) => body,
	details: (body) =>
		isObject(body) || (typeof body === 'string' && !isBlank(body) && !isMarkup(body))
			? { response: body }
			: undefined,
	// The endpoint is unknown: it may have acted before it responded with 500, 502 or 503.
	mayHaveBeenProcessed: ({ kind, retry }) =>
		kind === 'noResponse' || (kind === 'server' && retry === 'transient'),
	blocks: ({ blocks }) => (blocks === 'everything' ? blocks : undefined),
};
