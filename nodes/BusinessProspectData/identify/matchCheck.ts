import { asText, isObject, textOf } from '../core/json';
import { withoutAccents } from '../core/text';
import { MATCH_CHECK } from '../fields/columns';
import type { Row } from '../fields/row';

/** Whether the person found is probably the one who was meant. */
export type MatchCheck = 'agrees' | 'differs' | 'unknown';

/** Adds the result of the check to a row that has a match. `profile`: see contract, Prospect profile data. */
export function withMatchCheck(row: Row, name: string | null, profile: unknown): Row {
	if (row.failure !== undefined) return row;
	const { full_name: full, first_name: first, last_name: last } = isObject(profile) ? profile : {};
	const profileName = asText(full) ?? `${textOf(first)} ${textOf(last)}`;
	const record = { match_check: compareNames(name ?? '', profileName) };
	return { ...row, records: { ...row.records, [MATCH_CHECK.source]: record } };
}

/** Longer text is no name, and would take long to compare. */
const MAX_LENGTH = 200;

const TITLES = ['mr', 'mrs', 'ms', 'miss', 'dr', 'prof', 'jr', 'sr', 'ii', 'iii', 'phd', 'mba'];

/** `mueller` as `müller` without its dots. Short names stay: Joe isn't Jo. */
const withPlainVowels = (word: string): string =>
	word.length < 4 ? word : word.replace(/([aou])e|aa/g, (_, vowel: string = 'a') => vowel);

const isLatin = (words: readonly string[]): boolean => /\p{Script=Latin}/u.test(words.join(''));

const wordsOf = (name: string): string[] => [
	...new Set(
		withoutAccents(name.slice(0, MAX_LENGTH).normalize('NFKC').toLowerCase())
			.replace(/[\p{Cf}'’‘`´]/gu, '')
			.split(/[^\p{L}\p{M}\p{N}]+/u)
			.filter((word) => word !== '' && !TITLES.includes(word))
			.map(withPlainVowels),
	),
];

/** `agrees` if one name is within the other, with two words or more; `differs` only if two names of at least two words, both in Latin letters or both without, have none in common. */
export function compareNames(given: string, found: string): MatchCheck {
	const [ours, theirs] = [wordsOf(given), wordsOf(found)];
	const [fewer, more] = ours.length < theirs.length ? [ours, theirs] : [theirs, ours];
	const common = fewer.filter((word) => more.includes(word)).length;
	if (common > 1 && common === fewer.length) return 'agrees';
	const isComparable = fewer.length > 1 && isLatin(ours) === isLatin(theirs);
	return common === 0 && isComparable ? 'differs' : 'unknown';
}
