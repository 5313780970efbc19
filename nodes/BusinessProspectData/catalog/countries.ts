import { lazy } from '../core/lazy';

/** ISO 3166-1, as in version 4.4.0 of the npm package iso-3166: three-letter and two-letter codes. */
const COUNTRY_CODES = `
	abw:aw afg:af ago:ao aia:ai ala:ax alb:al and:ad are:ae arg:ar arm:am asm:as ata:aq atf:tf atg:ag aus:au
	aut:at aze:az bdi:bi bel:be ben:bj bes:bq bfa:bf bgd:bd bgr:bg bhr:bh bhs:bs bih:ba blm:bl blr:by blz:bz
	bmu:bm bol:bo bra:br brb:bb brn:bn btn:bt bvt:bv bwa:bw caf:cf can:ca cck:cc che:ch chl:cl chn:cn civ:ci
	cmr:cm cod:cd cog:cg cok:ck col:co com:km cpv:cv cri:cr cub:cu cuw:cw cxr:cx cym:ky cyp:cy cze:cz deu:de
	dji:dj dma:dm dnk:dk dom:do dza:dz ecu:ec egy:eg eri:er esh:eh esp:es est:ee eth:et fin:fi fji:fj flk:fk
	fra:fr fro:fo fsm:fm gab:ga gbr:gb geo:ge ggy:gg gha:gh gib:gi gin:gn glp:gp gmb:gm gnb:gw gnq:gq grc:gr
	grd:gd grl:gl gtm:gt guf:gf gum:gu guy:gy hkg:hk hmd:hm hnd:hn hrv:hr hti:ht hun:hu idn:id imn:im ind:in
	iot:io irl:ie irn:ir irq:iq isl:is isr:il ita:it jam:jm jey:je jor:jo jpn:jp kaz:kz ken:ke kgz:kg khm:kh
	kir:ki kna:kn kor:kr kwt:kw lao:la lbn:lb lbr:lr lby:ly lca:lc lie:li lka:lk lso:ls ltu:lt lux:lu lva:lv
	mac:mo maf:mf mar:ma mco:mc mda:md mdg:mg mdv:mv mex:mx mhl:mh mkd:mk mli:ml mlt:mt mmr:mm mne:me mng:mn
	mnp:mp moz:mz mrt:mr msr:ms mtq:mq mus:mu mwi:mw mys:my myt:yt nam:na ncl:nc ner:ne nfk:nf nga:ng nic:ni
	niu:nu nld:nl nor:no npl:np nru:nr nzl:nz omn:om pak:pk pan:pa pcn:pn per:pe phl:ph plw:pw png:pg pol:pl
	pri:pr prk:kp prt:pt pry:py pse:ps pyf:pf qat:qa reu:re rou:ro rus:ru rwa:rw sau:sa sdn:sd sen:sn sgp:sg
	sgs:gs shn:sh sjm:sj slb:sb sle:sl slv:sv smr:sm som:so spm:pm srb:rs ssd:ss stp:st sur:sr svk:sk svn:si
	swe:se swz:sz sxm:sx syc:sc syr:sy tca:tc tcd:td tgo:tg tha:th tjk:tj tkl:tk tkm:tm tls:tl ton:to tto:tt
	tun:tn tur:tr tuv:tv twn:tw tza:tz uga:ug ukr:ua umi:um ury:uy usa:us uzb:uz vat:va vct:vc ven:ve vgb:vg
	vir:vi vnm:vn vut:vu wlf:wf wsm:ws yem:ye zaf:za zmb:zm zwe:zw
`;

/** Names in ISO 3166-1 that differ from those of `Intl.DisplayNames`. */
const ISO_COUNTRY_NAMES: ReadonlyArray<readonly [code: string, name: string]> = [
	['bn', 'Brunei Darussalam'],
	['bo', 'Bolivia, Plurinational State of'],
	['bq', 'Bonaire, Sint Eustatius and Saba'],
	['cd', 'Congo, Democratic Republic of the'],
	['cg', 'Congo'],
	['cv', 'Cabo Verde'],
	['fk', 'Falkland Islands (Malvinas)'],
	['fm', 'Micronesia, Federated States of'],
	['gb', 'United Kingdom of Great Britain and Northern Ireland'],
	['hk', 'Hong Kong'],
	['hm', 'Heard Island and McDonald Islands'],
	['ir', 'Iran, Islamic Republic of'],
	['kp', "Korea, Democratic People's Republic of"],
	['kr', 'Korea, Republic of'],
	['la', "Lao People's Democratic Republic"],
	['md', 'Moldova, Republic of'],
	['mf', 'Saint Martin (French part)'],
	['mm', 'Myanmar'],
	['mo', 'Macao'],
	['nl', 'Kingdom of the Netherlands'],
	['pn', 'Pitcairn'],
	['ps', 'Palestine, State of'],
	['ru', 'Russian Federation'],
	['sh', 'Saint Helena, Ascension and Tristan da Cunha'],
	['sx', 'Sint Maarten (Dutch part)'],
	['sy', 'Syrian Arab Republic'],
	['tw', 'Taiwan, Province of China'],
	['tz', 'Tanzania, United Republic of'],
	['um', 'United States Minor Outlying Islands'],
	['us', 'United States of America'],
	['va', 'Holy See'],
	['ve', 'Venezuela, Bolivarian Republic of'],
	['vg', 'Virgin Islands (British)'],
	['vi', 'Virgin Islands (U.S.)'],
];

/** Everyday names that neither has. */
const OTHER_NAMES: ReadonlyArray<readonly [code: string, name: string]> = [
	['ae', 'UAE'],
	['ci', 'Ivory Coast'],
	['cz', 'Czech Republic'],
	['gb', 'Great Britain'],
	['mk', 'Macedonia'],
	['sz', 'Swaziland'],
	['tr', 'Turkey'],
	['us', 'U.S.A.'],
	['mm', 'Burma'],
];

const byThreeLetters = new Map(
	COUNTRY_CODES.trim()
		.split(/\s+/)
		.map((codes): [string, string] => [codes.slice(0, 3), codes.slice(4)]),
);
/** Kosovo has no code in ISO 3166-1, but this one in general use. */
const twoLetters = new Set([...byThreeLetters.values(), 'xk']);

/** Without accents, punctuation and `the`. */
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
	const entries = [...twoLetters].flatMap((code) =>
		displayNames.flatMap((display) => {
			const name = display.of(code.toUpperCase()) ?? '';
			// `Myanmar (Burma)` is found without the brackets, too.
			return [name, name.replace(/\(.*\)/, '')].map((text) => [code, text] as const);
		}),
	);
	return new Map(
		[...entries, ...ISO_COUNTRY_NAMES, ...OTHER_NAMES].map(([code, name]) => [nameKey(name), code]),
	);
});

/** The two-letter code of a country, given as a code of two or three letters, or by its English name. */
export function parseCountry(text: string): string | undefined {
	const code = text.trim().toLowerCase();
	if (twoLetters.has(code)) return code;
	const ofThree = byThreeLetters.get(code);
	if (ofThree !== undefined) return ofThree;
	return codesByName().get(nameKey(text));
}

/** Lists all countries in the editor. */
export const COUNTRIES_METHOD = 'getCountries';

/** By name. */
export function listCountries(): Array<{ name: string; value: string }> {
	const display = new Intl.DisplayNames(['en'], { type: 'region' });
	return [...twoLetters]
		.map((value) => ({ name: display.of(value.toUpperCase()) ?? value, value }))
		.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}
