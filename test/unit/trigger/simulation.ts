/** Runs one history, with n8n's actual handling of a poll's state, and returns the errors. */
import { deepCopy, type IDataObject } from 'n8n-workflow';
import type { Client } from '../../../nodes/BusinessProspectData/api/client';
import type { Failure, Outcome } from '../../../nodes/BusinessProspectData/core/outcome';
import { PROSPECT_EVENTS } from '../../../nodes/BusinessProspectData/catalog/events';
import type { Watch } from '../../../nodes/BusinessProspectData/trigger/checkpoint';
import { toIdResults } from '../../../nodes/BusinessProspectData/trigger/fetch';
import {
	eventBatchConfig,
	type EventsResult,
	queryEvents,
} from '../../../nodes/BusinessProspectData/events/query';
import type { IdResult } from '../../../nodes/BusinessProspectData/trigger/selection';
import { watchedIdsParameter } from '../../../nodes/BusinessProspectData/trigger/settings';
import type { PollRun, PollResult } from '../../../nodes/BusinessProspectData/trigger/pollRun';
import { executeBatches } from '../../../nodes/BusinessProspectData/runtime/batches';
import {
	BEGIN,
	DAY,
	type History,
	HOUR,
	MINUTE,
	type PollPlan,
	REJECTED_ID,
	type Step,
} from './history';
import { Ledger } from './ledger';
import { visible } from './service';

/** Starts a process: the trigger's code with its memory. */
export type NewProcess = () => (run: PollRun) => Promise<PollResult>;

/** An active workflow in n8n's memory. */
interface Active {
	readonly state: IDataObject;
	readonly watch: Watch;
}

interface Body {
	readonly prospect_ids?: readonly string[];
	readonly event_types?: readonly string[];
	readonly timestamp_from: string;
}

const DOWN: Failure = { kind: 'server', message: 'The service failed.' };
const OUT_OF_TIME: Failure = { kind: 'stopped', message: 'The time ran out.' };

/** A validation error that names an ID of the request by its index. */
const misnaming = (index: number): Failure => ({
	kind: 'invalid',
	message: 'The service rejected the request (HTTP 422).',
	status: 422,
	issues: [{ member: PROSPECT_EVENTS.entity.idsField, index, message: 'Not known.' }],
});

const CHUNK = 2;
const QUIET: PollPlan = { fails: [], requests: 9, during: [] };

export class Simulation {
	private now = BEGIN;
	private off = 0;
	private name = 'node';
	private badId: string | undefined;
	private runPoll: (run: PollRun) => Promise<PollResult>;
	private workflow: Active;
	/** What n8n's database holds. */
	private saved: IDataObject = {};
	/** What it held before the last events. A running execution may write that back. */
	private before: IDataObject = {};
	readonly ledger: Ledger;

	constructor(
		private readonly history: History,
		private readonly newProcess: NewProcess,
		private readonly query = queryEvents,
		private readonly batches = executeBatches,
	) {
		const { startDaysBefore } = history;
		this.runPoll = newProcess();
		this.ledger = new Ledger(history);
		this.workflow = {
			state: {},
			watch: {
				entityType: 'prospect',
				ids: this.watched(history.ids),
				types: history.types,
				lookbackMs: history.lookbackMs,
				...(startDaysBefore !== undefined && { startFrom: BEGIN - startDaysBefore * DAY }),
			},
		};
	}

	/** Runs the history, lets everything settle, and returns the errors. */
	async run(): Promise<string[]> {
		await this.activate();
		for (const step of this.history.steps) await this.apply(step);

		this.badId = undefined;
		// Events that surfaced by the last round but one are due; earlier ones get the time to come twice.
		for (let round = 0; round < 9; round++) {
			this.now += round === 0 ? MINUTE : 11 * HOUR + this.history.lookbackMs / 4;
			if (round === 7) this.ledger.settled(this.now);
			for (let poll = 0; poll < 3; poll++) await this.poll(QUIET);
		}
		return this.ledger.errors();
	}

	private readonly watched = (ids: readonly string[]) =>
		this.history.misnames ? [REJECTED_ID, ...ids] : ids;

	private readonly local = () => this.now + this.off;

	private async apply(step: Step): Promise<void> {
		switch (step.kind) {
			case 'wait':
				this.now += step.ms;
				return;
			case 'poll':
				return await this.poll(step.plan);
			case 'edit':
				this.workflow = {
					...this.workflow,
					watch: {
						...this.workflow.watch,
						ids: this.watched(step.ids),
						types: step.types,
						lookbackMs: this.history.lookbackMs * step.lookbackFactor,
					},
				};
				return await this.activate();
			case 'reactivate':
				this.now += step.after;
				return await this.activate();
			case 'restart':
				return await this.restart(step.after);
			case 'bad':
				this.badId = step.id;
				return;
			case 'clock':
				this.off = step.off;
				return;
			case 'rename':
				// n8n keeps its durable state by the node's ID, all other state by its name.
				if (this.history.mode !== 'durable') {
					this.saved = {};
					this.before = {};
				}
				this.ledger.died(this.saved);
				this.name += '+';
				return await this.activate();
			case 'stale':
				if (this.history.mode !== 'durable' && this.before.checkpoint !== undefined) {
					this.saved = this.before;
					this.ledger.wentBack();
					// A scheduled poll starts from it at once, a live one after the next activation.
					if (this.history.mode === 'scheduled') this.ledger.activated(this.saved);
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
	private async activate(): Promise<void> {
		this.workflow = { ...this.workflow, state: deepCopy(this.saved) };
		this.ledger.activated(this.saved);
		await this.poll({ ...QUIET, requests: 2 }, true);
	}

	private async poll(plan: PollPlan, activation = false): Promise<void> {
		const { mode, requestsPerPoll } = this.history;
		const { workflow, runPoll } = this;
		const own = mode === 'live' || (mode === 'scheduled' && activation);
		const state = own ? workflow.state : deepCopy(this.saved);
		const seed = JSON.stringify(state);
		const changed = () => JSON.stringify(state) !== seed;
		let fetched = false;
		this.ledger.watches(workflow.watch, this.local(), false);
		const { events, succeeded } = await runPoll({
			nodeKey: this.name,
			state,
			watch: workflow.watch,
			maxIds: requestsPerPoll * CHUNK,
			now: this.local,
			fetch: async (ids, from) => {
				fetched = true;
				this.ledger.watches(workflow.watch, this.local(), true);
				return await this.fetch(ids, from, plan, workflow.watch);
			},
		});
		// The process is gone, or n8n drops the result because the workflow was activated again meanwhile.
		if (runPoll !== this.runPoll) return;
		if (own && workflow !== this.workflow) return;

		if (events.length > 0) {
			await this.output(state, events, plan);
		} else if (activation ? own : mode === 'durable' && succeeded && changed()) {
			this.save(state, fetched);
		}
		if (plan.dies === 'after') await this.restart(MINUTE);
	}

	/** n8n saves the state without waiting for that, and starts an execution; with durable cursors both or neither. */
	private async output(
		state: IDataObject,
		events: readonly IDataObject[],
		{ dies }: PollPlan,
	): Promise<void> {
		if (dies === 'before') return await this.restart(MINUTE);
		const apart = this.history.mode !== 'durable';
		if (apart && dies === 'started') {
			this.ledger.output(events);
			return await this.restart(MINUTE);
		}
		if (apart && dies === 'saved') this.ledger.lost(events);
		else this.ledger.output(events);
		this.before = this.saved;
		this.save(state);
		if (dies === 'saved' || dies === 'started') await this.restart(MINUTE);
	}

	private save(state: IDataObject, fetched = true): void {
		const before = this.saved;
		this.saved = deepCopy(state);
		this.ledger.saved(this.saved, fetched ? undefined : before);
	}

	private async fetch(
		ids: readonly string[],
		from: number,
		plan: PollPlan,
		{ types }: Watch,
	): Promise<IdResult[]> {
		let sent = 0;
		const client: Client = {
			send: async ({ body }) => {
				const request = sent++;
				if (request >= plan.requests) return { failure: OUT_OF_TIME };
				this.now += 300;
				const { prospect_ids = [], event_types = [], timestamp_from } = body as Body;
				const fails =
					plan.fails === 'all' ||
					plan.fails.includes(request) ||
					(this.badId !== undefined && prospect_ids.includes(this.badId));
				if (fails) return { failure: DOWN };
				// Only while nothing else fails: the index counts as confirmed if the other IDs have no response.
				const isCalm = plan.fails.length === 0 && plan.requests >= QUIET.requests;
				const rejected = isCalm ? prospect_ids.indexOf(REJECTED_ID) : -1;
				if (rejected >= 0) return { failure: misnaming(prospect_ids.length - 1 - rejected) };
				const after = Date.parse(timestamp_from);
				const events = visible(this.history.events, prospect_ids, event_types, after, this.now);
				return { value: { output_events: events } };
			},
			stop: () => undefined,
			successCount: () => sent,
			redact: (text) => text,
		};
		const outcomes: Array<Outcome<EventsResult>> = [];
		const after = new Date(from - 1).toISOString();
		const second = Math.min(CHUNK, CHUNK * (Math.ceil(ids.length / CHUNK) - 1));
		for (let at = 0; at < ids.length; at += CHUNK) {
			if (at === second && sent < plan.requests) {
				for (const step of plan.during) await this.apply(step);
			}
			const queries = ids.slice(at, at + CHUNK).map((id) => ({ id, types, from: after }));
			const results = await this.batches(client, queries, {
				...eventBatchConfig(PROSPECT_EVENTS),
				field: watchedIdsParameter.name,
				send: async (ownClient, batch) => await this.query(ownClient, PROSPECT_EVENTS, batch),
			});
			outcomes.push(...results.map(({ outcome }): Outcome<EventsResult> => outcome));
		}
		return toIdResults(ids, outcomes);
	}
}
