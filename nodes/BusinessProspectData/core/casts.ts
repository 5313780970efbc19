/**
 * The only casts of the package, each with the reason why it holds. `test/unit/walls.test.ts` allows them in no other file.
 */
import type {
	IAuthenticateRuleResponseCode,
	IAuthenticateRuleResponseSuccessBody,
	ICredentialTestRequest,
} from 'n8n-workflow';

/** Collects the values of parameters by name. Holds if `valueOf` returns what the parameter's own `read` returns. */
export function valuesFrom<Part extends { readonly name: string }, Values>(
	parts: readonly Part[],
	valueOf: (part: Part) => unknown,
): Values {
	const values: Record<string, unknown> = {};
	for (const part of parts) values[part.name] = valueOf(part);
	return values as Values;
}

/** The rules of a credential's test. n8n accepts both kinds in one list; its type allows only lists of one kind. */
export const testRules = (
	rules: Array<IAuthenticateRuleResponseCode | IAuthenticateRuleResponseSuccessBody>,
) => rules as ICredentialTestRequest['rules'];
