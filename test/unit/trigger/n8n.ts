/** n8n's handling of a trigger's polls and their state, as it is. A subclass has the service and the ledger. */
import { deepCopy, type IDataObject } from 'n8n-workflow';
import { BEGIN, MINUTE } from './history';

/**
 * `live`: n8n's default, one object shared by all polls, saved when a poll has output and after an activation.
 * `durable`: its scheduler with durable cursors, a copy per poll, saved with the execution or after a poll without output,
 * but not after an activation without output. `scheduled`: its scheduler alone, a copy per poll, saved only with output.
 */
export type Mode = 'live' | 'durable' | 'scheduled';

/** When a process dies: before or after n8n handles the output of a poll. */
export type Death = 'before' | 'saved' | 'started' | 'after';

/** What n8n, its users and its machine do, whatever the trigger watches. */
export type N8nStep<Plan> =
	| { readonly kind: 'wait'; readonly ms: number }
	| { readonly kind: 'poll'; readonly plan: Plan }
	| { readonly kind: 'reactivate'; readonly after: number }
	/** The process dies and restarts after a while. */
	| { readonly kind: 'restart'; readonly after: number }
	| { readonly kind: 'rename' }
	/** An execution that changed static data writes back the state that it read before the last output. */
	| { readonly kind: 'stale' };

/** Accounts for what was output. */
export interface N8nLedger {
	/** n8n saved a state; `before` is the state that a poll started from which neither output nor fetched anything. */
	saved(state: IDataObject, before?: IDataObject): void;
	output(rows: readonly IDataObject[]): void;
	/** n8n saved that rows were output, and died before it output them. */
	lost(rows: readonly IDataObject[]): void;
	/** The process died, or the node has another name: what is not in the saved state is forgotten. */
	died(state: IDataObject): void;
	/** The saved state is older than the last output. */
	wentBack(): void;
	/** n8n continues from the saved state. */
	activated(state: IDataObject): void;
}

/** An active workflow in n8n's memory. */
interface Active<Watch> {
	readonly state: IDataObject;
	readonly watch: Watch;
}

/** What a poll of the trigger needs. */
export interface NodePoll<Watch, Plan> {
	readonly nodeKey: string;
	readonly state: IDataObject;
	readonly watch: Watch;
	readonly now: () => number;
	readonly plan: Plan;
	/** To be called when the poll fetches. */
	readonly fetches: () => void;
}

interface PollEnd {
	readonly rows: readonly IDataObject[];
	readonly succeeded: boolean;
}

export abstract class N8n<Watch, Plan extends { readonly dies?: Death }, RunPoll> {
	protected now = BEGIN;
	/** How far the clock of n8n's machine is off. */
	protected off = 0;
	private name = 'node';
	private runPoll: RunPoll;
	private workflow: Active<Watch>;
	/** What n8n's database holds. */
	private saved: IDataObject = {};
	/** What it held before the last output, as a running execution knows it. */
	private before: IDataObject = {};
	protected abstract readonly ledger: N8nLedger;

	constructor(
		private readonly mode: Mode,
		private readonly newProcess: () => RunPoll,
		watch: Watch,
		/** The plan of an activation's poll. */
		private readonly activationPlan: Plan,
	) {
		this.runPoll = newProcess();
		this.workflow = { state: {}, watch };
	}

	/** Runs a poll of the trigger's code. */
	protected abstract pollNode(runPoll: RunPoll, poll: NodePoll<Watch, Plan>): Promise<PollEnd>;

	protected readonly local = () => this.now + this.off;

	/** The user saves other settings: n8n activates the workflow again. */
	protected async edit(change: (watch: Watch) => Watch): Promise<void> {
		this.workflow = { ...this.workflow, watch: change(this.workflow.watch) };
		await this.activate();
	}

	protected async applyStep(step: N8nStep<Plan>): Promise<void> {
		switch (step.kind) {
			case 'wait':
				this.now += step.ms;
				return;
			case 'poll':
				return await this.poll(step.plan);
			case 'reactivate':
				this.now += step.after;
				return await this.activate();
			case 'restart':
				return await this.restart(step.after);
			case 'rename':
				// n8n keeps its durable state by the node's ID, all other state by its name.
				if (this.mode !== 'durable') {
					this.saved = {};
					this.before = {};
				}
				this.ledger.died(this.saved);
				this.name += '+';
				return await this.activate();
			case 'stale':
				if (this.mode !== 'durable' && this.before.checkpoint !== undefined) {
					this.saved = this.before;
					this.ledger.wentBack();
					// A scheduled poll starts from it at once, a live one after the next activation.
					if (this.mode === 'scheduled') this.ledger.activated(this.saved);
				}
		}
	}

	private async restart(after: number): Promise<void> {
		this.runPoll = this.newProcess();
		this.ledger.died(this.saved);
		this.now += after;
		await this.activate();
	}

	/** n8n loads the workflow from its database, and polls at once. */
	protected async activate(): Promise<void> {
		this.workflow = { ...this.workflow, state: deepCopy(this.saved) };
		this.ledger.activated(this.saved);
		await this.poll(this.activationPlan, true);
	}

	protected async poll(plan: Plan, activation = false): Promise<void> {
		const { mode, workflow, runPoll } = this;
		const own = mode === 'live' || (mode === 'scheduled' && activation);
		const state = own ? workflow.state : deepCopy(this.saved);
		const seed = JSON.stringify(state);
		const changed = () => JSON.stringify(state) !== seed;
		let fetched = false;
		const { rows, succeeded } = await this.pollNode(runPoll, {
			nodeKey: this.name,
			state,
			watch: workflow.watch,
			now: this.local,
			plan,
			fetches: () => (fetched = true),
		});
		// The process is gone, or n8n drops the result because the workflow was activated again meanwhile.
		if (runPoll !== this.runPoll) return;
		if (own && workflow !== this.workflow) return;

		if (rows.length > 0) {
			await this.output(state, rows, plan);
		} else if (activation ? own : mode === 'durable' && succeeded && changed()) {
			this.save(state, fetched);
		}
		if (plan.dies === 'after') await this.restart(MINUTE);
	}

	/** n8n saves the state without waiting for that, and starts an execution; with durable cursors both or neither. */
	private async output(
		state: IDataObject,
		rows: readonly IDataObject[],
		{ dies }: Plan,
	): Promise<void> {
		if (dies === 'before') return await this.restart(MINUTE);
		const apart = this.mode !== 'durable';
		if (apart && dies === 'started') {
			this.ledger.output(rows);
			return await this.restart(MINUTE);
		}
		if (apart && dies === 'saved') this.ledger.lost(rows);
		else this.ledger.output(rows);
		this.before = this.saved;
		this.save(state);
		if (dies === 'saved' || dies === 'started') await this.restart(MINUTE);
	}

	private save(state: IDataObject, fetched = true): void {
		const before = this.saved;
		this.saved = deepCopy(state);
		this.ledger.saved(this.saved, fetched ? undefined : before);
	}
}
