/** A simulated n8n: it runs the trigger's polls, keeps their state as n8n does, and drops it where n8n does. */
import {
	deepCopy,
	type IDataObject,
	type INodeParameters,
	NodeOperationError,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import type { FakeResponse } from '../api/service';
import { poll, pollContext } from './trigger';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** When the histories start. */
export const BEGIN = Date.UTC(2026, 4, 20, 12);

/**
 * `live`: n8n's default, one object shared by all polls, saved when a poll has output and after an activation.
 * `durable`: its scheduler with durable cursors, a copy per poll, saved with the execution or after a poll without output, but
 * not after an activation without output. `scheduled`: its scheduler alone, a copy per poll, saved only with output.
 */
export type Mode = 'live' | 'durable' | 'scheduled';

/** How one poll goes. */
export interface Plan<Settings, Change> {
	/** Indexes of the requests that fail; `all` when the service is down. */
	readonly fails: 'all' | readonly number[];
	/** How many requests the time budget allows. */
	readonly requests: number;
	/** What happens while requests are pending: each during another one, beginning with the request `at`. */
	readonly during: ReadonlyArray<Step<Settings, Change>>;
	readonly at: number;
	/** When the process dies: before or after n8n saves the output of the poll. */
	readonly dies?: 'before' | 'after' | undefined;
}

/** What n8n, its users, its machine and the service do. */
export type Step<Settings, Change> =
	| { readonly kind: 'wait'; readonly ms: number }
	| { readonly kind: 'poll'; readonly plan: Plan<Settings, Change> }
	/** The workflow is switched on again, or the process dies and restarts, after a while. */
	| { readonly kind: 'reactivate' | 'restart'; readonly after: number }
	| { readonly kind: 'rename' }
	/** An execution that changed static data writes back the state that it read before the last output. */
	| { readonly kind: 'stale' }
	/** The user saves other settings: n8n activates the workflow again. */
	| { readonly kind: 'edit'; readonly settings: Settings }
	| { readonly kind: 'change'; readonly change: Change };

export interface History<Settings, Change> {
	readonly mode: Mode;
	readonly settings: Settings;
	/** How the polls of activations go. */
	readonly activation: Plan<Settings, Change>;
	readonly steps: ReadonlyArray<Step<Settings, Change>>;
}

export const QUIET = { fails: [], requests: 99, during: [], at: 1 };

interface Request {
	readonly tick: number;
	readonly body: IDataObject;
	readonly data: unknown;
}

/** What happened in a poll that wrote a checkpoint. */
export interface PollRecord<Settings, Ledger> {
	/** The settings that the poll began with, and the latest. */
	readonly began: Settings;
	readonly settings: Settings;
	readonly firstTick: number;
	readonly lastTick: number;
	/** The requests that the service processed. */
	readonly requests: readonly Request[];
	readonly rows: readonly IDataObject[];
	readonly checkpoint: IDataObject;
	/** What was true of the checkpoint that this one was made from; undefined if the trigger started over. */
	readonly ledger: Ledger | undefined;
}

/** The service, and the rules for what the trigger makes of its responses. */
export interface World<Settings, Change, Ledger> {
	parametersOf(settings: Settings): INodeParameters;
	/** Ticks order what happens in the service. */
	change(change: Change, tick: number, now: number): void;
	/** No response: the request fails. */
	respond(body: IDataObject, now: number): FakeResponse | undefined;
	/** The difference between the clock of n8n's machine and that of the service. */
	clockOffset?(): number;
	/** Whether the trigger may forget what it knew when it had the settings. */
	mayStartOver(latest: Ledger | undefined, settings: Settings): boolean;
	/** Returns the ledger of a new checkpoint. */
	account(record: PollRecord<Settings, Ledger>, reportError: (error: string) => void): Ledger;
	/** Ends all failures. */
	calm(): void;
	/** How long a round of checks at the end takes. */
	readonly roundMs: number;
	/** The keys of everything that must have been output, and errors about the end. */
	due(ledger: Ledger | undefined, settings: Settings, settledAt: number): string[];
}

let simulations = 0;

/**
 * Runs one history. The ledger of each checkpoint travels inside it, through n8n's copies and the trigger's own memory. So it is
 * known what the trigger may and must output, whichever state it continues from.
 */
export class Simulation<Settings, Change, Ledger extends { readonly output: readonly string[] }> {
	private now = BEGIN;
	/** Time that only the polls' time budgets know of: it uses up a budget. */
	private idle = 0;
	private tick = 0;
	private readonly number = ++simulations;
	private process = 0;
	private name = 'node';
	/** The active workflow in n8n's memory. */
	private workflow: { readonly state: IDataObject; readonly settings: Settings };
	/** What n8n's database holds, and held before the last output. */
	private saved: IDataObject = {};
	private before: IDataObject = {};
	private isStale = false;
	private latest: { readonly version: number; readonly ledger: Ledger } | undefined;
	/** True if the trigger may continue from an older state than the latest, and when that last became so. */
	private mayGoBack = false;
	private lastGap = -1;
	readonly errors: string[] = [];

	constructor(
		private readonly history: History<Settings, Change>,
		private readonly world: World<Settings, Change, Ledger>,
	) {
		this.workflow = { state: {}, settings: history.settings };
	}

	/** Runs the history, lets everything settle, and returns how many things were due. */
	async run(): Promise<number> {
		jest.spyOn(Date, 'now').mockImplementation(() => this.local());
		jest.spyOn(performance, 'now').mockImplementation(() => this.now + this.idle);
		await this.activate('activate');
		for (const step of this.history.steps) await this.apply(step);

		this.world.calm();
		let settledAt = this.now;
		// What surfaced by the last round but one is due; what came earlier gets the time to come twice.
		for (let round = 0; round < 9; round++) {
			this.now += this.world.roundMs;
			if (round === 7) settledAt = this.now;
			for (let check = 0; check < 3; check++) await this.poll(QUIET);
		}
		const { ledger } = this.latest ?? {};
		const due = this.world.due(ledger, this.workflow.settings, settledAt);
		const missing = due.filter((key) => ledger?.output.includes(key) !== true);
		this.errors.push(...missing.map((key) => `${key} is missing`));
		return due.length;
	}

	private readonly local = () => this.now + (this.world.clockOffset?.() ?? 0);

	private async apply(step: Step<Settings, Change>): Promise<void> {
		this.tick++;
		switch (step.kind) {
			case 'wait':
				this.now += step.ms;
				return;
			case 'poll':
				return await this.poll(step.plan);
			case 'reactivate':
				this.now += step.after;
				return await this.activate('activate');
			case 'restart':
				return await this.restart(step.after);
			case 'rename':
				// n8n keeps its durable state by the node's ID, all other state by its name.
				if (this.history.mode !== 'durable') this.saved = this.before = {};
				this.name += '+';
				this.markGap();
				return await this.activate('update');
			case 'stale':
				if (this.history.mode === 'durable' || this.before.checkpoint === undefined) return;
				this.saved = this.before;
				this.isStale = true;
				return;
			case 'edit':
				this.workflow = { ...this.workflow, settings: step.settings };
				return await this.activate('update');
			case 'change':
				return this.world.change(step.change, this.tick, this.now);
		}
	}

	private async restart(after: number): Promise<void> {
		this.process++;
		this.markGap();
		this.now += after;
		await this.activate('init');
	}

	/** n8n loads the workflow from its database, and polls at once. */
	private async activate(activation: WorkflowActivateMode): Promise<void> {
		this.workflow = { ...this.workflow, state: deepCopy(this.saved) };
		await this.poll(this.history.activation, activation);
	}

	private markGap(): void {
		this.mayGoBack = true;
		this.lastGap = this.tick++;
	}

	private async poll(
		plan: Plan<Settings, Change>,
		activation?: WorkflowActivateMode,
	): Promise<void> {
		const { mode } = this.history;
		const isActivation = activation !== undefined;
		if (this.isStale && (isActivation || mode === 'scheduled')) this.markGap();
		const { workflow, process, name, tick: firstTick } = this;
		const sharesState = mode === 'live' || (mode === 'scheduled' && isActivation);
		const state = sharesState ? workflow.state : deepCopy(this.saved);
		const { checkpoint: before } = state;
		const textBefore = JSON.stringify(state);
		const requests: Request[] = [];
		let rows: IDataObject[] = [];
		let hasFailed = false;
		try {
			const output = await poll(
				pollContext({
					parameters: this.world.parametersOf(workflow.settings),
					state,
					workflowId: `workflow ${this.number} in process ${process}`,
					name,
					activation: activation ?? 'update',
					budgetMs: isActivation ? undefined : 36_000,
					send: this.serviceDuring(plan, requests),
					beforeCredential: async () => (this.idle += plan.requests === 0 ? HOUR : 0),
				}),
			);
			rows = output?.[0]?.map(({ json }) => json) ?? [];
		} catch (error) {
			expect(error).toBeInstanceOf(NodeOperationError);
			hasFailed = true;
		}

		// The process is gone, or the node has another name.
		if (process !== this.process || name !== this.name) return;
		if (state.checkpoint !== before) {
			const { settings } = this.workflow;
			const ticks = { firstTick, lastTick: this.tick };
			const record = { began: workflow.settings, settings, ...ticks, requests, rows };
			this.account(state.checkpoint as IDataObject, record);
		}
		if (sharesState && workflow !== this.workflow) {
			// n8n drops the result, because the workflow was activated again meanwhile.
			if (rows.length > 0) this.markGap();
		} else if (rows.length > 0) {
			if (plan.dies === 'before') return await this.restart(MINUTE);
			this.before = this.saved;
			this.save(state);
		} else if (!hasFailed) {
			const isChanged = JSON.stringify(state) !== textBefore;
			if (isActivation ? sharesState : mode === 'durable' && isChanged) this.save(state);
		}
		if (plan.dies !== undefined) await this.restart(MINUTE);
	}

	private save(state: IDataObject): void {
		this.saved = deepCopy(state);
		this.isStale = false;
	}

	private serviceDuring(plan: Plan<Settings, Change>, requests: Request[]) {
		let sent = 0;
		const steps = [...plan.during];
		return async (_type: string, { body }: { readonly body?: unknown }) => {
			const number = sent++;
			this.now += 300;
			const step = number >= plan.at ? steps.shift() : undefined;
			if (step !== undefined) await this.apply(step);
			const fails = plan.fails === 'all' || plan.fails.includes(number);
			const own = body as IDataObject;
			const response = fails ? undefined : this.world.respond(own, this.now);
			if (sent === plan.requests) this.idle += HOUR;
			const { status, body: data } = response ?? { status: 503, body: {} };
			if (status === 200) requests.push({ tick: ++this.tick, body: own, data });
			return { statusCode: status, headers: {}, body: data };
		};
	}

	private account(
		checkpoint: IDataObject,
		record: Omit<PollRecord<Settings, Ledger>, 'checkpoint' | 'ledger'>,
	): void {
		const carried = checkpoint.ledger as typeof this.latest;
		const startsOver =
			carried === undefined && this.world.mayStartOver(this.latest?.ledger, record.began);
		// The poll may have begun before n8n went back to an older state, and end after another.
		const isOutdated = record.firstTick <= this.lastGap;
		const mayGoBack = this.mayGoBack || isOutdated || startsOver;
		if (carried?.version !== this.latest?.version && !mayGoBack) {
			this.errors.push('The trigger went back to an older state');
		}
		const ledger = this.world.account({ ...record, checkpoint, ledger: carried?.ledger }, (error) =>
			this.errors.push(error),
		);
		this.latest = { version: (this.latest?.version ?? 0) + 1, ledger };
		checkpoint.ledger = this.latest as unknown as IDataObject;
		this.mayGoBack = isOutdated;
	}
}
