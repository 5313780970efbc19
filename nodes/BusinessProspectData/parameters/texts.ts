import type { IDataObject } from 'n8n-workflow';
import { isEmpty, isObject, parsedJson } from '../core/json';
import { isFalseOrNaN, unwrapLocator } from './parameter';

/** What objects call a kind of value. */
export interface Members {
	/** Best first, in lower case, without spaces, `_` and `-`. A function joins parts. */
	readonly members: ReadonlyArray<string | ((textOf: (...names: string[]) => string) => string)>;
	/** True for words. In an object or a list, a number is an ID instead. */
	readonly isName?: boolean;
	/** True if an object has one value only. */
	readonly isSingle?: boolean;
	/** True if people write the text where they have no value. */
	readonly isNothing: (text: string) => boolean;
}

export const keyOf = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** What objects of forms, lists and other nodes call any value. The answer of a form comes before its question. */
const VALUES = ['displayvalue', 'value', 'values', 'text', 'plaintext', 'data', 'json'];

/** Objects in each other. */
const MAX_DEPTH = 3;

type Found = string | number | true | IDataObject;

/** The texts of a value, of a list or of an object, best first. What has none of the kind is given as it is. */
export function textsOf(raw: unknown, kind: Members, depth = 0): Found[] {
	const value = parsedCell(raw);
	if (value === null || value === undefined || isFalseOrNaN(value)) return [];
	if (Array.isArray(value)) {
		// Parts of one text, such as a bold word.
		const runs = value.map((entry: unknown) => isObject(entry) && entry.plain_text);
		if (runs.every((run) => typeof run === 'string')) return [runs.join('')];
		const list = value.flat(Infinity).sort((a, b) => rankOf(a, kind) - rankOf(b, kind));
		return list.flatMap((entry) => textsOf(entry, kind, depth));
	}
	if ((typeof value === 'number' || value === true) && kind.isName) return [value];
	if (!isObject(value)) return [String(value)];
	if (isEmpty(value)) return [];
	const members = membersOf(value);
	// Of a field of a form, the name isn't what was filled in.
	if (members.has('values')) members.delete('name');
	// `{ type: 'email', email: … }`, as forms and databases have it.
	const own = typeof value.type === 'string' ? [keyOf(value.type)] : [];
	// What a record holds comes before what is said about it, such as its own URL.
	const isNamed = kind.members.some((name) => typeof name === 'string' && members.has(name));
	// Beside a member of the kind, even an empty one, a number is an ID.
	const values = VALUES.filter((name) => !isNamed || typeof members.get(name) !== 'number');
	const names = ['answer', 'properties', 'fields', ...own, ...kind.members, ...values];
	const textsIn = (name: string) =>
		depth < MAX_DEPTH ? textsOf(members.get(name), kind, depth + 1) : [];
	const givenIn = (text: Found): string[] =>
		typeof text === 'string' && !kind.isNothing(text) ? [text] : [];
	const textOf = (...parts: string[]) => parts.flatMap(textsIn).flatMap(givenIn)[0] ?? '';
	const all = names.flatMap((name) =>
		typeof name === 'string' ? textsIn(name) : name(textOf) || [],
	);
	const texts = kind.isSingle ? all.flatMap(givenIn).slice(0, 1) : all;
	if (texts.length > 0) return texts;
	return [...members].some(([name, text]) => names.includes(name) && isEmpty(text)) ? [] : [value];
}

/** A list or an object that an expression or a database turned into text is one again. */
function parsedCell(raw: unknown): unknown {
	const value = unwrapLocator(raw);
	const parsed =
		typeof value === 'string' && /^\s*[[{]/.test(value) ? parsedJson(value) : undefined;
	return typeof parsed === 'object' ? parsed : value;
}

const membersOf = (object: IDataObject): Map<string, unknown> =>
	new Map(Object.keys(object).map((name) => [keyOf(name), object[name]]));

/** The primary one comes first, then the fields of a form that are called like the kind. */
function rankOf(entry: unknown, { members }: Members): number {
	if (!isObject(entry)) return members.length;
	if (isPrimary(entry)) return -1;
	const names = [entry.name, entry.label].map((name) => members.indexOf(keyOf(String(name))));
	return names.find((rank) => rank >= 0) ?? members.length;
}

const isPrimary = (entry: unknown): boolean =>
	isObject(entry) &&
	[...membersOf(entry)].some(([name, own]) =>
		name === 'metadata' ? isPrimary(own) : /^(is)?primary$/.test(name) && String(own) === 'true',
	);
