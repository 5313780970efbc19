import { MATCH_MEMBERS } from '../contract/contract';
import { contacts, post, profile, profileBulk } from '../contract/records';
import { made } from '../world/hash';
import type { Person } from '../world/people';
import * as data from '../world/prospect-data';
import type { World } from '../world/world';
import { bulkAnswer, envelope, handler, type Context } from './handler';

type MatchInput = Partial<Record<string, string | null>>;

const plain = (text: string | null | undefined) => (text ?? '').trim().toLowerCase();
const digits = (text: string | null | undefined) => (text ?? '').replace(/\D/g, '');
const address = (url: string | null | undefined) =>
	plain(url)
		.replace(/^https?:\/\/(www\.)?/, '')
		.replace(/\/+$/, '');

/** All details by which a person is found, each in the form in which it is compared. */
const detailsOf = (person: Person, { company }: World) => [
	data.professionalEmail(person, company(person.company)),
	data.personalEmail(person),
	digits(data.mobilePhone(person)),
	...[person.network, person.networkById].map(address),
];

function findPerson(world: World, item: MatchInput): Person | undefined {
	const details = [plain(item.email), digits(item.phone_number), address(item.network)];
	for (const detail of details) {
		// All carry the person's index, so that no table is needed.
		const index = Number(/(\d{1,7})(@.*)?$/.exec(detail)?.[1] ?? NaN);
		const person = index < world.people ? world.person(index) : undefined;
		if (person && detailsOf(person, world).includes(detail)) return person;
	}
	const name = plain(item.full_name);
	for (let index = 0; name !== '' && index < world.people; index++) {
		const person = world.person(index);
		const employer = plain(world.company(person.company).name);
		if (plain(person.fullName) === name && employer === plain(item.company_name)) return person;
	}
	return undefined;
}

function matchOne(world: World, item: MatchInput) {
	const input = made(MATCH_MEMBERS, (name) => item[name] ?? null);
	const person = findPerson(world, item);
	const isElsewhere =
		person && item.business_id && world.company(person.company).id !== item.business_id;
	return { input, prospect_id: person && !isElsewhere ? person.id : null };
}

type Data = Record<string, unknown>;
/** The data of a person, in one or several rows. */
type DataOf = (
	person: Person,
	context: Context,
	contactTypes?: string[],
) => Data | Data[] | undefined;

const dataOf = (id: string, context: Context, read: DataOf, contactTypes?: string[]): Data[] => {
	const index = context.world.prospectIndex(id);
	if (index === undefined) return [];
	return [read(context.world.person(index), context, contactTypes) ?? []].flat();
};

const bulk = (schema: Data, read: DataOf) =>
	handler<{ prospect_ids: string[] }>(({ prospect_ids }, context) =>
		bulkAnswer(context, schema, 'prospect_id', prospect_ids, (id) => dataOf(id, context, read)),
	);

const single = (schema: Data, read: DataOf) =>
	handler<{ prospect_id: string; parameters?: { contact_types?: string[] } | null }>(
		({ prospect_id: id, parameters }, context) => {
			const { world } = context;
			const [own] = dataOf(id, context, read, parameters?.contact_types);
			const index = world.prospectIndex(id);
			const members = Object.keys(schema.properties as object);
			return envelope(context, own !== undefined, own ? 1 : 0, {
				data: made(members, (name) => own?.[name] ?? null),
				entity_id: index === undefined ? null : world.company(world.person(index).company).id,
			});
		},
	);

const profileData: DataOf = (person, { world }) => data.profileOf(person, world.company);
const contactData: DataOf = (person, { world }, types) =>
	data.contactsOf(person, world.company, types);

export const prospectHandlers = {
	match: handler<{ prospects_to_match: MatchInput[] }>(({ prospects_to_match }, context) => {
		const matched = prospects_to_match.map((item) => matchOne(context.world, item));
		const total = matched.filter((item) => item.prospect_id !== null).length;
		return envelope(context, total > 0, matched.length, {
			total_matches: total,
			matched_prospects: matched,
		});
	}),
	profile: single(profile, profileData),
	profileBulk: bulk(profileBulk, profileData),
	contacts: single(contacts, contactData),
	contactsBulk: bulk(contacts, contactData),
	postsBulk: bulk(post, (person, { now }) => data.postsOf(person, now)),
};
