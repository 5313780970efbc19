/** What the output panel says after a run, word for word. */
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { BusinessProspectData } from '../../../nodes/BusinessProspectData/BusinessProspectData.node';
import type { NodeRun } from '../../harness/engine';
import { enriched, people, person, interceptRequests, run, serve } from './fakeService';

interceptRequests();

const said = ({ hints }: NodeRun) => hints.map(({ message }) => message);

test('no ID in any row is a warning', async () => {
	const { hints } = await run([{ id: '' }, { id: null }]);
	expect(hints).toMatchObject([
		{
			message:
				"2 rows without an ID. 0 requests.\nProspect IDs were empty in all 2 rows. Check the column's name.",
			type: 'warning',
		},
	]);
});

test('a single row without an ID is a warning', async () => {
	const { hints } = await run([{ id: '' }]);
	expect(hints).toMatchObject([
		{
			message:
				'1 row without an ID. 0 requests. Check that the ID field points to the input column that holds the IDs.',
			type: 'warning',
		},
	]);
});

test('rows that all failed are no reason to warn about the ID field', async () => {
	const { hints } = await run([{ id: 'oops' }], {}, { onError: 'continueRegularOutput' });
	expect(hints).toEqual([{ message: '1 row failed. 0 requests.', location: 'outputPane' }]);
});

test('rows that had no match', async () => {
	serve(({ body }) => [
		200,
		{
			matched_prospects: (body.prospects_to_match as object[]).map((input, at) => ({
				input,
				prospect_id: at === 0 ? person(0) : null,
			})),
		},
	]);
	const items = ['a', 'b', 'c', 'A'].map((name) => ({ email: `${name}@example.com` }));
	const result = await run(items, { operation: 'match', email: '={{ $json.email }}' });
	expect(said(result)).toEqual([
		"4 rows: 2 matched, 2 without a match. 1 request, 3 records. 1 duplicate wasn't sent again.",
	]);
});

const RETRY =
	"Retry On Fail is on in this node's settings. If the node fails, n8n reruns all of it and you pay for every row again. Turn it off: the node already retries requests that can succeed later.";

test("n8n's own Retry On Fail is warned of, and only when it is on", async () => {
	serve(enriched);
	const { hints } = await run(people(1), {}, { retryOnFail: true });
	expect(hints).toContainEqual({ message: RETRY, type: 'warning', location: 'outputPane' });
	expect(said(await run(people(1)))).toEqual(['1 row enriched. 1 request, 1 record.']);
});

/** The node, given n8n's context without its hints: a tool has none up to n8n 1.117. */
function nodeWithoutHints(suffix: string): INodeType {
	const node = new BusinessProspectData();
	const { description } = node;
	return {
		description: { ...description, name: `${description.name}${suffix}` },
		methods: node.methods,
		async execute() {
			const context = Object.create(this, {
				addExecutionHints: { value: undefined },
			}) as IExecuteFunctions;
			return await node.execute.call(context);
		},
	};
}

test.each([
	['a tool', 'Tool'],
	['a node', ''],
])('%s without hints gets its rows, and so does one with Retry On Fail', async (_what, suffix) => {
	serve(enriched);
	for (const retryOnFail of [false, true]) {
		const { failure, main, hints } = await run(
			people(2),
			{},
			{ node: nodeWithoutHints(suffix), retryOnFail },
		);

		expect(failure).toBeUndefined();
		expect(main.map(({ json }) => json.prospect_id)).toEqual([person(0), person(1)]);
		expect(hints).toEqual([]);
	}
});
