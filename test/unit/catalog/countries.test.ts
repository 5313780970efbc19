import { parseCountry } from '../../../nodes/BusinessProspectData/catalog/countries';

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const pairs = letters.flatMap((first) => letters.map((second) => first + second));
const codes = pairs.filter((pair) => parseCountry(pair) === pair.toLowerCase());

test('knows the 249 codes of ISO 3166-1 and that of Kosovo, and each by its name', () => {
	expect(codes).toHaveLength(250);
	expect(codes.map((code) => parseCountry(names.of(code) ?? ''))).toEqual(
		codes.map((code) => code.toLowerCase()),
	);
});

test.each([
	...['EU', 'UN', 'ZZ', 'AA', 'SU', 'u1', 'us1', '', '-', 'eur', '#N/A', 'N.A.', '(na)', '!us'],
	...['Europe', 'British', 'Korea', 'Germany France', 'n/a'],
])('%s is no country', (text) => {
	expect(parseCountry(text)).toBeUndefined();
});

test.each([
	['UK', 'gb'],
	['UAE', 'ae'],
	['Great Britain', 'gb'],
	['U.S.A.', 'us'],
	[' De ', 'de'],
	['the united states of america', 'us'],
	['Korea, Republic of', 'kr'],
	['Saint Lucia', 'lc'],
	['CURACAO', 'cw'],
	['Hong Kong, China', 'hk'],
	['Taiwan, China', 'tw'],
	['Georgia, USA', 'us'],
	['Republic of Korea', 'kr'],
	['DR Congo', 'cd'],
	['Democratic Republic of the Congo', 'cd'],
	["Democratic People's Republic of Korea", 'kp'],
	['PRC', 'cn'],
	['Slovak Republic', 'sk'],
	['Holland', 'nl'],
	['Macau', 'mo'],
	['United States (US)', 'us'],
])('%s is %s', (text, code) => {
	expect(parseCountry(text)).toBe(code);
});
