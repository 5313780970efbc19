import { type CellKind, isNoContact, withoutInvisible } from './cells';

const SCHEME = /^(?:https?[:;]?[\\/]+|https?:|\/\/)+/i;

/** Of text without white space; the scheme may be missing, or mistyped. The port is empty, or `:` and the number. */
export function parseWebAddress(word: string) {
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

/** The words of a cell that may be web addresses, without quotes and brackets around them. */
const addressWords = (text: string): string[] =>
	withoutInvisible(text)
		.replace(/\]\(|\](?=[?#])/g, ' ')
		.split(/[\s<>"'`“”„«»|]+|[,;](?=\s|$|https?:|www\.|[\w-]+(?:\.[\w-]+)+)/i)
		// Text that was cut off.
		.filter((word) => !/…|\.{3}$/.test(word))
		.map((word) => trimAddress(word.replace(/^[([{=*]+/, '').replace(/^[a-z]+:(?=https?:)/i, '')));

export const PROFILE_URL: CellKind = {
	description: 'not the address of a profile',
	maxLength: 2_048,
	members: ['profileurl', 'profile', 'url', 'href', 'hyperlink', 'link', 'uri', 'network'],
	isNothing: isNoContact,
	read: (text) => {
		const words = addressWords(text);
		for (const [index, word] of words.entries()) {
			const address = parseWebAddress(word);
			if (address === undefined) continue;
			const { port, path, query } = address;
			// The same page for phones, or in the language of a country.
			const host = address.host.replace(/^(?:m|mobile|[a-z]{2})\.(?=[^.]+\.[^.]+)/, '');
			const segments = path.split('/').map(encodeSegment).map(trimAddress).filter(Boolean);
			if (!segments.some((segment) => /[a-z\d]/i.test(segment))) continue;
			// `/in/jos?` may be José's page: a question mark that begins no query was a letter in another encoding.
			if (/[\p{L}\p{N}]\?(?![\w.%-]+=)|%3f|%ef%bf%bd/iu.test(word)) return null;
			// `/in/anna smith` isn't Anna's.
			const rest = text.slice(text.indexOf(word) + word.length);
			const isWithNext = parseWebAddress(words[index + 1] ?? '') !== undefined;
			if (/^[^\S\n][\p{L}\p{N}]/u.test(rest) && !isWithNext) return undefined;
			// Of the query, only an ID says whose profile it is.
			const [name, id] = [...query].find(([key]) => /^(?:id|user|uid|profile)$/i.test(key)) ?? [];
			const own = id ? `?${name}=${encodeURIComponent(id)}` : '';
			return `https://${host}${port}/${segments.join('/')}${own}`;
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
	maxLength: 2_048,
	members: ['website', 'websiteurl', 'domain', 'url', 'href', 'hyperlink', 'link'],
	isNothing: isNoContact,
	read: (text) => {
		const word = addressWords(text).find((text) => parseWebAddress(text) !== undefined);
		// Without a scheme that is mistyped.
		return word === undefined || /^https?:\/\/\w/i.test(word) ? word : word.replace(SCHEME, '');
	},
};
