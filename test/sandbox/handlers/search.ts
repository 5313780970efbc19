import { CHOSEN, LIMITS } from '../contract/limits';
import type { SearchFilter } from '../contract/requests';
import type { Company } from '../world/companies';
import { makePerson, type Person } from '../world/people';
import { prospectRecord } from '../world/prospect-data';
import { LEVELS, placeLabel, TITLES } from '../world/vocabulary';
import type { World } from '../world/world';
import { envelope, handler, type Handlers } from './handler';

interface Filter {
	value?: string | boolean;
	values?: string[];
	gte?: number;
	lte?: number;
	include_related_job_titles?: boolean;
}
type Filters = Partial<Record<SearchFilter, Filter>>;
type Test = (person: Person, company: Company) => boolean;

interface SearchBody {
	size?: number;
	page_size?: number;
	page?: number;
	filters?: Filters;
	exclude?: string[] | null;
}

const words = (text: string) => text.toLowerCase().split(/\W+/).filter(Boolean);

/** Departments that have a title with all these words: titles of the same department are related. */
function relatedDepartments(wanted: readonly string[]): Set<string> {
	const has = (title: string) => wanted.every((word) => words(title).includes(word));
	return new Set(TITLES.filter(({ title }) => has(title)).map(({ department }) => department));
}

function titleTest({ value, include_related_job_titles }: Filter): Test {
	const wanted = words(String(value));
	const related = include_related_job_titles ? relatedDepartments(wanted) : new Set<string>();
	return ({ position }) => {
		const own = words(position.title);
		return wanted.every((word) => own.includes(word)) || related.has(position.department);
	};
}

const anyOf =
	(valuesOf: (person: Person, company: Company) => readonly string[]) =>
	({ values = [] }: Filter): Test => {
		const wanted = new Set(values);
		return (person, company) => valuesOf(person, company).some((value) => wanted.has(value));
	};

const range =
	(valueOf: (person: Person) => number) =>
	({ gte = -Infinity, lte = Infinity }: Filter): Test =>
	(person) =>
		valueOf(person) >= gte && valueOf(person) <= lte;

/** Each filter of the contract's table as a test of one person. */
const FILTERS: Readonly<Record<SearchFilter, (filter: Filter) => Test>> = {
	has_email:
		({ value }) =>
		(person) =>
			person.hasEmail === value,
	has_phone_number:
		({ value }) =>
		(person) =>
			person.hasPhone === value,
	job_title: titleTest,
	job_level: anyOf(({ position }) => [position.level, LEVELS[position.level] ?? '']),
	job_department: anyOf(({ position }) => [position.department]),
	business_id: anyOf((_, company) => [company.id]),
	prospect_id: anyOf((person) => [person.id]),
	country_code: anyOf(({ place }) => [place.countryCode]),
	region_country_code: anyOf(({ place }) => [place.regionCode]),
	city_region_country: anyOf(({ place }) => [placeLabel(place)]),
	company_country_code: anyOf((_, { place }) => [place.countryCode]),
	company_region_country_code: anyOf((_, { place }) => [place.regionCode]),
	company_size: anyOf((_, company) => [company.size]),
	company_revenue: anyOf((_, company) => [company.revenue]),
	search_category: anyOf((_, { industry }) => [industry.search]),
	network_category: anyOf((_, { industry }) => [industry.network]),
	naics_category: anyOf((_, { industry: { naics } }) => [
		naics.slice(0, 2),
		naics.slice(0, 4),
		naics,
	]),
	company_name: anyOf((_, company) => [company.name]),
	total_experience_months: range((person) => person.totalExperienceMonths),
	current_role_months: range((person) => person.currentRoleMonths),
};

const found = new WeakMap<World, Map<string, number[]>>();

/** Indexes of the people that pass all filters; remembered, so that 600 pages cost one pass over all people. */
function matches(world: World, filters: Filters): number[] {
	const known = found.get(world) ?? new Map<string, number[]>();
	found.set(world, known);
	const key = JSON.stringify(filters);
	const before = known.get(key);
	if (before) return before;
	const tests = Object.entries(filters).map(([name, filter]) =>
		FILTERS[name as SearchFilter](filter),
	);
	const indexes: number[] = [];
	for (let index = 0; index < world.people; index++) {
		if (tests.length > 0) {
			const person = makePerson(index, world.companies);
			const company = world.company(person.company);
			if (!tests.every((test) => test(person, company))) continue;
		}
		indexes.push(index);
	}
	if (known.size >= 20) known.clear();
	known.set(key, indexes);
	return indexes;
}

export const searchHandlers: Handlers<'search'> = {
	search: handler<SearchBody>((body, context) => {
		const { world } = context;
		const { size = LIMITS.searchSize, page_size = CHOSEN.defaultPageSize, page = 1 } = body;
		const excluded = new Set((body.exclude ?? []).map((id) => world.prospectIndex(id)));
		const all = matches(world, body.filters ?? {});
		const isLeft = (index: number) => !excluded.has(index) && !world.unlisted.has(index);
		const left = excluded.size + world.unlisted.size > 0 ? all.filter(isLeft) : all;
		const reachable = Math.min(size, left.length);
		const first = (page - 1) * page_size;
		const empty = context.cutPage === 'empty' && size < page_size * page;
		const end = empty ? first : first + page_size;
		const data = left
			.slice(first, Math.min(end, reachable))
			.map((index) => prospectRecord(world.person(index), world.company));
		return envelope(context, left.length > 0, left.length, {
			total_pages: Math.ceil(reachable / page_size),
			page,
			data,
		});
	}),
};
