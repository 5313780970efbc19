import { hash } from 'node:crypto';

export const FINGERPRINT_LENGTH = 8;

/** A fingerprint of 48 bits in 8 characters. Among 30,000 of them, the odds of a collision are 1 in 600,000. */
export const fingerprintOf = (text: string): string =>
	hash('sha256', text, 'base64url').slice(0, FINGERPRINT_LENGTH);

/** Splits text into parts of equal length. */
export function unpack(packed: string, length = FINGERPRINT_LENGTH): string[] {
	const parts: string[] = [];
	for (let at = 0; at < packed.length; at += length) parts.push(packed.slice(at, at + length));
	return parts;
}
