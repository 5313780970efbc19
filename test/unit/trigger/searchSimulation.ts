/** One history of a watched search, step by step; the errors at its end. */
import type { IDataObject } from 'n8n-workflow';
import type { Failure, Outcome } from '../../../nodes/BusinessProspectData/core/outcome';
import type { Page } from '../../../nodes/BusinessProspectData/search/page';
import {
	firstPageSucceeded,
	type SearchJob,
	type SearchWatch,
} from '../../../nodes/BusinessProspectData/trigger/search/state';
import { fetchSweepPart } from '../../../nodes/BusinessProspectData/trigger/search/fetch';
import { HOUR } from './history';
import { N8n, type NodePoll } from './n8n';
import type { RunSearch } from './runners';
import {
	isMatch,
	PAGE_SIZE,
	QUIET,
	type Search,
	type SearchHistory,
	type SearchPlan,
	type SearchStep,
} from './searchHistory';
import { SearchLedger } from './searchLedger';

/** Starts a process: the trigger's code with its memory. */
export type NewSearchProcess = () => RunSearch;

const DOWN: Failure = { kind: 'server', message: 'The service failed.' };
const NO_SUCH_PAGE: Failure = { kind: 'invalid', message: 'There is no such page.' };
const OUT_OF_TIME: Failure = { kind: 'stopped', message: 'The time ran out.' };

type Totals = Pick<Page, 'totalRows' | 'totalPages'>;

interface SentPage extends Totals {
	readonly page: number;
	readonly rows: readonly IDataObject[];
}

const watchOf = (search: Search): SearchWatch => ({ filters: { search: { value: search } } });

export class SearchSimulation extends N8n<SearchWatch, SearchPlan, RunSearch> {
	/** Who is in the service's data, in the order of its pages. */
	private order: number[];
	private readonly present: Set<number>;
	private search: Search;
	private badPage: number | undefined;
	/** The pages that the current sweep has received whole; undefined if somebody came or went meanwhile. */
	private received: Set<number> | undefined;
	/** Whether a sweep has begun and not ended. */
	private isSweeping = false;
	/** Whether somebody came or went during the current sweep. */
	private hasChanged = false;
	/** The responses to the current poll's part of the sweep. */
	private responses: SentPage[] = [];
	/** The sweeps of the first check that received a defective page. */
	private readonly defectiveSweeps = new Set<number>();
	private process: RunSearch | undefined;
	readonly ledger: SearchLedger;

	constructor(
		private readonly history: SearchHistory,
		newProcess: NewSearchProcess,
	) {
		super(history.mode, newProcess, watchOf(history.search), history.activation);
		this.order = [...history.start];
		this.present = new Set(this.order);
		this.search = history.search;
		this.ledger = new SearchLedger(
			this.present,
			['right', 'ofPage'].includes(history.totals) ? 2 : 3,
		);
	}

	/** Runs the history, lets everything settle, and returns the errors. */
	async run(): Promise<string[]> {
		await this.activate();
		for (const step of this.history.steps) await this.apply(step);

		this.badPage = undefined;
		for (let poll = 0; poll < 20; poll++) {
			this.now += HOUR;
			await this.poll(QUIET);
		}
		return this.ledger.errors();
	}

	private async apply(step: SearchStep): Promise<void> {
		switch (step.kind) {
			case 'enter':
			case 'leave':
				this.received = undefined;
				if (this.isSweeping) this.hasChanged = true;
				this.order = this.order.filter((person) => person !== step.person);
				if (step.kind === 'leave') {
					this.present.delete(step.person);
					return this.ledger.left(step.person);
				}
				this.order.splice(Math.round(step.place * this.order.length), 0, step.person);
				this.present.add(step.person);
				this.ledger.entered(step.person);
				return;
			case 'edit':
				this.search = step.search;
				this.received = undefined;
				return await this.edit(() => watchOf(step.search));
			case 'bad':
				this.badPage = step.page;
				return;
			case 'wait':
			case 'poll':
				return await this.applyStep(step);
			default:
				this.received = undefined;
				return await this.applyStep(step);
		}
	}

	protected async pollNode(runPoll: RunSearch, poll: NodePoll<SearchWatch, SearchPlan>) {
		const { nodeKey, state, watch, now, plan, fetches } = poll;
		const { search } = this;
		this.ledger.watches(search);
		if (runPoll !== this.process) this.received = undefined;
		this.process = runPoll;
		/** Accounts for what the poll has fetched so far; undefined if there is nothing more. */
		let account: ((hasOutput: boolean) => void) | undefined;
		let sent = 0;
		const send = async (page: number): Promise<Failure | undefined> => {
			const request = sent++;
			if (request >= plan.requests) return OUT_OF_TIME;
			this.now += 300;
			for (const [index, step] of plan.during.entries()) {
				if (request === plan.at + (plan.apart ? index : 0)) await this.apply(step);
			}
			const fails = plan.fails === 'all' || plan.fails.includes(request) || page === this.badPage;
			return fails ? DOWN : undefined;
		};
		const isCurrent = () => runPoll === this.process;
		const polled = await runPoll({
			nodeKey,
			staticData: state,
			watch,
			limit: this.history.maxPages,
			now,
			fetch: async (job) => {
				const isSecondSweep = account !== undefined;
				account?.(false);
				account = undefined;
				this.ledger.fetches();
				const pages = await this.fetch(job, plan, search, send, isCurrent);
				// A search that matches too many people is not watched: all stays as it was.
				if (job.startsBaseline && pages.firstPageStatus === 'tooMany') this.ledger.refused();
				else fetches();
				// A process that n8n has left behind finishes its requests, but nothing of them is kept.
				if (!isCurrent()) return pages;
				const endsSweep = firstPageSucceeded(pages) && pages.resumeAt === undefined;
				this.isSweeping = !endsSweep;
				const foundEverybody = this.hasFoundEverybody(search);
				if (foundEverybody) this.received = undefined;
				const shows = job.startPage > 1 || contradict(this.responses);
				const { hasChanged } = this;
				if (endsSweep) this.hasChanged = false;
				const isConfirmed = this.isConfirmed(job, isSecondSweep);
				account = (hasOutput) => {
					if (foundEverybody && search === this.search) {
						this.ledger.foundEverybody(hasOutput, isConfirmed);
					}
					if (endsSweep) {
						this.ledger.sweepEnded({
							foundEverybody,
							isSure: plan.during.every(({ kind }) => kind === 'enter' || kind === 'leave'),
							changed: hasChanged ? (shows ? 'visibly' : 'invisibly') : 'no',
						});
					}
				};
				return pages;
			},
		});
		const { rows = [], succeeded = true } = polled?.result ?? {};
		account?.(rows.length > 0);
		return { rows: rows.map(({ row }) => row), succeeded };
	}

	private async fetch(
		job: SearchJob,
		plan: SearchPlan,
		search: Search,
		send: (page: number) => Promise<Failure | undefined>,
		isCurrent: () => boolean,
	) {
		const { totals, maxPeople, rejects } = this.history;
		if (job.startPage === 1) {
			this.received = new Set();
			this.hasChanged = false;
		}
		this.isSweeping = true;
		const responses: SentPage[] = [];
		this.responses = responses;
		const matching = () => this.order.filter((person) => isMatch(search, person));
		const totalsOf = (count: number, rows = count): Totals => {
			if (totals === 'none') return {};
			if (totals === 'ofPage') return { totalRows: rows, totalPages: Math.ceil(count / PAGE_SIZE) };
			if (totals === 'small') return { totalRows: Math.max(0, count - 3) };
			const total = totals === 'large' ? count + 3 : count;
			return { totalRows: total, totalPages: Math.ceil(total / PAGE_SIZE) };
		};
		const rowsOf = (page: number) =>
			matching()
				.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
				.map((person): IDataObject => ({ prospect_id: `person ${person}`, person }));
		return await fetchSweepPart(
			{
				count: async () => {
					const failure = await send(0);
					if (failure !== undefined) return { failure };
					const { totalRows: total } = totalsOf(matching().length);
					if ((total ?? 0) <= maxPeople) this.defectiveSweeps.clear();
					return { value: { total } };
				},
				fetchPage: async (page): Promise<Outcome<Page>> => {
					const failure = await send(page);
					if (failure !== undefined) return { failure };
					const isBeyond = page > 1 && (page - 1) * PAGE_SIZE >= matching().length;
					// Without right totals, the trigger can't know the last page.
					if (rejects && isBeyond && totals === 'right') return { failure: NO_SUCH_PAGE };
					const { defect } = plan;
					const isDefective = page === defect?.page;
					if (isDefective) {
						this.received = undefined;
						this.defectiveSweeps.add(job.sweepNumber);
					} else if (isCurrent()) this.received?.add(page);
					const isRepeated = isDefective && defect?.kind === 'repeated' && page > 1;
					const isShort = isDefective && defect?.kind === 'short';
					const sentRows = rowsOf(isRepeated ? page - 1 : page).slice(isShort ? 1 : 0);
					// Nobody can know that rows are missing: the totals are too small, or count only the rows of the last page, which may be
					// the only one, or there are none and every sweep of the first check lacked rows.
					const isLast = page * PAGE_SIZE >= matching().length;
					if (
						isDefective &&
						(totals === 'small' ||
							(totals === 'ofPage' && isLast && isShort && (page === 1 || sentRows.length > 0)) ||
							(totals === 'none' && this.defectiveSweeps.size > 2))
					) {
						this.ledger.lacksRows();
					}
					const sentTotals = totalsOf(matching().length, sentRows.length);
					responses.push({ page, rows: sentRows, ...sentTotals });
					return { value: { rows: sentRows, ...sentTotals, responseContext: undefined } };
				},
			},
			job,
			maxPeople,
			PAGE_SIZE,
		);
	}

	/** Whether the current sweep has received all pages of the search, and nobody came or went meanwhile. */
	private hasFoundEverybody(search: Search): boolean {
		const count = this.order.filter((person) => isMatch(search, person)).length;
		const { totals } = this.history;
		// Where the service reports no page count, a sweep ends with a page that isn't full.
		const lacksRest = totals === 'none' || totals === 'small';
		const reported = totals === 'large' ? count + 3 : count;
		const pages = lacksRest
			? Math.floor(count / PAGE_SIZE) + 1
			: Math.max(1, Math.ceil(reported / PAGE_SIZE));
		return Array.from({ length: pages }, (_, index) => index + 1).every(
			(page) => this.received?.has(page) ?? false,
		);
	}

	/**
	 * Whether a sweep that found everybody ends the first check: it is the second one, or the search has one page, or its first page
	 * was sent again after the others.
	 */
	private isConfirmed({ startPage }: SearchJob, isSecondSweep: boolean): boolean {
		const { totals } = this.history;
		if (isSecondSweep) return totals === 'right' || totals === 'ofPage';
		const isLarge = new Set(this.responses.map(({ page }) => page)).size > 1;
		const isSame = startPage === 1 && (!isLarge || this.responses.at(-1)?.page === 1);
		return totals === 'right' && isSame;
	}
}

/** Whether these pages can't all be of one state of the search. */
function contradict(responses: readonly SentPage[]): boolean {
	const totals = new Set(
		responses.map(({ totalRows, totalPages }) => `${totalRows} ${totalPages}`),
	);
	const pageOf = new Map<unknown, number>();
	const rowsOf = new Map<number, string>();
	const differ = responses.some(({ page, rows }) => {
		const people = rows.map(({ person }) => person);
		const isOther = people.some((person) => (pageOf.get(person) ?? page) !== page);
		for (const person of people) pageOf.set(person, page);
		const isSame = (rowsOf.get(page) ?? String(people)) === String(people);
		rowsOf.set(page, String(people));
		return isOther || !isSame;
	});
	return totals.size > 1 || differ;
}
