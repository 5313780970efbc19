/** Whatever is in a cell, the node reads a value of its kind or nothing. The rules here are written apart from the code. */
import fc from 'fast-check';
import {
	type CellKind,
	COMPANY_NAME,
	EMAIL,
	PERSON_NAME,
	PHONE,
	PROFILE_URL,
	readCell,
	WEBSITE,
} from '../../../nodes/BusinessProspectData/parameters/cells';

const isHost = (host: string) =>
	host.split('.').length > 1 &&
	host.split('.').every((label) => label.length > 0 && !/\s/.test(label)) &&
	/[a-z]/i.test(host.split('.').at(-1) ?? '') &&
	URL.canParse(`https://${host}`);

function isEmail(text: string): boolean {
	const at = text.indexOf('@');
	const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
	return (
		at > 0 &&
		!domain.includes('@') &&
		![...local].some((char) => char <= ' ' || '()<>[]:;@\\,"'.includes(char)) &&
		!local.startsWith('.') &&
		!local.endsWith('.') &&
		!local.includes('..') &&
		domain === domain.toLowerCase() &&
		isHost(domain)
	);
}

const digits = new Set('0123456789');
const isPhone = (text: string) => {
	const number = text.startsWith('+') ? text.slice(1) : text;
	return (
		number.length >= 7 &&
		number.length <= 15 &&
		[...number].every((char) => digits.has(char)) &&
		new Set(number).size > 1
	);
};

function isProfile(text: string): boolean {
	if (!URL.canParse(text)) return false;
	const url = new URL(text);
	return (
		// What is sent is what a parser makes of it.
		url.href === text &&
		url.protocol === 'https:' &&
		!url.hostname.startsWith('www.') &&
		isHost(url.hostname) &&
		url.pathname.length > 1 &&
		!url.pathname.endsWith('/') &&
		url.hash === '' &&
		[...url.searchParams.keys()].every((name) => name === 'id') &&
		url.username === ''
	);
}

const isWebsite = (text: string) => {
	const url = /^[a-z]+:\/\//i.test(text) ? text : `https://${text.replace(/^\/+/, '')}`;
	return !/\s/.test(text) && URL.canParse(url);
};

const WORDS_FOR_NOTHING = /^(n\/a|#n\/a|undefined|nil|tbd|0|-+|\?+|\.+|)$/i;
const isName = (text: string) =>
	text === text.trim() &&
	text === text.normalize('NFC') &&
	!/\p{Cs}/u.test(text) &&
	!WORDS_FOR_NOTHING.test(text) &&
	/[\p{L}\p{N}]/u.test(text.normalize('NFKC'));

const KINDS: ReadonlyArray<readonly [name: string, CellKind, (value: string) => boolean]> = [
	['email', EMAIL, isEmail],
	['phone', PHONE, isPhone],
	['profile', PROFILE_URL, isProfile],
	['website', WEBSITE, isWebsite],
	['person', PERSON_NAME, isName],
	['company', COMPANY_NAME, isName],
];

/** Pieces that cells are made of, so that many of the texts are nearly values. */
const piece = fc.constantFrom(
	...[' ', '\n', '\t', '\0', '\u0301', '\u200b', '\u00a0', '\ud83d'],
	...`@ . .. , ; : / // \\ ? # & = + - – _ % %2 %C3%A9 ( ) [ ] < > { } " ' ’ \` | * ~ ^ ! a Z é ß İ 王 ع 😀 ٣ ４
		0 1 44 555 7946 0000000 (0) ext. x E+11 tel: mailto: https: http:// www. network.example acme .com co.uk
		/in/ carla id= xn-- n/a null none unknown undefined #REF! Castro Inc. localhost 127.0.0.1`.split(
		/\s+/,
	),
);
const text = fc.oneof(
	fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
	fc.string({ unit: 'binary', maxLength: 40 }),
	fc.string({ unit: 'grapheme', maxLength: 40 }),
	fc.emailAddress(),
	fc.webUrl({ withFragments: true, withQueryParameters: true }),
);
const cell = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.anything());

test.each(KINDS)(
	'any cell is read as a value of its kind, or as none: %s',
	(_name, kind, isKind) => {
		fc.assert(
			fc.property(cell, (raw) => {
				const { value, ignored } = readCell(raw, kind);
				if (value !== null)
					expect([value, isKind(value), ignored]).toEqual([value, true, undefined]);
				// What is read is read again as itself.
				if (value !== null) expect(readCell(value, kind)).toEqual({ value });
			}),
			{ numRuns: 2_000 },
		);
	},
);

test.each(KINDS)('white space and quotes around a value change nothing: %s', (name, kind) => {
	const around = name === 'person' || name === 'company' ? '' : '"';
	fc.assert(
		fc.property(fc.oneof(text, fc.stringMatching(/^\+?[1-9]\d{7,13}$/)), (raw) => {
			const { value } = readCell(raw, kind);
			fc.pre(value !== null);
			expect(readCell(` \u200b${around}${value}${around}\n`, kind)).toEqual({ value });
		}),
		{ numRuns: 200, maxSkipsPerRun: 100 },
	);
});

test('a long cell takes no time that grows faster than its length', () => {
	for (const part of [...'a@ 1 ( x. / 1- a.b@ https:// + 00'.split(' '), ' ', '\u200b']) {
		for (const [, kind] of KINDS) {
			// A pattern with a quadratic or worse search would run into the test's time limit.
			for (const length of [100_000, 1_900]) {
				const text = part.repeat(length / part.length);
				const { value } = readCell(text, kind);
				expect(value === null || value.length <= text.length + 'https://'.length).toBe(true);
			}
		}
	}
});
