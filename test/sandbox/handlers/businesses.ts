import { BUSINESS_DATA_SETS } from '../contract/contract';
import { businessData, type BusinessDataSet } from '../contract/records';
import { BUSINESS_DATA } from '../world/business-data';
import type { BusinessParameters } from '../world/data-set';
import type { Company } from '../world/companies';
import { placeLabel, regionLabel } from '../world/vocabulary';
import { envelope, handler, nullData, type Handler, type Handlers } from './handler';

interface Bulk {
	business_ids: string[];
	parameters?: BusinessParameters | null;
}

const enrich = (set: BusinessDataSet): Handler =>
	handler<Bulk>(({ business_ids, parameters }, context) => {
		const { world, now } = context;
		const around = { company: world.company, companies: world.companies, now };
		let found = false;
		const data = business_ids.map((business_id) => {
			const index = world.businessIndex(business_id);
			const own =
				index === undefined
					? undefined
					: BUSINESS_DATA[set](world.company(index), parameters ?? {}, around);
			if (own) found = true;
			return { business_id, data: own ?? nullData(businessData[set], business_id) };
		});
		return envelope(context, found, data.length, { data });
	});

interface StatsFilter {
	type: string;
	values: unknown[];
	negate?: boolean;
}

/** The company's values for each filter that the sandbox knows; filters of other names leave out nobody. */
const VALUES: Readonly<Record<string, (company: Company) => readonly string[]>> = {
	business_id: (company) => [company.id],
	country_code: ({ place }) => [place.countryCode],
	region_country_code: ({ place }) => [place.regionCode],
	city_region_country: ({ place }) => [placeLabel(place)],
	company_size: ({ size }) => [size],
	company_revenue: ({ revenue }) => [revenue],
	company_age: ({ age }) => [age],
	number_of_locations: ({ locations }) => [locations],
	search_category: ({ industry }) => [industry.search],
	network_category: ({ industry }) => [industry.network],
	naics_category: ({ industry: { naics } }) => [naics.slice(0, 2), naics.slice(0, 4), naics],
	company_name: ({ name }) => [name],
	company_tech_stack_tech: ({ technologies }) => technologies.map(({ name }) => name),
	company_tech_stack_categories: ({ technologies }) => technologies.map(({ category }) => category),
};

type Counts = Record<string, number>;

const count = (table: Record<string, Counts>, row: string, ...columns: string[]) => {
	const counts = (table[row] ??= {});
	for (const column of columns) counts[column] = (counts[column] ?? 0) + 1;
};

const stats = handler<{ filters: Record<string, StatsFilter> }>(({ filters }, context) => {
	const { world } = context;
	const tests = Object.entries(filters).flatMap(([name, { values, negate }]) => {
		const valuesOf = VALUES[name];
		if (!valuesOf) return [];
		return [
			(company: Company) =>
				valuesOf(company).some((value) => values.includes(value)) !== Boolean(negate),
		];
	});
	const locations: Record<string, Counts> = {};
	const revenues: Record<string, Counts> = {};
	const sizes: Record<string, Counts> = {};
	let total = 0;
	for (let index = 0; index < world.companies; index++) {
		const company = world.company(index);
		if (!tests.every((test) => test(company))) continue;
		total++;
		const { search } = company.industry;
		count(locations, search, regionLabel(company.place), 'total');
		count(locations, 'total_per_location', regionLabel(company.place), 'total');
		count(revenues, search, company.revenue);
		count(sizes, search, company.size);
	}
	return envelope(context, total > 0, total, {
		stats: {
			business_categories_per_location: locations,
			revenue_per_category: revenues,
			number_of_employees_per_category: sizes,
		},
	});
});

const enrichments = Object.fromEntries(
	BUSINESS_DATA_SETS.map((set) => [set, enrich(set)]),
) as Handlers<BusinessDataSet>;

export const businessHandlers: Handlers<BusinessDataSet | 'stats'> = { ...enrichments, stats };
