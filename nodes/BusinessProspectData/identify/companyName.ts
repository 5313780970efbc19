import {
	ATTACHED_LEGAL_FORMS,
	LEADING_LEGAL_FORMS,
	LEGAL_FORMS,
	NOT_LEGAL_FORMS,
} from '../catalog/legalForms';
import { lazy } from '../core/collections';
import { plainCharacters, plainMarks, trimmer, withoutAccents } from '../core/text';

/** Empty for a blank name. */
export const comparableName = (name: string): string =>
	plainMarks(plainCharacters(name)).toLowerCase();

/** The text's words without accents and punctuation. */
const looseWords = (text: string): string =>
	withoutAccents(comparableName(text))
		.replace(/[&+]/g, ' and ')
		.replace(/[.'’‘`´]/g, '')
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
		.trim();

const condensed = (text: string): string => looseWords(text).replace(/ /g, '');

/** The first spelling of each form, by all its spellings. */
const firstSpellings = lazy(
	() =>
		new Map(
			LEGAL_FORMS.flatMap(([first = '', ...others]) =>
				[first, ...others].map((spelling) => [condensed(spelling), condensed(first)] as const),
			),
		),
);

const leadingForms = lazy(() => new Set(LEADING_LEGAL_FORMS.map(condensed)));

/** More words than any legal form has. */
const MAX_FORM_WORDS = 8;
/** More legal forms than any name has. */
const MAX_FORMS = 5;

export interface ParsedName {
	/** The name without its legal forms, spelled as it was. */
	readonly bare: string;
	/** For example, `ltd` for Limited. */
	readonly forms: readonly string[];
	/** Equal for names that differ only in their spelling or legal form. */
	readonly key: string;
	/** The name without a first word that may be a legal form: SIA Acme, but also SAS Institute. */
	readonly rest?: string | undefined;
}

/** A name that is nothing but a legal form is left as it is. */
export function parseCompanyName(name: string): ParsedName {
	const bare = plainCharacters(name);
	let parsed: ParsedName = { bare, forms: [], key: looseWords(bare) };
	for (let count = 0; count < MAX_FORMS; count++) {
		const shorter = withoutForm(parsed);
		if (shorter === undefined) break;
		parsed = shorter;
	}
	const [front = ''] = FRONT.exec(parsed.bare) ?? [];
	return { ...parsed, rest: split(parsed, parsed.bare.slice(front.length), front)?.bare };
}

const FRONT = /^\S+\s/;

const trimName = trimmer(/[\s,&+«»"„“”-]/);

/** Undefined unless the form is one, and the rest a name. */
function split({ forms }: ParsedName, rest: string, form: string): ParsedName | undefined {
	const known = firstSpellings().get(condensed(form));
	if (known === undefined || NOT_LEGAL_FORMS.includes(form.trim())) return undefined;
	const bare = trimName(rest);
	const key = looseWords(bare);
	return key === '' ? undefined : { bare, forms: [...forms, known], key };
}

/** Undefined if there is no legal form before, after or around the name. */
function withoutForm(parsed: ParsedName): ParsedName | undefined {
	const { bare: name } = parsed;
	for (const form of ATTACHED_LEGAL_FORMS) {
		if (name.endsWith(form)) return split(parsed, name.slice(0, -form.length), form);
		if (name.startsWith(form)) return split(parsed, name.slice(form.length), form);
	}
	const [front = ''] = FRONT.exec(name) ?? [];
	if (leadingForms().has(condensed(front))) return split(parsed, name.slice(front.length), front);
	// The longest form first: "GmbH & Co. KG" before "KG".
	for (const { index } of [...name.matchAll(/[\s,(]+/g)].slice(-MAX_FORM_WORDS)) {
		const form = name.slice(index);
		// `PT Acme Tbk` is an Acme of the form `PT Tbk`.
		const shorter =
			split(parsed, name.slice(front.length, index), front + form) ??
			split(parsed, name.slice(0, index), form);
		if (shorter !== undefined) return shorter;
	}
	return undefined;
}

/** A legal form that one of the names lacks may be either's, but `Acme AG` and `Acme Ltd` are two companies. */
export function areAlike(one: ParsedName, other: ParsedName): boolean {
	const isWithin = (forms: readonly string[], all: readonly string[]) =>
		forms.every((form) => all.includes(form));
	return (
		one.key === other.key && (isWithin(one.forms, other.forms) || isWithin(other.forms, one.forms))
	);
}

/** The beginning of the name, without the legal form, up to where other spellings may differ: autocomplete finds it. */
export function partialName(name: string): string {
	const { bare } = parseCompanyName(name);
	const [beginning = ''] = /^[\p{L}\p{M}\p{N} ]+/u.exec(bare) ?? [];
	return beginning.trim().length > 2 ? beginning.trim() : bare;
}

/** Varies the spelling of each name, because the service may compare names exactly. */
export function spellingsOf(companyNames: readonly string[]): string[] {
	const names = companyNames.flatMap((name) => [name, plainCharacters(name)]);
	const inCases = names.flatMap((name) => {
		const lower = name.toLowerCase();
		const title = lower.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase());
		return [title, lower, name.toUpperCase()];
	});
	return [...new Set([...names, ...inCases])];
}

/** The spellings of the names without their legal forms. */
export const bareSpellingsOf = (companyNames: readonly string[]): string[] =>
	spellingsOf(
		companyNames
			.map(parseCompanyName)
			.flatMap(({ bare, forms, rest = [] }) => [forms.length > 0 ? bare : [], rest].flat()),
	);
