/** Text without what mail programs and web pages have around it. A link gives its address if the text may be one. */
export const withoutMarkup = (text: string, mayBeAddress: boolean): string =>
	/[&<]|=\?/.test(text) ? withoutTags(decodeEntities(decodeWords(text)), mayBeAddress) : text;

/** Of mail headers (RFC 2047), such as `=?UTF-8?Q?Jos=C3=A9?=`. */
const ENCODED_WORD =
	/=\?(utf-8|us-ascii|iso-8859-\d|iso-8859-15|windows-125\d)\?([bq])\?([^?]*)\?=/gi;

const decodeWords = (text: string): string =>
	text
		.replace(/\?=\s+=\?/g, '?==?')
		.replace(ENCODED_WORD, (_, charset: string, encoding: string, body: string) => {
			const byteOf = (_code: string, hex: string) => String.fromCharCode(Number(`0x${hex}`));
			const quoted = () => body.replace(/_/g, ' ').replace(/=([\da-f]{2})/gi, byteOf);
			const bytes = /b/i.test(encoding)
				? Buffer.from(body, 'base64')
				: Buffer.from(quoted(), 'latin1');
			return new TextDecoder(charset).decode(bytes);
		});

const withoutTags = (text: string, mayBeAddress: boolean): string =>
	text.replace(/<\/?[a-z][a-z\d]*(?=[\s/>])([^<>]*)>/gi, (_tag, inside: string) => {
		const [, link = ''] = /\shref\s?=\s?["']?([^"'\s]+)/i.exec(inside) ?? [];
		return mayBeAddress ? `\n${link}\n` : ' ';
	});

const ENTITIES: Readonly<Record<string, string>> = {
	...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', rsquo: "'", ndash: '-' },
	...{ szlig: 'ß', oslash: 'ø', Oslash: 'Ø', aelig: 'æ', AElig: 'Æ', trade: '™', reg: '®' },
};
/** Of entities such as `&eacute;`. */
const ACCENTS: Readonly<Record<string, string>> = {
	...{ grave: '\u0300', acute: '\u0301', circ: '\u0302', tilde: '\u0303', uml: '\u0308' },
	...{ ring: '\u030a', caron: '\u030c', cedil: '\u0327' },
};

const decodeEntities = (text: string): string =>
	text
		.replace(/&#(x[\da-f]{1,5}|\d{1,6});/gi, (_, code: string) =>
			String.fromCodePoint(Math.min(0x10ffff, Number(code.replace(/^x/i, '0x')))),
		)
		.replace(/&([a-z])([a-z]{3,5});/gi, (entity, letter: string, accent: string) =>
			Object.hasOwn(ACCENTS, accent) ? `${letter}${ACCENTS[accent]}`.normalize('NFC') : entity,
		)
		.replace(/&(\w{2,6});/g, (entity, name: string) => ENTITIES[name] ?? entity);
