import { BUSINESS, BUSINESS_ID, type Entity, PROSPECT, PROSPECT_ID, type Rule } from './service';

interface EventType {
	readonly value: string;
	readonly name: string;
}

/** The events of one kind of entity (contract: Events). */
export interface EventSource {
	readonly entity: Entity;
	readonly idRule: Rule;
	readonly path: string;
	readonly types: readonly EventType[];
	/** Whether the service has types beyond those that the contract lists. */
	readonly open: boolean;
}

export const PROSPECT_EVENTS: EventSource = {
	entity: PROSPECT,
	idRule: PROSPECT_ID,
	path: '/v1/prospects/events',
	types: [
		{ value: 'prospect_changed_company', name: 'Changed Company' },
		{ value: 'prospect_changed_role', name: 'Changed Role' },
		{ value: 'prospect_job_start_anniversary', name: 'Job Start Anniversary' },
	],
	open: false,
};

export const BUSINESS_EVENTS: EventSource = {
	entity: BUSINESS,
	idRule: BUSINESS_ID,
	path: '/v1/businesses/events',
	types: [
		{ value: 'ipo_announcement', name: 'IPO Announcement' },
		{ value: 'new_funding_round', name: 'New Funding Round' },
		{ value: 'new_investment', name: 'New Investment' },
		{ value: 'new_office', name: 'New Office' },
		{ value: 'new_product', name: 'New Product' },
	],
	open: true,
};

/** How far back the service keeps events (contract: Limits). */
export const EVENT_WINDOW_MONTHS = 3;
