import { UserError } from 'n8n-workflow';
import { asText } from '../core/json';
import type { Failure, Outcome } from '../core/outcome';

/** The value that an act gives, or why it threw. */
export function toOutcome<Value>(act: () => Value): Outcome<Value> {
	try {
		return { value: act() };
	} catch (error) {
		return { failure: failureOf(error) };
	}
}

/** As `attempt`, for what takes time. */
export async function toOutcomeAsync<Value>(act: () => Promise<Value>): Promise<Outcome<Value>> {
	try {
		return { value: await act() };
	} catch (error) {
		return { failure: failureOf(error) };
	}
}

/** What is wrong with an item's values, or what n8n says about its expression or the credential. */
function failureOf(error: unknown): Failure {
	const message = error instanceof Error ? error.message : String(error);
	const field = error instanceof UserError ? asText(error.extra?.field) : undefined;
	return { kind: 'input', message, field };
}
