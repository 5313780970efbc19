import { type CellKind, isNoContact, SEVERAL, withoutInvisible } from './cells';

export interface WebAddress {
	/** In lower case, without `www.`. */
	readonly host: string;
	/** Empty, or `:` and the number. */
	readonly port: string;
	/** Begins with a slash. */
	readonly path: string;
	readonly query: URLSearchParams;
}

const SCHEME = /^(?:https?[:;]?[\\/]+|https?:|\/\/)+/i;

/** @param word text without white space; the scheme may be missing, or mistyped */
export function parseWebAddress(word: string): WebAddress | undefined {
	const rest = word.replace(SCHEME, '');
	// Another scheme, or an email address, which would parse as a user name at a host.
	if (/^[a-z][a-z\d+-]*:(?!\d)/i.test(rest) || /^[^/?#\\]*@/.test(rest)) return undefined;
	if (!URL.canParse(`https://${rest}`)) return undefined;
	const { hostname, port, pathname, searchParams } = new URL(`https://${rest}`);
	const host = hostname.replace(/^www\./, '').replace(/\.$/, '');
	if (!/^(?:[a-z\d_-]+\.)+[a-z][a-z\d-]+$/.test(host)) return undefined;
	const isDefault = port === '' || port === '80';
	return { host, port: isDefault ? '' : `:${port}`, path: pathname, query: searchParams };
}

/** Removes what may follow an address in text. A path may end with a bracket that it opens. */
const trimAddress = (text: string): string =>
	text.replace(
		text.includes('(') ? /(?<![\]}*.,;:!])[\]}*.,;:!]+$/ : /(?<![)\]}*.,;:!])[)\]}*.,;:!]+$/,
		'',
	);

const MAX_URL_LENGTH = 2_048;

interface AddressWord {
	readonly word: string;
	/** True if text follows that may belong to it: `/in/anna smith` isn't Anna's page. */
	readonly isOpen: boolean;
}

/** The words of a cell that may be web addresses, without quotes and brackets around them. */
function addressWords(text: string): AddressWord[] {
	const pieces = withoutInvisible(text)
		.replace(/\]\(|\](?=[?#])/g, '\n')
		.split(/([\s<>"'`“”„«»|]+|[,;](?=\s|$|https?:|www\.|[\w-]+(?:\.[\w-]+)+))/i);
	return pieces.flatMap((piece, index) => {
		// Between the pieces is what separates them. Text may have been cut off.
		if (index % 2 === 1 || piece.length > MAX_URL_LENGTH || /…|\.{3}$/.test(piece)) return [];
		const word = trimAddress(piece.replace(/^[([{=*]+/, '').replace(/^[a-z]+:(?=https?:)/i, ''));
		const next = pieces[index + 2] ?? '';
		const isOpen =
			piece.endsWith(word) &&
			/^[^\S\n]+$/.test(pieces[index + 1] ?? '') &&
			/^[\p{L}\p{N}]/u.test(next) &&
			parseWebAddress(next) === undefined;
		return [{ word, isOpen }];
	});
}

export const PROFILE_URL: CellKind = {
	description: 'not the address of a profile',
	maxLength: MAX_URL_LENGTH,
	separator: SEVERAL,
	members: ['profileurl', 'profile', 'url', 'href', 'hyperlink', 'link', 'uri', 'network'],
	isNothing: isNoContact,
	// Question marks, where a file was written in another encoding.
	lostLetters: /[\p{L}\p{N}](?:\?|%3f|%ef%bf%bd)/iu,
	read: (text) => {
		for (const { word, isOpen } of addressWords(text)) {
			const address = parseWebAddress(word);
			if (address === undefined || isOpen) continue;
			// `/in/jos?` was Josephine's or José's page.
			if (/[\p{L}\p{N}]\?(?![\w.%-]+=)|%3f|%ef%bf%bd/iu.test(word)) continue;
			const { port, path, query } = address;
			// The same page for phones, or in the language of a country.
			const host = address.host.replace(/^(?:m|mobile|[a-z]{2})\.(?=[^.]+\.[^.]+)/, '');
			const segments = path.split('/').map(encodeSegment).map(trimAddress).filter(Boolean);
			if (!segments.some((segment) => /[a-z\d]/i.test(segment))) continue;
			// Of the query, only an ID says whose profile it is.
			const [name, id] = [...query].find(([key]) => /^(?:id|user|uid|profile)$/i.test(key)) ?? [];
			return `https://${host}${port}/${segments.join('/')}${
				id ? `?${name}=${encodeURIComponent(id)}` : ''
			}`;
		}
		return undefined;
	},
};

/** Encodes equal segments equally, whatever was encoded before. */
function encodeSegment(segment: string): string {
	// A percent sign that encodes nothing.
	const encoded = segment.replace(/%(?![\da-f]{2})/gi, '%25');
	try {
		return encodeURIComponent(decodeURIComponent(encoded).normalize('NFC').trim()).replace(
			/%(?:24|26|2B|2C|3A|3B|3D|40)/g,
			decodeURIComponent,
		);
	} catch {
		// Bytes in another encoding than UTF-8.
		return encoded.replace(/%[\da-f]{2}/gi, (code) => code.toUpperCase());
	}
}

export const WEBSITE: CellKind = {
	description: 'not a web address',
	maxLength: MAX_URL_LENGTH,
	separator: SEVERAL,
	members: [
		'website',
		'websiteurl',
		'domain',
		'url',
		'homepage',
		'href',
		'hyperlink',
		'link',
		'uri',
	],
	isNothing: isNoContact,
	read: (text) => {
		const [word] = addressWords(text)
			.map(({ word }) => word)
			.filter((word) => parseWebAddress(word) !== undefined);
		// Without a scheme that is mistyped.
		return word === undefined || /^https?:\/\/\w/i.test(word) ? word : word.replace(SCHEME, '');
	},
};
