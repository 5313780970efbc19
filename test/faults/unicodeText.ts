/** Many scripts, combining marks, right-to-left, astral and invisible characters, quotes. Not padded with white space. */
export const UNICODE_TEXT = [
	'Zoë Ñandú Straße ı İ',
	'e\u0301 a\u030a (not composed)',
	'Οδυσσέας Дмитрий',
	'山田 太郎 한국어 हिन्दी ไทย',
	'שלום עולם مرحبا',
	'𠮷野 𝒳',
	'👩‍👩‍👧‍👦 🇩🇪 👍🏽',
	'\u200b\u202e\u2028\ufeff',
	'"quoted" \\back /slash <b>&amp;</b> {{ $json.x }} \u0000 \t.',
].join(' | ');

/** The same as a name that is sent: composed, without invisible characters and with single spaces. */
export const UNICODE_NAME = UNICODE_TEXT.replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
	.replace(/\s+/g, ' ')
	.normalize('NFC');
