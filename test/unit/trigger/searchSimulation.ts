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

const QUIET: SearchPlan = { fails: [], requests: 99, during: [] };

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
	/** The sweeps of the first check that received a defective page. */
	private readonly defectiveSweeps = new Set<number>();
	private process: RunSearch | undefined;
	readonly ledger: SearchLedger;

	constructor(
		private readonly history: SearchHistory,
		newProcess: NewSearchProcess,
	) {
		super(history.mode, newProcess, watchOf(history.search), {
			...QUIET,
			requests: history.activationRequests,
		});
		this.order = [...history.start];
		this.present = new Set(this.order);
		this.search = history.search;
		this.ledger = new SearchLedger(this.present, history.totals === 'right' ? 1 : 3);
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
				if (this.isSweeping) this.ledger.shifted();
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
		let foundEverybody = false;
		let endsSweep = false;
		const polled = await runPoll({
			nodeKey,
			staticData: state,
			watch,
			limit: this.history.maxPages,
			now,
			fetch: async (job) => {
				this.ledger.fetches();
				const pages = await this.fetch(job, plan, search, () => runPoll === this.process);
				// A search that matches too many people is not watched: all stays as it was.
				if (job.countsMatches && pages.firstPageStatus === 'tooMany') this.ledger.refused();
				else fetches();
				// A process that n8n has left behind finishes its requests, but nothing of them is kept.
				if (runPoll !== this.process) return pages;
				endsSweep = firstPageSucceeded(pages) && pages.resumeAt === undefined;
				this.isSweeping = !endsSweep;
				foundEverybody = this.hasFoundEverybody(search);
				if (foundEverybody) this.received = undefined;
				return pages;
			},
		});
		const { rows = [], succeeded = true } = polled?.result ?? {};
		if (foundEverybody && search === this.search) this.ledger.foundEverybody(rows.length > 0);
		if (endsSweep) this.ledger.sweepEnded(foundEverybody, plan.during.length === 0);
		return { rows: rows.map(({ row }) => row), succeeded };
	}

	private async fetch(job: SearchJob, plan: SearchPlan, search: Search, isCurrent: () => boolean) {
		const { totals, maxPeople, rejects } = this.history;
		if (job.startPage === 1) this.received = new Set();
		this.isSweeping = true;
		let sent = 0;
		const send = async (page: number): Promise<Failure | undefined> => {
			const request = sent++;
			if (request >= plan.requests) return OUT_OF_TIME;
			this.now += 300;
			if (request === 1) for (const step of plan.during) await this.apply(step);
			const fails = plan.fails === 'all' || plan.fails.includes(request) || page === this.badPage;
			return fails ? DOWN : undefined;
		};
		const matching = () => this.order.filter((person) => isMatch(search, person));
		const totalsOf = (count: number): Pick<Page, 'totalRows' | 'totalPages'> => {
			if (totals === 'none') return {};
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
						// Nobody can know that rows are missing: the totals are too small, or there are none and every sweep of the first
						// check lacked rows.
						if (totals === 'small' || (totals === 'none' && this.defectiveSweeps.size > 2)) {
							this.ledger.shifted();
						}
					} else if (isCurrent()) this.received?.add(page);
					const isRepeated = isDefective && defect?.kind === 'repeated' && page > 1;
					const rows = rowsOf(isRepeated ? page - 1 : page);
					const isShort = isDefective && defect?.kind === 'short';
					return {
						value: {
							rows: isShort ? rows.slice(1) : rows,
							...totalsOf(matching().length),
							responseContext: undefined,
						},
					};
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
}
