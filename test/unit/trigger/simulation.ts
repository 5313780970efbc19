/** Runs one history of watched IDs, and returns the errors. */
import type { Client } from '../../../nodes/BusinessProspectData/api/client';
import type { Failure, Outcome } from '../../../nodes/BusinessProspectData/core/outcome';
import { PROSPECT_EVENTS } from '../../../nodes/BusinessProspectData/catalog/service';
import type { EventsWatch } from '../../../nodes/BusinessProspectData/trigger/events/state';
import { toIdResults } from '../../../nodes/BusinessProspectData/trigger/events/fetch';
import {
	eventBatchConfig,
	type EventsQuery,
	type EventsResult,
} from '../../../nodes/BusinessProspectData/events/query';
import { watchedIds } from '../../../nodes/BusinessProspectData/trigger/parameters';
import { executeBatches } from '../../../nodes/BusinessProspectData/run/batches';
import { newEntry } from '../../../nodes/BusinessProspectData/run/inputs';
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
import { N8n, type NodePoll } from './n8n';
import type { RunEvents } from './runners';
import { visible } from './service';

/** Starts a process: the trigger's code with its memory. */
export type NewProcess = () => RunEvents;

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

const idsToWatch = ({ misnames }: History, ids: readonly string[]) =>
	misnames ? [REJECTED_ID, ...ids] : ids;

export class Simulation extends N8n<EventsWatch, PollPlan, RunEvents> {
	private badId: string | undefined;
	/** The watched IDs that the last poll with a fetch left out. */
	private leftOut: readonly string[] = [];
	readonly ledger: Ledger;

	constructor(
		private readonly history: History,
		newProcess: NewProcess,
	) {
		const { mode, ids, types, lookbackMs, startDaysBefore } = history;
		const watch: EventsWatch = {
			entityType: 'prospect',
			ids: idsToWatch(history, ids),
			types,
			lookbackMs,
			...(startDaysBefore !== undefined && { startFrom: BEGIN - startDaysBefore * DAY }),
		};
		super(mode, newProcess, watch, { ...QUIET, requests: 2 });
		this.ledger = new Ledger(history);
	}

	/** Runs the history, lets everything settle, and returns the errors. */
	async run(): Promise<string[]> {
		await this.activate();
		for (const step of this.history.steps) await this.apply(step);

		const heldUp = await this.heldUp();
		this.badId = undefined;
		// Events that surfaced by the last round but one are due; earlier ones get the time to come twice.
		for (let round = 0; round < 9; round++) {
			this.now += round === 0 ? MINUTE : 11 * HOUR + this.history.lookbackMs / 4;
			if (round === 7) this.ledger.settled(this.now);
			for (let poll = 0; poll < 3; poll++) await this.poll(QUIET);
		}
		return [...heldUp, ...this.ledger.errors()];
	}

	/** Errors about IDs that a failing one holds up: after a check that ends a round, the next one has all IDs. */
	private async heldUp(): Promise<string[]> {
		for (let poll = 0; poll < 2; poll++) {
			this.now += MINUTE;
			await this.poll(QUIET);
		}
		const isLimited = this.history.requestsPerPoll < QUIET.requests;
		return isLimited ? [] : this.leftOut.map((id) => `${id} was held up`);
	}

	private async apply(step: Step): Promise<void> {
		switch (step.kind) {
			case 'edit':
				return await this.edit((watch) => ({
					...watch,
					ids: idsToWatch(this.history, step.ids),
					types: step.types,
					lookbackMs: this.history.lookbackMs * step.lookbackFactor,
				}));
			case 'bad':
				this.badId = step.id;
				return;
			case 'clock':
				this.off = step.off;
				return;
			default:
				return await this.applyStep(step);
		}
	}

	protected async pollNode(runPoll: RunEvents, poll: NodePoll<EventsWatch, PollPlan>) {
		const { nodeKey, state, watch, now, plan, fetches } = poll;
		this.ledger.watches(watch, now(), this.now, false);
		const polled = await runPoll({
			nodeKey,
			staticData: state,
			watch,
			limit: this.history.requestsPerPoll * CHUNK,
			now,
			fetch: async ({ ids, from, earlierIdsAccepted }) => {
				fetches();
				this.leftOut = watch.ids.filter((id) => !ids.includes(id));
				this.ledger.watches(watch, now(), this.now, true);
				const outcomes = await this.fetch(ids, from, plan, watch);
				return { results: toIdResults(outcomes, earlierIdsAccepted) };
			},
		});
		const { rows = [], succeeded = true } = polled?.result ?? {};
		return { rows: rows.map(({ row }) => row), succeeded };
	}

	private async fetch(
		ids: readonly string[],
		from: number,
		plan: PollPlan,
		{ types }: EventsWatch,
	): Promise<Parameters<typeof toIdResults>[0]> {
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
			stopOnFailure: false,
			recordFailure: () => undefined,
			successCount: () => sent,
			lostResponseCount: () => 0,
			redact: (text) => text,
		};
		const outcomes: Array<{ id: string; outcome: Outcome<EventsResult> }> = [];
		const after = new Date(from - 1).toISOString();
		const second = Math.min(CHUNK, CHUNK * (Math.ceil(ids.length / CHUNK) - 1));
		for (let at = 0; at < ids.length; at += CHUNK) {
			if (at === second && sent < plan.requests) {
				for (const step of plan.during) await this.apply(step);
			}
			const entries = ids
				.slice(at, at + CHUNK)
				.map((id) => newEntry<EventsQuery, EventsResult>({ id, types, from: after }));
			await executeBatches(client, entries, {
				...eventBatchConfig(PROSPECT_EVENTS),
				parameterName: watchedIds.name,
			});
			for (const { input, outcome } of entries) outcomes.push({ id: input.id, outcome });
		}
		return outcomes;
	}
}
