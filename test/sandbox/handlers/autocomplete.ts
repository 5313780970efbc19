import {
	CHOSEN,
	COMPANY_REVENUES,
	COMPANY_SIZES,
	type AutocompleteField,
} from '../contract/limits';
import {
	COMPANY_AGES,
	DEPARTMENTS,
	INDUSTRIES,
	LEVELS,
	LOCATION_COUNTS,
	PLACES,
	placeLabel,
	regionLabel,
	TECHNOLOGIES,
	TITLES,
	TOPICS,
} from '../world/vocabulary';
import type { World } from '../world/world';
import { handler, type Handlers } from './handler';

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
const CHOICES: Readonly<Record<AutocompleteField, (world: World) => Choice[]>> = {
	country: () => PLACES.map(({ country, countryCode }) => ({ label: country, value: countryCode })),
	country_code: () =>
		PLACES.map(({ countryCode }) => ({ label: countryCode.toUpperCase(), value: countryCode })),
	region_country_code: () =>
		PLACES.map((place) => ({ label: regionLabel(place), value: place.regionCode })),
	search_category: () => same(INDUSTRIES.map(({ search }) => search)),
	naics_category: () =>
		INDUSTRIES.map(({ naics, naicsLabel }) => ({ label: `${naics} ${naicsLabel}`, value: naics })),
	network_category: () => same(INDUSTRIES.map(({ network }) => network)),
	company_tech_stack_tech: () => same(Object.values(TECHNOLOGIES).flat()),
	company_tech_stack_categories: () => same(Object.keys(TECHNOLOGIES)),
	job_title: () => same(TITLES.map(({ title }) => title)),
	company_size: () => same(COMPANY_SIZES),
	company_revenue: () => same(COMPANY_REVENUES),
	number_of_locations: () => same(LOCATION_COUNTS),
	company_age: () => same(COMPANY_AGES),
	job_department: () => same(DEPARTMENTS),
	job_level: () => same(Object.keys(LEVELS)),
	city_region_country: () => same(PLACES.map(placeLabel)),
	company_name: (world) =>
		same(Array.from({ length: world.companies }, (_, index) => world.company(index).name)),
	business_intent_topics: () => same(TOPICS),
	city_region: () => same(PLACES.map(({ city, region }) => `${city}, ${region}`)),
};

interface Query {
	field: AutocompleteField;
	query?: string;
	semantic_search?: 'true' | 'false';
}

const category = (topic: string) => topic.split(':')[0];

export const autocompleteHandlers: Handlers<'autocomplete'> = {
	autocomplete: handler<Query>(({ field, query = '', semantic_search }, { world }) => {
		const all = unique(CHOICES[field](world));
		const text = query.trim().toLowerCase();
		const fits = ({ label, value }: Choice) =>
			label.toLowerCase().includes(text) || value.toLowerCase() === text;
		const close = all.filter(fits);
		if (semantic_search !== 'true') {
			return close.slice(0, CHOSEN.suggestions).map((choice) => ({ query, ...choice }));
		}
		const anyWord = text.split(/\W+/).filter((word) => word.length > 2);
		const categories = new Set(close.map(({ value }) => category(value)));
		const related = all.filter(
			(choice) =>
				!close.includes(choice) &&
				(categories.has(category(choice.value)) ||
					anyWord.some((word) => choice.label.toLowerCase().includes(word))),
		);
		return [...close, ...related]
			.slice(0, 2 * CHOSEN.suggestions)
			.map((choice) => ({ query, ...choice }));
	}),
};
