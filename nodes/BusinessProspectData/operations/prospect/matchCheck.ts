import type { IDataObject } from 'n8n-workflow';
import { PROSPECT_DATA_SETS, rowFieldsOf } from '../../catalog/dataSets';
import { PROSPECT } from '../../catalog/service';
import { asObjects, asText, isObject, type JsonValue, textOf } from '../../core/json';
import { withoutAccents } from '../../core/text';
import { parseWebAddress } from '../../parameters/cells';
import type { Row } from '../../run/output';
import { parseCompanyName } from '../business/companyName';

/** Whether the person found is probably the one who was meant. */
export type MatchCheck = 'agrees' | 'differs' | 'unknown';

/** What a row says about a person; null where it says nothing. */
export interface GivenDetails {
	readonly name: string | null;
	readonly company: string | null;
	readonly email: string | null;
}

interface CheckedMatch {
	readonly check: MatchCheck;
	/** Empty unless `check` is `differs`. */
	readonly differsIn: ReadonlyArray<'name' | 'company'>;
}

export const MATCH_CHECK_FIELDS = ['match_check', 'match_differs_in'] as const;

/** What rows have about a prospect. */
export const PROSPECT_FIELDS = {
	idField: PROSPECT.idField,
	fields: new Set<string>([...rowFieldsOf(PROSPECT_DATA_SETS), ...MATCH_CHECK_FIELDS]),
};

/** Adds `MATCH_CHECK_FIELDS` to a row that has a match. */
export function withMatchCheck(row: Row, given: GivenDetails, profile: JsonValue): Row {
	if (row.failure !== undefined) return row;
	const { json, allFields } = row;
	const { check, differsIn } = checkMatch(given, isObject(profile) ? profile : {});
	const fields: Record<(typeof MATCH_CHECK_FIELDS)[number], string | null> = {
		match_check: check,
		match_differs_in: differsIn.join(', ') || null,
	};
	return {
		...row,
		json: { ...json, ...fields },
		doubtful: check === 'differs',
		...(allFields && { allFields: () => ({ ...allFields(), ...fields }) }),
	};
}

/**
 * Never `differs` because of a company or an email alone: people change jobs and have several addresses.
 *
 * @param profile see contract: Prospect profile data
 */
export function checkMatch(
	{ name, company, email }: GivenDetails,
	profile: IDataObject,
): CheckedMatch {
	const employers = [
		{ name: profile.company_name, website: profile.company_website },
		...asObjects(profile.experience).flatMap((entry) => asObjects(entry.company)),
	];
	const companies = employers.map((one) => textOf(one.name));
	const companyAgrees = company !== null && isOneOf(company, companies);
	const domainAgrees =
		email !== null && employers.some((one) => areSameDomain(email, textOf(one.website)));
	if (name === null) return { check: domainAgrees ? 'agrees' : 'unknown', differsIn: [] };

	const given = parseName(name);
	const found = parseName(
		asText(profile.full_name) ?? `${textOf(profile.first_name)} ${textOf(profile.last_name)}`,
	);
	const check = compareNames(given, found);
	if (check === 'differs') {
		const companyDiffers = company !== null && !companyAgrees;
		return { check, differsIn: companyDiffers ? ['name', 'company'] : ['name'] };
	}
	const isFirstNameOnly = given.words.length === 1 && found.words.length > 1;
	const needsMore = company !== null || isFirstNameOnly;
	const agrees = check === 'agrees' && (!needsMore || companyAgrees || domainAgrees);
	return { check: agrees ? 'agrees' : 'unknown', differsIn: [] };
}

/** How people write these letters where a keyboard or a system lacks them. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
	...{ ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' },
};

/** Two spellings of a word: `muller` and `mueller` for `Müller`. */
const spellingsOf = (word: string): [plain: string, spelledOut: string] => [
	withoutAccents(word),
	withoutAccents(word.replace(/[äöüøå]/g, (letter) => SPELLED_OUT[letter] ?? letter)),
];

type Word = ReturnType<typeof spellingsOf>;

/** Longer text is no name, and would take long to compare. */
const MAX_LENGTH = 200;

const wordsOf = (text: string): string[] =>
	text
		.slice(0, MAX_LENGTH)
		.replace(/[\p{Cf}'’‘`´ʼʻ]/gu, '')
		.normalize('NFKC')
		.toLowerCase()
		.split(/[^\p{L}\p{M}\p{N}]+/u)
		.filter(Boolean);

const TITLES = ['mr', 'mrs', 'ms', 'miss', 'dr', 'prof'];
/** A father and his son may differ in nothing else. */
const GENERATIONS = ['jr', 'sr', 'ii', 'iii'];
const SUFFIXES = [...GENERATIONS, 'phd', 'mba'];

interface Name {
	/** Without titles and suffixes. */
	readonly words: readonly Word[];
	readonly generation: string | undefined;
}

function parseName(name: string): Name {
	const words = wordsOf(name);
	const start = words.findIndex((word) => !TITLES.includes(word));
	const end = words.findLastIndex((word) => !SUFFIXES.includes(word));
	return {
		words: words.slice(Math.max(start, 0), end + 1).map(spellingsOf),
		generation: words.find((word) => GENERATIONS.includes(word)),
	};
}

function compareNames(given: Name, found: Name): MatchCheck {
	const { words: ours, generation } = given;
	const { words: theirs, generation: other } = found;
	if (ours.length === 0 || theirs.length === 0) return 'unknown';
	if (generation !== undefined && other !== undefined && generation !== other) return 'unknown';
	if (joined(ours) === joined(theirs) || isWithin(ours, theirs)) return 'agrees';
	const canDiffer = ours.length > 1 && theirs.length > 1 && haveSameScript(ours, theirs);
	const resemble = ours.some((one) => theirs.some((word) => areAlike(one, word)));
	return canDiffer && !resemble ? 'differs' : 'unknown';
}

const joined = (words: readonly Word[]): string => words.map(([plain]) => plain).join('');

/** Each word of a found name counts for one given word. */
function isWithin(given: readonly Word[], found: readonly Word[]): boolean {
	const left = [...found];
	const take = (fits: (word: Word) => boolean): boolean => {
		const index = left.findIndex(fits);
		if (index >= 0) left.splice(index, 1);
		return index >= 0;
	};
	const others = given.filter((word) => !take((other) => areEqual(word, other)));
	const hasWholeWord = given.some((word) => !isInitial(word) && !others.includes(word));
	return (
		hasWholeWord &&
		others.every((word) => isInitial(word) && take((other) => other[0].startsWith(word[0])))
	);
}

const areEqual = (one: Word, other: Word): boolean =>
	one.some((spelling) => other.includes(spelling));

const isInitial = ([plain]: Word): boolean => plain.length === 1;

/** In other scripts, one name may have several spellings that share no character, such as 張 and 张. */
const SCRIPTS = [/^\p{Script=Latin}+$/u, /^\p{Script=Cyrillic}+$/u, /^\p{Script=Greek}+$/u];

const haveSameScript = (ours: readonly Word[], theirs: readonly Word[]): boolean =>
	SCRIPTS.some((script) => script.test(joined(ours)) && script.test(joined(theirs)));

/** True if two words may be forms of one name. */
const areAlike = (one: Word, other: Word): boolean =>
	one.some((a) =>
		other.some((b) => {
			const [short, long] = a.length < b.length ? [a, b] : [b, a];
			if (short.length === 1) return long.startsWith(short);
			if (short === long) return true;
			// Nicknames often keep the beginning: Kate and Katherine.
			if (short.length >= 3 && (long.includes(short) || long.startsWith(short.slice(0, 3)))) {
				return true;
			}
			return long.length >= 4 && distance(short, long) <= 1;
		}),
	);

/** Levenshtein distance. */
function distance(one: string, other: string): number {
	let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (const [row, letter] of [...one].entries()) {
		const current = [row + 1];
		for (let column = 0; column < other.length; column++) {
			const replaced = (previous[column] ?? 0) + Number(letter !== other[column]);
			const added = (current[column] ?? 0) + 1;
			const removed = (previous[column + 1] ?? 0) + 1;
			current.push(Math.min(replaced, added, removed));
		}
		previous = current;
	}
	return previous[other.length] ?? 0;
}

/** The company's name without its legal form. */
function companySpellingsOf(name: string): Word {
	const { bare } = parseCompanyName(name.slice(0, MAX_LENGTH));
	return spellingsOf(wordsOf(bare.replace(/[&+]/g, ' and ').replace(/\./g, '')).join(''));
}

function isOneOf(company: string, others: readonly string[]): boolean {
	const ours = companySpellingsOf(company);
	return ours[0] !== '' && others.some((other) => areEqual(ours, companySpellingsOf(other)));
}

/** Also true if one is a subdomain of the other. */
function areSameDomain(email: string, website: string): boolean {
	const ours = parseWebAddress(email.slice(email.lastIndexOf('@') + 1))?.host;
	const theirs = parseWebAddress(website.trim())?.host;
	if (ours === undefined || theirs === undefined) return false;
	return ours === theirs || ours.endsWith(`.${theirs}`) || theirs.endsWith(`.${ours}`);
}
