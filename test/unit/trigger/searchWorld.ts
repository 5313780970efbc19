/** A watched search: who matches when, and whom the trigger may and must output. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { LIMITS } from '../../../nodes/BusinessProspectData/catalog/service';
import { anyMode, anyStepsOf, weighted } from './arbitraries';
import { type History, HOUR, type PollRecord, type World } from './n8n';

/** Filters. Everybody matches `us`; every other person matches `gb`. */
type Settings = 'us' | 'gb';

type Change =
	/** At `place`, 0 for the first and 1 for the last. Someone who is there already moves. */
	| { readonly kind: 'enter'; readonly person: number; readonly place: number }
	| { readonly kind: 'leave'; readonly person: number }
	/** Requests for this page fail; without a page, they work again. */
	| { readonly kind: 'bad'; readonly page?: number | undefined };

/** What the trigger knows of the search that it watches. */
interface Ledger {
	/** None before the first page of the first search. */
	readonly search?: Settings | undefined;
	readonly began: number;
	/** When the first check ended, which outputs no one. */
	readonly ended?: number;
	/** True if the first check must have found everyone who was there all the time. */
	readonly isSure: boolean;
	/** How often the first check has received page 1, and when it last did. */
	readonly sweeps: number;
	readonly sweepStart: number;
	readonly output: readonly string[];
}

interface SearchHistory extends History<Settings, Change> {
	readonly checkEvery: 'poll' | 'hour';
	/** Requests per Poll. */
	readonly requestsPerPoll: number;
	/** Who matches at the start. */
	readonly start: readonly number[];
	/** Which totals the service reports: right ones, none, or the number of the page's rows, with the right page count. */
	readonly totals: 'right' | 'none' | 'ofPage';
	/** Whether the service rejects pages after the last one. */
	readonly rejects: boolean;
	readonly maxProspects: number;
}

interface Presence {
	readonly person: number;
	readonly from: number;
	to: number;
}

const isMatch = (search: Settings, person: number) => search === 'us' || person % 2 === 0;
const nameOf = (person: number) => `person ${person}`;
const personOf = ({ prospect_id: id }: IDataObject) => Number.parseInt(String(id), 16);

export class SearchWorld implements World<Settings, Change, Ledger> {
	/** Who is there, in the order of the pages. */
	private order: number[];
	private readonly presence: Presence[];
	/** When someone last left or moved, so that a sweep may have missed others. */
	private lastLoss = -1;
	private badPage: number | undefined;
	readonly roundMs = HOUR;

	constructor(private readonly history: SearchHistory) {
		this.order = [...history.start];
		this.presence = this.order.map((person) => ({ person, from: -1, to: Infinity }));
	}

	parametersOf(search: Settings) {
		const { checkEvery, requestsPerPoll, maxProspects } = this.history;
		return {
			triggerOn: 'newProspect',
			checkEvery,
			filters: { country_code: [{ value: search }] },
			simplify: false,
			options: { maxProspects, requestsPerPoll, maxConcurrentRequests: 1, maxWait: 0 },
		};
	}

	change(change: Change, tick: number): void {
		if (change.kind === 'bad') {
			this.badPage = change.page;
			return;
		}
		const { person } = change;
		const isThere = this.order.includes(person);
		if (isThere) this.lastLoss = tick;
		this.order = this.order.filter((other) => other !== person);
		const latest = this.presence.findLast((presence) => presence.person === person);
		if (change.kind === 'leave') {
			if (isThere && latest !== undefined) latest.to = tick;
			return;
		}
		this.order.splice(Math.round(change.place * this.order.length), 0, person);
		if (!isThere) this.presence.push({ person, from: tick, to: Infinity });
	}

	calm(): void {
		this.badPage = undefined;
	}

	respond({ page: requested, filters }: IDataObject) {
		const page = Number(requested);
		const { pageSize } = LIMITS;
		if (page === this.badPage) return undefined;
		const { values } = (filters as { country_code: { values: [Settings] } }).country_code;
		const all = this.order.filter((person) => isMatch(values[0], person));
		const rows = all.slice((page - 1) * pageSize, page * pageSize);
		const { totals, rejects } = this.history;
		// Without totals, the trigger can't know the last page.
		if (rejects && totals !== 'none' && page > 1 && rows.length === 0) {
			return { status: 422, body: { detail: 'There is no such page.' } };
		}
		const total_pages = Math.ceil(all.length / pageSize);
		return {
			status: 200,
			body: {
				data: rows.map((person) => ({ prospect_id: person.toString(16).padStart(40, '0') })),
				...(totals === 'right' && { total_results: all.length, total_pages }),
				...(totals === 'ofPage' && { total_results: rows.length, total_pages }),
			},
		};
	}

	mayStartOver(latest: Ledger | undefined, search: Settings): boolean {
		return latest?.search !== search;
	}

	account(
		{ began, settings, firstTick, lastTick, requests, rows, checkpoint, ledger }: Record,
		reportError: (error: string) => void,
	): Ledger {
		const search = checkpoint.searchKey === '' ? undefined : began;
		const start = { search, began: firstTick, isSure: false, sweeps: 0, sweepStart: firstTick };
		const era: Ledger = ledger ?? { ...start, output: [] };
		const output = [...era.output];
		for (const person of rows.map(personOf)) {
			const report = (problem: string) =>
				reportError(`${nameOf(person)} was output, but ${problem}`);
			if (output.includes(nameOf(person))) report('already was before');
			if (!isMatch(settings, person)) report('does not match');
			if (era.ended === undefined) report('the first check had not ended');
			else if (era.isSure && this.wasThere(person, era.began, era.ended, 'always')) {
				report('was there from the start');
			}
			output.push(nameOf(person));
		}
		if (era.ended !== undefined) return { ...era, output };

		const firsts = requests.filter(({ body }) => body.page === 1);
		const sweeps = era.sweeps + firsts.length;
		const sweepStart = firsts.at(-1)?.tick ?? era.sweepStart;
		// Nobody can know whom a sweep missed if its numbers are right. A second sweep is the last.
		const isLast = sweeps > 1 || (firsts.length > 0 && this.looksWhole(requests, sweepStart));
		const isSure = this.lastLoss < sweepStart || !isLast;
		const ended = checkpoint.baselineSweeps === 0 ? { ended: lastTick } : {};
		return { ...era, ...ended, isSure, sweeps, sweepStart, output };
	}

	/** Whether all pages since a moment report one total, and have as many people. */
	private looksWhole(requests: Record['requests'], since: number): boolean {
		const bodies = requests
			.filter(({ tick }) => tick >= since)
			.map(({ data }) => data as { data: IDataObject[]; total_results?: number });
		const people = new Set(bodies.flatMap(({ data }) => data.map(personOf)));
		return bodies.every(({ total_results: total }) => total === people.size);
	}

	/** Those who came after the first check and are there. */
	due(ledger: Ledger | undefined, search: Settings): string[] {
		const there = this.order.filter((person) => isMatch(search, person));
		if (there.length > this.history.maxProspects && ledger?.search !== search) return [];
		if (ledger?.search !== search || ledger.ended === undefined) return ['a first check'];
		const { began, ended } = ledger;
		return there
			.filter((person) => !this.wasThere(person, began, ended, 'once'))
			.map((person) => nameOf(person));
	}

	private wasThere(person: number, from: number, to: number, how: 'once' | 'always'): boolean {
		return this.presence.some(
			(presence) =>
				presence.person === person &&
				(how === 'once'
					? presence.from <= to && presence.to >= from
					: presence.from <= from && presence.to >= to),
		);
	}
}

type Record = PollRecord<Settings, Ledger>;

const PEOPLE = Array.from({ length: 16 }, (_, person) => person);

/** At the start, those with low numbers are on the first pages. */
const anyLeaver = fc.constantFrom(...PEOPLE, ...PEOPLE.slice(0, 6));

const anyChange = weighted<Change>(
	[
		6,
		fc.record({
			kind: fc.constant('enter' as const),
			person: fc.constantFrom(...PEOPLE),
			place: fc.constantFrom(0, 0.5, 1),
		}),
	],
	[4, fc.record({ kind: fc.constant('leave' as const), person: anyLeaver })],
	[1, fc.constantFrom(undefined, undefined, 1, 2, 3).map((page) => ({ kind: 'bad', page }))],
);

const anySettings = fc.constantFrom<Settings>('us', 'gb');

const { anySteps, anyActivation } = anyStepsOf({
	settings: anySettings,
	change: anyChange,
	changes: 8,
});

export const anySearchHistory: fc.Arbitrary<SearchHistory> = fc.record({
	mode: anyMode,
	settings: anySettings,
	activation: anyActivation,
	checkEvery: fc.constantFrom('poll', 'hour'),
	requestsPerPoll: fc.constantFrom(1, 2, 9),
	maxProspects: fc.constantFrom(99, 99, 99, 99, 5),
	start: fc.subarray(PEOPLE, { maxLength: 8 }),
	totals: fc.constantFrom('right', 'right', 'right', 'ofPage', 'none'),
	rejects: fc.boolean(),
	steps: anySteps,
});
