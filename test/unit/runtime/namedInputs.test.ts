/** Which inputs a validation error names, and what users read. */
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import { findNamedInputs } from '../../../nodes/BusinessProspectData/runtime/invalidInputs';
import { issueAt } from './requests';

const failure = (...location: string[]): Failure => ({
	kind: 'invalid',
	message: 'Refused.',
	status: 422,
	correlationId: 'c-1',
	issues: [issueAt(location, 'bad')],
});

const read = (keys: readonly string[], field: string | undefined, ...location: string[]) => {
	const named = findNamedInputs(failure(...location), 'ids', keys, field);
	return named === 'request'
		? named
		: [...named].map(([index, { failure: own }]) => [index, own.message, own.field]);
};

test.each<[what: string, keys: string[], field: string | undefined, name: string]>([
	['by its value', ['v0', 'v1'], 'ids', 'v1'],
	['without a field of its own', ['v0', 'v1'], undefined, 'this value'],
	['without a name', ['', ''], 'ids', 'this value'],
])('%s', (_what, keys, field, name) => {
	expect(read(keys, field, 'body', 'ids', '1')).toEqual([
		[
			1,
			`The service rejected ${name} (HTTP 422): bad. Correct or remove it, then run the row again.`,
			field,
		],
	]);
});

test.each<[what: string, location: string[], named: string | never[]]>([
	['another member', ['body', 'mode'], 'request'],
	['the list alone', ['body', 'ids'], []],
	['a place beyond the list', ['body', 'ids', '2'], []],
	['no number', ['body', 'ids', '1x'], []],
	['nothing', ['body'], []],
])('%s', (_what, location, named) => {
	expect(read(['v0', 'v1'], 'ids', ...location)).toEqual(named);
});
