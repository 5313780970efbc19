/** Which ask a validation error blames, and by what name. */
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import { findNamedInputs } from '../../../nodes/BusinessProspectData/runtime/blame';
import { problemAt } from './requests';

const failure = (...location: string[]): Failure => ({
	kind: 'invalid',
	message: 'Refused.',
	status: 422,
	correlationId: 'c-1',
	issues: [problemAt(location, 'bad')],
});

const told = (keys: readonly string[], field: string | undefined, ...location: string[]) => {
	const blame = findNamedInputs(failure(...location), 'ids', keys, field);
	return typeof blame === 'string'
		? blame
		: [...blame].map(([index, { failure: own }]) => [index, own.message, own.field]);
};

test.each<[what: string, keys: string[], field: string | undefined, name: string]>([
	['by its value', ['v0', 'v1'], 'ids', 'v1'],
	['without a field of its own', ['v0', 'v1'], undefined, 'this value'],
	['without a name', ['', ''], 'ids', 'this value'],
])('%s', (_what, keys, field, name) => {
	expect(told(keys, field, 'body', 'ids', '1')).toEqual([
		[1, `The service refused ${name} (HTTP 422): bad. Correct it and run the row again.`, field],
	]);
});

test.each([
	['another member', ['body', 'mode'], 'request'],
	['the list alone', ['body', 'ids'], 'unknown'],
	['a place beyond the list', ['body', 'ids', '2'], 'unknown'],
	['no number', ['body', 'ids', '1x'], 'unknown'],
	['nothing', ['body'], 'unknown'],
])('%s', (_what, location, blame) => {
	expect(told(['v0', 'v1'], 'ids', ...location)).toBe(blame);
});
