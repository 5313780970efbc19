import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../core/json';
import { isBlank } from '../core/text';
import { notFoundRule, type ReceivedResponse } from './recordRules';
import { requestStatus } from './responseBody';
import { type Blocks, type ResponseRule, RULES } from './responseRules';

/** What the interpretation of a response takes from the endpoint. */
export interface ResponsePolicy {
	/** Whether the body of a success can report a validation error. */
	readonly hasIssuesInSuccess: boolean;
	/** The rule for the body of a success; undefined if it really is one. */
	readonly bodyRule: (received: ReceivedResponse) => ResponseRule | undefined;
	/** The rule for a 404; undefined if it says nothing about a record. */
	readonly notFoundRule: (received: ReceivedResponse) => ResponseRule | undefined;
	/** What a success contains. */
	readonly value: (body: unknown) => unknown;
	/** What to show of a failure that the service doesn't explain in a known way. */
	readonly details: (body: unknown) => IDataObject | undefined;
	/** Whether the service may have processed a request that failed with this rule. */
	readonly mayBeProcessed: (rule: ResponseRule) => boolean;
	/** Which other requests would fail the same way. */
	readonly blocks: (rule: ResponseRule) => Blocks | undefined;
}

const hasData = (body: unknown): boolean => isObject(body) || Array.isArray(body);

/** The endpoints that the contract shows. */
export const contractPolicy: ResponsePolicy = {
	hasIssuesInSuccess: true,
	bodyRule: ({ status, body, request }) => {
		if (typeof body === 'string' && !isBlank(body)) {
			return /^\s*</.test(body) ? RULES.webPage : RULES.invalidJson;
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
	mayBeProcessed: ({ kind }) => kind === 'noResponse',
	blocks: ({ blocks }) => blocks,
};

/**
 * An endpoint that the user chose. Its response may be any JSON, text, or empty, with fields of its own named `status` or
 * `detail`, and its failure says nothing about other requests to the path.
 */
export const customPolicy: ResponsePolicy = {
	hasIssuesInSuccess: false,
	bodyRule: ({ body }) => {
		if (typeof body === 'string') {
			// Truncated JSON is no text.
			if (/^\s*[[{]/.test(body)) return RULES.invalidJson;
			return /^\s*</.test(body) ? RULES.webPage : undefined;
		}
		const context = isObject(body) ? { response_context: body.response_context } : undefined;
		return requestStatus(context) === 'failure' ? RULES.reportedFailure : undefined;
	},
	notFoundRule: () => RULES.nothingAtPath,
	value: (body) => body,
	details: (body) => (isObject(body) ? { response: body } : undefined),
	mayBeProcessed: ({ kind, retry }) =>
		kind === 'noResponse' || (kind === 'server' && retry === 'transient'),
	blocks: ({ blocks }) => (blocks === 'unprovenPath' ? undefined : blocks),
};
