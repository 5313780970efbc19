/** What becomes of a trigger's state, in n8n and so in the harness. */
import { sleep, type INodeType, type IPollFunctions } from 'n8n-workflow';
import { createPoller, type PollerOptions } from './poll';

/** Outputs how often it was polled, keeps that in its state, and does what `kind` says. */
const counter: INodeType = {
	description: {
		displayName: 'Counter',
		name: 'counter',
		group: ['trigger'],
		version: 1,
		description: 'Counts its polls',
		defaults: { name: 'Counter' },
		polling: true,
		inputs: [],
		outputs: ['main'],
		properties: [{ displayName: 'Kind', name: 'kind', type: 'string', default: '' }],
	},
	async poll(this: IPollFunctions) {
		const state = this.getWorkflowStaticData('node');
		const polls = Number(state.polls ?? 0) + 1;
		state.polls = polls;
		await sleep(1);
		const kind = this.getNodeParameter('kind');
		if (kind === 'throw') throw new Error('The service is down');
		return kind === 'null' ? null : [[{ json: { polls } }]];
	},
};
const poller = (kind: string, more: Partial<PollerOptions> = {}) =>
	createPoller({ node: counter, parameters: { kind }, ...more });

test('polls share one live state, which a restart takes from what was saved, but a renamed node does not', async () => {
	const first = poller('emit');
	const both = await Promise.all([first.poll(), first.poll()]);
	expect(both.map(({ items }) => items?.[0]?.json.polls)).toEqual([1, 2]);

	const staticData = first.saved;
	expect((await poller('emit', { staticData }).poll()).state).toEqual({ polls: 3 });
	expect((await poller('emit', { staticData, name: 'Watch' }).poll()).state).toEqual({ polls: 1 });
	expect(first.state).toEqual({ polls: 2 });
});

test('null and a throw stay in memory, except null on an activation', async () => {
	const quiet = poller("={{ 'nu' + 'll' }}");
	expect(await quiet.poll()).toEqual({ items: null, state: { polls: 1 } });
	expect(quiet.saved).toEqual({});
	await quiet.poll({ activation: 'activate' });
	expect(quiet.saved).toEqual({ 'node:Counter': { polls: 2 } });

	const broken = poller('throw');
	await expect(broken.poll()).rejects.toThrow('The service is down');
	expect([broken.state, broken.saved]).toEqual([{ polls: 1 }, {}]);
});

test('durable cursors: null is kept, a throw and the null of an activation are not', async () => {
	const quiet = poller('null', { durable: true });
	await quiet.poll({ activation: 'activate' });
	expect(quiet.state).toEqual({});
	await quiet.poll();
	expect(quiet.state).toEqual({ polls: 1 });

	const broken = poller('throw', { durable: true, staticData: quiet.saved });
	await expect(broken.poll()).rejects.toThrow('The service is down');
	expect(broken.state).toEqual({ polls: 1 });
});
