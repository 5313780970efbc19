import { sleep, type INodeType, type IPollFunctions } from 'n8n-workflow';
import { createPoller } from './poll';

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
		credentials: [{ name: 'businessProspectDataApi', required: true }],
		properties: [{ displayName: 'Kind', name: 'kind', type: 'string', default: 'emit' }],
	},
	async poll(this: IPollFunctions) {
		const state = this.getWorkflowStaticData('node');
		const polls = Number(state.polls ?? 0) + 1;
		state.polls = polls;
		await sleep(1);
		const kind = this.getNodeParameter('kind');
		if (kind === 'throw') throw new Error('The service is down');
		if (kind === 'null') return null;
		const { apiKey } = await this.getCredentials('businessProspectDataApi');
		const json = {
			polls,
			apiKey: String(apiKey),
			mode: this.getMode(),
			activation: this.getActivationMode(),
			budget: this.getPollBudgetMs?.(),
			times: this.getNodeParameter('pollTimes'),
		};
		return [[{ json }]];
	},
};
const credentials = { apiKey: 'sandbox-key' };
const poller = (kind: string, more = {}) =>
	createPoller({ node: counter, parameters: { kind }, credentials, ...more });

test('a poll has its parameters, credential, mode, activation and poll times', async () => {
	const { items } = await poller('emit').poll({ activation: 'activate' });

	expect(items?.[0]?.json).toMatchObject({
		polls: 1,
		apiKey: 'sandbox-key',
		mode: 'trigger',
		activation: 'activate',
		times: { item: [{ mode: 'everyMinute' }] },
	});
	const [later] = (await poller('emit').poll()).items ?? [];
	expect(later?.json).toMatchObject({ activation: 'update' });
});

test('a poll has the budget that n8n gives it', async () => {
	const [limited] = (await poller('emit').poll({ budgetMs: 36_000 })).items ?? [];
	const [free] = (await poller('emit').poll()).items ?? [];

	expect([limited?.json.budget, free?.json.budget]).toEqual([36_000, 300_000]);
});

test('parameters may be expressions', async () => {
	expect(await poller("={{ 'nu' + 'll' }}").poll()).toMatchObject({ items: null });
});

test('polls share one live state, which a restart takes from what was saved', async () => {
	const first = poller('emit');
	await first.poll();
	expect((await first.poll()).state).toEqual({ polls: 2 });

	const restarted = poller('emit', { staticData: first.saved });
	expect((await restarted.poll()).items?.[0]?.json.polls).toBe(3);
	expect(first.state).toEqual({ polls: 2 });
});

test('polls that overlap see the same state', async () => {
	const both = poller('emit');

	const [one, two] = await Promise.all([both.poll(), both.poll()]);

	expect([one, two].map(({ items }) => items?.[0]?.json.polls)).toEqual([1, 2]);
});

test('null and a throw stay in memory, except null on an activation', async () => {
	const quiet = poller('null');
	expect(await quiet.poll()).toEqual({ items: null, state: { polls: 1 } });
	expect(quiet.saved).toEqual({});
	await quiet.poll({ activation: 'activate' });
	expect(quiet.saved).toEqual({ 'node:Counter': { polls: 2 } });

	const broken = poller('throw');
	await expect(broken.poll()).rejects.toThrow('The service is down');
	expect(broken.state).toEqual({ polls: 1 });
	expect(broken.saved).toEqual({});
});

test('a manual poll reads what is saved and keeps nothing', async () => {
	const tried = poller('emit', { staticData: { 'node:Counter': { polls: 7 } } });

	const { items, state } = await tried.poll({ mode: 'manual' });

	expect(items?.[0]?.json).toMatchObject({ polls: 8, mode: 'manual', activation: 'manual' });
	expect(state).toEqual({ polls: 8 });
	expect(tried.state).toEqual({ polls: 7 });
});

test('a renamed node starts from nothing', async () => {
	const first = poller('emit');
	await first.poll();

	const renamed = poller('emit', { staticData: first.saved, name: 'Watch' });

	expect((await renamed.poll()).state).toEqual({ polls: 1 });
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
