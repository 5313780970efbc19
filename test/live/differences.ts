/** How an answer differs from the contract. Names members and types, never values: they may be personal. */
import type { ErrorObject } from 'ajv';
import { reportedStatus } from '../../nodes/BusinessProspectData/api/responseBody';
import { asObjects, isObject } from '../../nodes/BusinessProspectData/core/json';
import { askedFor, type Endpoint } from '../sandbox/contract/contract';
import { ajv } from '../sandbox/validation';

export interface Answer {
	/** Undefined if there was no answer. */
	readonly status?: number;
	/** Undefined if it isn't JSON. */
	readonly body?: unknown;
}

/** `data[].emails[].type`. Names that don't look like a member's are left out. */
const pathOf = (parts: readonly unknown[]): string =>
	parts
		.map((part) => (/^\d+$/.test(String(part)) ? '[]' : `.${wordOf(part)}`))
		.join('')
		.replace(/^\./, '') || 'the answer';
const wordOf = (text: unknown) => (/^[a-z]\w{0,50}$/i.test(String(text)) ? String(text) : '(…)');

function typeAt(body: unknown, parts: readonly string[]): string {
	const value = parts.reduce<unknown>((parent, part) => Object(parent)[part], body);
	return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function problemOf(body: unknown, { keyword, instancePath, params, message }: ErrorObject) {
	const parts = instancePath.split('/').slice(1);
	switch (keyword) {
		case 'required':
			return { problem: 'missing', path: pathOf([...parts, params.missingProperty]) };
		case 'additionalProperties':
			return {
				problem: 'not in the contract',
				path: pathOf([...parts, params.additionalProperty]),
			};
		case 'type':
			return {
				problem: `${typeAt(body, parts)} instead of ${[params.type].flat().join(' or ')}`,
				path: pathOf(parts),
			};
		default:
			return { problem: message ?? keyword, path: pathOf(parts) };
	}
}

/** One line for each kind of problem. */
function schemaProblems({ answer }: Endpoint, body: unknown): string[] {
	const validate = ajv.compile(answer);
	if (validate(body)) return [];
	const paths = new Map<string, Set<string>>();
	for (const { problem, path } of (validate.errors ?? []).map((error) => problemOf(body, error))) {
		paths.set(problem, (paths.get(problem) ?? new Set()).add(path));
	}
	return [...paths].map(([problem, names]) => `${problem}: ${[...names].join(', ')}`);
}

/** The places that a validation error names. */
const placesIn = (body: unknown): string[] =>
	asObjects(isObject(body) ? body.detail : undefined).map(({ loc }) =>
		pathOf(Array.isArray(loc) ? loc : []),
	);

/** True if a row is about another person or company than the request. */
function hasOtherIds(endpoint: Endpoint, input: unknown, body: unknown): boolean {
	const { inputMember = '', rows = '' } = endpoint;
	if (!inputMember.endsWith('_ids') || !isObject(body)) return false;
	const ids = askedFor(endpoint, input);
	return asObjects(body[rows]).some((row) => !ids.includes(String(row[inputMember.slice(0, -1)])));
}

export function differencesIn(
	endpoint: Endpoint,
	input: unknown,
	{ status, body }: Answer,
): string[] {
	if (status === undefined) return ['no answer'];
	if (status !== 200) return [`status ${status}`, ...placesIn(body).map((path) => `about ${path}`)];
	if (body === undefined) return ['no JSON'];
	return [
		...(reportedStatus(body) === 'failure' ? ['request_status is failure'] : []),
		...(hasOtherIds(endpoint, input, body) ? ['a row about another ID'] : []),
		...schemaProblems(endpoint, body),
	];
}
