import { BUSINESS_DATA_SETS } from '../contract/contract';
import { businessData, type BusinessDataSet } from '../contract/records';
import { BUSINESS_DATA, type BusinessParameters } from '../world/business-data';

import type { Company } from '../world/companies';
import { regionLabel } from '../world/vocabulary';
import { bulkAnswer, envelope, handler, type Handler } from './handler';

interface Bulk {
	business_ids: string[];
	parameters?: BusinessParameters | null;
}

const enrich = (set: BusinessDataSet): Handler =>
	handler<Bulk>(({ business_ids, parameters }, context) => {
		const { world, now } = context;
		const around = { company: world.company, companies: world.companies, now };
		return bulkAnswer(context, businessData[set], 'business_id', business_ids, (id) => {
			const index = world.businessIndex(id);
			if (index === undefined) return [];
			return [BUSINESS_DATA[set](world.company(index), parameters ?? {}, around) ?? []].flat();
		});
	});

interface StatsFilter {
	type: string;
	values: unknown[];
	negate?: boolean;
}

/** The company's values for each filter that the sandbox knows; filters of other names leave out nobody. */
const VALUES: Readonly<Record<string, (company: Company) => readonly string[]>> = {
	country_code: ({ place }) => [place.countryCode],
	region_country_code: ({ place }) => [place.regionCode],
	company_size: ({ size }) => [size],
	company_revenue: ({ revenue }) => [revenue],
	company_age: ({ age }) => [age],
	search_category: ({ industry }) => [industry.search],
	network_category: ({ industry }) => [industry.network],
	naics_category: ({ industry: { naics } }) => [naics.slice(0, 2), naics.slice(0, 4), naics],
	company_name: ({ name }) => [name],
};

type Counts = Record<string, number>;

const count = (table: Record<string, Counts>, row: string, ...columns: string[]) => {
	const counts = (table[row] ??= {});
	for (const column of columns) counts[column] = (counts[column] ?? 0) + 1;
};

const stats = handler<{ filters: Record<string, StatsFilter> }>(({ filters }, context) => {
	const { world } = context;
	const isSelected = (company: Company) =>
		Object.entries(filters).every(
			([name, { values, negate = false }]) =>
				VALUES[name] === undefined ||
				VALUES[name](company).some((value) => values.includes(value)) !== negate,
		);
	const locations: Record<string, Counts> = {};
	const revenues: Record<string, Counts> = {};
	const sizes: Record<string, Counts> = {};
	let total = 0;
	for (let index = 0; index < world.companies; index++) {
		const company = world.company(index);
		if (!isSelected(company)) continue;
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
) as Record<BusinessDataSet, Handler>;

export const businessHandlers = { ...enrichments, stats };
