import { hash } from 'node:crypto';
import { groupBy } from '../core/collections';

const LENGTH = 8;

/** A fingerprint of 48 bits in 8 characters. Among 30,000 of them, the odds of a collision are 1 in 600,000. */
export const fingerprintOf = (text: string): string =>
	hash('sha256', text, 'base64url').slice(0, LENGTH);

export const pack = (fingerprints: Iterable<string>): string => [...fingerprints].join('');

export function unpack(packed: string): string[] {
	const fingerprints: string[] = [];
	for (let at = 0; at < packed.length; at += LENGTH) {
		fingerprints.push(packed.slice(at, at + LENGTH));
	}
	return fingerprints;
}

/** Packs fingerprints by a number, such as an hour. */
export const packByKey = (
	entries: ReadonlyArray<readonly [fingerprint: string, key: number]>,
): Record<string, string> =>
	Object.fromEntries(
		[...groupBy(entries, ([, key]) => key)].map(([key, group]) => [
			key,
			pack(group.map(([fingerprint]) => fingerprint)),
		]),
	);

/** Inverts `packByKey`. */
export function keyByFingerprint(
	packedByKey: Readonly<Record<string, string>>,
): Map<string, number> {
	const keys = new Map<string, number>();
	for (const [key, packed] of Object.entries(packedByKey)) {
		for (const fingerprint of unpack(packed)) keys.set(fingerprint, Number(key));
	}
	return keys;
}

export const packedCount = (packed: string): number => packed.length / LENGTH;
