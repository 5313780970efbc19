/** Prices, as the credential saves them. */
import { CHARGES } from '../../../nodes/BusinessProspectData/catalog/prices';
import { pricesProperty, readPrices } from '../../../nodes/BusinessProspectData/parameters/prices';

const price = (charge: unknown, credits: unknown) => ({ charge, credits });

test.each<[saved: unknown, expected: Array<[string, number]>]>([
	[undefined, []],
	[null, []],
	['', []],
	[{}, []],
	[{ price: [] }, []],
	[{ price: [price('', ''), {}, price('', ' ')] }, []],
	[
		{ price: [price('profile', '2'), price('match', ' 0.5 ')] },
		[
			['profile', 2],
			['match', 0.5],
		],
	],
	[
		{ price: [price('profile', 0), price('match', '1000000')] },
		[
			['profile', 0],
			['match', 1e6],
		],
	],
])('%j is read', (saved, expected) => {
	expect([...readPrices(saved)]).toEqual(expected);
});

test.each<[price: object, message: string]>([
	[price('', '2'), 'Prices: choose under What what price 2 is for.'],
	[price('oops', '2'), 'Prices: choose under What what price 2 is for.'],
	[price('match', ''), 'Prices: Prospect: Match has no price.'],
	[price('match', null), 'Prices: Prospect: Match has no price.'],
	[price('profile', '2'), 'Prices: Prospect: Profile has two prices. Remove one.'],
	...['-1', '1,5', 'two', 'NaN', '1e99', 0.0001, Infinity, NaN, true, [], {}].map(
		(credits): [object, string] => [
			price('match', credits),
			'is not a number of credits, such as 2 or 0.5.',
		],
	),
])('%j is an error', (wrong, message) => {
	expect(() => readPrices({ price: [price('profile', '1'), wrong] })).toThrow(message);
});

test('each price can be set once, and says what it is without one', () => {
	const [group] = pricesProperty.options ?? [];
	const [charge] = group !== undefined && 'values' in group ? group.values : [];
	const options = charge?.options ?? [];

	expect(options).toHaveLength(CHARGES.length);
	expect(new Set(CHARGES.map(({ value }) => value)).size).toBe(CHARGES.length);
	expect(new Set(options.map(({ name }) => name)).size).toBe(CHARGES.length);
	expect(options.filter((option) => 'description' in option).map(({ name }) => name)).toEqual([
		'Prospect: Contacts, Email and Phone',
		'Prospect: Contacts, Email Only',
		'Prospect: Contacts, Phone Only',
	]);
});
