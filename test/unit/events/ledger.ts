/** Keeps the books of a history: what was put out, what had to be, what must not, and what the README excuses. */
import type { IDataObject } from 'n8n-workflow';
import type { Watch } from '../../../nodes/BusinessProspectData/trigger/checkpoint';
import { windowStart } from '../../../nodes/BusinessProspectData/events/window';
import { DAY, type History, type SimEvent } from './history';

/** From when on something is watched for sure, and from when on it may be. */
interface Since {
	readonly sure: number;
	readonly may: number;
}

/** What a saved state stands for. */
interface Saved {
	readonly since: ReadonlyMap<string, Since>;
	/** How many puttings-out it knows of. */
	readonly covers: number;
}

const NEVER: Since = { sure: Infinity, may: Infinity };
const NOTHING: Saved = { since: new Map(), covers: 0 };

export class Ledger {
	private since = new Map<string, Since>();
	private readonly states = new WeakMap<IDataObject, Saved>();
	/** The numbers of the events of each putting-out. */
	private readonly out: number[][] = [];
	private readonly mayRepeat = new Map<number, number>();
	private readonly mayLack = new Set<number>();
	private readonly tooOld: string[] = [];
	private settledAt = Infinity;
	/** Whether n8n holds an older state than the one that it had saved. */
	private stale = false;

	constructor(private readonly history: History) {}

	/** A poll begins with these settings, or asks: only then it forgets what is watched no more. */
	watches({ ids, types, startFrom }: Watch, now: number, asks: boolean): void {
		const anew = this.since.size === 0;
		const watched = [...ids, ...types];
		for (const [known, { may }] of [...this.since]) {
			if (watched.includes(known)) continue;
			if (asks) this.since.delete(known);
			else this.since.set(known, { sure: Infinity, may });
		}
		const floor = anew && startFrom !== undefined ? Math.max(startFrom, windowStart(now)) : now;
		for (const one of watched) {
			const { sure, may } = this.since.get(one) ?? NEVER;
			this.since.set(one, { sure: sure === Infinity ? floor : sure, may: Math.min(may, floor) });
		}
	}

	/** n8n saved a state; `before` is the one that it was made of by a poll that put nothing out and did not ask. */
	saved(state: IDataObject, before?: IDataObject): void {
		this.stale = false;
		const kept = { since: new Map(this.since), covers: this.out.length };
		if (before === undefined) {
			this.states.set(state, kept);
			return;
		}
		const same = JSON.stringify(state) === JSON.stringify(before);
		const { since, covers } = this.states.get(before) ?? NOTHING;
		this.states.set(state, { since: same ? since : kept.since, covers });
	}

	putOut(events: readonly IDataObject[]): void {
		for (const { number, event_time } of events) {
			const since = this.sinceOf(this.history.events[Number(number)]);
			// What is watched no more since the poll began cannot be told any more.
			if (since === undefined || Date.parse(String(event_time)) >= since.may) continue;
			this.tooOld.push(`event ${String(number)} was put out: it is from before`);
		}
		this.out.push(events.map(({ number }) => Number(number)));
	}

	/** n8n saved that they were put out, and died before it did. */
	lost(events: readonly IDataObject[]): void {
		for (const { number } of events) this.mayLack.add(Number(number));
		this.out.push([]);
	}

	/** The process died, or the node has another name: what is not in the saved state is forgotten. */
	died(state: IDataObject): void {
		const { since } = this.states.get(state) ?? NOTHING;
		this.since = new Map(since);
	}

	/** What was saved is older than what was put out. */
	wentBack(): void {
		this.stale = true;
	}

	/** n8n goes on from the saved state. */
	activated(state: IDataObject): void {
		const { since, covers } = this.states.get(state) ?? NOTHING;
		for (const number of this.out.slice(covers).flat()) {
			this.mayRepeat.set(number, (this.mayRepeat.get(number) ?? 0) + 1);
		}
		if (!this.stale) return;
		for (const one of new Set([...this.since.keys(), ...since.keys()])) {
			const [now, then] = [this.since.get(one) ?? NEVER, since.get(one) ?? NEVER];
			// What was removed meanwhile counts only from when it is added again.
			const sure = Math.max(now.sure, then.sure);
			this.since.set(one, { sure, may: Math.min(now.may, then.may) });
		}
	}

	/** From here on the service answers; what has surfaced by now must come. */
	settled(now: number): void {
		this.settledAt = now;
	}

	/** What came as promised, and what differed from that for a reason that is excused. */
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

	wrongs(): string[] {
		const counted = this.history.events.flatMap((event, number) => {
			const times = this.timesOf(number);
			const most = 1 + (this.mayRepeat.get(number) ?? 0);
			const say = (what: string) => [`event ${number} was put out ${times} times: ${what}`];
			if (times > most) return say(`at most ${most}`);
			if (times === 0 && this.isDue(event) && !this.mayLack.has(number)) return say('never');
			return [];
		});
		return [...this.tooOld, ...counted];
	}

	private timesOf(number: number): number {
		return this.out.flat().filter((one) => one === number).length;
	}

	private isDue(event: SimEvent): boolean {
		const since = this.sinceOf(event);
		return (
			since !== undefined &&
			event.surfaces - event.time <= this.history.lookBack &&
			event.time >= since.sure &&
			// Older ones the service may have forgotten before they could be asked for.
			event.time >= windowStart(this.settledAt) + DAY &&
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
