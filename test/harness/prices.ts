import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CHARGES } from '../../nodes/BusinessProspectData/catalog/prices';

/** The credential's Prices, as n8n saves them: the same number of credits for everything. */
export const pricesOf = (credits: number): ICredentialDataDecryptedObject['prices'] =>
	priceList(Object.fromEntries(CHARGES.map(({ value }) => [value, credits])));

/** Credits by what they are for. */
export const priceList = (
	prices: Readonly<Record<string, unknown>>,
): ICredentialDataDecryptedObject['prices'] =>
	({
		price: Object.entries(prices).map(([charge, credits]) => ({ charge, credits })),
	}) as object as ICredentialDataDecryptedObject['prices'];
