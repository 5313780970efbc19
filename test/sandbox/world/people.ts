import { below, between, hex, pick, pickSome } from './hash';
import { FIRST_NAMES, INTERESTS, LAST_NAMES, PLACES, SKILLS, TITLES } from './vocabulary';

/** "Today" for everything in a person's career, so that the data do not change from month to month. */
export const CAREER_DATE = { year: 2025, month: 6 };

/** 40 hex characters, the last eight of them the index. */
export const prospectIdOf = (index: number): string =>
	hex(32, `prospect:${index}`) + index.toString(16).padStart(8, '0');

const plain = (text: string) =>
	text
		.normalize('NFD')
		.replace(/[^A-Za-z]/g, '')
		.toLowerCase();

/** `YYYY-MM`, that many months before the career date. */
export function monthBefore(months: number): string {
	const all = CAREER_DATE.year * 12 + CAREER_DATE.month - 1 - months;
	return `${Math.floor(all / 12)}-${String((all % 12) + 1).padStart(2, '0')}`;
}

/**
 * Person number `index` in a world with that many companies; the same one at every call. What is missing follows from
 * the index: the last digit 9 has no contacts, 7 no phone, 8 no email; every 20th (13, 33 …) has no profile data; the
 * number of posts is the remainder of the index by 5.
 */
export function makePerson(index: number, companies: number) {
	const key = `person:${index}`;
	const firstName = pick(FIRST_NAMES, `${key}:first`);
	const lastName = pick(LAST_NAMES, `${key}:last`);
	const mailbox = `${plain(firstName)}.${plain(lastName)}.${index}`;
	const company = below(companies, `${key}:company`);
	const currentRoleMonths = between(1, 120, `${key}:role`);
	const lastDigit = index % 10;
	return {
		index,
		id: prospectIdOf(index),
		firstName,
		lastName,
		fullName: `${firstName} ${lastName}`,
		gender: pick(['male', 'female', null], `${key}:gender`),
		ageGroup: pick(['18-24', '25-34', '35-44', '45-54', '55-64'], `${key}:age`),
		place: pick(PLACES, `${key}:place`),
		/** Index of the present company, and of the one before. */
		company,
		previousCompany: (company + 1 + below(Math.max(1, companies - 1), `${key}:before`)) % companies,
		position: pick(TITLES, `${key}:title`),
		previousPosition: pick(TITLES, `${key}:title before`),
		currentRoleMonths,
		totalExperienceMonths: currentRoleMonths + between(12, 240, `${key}:total`),
		/** URL of the network profile, and the one with an identifier in it. */
		network: `https://network.example/in/${mailbox.replaceAll('.', '-')}`,
		networkById: `https://network.example/in/id-${index}`,
		/** First part of each email address: unique, plain ASCII, ends with the index. */
		mailbox,
		hasEmail: lastDigit !== 9 && lastDigit !== 8,
		hasPhone: lastDigit !== 9 && lastDigit !== 7,
		hasProfile: index % 20 !== 13,
		postCount: index % 5,
		skills: pickSome(SKILLS, between(2, 5, `${key}:skills`), key),
		interests: pickSome(INTERESTS, between(1, 3, `${key}:interests`), key),
	};
}

export type Person = Readonly<ReturnType<typeof makePerson>>;
