/** Sending what all items ask for. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { executeInputs } from '../../../nodes/BusinessProspectData/runtime/asking';
import type { BatchSpec } from '../../../nodes/BusinessProspectData/runtime/operation';
import {
	options,
	requestContext,
	type SharedOptions,
} from '../../../nodes/BusinessProspectData/runtime/options';
import { enrich, fakeService, OK, SETTINGS } from '../api/service';

type Send = BatchSpec<readonly [], SharedOptions, string, string>['send'];

const spec = (send: Send): BatchSpec<readonly [], SharedOptions, string, string> => ({
	resource: 'thing',
	value: 'get',
	name: 'Get',
	action: 'Get things',
	description: 'Gets things',
	parameters: [],
	options: options(requestContext),
	wording: { verb: 'Got', one: 'thing', many: 'things', empty: 'missing' },
	inputs: () => [],
	group: () => '',
	key: (ask) => ask,
	limit: () => 2,
	send,
	rows: () => [],
});

const SHARED: SharedOptions = { ...SETTINGS, fields: [], includeInputFields: false };
const ASKS = ['a', 'b', 'c', 'd'];

function service() {
	const { context, sent } = fakeService(() => OK);
	return { context: context as unknown as IExecuteFunctions, sent };
}

const messages = (
	answered: Awaited<ReturnType<typeof executeInputs<[], SharedOptions, string, string>>>,
) => answered.answered.map(({ outcome }) => outcome.failure?.message ?? outcome.value);

test('without anything to ask the credential is not even read', async () => {
	const { context } = service();
	const read = jest.spyOn(context, 'getCredentials');
	const send = jest.fn<ReturnType<Send>, Parameters<Send>>();

	expect(await executeInputs(context, spec(send), [], SHARED, false)).toEqual({
		answered: [],
		requests: 0,
	});
	expect(read).not.toHaveBeenCalled();
});

test('without a credential each ask fails, and none counts as repeated', async () => {
	const { context } = service();
	jest.spyOn(context, 'getCredentials').mockResolvedValue({ baseUrl: '', apiKey: 'x' });
	const send = jest.fn<ReturnType<Send>, Parameters<Send>>();

	const run = await executeInputs(context, spec(send), ['a', 'a'], SHARED, false);

	expect(run.requests).toBe(0);
	expect(run.answered.map(({ ask, repeated }) => [ask, repeated])).toEqual([
		['a', false],
		['a', false],
	]);
	expect(messages(run)).toEqual([expect.stringMatching(/Base URL/), expect.any(String)]);
	expect(run.answered[0]?.outcome.failure?.kind).toBe('input');
	expect(send).not.toHaveBeenCalled();
});

describe.each([true, false])('an operation that breaks over an answer (stops: %s)', (stops) => {
	test('fails what it asked for; the others are asked unless the run stops', async () => {
		const { context, sent } = service();

		const run = await executeInputs(
			context,
			spec(async (client, asks) => {
				await client.send({ ...enrich, body: asks });
				if (asks.includes('a')) throw new Error('Not expected.');
				return { value: asks.map((ask) => ({ value: ask })) };
			}),
			ASKS,
			{ ...SHARED, maxConcurrentRequests: 1 },
			stops,
		);

		expect(messages(run).slice(0, 2)).toEqual(['Not expected.', 'Not expected.']);
		expect(sent).toHaveLength(stops ? 1 : 2);
	});
});

test.each([
	[true, 1],
	[false, 2],
])('one failed answer among good ones (stops: %s) leaves %s requests', async (stops, requests) => {
	const { context, sent } = service();

	const run = await executeInputs(
		context,
		spec(async (client, asks) => {
			const { failure } = await client.send({ ...enrich, body: asks });
			if (failure !== undefined) return { failure };
			return {
				value: asks.map((ask) =>
					ask === 'b' ? { failure: { kind: 'reported', message: 'No.' } } : { value: ask },
				),
			};
		}),
		ASKS,
		{ ...SHARED, maxConcurrentRequests: 1 },
		stops,
	);

	expect(messages(run).slice(0, 2)).toEqual(['a', 'No.']);
	expect(sent).toHaveLength(requests);
	expect(run.requests).toBe(requests);
});
