/** Accounts for the people of a history: who was output, who was due, who was not, and what docs/trigger.md excuses. */
import type { IDataObject } from 'n8n-workflow';
import type { N8nLedger } from './n8n';
import { isMatch, type Search } from './searchHistory';

/** What the trigger knows since it began to watch a search. */
interface Era {
	readonly search: Search;
	/** How many outputs there were before. */
	readonly outputsBefore: number;
	/** People who may have been taken as known by the first check. */
	readonly mayBeKnown: ReadonlySet<number>;
	/** People who were there when a sweep found everybody: output before, or known. */
	readonly known: ReadonlySet<number>;
	/** How many sweeps found everybody. */
	readonly sweeps: number;
	/** How many sweeps ended, for sure and perhaps, whether or not they found everybody. */
	readonly endedSweeps: number;
	readonly mayBeEndedSweeps: number;
	/** Those who were there when the era began and never left. */
	readonly initial: ReadonlySet<number>;
	/**
	 * True if the first check may have missed some of them, because pages changed during both of its sweeps or without a sign, or if
	 * there may have been no first check: the trigger went on from what it remembers of this search.
	 */
	readonly mayMiss: boolean;
}

/** What a saved state stands for. */
interface Saved {
	readonly era?: Era | undefined;
	/** How many outputs it includes. */
	readonly covers: number;
	/** How often people had come and gone. */
	readonly changes: number;
}

interface EndedSweep {
	readonly foundEverybody: boolean;
	/** False if its pages may have been dropped because the filters were edited meanwhile. */
	readonly isSure: boolean;
	/** Whether somebody came or went meanwhile, and whether the pages show it: then a second sweep follows. */
	readonly changed: 'no' | 'visibly' | 'invisibly';
}

/** How many sweeps end the first check for sure. */
const MAX_SWEEPS = 3;

const NOTHING: Saved = { covers: 0, changes: 0 };

const union = (...sets: ReadonlyArray<ReadonlySet<number>>): Set<number> =>
	new Set(sets.flatMap((set) => [...set]));

export class SearchLedger implements N8nLedger {
	private era: Era | undefined;
	/** The one when the latest poll started. */
	private eraBefore: Era | undefined;
	/** The filters of the poll that started last. */
	private search: Search = 'all';
	private readonly states = new WeakMap<IDataObject, Saved>();
	private readonly outputs: number[][] = [];
	private changes = 0;
	private readonly mayRepeat = new Map<number, number>();
	private readonly mayLack = new Set<number>();
	private readonly problems: string[] = [];
	/** Everybody who was there since the poll that is running began to fetch. */
	private recent: ReadonlySet<number> = new Set();
	/** Whether n8n went back to an older state than the one it had saved. */
	private stale = false;
	/** Whether a poll whose output n8n is to handle found everybody. */
	private foundByOutput = false;
	/** Whether it ever did: the trigger may then continue from what it knew of a search before an edit. */
	private everStale = false;
	/** Whether it did so since the latest poll started: that poll goes on with what it knew, which `era` may not be about. */
	private staleInPoll = false;

	/**
	 * @param present who is there now, whatever the filters
	 * @param sweepsToEnd how many sweeps end the first check for sure if they find everybody
	 */
	constructor(
		private readonly present: ReadonlySet<number>,
		private readonly sweepsToEnd: number,
	) {}

	/** A poll starts with these filters. */
	watches(search: Search): void {
		this.staleInPoll = false;
		this.search = search;
		const before = this.era;
		this.eraBefore = before;
		if (before?.search === search) return;
		const mayBeKnown = union(this.present, this.recent);
		this.era = {
			search,
			outputsBefore: this.outputs.length,
			mayBeKnown: this.everStale
				? union(mayBeKnown, before?.mayBeKnown ?? new Set(), before?.known ?? new Set())
				: mayBeKnown,
			known: new Set(),
			sweeps: 0,
			endedSweeps: 0,
			mayBeEndedSweeps: 0,
			initial: new Set(this.present),
			mayMiss: this.everStale,
		};
	}

	/** The latest poll found that its search matches too many people: the trigger continues to watch the one before. */
	refused(): void {
		this.era = this.eraBefore;
	}

	/** A poll begins to fetch. */
	fetches(): void {
		this.recent = new Set(this.present);
	}

	left(person: number): void {
		this.changes++;
		if (this.era === undefined) return;
		const initial = new Set(this.era.initial);
		initial.delete(person);
		this.era = { ...this.era, initial };
	}

	/** A page of the first check lacked rows, which nobody can know. */
	lacksRows(): void {
		if (this.era === undefined || this.hasEnded(this.era)) return;
		this.era = { ...this.era, mayMiss: true };
	}

	entered(person: number): void {
		this.changes++;
		this.recent = union(this.recent, new Set([person]));
		if (this.era === undefined || this.hasEnded(this.era)) return;
		this.era = { ...this.era, mayBeKnown: union(this.era.mayBeKnown, new Set([person])) };
	}

	/**
	 * A poll has found everybody who is there, and nobody came or went meanwhile.
	 *
	 * @param hasOutput true if n8n is still to handle the poll's output
	 * @param isConfirmed true if that alone ends the first check
	 */
	foundEverybody(hasOutput: boolean, isConfirmed = false): void {
		this.foundByOutput = hasOutput;
		if (hasOutput || this.era === undefined || this.staleInPoll) return;
		const known = union(this.era.known, this.present);
		const sweeps = this.era.sweeps + (isConfirmed ? this.sweepsToEnd : 1);
		this.era = { ...this.era, known, sweeps };
	}

	/** A sweep has ended; the third one ends the first check. */
	sweepEnded({ foundEverybody, isSure, changed }: EndedSweep): void {
		if (this.era === undefined || this.hasEnded(this.era) || this.staleInPoll) return;
		const mayBeEndedSweeps = this.era.mayBeEndedSweeps + 1;
		const mayBeSecond = mayBeEndedSweeps > 1;
		const mayEnd =
			mayBeEndedSweeps >= MAX_SWEEPS ||
			changed === 'invisibly' ||
			(changed === 'visibly' && mayBeSecond);
		this.era = {
			...this.era,
			endedSweeps: this.era.endedSweeps + (isSure ? 1 : 0),
			mayBeEndedSweeps,
			mayMiss: this.era.mayMiss || (mayEnd && !foundEverybody),
		};
	}

	saved(state: IDataObject, before?: IDataObject): void {
		this.stale = false;
		const kept = { era: this.era, covers: this.outputs.length, changes: this.changes };
		if (before === undefined) {
			this.states.set(state, kept);
			return;
		}
		const isSame = JSON.stringify(state) === JSON.stringify(before);
		const saved = this.savedOf(before);
		this.states.set(state, isSame ? saved : { ...kept, covers: saved.covers });
	}

	output(rows: readonly IDataObject[]): void {
		const era = this.staleInPoll ? undefined : this.era;
		const people = rows.map(({ person }) => Number(person));
		for (const person of people) {
			const times = this.timesOf(person) + people.filter((other) => other === person).length;
			const max = 1 + (this.mayRepeat.get(person) ?? 0);
			if (times > max) this.problems.push(`${person} was output ${times} times: at most ${max}`);
			if (era?.known.has(person)) this.problems.push(`${person} was output, but is known`);
			if (era?.initial.has(person) && !era.mayMiss) {
				this.problems.push(`${person} was output, but was there at the start`);
			}
			if (!isMatch(this.search, person)) {
				this.problems.push(`${person} was output, but does not match`);
			}
		}
		this.outputs.push(people);
		if (this.foundByOutput) this.foundEverybody(false);
	}

	lost(rows: readonly IDataObject[]): void {
		for (const { person } of rows) this.mayLack.add(Number(person));
		this.outputs.push([]);
		if (this.foundByOutput) this.foundEverybody(false);
	}

	died(state: IDataObject): void {
		this.foundByOutput = false;
		this.goBackTo(this.savedOf(state));
	}

	wentBack(): void {
		this.stale = true;
		this.everStale = true;
		this.staleInPoll = true;
	}

	activated(state: IDataObject): void {
		const saved = this.savedOf(state);
		for (const person of this.outputs.slice(saved.covers).flat()) {
			this.mayRepeat.set(person, (this.mayRepeat.get(person) ?? 0) + 1);
		}
		if (this.stale) this.goBackTo(saved, this.era);
	}

	/** Who was output as promised, and how many deviate for an excused reason. */
	counts(): { due: number; once: number; repeated: number; lost: number } {
		const due = this.due();
		const times = [...this.present].map((person) => ({ person, count: this.timesOf(person) }));
		return {
			due: due.length,
			once: due.filter((person) => this.timesOf(person) === 1).length,
			repeated: times.filter(({ count }) => count > 1).length,
			lost: due.filter((person) => this.timesOf(person) === 0 && this.mayLack.has(person)).length,
		};
	}

	/** Everybody who stays is due now. */
	errors(): string[] {
		const missing = this.due().filter(
			(person) => this.timesOf(person) === 0 && !this.mayLack.has(person),
		);
		return [...this.problems, ...missing.map((person) => `${person} is missing`)];
	}

	private readonly savedOf = (state: IDataObject): Saved => this.states.get(state) ?? NOTHING;

	private readonly hasEnded = ({ sweeps, endedSweeps }: Era): boolean =>
		sweeps >= this.sweepsToEnd || endedSweeps >= MAX_SWEEPS;

	/** The trigger continues from a saved state, or from a later one that the process remembers. */
	private goBackTo({ era: saved, changes }: Saved, later?: Era): void {
		if (saved === undefined) {
			this.era = saved;
			return;
		}
		const after = later?.search === saved.search ? later : undefined;
		// The filters may have been changed and changed back: the process then remembers a first check that began later.
		const isCheckedAgain = this.hasEnded(saved) && after !== undefined && !this.hasEnded(after);
		const era: Era = isCheckedAgain
			? { ...after, outputsBefore: saved.outputsBefore, known: new Set() }
			: saved;
		const initial = new Set([...saved.initial].filter((person) => this.present.has(person)));
		this.era = this.hasEnded(era)
			? { ...era, initial }
			: {
					...era,
					initial,
					mayBeKnown: union(
						saved.mayBeKnown,
						this.present,
						...(after === undefined ? [] : [after.mayBeKnown, after.known]),
					),
					// The sweep that had begun goes on with other pages, or the first check has ended, without some of them.
					mayMiss: saved.mayMiss || after?.mayMiss === true || changes !== this.changes,
				};
	}

	/** Those who came after the first check and are there. */
	private due(): number[] {
		const { era } = this;
		if (era === undefined || era.search !== this.search || !this.hasEnded(era)) return [];
		return [...this.present].filter(
			(person) => isMatch(era.search, person) && !era.mayBeKnown.has(person),
		);
	}

	/** How often someone was output since the trigger watches the search. */
	private timesOf(person: number): number {
		return this.outputs
			.slice(this.era?.outputsBefore ?? 0)
			.flat()
			.filter((output) => output === person).length;
	}
}
