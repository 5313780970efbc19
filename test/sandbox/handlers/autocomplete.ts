import { CHOSEN, COMPANY_REVENUES, COMPANY_SIZES } from '../contract/limits';
import * as vocabulary from '../world/vocabulary';
import { INDUSTRIES, PLACES } from '../world/vocabulary';
import type { World } from '../world/world';
import { handler } from './handler';

interface Choice {
	readonly label: string;
	readonly value: string;
}

const same = (values: readonly string[]): Choice[] =>
	values.map((value) => ({ label: value, value }));

const unique = (choices: readonly Choice[]): Choice[] => [
	...new Map(choices.map((choice) => [choice.value, choice])).values(),
];

/** All values of a field; the made-up data draw from the same lists. */
const CHOICES: Readonly<Record<string, (world: World) => Choice[]>> = {
	country: () => PLACES.map(({ country, countryCode }) => ({ label: country, value: countryCode })),
	country_code: () =>
		PLACES.map(({ countryCode }) => ({ label: countryCode.toUpperCase(), value: countryCode })),
	region_country_code: () =>
		PLACES.map((place) => ({ label: vocabulary.regionLabel(place), value: place.regionCode })),
	search_category: () => same(INDUSTRIES.map(({ search }) => search)),
	naics_category: () =>
		INDUSTRIES.map(({ naics, naicsLabel }) => ({ label: `${naics} ${naicsLabel}`, value: naics })),
	network_category: () => same(INDUSTRIES.map(({ network }) => network)),
	company_tech_stack_tech: () => same(Object.values(vocabulary.TECHNOLOGIES).flat()),
	company_tech_stack_categories: () => same(Object.keys(vocabulary.TECHNOLOGIES)),
	job_title: () => same(vocabulary.TITLES.map(({ title }) => title)),
	company_size: () => same(COMPANY_SIZES),
	company_revenue: () => same(COMPANY_REVENUES),
	number_of_locations: () => same(vocabulary.LOCATION_COUNTS),
	company_age: () => same(vocabulary.COMPANY_AGES),
	job_department: () => same(vocabulary.DEPARTMENTS),
	job_level: () => same(Object.keys(vocabulary.LEVELS)),
	city_region_country: () => same(PLACES.map(vocabulary.placeLabel)),
	company_name: (world) =>
		same(Array.from({ length: world.companies }, (_, index) => world.company(index).name)),
	business_intent_topics: () => same(vocabulary.TOPICS),
	city_region: () => same(PLACES.map(({ city, region }) => `${city}, ${region}`)),
};

interface Query {
	field: string;
	query?: string;
	semantic_search?: 'true' | 'false';
}

const category = (topic: string) => topic.split(':')[0];

export const autocompleteHandlers = {
	autocomplete: handler<Query>(({ field, query = '', semantic_search }, { world }) => {
		const all = unique(CHOICES[field]?.(world) ?? []);
		const text = query.trim().toLowerCase();
		const close = all.filter(
			({ label, value }) => label.toLowerCase().includes(text) || value.toLowerCase() === text,
		);
		const categories = new Set(close.map(({ value }) => category(value)));
		// A semantic search also finds the other topics of a category.
		const related = all.filter(
			(choice) => !close.includes(choice) && categories.has(category(choice.value)),
		);
		const found =
			semantic_search === 'true'
				? [...close, ...related].slice(0, 2 * CHOSEN.suggestions)
				: close.slice(0, CHOSEN.suggestions);
		return found.map((choice) => ({ query, ...choice }));
	}),
};
