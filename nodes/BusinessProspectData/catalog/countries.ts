import { lazy } from '../core/collections';

/** ISO 3166-1, and Kosovo, whose code is in general use. */
const COUNTRY_CODES = `
	ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz
	ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo
	fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je
	jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo
	mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw
	py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf tg th tj tk tl tm
	tn to tr tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws xk ye yt za zm zw
`
	.trim()
	.split(/\s+/);

/** Names that `Intl.DisplayNames` lacks: those of ISO 3166-1, and others that people write. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
	ae: ['UAE'],
	bn: ['Brunei Darussalam'],
	bo: ['Bolivia, Plurinational State of'],
	cd: ['DR Congo', 'DRC', 'Democratic Republic of the Congo', 'Congo, Democratic Republic of the'],
	cg: ['Congo', 'Republic of the Congo'],
	ci: ['Ivory Coast'],
	cn: ["People's Republic of China", 'PRC'],
	cv: ['Cabo Verde'],
	cz: ['Czech Republic'],
	fm: ['Micronesia, Federated States of'],
	gb: ['Great Britain', 'GBR', 'United Kingdom of Great Britain and Northern Ireland'],
	hk: ['Hong Kong', 'Hong Kong SAR', 'Hong Kong, China'],
	ir: ['Iran, Islamic Republic of'],
	kp: ["Korea, Democratic People's Republic of", "Democratic People's Republic of Korea"],
	kr: ['Republic of Korea', 'Korea, Republic of'],
	la: ["Lao People's Democratic Republic"],
	md: ['Moldova, Republic of'],
	mk: ['Macedonia'],
	mm: ['Burma'],
	mo: ['Macau', 'Macao', 'Macau SAR', 'Macau, China'],
	nl: ['Holland', 'Kingdom of the Netherlands', 'The Netherlands'],
	ps: ['Palestine, State of'],
	ru: ['Russian Federation'],
	sk: ['Slovak Republic'],
	sy: ['Syrian Arab Republic'],
	sz: ['Swaziland'],
	tl: ['East Timor'],
	tr: ['Turkey'],
	tw: ['Taiwan, China', 'Taiwan, Province of China'],
	tz: ['Tanzania, United Republic of'],
	us: ['USA', 'United States of America', 'United States (US)', 'Georgia, USA', 'Georgia, US'],
	va: ['Holy See'],
	ve: ['Venezuela, Bolivarian Republic of'],
	vg: ['Virgin Islands (British)'],
	vi: ['Virgin Islands (U.S.)'],
};

/** The name without accents, punctuation and `the`. */
const nameKey = (name: string): string =>
	name
		.normalize('NFKD')
		.toLowerCase()
		.replaceAll('&', ' and ')
		.replace(/\bsaint\b/g, 'st')
		.replace(/\bthe\b/g, '')
		.replace(/[^\p{L}\p{N}]/gu, '');

const codesByName = lazy((): ReadonlyMap<string, string> => {
	const displayNames = (['long', 'short'] as const).map(
		(style) => new Intl.DisplayNames(['en'], { type: 'region', style }),
	);
	const entries = COUNTRY_CODES.flatMap((code) =>
		displayNames.flatMap((display) => {
			const name = display.of(code.toUpperCase()) ?? '';
			// `Myanmar (Burma)` is found without the brackets, too.
			return [name, name.replace(/\([^(]*\)/, ''), ...(OTHER_NAMES[code] ?? [])].map(
				(text) => [nameKey(text), code] as const,
			);
		}),
	);
	return new Map(entries);
});

/** The two-letter code of a country, given as such, or by its English name. */
export function parseCountry(text: string): string | undefined {
	const code = text.trim().toLowerCase();
	// Somebody wants to leave the country out.
	if (/^[!-]/.test(code)) return undefined;
	return COUNTRY_CODES.includes(code) ? code : codesByName().get(nameKey(text));
}

/** Lists all countries in the editor. */
export const COUNTRIES_METHOD = 'getCountries';

export function listCountries(): Array<{ name: string; value: string }> {
	const display = new Intl.DisplayNames(['en'], { type: 'region' });
	return COUNTRY_CODES.map((value) => ({
		name: display.of(value.toUpperCase()) ?? value,
		value,
	})).sort((one, other) => one.name.localeCompare(other.name, 'en'));
}
