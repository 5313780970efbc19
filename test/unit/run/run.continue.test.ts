/** On Error set to "Continue" and to "Continue (using error output)": nothing is thrown, only what failed fails. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	BASE_URL,
	CONTINUE_MODES,
	people,
	person,
	interceptRequests,
	run,
	runWithoutMemory,
} from './fakeService';
import { errorOf, type NodeRunOptions } from '../../harness/engine';

interceptRequests();

const EXPRESSION = "={{ $('Nowhere').item.json.id }}";
const at = (baseUrl: string, apiKey: string) => ({ credentials: { baseUrl, apiKey } });
const failed = ['profile'];

/** What no request is sent for. */
const DISASTERS: Array<
	[
		what: string,
		parameters: INodeParameters,
		more: Partial<NodeRunOptions>,
		message: RegExp,
		details: IDataObject | undefined,
	]
> = [
	['no key', {}, at(BASE_URL, ''), /^API Key is empty/, { failed }],
	['no credential', {}, { credentials: undefined }, /credential/, { failed }],
	[
		'an expression that cannot be evaluated',
		{ prospectIds: EXPRESSION },
		{},
		/^Prospect IDs: Referenced node doesn't exist/,
		{ field: 'prospectIds' },
	],
	[
		'an expression among the options',
		{ options: { fields: EXPRESSION } },
		{},
		/Referenced node doesn't exist/,
		undefined,
	],
	[
		'an option out of bounds',
		{ options: { requests: { maxTries: 21 } } },
		{},
		/^Max Tries: "21" must be at most 20\.$/,
		{ field: 'maxTries' },
	],
	['an unknown operation', { operation: 'invent' }, {}, /"invent"/, undefined],
	['an unknown resource', { resource: 'invent' }, {}, /"invent"/, undefined],
];

describe.each(CONTINUE_MODES)('%s', (onError) => {
	test.each(DISASTERS)(
		'%s: every row is an error item',
		async (_what, parameters, more, message, details) => {
			const result = await run(people(3), parameters, { onError, ...more });

			expect(result.status).toBe('success');
			expect(result.failure).toBeUndefined();
			expect(result.task?.error).toBeUndefined();
			const [errors, rows] =
				onError === 'continueErrorOutput'
					? [result.error, result.main]
					: [result.main, result.error];
			expect(rows).toEqual([]);
			expect(errors.map(({ pairedItem }) => pairedItem)).toEqual([
				{ item: 0 },
				{ item: 1 },
				{ item: 2 },
			]);
			expect(JSON.stringify(result.hints)).not.toContain('duplicate');

			const added = onError === 'continueErrorOutput' ? ['id', 'row'] : [];
			for (const { json, error } of errors) {
				expect(error).toBeUndefined();
				expect(Object.keys(json).sort()).toEqual(['error', ...added].sort());
				const { message: text, ...others } = errorOf({ json });
				expect(text).toMatch(message);
				if (details !== undefined) expect(others).toEqual(details);
			}
		},
	);

	test('rows that were fetched are not lost if n8n cannot tell which are new', async () => {
		const { main, error, hints } = await runWithoutMemory({ onError });
		expect(main.map(({ json }) => json.prospect_id)).toEqual([person(0)]);
		expect(error).toEqual([]);
		expect(hints.flatMap(({ message }) => message.split('\n'))).toEqual([
			'Returned 1 row in 1 request.',
			'No filter was set, so everyone matches.',
			'n8n could not tell which rows are new: The database is locked. The output has all of them.',
		]);
	});
});
