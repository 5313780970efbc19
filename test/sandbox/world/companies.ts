import { COMPANY_REVENUES, COMPANY_SIZES } from '../contract/limits';
import { between, hex, pick, pickSome } from './hash';
import {
	COMPANY_AGES,
	COMPANY_FIRST_WORDS,
	COMPANY_SECOND_WORDS,
	INDUSTRIES,
	PLACES,
	TECHNOLOGIES,
} from './vocabulary';

const ALL_TECHNOLOGIES = Object.entries(TECHNOLOGIES).flatMap(([category, names]) =>
	names.map((name) => ({ category, name })),
);

/** 32 hex characters, the last eight of them the index. */
export const businessIdOf = (index: number): string =>
	hex(24, `business:${index}`) + index.toString(16).padStart(8, '0');

/** The name of a company; different for each index. */
export function companyName(index: number): string {
	const first = COMPANY_FIRST_WORDS[index % COMPANY_FIRST_WORDS.length];
	const turn = Math.floor(index / COMPANY_FIRST_WORDS.length);
	const second = COMPANY_SECOND_WORDS[turn % COMPANY_SECOND_WORDS.length];
	const round = Math.floor(turn / COMPANY_SECOND_WORDS.length);
	return `${first} ${second}${round === 0 ? '' : ` ${round + 1}`}`;
}

/** Company number `index`; the same one at every call. */
export function makeCompany(index: number) {
	const key = `company:${index}`;
	const name = companyName(index);
	const slug = name.toLowerCase().replaceAll(' ', '-');
	return {
		index,
		id: businessIdOf(index),
		name,
		domain: `${slug}.example`,
		website: `https://www.${slug}.example`,
		/** URL of the company's network page. */
		network: `https://network.example/company/${slug}`,
		place: pick(PLACES, `${key}:place`),
		size: pick(COMPANY_SIZES, `${key}:size`),
		revenue: pick(COMPANY_REVENUES, `${key}:revenue`),
		age: pick(COMPANY_AGES, `${key}:age`),
		industry: pick(INDUSTRIES, `${key}:industry`),
		/** Category and name of each technology in use. */
		technologies: pickSome(ALL_TECHNOLOGIES, between(3, 9, `${key}:count`), `${key}:technologies`),
	};
}

export type Company = Readonly<ReturnType<typeof makeCompany>>;
