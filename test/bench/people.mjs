// Made-up people as rows of a CRM and as answers of the service, the same in all processes.
import { contactsOf, postsOf, profileOf, prospectRecord } from '../sandbox/world/prospect-data.ts';
import { createWorld } from '../sandbox/world/world.ts';

const now = new Date('2026-03-01T00:00:00Z');
const world = createWorld({
	people: 200,
	companies: 100,
	eventsPerDay: 0,
	now: () => now,
});

const people = Array.from({ length: world.people }, (_, index) => {
	const person = world.person(index);
	return {
		record: prospectRecord(person, world.company),
		profiles: [profileOf(person, world.company) ?? null],
		contacts_information: [contactsOf(person, world.company) ?? null],
		network_posts: postsOf(person, now),
	};
});

/** What the service knows of the prospect with an id: the search's `record`, and a list of data for each data set. */
export const personFor = (id) => people[Number.parseInt(id.slice(-6), 16) % people.length];

/** A prospect id. */
export const idOf = (number) => number.toString(16).padStart(40, '0');

/** Items of a CRM; with fewer prospects than items, some are of the same prospect. */
export const itemsOf = (count, prospects = count) =>
	Array.from({ length: count }, (_, row) => ({
		json: {
			id: 100_000 + row,
			prospect_id: idOf(row % prospects),
			name: `Person ${row}`,
			email: `person.${row}@company-${row % 100}.example`,
			phone: `+1555${String(row).padStart(7, '0')}`,
			title: 'Director of Operations',
			company: `Company ${row % 100}`,
			website: `https://company-${row % 100}.example`,
			city: 'Springfield',
			country: 'us',
			owner: 'Kim',
			stage: 'qualified',
			score: row % 100,
			subscribed: row % 2 === 0,
			created_at: '2025-11-03T09:14:00.000Z',
			updated_at: '2026-02-17T16:40:00.000Z',
		},
	}));
