import { UserError } from 'n8n-workflow';
import { asText } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';

/** Calls a function and turns what it throws into a failure. */
export function toOutcome<Value>(call: () => Value): Outcome<Value> {
	try {
		return { value: call() };
	} catch (error) {
		return { failure: toFailure(error) };
	}
}

/** Like `toOutcome`, for async functions. */
export async function toOutcomeAsync<Value>(call: () => Promise<Value>): Promise<Outcome<Value>> {
	try {
		return { value: await call() };
	} catch (error) {
		return { failure: toFailure(error) };
	}
}

/** Converts what was thrown, by this node or by n8n, into a failure. A UserError may name the parameter at fault. */
export function toFailure(error: unknown): Failure {
	const message = error instanceof Error ? error.message : String(error);
	const field = error instanceof UserError ? asText(error.extra?.field) : undefined;
	return { kind: 'input', message, field };
}
