/** Letters of many scripts, composed and not, right to left, outside the first plane, invisible; quotes; no blanks around. */
export const EVERY_KIND_OF_TEXT = [
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
