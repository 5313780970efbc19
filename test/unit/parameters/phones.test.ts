/** Phone numbers of every country, in the forms that people write. Google's libphonenumber knows what is right. */
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { PHONE } from '../../../nodes/BusinessProspectData/parameters/cellKinds';
import { readCell } from '../../../nodes/BusinessProspectData/parameters/cells';

/** @param zero that of the national number, if the country has one */
function formsOf(code: string, local: string, zero: string): string[] {
	const [first = '', ...others] = local.split(' ');
	const rest = others.join(' ');
	return [
		`+${code} ${zero}${local}`,
		`+${code}${zero}${local.replace(/\D/g, '')}`,
		`00${code} ${zero}${local}`,
		`(+${code}) ${zero}${local}`,
		`tel:+${code}-${zero}${local.replaceAll(' ', '-')}`,
		`+${code}.${zero}${local.replaceAll(' ', '.')}`,
		`+${code} (${zero}${first}) ${rest}`,
		`+${code}(${zero}${first})${rest}`,
		...(zero === '' ? [] : [`+${code} (0)${local}`, `+${code}(0)${local}`, `+${code} 0 ${local}`]),
	];
}

test('a number of any country loses the zero that is not dialed after the code, and no other', () => {
	const read = getCountries().flatMap((country) => {
		const example = getExampleNumber(country, examples);
		if (example === undefined) return [];
		const { countryCallingCode: code, nationalNumber, number } = example;
		const hasZero = example.formatNational().replace(/\D/g, '') === `0${nationalNumber}`;
		const local = example.formatInternational().slice(`+${code} `.length);
		const forms = ['', ...(hasZero ? ['0'] : [])].flatMap((zero) => formsOf(code, local, zero));
		return forms.map((form) => [country, form, readCell(form, PHONE).value, number]);
	});

	expect(read.length).toBeGreaterThan(2_000);
	expect(read.filter(([, , value, number]) => value !== number)).toEqual([]);
});
