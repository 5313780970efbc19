import { contacts, post, profile, profileBulk } from '../contract/records';
import type { MATCH_MEMBERS } from '../contract/requests';
import {
	contactsOf,
	mobilePhone,
	personalEmail,
	postsOf,
	professionalEmail,
	profileOf,
} from '../world/prospect-data';
import type { Person } from '../world/people';
import type { World } from '../world/world';
import { envelope, handler, nullData, type Context, type Handlers } from './handler';

/** A match item with this text in any of its details comes back with `error` and `error_type`. */
export const MATCH_ERROR_MARKER = 'match-error';

type MatchInput = Partial<Record<(typeof MATCH_MEMBERS)[number], string | null>>;

const same = (one: string | null | undefined, other: string | null | undefined) =>
	Boolean(one) && Boolean(other) && one?.trim().toLowerCase() === other?.trim().toLowerCase();
const digits = (text: string) => text.replace(/\D/g, '');
const withoutEnd = (url: string) =>
	url
		.trim()
		.toLowerCase()
		.replace(/^https?:\/\/(www\.)?/, '')
		.replace(/\/+$/, '');

const peopleByName = new WeakMap<World, Map<string, number>>();

/** The first person of that name at that company, through an index made at the first call. */
function personByName(world: World, name: string, company: string): Person | undefined {
	let known = peopleByName.get(world);
	if (!known) {
		known = new Map();
		for (let index = world.people - 1; index >= 0; index--) {
			const person = world.person(index);
			const key = `${person.fullName}|${world.company(person.company).name}`.toLowerCase();
			known.set(key, index);
		}
		peopleByName.set(world, known);
	}
	const index = known.get(`${name.trim()}|${company.trim()}`.toLowerCase());
	return index === undefined ? undefined : world.person(index);
}

/** Emails, phones and profile URLs carry the person's index, so that no table is needed to find the person. */
function personByNumber(world: World, number: string | undefined): Person | undefined {
	const index = Number(number ?? NaN);
	return index < world.people ? world.person(index) : undefined;
}

function findPerson(world: World, item: MatchInput): Person | undefined {
	const company = (person: Person) => world.company(person.company);
	const byEmail = personByNumber(world, /\.(\d+)@/.exec(item.email ?? '')?.[1]);
	if (
		byEmail &&
		[professionalEmail(byEmail, company(byEmail)), personalEmail(byEmail)].some((email) =>
			same(email, item.email),
		)
	) {
		return byEmail;
	}
	const phone = digits(item.phone_number ?? '');
	const byPhone = phone ? personByNumber(world, phone.slice(4)) : undefined;
	if (byPhone && digits(mobilePhone(byPhone) ?? '') === phone) return byPhone;
	const url = withoutEnd(item.network ?? '');
	const byUrl = personByNumber(world, /-(\d+)$/.exec(url)?.[1]);
	if (byUrl && [byUrl.network, byUrl.networkById].some((one) => withoutEnd(one) === url)) {
		return byUrl;
	}
	return item.full_name && item.company_name
		? personByName(world, item.full_name, item.company_name)
		: undefined;
}

function matchOne(world: World, item: MatchInput) {
	const input = {
		business_id: item.business_id ?? null,
		full_name: item.full_name ?? null,
		company_name: item.company_name ?? null,
		email: item.email ?? null,
		phone_number: item.phone_number ?? null,
		network: item.network ?? null,
	};
	if (Object.values(input).some((value) => value?.includes(MATCH_ERROR_MARKER))) {
		return {
			input,
			prospect_id: null,
			error: 'The details of this prospect could not be processed',
			error_type: 'ProcessingError',
		};
	}
	const person = findPerson(world, item);
	const elsewhere =
		person && input.business_id && world.company(person.company).id !== input.business_id;
	return { input, prospect_id: person && !elsewhere ? person.id : null };
}

interface Bulk {
	prospect_ids: string[];
}
interface One {
	prospect_id: string;
	parameters?: { contact_types?: string[] } | null;
}
type Data = Record<string, unknown>;

const personOf = (world: World, id: string) => {
	const index = world.prospectIndex(id);
	return index === undefined ? undefined : world.person(index);
};

/** Rows in the order of the ids; an id without data gets one row of nulls (contract: "Missing data"). */
const rows = (schema: Data, dataOf: (person: Person, context: Context) => readonly Data[]) =>
	handler<Bulk>(({ prospect_ids }, context) => {
		let found = false;
		const data = prospect_ids.flatMap((prospect_id) => {
			const person = personOf(context.world, prospect_id);
			const known = person ? dataOf(person, context) : [];
			if (known.length > 0) found = true;
			return (known.length > 0 ? known : [nullData(schema, prospect_id)]).map((data) => ({
				prospect_id,
				data,
			}));
		});
		return envelope(context, found, data.length, { data });
	});

const single = (
	schema: Data,
	dataOf: (person: Person, context: Context, input: One) => Data | undefined,
) =>
	handler<One>((input, context) => {
		const person = personOf(context.world, input.prospect_id);
		const data = person && dataOf(person, context, input);
		return envelope(context, data !== undefined, data ? 1 : 0, {
			data: data ?? nullData(schema, input.prospect_id),
			entity_id: person ? context.world.company(person.company).id : null,
		});
	});

const listOf = (data: Data | undefined) => (data ? [data] : []);

export const prospectHandlers: Handlers<
	'match' | 'profile' | 'profileBulk' | 'contacts' | 'contactsBulk' | 'postsBulk'
> = {
	match: handler<{ prospects_to_match: MatchInput[] }>(({ prospects_to_match }, context) => {
		const matched = prospects_to_match.map((item) => matchOne(context.world, item));
		const total = matched.filter((item) => item.prospect_id !== null).length;
		return envelope(context, total > 0, matched.length, {
			total_matches: total,
			matched_prospects: matched,
		});
	}),
	profile: single(profile, (person, { world }) => {
		const found = profileOf(person, world.company);
		if (!found) return undefined;
		const { first_name, last_name, network_url_array, ...data } = found;
		void [first_name, last_name, network_url_array];
		return data;
	}),
	profileBulk: rows(profileBulk, (person, { world }) => listOf(profileOf(person, world.company))),
	contacts: single(contacts, (person, { world }, { parameters }) =>
		contactsOf(person, world.company, parameters?.contact_types),
	),
	contactsBulk: rows(contacts, (person, { world }) => listOf(contactsOf(person, world.company))),
	postsBulk: rows(post, (person, { now }) => postsOf(person, now)),
};
