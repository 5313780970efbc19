/** One request to each endpoint of the contract, about one person or one company. */
import { usageRequest } from '../../nodes/BusinessProspectData/api/accountLimit';
import { CONTACT_CREDITS } from '../../nodes/BusinessProspectData/catalog/service';
import { asObjects, asText, isObject } from '../../nodes/BusinessProspectData/core/json';
import { type Endpoint, ENDPOINTS, type EndpointName } from '../sandbox/contract/contract';
import { EVENT_TYPES } from '../sandbox/contract/limits';

/** Credits that a request should cost: 0 is an assumption, 2 is in the contract (Limits). The others have no known price. */
const PRICES: Partial<Record<EndpointName, number>> = {
	credits: 0,
	autocomplete: 0,
	stats: 0,
	deleteEnrollment: 0,
	contacts: CONTACT_CREDITS.email,
};
export const priceOf = ({ name }: Endpoint): number | undefined => PRICES[name];

const isFree = (endpoint: Endpoint) => priceOf(endpoint) === 0;
export const FREE = ENDPOINTS.filter(isFree);
/** The search comes first: it finds the person that the others are about. */
export const PAID = [
	...ENDPOINTS.filter(({ name }) => name === 'search'),
	...ENDPOINTS.filter((endpoint) => !isFree(endpoint) && endpoint.name !== 'search'),
];

/** The person whom the search finds, and the company. Never printed or saved. */
export interface Person {
	readonly prospect_id: string;
	readonly business_id: string;
	readonly full_name: unknown;
	readonly company_name: unknown;
}

export function personIn(answer: unknown): Person | undefined {
	const [row] = asObjects(isObject(answer) ? answer.data : undefined);
	const [prospect_id, business_id] = [asText(row?.prospect_id), asText(row?.business_id)];
	if (row === undefined || prospect_id === undefined || business_id === undefined) return undefined;
	return { prospect_id, business_id, full_name: row.full_name, company_name: row.company_name };
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const events = (event_types: readonly string[]) => ({ event_types, timestamp_from: daysAgo(80) });

/** The body, or the query of a GET. Undefined if it needs a person. */
export function inputFor({ name, inputMember = '' }: Endpoint, person?: Person) {
	switch (name) {
		case 'credits':
			return usageRequest(Date.now()).body;
		case 'autocomplete':
			return { field: 'business_intent_topics', query: 'lead', semantic_search: 'true' };
		case 'stats':
			return { filters: { company_size: { type: 'includes', values: ['10001+'] } } };
		case 'deleteEnrollment':
			return { enrollment_id: 'no-such-enrollment' };
		case 'search': {
			// The service has the most data about people whom it can reach, at large companies.
			const filters = { has_email: { value: true }, company_size: { values: ['10001+'] } };
			return { mode: 'full', size: 1, page_size: 1, page: 1, filters };
		}
	}
	if (person === undefined) return undefined;
	const { prospect_id, business_id, full_name, company_name } = person;
	switch (name) {
		case 'match':
			return { prospects_to_match: [{ full_name, company_name, business_id }] };
		case 'contacts':
			return { prospect_id, parameters: { contact_types: ['email'] } };
		case 'prospectEvents':
			return { prospect_ids: [prospect_id], ...events(EVENT_TYPES.prospect) };
		case 'businessEvents':
			return { business_ids: [business_id], ...events(EVENT_TYPES.business) };
	}
	return inputMember === 'prospect_id'
		? { prospect_id }
		: inputMember === 'prospect_ids'
			? { prospect_ids: [prospect_id] }
			: { business_ids: [business_id] };
}
