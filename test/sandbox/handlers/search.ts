import { CHOSEN, LIMITS } from '../contract/limits';
import type { SearchFilter } from '../contract/contract';
import type { Company } from '../world/companies';
import type { Person } from '../world/people';
import { prospectRecord } from '../world/prospect-data';
import { LEVELS, placeLabel, TITLES, type Title } from '../world/vocabulary';
import type { World } from '../world/world';
import { envelope, handler } from './handler';

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

/** All words in any order; related titles are those of the same department. */
function titleTest({ value, include_related_job_titles }: Filter): Test {
	const wanted = words(String(value));
	const has = ({ title }: Title) => wanted.every((word) => words(title).includes(word));
	const related = include_related_job_titles ? TITLES.filter(has) : [];
	return ({ position }) =>
		has(position) || related.some(({ department }) => department === position.department);
}

const anyOf =
	(valuesOf: (person: Person, company: Company) => readonly string[]) =>
	({ values = [] }: Filter): Test => {
		const wanted = new Set(values);
		return (person, company) => valuesOf(person, company).some((value) => wanted.has(value));
	};

const is =
	(valueOf: (person: Person) => boolean) =>
	({ value }: Filter): Test =>
	(person) =>
		valueOf(person) === value;

const range =
	(valueOf: (person: Person) => number) =>
	({ gte = -Infinity, lte = Infinity }: Filter): Test =>
	(person) =>
		valueOf(person) >= gte && valueOf(person) <= lte;

/** Each filter of the contract's table as a test of one person. */
const FILTERS: Readonly<Record<SearchFilter, (filter: Filter) => Test>> = {
	has_email: is((person) => person.hasEmail),
	has_phone_number: is((person) => person.hasPhone),
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

/** The last search of each world, so that 600 pages cost one pass over all people. */
const last = new WeakMap<World, { key: string; indexes: number[] }>();

/** Indexes of the people that pass all filters. */
function matches(world: World, filters: Filters): number[] {
	const key = JSON.stringify(filters);
	const known = last.get(world);
	if (known?.key === key) return known.indexes;
	const tests = Object.entries(filters).map(([name, filter]) =>
		FILTERS[name as SearchFilter](filter),
	);
	const isMatch = (index: number) => {
		if (tests.length === 0) return true;
		const person = world.person(index);
		const company = world.company(person.company);
		return tests.every((test) => test(person, company));
	};
	const indexes = Array.from({ length: world.people }, (_, index) => index).filter(isMatch);
	last.set(world, { key, indexes });
	return indexes;
}

export const searchHandlers = {
	search: handler<SearchBody>((body, context) => {
		const { world } = context;
		const { size = LIMITS.searchSize, page_size = CHOSEN.defaultPageSize, page = 1 } = body;
		const excluded = new Set((body.exclude ?? []).map((id) => world.prospectIndex(id)));
		const all = matches(world, body.filters ?? {});
		const isLeft = (index: number) => !excluded.has(index) && !world.unlisted.has(index);
		const left = excluded.size + world.unlisted.size > 0 ? all.filter(isLeft) : all;
		const reachable = Math.min(size, left.length);
		const first = (page - 1) * page_size;
		const data = left
			.slice(first, Math.min(first + page_size, reachable))
			.map((index) => prospectRecord(world.person(index), world.company));
		return envelope(context, left.length > 0, left.length, {
			total_pages: Math.ceil(reachable / page_size),
			page,
			data,
		});
	}),
};
