import type { MatchInput } from '../../../../nodes/BusinessProspectData/operations/prospect/matchInput';

/** A match input without any detail of the person. */
export const NONE: MatchInput = {
	business_id: null,
	full_name: null,
	company_name: null,
	email: null,
	phone_number: null,
	network: null,
};
