import type { ValueFormat } from '../core/text';
import { BUSINESS, BUSINESS_ID, type EntityFields, PROSPECT, PROSPECT_ID } from './service';

interface EventType {
	readonly value: string;
	readonly name: string;
}

/** The events of one kind of entity (contract: Events). */
export interface EventsSource {
	readonly entity: EntityFields;
	readonly idFormat: ValueFormat;
	readonly path: string;
	readonly types: readonly EventType[];
	/** Whether the service may have event types that the contract doesn't list. */
	readonly hasUnlistedTypes: boolean;
}

export const PROSPECT_EVENTS: EventsSource = {
	entity: PROSPECT,
	idFormat: PROSPECT_ID,
	path: '/v1/prospects/events',
	types: [
		{ value: 'prospect_changed_company', name: 'Changed Company' },
		{ value: 'prospect_changed_role', name: 'Changed Role' },
		{ value: 'prospect_job_start_anniversary', name: 'Job Start Anniversary' },
	],
	hasUnlistedTypes: false,
};

export const BUSINESS_EVENTS: EventsSource = {
	entity: BUSINESS,
	idFormat: BUSINESS_ID,
	path: '/v1/businesses/events',
	types: [
		{ value: 'ipo_announcement', name: 'IPO Announcement' },
		{ value: 'new_funding_round', name: 'New Funding Round' },
		{ value: 'new_investment', name: 'New Investment' },
		{ value: 'new_office', name: 'New Office' },
		{ value: 'new_product', name: 'New Product' },
	],
	hasUnlistedTypes: true,
};

/** The fields of an event, besides the IDs and `data` (contract: Event records). */
export const EVENT_FIELDS = ['event_name', 'event_time'] as const;

export const EVENT_ID = 'event_id';

/** How far back the service keeps events (contract: Limits). */
export const EVENT_WINDOW_MONTHS = 3;
