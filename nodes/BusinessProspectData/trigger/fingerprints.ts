import { hash } from 'node:crypto';

const LENGTH = 8;

/** A short fingerprint: 48 bits, 8 characters. Among 40,000 of them two are equal once in 350,000 times. */
export const fingerprintOf = (text: string): string =>
	hash('sha256', text, 'base64url').slice(0, LENGTH);

/** Fingerprints in one text, as they are saved. */
export const pack = (prints: Iterable<string>): string => [...prints].join('');

/** The fingerprints of such a text. */
export function unpack(text: string): string[] {
	const prints: string[] = [];
	for (let at = 0; at < text.length; at += LENGTH) prints.push(text.slice(at, at + LENGTH));
	return prints;
}

/** How many fingerprints there are in such a text. */
export const packedCount = (text: string): number => text.length / LENGTH;
