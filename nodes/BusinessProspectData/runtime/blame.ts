import type { Failure } from '../core/outcome';

/**
 * Which asks a validation error blames, by their index in the list; `request` when it names another member of the
 * request; `unknown` when it names nothing (contract: Errors).
 *
 * @param keys of the asks, in their order: what a person knows them by, where they come from one field and have one
 */
export function findNamedInputs(
	{ issues: problems = [], status, correlationId }: Failure,
	list: string | undefined,
	keys: readonly string[],
	field: string | undefined,
): Map<number, { failure: Failure }> | 'request' | 'unknown' {
	const words = new Map<number, string>();
	for (const { member, index, message } of problems) {
		if (member !== undefined && member !== list) return 'request';
		if (index === undefined || index >= keys.length) continue;
		const before = words.get(index);
		words.set(index, before === undefined ? message : `${before} ${message}`);
	}
	if (words.size === 0) return 'unknown';
	const nameOf = (index: number) => (field === undefined ? '' : keys[index]) || 'this value';
	const blamed = [...words].map(([index, said]): [number, { failure: Failure }] => [
		index,
		{
			failure: {
				kind: 'invalid',
				message: `The service refused ${nameOf(index)} (HTTP ${status}): ${said} Correct it and run the row again.`,
				status,
				correlationId,
				field,
			},
		},
	]);
	return new Map(blamed);
}
