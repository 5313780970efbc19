/** Accounts for the events of a history: what was output, what was due, what was not, and what docs/trigger.md excuses. */
import type { IDataObject } from 'n8n-workflow';
import type { EventsWatch } from '../../../nodes/BusinessProspectData/trigger/events/state';
import { retentionStart } from '../../../nodes/BusinessProspectData/events/query';
import { DAY, type History, HOUR, type SimEvent } from './history';
import type { N8nLedger } from './n8n';

/** Since when something is certainly watched, and since when it may be. */
interface Since {
	readonly sure: number;
	readonly may: number;
}

/** What a saved state stands for. */
interface Saved {
	readonly since: ReadonlyMap<string, Since>;
	/** How many outputs it includes. */
	readonly covers: number;
}

const NEVER: Since = { sure: Infinity, may: Infinity };
const NOTHING: Saved = { since: new Map(), covers: 0 };

export class Ledger implements N8nLedger {
	private since = new Map<string, Since>();
	private readonly states = new WeakMap<IDataObject, Saved>();
	/** The numbers of the events of each output. */
	private readonly outputs: number[][] = [];
	private readonly mayRepeat = new Map<number, number>();
	private readonly mayLack = new Set<number>();
	private readonly tooOld: string[] = [];
	private settledAt = Infinity;
	/** When the first poll began: nothing from before is due, even if the clock is set back before something is added. */
	private begin = -Infinity;
	/** Whether n8n went back to an older state than the one it had saved. */
	private stale = false;

	constructor(private readonly history: History) {}

	/**
	 * A poll starts with these settings, or fetches: only then it forgets what is no longer watched.
	 *
	 * @param now by the clock of n8n's machine; `realNow` by the service's
	 */
	watches(
		{ ids, types, startFrom }: EventsWatch,
		now: number,
		realNow: number,
		fetches: boolean,
	): void {
		const isFirst = this.since.size === 0;
		const watched = [...ids, ...types];
		for (const [known, { may }] of [...this.since]) {
			if (watched.includes(known)) continue;
			if (fetches) this.since.delete(known);
			else this.since.set(known, { sure: Infinity, may });
		}
		const moment =
			isFirst && startFrom !== undefined ? Math.max(startFrom, retentionStart(now)) : now;
		// With a slow clock, an event from before something was added can seem to be from after that.
		const sureMoment = moment === now ? Math.max(now, realNow) : moment;
		if (isFirst) this.begin = moment;
		// With a clock that was so far ahead, the trigger starts over.
		else if (now < this.begin - 2 * HOUR) this.begin = -Infinity;
		for (const name of watched) {
			const { sure, may } = this.since.get(name) ?? NEVER;
			this.since.set(name, {
				sure: sure === Infinity ? sureMoment : sure,
				may: Math.min(may, moment),
			});
		}
	}

	saved(state: IDataObject, before?: IDataObject): void {
		this.stale = false;
		const kept = { since: new Map(this.since), covers: this.outputs.length };
		if (before === undefined) {
			this.states.set(state, kept);
			return;
		}
		const isSame = JSON.stringify(state) === JSON.stringify(before);
		const { since, covers } = this.states.get(before) ?? NOTHING;
		this.states.set(state, { since: isSame ? since : kept.since, covers });
	}

	output(events: readonly IDataObject[]): void {
		for (const { number, event_time } of events) {
			const since = this.sinceOf(this.history.events[Number(number)]);
			// What was removed since the poll started is no longer known.
			if (since === undefined || Date.parse(String(event_time)) >= since.may) continue;
			this.tooOld.push(`event ${String(number)} was output: it is from before`);
		}
		this.outputs.push(events.map(({ number }) => Number(number)));
	}

	lost(events: readonly IDataObject[]): void {
		for (const { number } of events) this.mayLack.add(Number(number));
		this.outputs.push([]);
	}

	died(state: IDataObject): void {
		const { since } = this.states.get(state) ?? NOTHING;
		this.since = new Map(since);
	}

	wentBack(): void {
		this.stale = true;
	}

	activated(state: IDataObject): void {
		const { since, covers } = this.states.get(state) ?? NOTHING;
		for (const number of this.outputs.slice(covers).flat()) {
			this.mayRepeat.set(number, (this.mayRepeat.get(number) ?? 0) + 1);
		}
		if (!this.stale) return;
		for (const name of new Set([...this.since.keys(), ...since.keys()])) {
			const [now, then] = [this.since.get(name) ?? NEVER, since.get(name) ?? NEVER];
			// What was removed meanwhile is watched only since it was added again.
			const sure = Math.max(now.sure, then.sure);
			this.since.set(name, { sure, may: Math.min(now.may, then.may) });
		}
	}

	/** From now on the service works; all events that have surfaced are due. */
	settled(now: number): void {
		this.settledAt = now;
	}

	/** How many events were output as promised, and how many deviate for an excused reason. */
	counts(): { due: number; once: number; repeated: number; lost: number } {
		const all = this.history.events.map((event, number) => ({
			due: this.isDue(event),
			times: this.timesOf(number),
			lost: this.mayLack.has(number),
		}));
		return {
			due: all.filter(({ due }) => due).length,
			once: all.filter(({ due, times }) => due && times === 1).length,
			repeated: all.filter(({ times }) => times > 1).length,
			lost: all.filter(({ times, lost }) => times === 0 && lost).length,
		};
	}

	errors(): string[] {
		const counted = this.history.events.flatMap((event, number) => {
			const times = this.timesOf(number);
			const max = 1 + (this.mayRepeat.get(number) ?? 0);
			const error = (rule: string) => [`event ${number} was output ${times} times: ${rule}`];
			if (times > max) return error(`at most ${max}`);
			if (times === 0 && this.isDue(event) && !this.mayLack.has(number)) return error('is missing');
			return [];
		});
		return [...this.tooOld, ...counted];
	}

	private timesOf(number: number): number {
		return this.outputs.flat().filter((output) => output === number).length;
	}

	private isDue(event: SimEvent): boolean {
		const since = this.sinceOf(event);
		return (
			since !== undefined &&
			event.surfaces - event.time <= this.history.lookbackMs &&
			event.time >= Math.max(since.sure, this.begin) &&
			// The service may have dropped older ones before they could be queried.
			event.time >= retentionStart(this.settledAt) + DAY &&
			event.surfaces <= this.settledAt
		);
	}

	private sinceOf(event: SimEvent | undefined): Since | undefined {
		const { entity = '', name = '' } = event ?? {};
		const [id, type] = [this.since.get(entity), this.since.get(name)];
		if (id === undefined || type === undefined) return undefined;
		return { sure: Math.max(id.sure, type.sure), may: Math.max(id.may, type.may) };
	}
}
