import type { IExecuteFunctions } from 'n8n-workflow';
import { loadCredential } from '../api/client';
import { toOutcomeAsync } from '../api/errors';
import type { Charge } from '../catalog/prices';
import type { Outcome } from '../core/outcome';
import { pluralize } from '../core/text';
import { type Prices, pricesProperty, readPrices, roundCredits } from '../parameters/prices';

export const NO_PRICES: Prices = new Map();

/** The account's own prices. Fails if the credential can't be read, or has an invalid price. */
export const loadPrices = async (context: IExecuteFunctions): Promise<Outcome<Prices>> =>
	await toOutcomeAsync(async () => readPrices((await loadCredential(context)).prices));

/** The account's own price comes before a published one. Undefined if there is neither. */
export const creditsOf = ({ value, published }: Charge, prices: Prices): number | undefined =>
	prices.get(value) ?? published;

interface Cost {
	/** Of all charges that have a price. */
	readonly credits: number;
	/** The charges without a price. Each is there once. */
	readonly unpriced: readonly Charge[];
	/** The charges at a published price. Each is there once. */
	readonly published: readonly Charge[];
}

function costOf(charges: readonly Charge[], prices: Prices): Cost {
	const unpriced = new Map<string, Charge>();
	const published = new Map<string, Charge>();
	let credits = 0;
	for (const charge of charges) {
		const price = creditsOf(charge, prices);
		if (price === undefined) unpriced.set(charge.name, charge);
		else if (!prices.has(charge.value)) published.set(charge.name, charge);
		credits = roundCredits(credits + (price ?? 0));
	}
	return { credits, unpriced: [...unpriced.values()], published: [...published.values()] };
}

const labelsOf = (charges: readonly Charge[]): string =>
	charges.map(({ label }) => label).join(', ');

/** What is missing to know what the charges cost, and what to do. Undefined if nothing is. */
export function unknownPrices(
	charges: readonly Charge[],
	{ value: prices, failure }: Outcome<Prices>,
): string | undefined {
	if (prices === undefined) {
		return hasInvalidPrice({ failure }) ? `In the credential, ${failure.message}` : failure.message;
	}
	const { unpriced } = costOf(charges, prices);
	return unpriced.length === 0
		? undefined
		: `The credential has no price for: ${labelsOf(unpriced)}. Add it there under Prices.`;
}

/** For an estimate. Without prices in the credential, it is about the published ones alone. */
export function estimatedCost(
	charges: readonly Charge[],
	loaded: Outcome<Prices>,
): {
	readonly credits: number | null;
	/** Why `credits` is null. */
	readonly reason: string | null;
	readonly sentence: string;
} {
	const { value: prices = NO_PRICES } = loaded;
	const { credits, unpriced, published } = costOf(charges, prices);
	const isInvalid = hasInvalidPrice(loaded);
	if (!isInvalid && unpriced.length === 0) {
		const cost = pluralize(credits, 'credit');
		if (prices.size === 0) return { credits, reason: null, sentence: `They cost ${cost}.` };
		const defaults =
			published.length > 0
				? ` The service itself publishes the price of: ${labelsOf(published)}.`
				: '';
		return { credits, reason: null, sentence: `They cost about ${cost}.${defaults}` };
	}
	const names = unpriced.map(({ name }) => name).join(', ');
	const reason =
		prices.size > 0 || isInvalid
			? (unknownPrices(charges, loaded) ?? '')
			: `The service doesn't publish the price of: ${names}.`;
	return { credits: null, reason, sentence: reason };
}

/** False if the credential itself can't be read, which an estimate doesn't need. */
export const hasInvalidPrice = ({ failure }: Outcome<Prices>): boolean =>
	failure?.field === pricesProperty.name;

/** For a report, such as `about 240 credits`. Undefined if the credential has no prices, or none for these charges. */
export function reportedCost(charges: readonly Charge[], prices: Prices): string | undefined {
	if (prices.size === 0) return undefined;
	const { credits, unpriced } = costOf(charges, prices);
	if (charges.every((charge) => creditsOf(charge, prices) === undefined)) return undefined;
	const others = unpriced.length > 0 ? ` without ${labelsOf(unpriced)}` : '';
	return `about ${pluralize(credits, 'credit')}${others}`;
}
