import type { Person } from '../../../../nodes/BusinessProspectData/identify/person';

/** A match input without any detail of the person. */
export const NONE: Person = {
	business_id: null,
	full_name: null,
	company_name: null,
	email: null,
	phone_number: null,
	network: null,
};
