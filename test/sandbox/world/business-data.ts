/** The data sets of "Business bulk enrichment", in the contract's field names. */
import {
	FILING_LISTS,
	RATING_NUMBERS,
	TECHNOLOGY_LISTS,
	TRAFFIC_NUMBERS,
	WORKFORCE_DEPARTMENTS,
	type BusinessDataSet,
} from '../contract/records';
import { previousMonth } from '../contract/rules';
import type { Company } from './companies';
import { between, fraction, hex, made, pick, pickSome } from './hash';
import { intent } from './intent';

export interface BusinessParameters {
	readonly topics?: readonly string[];
	readonly min_score?: number;
	readonly month_period?: string;
}

/** What a data set may look at besides the company itself. */
export interface Surroundings {
	readonly company: (index: number) => Company;
	readonly companies: number;
	readonly now: Date;
}

type Data = Record<string, unknown>;
/** One data set's `data` of a company; `undefined` when the provider has none. */
export type DataSet = (
	company: Company,
	given: BusinessParameters,
	around: Surroundings,
) => Data | undefined;

/** Companies in one group: the first is the root, two daughters, each with daughters of its own. */
const GROUP = 7;

function companyHierarchy(company: Company, _given: BusinessParameters, around: Surroundings) {
	const first = company.index - (company.index % GROUP);
	const size = Math.min(GROUP, around.companies - first);
	const group = Array.from({ length: size }, (_, place) => around.company(first + place));
	const members = group.map(({ id, name }, place) => {
		const parent = place === 0 ? undefined : group[(place - 1) >> 1];
		return { id, name, parent_id: parent?.id ?? null, parent_name: parent?.name ?? null };
	});
	const own = members[company.index - first];
	return {
		business_id: company.id,
		parent_company_id: own?.parent_id ?? null,
		parent_company_name: own?.parent_name ?? null,
		ultimate_parent_id: group[0]?.id ?? null,
		ultimate_parent_name: group[0]?.name ?? null,
		subsidiaries: members
			.filter(({ parent_id }) => parent_id === company.id)
			.map(({ id, name }) => ({ id, name })),
		organization_tree: [members.slice(0, 1), members.slice(1, 3), members.slice(3)]
			.filter(({ length }) => length > 0)
			.map((companies, level) => ({ level, companies })),
	};
}

function websiteTraffic(company: Company, given: BusinessParameters, around: Surroundings) {
	const month = given.month_period ?? previousMonth(around.now);
	const isKnown = company.index % 15 !== 14;
	return {
		business_id: company.id,
		...made(TRAFFIC_NUMBERS, (name) => {
			const key = `${company.id}:${month}:${name}`;
			if (!isKnown) return null;
			if (name === 'accuracy') return between(1, 3, key);
			return /share|rate/.test(name)
				? Math.round(fraction(key) * 1000) / 1000
				: between(1, 100_000, key);
		}),
		channel: isKnown ? pick(['direct', 'referral', 'search', 'social', 'mail'], company.id) : null,
		device_type: 'all',
		target: company.domain,
		month_period: month,
	};
}

function technologyStack({ index, technologies }: Company) {
	if (index % 11 === 10) return undefined;
	return {
		full_tech_stack: technologies.map(({ name }) => name),
		...made(TECHNOLOGY_LISTS, (list) =>
			technologies.filter(({ category }) => category === list).map(({ name }) => name),
		),
		full_nested_tech_stack: technologies.map((one) => ({ ...one })),
	};
}

function workforceTrends({ id, index }: Company, _: BusinessParameters, { now }: Surroundings) {
	if (index % 13 === 12) return undefined;
	const month = now.getUTCMonth();
	return {
		profiles_found_per_quarter: between(5, 5000, `${id}:profiles`),
		change_in_roles_divisor: between(1, 100, `${id}:divisor`),
		...Object.assign(
			{},
			...WORKFORCE_DEPARTMENTS.map((name) => ({
				[`perc_${name}_roles`]: between(0, 40, `${id}:${name}`) / 100,
				[`change_in_${name}_roles`]: between(-20, 20, `${id}:${name} change`) / 100,
			})),
		),
		quarters: new Date(Date.UTC(now.getUTCFullYear(), month - (month % 3), 1)).toISOString(),
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

function employeeRatings({ id, index, name, place, website }: Company) {
	if (index % 9 === 8) return undefined;
	return {
		company_name: name,
		company_city: place.city,
		company_country_code: place.countryCode,
		company_region: place.region,
		company_street: `${index + 1} Main Street`,
		company_url: website,
		company_zip_code: String(between(10_000, 99_999, `${id}:zip`)),
		...made(RATING_NUMBERS, (member) =>
			/count|experience/.test(member)
				? between(0, 900, `${id}:${member}`)
				: between(10, 50, `${id}:${member}`) / 10,
		),
		company_score: [
			['2024', 3.9],
			['2025', between(30, 48, `${id}:score`) / 10],
		],
	};
}

const filing =
	(set: keyof typeof FILING_LISTS): DataSet =>
	({ id, index, name }) => {
		if (index % 4 === 3) return undefined;
		const number = hex(10, id).replace(/[a-f]/g, '7');
		return {
			form_type: '10-K',
			form_description: 'Annual report',
			accession_number: `${number}-25-000001`,
			cik: number,
			company_name: name,
			ticker: name.replace(/[^A-Z]/g, '') + index,
			link_to_html: `https://filings.example/${number}.html`,
			link_to_filing_details: `https://filings.example/${number}`,
			filed_at: '2025-02-14T16:05:00-05:00',
			...made(FILING_LISTS[set], (list) => [`${name}: ${list.replaceAll('_', ' ')}`]),
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
