/** What a kind of entity is called in requests and answers: one, and a list of them. */
export interface Entity {
	readonly id: string;
	readonly ids: string;
}

export const PROSPECT: Entity = { id: 'prospect_id', ids: 'prospect_ids' };
export const BUSINESS: Entity = { id: 'business_id', ids: 'business_ids' };
