import type { Rule } from '../runtime/lists';
import { BUSINESS, type Entity, PROSPECT } from './entities';
import { BUSINESS_ID, PROSPECT_ID } from './rules';

interface EventType {
	readonly value: string;
	readonly name: string;
}

/** Whose events they are, and what the service knows of them (contract: Events). */
export interface EventSource {
	readonly entity: Entity;
	readonly idRule: Rule;
	readonly path: string;
	readonly types: readonly EventType[];
	/** Whether the service knows further types, which the contract does not list. */
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
