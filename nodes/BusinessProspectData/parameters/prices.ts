import type { INodeProperties } from 'n8n-workflow';
import { CHARGES } from '../catalog/prices';
import { isObject } from '../core/json';
import { formatNumber, isBlank, pluralize, trimInvisible } from '../core/text';
import { byDisplayName, parameterError } from './parameter';

/** Credits per record, by the value of a charge. */
export type Prices = ReadonlyMap<string, number>;

const MAX_PRICE = 1_000_000;

/** Prices have at most this many decimals, so that sums can be rounded without an error. */
const DECIMALS = 3;

export const roundCredits = (credits: number): number =>
	Math.round(credits * 10 ** DECIMALS) / 10 ** DECIMALS;

const PRICE_RULE = `is not a number of credits, such as 2 or 0.5. It must be from 0 to ${formatNumber(MAX_PRICE)}, with at most ${DECIMALS} decimals.`;

/**
 * A property of the credential. n8n 1.121 and newer show such collections in credentials. The price is text, so that one that was
 * left empty isn't taken for 0.
 */
export const pricesProperty: INodeProperties = {
	displayName: 'Prices (Optional)',
	name: 'prices',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, fixedCollection: { layout: 'inline' } },
	placeholder: 'Add Price',
	default: {},
	description:
		'What your account pays per record, for Estimate Only and Max Credits to Pay. The service publishes few prices; your contract may list yours.',
	options: [
		{
			displayName: 'Price',
			name: 'price',
			values: [
				{
					displayName: 'What',
					name: 'charge',
					type: 'options',
					default: '',
					options: byDisplayName(
						CHARGES.map(({ label, value, published }) => ({
							name: label,
							value,
							...(published !== undefined && {
								description: `Without a price here: ${pluralize(published, 'credit')}, as the service publishes for prospects that are requested one at a time`,
							}),
						})),
					),
					description: 'A data set, Match or Get Events',
				},
				{
					displayName: 'Credits per Record',
					name: 'credits',
					type: 'string',
					default: '',
					placeholder: 'e.g. 2 (credits per record)',
					description: 'Credits for each person or company',
				},
			],
		},
	],
};

/**
 * Reads the credential's Prices. A row without anything in it is ignored.
 *
 * @throws UserError for a price that isn't a number, is for nothing or for something unknown, or comes twice
 */
export function readPrices(saved: unknown): Prices {
	const rows: unknown[] = isObject(saved) && Array.isArray(saved.price) ? saved.price : [];
	const prices = new Map<string, number>();
	rows.forEach((row, index) => {
		const { charge = '', credits = '' } = isObject(row) ? row : {};
		const text = typeof credits === 'string' ? trimInvisible(credits) : credits;
		if (charge === '' && text === '') return;
		const known = CHARGES.find(({ value }) => value === charge);
		if (known === undefined) throw pricesError(`choose under What what price ${index + 1} is for.`);
		const { value, label } = known;
		if (prices.has(value)) throw pricesError(`${label} has two prices. Remove one.`);
		prices.set(value, readPrice(text, label));
	});
	return prices;
}

function readPrice(raw: unknown, label: string): number {
	if (raw === null || (typeof raw === 'string' && isBlank(raw))) {
		throw pricesError(`${label} has no price. Enter a number of credits, such as 2 or 0.5.`);
	}
	const price = typeof raw === 'string' ? Number(raw) : raw;
	if (
		typeof price !== 'number' ||
		!(price >= 0 && price <= MAX_PRICE) ||
		roundCredits(price) !== price
	) {
		throw pricesError(PRICE_RULE, raw, `: ${label}`);
	}
	return price;
}

const pricesError = (rule: string, value?: unknown, label = '') =>
	parameterError({ displayName: `Prices${label}`, name: pricesProperty.name }, rule, value);
