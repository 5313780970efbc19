/** The data sets of "Business bulk enrichment", in the contract's field names. */
import {
	FILING_LISTS,
	RATING_NUMBERS,
	TECHNOLOGY_LISTS,
	TRAFFIC_NUMBERS,
	WORKFORCE_DEPARTMENTS,
	type BusinessDataSet,
} from '../contract/records';
import type { Company } from './companies';
import { between, fraction, hex, pick, pickSome } from './hash';
import { intent } from './intent';
import type { BusinessParameters, DataSet, Surroundings } from './data-set';

/** Companies in one group: the first is the root, two daughters, each with daughters of its own. */
const GROUP = 7;

function companyHierarchy(company: Company, _given: BusinessParameters, around: Surroundings) {
	const first = company.index - (company.index % GROUP);
	const size = Math.min(GROUP, around.companies - first);
	const members = Array.from({ length: size }, (_, place) => around.company(first + place));
	const parentOf = (place: number) => (place === 0 ? undefined : members[(place - 1) >> 1]);
	const own = company.index - first;
	const root = members[0];
	const levels = [[0], [1, 2], [3, 4, 5, 6]]
		.map((places) => places.filter((place) => place < size))
		.filter((places) => places.length > 0);
	return {
		business_id: company.id,
		parent_company_id: parentOf(own)?.id ?? null,
		parent_company_name: parentOf(own)?.name ?? null,
		ultimate_parent_id: root?.id ?? null,
		ultimate_parent_name: root?.name ?? null,
		subsidiaries: members
			.filter((_, place) => place > 0 && parentOf(place)?.id === company.id)
			.map(({ id, name }) => ({ id, name })),
		organization_tree: levels.map((places, level) => ({
			level,
			companies: places.flatMap((place) => {
				const member = members[place];
				const parent = parentOf(place);
				return member
					? [
							{
								id: member.id,
								name: member.name,
								parent_id: parent?.id ?? null,
								parent_name: parent?.name ?? null,
							},
						]
					: [];
			}),
		})),
	};
}

/** The month before the given moment, `YYYY-MM`. */
export const previousMonth = (now: Date): string =>
	new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);

const SHARES = /share|rate/;

function websiteTraffic(company: Company, given: BusinessParameters, around: Surroundings) {
	const month = given.month_period ?? previousMonth(around.now);
	const known = company.index % 15 !== 14;
	const numbers = TRAFFIC_NUMBERS.map((name): [string, number | null] => {
		const key = `${company.id}:${month}:${name}`;
		if (!known) return [name, null];
		if (name === 'accuracy') return [name, between(1, 3, key)];
		if (SHARES.test(name)) return [name, Math.round(fraction(key) * 1000) / 1000];
		return [name, between(1, 100_000, key)];
	});
	return {
		business_id: company.id,
		...Object.fromEntries(numbers),
		channel: known ? pick(['direct', 'referral', 'search', 'social', 'mail'], company.id) : null,
		device_type: 'all',
		target: company.domain,
		month_period: month,
	};
}

function technologyStack(company: Company) {
	if (company.index % 11 === 10) return undefined;
	const inCategory = (category: string) =>
		company.technologies.filter((one) => one.category === category).map((one) => one.name);
	return {
		full_tech_stack: company.technologies.map(({ name }) => name),
		...Object.fromEntries(TECHNOLOGY_LISTS.map((category) => [category, inCategory(category)])),
		full_nested_tech_stack: company.technologies.map(({ category, name }) => ({ category, name })),
	};
}

function workforceTrends(company: Company, _given: BusinessParameters, around: Surroundings) {
	if (company.index % 13 === 12) return undefined;
	const quarter = new Date(
		Date.UTC(around.now.getUTCFullYear(), Math.floor(around.now.getUTCMonth() / 3) * 3, 1),
	);
	const numbers = WORKFORCE_DEPARTMENTS.flatMap((name) => [
		[`perc_${name}_roles`, between(0, 40, `${company.id}:${name}`) / 100],
		[`change_in_${name}_roles`, between(-20, 20, `${company.id}:${name} change`) / 100],
	]);
	return {
		profiles_found_per_quarter: between(5, 5000, `${company.id}:profiles`),
		change_in_roles_divisor: between(1, 100, `${company.id}:divisor`),
		...Object.fromEntries(numbers),
		quarters: quarter.toISOString(),
	};
}

function fundingAndAcquisition(company: Company) {
	if (company.index % 8 === 7) return undefined;
	const rounds = between(1, 5, `${company.id}:rounds`);
	const value = between(1, 40, `${company.id}:value`) * 500_000;
	const isPublic = company.index % 4 !== 3;
	return {
		domain: company.domain,
		company_name: company.name,
		investors: pickSome(['Harbor Ventures', 'Oak Fund', 'Polar Capital'], rounds, company.id),
		number_of_advisors: 1,
		num_of_news: between(0, 30, `${company.id}:news`),
		current_advisors: [{ name: 'Robin Field', title: 'Advisor' }],
		ipo_size_usd: isPublic ? String(value * 20) : null,
		ipo_date: isPublic ? '2021-03-18T00:00:00' : null,
		is_ipo: isPublic,
		number_of_investors_for_first_funding_round: 1,
		first_funding_round_value_usd: value,
		first_funding_round_type: 'seed',
		first_funding_round_date: '2016-05-01T00:00:00',
		number_of_funding_rounds: rounds,
		acquired_by: null,
		latest_funding_increase_in_percents: rounds > 1 ? '40' : null,
		last_funding_round_date: '2023-09-01T00:00:00',
		last_funding_round_value_usd: String(value * rounds),
		last_funding_round_type: rounds > 1 ? `series_${'abcd'[rounds - 2]}` : 'seed',
		number_of_investors_for_last_funding_round: Math.min(3, rounds),
		funding_rounds_info: Array.from({ length: rounds }, (_, round) => ({
			round: round + 1,
			value_usd: value * (round + 1),
		})),
		known_funding_total_value: (value * rounds * (rounds + 1)) / 2,
	};
}

function employeeRatings(company: Company) {
	if (company.index % 9 === 8) return undefined;
	const numbers = RATING_NUMBERS.map((name) => {
		const key = `${company.id}:${name}`;
		const count = /count|experience/.test(name);
		return [name, count ? between(0, 900, key) : between(10, 50, key) / 10];
	});
	return {
		company_name: company.name,
		company_city: company.place.city,
		company_country_code: company.place.countryCode,
		company_region: company.place.region,
		company_street: `${company.index + 1} Main Street`,
		company_url: company.website,
		company_zip_code: String(between(10_000, 99_999, `${company.id}:zip`)),
		...Object.fromEntries(numbers),
		company_score: [
			['2024', 3.9],
			['2025', between(30, 48, `${company.id}:score`) / 10],
		],
	};
}

const filing =
	(set: keyof typeof FILING_LISTS): DataSet =>
	(company) => {
		if (company.index % 4 === 3) return undefined;
		const number = hex(10, company.id).replace(/[a-f]/g, '7');
		const lists = FILING_LISTS[set].map((name) => [
			name,
			[`${company.name}: ${name.replaceAll('_', ' ')}`],
		]);
		return {
			form_type: '10-K',
			form_description: 'Annual report',
			accession_number: `${number}-25-000001`,
			cik: number,
			company_name: company.name,
			ticker: company.name.replace(/[^A-Z]/g, '') + company.index,
			link_to_html: `https://filings.example/${number}.html`,
			link_to_filing_details: `https://filings.example/${number}`,
			filed_at: '2025-02-14T16:05:00-05:00',
			...Object.fromEntries(lists),
		};
	};

/** Each data set's `data` of a company; `undefined` when the provider has none. */
export const BUSINESS_DATA: Readonly<Record<BusinessDataSet, DataSet>> = {
	businessChallenges: filing('businessChallenges'),
	companyHierarchy,
	competitiveLandscape: filing('competitiveLandscape'),
	employeeRatings,
	fundingAndAcquisition,
	intent,
	strategy: filing('strategy'),
	technologyStack,
	websiteTraffic,
	workforceTrends,
};
