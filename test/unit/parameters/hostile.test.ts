/**
 * No text of a row takes time that grows faster than its length: while a form's text is read, n8n does nothing else. Tested
 * without the bounds that cells have.
 */
import { PROSPECT_ID_FORMAT } from '../../../nodes/BusinessProspectData/catalog/service';
import { splitFirstSentence } from '../../../nodes/BusinessProspectData/core/text';
import { searchFilters } from '../../../nodes/BusinessProspectData/filters/kinds';
import {
	bareSpellingsOf,
	comparableName,
	partialName,
} from '../../../nodes/BusinessProspectData/identify/companyName';
import { compareNames } from '../../../nodes/BusinessProspectData/identify/matchCheck';
import { givenName, readPerson } from '../../../nodes/BusinessProspectData/identify/person';
import {
	COMPANY_NAME,
	EMAIL,
	PERSON_NAME,
	PHONE,
} from '../../../nodes/BusinessProspectData/parameters/cellKinds';
import { isNothing, readCell } from '../../../nodes/BusinessProspectData/parameters/cells';
import { idFromCell } from '../../../nodes/BusinessProspectData/parameters/lists';
import { withoutMarkup } from '../../../nodes/BusinessProspectData/parameters/markup';
import { PROFILE_URL, WEBSITE } from '../../../nodes/BusinessProspectData/parameters/webAddresses';
import { cpuUsage } from '../../harness/process.cjs';
import { everyNth } from '../../size';

const FILTERS = ['country_code', 'region_country_code', 'company_size'];

/** Text that can't be read is an error. */
const attempt = (read: () => unknown): void => {
	try {
		read();
	} catch {
		// As it should be.
	}
};

const cellOf = (text: string) => ({ value: text, text });
const personOf = (text: string) => ({
	email: { value: null },
	fullName: cellOf(text),
	companyName: cellOf(text),
	moreDetails: { phoneNumber: { value: null }, network: { value: null }, businessId: [] },
});

const READERS: Record<string, (text: string) => unknown> = {
	name: PERSON_NAME.read,
	company: COMPANY_NAME.read,
	email: EMAIL.read,
	phone: PHONE.read,
	profile: PROFILE_URL.read,
	website: WEBSITE.read,
	markup: (text) => [withoutMarkup(text, true), withoutMarkup(text, false)],
	nothing: isNothing,
	'whole cell': (text) => readCell([text, { name: text }, JSON.stringify([text])], PERSON_NAME),
	IDs: (text) => idFromCell(text, PROSPECT_ID_FORMAT),
	filters: (text) =>
		FILTERS.map((name) => attempt(() => searchFilters.read({ [name]: [{ value: text }] }))),
	"a company's spellings": (text) => [bareSpellingsOf([text]), partialName(text)],
	'compared names': (text) => [comparableName(text), compareNames(text, text)],
	person: (text) => [readPerson(personOf(text)), givenName(personOf(text))],
	message: splitFirstSentence,
};

/** What the texts repeat. Some patterns only take long if the end doesn't fit. */
const PIECES =
	`'a [¦Dr. ¦, MBA¦ GmbH¦Acme ¦(¦((a) ¦"¦<a ¦<¦&#x¦=?utf-8?q?¦?= ¦[¦{"a":¦, ¦ , (¦ - ¦@¦a@¦a.b@c.de
	¦. ¦.¦-¦/¦a/¦://¦https://¦a.bc/d?¦?¦#¦+¦+1 ¦00¦1 ¦x1¦ ext¦m: ¦w.¦;¦ ¦é¦👩 ¦1,000¦a,b: ¦$1m-¦n/a ¦she/¦|¦'¦”`
		.split('¦')
		.concat('\n', '\u200b');

const MAX_TRIES = 40;

/** Shorter times say nothing. */
const MIN_MICROSECONDS = 200;

/** Of this process, because other programs may have the processor half of the time. */
function cpuTimeOf(read: (text: string) => unknown, text: string): number {
	const start = cpuUsage();
	read(text);
	const { user, system } = cpuUsage(start);
	return Math.max(MIN_MICROSECONDS, user + system);
}

/** Whether eight times the length takes more than 16 times as long, in the best of several tries. */
function isSlow(read: (text: string) => unknown, short: string, long: string): boolean {
	const best = { short: Infinity, long: Infinity };
	for (let tries = 0; tries < MAX_TRIES; tries++) {
		best.short = Math.min(best.short, cpuTimeOf(read, short));
		best.long = Math.min(best.long, cpuTimeOf(read, long));
		if (best.long <= 16 * best.short) return false;
		// More tries would take minutes.
		if (tries > 2 && best.long > 300_000) return true;
	}
	return true;
}

test.each(Object.entries(READERS).map(([name, read], turn) => [name, read, turn] as const))(
	'%s',
	(_name, read, turn) => {
		const texts = everyNth(3, PIECES, turn).flatMap((piece) => [
			{ start: '', piece, end: '' },
			{ start: 'Carla', piece, end: '\0 Acme x@y' },
		]);
		const slow = texts.find(({ start, piece, end }) => {
			const textOf = (length: number) =>
				start + piece.repeat(Math.ceil(length / piece.length)) + end;
			// With the cube of the length, the longest text would take minutes, but a shorter one is slow, too.
			return [125, 1_000].some((length) => isSlow(read, textOf(length), textOf(8 * length)));
		});

		expect(slow).toBeUndefined();
	},
);
